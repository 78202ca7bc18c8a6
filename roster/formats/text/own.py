"""Write our own text: a list as people write it in a chat, which can be read back as the same list.

    Low water column
    Marsh Compact, 115 / 120 points
    Reeds and Rust

    Standard
    Leaders
      Lock Warden (35, leads): Lamp
    Crews
      2x Reed Cutters as "Left flank" (40): 6x Cutter [Sickle, Net], Boat {Upgrades}

    Made with Armybuilder

Names work as in list documents. Names with special characters are quoted; `{...}` adds the group, or `{#...}` the id,
to an ambiguous name. `full` writes each option on a line of its own, `compact` all on the line of the unit, and `short`
none.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from catalogue.definitions.entries import ForceEntry
from catalogue.definitions.numbers import Number, format_number
from catalogue.graph.compiled_entry import ContainerOptions
from catalogue.graph.ids import get_link_prefix
from catalogue.graph.ruleset import CompiledCatalogue, Ruleset
from roster.engine.report import EffectiveForce, EffectiveSelection, Report, find_cost, find_primary
from roster.engine.stacks import Keys, group_equal, index_equal
from roster.engine.tree import OUTSIDE, CategoryNote, Force, RosterTree, Selection
from roster.formats.list_document.document import OUTSIDE_WORD
from roster.formats.list_document.values import list_identified
from roster.formats.list_document.write import assign_refs
from roster.formats.text.own_names import (
    NameWriter,
    is_unmistakable,
    quote_text,
    write_force_name,
    write_mark,
    write_name,
    write_title,
)

WITH = "with "
"""Readers ignore a fact with this start: the unit that the unit is attached to."""
_FACT_SIGNS = re.compile(r"[(),\n]+")
FOOTER = "Made with Armybuilder"
SHORTENED = ", without options"
CHAT_LENGTH = 2_000


class TextLength(StrEnum):
    SHORT = "short"
    COMPACT = "compact"
    FULL = "full"


class TextStyle(StrEnum):
    PLAIN = "plain"
    MARKDOWN = "markdown"
    CHAT = "chat"


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenHead:
    """The lines before and after the list: names for readers, and `limits` as in a list document."""

    game: str
    faction: str
    points_id: str = ""
    version: str = ""
    verdict: str = ""
    limits: Mapping[str, Number | str] = field(default_factory=dict)


def write_own_text(
    ruleset: Ruleset,
    roster: RosterTree,
    report: Report,
    head: WrittenHead,
    length: TextLength = TextLength.COMPACT,
    style: TextStyle = TextStyle.PLAIN,
) -> str:
    return OwnTextWriter(ruleset, report, head, length, style).write_text(roster)


def split_for_chat(text: str, length: int = CHAT_LENGTH) -> list[str]:
    messages = [""]
    for line in text.split("\n"):
        for start in range(0, max(len(line), 1), length):
            piece = line[start : start + length]
            joined = f"{messages[-1]}\n{piece}" if messages[-1] else piece
            if len(joined) > length:
                messages.append(piece)
            else:
                messages[-1] = joined
    return [message.strip("\n") for message in messages if message.strip()]


class OwnTextWriter:
    def __init__(
        self, ruleset: Ruleset, report: Report, head: WrittenHead, length: TextLength, style: TextStyle
    ) -> None:
        self._ruleset = ruleset
        self._report = report
        self._head = head
        self._length = length
        self._marked = style is not TextStyle.PLAIN
        self._names = NameWriter()
        self._home = ""
        self._refs: Mapping[str, str] = {}
        self._keys: Keys = {}

    def write_text(self, roster: RosterTree) -> str:
        self._home = roster.of
        self._refs = assign_refs(roster, None)
        self._keys = index_equal(roster)
        lines = list(self._write_head(roster))
        # The report orders forces by kind, but verdicts may depend on the order of the list.
        by_id = {effective.id: effective for effective in self._report.forces}
        for force in roster.forces:
            lines += self._write_force(force, by_id[force.id], None, 0)
        lines.append("")
        if self._head.verdict:
            lines.append(self._head.verdict)
        version = f", data {self._head.version}" if self._head.version else ""
        lines.append(f"{self._mark('-# ')}{FOOTER}{version}{SHORTENED if self._length is TextLength.SHORT else ''}")
        return "\n".join(lines) + "\n"

    def _mark(self, signs: str) -> str:
        return signs if self._marked else ""

    # ---- the head ----------------------------------------------------------------------------------------------------

    def _write_head(self, roster: RosterTree) -> Iterator[str]:
        head, points_id = self._head, self._head.points_id
        yield self._mark("# ") + write_title(roster.name)

        facts = [head.faction] if head.faction else []
        limit = head.limits.get(points_id)
        spent = find_cost(self._report.costs, points_id)
        if points_id and (spent is not None or limit is not None):
            # A list with a limit but without costs has spent 0 points.
            used = format_number(spent.value) if spent else "0"
            facts.append(f"{used} points" if limit in (None, "none") else f"{used} / {limit} points")
        yield ", ".join(facts)

        yield head.game
        texts = {
            "Player": roster.player,
            "Event": roster.event,
            "Notes": roster.notes,
            "Rules": roster.overlay,
            "House rules": roster.homebrew,
            "Not shown": ", ".join(roster.unshown),
        }
        yield from (f"{key}: {quote_text(text)}" for key, text in texts.items() if text)
        limits = {key: value for key, value in head.limits.items() if key != points_id}
        if limits:
            yield "Limits: " + ", ".join(f"{self._name_cost_type(key)} {value}" for key, value in limits.items())

    def _name_cost_type(self, type_id: str) -> str:
        cost_types = self._ruleset.binding.cost_types
        cost_type = cost_types.get(type_id)
        is_clear = cost_type is not None and is_unmistakable(
            cost_type.name, cost_type, list_identified(cost_types.values())
        )
        return write_name(cost_type.name) if cost_type and is_clear else quote_text(type_id)

    def _name_catalogue(self, catalogue_id: str) -> str:
        catalogues = self._ruleset.data.catalogues
        catalogue = next((one for one in catalogues if one.id == catalogue_id), None)
        is_clear = catalogue is not None and is_unmistakable(catalogue.name, catalogue, list_identified(catalogues))
        return quote_text(catalogue.name if catalogue and is_clear else catalogue_id)

    # ---- detachments -------------------------------------------------------------------------------------------------

    def _write_force(
        self, force: Force, effective: EffectiveForce, parent: ForceEntry | None, depth: int
    ) -> Iterator[str]:
        catalogue = self._ruleset.find_catalogue(force.catalogue_id)
        compiled_force = catalogue.find_force(force.entry_id) if catalogue and force.entry_id else None
        entry = compiled_force.entry if compiled_force else None
        if force.entry_id == OUTSIDE:
            name = OUTSIDE_WORD
        else:
            name = write_force_name(catalogue, parent, entry) if entry else write_mark(f"#{force.entry_id}").strip()
        if force.catalogue_id != self._home:
            name += f" of {self._name_catalogue(force.catalogue_id)}"

        yield ""
        yield self._mark("## ") + "+ " * depth + name + _write_texts(force.custom_name, force.notes)
        yield from self._write_slots(force, effective, catalogue)
        inner = {child.id: child for child in effective.forces}
        for child in force.forces:
            yield from self._write_force(child, inner[child.id], entry, depth + 1)

    def _write_slots(
        self, force: Force, effective: EffectiveForce, catalogue: CompiledCatalogue | None
    ) -> Iterator[str]:
        notes = {note.category_id: note for note in force.category_notes}
        selections = {selection.id: selection for selection in force.selections}
        slot_id: str | None = None
        for unit in effective.selections:
            slot = find_primary(unit.categories)
            # A unit without a slot is written below the previous slot.
            if slot and slot.id != slot_id:
                slot_id = slot.id
                yield self._write_slot(slot.id, slot.name, notes.pop(slot.id, None))
            yield from self._write_unit(selections[unit.id], unit, catalogue, leads=unit.id in force.leading)
        yield from (self._write_slot(note.category_id, "", note) for note in notes.values())

    def _write_slot(self, category_id: str, name: str, note: CategoryNote | None) -> str:
        mark = f"{write_name(name) if name else ''}{write_mark('#' + category_id)}" if note else write_name(name)
        texts = _write_texts(note.custom_name, note.notes) if note else ""
        return self._mark("### ") + mark.strip() + texts

    # ---- units and options -------------------------------------------------------------------------------------------

    def _write_unit(
        self, unit: Selection, effective: EffectiveSelection, catalogue: CompiledCatalogue | None, *, leads: bool
    ) -> Iterator[str]:
        contents = catalogue.root_options if catalogue else None
        name, inner_contents, inner_start = self._name_selection(unit, contents, "")
        start, label = ("- ", f"**{name}**") if self._marked else ("  ", name)
        line = start + _write_count(unit.number) + label + _write_text("as", unit.custom_name)

        facts: list[str] = []
        points = find_cost(effective.totals, self._head.points_id)
        # A free choice for the whole list is not a unit of 0 points.
        if points and (points.value or effective.type != "upgrade"):
            facts.append(format_number(points.value))
        if leads:
            facts.append("leads")
        if self._length is not TextLength.SHORT:
            facts += (f"{WITH}{_FACT_SIGNS.sub(' ', attachment.to.name)}" for attachment in effective.attachments)
        if facts:
            line += f" ({', '.join(facts)})"
        line += _write_text("note", unit.notes) + self._write_bonds(unit)

        if self._length is TextLength.SHORT:
            yield line
        elif self._length is TextLength.COMPACT:
            row = self._join(unit.selections, inner_contents, inner_start)
            yield f"{line}: {row}" if row else line
        else:
            yield line
            yield from self._list_options(unit.selections, inner_contents, inner_start, 1)

    def _list_options(
        self, selections: Iterable[Selection], contents: ContainerOptions | None, start: str, depth: int
    ) -> Iterator[str]:
        for selection, number in self._list_stacks(selections, contents, start):
            text, inner_contents, inner_start = self._write_option(selection, number, contents, start)
            bullet = "- " if self._marked else "• "
            yield f"{'  ' * (depth + (not self._marked))}{bullet}{text}"
            yield from self._list_options(selection.selections, inner_contents, inner_start, depth + 1)

    def _join(self, selections: Iterable[Selection], contents: ContainerOptions | None, start: str) -> str:
        parts = []
        for selection, number in self._list_stacks(selections, contents, start):
            text, inner_contents, inner_start = self._write_option(selection, number, contents, start)
            inside = self._join(selection.selections, inner_contents, inner_start)
            parts.append(f"{text} [{inside}]" if inside else text)
        return ", ".join(parts)

    def _list_stacks(
        self, selections: Iterable[Selection], contents: ContainerOptions | None, start: str
    ) -> Iterator[tuple[Selection, int]]:
        for stack in group_equal(selections, self._keys):
            if contents and self._names.find_option(contents, start, stack[0]):
                yield stack[0], sum(selection.number for selection in stack)
            else:
                yield from ((selection, selection.number) for selection in stack)

    def _write_option(
        self, selection: Selection, number: int, contents: ContainerOptions | None, start: str
    ) -> tuple[str, ContainerOptions | None, str]:
        name, inner_contents, inner_start = self._name_selection(selection, contents, start)
        text = _write_count(number) + name + _write_texts(selection.custom_name, selection.notes)
        return text + self._write_bonds(selection), inner_contents, inner_start

    def _name_selection(
        self, selection: Selection, contents: ContainerOptions | None, start: str
    ) -> tuple[str, ContainerOptions | None, str]:
        option = self._names.find_option(contents, start, selection) if contents else None
        if option is None or contents is None:
            return write_name(selection.name or selection.entry_id), None, start
        name = self._names.write_option(contents, option, selection.group_id.removeprefix(start))
        return name, option.entry.contents, get_link_prefix(selection.entry_id)

    def _write_bonds(self, selection: Selection) -> str:
        if self._length is TextLength.SHORT:
            return ""
        bonds = [
            f"{attachment.association_id}={ref}"
            for attachment in selection.attachments
            if (ref := self._refs.get(attachment.to_id))
        ]
        return _write_text("ref", self._refs.get(selection.id, "")) + _write_text("joins", " ".join(bonds))


def _write_count(number: int) -> str:
    return f"{number}x " if number != 1 else ""


def _write_texts(custom_name: str, notes: str) -> str:
    return _write_text("as", custom_name) + _write_text("note", notes)


def _write_text(key: str, text: str) -> str:
    return f" {key} {quote_text(text)}" if text else ""
