"""A game plan laid over a roster: its places and numbers, as queries ask for them."""

from collections.abc import Iterable, Iterator

from catalogue.definitions.numbers import Number
from catalogue.definitions.queries import (
    CHOSEN,
    KNOWN,
    MISSION,
    OPPONENTS,
    PLANNED,
    PLAYERS,
    SIDE,
    SPECIAL,
    Scope,
)
from roster.engine.compile import Ruleset
from roster.engine.plan import GamePlan, specials_of
from roster.engine.state import Node, RosterNode, SelectionNode

PLACES = (
    Scope.HOST,
    Scope.GUESTS,
    Scope.TRANSPORT,
    Scope.PASSENGERS,
    Scope.RIDERS,
    Scope.RESERVE,
    Scope.TABLE,
    Scope.COMMANDER,
)
"""The scopes that only a game plan has."""

Pairs = list[tuple[SelectionNode, SelectionNode]]


class Planned:
    """Who is where by a game plan. What it names and the roster does not have is in no place."""

    def __init__(self, ruleset: Ruleset, roster: RosterNode, game: GamePlan) -> None:
        self.game = game
        self._roots = roster.members
        self.nodes = {node.document.id: node for node in roster.selections if node.document}
        self._joining = self._pairs((join.character_id, join.host_id) for join in game.joins)
        self._riding = self._pairs((ride.passenger_id, ride.transport_id) for ride in game.rides)
        self._hosts: dict[Node | None, SelectionNode] = dict(self._joining)
        self._transports: dict[Node | None, SelectionNode] = dict(self._riding)
        self._held_back = self._with_all_along(self.nodes[own] for own in game.reserves if own in self.nodes)
        self._commander = self.nodes.get(game.commander_id)
        self._specials = frozenset(specials_of(ruleset, game))
        self._own_factions = {force.document.catalogue_id for force in roster.forces}

    def _pairs(self, ids: Iterable[tuple[str, str]]) -> Pairs:
        return [(self.nodes[a], self.nodes[b]) for a, b in ids if a in self.nodes and b in self.nodes]

    def _with_all_along(self, held: Iterable[SelectionNode]) -> set[SelectionNode]:
        """What is held back, with everybody who joins it or rides in it."""
        found = set(held)
        while more := {own for own, around in (*self._joining, *self._riding) if around in found} - found:
            found |= more
        return found

    # ---- numbers -------------------------------------------------------------------------------------------------

    def number(self, field: str, place: Node | None) -> Number | None:
        """What the field of a query means here; answers are counted at `place`. None: no plan has such a number."""
        word, _, own = field.partition(KNOWN)
        game = self.game
        if word == CHOSEN:
            return None if place is None else self._chosen(own, place)
        if word == PLANNED:
            return game.numbers.get(own)
        if word == OPPONENTS:
            return _players(game.opponents, own)
        if word == PLAYERS:
            others = _players((*game.opponents, *game.allies), own)
            return others + int(not own or own in self._own_factions)
        there = {SPECIAL: self._specials, MISSION: {game.mission}, SIDE: {game.side}}
        return int(own in there[word]) if word in there else None

    def _chosen(self, wanted: str, place: Node) -> int:
        question, _, option = wanted.partition("/")
        answers = [a for a in self.game.answers if a.question == question and option in ("", a.option)]
        if isinstance(place, RosterNode):
            return len(answers)
        return sum(1 for a in answers if _is_there(self.nodes.get(a.unit_id), place))

    # ---- places --------------------------------------------------------------------------------------------------

    def place(self, scope: str, node: Node) -> Node | None:
        """A place that holds what is there; None where there is no such place, as seen from `node`."""
        match scope:
            case Scope.HOST:
                return _holding(self._hosts.get(node) or self._hosts.get(node.parent))
            case Scope.GUESTS:
                return _holding(*self._guests(node))
            case Scope.TRANSPORT:
                return _holding(self._transports.get(node) or self._transports.get(node.parent))
            case Scope.PASSENGERS:
                return _holding(*self._passengers(node))
            case Scope.RIDERS:
                return _holding(*self._riders(node))
            case Scope.RESERVE:
                return _holding(*self._held_back)
            case Scope.TABLE:
                return _holding(*self._deployed())
        return _holding(self._commander)

    def _guests(self, node: Node) -> list[SelectionNode]:
        """The characters that join a unit. Those that join several units taken as one spread over them."""
        own = [guest for guest, host in self._joining if host is node]
        around = node.parent
        if not isinstance(around, SelectionNode):
            return own
        together = [guest for guest, host in self._joining if host is around]
        place = next((number for number, member in enumerate(around.members) if member is node), 0)
        return own + together[place :: len(around.members) or 1]

    def _passengers(self, node: Node) -> list[SelectionNode]:
        """Who rides in a unit, and the characters that join them."""
        aboard = self._aboard(node)
        return list(dict.fromkeys([*aboard, *self._along(aboard)]))

    def _riders(self, node: Node) -> list[SelectionNode]:
        """Who rides in a unit on their own: a character who joins one of them is part of it."""
        aboard = self._aboard(node)
        along = self._along(aboard)
        return [own for own in aboard if own not in along]

    def _aboard(self, node: Node) -> list[SelectionNode]:
        return [own for own, transport in self._riding if transport in (node, node.parent)]

    def _along(self, aboard: list[SelectionNode]) -> list[SelectionNode]:
        """The characters that join any of these."""
        return [guest for guest, host in self._joining if host in aboard or host.parent in aboard]

    def _deployed(self) -> Iterator[SelectionNode]:
        """What is not in reserve; of several units in one selection, those that are not."""
        for root in self._roots:
            inside = [member for member in root.members if member in self._held_back]
            if root not in self._held_back and not inside:
                yield root
            elif inside:
                yield from (member for member in root.members if member not in self._held_back)


def _holding(*members: SelectionNode | None) -> Node | None:
    if None in members:
        return None
    place = Node(None, None)
    place.members = [member for member in members if member is not None]
    return place


def _players(factions: tuple[str, ...], own: str) -> int:
    return sum(1 for faction in factions if own in ("", faction))


def _is_there(unit: SelectionNode | None, place: Node) -> bool:
    """Whether a unit is at a place or inside it; what is said of several units taken as one is said of each."""
    outer: Node | None = unit
    while outer is not None:
        if outer is place or outer in place.members:
            return True
        outer = outer.parent
    return unit is not None and place.parent is unit
