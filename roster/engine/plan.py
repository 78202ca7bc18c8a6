"""How a list is to be played: the game plan as a value, and its places and numbers for queries.

Rules of the stage `list` never ask for it.
"""

from collections.abc import Iterator, Mapping

from catalogue.definitions.catalogues import Mission
from catalogue.definitions.numbers import Number
from catalogue.definitions.queries import PLANNED, SPECIAL, Scope
from roster.engine.compile import Ruleset
from roster.engine.state import Node, RosterNode, SelectionNode
from roster.engine.tree import Value

PLACES = (Scope.HOST, Scope.GUESTS, Scope.RESERVE, Scope.TABLE, Scope.COMMANDER)
"""The scopes that only a game plan has."""


class Join(Value):
    """A character that joins a unit, both by the ids of their selections."""

    character_id: str
    host_id: str


class GamePlan(Value):
    """What a player decides and records for one game with a list.

    `mission` and `side` are ids of the game's missions, `opponents` the ids or names of whom it is played against,
    `reserves` the ids of selections that start in reserve, `commander_id` that of the selection with the commander.
    `numbers` are others that rules ask for, such as the width of the table, by id.
    """

    mission: str = ""
    side: str = ""
    opponents: tuple[str, ...] = ()
    joins: tuple[Join, ...] = ()
    reserves: tuple[str, ...] = ()
    commander_id: str = ""
    objective: str = ""
    numbers: Mapping[str, Number] = {}
    notes: str = ""


class Planned:
    """A game plan laid over a roster. What it names and the roster does not have is left out."""

    def __init__(self, ruleset: Ruleset, roster: RosterNode, game: GamePlan) -> None:
        self.game = game
        self._roots = roster.members
        nodes = {node.document.id: node for node in roster.selections if node.document}
        known = [join for join in game.joins if join.character_id in nodes and join.host_id in nodes]
        self._joining = [(nodes[join.character_id], nodes[join.host_id]) for join in known]
        self._held_back = {nodes[own] for own in game.reserves if own in nodes}
        self._held_back |= {guest for guest, host in self._joining if host in self._held_back}
        self._hosts: dict[Node | None, SelectionNode] = dict(self._joining)
        self._commander = nodes.get(game.commander_id)
        self._specials = frozenset(specials_of(ruleset, game))

    def number(self, field: str) -> Number | None:
        """What the field of a query means here: whether a special rule binds the player, or a number of the plan."""
        if field.startswith(SPECIAL):
            return int(field.removeprefix(SPECIAL) in self._specials)
        return self.game.numbers.get(field.removeprefix(PLANNED))

    def place(self, scope: str, node: Node) -> Node | None:
        """A place that holds what is there; None where there is no such place, as seen from `node`."""
        match scope:
            case Scope.HOST:
                return _holding(self._hosts.get(node) or self._hosts.get(node.parent))
            case Scope.GUESTS:
                return _holding(*self._guests(node))
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


def specials_of(ruleset: Ruleset, game: GamePlan) -> tuple[str, ...]:
    """The ids of the special rules of its mission that bind the player."""
    mission = mission_of(ruleset, game)
    if mission is None:
        return ()
    own = next((side.specials for side in mission.sides if side.id == game.side), ())
    return (*mission.specials, *own)


def mission_of(ruleset: Ruleset, game: GamePlan) -> Mission | None:
    """The mission that is to be played, where the game's data has it."""
    system = ruleset.binding.game_system
    missions = system.missions if system else ()
    return next((mission for mission in missions if mission.id == game.mission), None)
