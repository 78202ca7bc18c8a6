"""A pasted text as values that know no game: its lists, their units and what happened to each line."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum

from catalogue.definitions.numbers import Number
from roster.formats.list_document.document import ListDocument
from roster.formats.text.outline import ListOutline


class PastedLayout(StrEnum):
    """The ways in which programs and players write lists."""

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
    """How certain the reader is of a line."""

    UNDERSTOOD = "understood"
    GUESSED = "guessed"
    UNREAD = "unread"


AS_READ = "as-read"
"""The verdict on a text whose list is legal, but that was not read to the last line: legal as far as read."""


class LineKind(StrEnum):
    """What a line is read as."""

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
    """The role of an item in a unit, as far as the text alone shows it."""

    OPTION = "option"
    ENHANCEMENT = "enhancement"
    WARLORD = "warlord"
    NOTE = "note"
    PART = "part"
    """Some of the models around it: `5 with bolt pistol, chainblade`."""


@dataclass(slots=True)
class PastedLine:
    """One line of the text and what was made of it. `number` counts from 1."""

    number: int
    text: str
    kind: LineKind = LineKind.UNKNOWN
    reading: Reading = Reading.UNREAD


@dataclass(slots=True)
class PastedItem:
    """Something written inside a unit: a model, an option, an enhancement. `written` is the whole of its own text."""

    name: str
    count: int = 1
    points: Number | None = None
    role: ItemRole = ItemRole.OPTION
    items: list["PastedItem"] = field(default_factory=list)
    line: int = 0
    written: str = ""
    counted: bool = False
    """Whether the text gives the number itself."""

    @property
    def holds_options(self) -> bool:
        """Whether options of the game are written under it."""
        return bool(self.items) and self.role is ItemRole.OPTION

    def sum_points(self) -> Number:
        """Add up what it and what is written under it cost."""
        return (self.points or 0) + sum(item.sum_points() for item in self.items)

    @property
    def parts(self) -> list["PastedItem"]:
        """The parts of its models that have contents of their own, each with its number."""
        return [inner for inner in self.items if inner.role is ItemRole.PART]


@dataclass(slots=True)
class PastedUnit:
    """A unit line with what is under it. `count` is the number of models that the line itself gives."""

    name: str
    line: int
    points: Number | None = None
    count: int | None = None
    section: str = ""
    reference: str = ""
    items: list[PastedItem] = field(default_factory=list)

    def walk_items(self) -> Iterator[PastedItem]:
        """Walk everything that is written under it, at any depth."""
        pending = list(self.items)
        while pending:
            item = pending.pop()
            yield item
            pending += item.items

    def count_models(self) -> int | None:
        """Return how many models its items come to, None if they do not tell."""
        numbers = [item.count for item in self.items if item.holds_options]
        return sum(numbers) if numbers else None


@dataclass(slots=True)
class PastedSection:
    """A heading of the list, with the sum of points that it claims, if any.

    One that `heads_force` is the kind of a force, with the headings of its slots below it.
    """

    name: str
    line: int
    points: Number | None = None
    configures: bool = False
    heads_force: bool = False


@dataclass(slots=True)
class HeaderClaims:
    """What a list says of itself. `other` is whatever else its head says, by its own keys."""

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
    """What contradicts the reading of a list."""

    TOTAL = "total"
    """The sum of its units is far from the total that it states."""
    LIMIT = "limit"
    """The sum of its units is far beyond the limit that it states."""
    NAME = "name"
    """A unit is called like a heading or a sum."""
    LEFT_OUT = "left-out"
    """The text says itself that it leaves out a part of its list."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """Why a reading is a guess. `line` is where, 0 for the whole list; `stated` and `computed` are sums of points."""

    kind: DoubtKind
    line: int = 0
    name: str = ""
    stated: Number = 0
    computed: Number = 0


@dataclass(slots=True)
class PastedList:
    """One list of a pasted text. `lore_points` are those of what its head names with a cost, such as spell lores."""

    layout: PastedLayout
    claims: HeaderClaims
    sections: list[PastedSection]
    units: list[PastedUnit]
    lines: list[PastedLine]
    document: ListDocument | None = None
    """The document that a text of our own gives, to the last option."""
    outline: ListOutline | None = None
    """What a text of ours in the layout of another program says, to the last option."""
    lore_points: Number = 0
    doubts: list[Doubt] = field(default_factory=list)
    doubted: set[int] = field(default_factory=set)
    """The numbers of the lines that are guesses because of its doubts alone."""

    def count_open(self) -> int:
        """Count the lines that are guessed or not read."""
        return sum(bool(line.text.strip()) and line.reading is not Reading.UNDERSTOOD for line in self.lines)

    def sum_points(self) -> Number:
        """Add up what the unit lines say, and the lores of the head."""
        return sum_points(self.units) + self.lore_points


def sum_points(units: Iterable[PastedUnit]) -> Number:
    """Add up the points of units; a unit without points costs nothing."""
    return sum(unit.points or 0 for unit in units)


@dataclass(frozen=True, slots=True)
class PastedText:
    """Everything a paste holds: one list as a rule, several from a team's page."""

    lists: tuple[PastedList, ...]

    @property
    def lines(self) -> list[PastedLine]:
        return [line for pasted in self.lists for line in pasted.lines]
