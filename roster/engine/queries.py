"""Answering queries: where a scope lies, what is counted in it, and whether a condition holds."""

from collections.abc import Callable, Container, Hashable, Iterable, Iterator
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from operator import eq, ge, gt, le, lt, ne
from typing import Protocol

from catalogue.definitions.numbers import Number
from catalogue.definitions.queries import (
    ANY,
    Condition,
    Field,
    Guard,
    Modifier,
    Operator,
    Query,
    Repeat,
    Scope,
)
from roster.engine.compile import Ruleset
from roster.engine.index import Tally
from roster.engine.state import ForceNode, GroupNode, Node, RosterNode, SelectionNode, SlotNode
from roster.engine.templates import Group, Membership

LIMIT_PREFIX = "limit::"
"""A query's field `limit::<cost type id>` asks for the roster's limit of that cost type."""

COMPARE: dict[Operator, Callable[[Number, Number], bool]] = {
    Operator.LESS_THAN: lt,
    Operator.GREATER_THAN: gt,
    Operator.EQUAL_TO: eq,
    Operator.NOT_EQUAL_TO: ne,
    Operator.AT_LEAST: ge,
    Operator.AT_MOST: le,
}
MODEL, UNIT, MODEL_OR_UNIT = Scope.MODEL.value, Scope.UNIT.value, Scope.MODEL_OR_UNIT.value
ANCESTOR, SELECTIONS, FORCES = Scope.ANCESTOR.value, Field.SELECTIONS.value, Field.FORCES.value


class CategorySource(Protocol):
    """Where queries learn of categories: as declared, or after modifiers."""

    def of(self, node: SelectionNode) -> Membership: ...


class CostSource(Protocol):
    """Where queries learn of costs: the sum of one type over what is inside `places`."""

    def total(self, type_id: str, places: Iterable[Node], key: Hashable, *, deep: bool) -> Number: ...

    def forget(self, node: Node) -> None: ...


class Queries:
    """Answers queries about one roster.

    `categories` tells what single selections are, `counted` what is counted as what: while categories themselves are
    worked out, `counted` holds the declared ones, so that counting never depends on its own outcome.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        roster: RosterNode,
        entries: Tally,
        categories: CategorySource,
        counted: CategorySource,
        costs: CostSource | None = None,
    ) -> None:
        self._categories_known: Container[object] = ruleset.binding.categories.keys()
        self._forces_known: Container[object] = ruleset.force_entry_ids
        self._cost_types = ruleset.binding.cost_types
        self.roster = roster
        self.categories = categories
        self.costs = costs
        self._entries = entries
        self._categories = Tally(lambda node: counted.of(node).ids)
        self._paths = Tally(path_keys)
        self._counted = counted
        self._slots: dict[ForceNode, dict[str, SlotNode]] = {}
        self._named: dict[str, Callable[[Node], Node | None]] = {
            Scope.PARENT: lambda node: node.parent or roster,
            Scope.SELF: lambda node: node,
            Scope.FORCE: lambda node: node.force or roster,
            Scope.PRIMARY_CATALOGUE: lambda node: node.force or roster,
            Scope.ROSTER: lambda _: roster,
            Scope.ROOT_ENTRY: root_of,
            Scope.PRIMARY_CATEGORY: self._primary_category,
        }

    # ---- scopes --------------------------------------------------------------------------------------------------

    def place(self, scope: str, node: Node) -> Node | None:
        """Where `scope` lies as seen from `node`; None where there is no such place."""
        named = self._named.get(scope)
        return named(node) if named else self._nearest(scope, node)

    def _primary_category(self, node: Node) -> Node | None:
        root = root_of(node)
        return self.slot(root.force, self.categories.of(root).primary) if root and root.force else None

    def _nearest(self, scope: str, node: Node) -> Node | None:
        """The nearest enclosing selection or force that `scope` names, or the category of that id."""
        if scope in self._categories_known:
            return self.slot(node.force, scope) if node.force else None
        for outer in self_and_outer(node):
            if isinstance(outer, SelectionNode) and is_called(outer, scope):
                return outer
            if isinstance(outer, ForceNode) and scope == outer.document.entry_id:
                return outer
            if group := _group_called(outer, scope):
                return group
        return None

    def slot(self, force: ForceNode, category_id: str) -> SlotNode:
        """A category of a force with its root selections."""
        slots = self._slots.get(force)
        if slots is None:
            slots = self._slots[force] = {}
            for member in force.members:
                for category in self._counted.of(member).ids:
                    self._slot(slots, force, category).members.append(member)
        return self._slot(slots, force, category_id)

    def _slot(self, slots: dict[str, SlotNode], force: ForceNode, category_id: str) -> SlotNode:
        found = slots.get(category_id)
        if found is None:
            slot = force.template.by_category.get(category_id) if force.template else None
            found = slots[category_id] = SlotNode(category_id, slot, force)
        return found

    def places(self, query: Query, node: Node) -> list[Node] | None:
        """The nodes whose insides `query` counts; None where its scope is not there."""
        place = self.place(query.scope, node)
        if place is None:
            return None
        if not query.include_child_forces:
            return [place]
        if isinstance(place, RosterNode):
            return [place, *(f for top in place.forces for f in top.with_nested if f is not top)]
        if isinstance(place, ForceNode):
            return list(place.with_nested)
        return [place]

    # ---- amounts -------------------------------------------------------------------------------------------------

    def amount(self, query: Query, node: Node, own: Hashable = None) -> Number | None:
        """What `query` amounts to as seen from `node`; None where its scope is not there or it asks nothing.

        `own` is what a query without `child_id` counts.
        """
        key = own if query.child_id is None else query.child_id
        field, scope = query.field, query.scope
        if scope == ANCESTOR:
            return sum(1 for outer in enclosing(node) if key is None or self.matches(outer, str(key)))
        if field.startswith(LIMIT_PREFIX):
            return self._limit(field.removeprefix(LIMIT_PREFIX))
        if key is None:
            return None
        places = self.places(query, node)
        if places is None:
            return None
        if field == SELECTIONS:
            return self._selections(query, places, key)
        if field == FORCES:
            return sum(1 for force in _forces_in(query, places) if _is_force(force, key))
        if field in self._cost_types and self.costs:
            return self.costs.total(field, places, key, deep=query.deep)
        return None

    def _selections(self, query: Query, places: list[Node], key: Hashable) -> Number:
        if key in self._forces_known:
            places = [f for f in _forces_around(places) if f.document.entry_id == key]
            key = ANY
        if key in self._categories_known:
            tally = self._categories
        elif query.shared or not isinstance(key, str):
            tally = self._entries
        else:
            tally = self._paths
        read = tally.deep if query.deep else tally.direct
        if len(places) == 1:
            return read(places[0]).get(key, 0)
        return sum(read(place).get(key, 0) for place in places)

    def beside(self, query: Query, node: Node, own: Hashable) -> Number:
        """How many selections of `own` are in what `node` is in: the commonest question, answered without detours."""
        return self._selections(query, [node.parent or self.roster], own)

    def forget(self, node: Node) -> None:
        """A selection in the making was given another member: what was counted in it and around it is stale."""
        outer: Node | None = node
        while isinstance(outer, SelectionNode):
            for tally in (self._entries, self._categories, self._paths):
                tally.forget(outer)
            if self.costs:
                self.costs.forget(outer)
            outer = outer.parent if outer.document is None else None

    def total(self, query: Query, node: Node) -> Number:
        """What a percentage is taken of: everything that `query` could count in its scope."""
        places = self.places(query, node) or []
        if query.field == FORCES:
            return sum(1 for _ in _forces_in(query, places))
        if query.field in self._cost_types and self.costs:
            return self.costs.total(query.field, places, ANY, deep=query.deep)
        return self._selections(query, places, ANY)

    def _limit(self, type_id: str) -> Number | None:
        limits = self.roster.document.limits
        return next((limit.value for limit in limits if limit.type_id == type_id), None)

    # ---- conditions ----------------------------------------------------------------------------------------------

    def holds(self, guard: Guard, node: Node) -> bool:
        """Whether a guard holds as seen from `node`; an empty one does."""
        if not (guard.conditions or guard.guards):
            return True
        if guard.any_of:
            return any(self.is_met(c, node) for c in guard.conditions) or any(
                self.holds(g, node) for g in guard.guards
            )
        return all(self.is_met(c, node) for c in guard.conditions) and all(
            self.holds(g, node) for g in guard.guards
        )

    def is_met(self, condition: Condition, node: Node) -> bool:
        """Whether a condition is met; one that cannot be answered is not."""
        query = condition.query
        if condition.operator is Operator.INSTANCE_OF:
            return self.is_instance(query, node)
        if condition.operator is Operator.NOT_INSTANCE_OF:
            return not self.is_instance(query, node)
        amount = self.amount(query, node)
        if amount is None:
            return False
        value = condition.value
        if query.percent:
            amount, value = 100 * amount, value * self.total(query, node)
        return COMPARE[condition.operator](amount, value)

    def is_instance(self, query: Query, node: Node) -> bool:
        """Whether what lies at the query's scope is an instance of its `child_id`."""
        wanted, scope = query.child_id, query.scope
        if wanted is None or scope == Scope.ROSTER:
            return False
        force = node.force
        if scope == Scope.ANCESTOR:
            return any(self.matches(outer, wanted) for outer in enclosing(node))
        if scope == Scope.PRIMARY_CATALOGUE:
            return force is not None and force.document.catalogue_id == wanted
        if scope == Scope.PRIMARY_CATEGORY:
            root = root_of(node)
            return root is not None and self.categories.of(root).primary == wanted
        if scope == Scope.FORCE:
            return force is not None and self._is_in_force(force, wanted)
        place = self.place(scope, node)
        return place is not None and self.matches(place, wanted)

    def _is_in_force(self, force: ForceNode, wanted: str) -> bool:
        if wanted in self._categories_known:
            return self._categories.deep(force).get(wanted, 0) > 0
        return force.document.entry_id == wanted

    def matches(self, node: Node, wanted: str) -> bool:
        """Whether a selection, group or force is what an id or type name means."""
        if isinstance(node, SelectionNode):
            if wanted in node.keys or wanted == node.entry_id:
                return True
            return wanted in self._categories_known and wanted in self.categories.of(node).ids
        if isinstance(node, ForceNode):
            return wanted in (node.document.entry_id, node.document.catalogue_id)
        return isinstance(node, GroupNode) and is_group_called(node.group, wanted)

    # ---- repeats -------------------------------------------------------------------------------------------------

    def times(self, modifier: Modifier, node: Node) -> int:
        """How often a modifier applies as seen from `node`: 0 where its guard does not hold."""
        if not self.holds(modifier.guard, node):
            return 0
        times = 1
        for level in modifier.repeats:
            times *= sum(self._repeated(repeat, node) for repeat in level)
        return times

    def _repeated(self, repeat: Repeat, node: Node) -> int:
        amount = self.amount(repeat.query, node)
        if amount is None or repeat.value <= 0:
            return 0
        step = repeat.value
        if repeat.query.percent:
            amount, step = 100 * amount, step * self.total(repeat.query, node)
        return whole(amount, step, up=repeat.round_up) * repeat.times if step else 0


def whole(amount: Number, step: Number, *, up: bool) -> int:
    """How many whole steps are in an amount; with `up`, a started one counts.

    >>> whole(7, 2, up=False), whole(7, 2, up=True)
    (3, 4)
    """
    if isinstance(amount, int) and isinstance(step, int):
        return -(-amount // step) if up else amount // step
    return int((Decimal(amount) / Decimal(step)).to_integral_value(ROUND_CEILING if up else ROUND_FLOOR))


def path_keys(node: SelectionNode) -> list[Hashable]:
    """What a selection is counted under where links are not shared: composite ids, its links', its type, `any`."""
    keys: dict[Hashable, None] = {node.entry_id: None, ANY: None}
    if node.option:
        template = node.option.template
        keys[template.target.type.value] = None
        parts = [template.link] if template.link else []
        for group in node.option.groups:
            keys[node.container.start + group.local_id] = None
            parts += [group.template.link] if group.template.link else []
        keys.update(dict.fromkeys(part.id for part in parts))
    return list(keys)


def self_and_outer(node: Node) -> Iterator[Node]:
    """`node` and all it is inside of, nearest first."""
    current: Node | None = node
    while current is not None:
        yield current
        current = current.parent


def enclosing(node: Node) -> Iterator[Node]:
    """The selections and forces that `node` is inside of, nearest first."""
    for outer in self_and_outer(node):
        if outer is not node and isinstance(outer, SelectionNode | ForceNode):
            yield outer


def root_of(node: Node) -> SelectionNode | None:
    """The selection directly inside the force that `node` is or is inside of."""
    for outer in self_and_outer(node):
        if isinstance(outer, SelectionNode) and isinstance(outer.parent, ForceNode):
            return outer
    return None


def is_called(node: SelectionNode, wanted: str) -> bool:
    """Whether `wanted` is the id of the selection's entry or link, or a scope that means its type."""
    if node.option is None:
        return wanted == node.target_id
    kind = node.option.template.target.type
    return (
        node.option.answers_to(wanted)
        or wanted == kind
        or (wanted == MODEL_OR_UNIT and kind in (MODEL, UNIT))
    )


def is_group_called(group: Group, wanted: str) -> bool:
    """Whether `wanted` is the id of the group or of the link to it."""
    template = group.template
    return wanted == template.target.id or bool(template.link and wanted == template.link.id)


def _group_called(node: Node, wanted: str) -> GroupNode | None:
    if isinstance(node, GroupNode):
        return node if is_group_called(node.group, wanted) else None
    if isinstance(node, SelectionNode) and node.option:
        for group in reversed(node.option.groups):
            if is_group_called(group, wanted):
                return GroupNode(group, node.container)
    return None


def _forces_in(query: Query, places: list[Node]) -> Iterator[ForceNode]:
    """The forces directly inside `places`, which hold the nested ones already where those are asked for."""
    for place in places:
        if isinstance(place, RosterNode | ForceNode):
            yield from place.forces


def _forces_around(places: list[Node]) -> Iterator[ForceNode]:
    for place in places:
        if isinstance(place, RosterNode):
            yield from place.forces
        elif isinstance(place, ForceNode):
            yield place


def _is_force(force: ForceNode, key: Hashable) -> bool:
    return key in (ANY, force.document.entry_id, force.document.catalogue_id)
