"""No dead end.

**Demands** that a list which lacks something can still be completed by further picks.

**Why:** "a unit may not be taken if its additional units do not fit any more": some books forbid to walk into a dead
end, and in every game a list that nothing can complete is not merely unfinished.

**Measured** by a model of everything that could still be added under the same constraints, in which a solver looks for
a way. Its "no" is a proof; without a solver, or if its steps, which are counted, do not suffice for an answer, nothing
is reported. Asked only by who judges with `look_ahead`, and of lists of which everything else that is wrong could be
mended by further picks. If the clock that protects the server ends the search first, the list counts as incomplete,
and the report says that looking ahead is not finished. What is added is of the factions that the list has: if the data
has others, a list that is found lost says that their detachments were not tried.
Words of the data for a category ask whether what is taken of it leaves a way to choose everything else; words for
`demands` say that only what further units demand in turn is in the way.

**Broken by** seven of eight places taken, and one more that demands another one beside itself.
"""

from collections.abc import Iterator

from catalogue.definitions.constraints import RuleWords
from catalogue.definitions.rule_codes import RuleCode
from roster.engine.completion.effort import Budget, Work
from roster.engine.completion.look_ahead import USUAL, LookAhead, get_look_ahead
from roster.engine.completion.prospects import Horizon
from roster.engine.completion.rules import BindingRule
from roster.engine.completion.solver import Possibility
from roster.engine.evaluation import Evaluation
from roster.engine.report import Violation
from roster.engine.rule import build_rule_violation
from roster.engine.rule_citation import attach_words, list_game_words
from roster.engine.tree import copy_with
from roster.engine.violation_location import locate_roster

PROOF_STEPS = 120_000
"""How much the model may be asked for a proof, if the usual steps have found no way to complete the list."""
DEMANDS = "demands"
"""The place of the words for a list in which only demands of demands are in the way."""


def check(evaluation: Evaluation) -> Iterator[Violation]:
    """Find out whether a list is lost that lacks something. Raises UnfinishedError if the clock ends that first."""
    words = list_game_words(evaluation, RuleCode.NO_COMPLETION)
    # One clock for all questions; the report of the evaluation starts it.
    work: Work = evaluation.memo.get(Work) or Work()
    look_ahead = get_look_ahead(evaluation, Budget(work, USUAL.steps))
    answer = look_ahead.judge()
    if answer is Possibility.UNKNOWN:
        # The search for a way ended without one: the model is asked whether there is any, which takes longer.
        look_ahead.allow(Budget(work, PROOF_STEPS))
        answer = look_ahead.ask_model()
    if answer is Possibility.NO:
        # Of a lost list every choice is lost; naming each would only hide the reason.
        collision = look_ahead.find_collision()
        yield _build_violation(evaluation, _choose(words, ""), collision)
        chained = _choose(words, DEMANDS)
        if chained and _is_lost_by_chain(evaluation, work):
            yield _build_violation(evaluation, chained, collision)
        return
    for narrowed in words:
        if narrowed.of and _is_choice_lost(evaluation, narrowed.of, work):
            yield _build_violation(evaluation, narrowed, (), mendable=True)


def _is_lost_by_chain(evaluation: Evaluation, work: Work) -> bool:
    """Return whether a lost list could be completed if what is added demanded nothing itself."""
    budget, view = Budget(work, USUAL.steps), Horizon(undemanding=True)
    undemanding = LookAhead(evaluation.ruleset, evaluation.roster.document, budget, view=view)
    return undemanding.ask_model() is Possibility.YES


def _is_choice_lost(evaluation: Evaluation, category_id: str, work: Work) -> bool:
    """Return whether what is taken of a category leaves no way to choose everything else."""
    taken = {
        node.document.id
        for node in evaluation.roster.members
        if node.document and category_id in evaluation.categories.get_membership(node).ids
    }
    if not taken:
        return False
    # A list with nothing but that: can everything else still be chosen around it?
    forces = tuple(
        copy_with(force.document, selections=tuple(s for s in force.document.selections if s.id in taken))
        for force in evaluation.roster.forces
    )
    choice = copy_with(evaluation.roster.document, forces=forces)
    around = LookAhead(evaluation.ruleset, choice, Budget(work, USUAL.steps), view=Horizon(without=category_id))
    return around.ask_model() is Possibility.NO


def _choose(words: list[RuleWords], place: str) -> RuleWords | None:
    """Return the words for the whole list."""
    return next((fitting for fitting in words if fitting.place == place and not fitting.of), None)


def _build_violation(
    evaluation: Evaluation, words: RuleWords | None, collision: tuple[BindingRule, ...], *, mendable: bool = False
) -> Violation:
    """Build the violation of having no way left, which names the rules that collide."""
    violation = build_rule_violation(
        RuleCode.NO_COMPLETION,
        locate_roster(evaluation),
        "",
        counted=", ".join(dict.fromkeys(rule.name for rule in collision if rule.name)),
        mendable=mendable,
    )
    return attach_words(violation, words) if words else violation
