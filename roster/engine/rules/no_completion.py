"""No dead end.

**Demands** that further picks can still complete an incomplete list.

**Why:** some books forbid dead ends: "a unit may not be taken if its additional units do not fit any more". In every
game a list that nothing can complete is not just unfinished.

**Measured** with `look_ahead`, if further picks could fix all other errors, by a solver on a model of everything that
could be added under the same constraints. A "no" is proved. Without a solver, or if its fixed number of steps is too
small, nothing is reported. If the server's clock ends the search first, the list counts as incomplete, and the report
says that looking ahead is not finished. Only the list's factions are tried; if the data has others, the report says so.
If only the game plan prevents completion, the violation is about the plan.

The violation cites the data's words for dead ends, or for dead ends that an unmet demand for units causes. Without such
words it cites the rule that can no longer be satisfied. The words for `demands` apply if only demands for further units
block every completion, the words for a category if its selections do.

**Broken by** filling the last of eight places with a unit that demands another one.
"""

from collections.abc import Iterator

from catalogue.definitions.constraints import RuleWords, Severity, Stage
from catalogue.definitions.queries import BOUNDS
from catalogue.definitions.rule_codes import RuleCode
from roster.engine.checks import is_suppressed, list_broken_plan_checks, list_open_checks, measure_check
from roster.engine.completion.costs import find_demanded_types
from roster.engine.completion.effort import Budget, Work
from roster.engine.completion.look_ahead import USUAL, LookAhead, get_look_ahead
from roster.engine.completion.prospects import Horizon
from roster.engine.completion.rules import BindingRule
from roster.engine.completion.solver import Possibility
from roster.engine.evaluation import Evaluation
from roster.engine.plan import GamePlan
from roster.engine.report import Violation
from roster.engine.rule import build_check_violation, build_rule_violation
from roster.engine.rule_citation import attach_words, list_game_words
from roster.engine.tree import copy_with
from roster.engine.violation_location import locate_roster

PROOF_STEPS = 120_000
"""Steps for a proof if the usual steps find no completion."""
UNMET_DEMANDS, DEMANDS = "unmet demands", "demands"
"""The places of the words for dead ends that demands of the list's units cause, or only demands of additions."""


def check(evaluation: Evaluation) -> Iterator[Violation]:
    """Check whether an incomplete list is a dead end. Raises UnfinishedError if the time is up."""
    words = list_game_words(evaluation, RuleCode.NO_COMPLETION)
    # All questions share the report's clock.
    work: Work = evaluation.memo.get(Work) or Work()
    look_ahead = get_look_ahead(evaluation, Budget(work, USUAL.steps))
    answer = look_ahead.judge()
    if answer is Possibility.UNKNOWN:
        # Proving that there is no completion takes longer than searching for one.
        look_ahead.allow(Budget(work, PROOF_STEPS))
        answer = look_ahead.ask_model()
    if answer is Possibility.NO:
        # Report only the dead end: the choices of single categories cannot be completed in it either.
        collision = look_ahead.find_collision()
        yield _build_violation(evaluation, _choose(words, "") or _cite_cause(evaluation, words, collision), collision)
        chained = _choose(words, DEMANDS)
        if chained and _is_lost_by_chain(evaluation, work):
            yield _build_violation(evaluation, chained, collision)
        return
    for narrowed in words:
        if narrowed.of and _is_choice_lost(evaluation, narrowed.of, work):
            yield _build_violation(evaluation, narrowed, (), mendable=True)
    if evaluation.plan and list_broken_plan_checks(evaluation):
        collision_with_plan = _find_collision_with_plan(evaluation, evaluation.plan.game, work)
        if collision_with_plan is not None:
            # The data's words are about lists.
            yield copy_with(_build_violation(evaluation, None, collision_with_plan), stage=Stage.SETUP)


def _find_collision_with_plan(evaluation: Evaluation, game: GamePlan, work: Work) -> tuple[BindingRule, ...] | None:
    """Return rules that contradict the game plan, or None if there may be a completion."""
    ruleset, roster = evaluation.ruleset, evaluation.roster.document
    look_ahead = LookAhead(ruleset, roster, Budget(work, USUAL.steps), game=game)
    answer = look_ahead.judge()
    if answer is Possibility.UNKNOWN:
        look_ahead.allow(Budget(work, PROOF_STEPS))
        answer = look_ahead.ask_model()
    return look_ahead.find_collision() if answer is Possibility.NO else None


def _is_lost_by_chain(evaluation: Evaluation, work: Work) -> bool:
    budget, view = Budget(work, USUAL.steps), Horizon(undemanding=True)
    undemanding = LookAhead(evaluation.ruleset, evaluation.roster.document, budget, view=view)
    return undemanding.ask_model() is Possibility.YES


def _cite_cause(evaluation: Evaluation, words: list[RuleWords], collision: tuple[BindingRule, ...]) -> RuleWords | None:
    checks = (check for bound in BOUNDS for check in list_open_checks(evaluation, bound))
    errors = (check for check in checks if check.constraint.severity is Severity.ERROR and check.constraint.rule)
    measured = filter(None, (measure_check(evaluation, check) for check in errors))
    unmet = [check for check in measured if check.is_broken and not is_suppressed(evaluation, check)]
    demanded = find_demanded_types(evaluation.roster)
    is_demand = any(term.query.field in demanded for check in unmet for term in check.constraint.terms)
    for_demands = _choose(words, UNMET_DEMANDS) if is_demand else None
    if for_demands or not unmet:
        return for_demands
    colliding = {rule.constraint_id for rule in collision}
    cited = next((check for check in unmet if check.constraint.id in colliding), unmet[0])
    cause = build_check_violation(evaluation, RuleCode.NO_COMPLETION, cited)
    return RuleWords(code=cause.code, rule=cause.rule, name=cause.name, text=cause.text, citation=cause.citation)


def _is_choice_lost(evaluation: Evaluation, category_id: str, work: Work) -> bool:
    taken = {
        node.document.id
        for node in evaluation.roster.members
        if node.document and category_id in evaluation.categories.get_membership(node).ids
    }
    if not taken:
        return False
    # Ask whether a list around only these selections can be completed.
    forces = tuple(
        copy_with(force.document, selections=tuple(s for s in force.document.selections if s.id in taken))
        for force in evaluation.roster.forces
    )
    choice = copy_with(evaluation.roster.document, forces=forces)
    around = LookAhead(evaluation.ruleset, choice, Budget(work, USUAL.steps), view=Horizon(without=category_id))
    return around.ask_model() is Possibility.NO


def _choose(words: list[RuleWords], place: str) -> RuleWords | None:
    return next((fitting for fitting in words if fitting.place == place and not fitting.of), None)


def _build_violation(
    evaluation: Evaluation, words: RuleWords | None, collision: tuple[BindingRule, ...], *, mendable: bool = False
) -> Violation:
    violation = build_rule_violation(
        RuleCode.NO_COMPLETION,
        locate_roster(evaluation),
        "",
        counted=", ".join(dict.fromkeys(rule.name for rule in collision if rule.name)),
        mendable=mendable,
    )
    return attach_words(violation, words) if words else violation
