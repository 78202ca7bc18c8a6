"""Nothing in the wrong place.

**Demands** that no selection is in a place if the data offers its entry only elsewhere.

**Why:** imported and pasted lists contain add-ons in units that cannot take them, or two kinds of unit in one choice.
If the data says so, such a selection keeps its price and categories, so that other rules count it.

**Measured** when the list is loaded: for options of the faction's other units, and for root and shared entries if the
data names the rule that this breaks. Only root and shared entries keep a price.

**Broken by** a medic listed in a vehicle.
"""

from collections.abc import Iterator

from catalogue.definitions.rule_codes import RuleCode
from roster.engine.evaluation import Evaluation
from roster.engine.report import Violation
from roster.engine.rule import build_selection_violation
from roster.engine.rule_citation import attach_rule_text
from roster.engine.violation_location import locate_node


def check(evaluation: Evaluation) -> Iterator[Violation]:
    """Find each selection in a place that does not offer it; `counted` is that place."""
    for node in evaluation.roster.selections:
        if node.misplaced and not node.owners:
            holder = locate_node(evaluation, node.container)
            violation = build_selection_violation(
                evaluation, RuleCode.WRONG_PLACE, node, counted_id=holder.entry_id, counted=holder.name
            )
            yield attach_rule_text(evaluation, violation, node)
