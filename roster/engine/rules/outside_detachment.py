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
from roster.engine.evaluation import Evaluation
from roster.engine.report import Violation
from roster.engine.rule import build_selection_violation
from roster.engine.rule_citation import attach_rule_text


def check(evaluation: Evaluation) -> Iterator[Violation]:
    """Find each selection outside every detachment."""
    for force in evaluation.roster.all_forces:
        for node in force.members if force.is_outside else ():
            entry = node.option.entry if node.option else None
            # Some force could offer it; an add-on is never on its own.
            if entry and (entry.link is not None or entry.target in entry.home.entries):
                violation = build_selection_violation(evaluation, RuleCode.OUTSIDE_DETACHMENT, node)
                yield attach_rule_text(evaluation, violation, node)
