"""Nothing outside every detachment.

**Demands** that each unit is in a force.

**Why:** a list that comes from elsewhere may name units outside all of its detachments. They cost what they cost, and
most games forbid them.

**Measured** by what stands directly in the pseudo force that holds them, whose force entry is blank and which is no
detachment for any rule. What may stand in no force at all, such as an add-on without a host, is misplaced instead.

**Broken by** a unit written below the last detachment, and in none.
"""

from collections.abc import Iterator

from catalogue.definitions.rule_codes import RuleCode
from catalogue.graph.compiled_entry import CompiledOption
from roster.engine.evaluation import Evaluation
from roster.engine.nodes import SelectionNode
from roster.engine.report import Violation
from roster.engine.rule import build_selection_violation, has_outsiders
from roster.engine.rule_citation import attach_rule_text

PREMISE = has_outsiders


def check(evaluation: Evaluation) -> Iterator[Violation]:
    """Find each selection outside every detachment."""
    for node in _list_outside(evaluation):
        if node.option and _is_for_forces(node.option):
            violation = build_selection_violation(evaluation, RuleCode.OUTSIDE_DETACHMENT, node)
            yield attach_rule_text(evaluation, violation, node)


def _list_outside(evaluation: Evaluation) -> Iterator[SelectionNode]:
    for force in evaluation.roster.all_forces:
        if force.is_outside:
            yield from force.members


def _is_for_forces(option: CompiledOption) -> bool:
    """Return whether some force could offer it; an add-on never stands on its own."""
    entry = option.entry
    return entry.link is not None or entry.target in entry.home.entries
