"""What a pack says, before names are looked up: what all forms share, each with the line it stands on."""

from dataclasses import dataclass

from catalogue.definitions.citations import NOWHERE, Citation
from catalogue.definitions.constraints import Severity, Stage
from catalogue.definitions.queries import Bound
from catalogue.definitions.rulebook import RuleKind, RuleStage
from catalogue.formats.packs.asked import Sum, When
from catalogue.formats.packs.problems import Where
from catalogue.formats.packs.words import Price


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
    """The words of a rule: its id in the inventory, a heading, one sentence of our own, where to read it.

    A breach is mendable while `room` holds.
    """

    rule: str = ""
    name: str = ""
    text: str = ""
    cite: Citation = NOWHERE
    severity: Severity = Severity.ERROR
    mendable: bool | None = None
    room: When | None = None


SILENT = RuleText()


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundForm:
    """`at most`, `at least` or `exactly` so much."""

    bound: Bound
    sum: Sum


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceForm:
    """A price in one kind of cost; with `when`, the price under that condition."""

    cost: str
    price: Price
    where: Where
    when: When | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ClauseForm:
    """A clause of a rule. `open`: why it is not carried out yet."""

    id: str
    text: str
    where: Where
    open: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class InventoryForm(Form):
    """A rule of the book's inventory. `cited`: it names its own place in the book."""

    text: str
    kind: RuleKind
    stage: RuleStage
    reading: str = ""
    caveat: str = ""
    part_of: tuple[Named, ...] = ()
    clauses: tuple[ClauseForm, ...] = ()
    cited: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleForm(Form):
    """A rule of the game as a comparison. `scope` is roster, detachment, unit or card; `of` narrows it.

    `mixed`: it holds only while units of two entries of the set it is made for are taken.
    """

    text: RuleText
    count: Sum
    bounds: tuple[BoundForm, ...]
    scope: str = "detachment"
    of: tuple[Named, ...] = ()
    for_each: tuple[Named, ...] = ()
    mixed: bool = False
    when: When | None = None
    stage: Stage = Stage.LIST
