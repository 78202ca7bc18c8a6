"""Nothing outside detachments.

**Demands** that each unit is in a force.

**Why:** imported lists may name units outside all detachments. Most games forbid them; their costs count.

**Measured** by the direct members of the pseudo force that holds them. Its force entry is blank, and no rule counts it
as a detachment. A selection that no force could hold, such as an add-on without a host, is misplaced instead.

**Broken by** a unit written below the last detachment but not inside it.
"""

from collections.abc import Iterator

from catalogue.definitions.rule_codes import RuleCode
from roster.engine.evaluation import Evaluation
from roster.engine.report import Violation
from roster.engine.rule import build_selection_violation
from roster.engine.rule_citation import attach_rule_text


def check(evaluation: Evaluation) -> Iterator[Violation]:
    for force in evaluation.roster.all_forces:
        for node in force.members if force.is_outside else ():
            entry = node.option.entry if node.option else None
            # Some force could offer it; add-ons always need a host.
            if entry and (entry.link is not None or entry.target in entry.home.entries):
                violation = build_selection_violation(evaluation, RuleCode.OUTSIDE_DETACHMENT, node)
                yield attach_rule_text(evaluation, violation, node)
