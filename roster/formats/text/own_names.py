"""Write names in our own text so that each has one meaning to its reader."""

import json
import re
from collections.abc import Sequence
from typing import TypeVar

from catalogue.definitions.entries import ForceEntry
from catalogue.graph.compiled_entry import CompiledOption, ContainerOptions
from catalogue.graph.ids import strip_link_prefix
from catalogue.graph.ruleset import CompiledCatalogue
from roster.engine.tree import Selection
from roster.formats.list_document.resolver import find_ids, list_candidates, list_force_entries, list_groups
from roster.formats.list_document.values import Candidate, list_identified, rank_matches
from roster.formats.text.outline import write_plainly

Named = TypeVar("Named")
_PLAIN = re.compile(r"[^\W\d_][^,;:\[\]{}()\"*`#|<>\\~=+\n]*(?<! )")
_MARKUP = frozenset("*`_~|<>#“”„")
TEXT_KEYS = "as|note|of|ref|joins"
_RESERVED = re.compile(rf".* (?:as|note) $|.*  |(?:as|note)$|.* (?:{TEXT_KEYS}) [“”„]", re.I)


def write_name(name: str) -> str:
    """Write a name, quoted if any part could be read as syntax.

    >>> write_name("Necron Warriors"), write_name("Gun, big")
    ('Necron Warriors', '"Gun, big"')
    >>> write_name("Ava “Indigo” Jasco")
    'Ava “Indigo” Jasco'
    """
    is_plain = _PLAIN.fullmatch(name) is not None and not _RESERVED.match(f"{name} ") and "  " not in name
    return name if is_plain else quote_text(name)


def write_title(name: str) -> str:
    """Quote a list's name if its line could be read as something else."""
    # A sign at the beginning could be read as a heading or a bullet.
    is_plain = name.isprintable() and name[:1].isalnum() and not name.endswith(" ") and not _MARKUP & set(name)
    return name if is_plain else quote_text(name)


def quote_text(text: str) -> str:
    """Quote a text on one line, with chat markup escaped."""
    signs = []
    for sign in json.dumps(text, ensure_ascii=False):
        if sign.isprintable() and sign not in _MARKUP:
            signs.append(sign)
            continue
        escaped = json.dumps(sign)[1:-1]
        signs.append(escaped if len(escaped) > 1 else f"\\u{ord(sign):04x}")
    return "".join(signs)


def write_mark(text: str) -> str:
    """Write an ambiguous name's mark: a group, or `#` and an id."""
    return f" {{{quote_text(text)}}}" if re.search(r"[{}\"*_`\\]", text) else f" {{{text}}}"


def is_unmistakable(name: str, value: Named, candidates: Sequence[Candidate[Named]]) -> bool:
    matches = rank_matches(name, candidates)
    return len(matches) == 1 and matches[0].value is value


class NameWriter:
    def __init__(self) -> None:
        self._candidates: dict[ContainerOptions, list[Candidate[CompiledOption]]] = {}
        self._names: dict[tuple[ContainerOptions, CompiledOption, str], str] = {}

    def find_option(self, layout: ContainerOptions, start: str, selection: Selection) -> CompiledOption | None:
        local_id = strip_link_prefix(start, selection.entry_id)
        return layout.find_at(local_id, strip_link_prefix(start, selection.group_id))

    def write_option(self, layout: ContainerOptions, option: CompiledOption, group_id: str) -> str:
        """Add the group to an ambiguous name, or the id if the group is not enough."""
        key = (layout, option, group_id)
        # Comparing a name with all others is slow, and lists repeat their options.
        if key not in self._names:
            self._names[key] = write_name(write_plainly(option.name)) + self._mark_option(layout, option, group_id)
        return self._names[key]

    def _mark_option(self, layout: ContainerOptions, option: CompiledOption, group_id: str) -> str:
        if layout not in self._candidates:
            self._candidates[layout] = list_candidates(layout)
        candidates = self._candidates[layout]
        if is_unmistakable(option.name, option, candidates):
            return ""

        # People understand the name of a group.
        groups = list_groups(layout)
        for group in option.groups:
            if is_unmistakable(group.entry.name, group, groups):
                inside = [candidate for candidate in candidates if group in candidate.value.groups]
                if is_unmistakable(option.name, option, inside):
                    return write_mark(group.entry.name)

        for entry_id in reversed(find_ids(candidates, option)):
            if is_unmistakable(entry_id, option, candidates):
                return write_mark(f"#{entry_id}")
        return write_mark(f"#{option.local_id}") + write_mark(group_id)


def write_force_name(catalogue: CompiledCatalogue | None, parent: ForceEntry | None, entry: ForceEntry) -> str:
    candidates = list_identified(list_force_entries(catalogue, parent))
    # The name of one kind may be the id of another.
    is_id = catalogue is not None and catalogue.find_force(entry.name) is not None
    clear = not is_id and is_unmistakable(entry.name, entry, candidates)
    return write_name(entry.name) + ("" if clear else write_mark(f"#{entry.id}"))
