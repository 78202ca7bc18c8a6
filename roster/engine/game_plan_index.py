"""Places and numbers of a game plan, for queries."""

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from itertools import takewhile

from catalogue.definitions.numbers import Number
from catalogue.definitions.queries import (
    ABOARD_ITSELF,
    ALLIES,
    CHOSEN,
    HELD_ALONE,
    KNOWN,
    MISSION,
    OPPONENTS,
    PLANNED,
    PLAYERS,
    SIDE,
    SPECIAL,
    Scope,
)
from catalogue.graph.ruleset import Ruleset
from roster.engine.model_profiles import list_unit_nodes_together
from roster.engine.nodes import Node, RosterNode, SelectionNode
from roster.engine.plan import GamePlan, list_special_rules

PLACES = frozenset(
    (
        Scope.HOST,
        Scope.GUESTS,
        Scope.TRANSPORT,
        Scope.PASSENGERS,
        Scope.RIDERS,
        Scope.RESERVE,
        Scope.TABLE,
        Scope.DEPLOYED,
        Scope.COMMANDER,
    )
)
"""The scopes that need a game plan."""

Pairs = list[tuple[SelectionNode, SelectionNode]]


class GamePlanIndex:
    def __init__(self, ruleset: Ruleset, roster: RosterNode, game: GamePlan) -> None:
        self.game = game
        self._ruleset = ruleset
        self._roots = roster.members
        self.nodes = {node.document.id: node for node in roster.selections if node.document}
        self._joining = self._resolve_pairs((join.character_id, join.host_id) for join in game.joins)
        self._riding = self._resolve_pairs((ride.passenger_id, ride.transport_id) for ride in game.rides)
        self._hosts: dict[Node | None, SelectionNode] = dict(self._joining)
        self._transports: dict[Node | None, SelectionNode] = dict(self._riding)
        self._reserves = {self.nodes[selection_id] for selection_id in game.reserves if selection_id in self.nodes}
        self._held_back = self._add_companions(self._reserves)
        self._commander = self.nodes.get(game.commander_id)
        self._specials = frozenset(list_special_rules(ruleset, game))
        self._faction = roster.document.of

    def _resolve_pairs(self, ids: Iterable[tuple[str, str]]) -> Pairs:
        return [(self.nodes[a], self.nodes[b]) for a, b in ids if a in self.nodes and b in self.nodes]

    def _add_companions(self, held_back: set[SelectionNode]) -> set[SelectionNode]:
        everything = set()
        for node in held_back:
            host = self._hosts.get(node)
            if host is None or held_back & {host, host.parent}:
                everything.add(node)
        together = (*self._joining, *self._riding)
        while True:
            # Passengers may be joined or carry others.
            companions = {node for node, around in together if everything & {around, around.parent}}
            if companions <= everything:
                return everything
            everything |= companions

    # ---- numbers -------------------------------------------------------------------------------------------------

    def get_number(self, field: str, place: Node | None) -> Number | None:
        word, _, subject_id = field.partition(KNOWN)
        game = self.game
        if word == CHOSEN:
            return None if place is None else self._count_answers(subject_id, place)
        if word == PLANNED:
            return game.numbers.get(subject_id)
        if word == OPPONENTS:
            return _count_players(game.opponents, subject_id)
        if word == ALLIES:
            return _count_players(game.allies, subject_id)
        if word == PLAYERS:
            return _count_players((*game.opponents, *game.allies, self._faction), subject_id)
        if word == ABOARD_ITSELF:
            return self._count_circular_rides()
        if word == HELD_ALONE:
            return sum(one in self._reserves and around not in self._held_back for one, around in self._riding)
        flags = {
            SPECIAL: subject_id in self._specials,
            MISSION: subject_id == game.mission,
            SIDE: subject_id == game.side,
        }
        return int(flags[word]) if word in flags else None

    def _count_answers(self, subject_id: str, place: Node) -> int:
        question, _, option = subject_id.partition("/")
        answers = [one for one in self.game.answers if one.question == question and option in ("", one.option)]
        if isinstance(place, RosterNode):
            return len(answers)
        return sum(_is_there(self.nodes.get(answer.unit_id), place) for answer in answers)

    def _count_circular_rides(self) -> int:
        number = 0
        for passenger, around in self._riding:
            transports: list[SelectionNode] = []
            outer: SelectionNode | None = around
            # A plan may contain cycles, which a rule reports.
            while outer is not None and outer not in transports:
                transports.append(outer)
                outer = self._transports.get(outer)
            number += passenger in transports
        return number

    # ---- places --------------------------------------------------------------------------------------------------

    def find_place(self, scope: str, node: Node) -> Node | None:
        """Return a node whose members are in a place as seen from `node`."""
        list_nodes = _NODES_OF_PLACES.get(scope)
        if list_nodes:
            members = list(list_nodes(self, node))
        else:
            # A part directly inside a unit is in the same place as the unit.
            if scope == Scope.HOST:
                member = self._hosts.get(node) or self._hosts.get(node.parent)
            elif scope == Scope.TRANSPORT:
                member = self._transports.get(node) or self._transports.get(node.parent)
            else:
                member = self._find_unit(self._commander)
            if member is None:
                return None
            members = [member]
        place = Node(None, None)
        place.members = members
        return place

    def _list_guests(self, node: Node) -> list[SelectionNode]:
        if isinstance(node, RosterNode):
            return list(dict.fromkeys(guest for guest, _ in self._joining))
        number = max(1, node.number) if isinstance(node, SelectionNode) else 1
        guests = self._list_joining_itself(node)[::number]
        around = node.parent
        if isinstance(around, SelectionNode):
            place = sum(member.number for member in takewhile(lambda member: member is not node, around.members))
            units = sum(member.number for member in around.members)
            guests += self._list_joining_itself(around)[place :: units or 1]
        return guests

    def _list_joining_itself(self, node: Node) -> list[SelectionNode]:
        return [guest for guest, host in self._joining if host is node]

    def _list_passengers(self, node: Node) -> list[SelectionNode]:
        aboard = self._list_aboard(node)
        return list(dict.fromkeys([*aboard, *self._list_joining(aboard)]))

    def _list_riders(self, node: Node) -> list[SelectionNode]:
        aboard = self._list_aboard(node)
        along = self._list_joining(aboard)
        return [rider for rider in aboard if rider not in along]

    def _list_aboard(self, node: Node) -> list[SelectionNode]:
        return [passenger for passenger, transport in self._riding if transport in (node, node.parent)]

    def _list_joining(self, aboard: list[SelectionNode]) -> list[SelectionNode]:
        return [guest for guest, host in self._joining if host in aboard or host.parent in aboard]

    def _list_reserve(self) -> list[SelectionNode]:
        return [node for node in self.nodes.values() if node in self._held_back]

    def _list_all_but(self, left_out: Container[Node | None]) -> Iterator[SelectionNode]:
        for root in self._roots:
            if root in left_out:
                continue
            if any(unit in left_out for unit in list_unit_nodes_together(self._ruleset, root)):
                yield from (member for member in root.members if member not in left_out)
            else:
                yield root

    def _find_unit(self, node: SelectionNode | None) -> SelectionNode | None:
        """Several units may be taken as one choice."""
        inner, outer = None, node
        while outer is not None and isinstance(outer.parent, SelectionNode):
            inner, outer = outer, outer.parent
        together = list_unit_nodes_together(self._ruleset, outer) if outer else []
        return inner if inner in together else outer


_NODES_OF_PLACES: Mapping[str, Callable[[GamePlanIndex, Node], Iterable[SelectionNode]]] = {
    Scope.GUESTS: GamePlanIndex._list_guests,
    Scope.PASSENGERS: GamePlanIndex._list_passengers,
    Scope.RIDERS: GamePlanIndex._list_riders,
    Scope.RESERVE: lambda index, _: index._list_reserve(),
    Scope.TABLE: lambda index, _: index._list_all_but(index._held_back),
    Scope.DEPLOYED: lambda index, _: index._list_all_but(index._held_back | index._hosts.keys()),
}
"""Places with several members. Other places are one selection."""


def _count_players(factions: tuple[str, ...], faction_id: str) -> int:
    return sum(1 for faction in factions if faction_id in ("", faction))


def _is_there(unit: SelectionNode | None, place: Node) -> bool:
    """Apply an answer for several units to each."""
    outer: Node | None = unit
    while outer is not None:
        if outer is place or outer in place.members:
            return True
        outer = outer.parent
    return unit is not None and place.parent is unit
