"""The card of a unit: everything that a player reads about it before taking it."""

from dataclasses import dataclass, field

from catalogue.definitions.catalogues import Unchecked
from catalogue.definitions.numbers import Number
from catalogue.definitions.queries import ALWAYS, Guard
from catalogue.graph.declared import DeclaredLimits
from catalogue.models import UnitEntry

CitationColumns = dict[str, str]


@dataclass(frozen=True, slots=True)
class CardProfileRow:
    """A line of a profile table. `count` is how many there are where it says so, `source` who brings it."""

    name: str
    count: str
    values: tuple[str, ...]
    source: str
    citation: CitationColumns


@dataclass(frozen=True, slots=True)
class CardProfileTable:
    """All profiles of one kind, under common columns."""

    name: str
    columns: tuple[str, ...]
    rows: list[CardProfileRow] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class UnitAbility:
    """A rule that a unit or one of its options has; `parameter` is in brackets after the name.

    `brought`: an option brings it, which `source` names unless its name says it already.
    """

    name: str
    parameter: str
    text: str
    source: str
    citation: CitationColumns
    brought: bool


@dataclass(frozen=True, slots=True)
class UnitChoice:
    """An option, or a group of them. `points` is what it adds at least; None in a game or group without."""

    name: str
    is_group: bool
    points: Number | None
    limits: DeclaredLimits
    note: str
    is_default: bool
    citation: CitationColumns
    choices: tuple["UnitChoice", ...]


@dataclass(frozen=True, slots=True)
class UnitPrice:
    """A visible cost other than points."""

    name: str
    value: Number


@dataclass(frozen=True, slots=True)
class UnitAllowance:
    """How many units of a type, or of one name, this unit lets its detachment take."""

    name: str
    min: int
    max: int


@dataclass(frozen=True, slots=True)
class UnitRestriction:
    """A rule on how the unit or its options may be taken, in our own words; `name` is what it is about.

    It holds `when`. `most` is how many of the unit a list may then have; None where it is about anything else.
    """

    name: str
    text: str
    citation: CitationColumns
    when: Guard = ALWAYS
    most: int | None = None


@dataclass(frozen=True, slots=True)
class UnitTargets:
    """The units that one may join, with an option of that name or (blank) without any."""

    option: str
    units: list[UnitEntry]


@dataclass(frozen=True, slots=True)
class UnitLeading:
    """Whom a unit may lead or join, who may lead or join it, and what of its texts about that is not understood.

    `unknown` are names that no unit and no keyword of the data has.
    """

    leads: list[UnitTargets]
    led_by: list[UnitEntry]
    unknown: tuple[str, ...]
    unread: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.leads or self.led_by or self.unknown or self.unread)


@dataclass(frozen=True, slots=True)
class UnitCard:
    """A unit in full. `limits` is how many of it a list may have, as far as no rule moves it; `about` introduces it."""

    unit: UnitEntry
    limits: DeclaredLimits
    about: str
    prices: list[UnitPrice]
    allowances: list[UnitAllowance]
    tables: list[CardProfileTable]
    abilities: list[UnitAbility]
    choices: tuple[UnitChoice, ...]
    restrictions: list[UnitRestriction]
    leading: UnitLeading
    open_points: list[Unchecked]

    @property
    def own_abilities(self) -> list[UnitAbility]:
        """Those that the unit has whatever is chosen."""
        return [ability for ability in self.abilities if not ability.brought]

    @property
    def brought_abilities(self) -> list[UnitAbility]:
        """Those that options bring: some community data has hundreds."""
        return [ability for ability in self.abilities if ability.brought]
