"""Every selection exists in the data.

**Demands** that the faction has the entry of each selection.

**Why:** data changes, and lists come from other programs. An unknown entry cannot be checked, but must not be lost: it
stays as a placeholder under its old name.

**Measured** when the list is loaded. Reported on the outermost unknown selection; its contents are not checked. Inside
a unit, `counted` is that unit.

**Broken by** a unit that a newer version of the data removed.
"""

from collections.abc import Iterator

from catalogue.definitions.rule_codes import RuleCode
from roster.engine.evaluation import Evaluation
from roster.engine.nodes import SelectionNode
from roster.engine.report import Violation
from roster.engine.rule import build_selection_violation
from roster.engine.rule_citation import attach_rule_text
from roster.engine.tree import copy_with
from roster.engine.violation_location import locate_node


def check(evaluation: Evaluation) -> Iterator[Violation]:
    for node in evaluation.roster.selections:
        is_inside_known = node.container.contents is not None
        if node.is_unknown and is_inside_known and not node.misplaced:
            violation = build_selection_violation(evaluation, RuleCode.UNKNOWN_ENTRY, node)
            if isinstance(node.container, SelectionNode):
                holder = locate_node(evaluation, node.container)
                violation = copy_with(violation, counted_id=holder.entry_id, counted=holder.name)
            yield attach_rule_text(evaluation, violation, node)
