"""What selections do to the profiles of others: an upgrade that makes the model which carries it tougher."""

from collections.abc import Iterator
from typing import NamedTuple

from catalogue.definitions.queries import Modifier
from catalogue.graph.compiled_entry import CompiledEntry
from roster.engine.nodes import GroupNode, Node, RosterNode, SelectionNode
from roster.engine.scopes import Scopes


class ProfileEffect(NamedTuple):
    """A modifier of the profiles of one type, as seen from the selection or group that brings it."""

    modifier: Modifier
    source: Node
    profile_type: str


def find_profile_effects(scopes: Scopes) -> dict[SelectionNode, list[ProfileEffect]]:
    """Find what changes the profiles of selections from elsewhere, in the order of the roster."""
    effects_by_node: dict[SelectionNode, list[ProfileEffect]] = {}
    for source, entry in _list_sources(scopes.roster):
        for effect in entry.effects:
            if not effect.profile_type:
                continue
            influence = ProfileEffect(effect.modifier, source, effect.profile_type)
            place = scopes.find_place(effect.scope, source)
            for node in _list_reached(place, effect.own, effect.children, effect.deep) if place else ():
                if not effect.entry_id or (node.option and node.option.is_called(effect.entry_id)):
                    effects_by_node.setdefault(node, []).append(influence)
    return effects_by_node


def _list_sources(roster: RosterNode) -> Iterator[tuple[Node, CompiledEntry]]:
    for node in roster.selections:
        if node.option is None:
            continue
        if node.option.entry.effects:
            yield node, node.option.entry
        for group in node.option.entry.contents.groups:
            if group.entry.effects:
                yield GroupNode(group, node), group.entry


def _list_reached(place: Node, itself: bool, children: bool, deep: bool) -> Iterator[SelectionNode]:
    if itself and isinstance(place, SelectionNode):
        yield place
    pending = list(place.members) if children or deep else []
    for node in pending:
        yield node
        if deep:
            pending.extend(node.members)
