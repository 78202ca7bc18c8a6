"""No dead end.

**Demands** that further picks can still complete an incomplete list.

**Why:** "a unit may not be taken if its additional units do not fit any more": some books forbid dead ends, and in
every game a list that nothing can complete is more than unfinished.

**Measured** by a solver on a model of everything that could still be added under the same constraints. A "no" is
proved. Without a solver, or if its fixed number of steps does not suffice, nothing is reported. The rule is checked
only with `look_ahead`, and only if further picks could fix all other errors. If the clock that protects the server ends
the search first, the list counts as incomplete, and the report says that looking ahead is not finished. Only factions
of the list are tried: if the data has others, the report of a dead end says that their detachments were not tried. The
data's words for a category ask whether the selections of that category leave a way to choose everything else. Words for
`demands` say that only the demands of further units prevent a completion.

**Broken by** taking seven of eight places, if the next unit demands another one.
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
"""The steps for a proof if the usual steps find no completion."""
DEMANDS = "demands"
"""The place of the words for lists that only demands of additions make a dead end."""


def check(evaluation: Evaluation) -> Iterator[Violation]:
    """Find out whether an incomplete list is a dead end. Raises UnfinishedError if the time is up first."""
    words = list_game_words(evaluation, RuleCode.NO_COMPLETION)
    # All questions share one clock, which the report started.
    work: Work = evaluation.memo.get(Work) or Work()
    look_ahead = get_look_ahead(evaluation, Budget(work, USUAL.steps))
    answer = look_ahead.judge()
    if answer is Possibility.UNKNOWN:
        # The search found no completion. Asking the model whether there is any takes longer.
        look_ahead.allow(Budget(work, PROOF_STEPS))
        answer = look_ahead.ask_model()
    if answer is Possibility.NO:
        # In a dead end every choice is one, so naming choices would hide the reason.
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
    """Return whether a dead end could be completed if additions demanded nothing."""
    budget, view = Budget(work, USUAL.steps), Horizon(undemanding=True)
    undemanding = LookAhead(evaluation.ruleset, evaluation.roster.document, budget, view=view)
    return undemanding.ask_model() is Possibility.YES


def _is_choice_lost(evaluation: Evaluation, category_id: str, work: Work) -> bool:
    """Return whether the selections of a category leave no way to choose everything else."""
    taken = {
        node.document.id
        for node in evaluation.roster.members
        if node.document and category_id in evaluation.categories.get_membership(node).ids
    }
    if not taken:
        return False
    # Keep only these selections, and ask whether a list around them can be completed.
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
    """Build the violation of a dead end, naming the colliding rules."""
    violation = build_rule_violation(
        RuleCode.NO_COMPLETION,
        locate_roster(evaluation),
        "",
        counted=", ".join(dict.fromkeys(rule.name for rule in collision if rule.name)),
        mendable=mendable,
    )
    return attach_words(violation, words) if words else violation
