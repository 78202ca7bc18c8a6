"""What the page of a game plan shows, as plain values."""

from dataclasses import dataclass

from catalogue.definitions.constraints import Severity, Stage
from catalogue.definitions.missions import MissionDefinition, Special
from catalogue.definitions.numbers import Number
from catalogue.definitions.planning import PlanNumber, PlanPartEntry, PlanQuestion
from roster.engine.plan import GamePlan
from roster.engine.report import Verdict, Violation
from roster.models import Roster
from roster.services.evaluation import EvaluatedList
from roster.services.plans import StoredPlan


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanChoice:
    """Something to choose, and whether it is chosen. `lost`: it was chosen, but is not there any more."""

    id: str
    name: str
    chosen: bool = False
    lost: bool = False
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedQuestion:
    """A question with its answers."""

    question: PlanQuestion
    options: tuple[PlanChoice, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanUnit:
    """A unit of the list and what the plan says of it.

    `joins` and `rides` are empty where it can do neither. `held_with` names whom it waits in reserve with, without
    being held back itself. `violations` are those of the plan that are about it. `lost`: the list no longer has it.
    """

    id: str
    name: str
    type: str = ""
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
    """Everything on the page.

    `parts` are those that games have in common, by what they are; a part that is not there is not asked for.
    `asks` says whether there is anything to settle at all. `verdict` is that of the stages set-up and match alone.
    """

    roster: Roster
    planned: StoredPlan
    judged: EvaluatedList
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
        """What is wrong with the plan, errors first; what is wrong with the list alone is left to the builder."""
        staged = [v for v in self.judged.report.violations if v.stage is not Stage.LIST]
        return tuple(sorted(staged, key=lambda v: list(Severity).index(v.severity)))

    @property
    def verdict(self) -> Verdict:
        errors = [v for v in self.violations if v.severity is Severity.ERROR]
        if not errors:
            return Verdict.LEGAL
        return Verdict.INCOMPLETE if all(v.mendable for v in errors) else Verdict.ILLEGAL
