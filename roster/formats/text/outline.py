"""A list as other programs' layouts express it, without ids."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from catalogue.definitions.entries import Association, ForceEntry
from catalogue.definitions.numbers import Number
from catalogue.graph.compiled_entry import CompiledOption, ContainerOptions
from catalogue.graph.ruleset import Ruleset
from roster.engine.edits import Refused, add_force, create_roster
from roster.engine.tree import Force, Selection, find_path
from roster.formats.list_text import simplify_name

CREATED = "Created with Armybuilder"
"""The beginning of the last line of a text in the layout of another program."""
IN_PART = "not all of it can be read back"
WARLORD = "Warlord"
"""The mark of a declared leader, in games whose data has no option for it."""
SHOWN_UNITS, _SHOWN = "Shown units", "Show/Hide Options"
"""The settings that control which units are offered: their name in texts, and in community data."""
DEEPEST = 12
_SIGNS = frozenset('[],:;|+{}"“”„«»‟″\n\r\t')
_BRACKETED = re.compile(r"[^()]*(?:\([^()]*\)[^()]*)*")
_COUNT = re.compile(r"(\d{1,6})x ")
_NAME = re.compile(r"[^,(){}\"]+")


@dataclass(slots=True)
class OutlineItem:
    """Something taken in a unit or a force. `count` is per parent; `mark` distinguishes equal names."""

    name: str
    count: int = 1
    mark: str = ""
    custom_name: str = ""
    items: list["OutlineItem"] = field(default_factory=list)
    points: Number = 0
    is_model: bool = False
    is_enhancement: bool = False
    written: str = ""


@dataclass(slots=True)
class OutlineBond:
    """A unit's attachment to the `number`th unit of that name. `label` names an unusual association."""

    name: str
    number: int = 1
    label: str = ""


@dataclass(slots=True)
class OutlineUnit:
    """A unit. `section` is its slot, `reference` its label in the list's header, such as `Char1`."""

    item: OutlineItem
    points: Number = 0
    section: str = ""
    reference: str = ""
    bonds: list[OutlineBond] = field(default_factory=list)


@dataclass(slots=True)
class OutlineForce:
    """A force. `name` is its kind; a blank `faction` is the list's."""

    name: str = ""
    faction: str = ""
    mark: str = ""
    settings: list[OutlineItem] = field(default_factory=list)
    units: list[OutlineUnit] = field(default_factory=list)
    forces: list["OutlineForce"] = field(default_factory=list)


@dataclass(slots=True)
class ListOutline:
    """`limits` are by the names of cost types, "" for points; None means lifted.

    `kinds` are the kinds of its forces, in a game whose data has no detachment choice.
    """

    game: str = ""
    version: str = ""
    faction: str = ""
    title: str = ""
    rules: str = ""
    unshown: tuple[str, ...] = ()
    total: Number = 0
    limits: dict[str, Number | None] = field(default_factory=dict)
    forces: list[OutlineForce] = field(default_factory=list)
    kinds: list[str] = field(default_factory=list)
    has_usual_kind: bool = False
    """Whether its only force is of the faction's first kind."""
    is_partial: bool = False


# ---- names -----------------------------------------------------------------------------------------------------------


def write_plainly(name: str) -> str:
    """Return an entry's name as texts show it: some names in the data are instructions for programs.

    >>> write_plainly("Show/Hide Options"), read_plainly("Shown units")
    ('Shown units', 'Show/Hide Options')
    """
    return SHOWN_UNITS if simplify_name(name) == simplify_name(_SHOWN) else name


def read_plainly(name: str) -> str:
    return _SHOWN if name == SHOWN_UNITS else name


def tidy(name: str, *, with_brackets: bool = False) -> str:
    """Drop the symbols that layouts use; `with_brackets` keeps matching round brackets.

    >>> tidy("Guard: bow, arrows (10)"), tidy("Strike Force (2000)", with_brackets=True)
    ('Guard bow arrows 10', 'Strike Force (2000)')
    """
    signs = _SIGNS if with_brackets and _BRACKETED.fullmatch(name) else _SIGNS | {"(", ")"}
    return " ".join("".join(" " if sign in signs else sign for sign in write_plainly(name)).split())


def fold(name: str) -> str:
    return simplify_name(tidy(name)) or tidy(name)


def list_called(contents: ContainerOptions, name: str) -> list[CompiledOption]:
    """List the options of that name, hidden ones last."""
    folded = fold(name)
    called = (option for option in contents.options if fold(option.name) == folded)
    return sorted(called, key=lambda option: option.hidden)


def choose_mark(contents: ContainerOptions, option: CompiledOption) -> str:
    """Return what distinguishes an option from equal names: its group, else its number; "" for the first."""
    called = list_called(contents, option.name)
    if called[0] is option:
        return ""
    for group in option.groups:
        inside = [other for other in called if any(fold(g.entry.name) == fold(group.entry.name) for g in other.groups)]
        if inside[0] is option and not fold(group.entry.name).isdigit():
            return tidy(group.entry.name)
    return str(called.index(option) + 1)


def find_marked(contents: ContainerOptions, name: str, mark: str) -> CompiledOption | None:
    called = list_called(contents, name)
    if mark.isdigit():
        called = called[int(mark) - 1 : int(mark)]
    elif mark:
        called = [option for option in called if any(fold(group.entry.name) == fold(mark) for group in option.groups)]
    return called[0] if called else None


def find_usual_kind(kinds: Sequence[ForceEntry]) -> ForceEntry | None:
    return next((kind for kind in kinds if not kind.hidden), next(iter(kinds), None))


def mark_force(kinds: Iterable[ForceEntry], entry: ForceEntry) -> str:
    called = [kind.id for kind in kinds if fold(kind.name) == fold(entry.name)]
    place = called.index(entry.id) if entry.id in called else 0
    return str(place + 1) if place else ""


def label_association(association: Association, place: int) -> str:
    return tidy(association.label) or str(place)


class AutomaticSelections:
    """The automatic selections of forces that are added one after another, as a player would add them."""

    def __init__(self, ruleset: Ruleset) -> None:
        self._ruleset = ruleset
        self._roster = create_roster(ruleset).roster

    def add_force(self, catalogue_id: str, entry_id: str, parent_id: str) -> tuple[str, tuple[Selection, ...]]:
        """Return a new force's id and automatic selections; ("", ()) if the data refuses it."""
        added = add_force(self._ruleset, self._roster, entry_id, catalogue_id, parent_id)
        if isinstance(added, Refused):
            return "", ()
        self._roster = added.roster
        (force_id,) = added.created
        force = find_path(self._roster, force_id)[-1]
        return force_id, force.selections if isinstance(force, Force) else ()


# ---- rows ------------------------------------------------------------------------------------------------------------


def write_row(items: Iterable[OutlineItem], times: int = 1) -> str:
    """Write options in a row, with contents in brackets; `times` multiplies the outer numbers."""
    return ", ".join(write_option(item, item.count * times) for item in items)


def write_option(item: OutlineItem, count: int) -> str:
    name = write_named(item.name, count, item.mark, item.custom_name)
    return f"{name} ({write_row(item.items)})" if item.items else name


def write_named(name: str, count: int, mark: str = "", custom_name: str = "") -> str:
    start = f"{count}x " if count != 1 or _COUNT.match(name) else ""
    return start + write_marked(name, mark, custom_name)


def write_marked(name: str, mark: str = "", custom_name: str = "") -> str:
    plain = tidy(custom_name)
    return name + (f" {{{mark}}}" if mark else "") + (f' "{plain}"' if plain else "")


class RowReader:
    def __init__(self, text: str) -> None:
        self._text = text
        self._place = 0

    def read_row(self) -> list[OutlineItem]:
        """Read the whole text. Raises ValueError if it is not a row."""
        items = self._read_items(0)
        if self._place < len(self._text):
            raise ValueError(self._text)
        return items

    def _read_items(self, depth: int) -> list[OutlineItem]:
        if depth > DEEPEST:
            raise ValueError(self._text)
        items = [self._read_item(depth)]
        while self._take(", "):
            items.append(self._read_item(depth))
        return items

    def _read_item(self, depth: int) -> OutlineItem:
        number = _COUNT.match(self._text, self._place)
        if number:
            self._place = number.end()
        start = self._place
        name = _NAME.match(self._text, self._place)
        if name is None or not name[0].strip():
            raise ValueError(self._text)
        self._place = start + len(name[0].rstrip())
        item = OutlineItem(name[0].strip(), int(number[1]) if number else 1)
        if self._take(" {"):
            item.mark = self._take_until("}")
        if self._take(' "'):
            item.custom_name = self._take_until('"')
        if self._take(" ("):
            item.items = self._read_items(depth + 1)
            if not self._take(")"):
                raise ValueError(self._text)
        item.written = self._text[start : self._place]
        return item

    def _take(self, sign: str) -> bool:
        if not self._text.startswith(sign, self._place):
            return False
        self._place += len(sign)
        return True

    def _take_until(self, sign: str) -> str:
        end = self._text.find(sign, self._place)
        if end < 0:
            raise ValueError(self._text)
        text = self._text[self._place : end]
        self._place = end + 1
        return text
