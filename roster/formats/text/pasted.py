"""A pasted text as values independent of any game: its lists, their units, and how each line was read."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum

from catalogue.definitions.numbers import Number
from roster.formats.list_document.document import ListDocument
from roster.formats.text.outline import ListOutline


class PastedLayout(StrEnum):
    """The program that wrote the list, or `PLAIN`."""

    OWN = "armybuilder"
    WTC = "wtc"
    NEW_RECRUIT = "new-recruit"
    NEW_RECRUIT_SHORT = "new-recruit-short"
    BATTLESCRIBE = "battlescribe"
    APP_40K = "40k-app"
    APP_AOS = "aos-app"
    LIST_FORGE = "list-forge"
    WAR_ORGAN = "war-organ"
    OLD_WORLD_BUILDER = "old-world-builder"
    ARMY_FORGE = "army-forge"
    PLAIN = "plain"


class Reading(StrEnum):
    UNDERSTOOD = "understood"
    GUESSED = "guessed"
    UNREAD = "unread"


AS_READ = "as-read"
"""The verdict on a legal list from a text with unread or guessed lines."""


class LineKind(StrEnum):
    BLANK = "blank"
    RULE = "rule"
    TITLE = "title"
    CLAIM = "claim"
    SECTION = "section"
    UNIT = "unit"
    OPTION = "option"
    NOTE = "note"
    FOOTER = "footer"
    UNKNOWN = "unknown"


class ItemRole(StrEnum):
    OPTION = "option"
    ENHANCEMENT = "enhancement"
    WARLORD = "warlord"
    NOTE = "note"
    PART = "part"
    """Some of the models around it: `5 with bolt pistol, chainblade`."""


@dataclass(slots=True)
class PastedLine:
    """`number` counts from 1."""

    number: int
    text: str
    kind: LineKind = LineKind.UNKNOWN
    reading: Reading = Reading.UNREAD


@dataclass(slots=True)
class PastedItem:
    """A unit's model, option or enhancement. `written` is its whole text."""

    name: str
    count: int = 1
    points: Number | None = None
    role: ItemRole = ItemRole.OPTION
    items: list["PastedItem"] = field(default_factory=list)
    line: int = 0
    written: str = ""
    counted: bool = False

    @property
    def holds_options(self) -> bool:
        return bool(self.items) and self.role is ItemRole.OPTION

    def sum_points(self) -> Number:
        return (self.points or 0) + sum(item.sum_points() for item in self.items)

    @property
    def parts(self) -> list["PastedItem"]:
        return [inner for inner in self.items if inner.role is ItemRole.PART]


@dataclass(slots=True)
class PastedUnit:
    """`count` is the number of models in its line."""

    name: str
    line: int
    points: Number | None = None
    count: int | None = None
    section: str = ""
    reference: str = ""
    items: list[PastedItem] = field(default_factory=list)

    def walk_items(self) -> Iterator[PastedItem]:
        pending = list(self.items)
        while pending:
            item = pending.pop()
            yield item
            pending += item.items

    def count_models(self) -> int | None:
        """Return None if the items do not show their models."""
        numbers = [item.count for item in self.items if item.holds_options]
        return sum(numbers) if numbers else None


@dataclass(slots=True)
class PastedSection:
    """A heading with its stated points. `heads_force` means that it names a kind of force."""

    name: str
    line: int
    points: Number | None = None
    configures: bool = False
    heads_force: bool = False


@dataclass(slots=True)
class HeaderClaims:
    """`other` holds claims by unknown keys."""

    title: str = ""
    game: str = ""
    faction: str = ""
    detachments: list[str] = field(default_factory=list)
    size: str = ""
    limit: Number | None = None
    total: Number | None = None
    units: int | None = None
    player: str = ""
    warlord: str = ""
    made_with: str = ""
    other: dict[str, str] = field(default_factory=dict)


class DoubtKind(StrEnum):
    TOTAL = "total"
    LIMIT = "limit"
    NAME = "name"
    """A unit is named like a heading or a sum."""
    LEFT_OUT = "left-out"
    """The text says that it is incomplete."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """`line` is 0 for the whole list; `stated` and `computed` are points."""

    kind: DoubtKind
    line: int = 0
    name: str = ""
    stated: Number = 0
    computed: Number = 0


@dataclass(slots=True)
class PastedList:
    """`lore_points` are the points of spell lores and similar things at the start."""

    layout: PastedLayout
    claims: HeaderClaims
    sections: list[PastedSection]
    units: list[PastedUnit]
    lines: list[PastedLine]
    document: ListDocument | None = None
    """The document of our own text."""
    outline: ListOutline | None = None
    """The outline of a text that we wrote in another layout."""
    lore_points: Number = 0
    doubts: list[Doubt] = field(default_factory=list)
    doubted: set[int] = field(default_factory=set)
    """The lines that are guesses only because of doubts."""

    def count_open(self) -> int:
        return sum(bool(line.text.strip()) and line.reading is not Reading.UNDERSTOOD for line in self.lines)

    def sum_points(self) -> Number:
        return sum_points(self.units) + self.lore_points


def sum_points(units: Iterable[PastedUnit]) -> Number:
    return sum(unit.points or 0 for unit in units)


@dataclass(frozen=True, slots=True)
class PastedText:
    lists: tuple[PastedList, ...]

    @property
    def lines(self) -> list[PastedLine]:
        return [line for pasted in self.lists for line in pasted.lines]
