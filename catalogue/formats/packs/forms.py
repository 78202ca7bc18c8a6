"""What a pack says, before names are looked up: one form per kind of thing, each with the line it stands on."""

from dataclasses import dataclass, field

from catalogue.definitions.citations import NOWHERE, Citation
from catalogue.definitions.constraints import Severity
from catalogue.definitions.numbers import Number
from catalogue.definitions.queries import Bound
from catalogue.formats.packs.asking import Sum, When
from catalogue.formats.packs.items import NOWHERE_AT_ALL, Where
from catalogue.formats.packs.words import Price, Range


@dataclass(frozen=True, slots=True)
class Named:
    """A name that something refers to, and where."""

    text: str
    where: Where


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """What every form has."""

    id: str
    name: str
    where: Where
    cite: Citation = NOWHERE


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One line of a profile table: values by column."""

    name: str
    table: str
    values: tuple[tuple[str, str], ...]
    where: Where


@dataclass(frozen=True, slots=True, kw_only=True)
class AbilityUse:
    """An ability that something has: its name, what stands in brackets, and when it has it."""

    name: Named
    parameter: str = ""
    when: When | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AbilityForm(Form):
    """An ability or a piece of gear, with a reminder in our own words."""

    text: str = ""
    gear: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class WeaponForm(Form):
    """A weapon: one row per way to use it."""

    rows: tuple[Row, ...] = ()
    abilities: tuple[AbilityUse, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Carried:
    """A weapon or piece of gear that a unit, model or option brings, and how many."""

    name: Named
    count: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleText:
    """The words of a rule: its id in the inventory, a heading, one sentence of our own, where to read it."""

    rule: str = ""
    name: str = ""
    text: str = ""
    cite: Citation = NOWHERE
    severity: Severity = Severity.ERROR
    mendable: bool | None = None


SILENT = RuleText()


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundForm:
    """`at most`, `at least` or `exactly` so much."""

    bound: Bound
    sum: Sum


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitForm:
    """A limit on a part that holds under a condition, often a footnote in the book."""

    bounds: tuple[BoundForm, ...]
    text: RuleText
    where: Where
    when: When | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceForm:
    """A price in one kind of cost; with `when`, the price under that condition."""

    cost: str
    price: Price
    where: Where
    when: When | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeForm:
    """A figure of the profile that an option changes: `+1` and `-1` add, everything else replaces."""

    column: Named
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PartForm(Form):
    """An option, a model, a choice among parts, a swap, or a shared list, inside a unit.

    `kind` is one of option, model, choice, swap, list. `range` is how many may be taken, `explicit` whether the pack
    says so itself; `per` (amount, noun) makes the maximum grow with a count.
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
    whole_unit: bool = False
    target: Named | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Allowance:
    """How many more units of a type, or of one named unit, a unit lets its detachment take."""

    name: Named
    range: Range


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinForm:
    """Which units an add-on may be placed in, and how many of it in each."""

    units: tuple[Named, ...] = ()
    types: tuple[Named, ...] = ()
    keywords: tuple[Named, ...] = ()
    most: int = 1
    within_size: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleForm(Form):
    """A rule of the game as a comparison. `scope` is roster, detachment or unit; `of` narrows it."""

    text: RuleText
    count: Sum
    bounds: tuple[BoundForm, ...]
    scope: str = "detachment"
    of: tuple[Named, ...] = ()
    for_each: tuple[Named, ...] = ()
    when: When | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitForm(Form):
    """A unit as it is printed."""

    faction: str
    file: str
    type: Named | None
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
    unique: bool = False
    limit: tuple[tuple[str, int], ...] = ()
    only_when: When | None = None
    rules: tuple[RuleForm, ...] = ()
    unchecked: tuple[str, ...] = ()
    provisional: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotForm:
    """A place in a detachment: which types or keywords fill it and how many of them."""

    name: str
    of: Named
    range: Range
    where: Where


@dataclass(frozen=True, slots=True, kw_only=True)
class SwapForm:
    """Slots given up for others: `give` of one, `take` of the other, as often as `times`."""

    give: tuple[int, Named]
    take: tuple[int, Named]
    text: RuleText
    where: Where


@dataclass(frozen=True, slots=True, kw_only=True)
class AllowanceRules:
    """How `allows` binds in a detachment: who leads it, and the rules broken by too few, too many or unwanted units."""

    leader: Named | None
    too_few: RuleText
    too_many: RuleText
    nobody: RuleText
    where: Where


@dataclass(frozen=True, slots=True, kw_only=True)
class DetachmentForm(Form):
    """A kind of detachment or organisation chart."""

    text: str = ""
    slots: tuple[SlotForm, ...] = ()
    slot_text: RuleText = SILENT
    swaps: tuple[SwapForm, ...] = ()
    count: Range = Range(0, None)  # noqa: RUF009 - a NamedTuple is immutable
    count_text: RuleText = SILENT
    allowances: AllowanceRules | None = None
    rules: tuple[RuleForm, ...] = ()
    factions: tuple[Named, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CardForm(Form):
    """A card of a deck: at most so many copies, perhaps bound to a unit."""

    copies: int | None = None
    bound_to: Named | None = None
    kind: str = ""
    text: str = ""
    prices: tuple[PriceForm, ...] = ()
    row: Row | None = None
    deck: Named | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckForm(Form):
    """A deck: one choice of a list whose cards are counted."""

    faction: str = ""
    cards: Range = Range(0, None)  # noqa: RUF009 - a NamedTuple is immutable
    copies: int | None = None
    most: int = 1
    type: Named | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CostForm(Form):
    default: Number = -1
    presets: tuple[Number, ...] = ()
    text: RuleText = SILENT


@dataclass(frozen=True, slots=True, kw_only=True)
class MissionForm(Form):
    pack: str = ""
    scoring: str = ""


@dataclass(slots=True)
class Forms:
    """Everything read from the files of one pack. Dictionaries are by id, in the order of the files."""

    factions: dict[str, Form] = field(default_factory=dict)
    types: dict[str, Form] = field(default_factory=dict)
    addon_types: set[str] = field(default_factory=set)
    keywords: dict[str, Form] = field(default_factory=dict)
    tables: dict[str, "TableForm"] = field(default_factory=dict)
    costs: dict[str, CostForm] = field(default_factory=dict)
    texts: dict[str, RuleText] = field(default_factory=dict)
    rules: list[RuleForm] = field(default_factory=list)
    one_faction: tuple[RuleText, Where] | None = None
    detachments: list[DetachmentForm] = field(default_factory=list)
    units: list[UnitForm] = field(default_factory=list)
    lists: list[PartForm] = field(default_factory=list)
    weapons: list[WeaponForm] = field(default_factory=list)
    abilities: list[AbilityForm] = field(default_factory=list)
    decks: list[DeckForm] = field(default_factory=list)
    cards: list[CardForm] = field(default_factory=list)
    missions: list[MissionForm] = field(default_factory=list)
    unchecked: list[tuple[str, str, Citation]] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableForm(Form):
    """A kind of profile table and its columns; `use` is models, weapons or blank."""

    columns: tuple[str, ...]
    use: str = ""


NOT_SAID = Named("", NOWHERE_AT_ALL)
