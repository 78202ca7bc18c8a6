"""Nothing in the wrong place.

**Demands** that no selection is in a place if the data offers its entry only elsewhere.

**Why:** imported and pasted lists contain add-ons in units that cannot take them, or two kinds of unit as one choice.
Such a selection keeps its price and categories, so that other rules count it.

**Measured** when the list is loaded, for root and shared entries if the data says which rule this breaks. Without such
words the selection is unknown.

**Broken by** a medic listed in a vehicle.
"""

from collections.abc import Iterator

from catalogue.definitions.rule_codes import RuleCode
from roster.engine.evaluation import Evaluation
from roster.engine.report import Violation
from roster.engine.rule import build_selection_violation
from roster.engine.rule_citation import attach_rule_text


def check(evaluation: Evaluation) -> Iterator[Violation]:
    for node in evaluation.roster.selections:
        if node.misplaced and not node.owners:
            violation = build_selection_violation(evaluation, RuleCode.WRONG_PLACE, node)
            yield attach_rule_text(evaluation, violation, node)
