"""A limited number of selections with the same name.

**Demands** that no container has more selections of one name than their entries allow.

**Why:** "at most three copies of any one card". If the data does not list a game's cards, owners write the names, and
an entry is only a kind of card.

**Measured** by the numbers of one container's selections with the same name, ignoring case and spaces, against the
smallest number that their entries allow. An unknown entry next to them counts as one of them. Unnamed selections are
left out.

**Broken by** two copies of "Ambush" and two of "ambush" in a deck that may hold three.

**Feature:** named_cards.
"""

from collections.abc import Iterable, Iterator

from catalogue.definitions.constraints import CopyLimit
from catalogue.definitions.rule_codes import RuleCode
from roster.engine.evaluation import Evaluation
from roster.engine.nodes import Container, SelectionNode
from roster.engine.report import Violation
from roster.engine.rule import build_selection_violation
from roster.engine.rule_citation import attach_words
from roster.engine.violation_location import locate_selection


def check(evaluation: Evaluation) -> Iterator[Violation]:
    namesakes: dict[tuple[Container, str], list[SelectionNode]] = {}
    for node in evaluation.roster.selections:
        if node.document and node.document.custom_name and _find_copy_limit(node):
            name = " ".join(node.document.custom_name.casefold().split())
            if name:
                namesakes.setdefault((node.container, name), []).append(node)
    for nodes in namesakes.values():
        strictest = _choose_strictest(map(_find_copy_limit, nodes))
        number = sum(node.number for node in nodes)
        if strictest and number > strictest.most:
            violation = build_selection_violation(
                evaluation,
                RuleCode.TOO_MANY_COPIES,
                nodes[-1],
                measured=number,
                allowed=strictest.most,
                cause=tuple(locate_selection(evaluation, node) for node in nodes),
            )
            yield attach_words(violation, strictest.words)


def _find_copy_limit(node: SelectionNode) -> CopyLimit | None:
    """Return the copy limit. An unknown entry gets the strictest limit of the options around it, if all have one."""
    if node.option:
        return node.option.entry.target.copies
    offered = node.container.contents.options if node.container.contents else ()
    limits = [option.entry.target.copies for option in offered]
    return _choose_strictest(limits) if all(limits) else None


def _choose_strictest(limits: Iterable[CopyLimit | None]) -> CopyLimit | None:
    limited = [limit for limit in limits if limit and limit.most >= 0]
    return min(limited, key=lambda limit: limit.most, default=None)
