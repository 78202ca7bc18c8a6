"""Built from the leader outward.

**Demands** that each selection of a force can be reached from the one that leads it: by places that the leader opens,
by those that the ones reached open in turn, and so on; and that compulsory places are not filled in a circle either.

**Why:** "any unit allowed by a unit already in the detachment". Two units that only allow each other are allowed by
nobody. How many places there are is a matter of sums, which constraints compare; who hangs on whom is not.

**Measured** from the leader that the player declared, else from the selection of the leader's category that reaches
most. A place counts as filled by whoever fits. Where all that fit are needed for compulsory places, only compulsory
places lead on. What no place in the force is open to breaks a constraint, and is not reported again; nobody is held to
what it demands.

**Broken by** a leader who allows core units only, and beside him a scout and a gun that allow each other.
"""

from collections.abc import Iterator, Mapping, Sequence, Set
from functools import partial
from typing import NamedTuple

from catalogue.definitions.constraints import LeaderReach, Opening, RuleWords
from catalogue.definitions.numbers import Number
from catalogue.definitions.rule_codes import RuleCode
from roster.engine.evaluation import Evaluation
from roster.engine.nodes import ForceNode, SelectionNode
from roster.engine.report import Violation
from roster.engine.rule_citation import attach_words
from roster.engine.tree import copy_with
from roster.engine.violation_location import find_name, locate_selection


class OpenPlace(NamedTuple):
    """A kind of place in one force: who fits, who opens it to choice, how many each demands to be filled."""

    takers: frozenset[SelectionNode]
    offers: frozenset[SelectionNode]
    demands: Mapping[SelectionNode, Number]

    def is_tight(self, leader: SelectionNode, allowed: Set[SelectionNode]) -> bool:
        """Whether all that fit are needed for what is demanded, so that nobody is left for a place by choice."""
        demanded = sum(number for node, number in self.demands.items() if node in allowed or node is leader)
        return 0 < len(self.takers - {leader}) == demanded

    def is_fillable(self, leader: SelectionNode) -> bool:
        """Whether there are enough for what is demanded; a leader fills no place."""
        return len(self.takers - {leader}) >= sum(self.demands.values())


def check(evaluation: Evaluation) -> Iterator[Violation]:
    """A violation for each selection that hangs on nothing that the leader leads to."""
    for force in evaluation.roster.all_forces:
        growth = force.template.entry.growth if force.template else None
        if growth:
            yield from _judge_force(evaluation, force, growth)


def _judge_force(evaluation: Evaluation, force: ForceNode, growth: LeaderReach) -> Iterator[Violation]:
    made = partial(_build_violation, evaluation, growth)
    able = [node for node in force.members if growth.leader in evaluation.categories.of(node).ids]
    declared = [
        node for node in force.members if node.document and node.document.id == force.document.leader_id
    ]
    if declared and declared[0] not in able:
        misled = made(growth.misled, declared[0])
        yield copy_with(misled, counted_id=growth.leader, counted=find_name(evaluation, growth.leader))
        return
    leaders = declared or able
    if not leaders:
        return
    costs = {node: evaluation.costs.get_unit_costs(node) for node in force.members}
    places = [_build_place(evaluation, costs, opening) for opening in growth.openings]
    allowed = {node for place in places if place.offers or place.demands for node in place.takers}
    # Constraints let one be there that nobody allows, since it may lead. It does not where another one has to.
    lonely = [node for node in able if node not in allowed]
    allowed |= set(lonely) if len(lonely) == 1 else set()
    free = [leader for leader in leaders if all(place.is_fillable(leader) for place in places)]
    strict = max((_find_reached(leader, places, allowed) for leader in free or leaders), key=len)
    if len(strict) == len(force.members):
        return
    loose = max((_find_reached(leader, places) for leader in leaders), key=len)
    for node in force.members:
        if node in allowed and node not in strict:
            yield made(growth.unfilled if node in loose else growth.unreached, node)


def _build_place(
    evaluation: Evaluation, costs: Mapping[SelectionNode, Mapping[str, Number]], opening: Opening
) -> OpenPlace:
    """A kind of place as it stands among selections with these costs."""
    takers = frozenset(
        node for node in costs if not set(opening.takers).isdisjoint(evaluation.categories.of(node).ids)
    )
    demands = {node: cost[opening.demanded] for node, cost in costs.items() if cost.get(opening.demanded)}
    offers = frozenset(n for n, cost in costs.items() if cost.get(opening.allowed, 0) > demands.get(n, 0))
    return OpenPlace(takers, offers, demands)


def _find_reached(
    leader: SelectionNode, places: Sequence[OpenPlace], allowed: Set[SelectionNode] = frozenset()
) -> set[SelectionNode]:
    """What a leader leads to, place by place; who is needed for what the `allowed` demand is kept to that."""
    tight = [place for place in places if allowed and place.is_tight(leader, allowed)]
    needed = frozenset[SelectionNode]().union(*(place.takers for place in tight))
    found, size = {leader}, 0
    while len(found) > size:
        size = len(found)
        for place in places:
            if place in tight:
                found |= place.takers if found & place.demands.keys() else set()
            elif found & (place.demands.keys() | place.offers):
                found |= place.takers - needed
    return found


def _build_violation(
    evaluation: Evaluation, growth: LeaderReach, words: RuleWords, node: SelectionNode
) -> Violation:
    place = locate_selection(evaluation, node)
    found = Violation(
        code=RuleCode.NOT_ALLOWED_BY_LEADER,
        on=place,
        owner_id=node.target_id,
        constraint_id=growth.leader,
        counted_id=node.target_id,
        counted=place.name,
        measured=node.number,
        cause=(place,),
    )
    return attach_words(found, words)
