"""Something in common.

**Demands** that all units of a force, or of the list, share one of the categories that the data names, such as faction
keywords. Categories that the data excludes as too broad do not count.

**Why:** "all units of a detachment share a faction keyword". Each pair of three units may share a keyword although all
three share none, so counting one category is not enough.

**Measured** by the units' categories after modifiers: how many units have the most common one, compared with all units.

**Broken by** three units, the first two of clan X, the last two of clan Y, and the outer two of clan Z.

**Feature:** common_keyword.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from catalogue.definitions.constraints import CommonCategory
from catalogue.definitions.rule_codes import RuleCode
from roster.engine.evaluation import Evaluation
from roster.engine.nodes import SelectionNode
from roster.engine.report import Location, Violation
from roster.engine.rule import build_rule_violation
from roster.engine.rule_citation import attach_words
from roster.engine.violation_location import MOST_CAUSES, locate_force, locate_roster, locate_selection


def check(evaluation: Evaluation) -> Iterator[Violation]:
    forces = [force for force in evaluation.roster.all_forces if not force.is_outside]
    system = evaluation.ruleset.binding.game_system
    if system and system.common:
        # Units with none of the categories do not count for the whole list.
        units = [node for force in forces for node in _list_units(evaluation, force.members, system.common)]
        sharing = [node for node in units if _list_shared(evaluation, node, system.common)]
        yield from _judge_units(evaluation, system.common, sharing, locate_roster(evaluation), system.id)
    for force in forces:
        if force.common:
            units = _list_units(evaluation, force.members, force.common)
            location = locate_force(evaluation, force)
            yield from _judge_units(evaluation, force.common, units, location, force.document.entry_id)


def _list_units(evaluation: Evaluation, nodes: Sequence[SelectionNode], common: CommonCategory) -> list[SelectionNode]:
    return [
        node for node in nodes if not common.among or common.among in evaluation.categories.get_membership(node).ids
    ]


def _list_shared(evaluation: Evaluation, node: SelectionNode, common: CommonCategory) -> set[str]:
    return set(common.of).intersection(evaluation.categories.get_membership(node).ids)


def _judge_units(
    evaluation: Evaluation, common: CommonCategory, nodes: Sequence[SelectionNode], location: Location, owner_id: str
) -> Iterator[Violation]:
    counts = Counter(category for node in nodes for category in _list_shared(evaluation, node, common))
    most = max(counts.values(), default=0)
    most_unbarred = max((count for category, count in counts.items() if category not in common.barred), default=0)
    # Report only one: nothing in common, or only something too broad.
    if most < len(nodes):
        words, measured = common.unshared, most
    elif common.barred_only and most_unbarred < len(nodes):
        words, measured = common.barred_only, most_unbarred
    else:
        return
    violation = build_rule_violation(
        RuleCode.NO_COMMON_CATEGORY,
        location,
        owner_id,
        counted_id="",
        counted=words.name,
        measured=measured,
        allowed=len(nodes),
        cause=tuple(locate_selection(evaluation, node) for node in nodes[:MOST_CAUSES]),
    )
    yield attach_words(violation, words)
