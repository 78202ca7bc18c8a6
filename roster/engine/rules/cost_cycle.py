"""Costs without cycles.

**Demands** that no cost depends on itself.

**Why:** if two units each cost 1 more per 10 points of the other, no price is correct.

**Measured** while costs are computed. Modifiers on a cycle are ignored, so that every cost has a value, and each cycle
is reported once.

**Broken by** two units whose costs each grow with the other's.
"""

from collections.abc import Iterator

from catalogue.definitions.rule_codes import RuleCode
from roster.engine.evaluation import Evaluation
from roster.engine.report import Violation
from roster.engine.rule import build_rule_violation
from roster.engine.violation_location import find_name, locate_node, locate_roster


def check(evaluation: Evaluation) -> Iterator[Violation]:
    # Settling finds the cycles.
    evaluation.costs.settle()
    for cycle in evaluation.costs.cycles:
        type_id = cycle[0][1]
        cause = tuple(locate_node(evaluation, node) for node, _ in cycle)
        yield build_rule_violation(
            RuleCode.COST_CYCLE,
            locate_roster(evaluation),
            type_id,
            owner_id=cause[0].entry_id,
            constraint_id=type_id,
            counted=find_name(evaluation, type_id),
            measured=len(cycle),
            cause=cause,
        )
