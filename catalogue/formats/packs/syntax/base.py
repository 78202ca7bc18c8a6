"""What a pack says, before names are looked up: what all forms share, each with the line it stands on."""

from dataclasses import dataclass

from catalogue.definitions.citations import NOWHERE, Citation
from catalogue.definitions.constraints import Severity, Stage
from catalogue.definitions.queries import Bound
from catalogue.definitions.rulebook import RuleKind, RuleStage
from catalogue.documents.problems import SourceLine
from catalogue.formats.packs.syntax.expressions import ConditionExpression, SumExpression
from catalogue.formats.packs.syntax.scalars import PriceValue


@dataclass(frozen=True, slots=True)
class Reference:
    """A name that something refers to, and where."""

    text: str
    where: SourceLine


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedSyntax:
    """What every form has."""

    id: str
    name: str
    where: SourceLine
    cite: Citation = NOWHERE


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileRow:
    """One line of a profile table: values by column."""

    name: str
    table: str
    values: tuple[tuple[str, str], ...]
    where: SourceLine


@dataclass(frozen=True, slots=True, kw_only=True)
class AbilityUse:
    """An ability that something has: its name, what stands in brackets, and when it has it."""

    name: Reference
    parameter: str = ""
    when: ConditionExpression | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AbilitySyntax(NamedSyntax):
    """An ability or a piece of gear, with a reminder in our own words."""

    text: str = ""
    gear: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class WeaponSyntax(NamedSyntax):
    """A weapon: one row per way to use it."""

    rows: tuple[ProfileRow, ...] = ()
    abilities: tuple[AbilityUse, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CarriedItem:
    """A weapon or piece of gear that a unit, model or option brings, and how many."""

    name: Reference
    count: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleText:
    """The words of a rule: its id in the inventory, a heading, one sentence of our own, where to read it.

    A breach is mendable while `room` holds.
    """

    rule: str = ""
    name: str = ""
    text: str = ""
    cite: Citation = NOWHERE
    severity: Severity = Severity.ERROR
    mendable: bool | None = None
    room: ConditionExpression | None = None


NO_RULE_TEXT = RuleText()


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundSyntax:
    """`at most`, `at least` or `exactly` so much."""

    bound: Bound
    sum: SumExpression


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceSyntax:
    """A price in one kind of cost; with `when`, the price under that condition."""

    cost: str
    price: PriceValue
    where: SourceLine
    when: ConditionExpression | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ClauseSyntax:
    """A clause of a rule. `open`: why it is not carried out yet."""

    id: str
    text: str
    where: SourceLine
    open: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class InventoryRuleSyntax(NamedSyntax):
    """A rule of the book's inventory. `cited`: it names its own place in the book."""

    text: str
    kind: RuleKind
    stage: RuleStage
    reading: str = ""
    caveat: str = ""
    part_of: tuple[Reference, ...] = ()
    clauses: tuple[ClauseSyntax, ...] = ()
    cited: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSyntax(NamedSyntax):
    """A rule of the game as a comparison. `scope` is roster, detachment, unit or card; `of` narrows it.

    `mixed`: it holds only while units of two entries of the set it is made for are taken.
    """

    text: RuleText
    count: SumExpression
    bounds: tuple[BoundSyntax, ...]
    scope: str = "detachment"
    of: tuple[Reference, ...] = ()
    for_each: tuple[Reference, ...] = ()
    mixed: bool = False
    when: ConditionExpression | None = None
    stage: Stage = Stage.LIST
