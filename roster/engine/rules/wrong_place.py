"""Nothing where it does not belong.

**Demands** that no selection stands where the data offers its entry elsewhere only.

**Why:** lists come from other programs and from people: an add-on in a unit that cannot take it, two kinds of unit
booked as one choice. It keeps its price and what it is, so that the other rules count it.

**Measured** when the list is laid over the data, for root and shared entries of data that says which rule that breaks.
Without such words the selection is an unknown one.

**Broken by** a medic listed in a vehicle.
"""

from collections.abc import Iterator

from catalogue.definitions.rule_codes import RuleCode
from roster.engine.evaluation import Evaluation
from roster.engine.report import Violation
from roster.engine.rule import build_selection_violation
from roster.engine.rule_citation import attach_rule_text


def check(evaluation: Evaluation) -> Iterator[Violation]:
    """Find each selection at a place that does not offer it."""
    for node in evaluation.roster.selections:
        if node.misplaced and not node.owners:
            violation = build_selection_violation(evaluation, RuleCode.WRONG_PLACE, node)
            yield attach_rule_text(evaluation, violation, node)
