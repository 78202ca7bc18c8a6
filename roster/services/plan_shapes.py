"""Values on a game plan's page, and its units."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from catalogue.definitions.constraints import Severity, Stage
from catalogue.definitions.missions import MissionDefinition, Special
from catalogue.definitions.numbers import Number
from catalogue.definitions.planning import PlanNumber, PlanPartEntry, PlanQuestion
from catalogue.graph.ids import get_target_id
from roster.engine.model_profiles import holds_models, list_models, list_units_together
from roster.engine.plan import GamePlan
from roster.engine.report import EffectiveForce, EffectiveSelection, Verdict, Violation
from roster.models import Roster
from roster.services.evaluation import EvaluatedList
from roster.services.plans import StoredPlan


@dataclass(frozen=True, slots=True)
class GameUnit:
    """`around` is the entry taken with several units inside."""

    selection: EffectiveSelection
    around: EffectiveSelection | None = None

    @property
    def id(self) -> str:
        return self.selection.id

    @property
    def type(self) -> str:
        categories = (*self.selection.categories, *(self.around.categories if self.around else ()))
        return next((category.name for category in categories if category.primary), "")

    @property
    def models(self) -> int:
        return sum(model.number for model in list_models(self.selection)) or self.selection.number

    @property
    def ids(self) -> set[str]:
        return {inner.id for inner in self.selection.walk()}

    def is_any_of(self, of: Iterable[str]) -> bool:
        """Match entries or categories; an empty `of` means any."""
        mine: set[str] = set()
        # Units bought together also count as the entry around them.
        for selection in filter(None, (self.selection, self.around)):
            mine |= {get_target_id(selection.entry_id), *(c.id for c in selection.categories)}
        names = set(of)
        return not names or bool(names & mine)


def list_units(forces: Iterable[EffectiveForce]) -> Iterator[GameUnit]:
    """Yield all units in detachment order; attached units are part of their host."""
    for force in forces:
        for root in force.selections:
            # Units bought together are played separately.
            inside = list_units_together(root)
            yield from (GameUnit(inner, root) for inner in inside)
            if not inside and holds_models(root):
                yield GameUnit(root)
        yield from list_units(force.forces)


def name_units(units: Sequence[GameUnit]) -> dict[str, str]:
    """Return unit names by id; equal names are numbered."""
    plain = {unit.id: unit.selection.custom_name or unit.selection.name for unit in units}
    often = Counter(plain.values())
    seen: Counter[str] = Counter()
    for unit_id, name in plain.items():
        seen[name] += 1
        if often[name] > 1:
            plain[unit_id] = f"{name} {seen[name]}"
    return plain


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanChoice:
    """Something to choose. `lost` means that it is chosen but no longer exists."""

    id: str
    name: str
    chosen: bool = False
    lost: bool = False
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedQuestion:
    """Options include chosen answers that the data has lost."""

    question: PlanQuestion
    options: tuple[PlanChoice, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanUnit:
    """`held_with` names the unit that keeps it in reserve. `lost` means that it left the list."""

    id: str
    name: str
    type: str = ""
    emblem: str = ""
    models: int | None = None
    points: Number | None = None
    joins: tuple[PlanChoice, ...] = ()
    rides: tuple[PlanChoice, ...] = ()
    reserve: bool = False
    held_with: str = ""
    questions: tuple[AskedQuestion, ...] = ()
    violations: tuple[Violation, ...] = ()
    lost: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanBoard:
    """`parts` are the game's plan parts by kind. `verdict` covers only set-up and match."""

    roster: Roster
    planned: StoredPlan
    evaluated_list: EvaluatedList
    parts: dict[str, PlanPartEntry]
    missions: tuple[tuple[str, tuple[PlanChoice, ...]], ...]
    mission: MissionDefinition | None
    sides: tuple[PlanChoice, ...]
    specials: tuple[Special, ...]
    opponents: tuple[tuple[PlanChoice, ...], ...]
    allies: tuple[tuple[PlanChoice, ...], ...]
    commanders: tuple[PlanChoice, ...]
    questions: tuple[AskedQuestion, ...]
    numbers: tuple[tuple[PlanNumber, Number | None], ...]
    units: tuple[PlanUnit, ...]
    asks: bool

    @property
    def game(self) -> GamePlan:
        return self.planned.game

    @property
    def violations(self) -> tuple[Violation, ...]:
        """Violations of the plan but not of the list, errors first."""
        staged = [v for v in self.evaluated_list.report.violations if v.stage is not Stage.LIST]
        return tuple(sorted(staged, key=lambda v: list(Severity).index(v.severity)))

    @property
    def verdict(self) -> Verdict:
        errors = [v for v in self.violations if v.severity is Severity.ERROR]
        if not errors:
            return Verdict.LEGAL
        return Verdict.INCOMPLETE if all(v.mendable for v in errors) else Verdict.ILLEGAL
