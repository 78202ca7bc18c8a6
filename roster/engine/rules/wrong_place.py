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
from roster.engine.rule_citation import attach_rule_text
from roster.engine.violation_location import locate_selection


def check(evaluation: Evaluation) -> Iterator[Violation]:
    """A violation for each selection at a place that does not offer it."""
    for node in evaluation.roster.selections:
        if node.misplaced and not node.owners:
            place = locate_selection(evaluation, node)
            found = Violation(
                code=RuleCode.WRONG_PLACE,
                on=place,
                owner_id=node.target_id,
                constraint_id=RuleCode.WRONG_PLACE,
                counted_id=node.target_id,
                counted=place.name,
                measured=node.number,
                cause=(place,),
            )
            yield attach_rule_text(evaluation, found, node)
