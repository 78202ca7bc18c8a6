"""Every force exists in the data.

**Demands** that the data has the force entry and catalogue of each force.

**Why:** data changes, and lists come from other programs.

**Measured** when the list is loaded. The contents of an unknown force are kept but not checked.

**Broken by** a list whose faction is not in the data set.
"""

from collections.abc import Iterator

from catalogue.definitions.rule_codes import RuleCode
from roster.engine.evaluation import Evaluation
from roster.engine.nodes import ForceNode
from roster.engine.report import Violation
from roster.engine.rule import build_rule_violation
from roster.engine.violation_location import locate_force


def check(evaluation: Evaluation) -> Iterator[Violation]:
    """Find each force without a force entry or a catalogue; `owner_id` is the missing one."""
    for force in evaluation.roster.all_forces:
        if force.contents is None:
            yield _build_violation(evaluation, force)


def _build_violation(evaluation: Evaluation, force: ForceNode) -> Violation:
    document = force.document
    missing_id = document.entry_id if force.compiled_catalogue else document.catalogue_id
    location = locate_force(evaluation, force)
    name = document.name or missing_id
    return build_rule_violation(RuleCode.UNKNOWN_FORCE, location, missing_id, counted=name, measured=1)
