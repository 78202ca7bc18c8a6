"""Effects of selections on others, such as an upgrade that makes its bearer tougher.

A modifier is evaluated at its `source`, and changes something below the place that it names.
"""

from collections.abc import Hashable, Iterator
from enum import Enum
from itertools import chain, count
from typing import NamedTuple

from catalogue.definitions.entries import ForceEntry
from catalogue.definitions.queries import Effect, Modifier
from catalogue.graph.compiled_entry import CompiledEntry
from catalogue.graph.ruleset import Ruleset
from roster.engine.nodes import ForceNode, GroupNode, Node, RosterNode, SelectionNode, SlotNode
from roster.engine.scopes import Scopes, is_group_called

CATEGORY, HIDDEN = "category", "hidden"
OF_GROUPS = (CATEGORY, HIDDEN)
"""Fields for which effects on a group apply to its members."""


class EntryEffect(NamedTuple):
    effect: Effect
    source: Node
    order: int

    @property
    def modifier(self) -> Modifier:
        return self.effect.modifier


NO_EFFECTS: list[EntryEffect] = []


class Relation(Enum):
    ITSELF = "itself"
    CHILD = "child"
    BELOW = "below"
    INNER_FORCE = "inner force"
    ROSTER = "roster"


class EntryEffects:
    def __init__(self, ruleset: Ruleset, scopes: Scopes) -> None:
        self.fields = ruleset.effect_fields
        self._scopes = scopes
        self._orders = count()
        self._by_field: dict[str, dict[Hashable, list[EntryEffect]]] | None = None

    def list_reaching(self, node: Node, field: str) -> list[EntryEffect]:
        if field not in self.fields:
            return NO_EFFECTS
        return [reached for reached in self.list_covering(node, field) if is_meant(self._scopes, reached.effect, node)]

    def list_covering(self, node: Node, field: str) -> list[EntryEffect]:
        """List effects that cover a node, even without targeting it."""
        covering = NO_EFFECTS
        if self._by_field is None:
            self._by_field = self._index_fields()
        by_place = self._by_field.get(field)
        if by_place:
            covering = [
                reached
                for place, relation in list_places_around(node)
                for reached in by_place.get(place, NO_EFFECTS)
                if covers(reached.effect, relation)
            ]
        if isinstance(node, SelectionNode) and node.document is None:
            # Previews are not in the index.
            covering = covering + self._list_previewed(node, field)
        return sorted(covering, key=lambda reached: reached.order) if len(covering) > 1 else covering

    def _index_fields(self) -> dict[str, dict[Hashable, list[EntryEffect]]]:
        # Set first: finding a place may ask for categories, which ask for effects.
        index: dict[str, dict[Hashable, list[EntryEffect]]] = {}
        self._by_field = index
        for source, entry in list_all_sources(self._scopes.roster):
            for place, reached in self._locate_effects(source, entry):
                index.setdefault(reached.modifier.field, {}).setdefault(place, []).append(reached)
        return index

    def _locate_effects(
        self, source: Node, entry: CompiledEntry | ForceEntry
    ) -> Iterator[tuple[Hashable, EntryEffect]]:
        for effect in entry.effects:
            place = None if effect.profile_type else self._scopes.find_place(effect.scope, source)
            if place is not None:
                yield identify_place(place), EntryEffect(effect, source, next(self._orders))

    def _list_previewed(self, node: SelectionNode, field: str) -> list[EntryEffect]:
        outermost = node
        while isinstance(outermost.parent, SelectionNode) and outermost.parent.document is None:
            outermost = outermost.parent
        bringers = _list_bringers(outermost, field)
        if not bringers:
            return NO_EFFECTS
        around = list_places_around(node)
        located = chain.from_iterable(self._locate_effects(source, entry) for source, entry in list_sources(bringers))
        brought = [(place, reached) for place, reached in located if reached.modifier.field == field]
        return [
            reached
            for place, reached in brought
            for outer, relation in around
            if place == outer and covers(reached.effect, relation)
        ]


def _list_bringers(outermost: SelectionNode, field: str) -> list[SelectionNode]:
    pending = [outermost]
    # Almost no part has effects, so find out before sorting.
    for part in pending:
        if part.option and field in part.option.entry.effect_fields:
            break
        pending += part.members
    else:
        return []
    return [part for part in outermost.walk() if part.option and field in part.option.entry.effect_fields]


def is_meant(scopes: Scopes, effect: Effect, node: Node) -> bool:
    """Return whether an effect targets a node; without an entry id it targets all."""
    entry_id = effect.entry_id
    if not entry_id:
        return True
    if isinstance(node, GroupNode):
        return is_group_called(node.group, entry_id)
    if isinstance(node, ForceNode):
        return entry_id in node.names
    if not isinstance(node, SelectionNode) or node.option is None:
        return False
    option, field = node.option, effect.modifier.field
    if option.is_called(entry_id) or entry_id == option.entry.target.type:
        return True
    # The other keys are groups, which share only some fields with their members.
    if entry_id in node.keys:
        return field in OF_GROUPS
    return entry_id in scopes.categories.get_uncommanded(node).ids


def covers(effect: Effect, relation: Relation) -> bool:
    if relation is Relation.ITSELF:
        return effect.reaches_itself
    if relation is Relation.CHILD:
        return effect.children or effect.deep
    if relation is Relation.BELOW:
        return effect.deep
    if relation is Relation.INNER_FORCE:
        return effect.forces
    # A roster directly contains only forces.
    return effect.forces or effect.deep or effect.children


def identify_place(place: Node) -> Hashable:
    """Return a stable key, because group nodes are created again for each request."""
    return (place.group, place.container) if isinstance(place, GroupNode) else place


def list_places_around(node: Node) -> list[tuple[Hashable, Relation]]:
    """List the places that a node is or is in, nearest first."""
    if isinstance(node, SlotNode) and node.force:
        return [(node.force, Relation.ITSELF)]
    places: list[tuple[Hashable, Relation]] = [(identify_place(node), Relation.ITSELF)]
    if isinstance(node, SelectionNode) and node.option:
        for group in reversed(node.option.groups):
            relation = Relation.CHILD if group is node.option.group else Relation.BELOW
            places.append(((group, node.container), relation))
    outer, relation = node.parent, Relation.CHILD
    while outer is not None:
        if isinstance(outer, RosterNode):
            relation = Relation.ROSTER
        elif isinstance(outer, ForceNode) and outer is not node.force:
            relation = Relation.INNER_FORCE
        places.append((outer, relation))
        outer, relation = outer.parent, Relation.BELOW
    return places


# ---- effects on profiles -----------------------------------------------------------------------------------------


class ProfileEffect(NamedTuple):
    modifier: Modifier
    source: Node
    profile_type: str


def find_profile_effects(scopes: Scopes) -> dict[SelectionNode, list[ProfileEffect]]:
    effects_by_node: dict[SelectionNode, list[ProfileEffect]] = {}
    for source, entry in list_sources(scopes.roster.selections):
        for effect in entry.effects:
            place = scopes.find_place(effect.scope, source) if effect.profile_type else None
            if place is None:
                continue
            influence = ProfileEffect(effect.modifier, source, effect.profile_type)
            for node in _list_reached(place, effect):
                if is_meant(scopes, effect, node):
                    effects_by_node.setdefault(node, []).append(influence)
    return effects_by_node


def list_all_sources(roster: RosterNode) -> Iterator[tuple[Node, CompiledEntry | ForceEntry]]:
    for force in roster.all_forces:
        if force.compiled_force and force.compiled_force.entry.effects:
            yield force, force.compiled_force.entry
    yield from list_sources(roster.selections)


def list_sources(nodes: Iterator[SelectionNode] | list[SelectionNode]) -> Iterator[tuple[Node, CompiledEntry]]:
    for node in nodes:
        if node.option is None:
            continue
        entry = node.option.entry
        if entry.effects:
            yield node, entry
        for group in entry.contents.affecting_groups:
            yield GroupNode(group, node), group.entry


def _list_reached(place: Node, effect: Effect) -> Iterator[SelectionNode]:
    if effect.reaches_itself and isinstance(place, SelectionNode):
        yield place
    below = list(place.members) if effect.children or effect.deep else []
    if effect.forces and isinstance(place, ForceNode | RosterNode):
        for outer in place.forces:
            for force in outer.with_nested:
                below += force.members
    for node in dict.fromkeys(below):
        yield node
        if effect.deep:
            for member in node.members:
                yield from member.walk()
