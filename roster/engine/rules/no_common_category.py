"""Something in common.

**Demands** that all units of a force, or of the whole list, are of one and the same category among those that the data
names, such as the keywords of factions; where the data bars some of them as too broad, of one that is not barred.

**Why:** “all units of a detachment share a faction keyword”. Each pair may share one and the three of them none, so no
count of a single category says it.

**Measured** by the categories that every unit has, after modifiers. How many units have what most of them share is set
against how many there are.

**Broken by** three units of which the first two are of clan X, the last two of clan Y, and the outer two of clan Z.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from catalogue.definitions.constraints import CommonCategory, RuleWords
from catalogue.definitions.rule_codes import RuleCode
from roster.engine.evaluation import Evaluation
from roster.engine.nodes import SelectionNode
from roster.engine.report import Location, Violation
from roster.engine.rule_citation import attach_words
from roster.engine.violation_location import MOST_CAUSES, locate_force, locate_roster, locate_selection


def check(evaluation: Evaluation) -> Iterator[Violation]:
    """A violation for each force whose units have nothing in common, and one for the list."""
    system = evaluation.ruleset.binding.game_system
    forces = [force for force in evaluation.roster.all_forces if not force.is_outside]
    if system and system.common:
        everyone = [
            node for force in forces for node in _list_units(evaluation, force.members, system.common)
        ]
        known = [node for node in everyone if _list_shared(evaluation, node, system.common)]
        yield from _judge_units(evaluation, system.common, known, locate_roster(evaluation), system.id)
    for force in forces:
        common = force.template.entry.common if force.template else None
        if common:
            units = _list_units(evaluation, force.members, common)
            yield from _judge_units(
                evaluation, common, units, locate_force(evaluation, force), force.document.entry_id
            )


def _list_units(
    evaluation: Evaluation, nodes: Sequence[SelectionNode], common: CommonCategory
) -> Sequence[SelectionNode]:
    return [node for node in nodes if not common.among or common.among in evaluation.categories.of(node).ids]


def _list_shared(evaluation: Evaluation, node: SelectionNode, common: CommonCategory) -> set[str]:
    return set(common.of).intersection(evaluation.categories.of(node).ids)


def _judge_units(
    evaluation: Evaluation,
    common: CommonCategory,
    nodes: Sequence[SelectionNode],
    place: Location,
    owner_id: str,
) -> Iterator[Violation]:
    found = Counter(category for node in nodes for category in _list_shared(evaluation, node, common))
    narrow = Counter({category: count for category, count in found.items() if category not in common.barred})
    if max(found.values(), default=0) < len(nodes):
        yield _build_violation(
            evaluation, common.unshared, nodes, max(found.values(), default=0), place, owner_id
        )
    elif common.barred_only and max(narrow.values(), default=0) < len(nodes):
        yield _build_violation(
            evaluation, common.barred_only, nodes, max(narrow.values(), default=0), place, owner_id
        )


def _build_violation(
    evaluation: Evaluation,
    words: RuleWords,
    nodes: Sequence[SelectionNode],
    most: int,
    place: Location,
    owner_id: str,
) -> Violation:
    found = Violation(
        code=RuleCode.NO_COMMON_CATEGORY,
        on=place,
        owner_id=owner_id,
        constraint_id=RuleCode.NO_COMMON_CATEGORY,
        counted=words.name,
        measured=most,
        allowed=len(nodes),
        cause=tuple(locate_selection(evaluation, node) for node in nodes[:MOST_CAUSES]),
    )
    return attach_words(found, words)
