"""A game plan laid over a roster: its places and numbers, as queries ask for them."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import takewhile

from catalogue.definitions.entries import EntryType
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
from roster.engine.nodes import Node, RosterNode, SelectionNode
from roster.engine.plan import Answer, GamePlan, list_special_rules

PLACES = frozenset(
    (
        Scope.HOST,
        Scope.GUESTS,
        Scope.TRANSPORT,
        Scope.PASSENGERS,
        Scope.RIDERS,
        Scope.RESERVE,
        Scope.TABLE,
        Scope.COMMANDER,
    )
)
"""The scopes that only a game plan has."""

Pairs = list[tuple[SelectionNode, SelectionNode]]


class GamePlanIndex:
    """Who is where by a game plan. What it names and the roster lacks is nowhere."""

    def __init__(self, ruleset: Ruleset, roster: RosterNode, game: GamePlan) -> None:
        self.game = game
        self._roots = roster.members
        self.nodes = {node.document.id: node for node in roster.selections if node.document}
        self._joining = self._resolve_pairs((join.character_id, join.host_id) for join in game.joins)
        self._riding = self._resolve_pairs((ride.passenger_id, ride.transport_id) for ride in game.rides)
        self._hosts: dict[Node | None, SelectionNode] = dict(self._joining)
        self._transports: dict[Node | None, SelectionNode] = dict(self._riding)
        self._held_back = self._add_companions(self._list_reserves())
        self._commander = self.nodes.get(game.commander_id)
        self._specials = frozenset(list_special_rules(ruleset, game))
        self._faction = roster.document.of

    def _list_reserves(self) -> set[SelectionNode]:
        """Return what the plan itself holds back."""
        return {self.nodes[selection_id] for selection_id in self.game.reserves if selection_id in self.nodes}

    def _resolve_pairs(self, ids: Iterable[tuple[str, str]]) -> Pairs:
        return [(self.nodes[a], self.nodes[b]) for a, b in ids if a in self.nodes and b in self.nodes]

    def _add_companions(self, held_back: set[SelectionNode]) -> set[SelectionNode]:
        """Return what is held back, with everybody who joins it or rides in it.

        A character is where the unit joined is, whatever the plan says of the character.
        """
        everything = {node for node in held_back if self._is_held_back(node, held_back)}
        while True:
            # Who rides may be joined or carry others: asked until nobody is added.
            companions = self._list_companions(everything)
            if companions <= everything:
                return everything
            everything |= companions

    def _list_companions(self, nodes: set[SelectionNode]) -> set[SelectionNode]:
        """Return who joins any of these, rides in it, or in what it is a part of."""
        together = (*self._joining, *self._riding)
        return {node for node, around in together if nodes & {around, around.parent}}

    def _is_held_back(self, node: SelectionNode, held_back: set[SelectionNode]) -> bool:
        host = self._hosts.get(node)
        return host is None or bool(held_back & {host, host.parent})

    # ---- numbers -------------------------------------------------------------------------------------------------

    def get_number(self, field: str, place: Node | None) -> Number | None:
        """Return what the field of a query amounts to, answers at `place`. None: no plan has such a number."""
        word, _, subject_id = field.partition(KNOWN)
        if word == CHOSEN:
            return None if place is None else self._count_answers(subject_id, place)
        get_number = _NUMBERS.get(word)
        return get_number(self, subject_id) if get_number else None

    def _get_planned(self, number_id: str) -> Number | None:
        return self.game.numbers.get(number_id)

    def _count_opponents(self, faction_id: str) -> int:
        return _count_players(self.game.opponents, faction_id)

    def _count_allies(self, faction_id: str) -> int:
        return _count_players(self.game.allies, faction_id)

    def _count_everybody(self, faction_id: str) -> int:
        """Count the players on both sides, the one whose list it is included."""
        others = self._count_opponents(faction_id) + self._count_allies(faction_id)
        return others + int(faction_id in ("", self._faction))

    def _count_answers(self, wanted: str, place: Node) -> int:
        answers = self._list_answers(wanted)
        if isinstance(place, RosterNode):
            return len(answers)
        return sum(_is_there(self.nodes.get(answer.unit_id), place) for answer in answers)

    def _list_answers(self, wanted: str) -> list[Answer]:
        """List the answers to a question, or those with one of its options."""
        question, _, option = wanted.partition("/")
        return [answer for answer in self.game.answers if answer.question == question and option in ("", answer.option)]

    def _count_circular_rides(self, _: str) -> int:
        """Count those that ride in themselves: from transport to transport they come back to where they began."""
        return sum(passenger in self._list_transports(around) for passenger, around in self._riding)

    def _list_transports(self, first: SelectionNode) -> list[SelectionNode]:
        """List what is around anybody who rides in `first`, going outwards, each once."""
        passed: list[SelectionNode] = []
        outer: SelectionNode | None = first
        # A plan may send transports round in a circle, which is for a rule to report.
        while outer is not None and outer not in passed:
            passed.append(outer)
            outer = self._transports.get(outer)
        return passed

    def _count_held_alone(self, _: str) -> int:
        """Return how many are held back although what they ride in is not."""
        reserves = self._list_reserves()
        return sum(passenger in reserves and transport not in self._held_back for passenger, transport in self._riding)

    def _flag_special(self, rule_id: str) -> int:
        return int(rule_id in self._specials)

    def _flag_mission(self, mission_id: str) -> int:
        return int(mission_id == self.game.mission)

    def _flag_side(self, side_id: str) -> int:
        return int(side_id == self.game.side)

    # ---- places --------------------------------------------------------------------------------------------------

    def find_place(self, scope: str, node: Node) -> Node | None:
        """Return a place that holds what is there; None where there is no such place, as seen from `node`."""
        list_nodes = _NODES_OF_PLACES.get(scope, GamePlanIndex._list_commanders)
        return _build_place(*list_nodes(self, node))

    def _list_hosts(self, node: Node) -> list[SelectionNode | None]:
        # What is directly inside a unit is where that unit is.
        return [self._hosts.get(node) or self._hosts.get(node.parent)]

    def _list_vehicles(self, node: Node) -> list[SelectionNode | None]:
        return [self._transports.get(node) or self._transports.get(node.parent)]

    def _list_commanders(self, _: Node) -> list[SelectionNode | None]:
        return [_find_unit(self._commander)]

    def _list_guests(self, node: Node) -> list[SelectionNode]:
        """List the characters that join a unit, or those of a list; over several units taken as one they are spread."""
        if isinstance(node, RosterNode):
            return list(dict.fromkeys(guest for guest, _ in self._joining))
        number = max(1, node.number) if isinstance(node, SelectionNode) else 1
        guests = self._list_joining_itself(node)[::number]
        if isinstance(node.parent, SelectionNode):
            guests += self._list_shared_guests(node, node.parent)
        return guests

    def _list_joining_itself(self, node: Node) -> list[SelectionNode]:
        return [guest for guest, host in self._joining if host is node]

    def _list_shared_guests(self, node: Node, around: SelectionNode) -> list[SelectionNode]:
        """List those characters of the selection around several units that come to this one."""
        before = takewhile(lambda member: member is not node, around.members)
        place = sum(member.number for member in before)
        units = sum(member.number for member in around.members)
        return self._list_joining_itself(around)[place :: units or 1]

    def _list_passengers(self, node: Node) -> list[SelectionNode]:
        """List who rides in a unit, and the characters that join them."""
        aboard = self._list_aboard(node)
        return list(dict.fromkeys([*aboard, *self._list_joining(aboard)]))

    def _list_riders(self, node: Node) -> list[SelectionNode]:
        """List who rides in a unit on their own: a character who joins one of them is part of it."""
        aboard = self._list_aboard(node)
        along = self._list_joining(aboard)
        return [rider for rider in aboard if rider not in along]

    def _list_aboard(self, node: Node) -> list[SelectionNode]:
        return [passenger for passenger, transport in self._riding if transport in (node, node.parent)]

    def _list_joining(self, aboard: list[SelectionNode]) -> list[SelectionNode]:
        """List the characters that join any of these."""
        return [guest for guest, host in self._joining if host in aboard or host.parent in aboard]

    def _is_partly_held_back(self, root: SelectionNode) -> bool:
        return any(member in self._held_back and _is_unit(member) for member in root.members)

    def _list_deployed(self) -> Iterator[SelectionNode]:
        """Yield what is not in reserve; of several units in one selection, those that are not."""
        for root in self._list_staying(self._roots):
            if self._is_partly_held_back(root):
                yield from self._list_staying(root.members)
            else:
                yield root

    def _list_staying(self, nodes: Iterable[SelectionNode]) -> Iterator[SelectionNode]:
        return (node for node in nodes if node not in self._held_back)


_NUMBERS: Mapping[str, Callable[[GamePlanIndex, str], Number | None]] = {
    PLANNED: GamePlanIndex._get_planned,
    OPPONENTS: GamePlanIndex._count_opponents,
    ALLIES: GamePlanIndex._count_allies,
    PLAYERS: GamePlanIndex._count_everybody,
    ABOARD_ITSELF: GamePlanIndex._count_circular_rides,
    HELD_ALONE: GamePlanIndex._count_held_alone,
    SPECIAL: GamePlanIndex._flag_special,
    MISSION: GamePlanIndex._flag_mission,
    SIDE: GamePlanIndex._flag_side,
}
"""By the word that the field of a query begins with, how the plan answers it for the rest of the field."""

_NODES_OF_PLACES: Mapping[str, Callable[[GamePlanIndex, Node], Iterable[SelectionNode | None]]] = {
    Scope.HOST: GamePlanIndex._list_hosts,
    Scope.GUESTS: GamePlanIndex._list_guests,
    Scope.TRANSPORT: GamePlanIndex._list_vehicles,
    Scope.PASSENGERS: GamePlanIndex._list_passengers,
    Scope.RIDERS: GamePlanIndex._list_riders,
    Scope.RESERVE: lambda index, _: index._held_back,
    Scope.TABLE: lambda index, _: index._list_deployed(),
}
"""What makes up each place; who commands is the place of any other scope."""


def _build_place(*members: SelectionNode | None) -> Node | None:
    if None in members:
        return None
    place = Node(None, None)
    place.members = [member for member in members if member is not None]
    return place


def _is_unit(node: SelectionNode) -> bool:
    return node.option is None or node.option.entry.target.type is EntryType.UNIT


def _find_unit(node: SelectionNode | None) -> SelectionNode | None:
    """Return the unit that something is inside of; the thing itself where it is in no unit."""
    outer: Node | None = node
    while isinstance(outer, SelectionNode):
        if _is_unit(outer):
            return outer
        outer = outer.parent
    return node


def _count_players(factions: tuple[str, ...], faction_id: str) -> int:
    return sum(1 for faction in factions if faction_id in ("", faction))


def _is_there(unit: SelectionNode | None, place: Node) -> bool:
    """Return whether a unit is at a place or inside it; of several taken as one, what is said of all of them."""
    outer: Node | None = unit
    while outer is not None:
        if outer is place or outer in place.members:
            return True
        outer = outer.parent
    return unit is not None and place.parent is unit
