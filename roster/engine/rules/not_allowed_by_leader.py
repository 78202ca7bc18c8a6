"""Built from the leader outward.

**Demands** that each selection of a force can be reached from its leader: through places that the leader opens, places
that these selections open, and so on. Compulsory places must not be filled in a circle either.

**Why:** "any unit allowed by a unit already in the detachment". If two units only allow each other, neither is allowed.
Constraints can compare the number of places, but cannot follow which unit allows which.

**Measured** from the declared leader or, without one, from the selection of the leader's category that reaches most. If
several leaders are declared, all but the first are reported, and the leader who reaches most is used. Any fitting unit
fills a place; a unit that fits several kinds of place counts in the best one. If compulsory places need all fitting
units, only compulsory places reach them. Selections without an open place break a constraint and are not reported
again; their demands do not count.

**Broken by** a leader who allows core units only, with a scout and a gun that allow each other.

**Feature:** allowances.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import NamedTuple

from catalogue.definitions.constraints import LeaderReach, Opening, RuleWords
from catalogue.definitions.numbers import Number
from catalogue.definitions.rule_codes import RuleCode
from roster.engine.evaluation import Evaluation
from roster.engine.nodes import ForceNode, SelectionNode
from roster.engine.report import Violation
from roster.engine.rule import build_selection_violation
from roster.engine.rule_citation import attach_words
from roster.engine.tree import copy_with
from roster.engine.violation_location import find_name


class OpenPlace(NamedTuple):
    """A kind of place in a force: the units that fit, the selections that open it, and how many each demands."""

    takers: frozenset[SelectionNode]
    offers: frozenset[SelectionNode]
    demands: Mapping[SelectionNode, Number]

    def is_tight(self, leader: SelectionNode, allowed: Set[SelectionNode]) -> bool:
        demanded = sum(number for node, number in self.demands.items() if node in allowed or node is leader)
        return 0 < len(self.takers - {leader}) == demanded

    def is_fillable(self, leader: SelectionNode) -> bool:
        """Return whether enough units fit for the demands. A leader fills no place."""
        return len(self.takers - {leader}) >= sum(self.demands.values())


def check(evaluation: Evaluation) -> Iterator[Violation]:
    for force in evaluation.roster.all_forces:
        if force.growth:
            yield from _judge_force(evaluation, force, force.growth)


def _judge_force(evaluation: Evaluation, force: ForceNode, growth: LeaderReach) -> Iterator[Violation]:
    able = [node for node in force.members if growth.leader in evaluation.categories.get_membership(node).ids]
    declared = [node for node in force.members if node.document and node.document.id in force.document.leading]
    able_declared = [node for node in declared if node in able]
    number = sum(node.number for node in able_declared)
    for node in declared:
        is_able = node in able
        # The first may lead, unless that selection is several units.
        if is_able and (number == 1 or (node is able_declared[0] and node.number == 1)):
            continue
        misled = _build_violation(evaluation, growth, growth.misled, node)
        if is_able:
            yield copy_with(misled, measured=number, allowed=1)
        else:
            yield copy_with(misled, counted_id=growth.leader, counted=find_name(evaluation, growth.leader))

    leaders = able_declared if declared else able
    if leaders:
        yield from _judge_reach(evaluation, force, growth, leaders, able)


def _judge_reach(
    evaluation: Evaluation,
    force: ForceNode,
    growth: LeaderReach,
    leaders: Sequence[SelectionNode],
    able: Sequence[SelectionNode],
) -> Iterator[Violation]:
    costs = {node: evaluation.costs.get_unit_costs(node) for node in force.members}
    categories = {node: evaluation.categories.get_membership(node).ids for node in force.members}
    places = [_build_place(opening, costs, categories) for opening in growth.openings]
    allowed = _list_allowed(places, able)
    # Ignore leaders whose compulsory places cannot be filled, unless that is true of all.
    capable = [leader for leader in leaders if all(place.is_fillable(leader) for place in places)]
    unreached = allowed - _find_most_led(capable or leaders, places, allowed)
    left_out = [node for node in force.members if node in unreached]
    if not left_out:
        return
    reached_by_choice = _find_most_led(leaders, places)
    for node in left_out:
        words = growth.unfilled if node in reached_by_choice else growth.unreached
        yield _build_violation(evaluation, growth, words, node)


def _find_most_led(
    leaders: Iterable[SelectionNode], places: Sequence[OpenPlace], allowed: Set[SelectionNode] = frozenset()
) -> set[SelectionNode]:
    return max((_find_reached(leader, places, allowed) for leader in leaders), key=len)


def _list_allowed(places: Sequence[OpenPlace], able: Sequence[SelectionNode]) -> Set[SelectionNode]:
    allowed = _join_takers(place for place in places if place.offers or place.demands)
    # Constraints allow one selection without a place, because it may lead.
    lonely = set(able) - allowed
    return allowed | lonely if len(lonely) == 1 else allowed


def _join_takers(places: Iterable[OpenPlace]) -> frozenset[SelectionNode]:
    return frozenset[SelectionNode]().union(*(place.takers for place in places))


def _build_place(
    opening: Opening,
    costs: Mapping[SelectionNode, Mapping[str, Number]],
    categories: Mapping[SelectionNode, tuple[str, ...]],
) -> OpenPlace:
    fitting = frozenset(opening.takers)
    takers = frozenset(node for node, ids in categories.items() if not fitting.isdisjoint(ids))
    demands = {node: cost[opening.demanded] for node, cost in costs.items() if cost.get(opening.demanded)}
    offers = frozenset(n for n, cost in costs.items() if cost.get(opening.allowed, 0) > demands.get(n, 0))
    return OpenPlace(takers, offers, demands)


def _find_reached(
    leader: SelectionNode, places: Sequence[OpenPlace], allowed: Set[SelectionNode] = frozenset()
) -> set[SelectionNode]:
    """Return what a leader reaches. Units that the demands of `allowed` need fill nothing else."""
    tight = [place for place in places if allowed and place.is_tight(leader, allowed)]
    needed = _join_takers(tight)
    reached, size = {leader}, 0
    while len(reached) > size:
        size = len(reached)
        for place in places:
            # Only a selection that demands a tight place leads to it.
            if place in tight:
                reached |= place.takers if reached & place.demands.keys() else frozenset()
            elif reached & (place.demands.keys() | place.offers):
                reached |= place.takers - needed
    return reached


def _build_violation(evaluation: Evaluation, growth: LeaderReach, words: RuleWords, node: SelectionNode) -> Violation:
    code = RuleCode.NOT_ALLOWED_BY_LEADER
    violation = build_selection_violation(evaluation, code, node, constraint_id=growth.leader)
    return attach_words(violation, words)
