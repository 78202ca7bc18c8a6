"""Nothing that is hidden.

**Demands** that no selection is of an entry that is hidden where it stands.

**Why:** data hides what may not be taken: the relics of another sub-faction, an upgrade whose condition is not met.

**Measured** by the hidden flag of the entry, of the link to it and of the groups around it, after modifiers. Reported
once per entry and place; `measured` is how many were taken.

**Broken by** a relic that was taken before the warlord changed its regiment.
"""

from collections.abc import Iterator

from roster.engine.evaluation import Evaluation
from roster.engine.nodes import Container
from roster.engine.report import Violation
from roster.engine.rule import build_hidden_violation
from roster.engine.rule_citation import attach_rule_text


def check(evaluation: Evaluation) -> Iterator[Violation]:
    """A violation for each hidden entry at each place where it was taken."""
    containers: list[Container] = [*evaluation.roster.all_forces, *evaluation.roster.selections]
    for container in containers:
        if container.members:
            for instances in evaluation.group_selections(container).values():
                if hidden := [node for node in instances if evaluation.effects.is_hidden(node)]:
                    yield attach_rule_text(evaluation, build_hidden_violation(evaluation, hidden), hidden[0])
