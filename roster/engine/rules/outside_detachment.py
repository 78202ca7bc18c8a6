"""Nothing outside every detachment.

**Demands** that each unit is in a force.

**Why:** a list that comes from elsewhere may name units outside all of its detachments. They cost what they cost, and
most games forbid them.

**Measured** by what stands directly in the pseudo force that holds them. What may stand in no force at all, such as an
add-on without a host, is misplaced instead.

**Broken by** a unit written below the last detachment, and in none.
"""

from collections.abc import Iterator

from catalogue.definitions.rule_codes import RuleCode
from catalogue.graph.compiled_entry import CompiledOption
from roster.engine.evaluation import Evaluation
from roster.engine.report import Violation
from roster.engine.rule_citation import attach_rule_text
from roster.engine.violation_location import locate_selection


def check(evaluation: Evaluation) -> Iterator[Violation]:
    """A violation for each selection outside every detachment."""
    for force in evaluation.roster.all_forces:
        for node in force.members if force.is_outside else ():
            if node.option and _is_for_forces(node.option):
                place = locate_selection(evaluation, node)
                found = Violation(
                    code=RuleCode.OUTSIDE_DETACHMENT,
                    on=place,
                    owner_id=node.target_id,
                    constraint_id=RuleCode.OUTSIDE_DETACHMENT,
                    counted_id=node.target_id,
                    counted=place.name,
                    measured=node.number,
                    cause=(place,),
                )
                yield attach_rule_text(evaluation, found, node)


def _is_for_forces(option: CompiledOption) -> bool:
    """Whether some force could offer it; an add-on never stands on its own."""
    template = option.entry
    return template.link is not None or template.target in template.home.entries
