"""Everything in the game plan exists.

**Demands** that the list or the data has every selection, mission, side and answer in a game plan.

**Why:** lists and data change after planning. If a planned unit were dropped silently, the player would not notice that
another can no longer join it or ride in it.

**Measured** by the ids in the plan. Other players' factions and names are not checked, nor is the side if the mission's
sides are alike. Players may use missions that the data lacks, so by default only missing units are errors. The data's
words for `units`, `mission`, `side` or a question's id can change that.

**Broken by** a character planned to join a unit that was removed later.
"""

from collections.abc import Iterator

from catalogue.definitions.constraints import Severity, Stage
from catalogue.definitions.rule_codes import RuleCode
from roster.engine.evaluation import Evaluation
from roster.engine.game_plan_index import GamePlanIndex
from roster.engine.plan import find_mission, get_planning, list_planned_ids
from roster.engine.report import Violation
from roster.engine.rule import build_rule_violation
from roster.engine.rule_citation import attach_words, list_game_words
from roster.engine.violation_location import locate_roster

UNITS, MISSION, SIDE = "units", "mission", "side"


def check(evaluation: Evaluation) -> Iterator[Violation]:
    plan = evaluation.plan
    if plan is None:
        return
    for selection_id in list_planned_ids(plan.game):
        if selection_id not in plan.nodes:
            yield _build_violation(evaluation, plan, UNITS, selection_id, Stage.SETUP)
    game = plan.game
    mission = find_mission(evaluation.ruleset, game)
    if mission is None and game.mission:
        yield _build_violation(evaluation, plan, MISSION, game.mission, Stage.MATCH)
    # In a mission without sides, any side will do.
    side_ids = [side.id for side in mission.sides] if mission else []
    if side_ids and game.side and game.side not in side_ids:
        yield _build_violation(evaluation, plan, SIDE, game.side, Stage.MATCH)

    questions = {question.id: question for question in get_planning(evaluation.ruleset).questions}
    for answer in game.answers:
        question = questions.get(answer.question)
        if question is None:
            yield _build_violation(evaluation, plan, answer.question, answer.question, Stage.MATCH)
        elif all(option.id != answer.option for option in question.options):
            stage = Stage.SETUP if question.per_unit else Stage.MATCH
            yield _build_violation(evaluation, plan, question.id, answer.option, stage)


def _build_violation(
    evaluation: Evaluation, plan: GamePlanIndex, kind: str, planned_id: str, stage: Stage
) -> Violation:
    code = RuleCode.UNKNOWN_PLANNED
    violation = build_rule_violation(
        code,
        locate_roster(evaluation),
        kind,
        counted_id=planned_id,
        counted=plan.game.names.get(planned_id, planned_id),
        measured=1,
        severity=Severity.ERROR if kind == UNITS else Severity.WARNING,
        stage=stage,
    )
    for words in list_game_words(evaluation, code):
        if words.of == kind:
            return attach_words(violation, words)
    return violation
