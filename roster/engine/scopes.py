"""Find the place that a scope means from a node; match nodes with ids."""

from collections.abc import Callable, Container, Iterator, Mapping
from functools import cached_property
from itertools import takewhile
from typing import Protocol

from catalogue.definitions.queries import Query, Scope
from catalogue.graph.compiled_entry import CategoryMembership, CompiledGroup
from catalogue.graph.ruleset import Ruleset
from roster.engine.game_plan_index import PLACES, GamePlanIndex
from roster.engine.nodes import ForceNode, GroupNode, Node, RosterNode, SelectionNode, SlotNode, TextNode
from roster.engine.tree import Attachment

MODEL, UNIT, MODEL_OR_UNIT = Scope.MODEL.value, Scope.UNIT.value, Scope.MODEL_OR_UNIT.value


class CategorySource(Protocol):
    def get_membership(self, node: SelectionNode) -> CategoryMembership: ...

    def get_uncommanded(self, node: SelectionNode) -> CategoryMembership: ...


class Scopes:
    """Finds places in one roster.

    `counted` are the categories for counting: the declared ones while categories settle, so that no count depends on
    itself.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        roster: RosterNode,
        categories: CategorySource,
        counted: CategorySource,
        plan: GamePlanIndex | None = None,
    ) -> None:
        self.roster = roster
        self.categories = categories
        self.counted = counted
        self.plan = plan
        self._category_ids: Container[str] = ruleset.binding.categories.keys()
        self._command_id = ruleset.command_id
        # One node per slot, because values are cached by node.
        self._slots: dict[ForceNode, dict[str, SlotNode]] = {}

    @cached_property
    def order(self) -> Mapping[SelectionNode | None, int]:
        return {node: index for index, node in enumerate(self.roster.selections)}

    @cached_property
    def _inner_forces(self) -> list[ForceNode]:
        return [force for force in self.roster.all_forces if force.parent is not self.roster]

    @cached_property
    def by_id(self) -> Mapping[str, SelectionNode]:
        return {node.document.id: node for node in self.roster.selections if node.document}

    @cached_property
    def attached(self) -> Mapping[str, list[tuple[Attachment, SelectionNode]]]:
        """Attachments to each selection, by its id, with their owners."""
        attached: dict[str, list[tuple[Attachment, SelectionNode]]] = {}
        for node in self.roster.selections:
            for attachment in node.document.attachments if node.document else ():
                attached.setdefault(attachment.to_id, []).append((attachment, node))
        return attached

    def find_place(self, scope: str, node: Node) -> Node | None:
        find_named = _NAMED.get(scope)
        if find_named:
            return find_named(self, node)
        if scope in PLACES:
            return self.plan.find_place(scope, node) if self.plan else None

        # Community data uses ids of categories, selections, forces and groups alike. Categories are the cheapest to
        # find.
        if scope in self._category_ids:
            return self.get_slot(node.force, scope) if node.force else None
        for outer in walk_outward(node):
            if isinstance(outer, SelectionNode) and is_called(outer, scope):
                return outer
            if isinstance(outer, ForceNode) and scope in outer.names:
                return outer
            if group := _find_group(outer, scope):
                return group
        return None

    def find_primary_slot(self, node: Node) -> Node | None:
        root = find_root(node)
        return self.get_slot(root.force, self.categories.get_uncommanded(root).primary) if root and root.force else None

    def get_slot(self, force: ForceNode, category_id: str) -> SlotNode:
        slots = self._slots.get(force)
        if slots is None:
            slots = self._slots[force] = {}
            for member in force.members:
                # Effective categories would depend on slots here.
                for category in self.counted.get_membership(member).ids:
                    self._get_slot_in(slots, force, category).members.append(member)
        return self._get_slot_in(slots, force, category_id)

    def forget_slots(self) -> None:
        self._slots.clear()

    def _get_slot_in(self, slots: dict[str, SlotNode], force: ForceNode, category_id: str) -> SlotNode:
        node = slots.get(category_id)
        if node is None:
            slot = force.compiled_force.slots_by_category.get(category_id) if force.compiled_force else None
            node = slots[category_id] = SlotNode(category_id, slot, force)
        return node

    def list_places(self, query: Query, node: Node) -> list[Node] | None:
        place = self.find_place(query.scope, node)
        return None if place is None else self.list_places_at(query, place)

    def list_places_at(self, query: Query, place: Node) -> list[Node]:
        if not query.include_child_forces:
            return [place]
        if isinstance(place, RosterNode):
            return [place, *self._inner_forces]
        if isinstance(place, ForceNode):
            return list(place.with_nested)
        return [place]

    def is_match(self, node: Node, name: str) -> bool:
        """Return whether an id or type means a node. A profile or rule matches like its owner."""
        if isinstance(node, SelectionNode):
            if name in node.keys or name == node.entry_id:
                return True
            if name not in self._category_ids:
                return False
            # The search for the commander needs the whole list.
            if name == self._command_id:
                return name in self.categories.get_membership(node).ids
            return name in self.categories.get_uncommanded(node).ids
        if isinstance(node, TextNode) and node.parent:
            return self.is_match(node.parent, name)
        if isinstance(node, ForceNode):
            return name in node.names or name == node.document.catalogue_id
        return isinstance(node, GroupNode) and is_group_called(node.group, name)


def walk_outward(node: Node) -> Iterator[Node]:
    """Yield `node` and everything around it, nearest first."""
    current: Node | None = node
    while current is not None:
        yield current
        current = current.parent


def list_within(node: SelectionNode, place: Node) -> list[SelectionNode]:
    end = place.container if isinstance(place, GroupNode) else place
    inside = takewhile(lambda outer: outer is not end, walk_outward(node))
    return [outer for outer in inside if isinstance(outer, SelectionNode)]


def list_enclosing(node: Node) -> Iterator[Node]:
    for outer in walk_outward(node):
        if outer is not node and isinstance(outer, SelectionNode | ForceNode):
            yield outer


def find_root(node: Node) -> SelectionNode | None:
    """Return the unit at or around a node."""
    for outer in walk_outward(node):
        if isinstance(outer, SelectionNode) and isinstance(outer.parent, ForceNode):
            return outer
    return None


def find_selection(node: Node) -> SelectionNode | None:
    return next((outer for outer in walk_outward(node) if isinstance(outer, SelectionNode)), None)


def is_called(node: SelectionNode, name: str) -> bool:
    """Return whether `name` is the selection's entry, link or type."""
    if node.option is None:
        return name == node.target_id
    kind = node.option.entry.target.type
    return node.option.is_called(name) or name == kind or (name == MODEL_OR_UNIT and kind in (MODEL, UNIT))


def is_group_called(group: CompiledGroup, name: str) -> bool:
    entry = group.entry
    return name == entry.target.id or bool(entry.link and name == entry.link.id)


def _find_group(node: Node, name: str) -> GroupNode | None:
    if isinstance(node, GroupNode):
        return node if is_group_called(node.group, name) else None
    if isinstance(node, SelectionNode) and node.option:
        for group in reversed(node.option.groups):
            if is_group_called(group, name):
                return GroupNode(group, node.container)
    return None


_NAMED: Mapping[str, Callable[[Scopes, Node], Node | None]] = {
    Scope.PARENT: lambda scopes, node: node.parent or scopes.roster,
    Scope.SELF: lambda _, node: node,
    Scope.FORCE: lambda scopes, node: node.force or scopes.roster,
    Scope.PRIMARY_CATALOGUE: lambda scopes, node: node.force or scopes.roster,
    Scope.ROSTER: lambda scopes, _: scopes.roster,
    Scope.ROOT_ENTRY: lambda _, node: find_root(node),
    Scope.PRIMARY_CATEGORY: Scopes.find_primary_slot,
}
