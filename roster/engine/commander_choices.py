"""Evaluate a list with each candidate while the commander is undecided."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice

from catalogue.definitions.constraints import Severity
from catalogue.definitions.rule_codes import RuleCode
from roster.engine.evaluation import Evaluation
from roster.engine.nodes import Container, SelectionNode
from roster.engine.report import FigureTotal, Violation
from roster.engine.tree import Selection, copy_with

MOST_CHOICES = 12
"""Each choice costs a whole evaluation."""

Key = tuple[str, ...]
Judge = Callable[[Evaluation], Iterable[Violation]]
Count = Callable[[Evaluation], tuple[FigureTotal, ...]]


def list_choices(evaluation: Evaluation) -> list[Evaluation]:
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
    """Skip candidates with the same place and equipment: their verdict is the same."""
    seen: set[tuple[Container, Selection]] = set()
    for node in nodes:
        if node.document and (kind := (node.container, _strip_selection(node.document))) not in seen:
            seen.add(kind)
            yield node.document


def _strip_selection(selection: Selection) -> Selection:
    inside = tuple(_strip_selection(inner) for inner in selection.selections)
    return copy_with(selection, id="", custom_name="", notes="", selections=inside)


def settle_violations(
    violations: Sequence[Violation], others: Iterable[Evaluation], judge: Judge
) -> tuple[Violation, ...]:
    """Mark violations as mendable if the best choice of commander fixes them without new errors."""
    if all(violation.mendable or violation.severity is not Severity.ERROR for violation in violations):
        return tuple(violations)
    errors_now = _collect_errors(violations)
    fewest = errors_now
    for errors in map(_collect_errors, map(judge, others)):
        if errors <= errors_now and len(errors) < len(fewest):
            fewest = errors
    settled = []
    for violation in violations:
        # Trials ignore the declared commander.
        is_mended = violation.code != RuleCode.WRONG_COMMANDER and _get_key(violation) not in fewest
        settled.append(copy_with(violation, mendable=violation.mendable or is_mended))
    return tuple(settled)


def keep_agreed_figures(evaluation: Evaluation, others: Sequence[Evaluation], count: Count) -> tuple[FigureTotal, ...]:
    # Equal candidates in one selection have no evaluation of their own, so compare the undecided list, too.
    evaluations = list(others)
    if evaluation.command and any(node.total > 1 for node in evaluation.command.highest):
        evaluations.append(evaluation)
    first, *rest = map(count, evaluations)
    return tuple(figure for figure in first if all(figure in outcome for outcome in rest))


def _collect_errors(violations: Iterable[Violation]) -> set[Key]:
    return {_get_key(violation) for violation in violations if violation.severity is Severity.ERROR}


def _get_key(violation: Violation) -> Key:
    return (violation.rule, violation.code, violation.on.id, violation.owner_id, violation.constraint_id)
