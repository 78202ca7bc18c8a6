"""Nothing that the data does not have.

**Demands** that each selection is of an entry that the data offers at its place.

**Why:** data changes under a list, and lists come from other programs. What is not known cannot be judged, and must
not be lost either: it stays in the list as a placeholder under the name it was taken by.

**Measured** when the list is laid over the data. Reported on the outermost unknown selection; what is inside it is not
looked at.

**Broken by** a unit that a newer version of the data removed.
"""

from collections.abc import Iterator

from catalogue.definitions.rule_codes import RuleCode
from roster.engine.evaluation import Evaluation
from roster.engine.report import Violation
from roster.engine.rule import build_selection_violation
from roster.engine.rule_citation import attach_rule_text


def check(evaluation: Evaluation) -> Iterator[Violation]:
    """Find each selection that the data has no entry for; what is inside it is not looked at."""
    for node in evaluation.roster.selections:
        is_inside_known = node.container.contents is not None
        if node.is_unknown and is_inside_known:
            violation = build_selection_violation(evaluation, RuleCode.UNKNOWN_ENTRY, node)
            yield attach_rule_text(evaluation, violation, node)
