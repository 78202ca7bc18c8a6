"""How forces are built, decks, and everything a pack says together."""

from dataclasses import dataclass, field

from catalogue.definitions.citations import Citation
from catalogue.definitions.numbers import Number
from catalogue.formats.packs.asked import Sum, When
from catalogue.formats.packs.forms.base import (
    SILENT,
    AbilityForm,
    Form,
    InventoryForm,
    Named,
    PriceForm,
    Row,
    RuleForm,
    RuleText,
    WeaponForm,
)
from catalogue.formats.packs.forms.command import CommandForm
from catalogue.formats.packs.forms.gathered import DerivedForm, GatheredForm, WithheldForm
from catalogue.formats.packs.forms.plan import PlanForms
from catalogue.formats.packs.forms.play import PlayForms
from catalogue.formats.packs.forms.units import PartForm, UnitForm
from catalogue.formats.packs.problems import Where
from catalogue.formats.packs.words import Range


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
    """How `allows` binds in a detachment: who leads it, and the rules broken by too few, too many or unwanted units.

    `misled` is the rule broken by a declared leader who cannot lead.
    """

    leader: Named | None
    too_few: RuleText
    too_many: RuleText
    nobody: RuleText
    misled: RuleText
    where: Where


@dataclass(frozen=True, slots=True, kw_only=True)
class CommonForm:
    """What all units have to share: a faction keyword, one that is not among those barred."""

    unshared: RuleText
    barred: tuple[Named, ...] = ()
    barred_only: RuleText | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DetachmentForm(Form):
    """A kind of detachment or organisation chart."""

    text: str = ""
    prices: tuple[PriceForm, ...] = ()
    slots: tuple[SlotForm, ...] = ()
    slot_text: RuleText = SILENT
    swaps: tuple[SwapForm, ...] = ()
    count: Range = Range(0, None)  # noqa: RUF009 - a NamedTuple is immutable
    count_text: RuleText = SILENT
    allowances: AllowanceRules | None = None
    common: CommonForm | None = None
    rules: tuple[RuleForm, ...] = ()
    texts: dict[str, RuleText] = field(default_factory=dict)
    factions: tuple[Named, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CardForm(Form):
    """A card of a deck: at most so many copies, perhaps bound to one of several units.

    A `written` one is a kind of card whose names the owner of a list writes.
    """

    faction: str = ""
    copies: int | None = None
    bound_to: tuple[Named, ...] = ()
    keywords: tuple[Named, ...] = ()
    text: str = ""
    prices: tuple[PriceForm, ...] = ()
    row: Row | None = None
    deck: Named | None = None
    written: bool = False


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
    """A kind of cost. One with `derived` is no price but a figure that units print.

    Its limit may go with that of the cost `follows`: `steps` pair the two.
    """

    default: Number = -1
    presets: tuple[Number, ...] = ()
    follows: Named | None = None
    steps: tuple[tuple[Number, Number], ...] = ()
    text: RuleText = SILENT
    derived: DerivedForm | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SetForm(Form):
    """Units that rules count together: `of` which types, keywords or units, `called` what, at `home` where, and `when`.

    `also_in` are units that stand for one of several others: their models `called` so are of the set, and they
    themselves are nothing that is counted as the `same unit`. With `alike` it is one set for each title that units of
    two keywords share. Once names are resolved, `units` and `models` are the ids of all that is in such a set.
    """

    of: tuple[Named, ...] = ()
    called: tuple[Named, ...] = ()
    also_in: tuple[Named, ...] = ()
    units: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    home: tuple[Named, ...] = ()
    alike: "AlikeForm | None" = None
    when: When | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AlikeForm:
    """Units of the keyword `of` count as those of the keyword `to` with the same title, `strike` left out of it."""

    of: Named
    to: Named
    strike: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureForm(Form):
    """A number that a list is known by."""

    count: Sum
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class OverlayForm(Form):
    """What the pack's rules speak of, as data of another game system `over` calls it.

    `costs`, `types` and `keywords` pair own names with those there. `without` are rules that are not laid over that
    data, `rules` stand in their place; `broad` begin the names of forces that may share a barred keyword.
    """

    over: str
    text: str = ""
    costs: tuple[tuple[Named, str], ...] = ()
    types: tuple[tuple[Named, tuple[str, ...]], ...] = ()
    keywords: tuple[tuple[Named, str], ...] = ()
    faction_keywords: str = ""
    common: CommonForm | None = None
    broad: tuple[str, ...] = ()
    without: tuple[Named, ...] = ()
    rules: tuple[RuleForm, ...] = ()
    unchecked: tuple[tuple[str, str, Citation], ...] = ()


@dataclass(slots=True)
class Forms:
    """Everything read from the files of one pack. Dictionaries are by id, in the order of the files."""

    factions: dict[str, Form] = field(default_factory=dict)
    types: dict[str, Form] = field(default_factory=dict)
    addon_types: set[str] = field(default_factory=set)
    beside: dict[str, tuple[Named, ...]] = field(default_factory=dict)
    """The types that lie beside decks of a type."""
    anywhere: tuple[Named, ...] = ()
    joining: list[GatheredForm] = field(default_factory=list)
    withheld: list[WithheldForm] = field(default_factory=list)
    command: CommandForm | None = None
    keywords: dict[str, Form] = field(default_factory=dict)
    faction_keywords: dict[str, Form] = field(default_factory=dict)
    common: CommonForm | None = None
    tables: dict[str, "TableForm"] = field(default_factory=dict)
    costs: dict[str, CostForm] = field(default_factory=dict)
    texts: dict[str, RuleText] = field(default_factory=dict)
    rules: list[RuleForm] = field(default_factory=list)
    inventory: list[InventoryForm] = field(default_factory=list)
    one_faction: list[tuple[RuleText, When | None]] = field(default_factory=list)
    detachments: list[DetachmentForm] = field(default_factory=list)
    units: list[UnitForm] = field(default_factory=list)
    lists: list[PartForm] = field(default_factory=list)
    weapons: list[WeaponForm] = field(default_factory=list)
    abilities: list[AbilityForm] = field(default_factory=list)
    decks: list[DeckForm] = field(default_factory=list)
    cards: list[CardForm] = field(default_factory=list)
    play: PlayForms = field(default_factory=PlayForms)
    sets: list[SetForm] = field(default_factory=list)
    figures: list[FigureForm] = field(default_factory=list)
    shown: dict[str, RuleText] = field(default_factory=dict)
    plan: PlanForms = field(default_factory=PlanForms)
    unchecked: list[tuple[str, str, Citation]] = field(default_factory=list)
    overlays: list[OverlayForm] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableForm(Form):
    """A kind of profile table and its columns; `use` is models, weapons, cards or blank.

    For cards, `curve` are the columns with costs and `kinds` the one with the kind of card, blank for none.
    """

    columns: tuple[str, ...]
    use: str = ""
    curve: tuple[str, ...] = ()
    kinds: str = ""
