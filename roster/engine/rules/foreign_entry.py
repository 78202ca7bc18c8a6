"""Nothing from another faction.

**Demands** that no selection has an entry that only other factions of the game have.

**Why:** lists are typed, pasted and moved between factions. The verdict should name the faction that has the entry, and
the rule that forbids it.

**Measured** when the list is loaded, against all other factions of a pack or, with community data, the factions of the
list's detachments. A unit, card or banner keeps its price and categories, so that other rules count it; an option
inside it is a placeholder. Reported on the outermost foreign selection.

**Broken by** a hound of the Demons among the Chapter's squads.
"""

from collections.abc import Iterator

from catalogue.definitions.rule_codes import RuleCode
from roster.engine.evaluation import Evaluation
from roster.engine.report import Violation
from roster.engine.rule import build_selection_violation
from roster.engine.rule_citation import attach_rule_text


def check(evaluation: Evaluation) -> Iterator[Violation]:
    """Find each selection of another faction's entry. `counted` is that faction."""
    for node in evaluation.roster.selections:
        if not node.owners:
            continue
        violation = build_selection_violation(
            evaluation,
            RuleCode.FOREIGN_ENTRY,
            node,
            counted_id=node.owners[0].id,
            counted=", ".join(owner.name for owner in node.owners),
        )
        yield attach_rule_text(evaluation, violation, node)
