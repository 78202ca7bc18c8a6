"""Units, their models and options, as a pack says them."""

from dataclasses import dataclass

from catalogue.formats.packs.asked import When
from catalogue.formats.packs.forms.base import (
    AbilityUse,
    BoundForm,
    Carried,
    Form,
    Named,
    PriceForm,
    Row,
    RuleForm,
    RuleText,
)
from catalogue.formats.packs.problems import Where
from catalogue.formats.packs.words import Range


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitForm:
    """A limit on a part that holds under a condition, often a footnote in the book; of all in the list `in_roster`."""

    bounds: tuple[BoundForm, ...]
    text: RuleText
    where: Where
    when: When | None = None
    in_roster: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeForm:
    """A figure of the profile that an option changes: `+1` and `-1` add, everything else replaces."""

    column: Named
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PartForm(Form):
    """An option, a model, a choice among parts, a swap, or a shared list, inside a unit.

    `kind` is one of option, model, choice, swap, list. `range` is how many may be taken, `explicit` whether the pack
    says so itself; `per` (amount, noun) makes the maximum grow with a count. `by` names the models that may swap;
    `counts_as` is the type that the unit is of once the part is taken, `by_leave` where the commander has to let it.
    """

    kind: str
    range: Range = Range(0, 1)  # noqa: RUF009 - a NamedTuple is immutable
    explicit: bool = False
    per: tuple[int, Named] | None = None
    prices: tuple[PriceForm, ...] = ()
    default: Named | None = None
    note: str = ""
    text: str = ""
    row: Row | None = None
    rows: tuple[Row, ...] = ()
    abilities: tuple[AbilityUse, ...] = ()
    carries: tuple[Carried, ...] | None = None
    keywords: tuple[Named, ...] = ()
    parts: tuple["PartForm", ...] = ()
    only_when: When | None = None
    limits: tuple[LimitForm, ...] = ()
    not_with: tuple[Named, ...] = ()
    needs: tuple[Named, ...] = ()
    removes: tuple[Named, ...] = ()
    changes: tuple[ChangeForm, ...] = ()
    replaces: Named | None = None
    counts_as: Named | None = None
    by: tuple[Named, ...] = ()
    whole_unit: bool = False
    target: Named | None = None
    hidden: bool = False
    by_leave: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Allowance:
    """How many more units of a type, or of one named unit, a unit lets its detachment take."""

    name: Named
    range: Range


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinForm:
    """Which units an add-on may be placed in, and how many of it in each.

    A unit that may also stand on its own gives up its type in a host, except where `keeps_type` holds.
    """

    units: tuple[Named, ...] = ()
    types: tuple[Named, ...] = ()
    keywords: tuple[Named, ...] = ()
    most: int = 1
    within_size: bool = False
    keeps_type: When | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitForm(Form):
    """A unit as it is printed. `home` are the factions whose own it is: that of its file unless it says others.

    One that is `only_joined` stands in others alone; an `empty` one has no models but those of units that join it.
    """

    faction: str
    file: str
    type: Named | None
    also_in: tuple[Named, ...] = ()
    keywords: tuple[Named, ...] = ()
    prices: tuple[PriceForm, ...] = ()
    about: str = ""
    row: Row | None = None
    rows: tuple[Row, ...] = ()
    carries: tuple[Carried, ...] = ()
    abilities: tuple[AbilityUse, ...] = ()
    models: tuple[PartForm, ...] = ()
    options: tuple[PartForm, ...] = ()
    units: Range = Range(1, 1)  # noqa: RUF009 - a NamedTuple is immutable
    allows: tuple[Allowance, ...] = ()
    bars: tuple[Named, ...] = ()
    by_name_only: bool = False
    joins: JoinForm | None = None
    only_joined: bool = False
    empty: bool = False
    home: tuple[Named, ...] = ()
    unique: bool = False
    limit: tuple[tuple[str, int], ...] = ()
    only_when: When | None = None
    rules: tuple[RuleForm, ...] = ()
    unchecked: tuple[str, ...] = ()
    provisional: str = ""
