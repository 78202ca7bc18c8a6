"""Nothing planned that is not there.

**Demands** that every selection, mission, side and answer that a game plan names is one that the list or the data has.

**Why:** a plan is written for a list as it is that day. When a unit is taken out later, or the data moves on, whoever
was to join it or ride in it has to be told: silently dropped, the plan would look kept.

**Measured** by the ids in the plan. Factions and names of other players are free, and so is the side in a mission whose
sides do not differ. Unless the data's words for it (those of `units`, `mission`, `side` or a question's id) say more,
only units that are gone decide the verdict: a mission that the data does not have may well be played.

**Broken by** a character planned to join a unit that was since removed.
"""

from collections.abc import Iterator

from catalogue.definitions.constraints import Severity, Stage
from catalogue.definitions.rule_codes import RuleCode
from roster.engine.evaluation import Evaluation
from roster.engine.game_plan_index import GamePlanIndex
from roster.engine.plan import mission_of, planned_ids, planning_of
from roster.engine.report import Violation
from roster.engine.rule_citation import game_words, worded
from roster.engine.violation_location import roster_place

UNITS, MISSION, SIDE = "units", "mission", "side"


def check(evaluation: Evaluation) -> Iterator[Violation]:
    """A violation for each thing that the plan names in vain."""
    if evaluation.plan:
        for own in planned_ids(evaluation.plan.game):
            if own not in evaluation.plan.nodes:
                yield _violation(evaluation, evaluation.plan, UNITS, own, Stage.SETUP)
        yield from _missions(evaluation, evaluation.plan)
        yield from _answers(evaluation, evaluation.plan)


def _missions(evaluation: Evaluation, plan: GamePlanIndex) -> Iterator[Violation]:
    game = plan.game
    mission = mission_of(evaluation.ruleset, game)
    if game.mission and mission is None:
        yield _violation(evaluation, plan, MISSION, game.mission, Stage.MATCH)
    sides = [side.id for side in mission.sides] if mission else []
    if sides and game.side and game.side not in sides:
        yield _violation(evaluation, plan, SIDE, game.side, Stage.MATCH)


def _answers(evaluation: Evaluation, plan: GamePlanIndex) -> Iterator[Violation]:
    known = {question.id: question for question in planning_of(evaluation.ruleset).questions}
    for answer in plan.game.answers:
        question = known.get(answer.question)
        stage = Stage.SETUP if question and question.per_unit else Stage.MATCH
        if question is None:
            yield _violation(evaluation, plan, answer.question, answer.question, stage)
        elif answer.option not in [option.id for option in question.options]:
            yield _violation(evaluation, plan, question.id, answer.option, stage)


def _violation(evaluation: Evaluation, plan: GamePlanIndex, kind: str, own: str, stage: Stage) -> Violation:
    found = Violation(
        code=RuleCode.UNKNOWN_PLANNED,
        on=roster_place(evaluation),
        owner_id=kind,
        constraint_id=RuleCode.UNKNOWN_PLANNED,
        counted_id=own,
        counted=plan.game.names.get(own, own),
        measured=1,
        severity=Severity.ERROR if kind == UNITS else Severity.WARNING,
        stage=stage,
    )
    words = next(
        (w for w in game_words(evaluation) if w.code == RuleCode.UNKNOWN_PLANNED and w.of == kind), None
    )
    return worded(found, words) if words else found
