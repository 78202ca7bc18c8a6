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
from roster.engine.rule_citation import attach_rule_text
from roster.engine.violation_location import locate_selection


def check(evaluation: Evaluation) -> Iterator[Violation]:
    """A violation for each selection that the data has no entry for."""
    for node in evaluation.roster.selections:
        if node.option is None and node.container.layout is not None and not node.owners:
            place = locate_selection(evaluation, node)
            found = Violation(
                code=RuleCode.UNKNOWN_ENTRY,
                on=place,
                owner_id=node.target_id,
                constraint_id=RuleCode.UNKNOWN_ENTRY,
                counted_id=node.target_id,
                counted=place.name,
                measured=node.number,
                cause=(place,),
            )
            yield attach_rule_text(evaluation, found, node)
