"""Nothing that is hidden.

**Demands** that no selection is of an entry that is hidden where it stands.

**Why:** data hides what may not be taken: the relics of another sub-faction, an upgrade whose condition is not met.

**Measured** by the hidden flag of the entry, of the link to it and of the groups around it, after modifiers. Reported
once per entry and place; `measured` is how many were taken. What is hidden demands nothing itself.

**Broken by** a relic that was taken before the warlord changed its regiment.
"""

from collections.abc import Iterator

from roster.engine.evaluation import Evaluation
from roster.engine.footprints import HIDDEN
from roster.engine.nodes import Container
from roster.engine.report import Violation
from roster.engine.rule import build_hidden_violation
from roster.engine.rule_citation import attach_rule_text


def check(evaluation: Evaluation) -> Iterator[Violation]:
    """Find each hidden entry at each place where it was taken."""
    containers: list[Container] = [*evaluation.roster.all_forces, *evaluation.roster.selections]
    for container in containers:
        is_open = container.footprint is None or container.footprint.may_break(HIDDEN)
        if container.members and is_open:
            yield from _check_members(evaluation, container)


def _check_members(evaluation: Evaluation, container: Container) -> Iterator[Violation]:
    for nodes in evaluation.group_selections(container).values():
        hidden_nodes = [node for node in nodes if evaluation.values.is_hidden(node)]
        if hidden_nodes:
            if container.footprint:
                container.footprint.broken.add(HIDDEN)
            violation = build_hidden_violation(evaluation, hidden_nodes)
            yield attach_rule_text(evaluation, violation, hidden_nodes[0])
