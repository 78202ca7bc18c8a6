"""What stands in the way of one more: the figures after a pick, worked out without making it."""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import NamedTuple

from catalogue.definitions.constraints import Constraint, Severity
from catalogue.definitions.numbers import Number
from catalogue.definitions.queries import ANY, Bound, Field, Query, Scope
from catalogue.definitions.rule_codes import RuleCode
from catalogue.graph.compiled_constraints import NO_CONSTRAINTS
from catalogue.graph.compiled_entry import CompiledOption
from roster.engine.auto_select import fill_selection
from roster.engine.checks import (
    Check,
    Figures,
    get_owner_key,
    is_suppressed,
    list_pressing_checks,
    measure_check,
)
from roster.engine.costs import list_members
from roster.engine.evaluation import Evaluation
from roster.engine.nodes import Container, ForceNode, GroupNode, Node, RosterNode, SelectionNode, SlotNode
from roster.engine.report import Violation
from roster.engine.rule import Breach, build_hidden_violation, build_limit_violation, build_violation
from roster.engine.scopes import find_root
from roster.engine.totals import Totals

UPPER = {Bound.MAX: RuleCode.MAXIMUM, Bound.EXACTLY: RuleCode.EXACTLY}
"""The ways to bind that a pick can break for good, and the codes of that."""


class NewSelection(NamedTuple):
    """A selection that would come into being, and how many per one of the container."""

    node: SelectionNode
    number: int


Pick = list[NewSelection]
"""One pick with all that comes along: the asked-for selection first."""


def pick_again(node: SelectionNode) -> Pick:
    """The pick of one more of what a selection is, with what is inside it."""
    return [
        NewSelection(node, 1),
        *(NewSelection(inner, number) for inner, number in list_members(node, deep=True)),
    ]


def pick_option(evaluation: Evaluation, container: Container, option: CompiledOption) -> Pick:
    """The pick of one of an option as a selection of its own, filled as it would be."""
    node = evaluation.preview_selection(container, option)
    if (
        not node.members
    ):  # what could stand there is remembered, and filled already if it was asked about before
        fill_selection(evaluation, node)
    return pick_again(node)


class PickPreview:
    """Tells what a pick inside one container would break.

    Minimums never stand in the way, nor do percentages: the next picks can mend them.
    """

    def __init__(self, evaluation: Evaluation, container: Container) -> None:
        self._evaluation = evaluation
        self._container = container
        self._spent = evaluation.totals
        self._limits = [limit for limit in evaluation.roster.document.limits if limit.value >= 0]
        self._pressing: dict[Hashable, list[Breach]] = {}
        self._places: dict[tuple[int, Node], Sequence[Node]] = {}
        self._violations: dict[tuple[int, Figures], Violation] = {}
        for bound in UPPER:
            for standing in self._measure_checks(list_pressing_checks(evaluation, bound)):
                for key in _list_check_keys(evaluation, standing.claim):
                    self._pressing.setdefault(key, []).append(standing)

    def _measure_checks(self, claims: Iterable[Check]) -> Iterator[Breach]:
        """The claims that a pick can break for good, with their figures before it."""
        for claim in claims:
            constraint = claim.demand.constraint
            if constraint.severity is Severity.ERROR and not constraint.query.percent:
                found = measure_check(self._evaluation, claim)
                if found:
                    yield Breach(claim, found)

    def find_violation(self, plan: Pick, costs: Totals) -> Violation | None:
        """The violation that a pick would cause or make worse; None where it is free to take.

        In a detachment one that no further pick could mend comes first: that decides whether it may be taken. Inside a
        selection the pick's own demands come first: that something else is chosen says less.
        """
        node = plan[0].node
        if self._evaluation.effects.is_hidden(node):
            return build_hidden_violation(self._evaluation, [node])
        inside = isinstance(self._container, SelectionNode)
        mendable = None
        for standing in self._list_affected_checks(plan, costs):
            after = self._predict_figures(standing, plan, costs)
            if after and not is_suppressed(self._evaluation, standing.claim):
                told = self._build_violation(Breach(standing.claim, after))
                if inside or not told.mendable:
                    return told
                mendable = mendable or told
        return self._find_limit_violation(costs) or mendable

    def _build_violation(self, breach: Breach) -> Violation:
        key = (id(breach.claim.demand.constraint), breach.figures)
        told = self._violations.get(key)
        if told is None:
            code = UPPER[breach.claim.demand.constraint.bound]
            told = self._violations[key] = build_violation(self._evaluation, code, breach)
        return told

    def _find_limit_violation(self, costs: Totals) -> Violation | None:
        for limit in self._limits:
            added = costs.get(limit.type_id, 0)
            spent = self._spent.get(limit.type_id, 0) + added
            if added > 0 and spent > limit.value:
                return build_limit_violation(self._evaluation, limit.type_id, spent, limit.value)
        return None

    def _list_affected_checks(self, plan: Pick, costs: Totals) -> Iterator[Breach]:
        """What a pick could break: its own claims, its groups', and those that press on what it is counted as."""
        yield from self._measure_checks(self._list_own_checks(plan))
        seen: set[int] = set()
        # Dictionaries, not sets: what stands in the way first is the same in every process.
        keys: dict[Hashable, None] = dict.fromkeys(
            key for node, _ in plan for key in _list_keys(self._evaluation, node)
        )
        types = dict.fromkeys(
            type_id for node, _ in plan for type_id in self._evaluation.costs.get_unit_costs(node)
        )
        for key in keys | {(ANY, type_id): None for type_id in (*types, *costs)}:
            for standing in self._pressing.get(key, ()):
                if id(standing) not in seen:
                    seen.add(id(standing))
                    yield standing

    def _list_own_checks(self, plan: Pick) -> Iterator[Check]:
        top = plan[0].node
        for node, _ in plan:
            demands = node.option.entry.constraints if node.option else NO_CONSTRAINTS
            for demand in demands.upper if node is top else demands.reaching:
                yield Check(demand, node)
        for group in top.option.groups if top.option else ():
            for demand in group.entry.constraints.upper:
                yield Check(demand, self._evaluation.effects.get_group(group, self._container))

    def _predict_figures(self, standing: Breach, plan: Pick, costs: Totals) -> Figures | None:
        """The figures after the pick where it causes or worsens a breach; None where it does not."""
        claim, before = standing.claim, standing.figures
        constraint = claim.demand.constraint
        own = get_owner_key(claim)
        more = self._compute_growth(constraint.query, claim.node, own, plan, costs)
        if before.measured + more <= before.allowed and _can_only_grow(constraint):
            return None
        room = sum(
            t.coefficient * self._compute_growth(t.query, claim.node, own, plan, costs)
            for t in constraint.terms
        )
        after = Figures(before.measured + more, before.allowed + room)
        begins = claim.demand.explicit and any(claim.node is planned.node for planned in plan)
        return after if after.measured > after.allowed and (more > room or begins) else None

    # ---- how a query grows ---------------------------------------------------------------------------------------

    def _compute_growth(self, query: Query, node: Node, own: Hashable, plan: Pick, costs: Totals) -> Number:
        """How much a query grows by a pick."""
        key = own if query.child_id is None else query.child_id
        if query.field == Field.FORCES or query.scope == Scope.ANCESTOR or key is None:
            return 0
        total: Number = 0
        asked = (id(query), node)
        if asked not in self._places:
            self._places[asked] = self._evaluation.scopes.list_places(query, node) or ()
        for place in self._places[asked]:
            times, direct = count_in_place(place, self._container, plan[0].node, self._evaluation)
            counted = plan if query.deep else plan[: 1 if direct else 0]
            whole = key == ANY and query.deep and isinstance(place, RosterNode | ForceNode)
            if times and whole and query.field in costs:
                total += costs[query.field]
            elif times:
                total += times * sum(
                    self._weigh_selection(query, p) for p in counted if self._is_counted(p.node, key)
                )
        return total

    def _weigh_selection(self, query: Query, planned: NewSelection) -> Number:
        if query.field == Field.SELECTIONS:
            return planned.number
        return planned.number * self._evaluation.costs.get_unit_cost(planned.node, query.field)

    def _is_counted(self, node: SelectionNode, key: Hashable) -> bool:
        return key in _list_keys(self._evaluation, node)


def count_in_place(
    place: Node, container: Container, pick: SelectionNode, evaluation: Evaluation
) -> tuple[int, bool]:
    """How often a place counts one pick inside a container (0: not at all), and whether it is directly inside."""
    if place is container:
        return 1, True
    if isinstance(place, RosterNode):
        inside = container.force is not None and container.force.parent is place
        return _get_total(container) if inside else 0, container is container.force
    if isinstance(place, ForceNode):
        return _get_total(container) if container.force is place else 0, False
    if isinstance(place, SlotNode):
        if container is place.force:
            return int(place.id in evaluation.categories.of(pick).ids), True
        return _get_total(container) if find_root(container) in place.members else 0, False
    if isinstance(place, GroupNode) and place.container is container:
        return int(pick.option is not None and place.group in pick.option.groups), True
    times = 1
    outer: Node | None = container
    while isinstance(outer, SelectionNode):
        times *= outer.number
        outer = outer.parent
        if outer is place:
            return times, False
    return 0, False


def _get_total(container: Container) -> int:
    return container.total if isinstance(container, SelectionNode) else 1


def _can_only_grow(constraint: Constraint) -> bool:
    """Whether no pick can make the bound lower: a cost may be below zero, a number of selections never is."""
    return all(t.coefficient >= 0 and t.query.field == Field.SELECTIONS for t in constraint.terms)


def _list_keys(evaluation: Evaluation, node: SelectionNode) -> tuple[Hashable, ...]:
    return (*node.keys, *evaluation.categories.of(node).ids, node.entry_id)


def _list_check_keys(evaluation: Evaluation, claim: Check) -> set[Hashable]:
    """The keys by which a pick could be counted in a claim's figures; a cost of anything by its type."""
    constraint = claim.demand.constraint
    own = get_owner_key(claim)
    keys: set[Hashable] = set()
    for query in (constraint.query, *(term.query for term in constraint.terms)):
        key = own if query.child_id is None else query.child_id
        if key == ANY and query.field not in (Field.SELECTIONS, Field.FORCES):
            keys.add((ANY, query.field))
        elif key is not None:
            keys.add(ANY if key in evaluation.ruleset.force_entry_ids else key)
    return keys
