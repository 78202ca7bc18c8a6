"""Judge a list while its commander is undecided: what each choice among the highest in rank would change."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice

from catalogue.definitions.constraints import Severity
from catalogue.definitions.rule_codes import RuleCode
from roster.engine.evaluation import Evaluation
from roster.engine.nodes import Container, SelectionNode
from roster.engine.report import FigureTotal, Violation
from roster.engine.tree import Selection, copy_with

MOST_CHOICES = 12
"""How many unlike commanders are tried: each of them is a list of its own to judge."""

Key = tuple[str, ...]
Judge = Callable[[Evaluation], Iterable[Violation]]
Count = Callable[[Evaluation], tuple[FigureTotal, ...]]


def list_choices(evaluation: Evaluation) -> list[Evaluation]:
    """List the evaluations with each of those in command who could be chosen; none where that is not open."""
    search = evaluation.command
    if search is None or not search.is_open:
        return []
    game = evaluation.plan.game if evaluation.plan else None
    commanders = islice(_skip_alike(search.highest), MOST_CHOICES)
    document = evaluation.roster.document
    return [
        Evaluation(evaluation.ruleset, document, game, commander.id, evaluation.deadline) for commander in commanders
    ]


def _skip_alike(nodes: Iterable[SelectionNode]) -> Iterator[Selection]:
    """Yield one of all those that are equipped alike at one place: whoever is chosen, the same is judged."""
    seen: set[tuple[Container, Selection]] = set()
    for node in nodes:
        if node.document and (kind := (node.container, _strip_selection(node.document))) not in seen:
            seen.add(kind)
            yield node.document


def _strip_selection(selection: Selection) -> Selection:
    """Return a selection without what tells it from others of its kind."""
    inside = tuple(_strip_selection(inner) for inner in selection.selections)
    return copy_with(selection, id="", custom_name="", notes="", selections=inside)


def settle_violations(
    violations: Sequence[Violation], others: Iterable[Evaluation], judge: Judge
) -> tuple[Violation, ...]:
    """Mark as mendable what the best of the other evaluations does not have, if that has no new errors."""
    # Nothing to find out: each choice would be judged for no difference.
    if all(violation.mendable or violation.severity is not Severity.ERROR for violation in violations):
        return tuple(violations)
    known = _collect_errors(violations)
    # The errors of the best choice that has none but known ones.
    fewest = known
    for errors in map(_collect_errors, map(judge, others)):
        # A choice that breaks something new is no way out of what is broken now.
        if errors <= known and len(errors) < len(fewest):
            fewest = errors
    settled = []
    for violation in violations:
        # No choice has a violation about who is declared.
        is_mended = violation.code != RuleCode.WRONG_COMMANDER and _get_key(violation) not in fewest
        settled.append(copy_with(violation, mendable=violation.mendable or is_mended))
    return tuple(settled)


def keep_agreed_figures(evaluation: Evaluation, others: Sequence[Evaluation], count: Count) -> tuple[FigureTotal, ...]:
    """Keep the figures that are the same whoever is chosen; leave out what hangs on the choice.

    Several alike of whom one would be chosen have no evaluation of their own: then what a choice changes is left out.
    """
    # With nobody in command yet, the list as it is says nothing of what it will be.
    judged = list(others)
    if evaluation.command and any(node.total > 1 for node in evaluation.command.highest):
        judged.append(evaluation)
    first, *rest = map(count, judged)
    return tuple(figure for figure in first if all(figure in outcome for outcome in rest))


def _collect_errors(violations: Iterable[Violation]) -> set[Key]:
    return {_get_key(violation) for violation in violations if violation.severity is Severity.ERROR}


def _get_key(violation: Violation) -> Key:
    return (violation.rule, violation.code, violation.on.id, violation.owner_id, violation.constraint_id)
