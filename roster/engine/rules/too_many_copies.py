"""Not too many copies of a thing that its owner names.

**Demands** that the selections of one name beside each other are no more than their entries allow.

**Why:** "at most three copies of any one card", in a game whose cards no data lists: owners write their names, and an
entry only stands for a kind of card.

**Measured** by the numbers of the selections in one container that bear the same name, whatever its case and blanks,
against the smallest number that their entries allow. What stands among such things and is of no known entry is one of
them all the same. Selections without a name are left out.

**Broken by** two copies of "Ambush" and two of "ambush" in a deck that may hold three.
"""

from collections.abc import Iterator

from catalogue.definitions.constraints import CopyLimit
from catalogue.definitions.rule_codes import RuleCode
from roster.engine.evaluation import Evaluation
from roster.engine.nodes import Container, SelectionNode
from roster.engine.report import Violation
from roster.engine.rule_citation import attach_words
from roster.engine.violation_location import locate_selection


def check(evaluation: Evaluation) -> Iterator[Violation]:
    """A violation for each name that stands in one place too often."""
    alike: dict[tuple[Container, str], list[SelectionNode]] = {}
    for node in evaluation.roster.selections:
        name = _fold_name(node)
        if name:
            alike.setdefault((node.container, name), []).append(node)
    for nodes in alike.values():
        allowed = [found for node in nodes if (found := _find_copy_limit(node)) and found.most >= 0]
        strictest = min(allowed, key=lambda found: found.most, default=None)
        counted = sum(node.number for node in nodes)
        if strictest and counted > strictest.most:
            yield _build_violation(evaluation, nodes, counted, strictest)


def _find_copy_limit(node: SelectionNode) -> CopyLimit | None:
    if node.option:
        return node.option.entry.target.copies
    beside = (
        [option.entry.target.copies for option in node.container.layout.options]
        if node.container.layout
        else []
    )
    limited = [found for found in beside if found and found.most >= 0]
    return min(limited, key=lambda found: found.most, default=None) if all(beside) else None


def _fold_name(node: SelectionNode) -> str:
    """What its owner calls it, folded; blank for what is no such thing, or has no name."""
    named = node.document is not None and _find_copy_limit(node) is not None
    return " ".join(node.document.custom_name.casefold().split()) if named and node.document else ""


def _build_violation(
    evaluation: Evaluation, nodes: list[SelectionNode], counted: int, copies: CopyLimit
) -> Violation:
    last = locate_selection(evaluation, nodes[-1])
    found = Violation(
        code=RuleCode.TOO_MANY_COPIES,
        on=last,
        owner_id=nodes[-1].target_id,
        constraint_id=RuleCode.TOO_MANY_COPIES,
        counted_id=nodes[-1].target_id,
        counted=last.name,
        measured=counted,
        allowed=copies.most,
        cause=tuple(locate_selection(evaluation, node) for node in nodes),
    )
    return attach_words(found, copies.words)
