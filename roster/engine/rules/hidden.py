"""Nothing that is hidden.

**Demands** that no selection is of an entry that is hidden where it stands.

**Why:** data hides what may not be taken: the relics of another sub-faction, an upgrade whose condition is not met.

**Measured** by the hidden flag of the entry, of the link to it and of the groups around it, after modifiers. Reported once
per entry and place; `measured` is how many were taken.

**Broken by** a relic that was taken before the warlord changed its regiment.
"""

from collections.abc import Iterator

from roster.engine.case import Case
from roster.engine.places import selection_place
from roster.engine.report import Violation
from roster.engine.rule import RuleKind
from roster.engine.state import Container, SelectionNode

CODE = "hidden"


def check(case: Case) -> Iterator[Violation]:
    """A violation for each hidden entry at each place where it was taken."""
    containers: list[Container] = [*case.roster.all_forces, *case.roster.selections]
    for container in containers:
        if container.members:
            for instances in case.chosen(container).values():
                if hidden := [node for node in instances if case.effects.hidden(node)]:
                    yield _violation(case, hidden)


def _violation(case: Case, nodes: list[SelectionNode]) -> Violation:
    first = nodes[0]
    return Violation(
        code=CODE,
        on=selection_place(case, first),
        owner_id=first.target_id,
        constraint_id=CODE,
        counted_id=first.target_id,
        counted=case.effects.name(first),
        measured=sum(node.number for node in nodes),
        cause=tuple(selection_place(case, node) for node in nodes),
        citation=case.effects.citation(first),
    )


KIND = RuleKind(CODE, check)
