"""How forces are built, decks, and everything a pack says together."""

from dataclasses import dataclass, field

from catalogue.definitions.citations import Citation
from catalogue.definitions.numbers import Number
from catalogue.documents.problems import SourceLine
from catalogue.formats.packs.syntax.base import (
    NO_RULE_TEXT,
    AbilitySyntax,
    InventoryRuleSyntax,
    NamedSyntax,
    PriceSyntax,
    ProfileRow,
    Reference,
    RuleSyntax,
    RuleText,
    WeaponSyntax,
)
from catalogue.formats.packs.syntax.command import CommandSyntax
from catalogue.formats.packs.syntax.expressions import ConditionExpression, SumExpression
from catalogue.formats.packs.syntax.gathered import DerivedCostSyntax, JoiningUnitsSyntax, WithheldUnitsSyntax
from catalogue.formats.packs.syntax.plan import PlanSyntax
from catalogue.formats.packs.syntax.play import PlaySyntax
from catalogue.formats.packs.syntax.scalars import CountRange
from catalogue.formats.packs.syntax.units import PartSyntax, UnitSyntax


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotSyntax:
    """A place in a detachment: which types or keywords fill it and how many of them."""

    name: str
    of: Reference
    range: CountRange
    where: SourceLine


@dataclass(frozen=True, slots=True, kw_only=True)
class AllowancesSyntax:
    """How `allows` binds in a detachment: who leads it, and the rules broken by too few, too many or unwanted units.

    `misled` is the rule broken by a declared leader who cannot lead.
    """

    leader: Reference | None
    too_few: RuleText
    too_many: RuleText
    nobody: RuleText
    misled: RuleText
    where: SourceLine


@dataclass(frozen=True, slots=True, kw_only=True)
class CommonKeywordSyntax:
    """What all units have to share: a faction keyword, one that is not among those barred."""

    unshared: RuleText
    barred: tuple[Reference, ...] = ()
    barred_only: RuleText | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DetachmentSyntax(NamedSyntax):
    """A kind of detachment or organisation chart."""

    text: str = ""
    prices: tuple[PriceSyntax, ...] = ()
    slots: tuple[SlotSyntax, ...] = ()
    slot_text: RuleText = NO_RULE_TEXT
    count: CountRange = CountRange(0, None)  # noqa: RUF009 - a NamedTuple is immutable
    count_text: RuleText = NO_RULE_TEXT
    allowances: AllowancesSyntax | None = None
    common: CommonKeywordSyntax | None = None
    rules: tuple[RuleSyntax, ...] = ()
    texts: dict[str, RuleText] = field(default_factory=dict)
    factions: tuple[Reference, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CardSyntax(NamedSyntax):
    """A card of a deck: at most so many copies, perhaps bound to one of several units.

    A `written` one is a kind of card whose names the owner of a list writes.
    """

    faction: str = ""
    copies: int | None = None
    bound_to: tuple[Reference, ...] = ()
    keywords: tuple[Reference, ...] = ()
    text: str = ""
    prices: tuple[PriceSyntax, ...] = ()
    row: ProfileRow | None = None
    deck: Reference | None = None
    written: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckSyntax(NamedSyntax):
    """A deck: one choice of a list whose cards are counted."""

    faction: str = ""
    cards: CountRange = CountRange(0, None)  # noqa: RUF009 - a NamedTuple is immutable
    copies: int | None = None
    most: int = 1
    type: Reference | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CostSyntax(NamedSyntax):
    """A kind of cost. One with `derived` is no price but a figure that units print.

    Its limit may go with that of the cost `follows`: `steps` pair the two.
    """

    default: Number = -1
    presets: tuple[Number, ...] = ()
    follows: Reference | None = None
    steps: tuple[tuple[Number, Number], ...] = ()
    text: RuleText = NO_RULE_TEXT
    derived: DerivedCostSyntax | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SetSyntax(NamedSyntax):
    """Units that rules count together: `of` which types, keywords or units, `called` what, at `home` where, and `when`.

    `also_in` are units that stand for one of several others: their models `called` so are of the set, and they
    themselves are nothing that is counted as the `same unit`. With `alike` it is one set for each title that units of
    two keywords share. Once names are resolved, `units` and `models` are the ids of all that is in such a set.
    """

    of: tuple[Reference, ...] = ()
    called: tuple[Reference, ...] = ()
    also_in: tuple[Reference, ...] = ()
    units: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    home: tuple[Reference, ...] = ()
    alike: "AlikeSyntax | None" = None
    when: ConditionExpression | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AlikeSyntax:
    """Units of the keyword `of` count as those of the keyword `to` with the same title, `strike` left out of it."""

    of: Reference
    to: Reference
    strike: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureSyntax(NamedSyntax):
    """A number that a list is known by."""

    count: SumExpression
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class OverlaySyntax(NamedSyntax):
    """What the pack's rules speak of, as data of another game system `over` calls it.

    `costs`, `types` and `keywords` pair own names with those there. `without` are rules that are not laid over that
    data, `rules` stand in their place; `broad` begin the names of forces that may share a barred keyword.
    """

    over: str
    text: str = ""
    costs: tuple[tuple[Reference, str], ...] = ()
    types: tuple[tuple[Reference, tuple[str, ...]], ...] = ()
    keywords: tuple[tuple[Reference, str], ...] = ()
    faction_keywords: str = ""
    common: CommonKeywordSyntax | None = None
    broad: tuple[str, ...] = ()
    without: tuple[Reference, ...] = ()
    rules: tuple[RuleSyntax, ...] = ()
    unchecked: tuple[tuple[str, str, Citation], ...] = ()


@dataclass(slots=True)
class PackSyntax:
    """Everything read from the files of one pack. Dictionaries are by id, in the order of the files."""

    factions: dict[str, NamedSyntax] = field(default_factory=dict)
    types: dict[str, NamedSyntax] = field(default_factory=dict)
    addon_types: set[str] = field(default_factory=set)
    beside: dict[str, tuple[Reference, ...]] = field(default_factory=dict)
    """The types that lie beside decks of a type."""
    anywhere: tuple[Reference, ...] = ()
    joining: list[JoiningUnitsSyntax] = field(default_factory=list)
    withheld: list[WithheldUnitsSyntax] = field(default_factory=list)
    command: CommandSyntax | None = None
    keywords: dict[str, NamedSyntax] = field(default_factory=dict)
    faction_keywords: dict[str, NamedSyntax] = field(default_factory=dict)
    common: CommonKeywordSyntax | None = None
    tables: dict[str, "TableSyntax"] = field(default_factory=dict)
    costs: dict[str, CostSyntax] = field(default_factory=dict)
    texts: dict[str, RuleText] = field(default_factory=dict)
    rules: list[RuleSyntax] = field(default_factory=list)
    inventory: list[InventoryRuleSyntax] = field(default_factory=list)
    one_faction: list[tuple[RuleText, ConditionExpression | None]] = field(default_factory=list)
    detachments: list[DetachmentSyntax] = field(default_factory=list)
    units: list[UnitSyntax] = field(default_factory=list)
    lists: list[PartSyntax] = field(default_factory=list)
    weapons: list[WeaponSyntax] = field(default_factory=list)
    abilities: list[AbilitySyntax] = field(default_factory=list)
    decks: list[DeckSyntax] = field(default_factory=list)
    cards: list[CardSyntax] = field(default_factory=list)
    play: PlaySyntax = field(default_factory=PlaySyntax)
    sets: list[SetSyntax] = field(default_factory=list)
    figures: list[FigureSyntax] = field(default_factory=list)
    shown: dict[str, RuleText] = field(default_factory=dict)
    plan: PlanSyntax = field(default_factory=PlanSyntax)
    unchecked: list[tuple[str, str, Citation]] = field(default_factory=list)
    overlays: list[OverlaySyntax] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSyntax(NamedSyntax):
    """A kind of profile table and its columns; `use` is models, weapons, cards or blank.

    For cards, `curve` are the columns with costs and `kinds` the one with the kind of card, blank for none.
    """

    columns: tuple[str, ...]
    use: str = ""
    curve: tuple[str, ...] = ()
    kinds: str = ""
