"""Nothing of another faction.

**Demands** that no selection is of an entry that only other factions of the game have.

**Why:** lists are typed in, pasted and moved between factions. A thing of somebody else's is not unknown: whoever reads
the verdict wants to hear whose it is, and which rule of the game forbids it.

**Measured** when the list is laid over the data, as far as that holds other factions: packs are judged with all of
theirs, community data with those that the list has detachments of. What stands on its own in its faction (a unit, a
card, a banner) keeps its price and what it is, so that other rules count it; an option of a unit there is a
placeholder. Reported on the outermost foreign selection.

**Broken by** a hound of the Demons among the Chapter's squads.
"""

from collections.abc import Iterator

from catalogue.definitions.rule_codes import RuleCode
from roster.engine.evaluation import Evaluation
from roster.engine.report import Violation
from roster.engine.rule import build_selection_violation
from roster.engine.rule_citation import attach_rule_text


def check(evaluation: Evaluation) -> Iterator[Violation]:
    """Find each selection of another faction's entry; what is counted is that faction."""
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
