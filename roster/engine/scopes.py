"""Find where a scope lies, as seen from a node, and what a node is called."""

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
    """A source of categories for queries: as declared, or after modifiers."""

    def get_membership(self, node: SelectionNode) -> CategoryMembership: ...

    def get_uncommanded(self, node: SelectionNode) -> CategoryMembership: ...


class Scopes:
    """Finds places in one roster.

    `categories` tells what single selections are, `counted` what is counted as what: while categories themselves are
    worked out, `counted` holds the declared ones, so that counting never depends on its own outcome. `plan` knows the
    places of the game plan, None without one.
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
        self._known: Container[str] = ruleset.binding.categories.keys()
        self._command_id = ruleset.command_id
        # Slots are nodes that others refer to: each is made once, so that the same slot is the same node.
        self._slots: dict[ForceNode, dict[str, SlotNode]] = {}

    @cached_property
    def order(self) -> Mapping[SelectionNode | None, int]:
        """The place of each selection in the list: forces and selections as they are in it, outer ones first."""
        return {node: index for index, node in enumerate(self.roster.selections)}

    @cached_property
    def _inner_forces(self) -> list[ForceNode]:
        """The forces of the list that are inside others."""
        return [force for force in self.roster.all_forces if force.parent is not self.roster]

    @cached_property
    def by_id(self) -> Mapping[str, SelectionNode]:
        """The selections of the list by their ids."""
        return {node.document.id: node for node in self.roster.selections if node.document}

    @cached_property
    def attached(self) -> Mapping[str, list[tuple[Attachment, SelectionNode]]]:
        """What is attached to each selection, by its id: the attachments with the selections that have them."""
        attached: dict[str, list[tuple[Attachment, SelectionNode]]] = {}
        for node in self.roster.selections:
            for attachment in node.document.attachments if node.document else ():
                attached.setdefault(attachment.to_id, []).append((attachment, node))
        return attached

    def find_place(self, scope: str, node: Node) -> Node | None:
        """Return where `scope` lies as seen from `node`; None where there is no such place."""
        find_named = _NAMED.get(scope)
        if find_named:
            return find_named(self, node)
        if scope in PLACES:
            return self.plan.find_place(scope, node) if self.plan else None

        # The category of that id, or the nearest enclosing selection, force or group that the scope names. Community
        # data names all of these alike by their ids; a category is the cheapest to tell.
        if scope in self._known:
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
        """Return the primary category of the unit that a node is in, in its force."""
        root = find_root(node)
        return self.get_slot(root.force, self.categories.get_uncommanded(root).primary) if root and root.force else None

    def get_slot(self, force: ForceNode, category_id: str) -> SlotNode:
        """Return a category of a force with its root selections."""
        slots = self._slots.get(force)
        if slots is None:
            slots = self._slots[force] = {}
            for member in force.members:
                # As counted, not as finally known: while categories are worked out, slots would depend on themselves.
                for category in self.counted.get_membership(member).ids:
                    self._get_slot_in(slots, force, category).members.append(member)
        return self._get_slot_in(slots, force, category_id)

    def forget_slots(self) -> None:
        """Forget the members of all slots, because a selection has other categories now."""
        self._slots.clear()

    def _get_slot_in(self, slots: dict[str, SlotNode], force: ForceNode, category_id: str) -> SlotNode:
        node = slots.get(category_id)
        if node is None:
            slot = force.compiled_force.slots_by_category.get(category_id) if force.compiled_force else None
            node = slots[category_id] = SlotNode(category_id, slot, force)
        return node

    def list_places(self, query: Query, node: Node) -> list[Node] | None:
        """Return the nodes whose insides `query` counts; None where its scope is not there."""
        place = self.find_place(query.scope, node)
        return None if place is None else self.list_places_at(query, place)

    def list_places_at(self, query: Query, place: Node) -> list[Node]:
        """Return the nodes whose insides `query` counts where its scope is that place."""
        # Nothing else is inside a force's count than the force itself; the forces in it keep their own.
        if not query.include_child_forces:
            return [place]
        if isinstance(place, RosterNode):
            return [place, *self._inner_forces]
        if isinstance(place, ForceNode):
            return list(place.with_nested)
        return [place]

    def is_match(self, node: Node, wanted: str) -> bool:
        """Return whether a node is what an id or type name means; a text is what its owner is."""
        if isinstance(node, SelectionNode):
            if wanted in node.keys or wanted == node.entry_id:
                return True
            if wanted not in self._known:
                return False
            # Looking for the commander looks at all selections, which no other question is worth.
            if wanted == self._command_id:
                return wanted in self.categories.get_membership(node).ids
            return wanted in self.categories.get_uncommanded(node).ids
        # Guards of a profile ask about any selection that has it.
        if isinstance(node, TextNode) and node.parent:
            return self.is_match(node.parent, wanted)
        if isinstance(node, ForceNode):
            return wanted in node.names or wanted == node.document.catalogue_id
        return isinstance(node, GroupNode) and is_group_called(node.group, wanted)


def walk_outward(node: Node) -> Iterator[Node]:
    """Walk from `node` outwards, itself first."""
    current: Node | None = node
    while current is not None:
        yield current
        current = current.parent


def list_within(node: SelectionNode, place: Node) -> list[SelectionNode]:
    """List a selection and what it is inside of, up to the member of a place that holds it all."""
    end = place.container if isinstance(place, GroupNode) else place
    inside = takewhile(lambda outer: outer is not end, walk_outward(node))
    return [outer for outer in inside if isinstance(outer, SelectionNode)]


def list_enclosing(node: Node) -> Iterator[Node]:
    """Yield the selections and forces that `node` is inside of, nearest first."""
    for outer in walk_outward(node):
        if outer is not node and isinstance(outer, SelectionNode | ForceNode):
            yield outer


def find_root(node: Node) -> SelectionNode | None:
    """Return the selection directly inside the force that `node` is or is inside of."""
    for outer in walk_outward(node):
        if isinstance(outer, SelectionNode) and isinstance(outer.parent, ForceNode):
            return outer
    return None


def find_selection(node: Node) -> SelectionNode | None:
    """Return the selection that a node is, or that it is a part of."""
    return next((outer for outer in walk_outward(node) if isinstance(outer, SelectionNode)), None)


def is_called(node: SelectionNode, wanted: str) -> bool:
    """Return whether `wanted` is the id of the selection's entry or link, or a scope that means its type."""
    if node.option is None:
        return wanted == node.target_id
    kind = node.option.entry.target.type
    return node.option.is_called(wanted) or wanted == kind or (wanted == MODEL_OR_UNIT and kind in (MODEL, UNIT))


def is_group_called(group: CompiledGroup, wanted: str) -> bool:
    """Return whether `wanted` is the id of the group or of the link to it."""
    entry = group.entry
    return wanted == entry.target.id or bool(entry.link and wanted == entry.link.id)


def _find_group(node: Node, wanted: str) -> GroupNode | None:
    if isinstance(node, GroupNode):
        return node if is_group_called(node.group, wanted) else None
    if isinstance(node, SelectionNode) and node.option:
        # The innermost group is the nearest.
        for group in reversed(node.option.groups):
            if is_group_called(group, wanted):
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
"""Scopes that have names of their own. One table for all lists: an edit looks at several."""
