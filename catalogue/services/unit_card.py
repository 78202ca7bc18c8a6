from dataclasses import dataclass, field

from catalogue.definitions.catalogues import Unchecked
from catalogue.definitions.numbers import Number
from catalogue.definitions.queries import ALWAYS, Guard
from catalogue.graph.declared import DeclaredLimits
from catalogue.models import UnitEntry

CitationColumns = dict[str, str]


@dataclass(frozen=True, slots=True)
class CardProfileRow:
    """`source` is the option that adds the profile."""

    name: str
    count: str
    values: tuple[str, ...]
    source: str
    citation: CitationColumns


@dataclass(frozen=True, slots=True)
class CardProfileTable:
    name: str
    columns: tuple[str, ...]
    rows: list[CardProfileRow] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class UnitAbility:
    """`parameter` follows the name in brackets.

    If it is `brought`, an option adds it. `source` names that option, unless `name` already does.
    """

    name: str
    parameter: str
    text: str
    source: str
    citation: CitationColumns
    brought: bool


@dataclass(frozen=True, slots=True)
class UnitChoice:
    """`points` is the least that it adds to the cost."""

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
    name: str
    value: Number


@dataclass(frozen=True, slots=True)
class UnitAllowance:
    name: str
    min: int
    max: int


@dataclass(frozen=True, slots=True)
class UnitRestriction:
    """A rule that applies `when` the guard holds. `most` is the number of these units that a list may then have, or
    None.
    """

    name: str
    text: str
    citation: CitationColumns
    when: Guard = ALWAYS
    most: int | None = None


@dataclass(frozen=True, slots=True)
class UnitTargets:
    """Units that it may join, with the named option or without any."""

    option: str
    units: list[UnitEntry]


@dataclass(frozen=True, slots=True)
class UnitLeading:
    """`unknown` names are not in the data; `unread` sentences were not understood."""

    leads: list[UnitTargets]
    led_by: list[UnitEntry]
    unknown: tuple[str, ...]
    unread: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.leads or self.led_by or self.unknown or self.unread)


@dataclass(frozen=True, slots=True)
class UnitCard:
    """`limits` ignores conditional rules; `about` introduces the unit."""

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
        return [ability for ability in self.abilities if not ability.brought]

    @property
    def brought_abilities(self) -> list[UnitAbility]:
        """Abilities that options add; some community data has hundreds."""
        return [ability for ability in self.abilities if ability.brought]
