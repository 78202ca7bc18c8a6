"""Units, their models and options, as a pack says them."""

from dataclasses import dataclass

from catalogue.documents.problems import SourceLine
from catalogue.formats.packs.syntax.base import (
    AbilityUse,
    BoundSyntax,
    CarriedItem,
    NamedSyntax,
    PriceSyntax,
    ProfileRow,
    Reference,
    RuleSyntax,
    RuleText,
)
from catalogue.formats.packs.syntax.expressions import ConditionExpression
from catalogue.formats.packs.syntax.scalars import CountRange


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitSyntax:
    """A limit on a part that holds under a condition, often a footnote in the book; of all in the list `in_roster`."""

    bounds: tuple[BoundSyntax, ...]
    text: RuleText
    where: SourceLine
    when: ConditionExpression | None = None
    in_roster: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileChangeSyntax:
    """A figure of the profile that an option changes: `+1` and `-1` add, everything else replaces."""

    column: Reference
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PartSyntax(NamedSyntax):
    """An option, a model, a choice among parts, a swap, or a shared list, inside a unit.

    `kind` is one of option, model, choice, swap, list. `range` is how many may be taken, `explicit` whether the pack
    says so itself; `per` (amount, noun) makes the maximum grow with a count. `by` names the models that may swap;
    `counts_as` is the type that the unit is of once the part is taken, `by_leave` where the commander has to let it.
    """

    kind: str
    range: CountRange = CountRange(0, 1)  # noqa: RUF009 - a NamedTuple is immutable
    explicit: bool = False
    per: tuple[int, Reference] | None = None
    prices: tuple[PriceSyntax, ...] = ()
    default: Reference | None = None
    note: str = ""
    text: str = ""
    row: ProfileRow | None = None
    rows: tuple[ProfileRow, ...] = ()
    abilities: tuple[AbilityUse, ...] = ()
    carries: tuple[CarriedItem, ...] | None = None
    keywords: tuple[Reference, ...] = ()
    parts: tuple["PartSyntax", ...] = ()
    only_when: ConditionExpression | None = None
    limits: tuple[LimitSyntax, ...] = ()
    not_with: tuple[Reference, ...] = ()
    needs: tuple[Reference, ...] = ()
    removes: tuple[Reference, ...] = ()
    changes: tuple[ProfileChangeSyntax, ...] = ()
    replaces: Reference | None = None
    counts_as: Reference | None = None
    by: tuple[Reference, ...] = ()
    whole_unit: bool = False
    target: Reference | None = None
    hidden: bool = False
    by_leave: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AllowanceSyntax:
    """How many more units of a type, or of one named unit, a unit lets its detachment take."""

    name: Reference
    range: CountRange


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinSyntax:
    """Which units an add-on may be placed in, and how many of it in each.

    A unit that may also stand on its own gives up its type in a host, except where `keeps_type` holds.
    """

    units: tuple[Reference, ...] = ()
    types: tuple[Reference, ...] = ()
    keywords: tuple[Reference, ...] = ()
    most: int = 1
    within_size: bool = False
    keeps_type: ConditionExpression | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitSyntax(NamedSyntax):
    """A unit as it is printed. `home` are the factions whose own it is: that of its file unless it says others.

    One that is `only_joined` stands in others alone; an `empty` one has no models but those of units that join it.
    """

    faction: str
    file: str
    type: Reference | None
    also_in: tuple[Reference, ...] = ()
    keywords: tuple[Reference, ...] = ()
    prices: tuple[PriceSyntax, ...] = ()
    about: str = ""
    row: ProfileRow | None = None
    rows: tuple[ProfileRow, ...] = ()
    carries: tuple[CarriedItem, ...] = ()
    abilities: tuple[AbilityUse, ...] = ()
    models: tuple[PartSyntax, ...] = ()
    options: tuple[PartSyntax, ...] = ()
    units: CountRange = CountRange(1, 1)  # noqa: RUF009 - a NamedTuple is immutable
    allows: tuple[AllowanceSyntax, ...] = ()
    bars: tuple[Reference, ...] = ()
    by_name_only: bool = False
    joins: JoinSyntax | None = None
    only_joined: bool = False
    empty: bool = False
    home: tuple[Reference, ...] = ()
    unique: bool = False
    limit: tuple[tuple[str, int], ...] = ()
    only_when: ConditionExpression | None = None
    rules: tuple[RuleSyntax, ...] = ()
    unchecked: tuple[str, ...] = ()
    provisional: str = ""
