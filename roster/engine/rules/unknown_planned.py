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
from roster.engine.case import Case
from roster.engine.places import roster_place
from roster.engine.plan import mission_of, planned_ids, planning_of
from roster.engine.planned import Planned
from roster.engine.report import Violation
from roster.engine.words import game_words, worded

UNITS, MISSION, SIDE = "units", "mission", "side"


def check(case: Case) -> Iterator[Violation]:
    """A violation for each thing that the plan names in vain."""
    if case.plan:
        for own in planned_ids(case.plan.game):
            if own not in case.plan.nodes:
                yield _violation(case, case.plan, UNITS, own, Stage.SETUP)
        yield from _missions(case, case.plan)
        yield from _answers(case, case.plan)


def _missions(case: Case, plan: Planned) -> Iterator[Violation]:
    game = plan.game
    mission = mission_of(case.ruleset, game)
    if game.mission and mission is None:
        yield _violation(case, plan, MISSION, game.mission, Stage.MATCH)
    sides = [side.id for side in mission.sides] if mission else []
    if sides and game.side and game.side not in sides:
        yield _violation(case, plan, SIDE, game.side, Stage.MATCH)


def _answers(case: Case, plan: Planned) -> Iterator[Violation]:
    known = {question.id: question for question in planning_of(case.ruleset).questions}
    for answer in plan.game.answers:
        question = known.get(answer.question)
        stage = Stage.SETUP if question and question.per_unit else Stage.MATCH
        if question is None:
            yield _violation(case, plan, answer.question, answer.question, stage)
        elif answer.option not in [option.id for option in question.options]:
            yield _violation(case, plan, question.id, answer.option, stage)


def _violation(case: Case, plan: Planned, kind: str, own: str, stage: Stage) -> Violation:
    found = Violation(
        code=RuleCode.UNKNOWN_PLANNED,
        on=roster_place(case),
        owner_id=kind,
        constraint_id=RuleCode.UNKNOWN_PLANNED,
        counted_id=own,
        counted=plan.game.names.get(own, own),
        measured=1,
        severity=Severity.ERROR if kind == UNITS else Severity.WARNING,
        stage=stage,
    )
    words = next((w for w in game_words(case) if w.code == RuleCode.UNKNOWN_PLANNED and w.of == kind), None)
    return worded(found, words) if words else found
