"""Costs that can be worked out.

**Demands** that no cost depends on itself.

**Why:** data may say "costs 1 more for each 10 points of the other unit" both ways round; then no number is right.

**Measured** while costs are worked out. The modifiers in the circle are left out, so that every cost has a value, and
each circle is reported once.

**Broken by** two units whose costs each grow with the other's.
"""

from collections.abc import Iterator

from catalogue.definitions.rule_codes import RuleCode
from roster.engine.case import Case
from roster.engine.places import name_of, place_of, roster_place
from roster.engine.report import Violation


def check(case: Case) -> Iterator[Violation]:
    """A violation for each circle of costs."""
    case.costs.settle()
    for cycle in case.costs.cycles:
        type_id = cycle[0][1]
        cause = tuple(place_of(case, node) for node, _ in cycle)
        yield Violation(
            code=RuleCode.COST_CYCLE,
            on=roster_place(case),
            owner_id=cause[0].entry_id,
            constraint_id=type_id,
            counted_id=type_id,
            counted=name_of(case, type_id),
            measured=len(cycle),
            cause=cause,
        )
