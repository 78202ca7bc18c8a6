"""How Maelstrom's Edge, 2nd edition, scores: "Mission objectives", "Tracking victory points", "Narrative games".

The table is a toy: units are numbers, and markers have an owner. At the end of a turn each objective yields its true
sentences with numbers and points.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from random import Random

from tests.play.games import EDGE
from tests.second_reading.scoring.reading import CRUSHING, DRAW, STANDARD, Claim, EndOfTurn, RandomGame, ScoreReading

# ---- the table ------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Force:
    """A player's force. `lost` units are destroyed now, `fell` of them in this turn."""

    units: int
    lost: int = 0
    fell: int = 0
    commander: str = "whole"
    target: str = "whole"
    artifact: int = 8
    flags: int = 0


CROWDS = ((1, 0), (0, 1), (1, 1), (2, 1), (1, 2), (3, 2), (4, 2), (2, 5), (0, 3))
"""Units of both players in a part of the table. An empty part could be read in two ways, so it is never empty."""
EVEN_CROWDS = ((1, 1), (1, 1), (2, 2), (3, 3), (3, 2), (2, 3))


@dataclass(slots=True)
class Table:
    """The table at the end of a turn. In a `slow` game little happens, so it lasts to the final turn."""

    dice: Random
    forces: tuple[Force, Force]
    slow: bool = False
    turn: int = 0
    first_to_fall: int | None = None
    markers: dict[str, list[int | None]] = field(default_factory=dict)
    captured: dict[str, list[int | None]] = field(default_factory=dict)
    caches: list[int | None] = field(default_factory=lambda: [None] * 6)
    zones: dict[str, tuple[int, int]] = field(default_factory=dict)
    quarters: list[tuple[int, int]] = field(default_factory=list)

    def play_turn(self, number: int) -> None:
        dice, self.turn, slow = self.dice, number, self.slow
        for force in self.forces:
            # Reinforcements are no longer destroyed.
            force.lost -= dice.choice((0, 0, 1)) if force.lost else 0
            force.fell = min(dice.choice((0, 0, 0, 0, 0, 1) if slow else (0, 0, 1, 1, 2, 3)), force.units - force.lost)
            force.lost += force.fell
            if not slow or dice.random() < 0.3:
                force.commander = _wear_down(dice, force.commander, heals=True)
                force.target = _wear_down(dice, force.target, heals=False)
            if force.artifact:
                force.artifact = max(0, force.artifact + dice.choice((0, 0, 1, -1, -3)))
        fallen = [place for place, force in enumerate(self.forces) if force.fell]
        self.first_to_fall = dice.choice(fallen) if fallen else None
        for name, count in (("refinery", 4), ("delayed", 4), ("dig site", 4), ("vip", 6), ("cache", 6)):
            self.markers[name] = [dice.choice((None,) * (9 if slow else 1) + (0, 1)) for _marker in range(count)]
        for name, count in (("territory", 6), ("flag", 6)):
            self._capture(name, count)
        for name in ("hill", "fire", "zone of 0", "zone of 1"):
            self.zones[name] = dice.choice(EVEN_CROWDS if slow else CROWDS)
        self.quarters = [dice.choice(((1, 1),) * 9 + CROWDS if slow else CROWDS) for _quarter in range(4)]

    def _capture(self, name: str, count: int) -> None:
        """Markers controlled by a unit at the end of a turn are captured until an enemy is near at the end of one."""
        held = self.captured.setdefault(name, [None] * count)
        there = count
        if name == "flag":
            # Each player may place one of three in a turn.
            for force in self.forces:
                force.flags = min(3, force.flags + self.dice.randint(0, 1))
            there = sum(force.flags for force in self.forces)
        for place in range(there):
            control = self.dice.choice((None,) * (9 if self.slow else 2) + (0, 1))
            near = self.dice.choice((None, None, 0, 1))
            if control is not None:
                held[place] = control
            elif near is not None and held[place] not in (None, near):
                held[place] = None

    def list_controlled(self, name: str, player: int) -> list[int]:
        return [place for place, owner in enumerate(self.markers[name]) if owner == player]


def _wear_down(dice: Random, state: str, *, heals: bool) -> str:
    match state, dice.randint(1, 6):
        case "whole", 5:
            return "injured"
        case "whole" | "injured", 6:
            return "gone"
        case "injured", 1 if heals:
            return "whole"
    return state


# ---- objectives -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Sentence:
    """A true sentence of an objective: its position, how often it is claimed, its points.

    Points of a `conditional` sentence count only while it is true.
    """

    number: int
    times: int
    points: int
    conditional: bool = False


Objective = Callable[[Table, int, int, bool], Iterator[Sentence]]
"""Yields the sentences for a player, with X, in the final turn or before it."""


def alpha_strike(table: Table, player: int, x: int, final: bool) -> Iterator[Sentence]:
    if table.forces[1 - player].fell:
        yield Sentence(1, 1, x)
    if table.first_to_fall == 1 - player:
        yield Sentence(2, 1, 2 * x if final else x)


def assassination(table: Table, player: int, x: int, _final: bool) -> Iterator[Sentence]:
    commander = table.forces[1 - player].commander
    yield Sentence(1, commander != "whole", x * (commander != "whole"), conditional=True)
    yield Sentence(2, commander == "gone", 2 * x * (commander == "gone"), conditional=True)


def decimation(table: Table, player: int, x: int, _final: bool) -> Iterator[Sentence]:
    force = table.forces[1 - player]
    yield Sentence(1, 3 * force.lost >= force.units, x * (3 * force.lost >= force.units), conditional=True)
    yield Sentence(2, 2 * force.lost >= force.units, 2 * x * (2 * force.lost >= force.units), conditional=True)


def meat_grinder(table: Table, player: int, x: int, final: bool) -> Iterator[Sentence]:
    if table.forces[1 - player].fell:
        yield Sentence(1, 1, x)
    if table.forces[1 - player].fell > table.forces[player].fell:
        yield Sentence(2, 1, 2 * x if final else x)


def cybel_refineries(table: Table, player: int, x: int, final: bool) -> Iterator[Sentence]:
    held = len(table.list_controlled("refinery", player))
    # The final two turns of five.
    yield Sentence(1, held, held * x * (2 if table.turn >= 4 else 1))
    if final and 2 * held >= 4:
        yield Sentence(2, 1, 2 * x)


def delayed_objectives(table: Table, player: int, x: int, final: bool) -> Iterator[Sentence]:
    if table.turn == 1:
        return  # reinforcements come once the points of the first turn are counted
    held = len(table.list_controlled("delayed", player))
    yield Sentence(1, held, held * x)
    if final and 2 * held >= 4:
        yield Sentence(2, 1, 2 * x)


def excavation(table: Table, player: int, x: int, final: bool) -> Iterator[Sentence]:
    held = len(table.list_controlled("dig site", player))
    yield Sentence(1, held, held * x)
    if final and 2 * held >= 4:
        yield Sentence(2, 1, 2 * x)


def vips(table: Table, player: int, x: int, final: bool) -> Iterator[Sentence]:
    held = len(table.list_controlled("vip", player))
    yield Sentence(1, held, held * x)
    if final and 2 * held >= 6:
        yield Sentence(2, 1, 2 * x)


def plant_the_flag(table: Table, player: int, x: int, final: bool) -> Iterator[Sentence]:
    yield from _count_captured("flag", table, player, x, final)


def territories(table: Table, player: int, x: int, final: bool) -> Iterator[Sentence]:
    yield from _count_captured("territory", table, player, x, final)


def _count_captured(name: str, table: Table, player: int, x: int, final: bool) -> Iterator[Sentence]:
    held = table.captured[name].count(player)
    yield Sentence(1, held, held * x)
    if final and 2 * held >= 6:
        yield Sentence(2, 1, 2 * x)


def supply_caches(table: Table, player: int, x: int, final: bool) -> Iterator[Sentence]:
    dice, gained, rest = table.dice, 0, 0
    for place in table.list_controlled("cache", player):
        left = table.caches[place]
        if left is None:
            # In a deployment zone it holds 5; in no-man's land the number is rolled when it is first controlled.
            left = 5 if place < 2 else dice.randint(1, 6) + dice.randint(1, 6) + 2
        given = min(x, left)
        gained, left = gained + given, left - given
        if final:
            rest, left = rest + left, 0
        table.caches[place] = left
    yield Sentence(1, gained, gained)
    if final:
        yield Sentence(2, rest, rest)


def defend_the_artifact(table: Table, player: int, x: int, final: bool) -> Iterator[Sentence]:
    fortitude, worth = table.forces[player].artifact, 2 * x if final else x
    if fortitude:
        yield Sentence(1, 1, worth)
    if fortitude > 8:
        yield Sentence(2, 1, worth)


def demolition(table: Table, player: int, x: int, _final: bool) -> Iterator[Sentence]:
    # The target to destroy is one's own objective, which the opponent guards.
    target = table.forces[player].target
    yield Sentence(1, target != "whole", x * (target != "whole"), conditional=True)
    yield Sentence(2, target == "gone", 2 * x * (target == "gone"), conditional=True)


def breakthrough(table: Table, player: int, x: int, final: bool) -> Iterator[Sentence]:
    units, worth = table.zones[f"zone of {1 - player}"], 2 * x if final else x
    if units[player]:
        yield Sentence(1, 1, worth)
    if units[player] > units[1 - player]:
        yield Sentence(2, 1, worth)


def domination(table: Table, player: int, x: int, final: bool) -> Iterator[Sentence]:
    ruled = sum(units[player] > units[1 - player] for units in table.quarters)
    yield Sentence(1, ruled, ruled * x * (2 if final else 1))


def into_the_fire(table: Table, player: int, x: int, final: bool) -> Iterator[Sentence]:
    units, worth = table.zones["fire"], 2 * x if final else x
    if units[player]:
        yield Sentence(1, 1, worth)
    if units[player] > units[1 - player]:
        yield Sentence(2, 1, worth)


def king_of_the_hill(table: Table, player: int, x: int, final: bool) -> Iterator[Sentence]:
    units, worth = table.zones["hill"], 2 * x if final else x
    if units[player] >= units[1 - player]:
        yield Sentence(1, 1, worth)
    if units[player] >= 2 * units[1 - player]:
        yield Sentence(2, 1, worth)


OBJECTIVES: Mapping[str, Objective] = {
    "alpha-strike": alpha_strike,
    "assassination": assassination,
    "breakthrough": breakthrough,
    "cybel-refineries": cybel_refineries,
    "decimation": decimation,
    "defend-the-artifact": defend_the_artifact,
    "delayed-objectives": delayed_objectives,
    "demolition": demolition,
    "domination": domination,
    "excavation": excavation,
    "into-the-fire": into_the_fire,
    "king-of-the-hill": king_of_the_hill,
    "meat-grinder": meat_grinder,
    "plant-the-flag": plant_the_flag,
    "supply-caches": supply_caches,
    "territories": territories,
    "vips": vips,
}

# ---- missions -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Orders:
    """A mission's orders for a player: objectives with X, and the victory total."""

    aims: tuple[tuple[str, int], ...]
    total: int


@dataclass(frozen=True, slots=True)
class Mission:
    """The orders of both players, or of attacker and defender in a narrative mission."""

    orders: tuple[Orders, ...]
    turns: int = 5

    @property
    def is_narrative(self) -> bool:
        return len(self.orders) > 1

    def give_orders(self, player: int) -> Orders:
        return self.orders[player if self.is_narrative else 0]


def _both(first: tuple[str, int], second: tuple[str, int], total: int) -> Mission:
    return Mission((Orders((first, second), total),))


MISSIONS: Mapping[str, Mission] = {
    "bloodbath": _both(("king-of-the-hill", 5), ("meat-grinder", 3), 20),
    "forward-unto-victory": _both(("breakthrough", 5), ("demolition", 4), 24),
    "groundfahll": _both(("alpha-strike", 5), ("territories", 1), 20),
    "purple-gold": _both(("cybel-refineries", 4), ("decimation", 4), 30),
    "domination-vips": _both(("domination", 4), ("vips", 1), 26),
    "worth-more-than-your-head": _both(("assassination", 6), ("excavation", 2), 28),
    "do-or-die": _both(("into-the-fire", 5), ("plant-the-flag", 2), 18),
    "split-research": _both(("defend-the-artifact", 5), ("king-of-the-hill", 3), 20),
    "strike-and-hold": _both(("meat-grinder", 5), ("delayed-objectives", 3), 20),
    "supply-run": _both(("supply-caches", 3), ("domination", 2), 20),
    "surgical-strike": _both(("alpha-strike", 5), ("assassination", 4), 24),
    "vips-breakthrough": _both(("vips", 3), ("breakthrough", 3), 28),
    "the-last-stand": Mission(
        (
            Orders((("decimation", 8), ("king-of-the-hill", 4)), 28),
            Orders((("defend-the-artifact", 4), ("king-of-the-hill", 3)), 30),
        )
    ),
    "night-raid": Mission(
        (Orders((("demolition", 8), ("alpha-strike", 4)), 32), Orders((("domination", 3), ("assassination", 8)), 30))
    ),
    "escalation": Mission((Orders((("delayed-objectives", 4), ("alpha-strike", 3)), 24),) * 2, turns=6),
}
SIDES = ("attacker", "defender")
LEAD = 5


@dataclass(frozen=True, slots=True)
class Standing:
    """Both players' points and victory totals at the end of a turn."""

    mine: int
    total: int
    theirs: int
    their_total: int

    @property
    def beyond(self) -> int:
        """By how much more the player exceeds the victory total than the opponent."""
        return (self.mine - self.total) - (self.theirs - self.their_total)

    def crushes(self, *, narrative: bool) -> bool:
        if not narrative:
            return self.mine >= self.total and self.mine - self.theirs >= LEAD
        lacks = self.their_total - self.theirs >= LEAD
        both = self.mine > self.total and self.theirs >= self.their_total
        return (self.mine >= self.total and lacks) or (both and self.beyond >= LEAD)

    def wins(self, *, narrative: bool) -> bool:
        if not narrative:
            return self.mine >= self.total and self.mine > self.theirs
        return self.mine >= self.total and (self.theirs < self.their_total or self.beyond > 0)


def stand(mission: Mission, points: tuple[int, int], player: int) -> Standing:
    other = 1 - player
    return Standing(points[player], mission.give_orders(player).total, points[other], mission.give_orders(other).total)


def find_crushing(mission: Mission, points: tuple[int, int]) -> int | None:
    """Return the player who wins at once at the end of a turn, or None."""
    crushing = (p for p in (0, 1) if stand(mission, points, p).crushes(narrative=mission.is_narrative))
    return next(crushing, None)


def find_standard(mission: Mission, points: tuple[int, int]) -> int | None:
    """Return the winner after the final turn, or None for a draw."""
    winning = (p for p in (0, 1) if stand(mission, points, p).wins(narrative=mission.is_narrative))
    return next(winning, None)


def play(dice: Random, objectives: Mapping[str, Objective] = OBJECTIVES) -> RandomGame:
    name = dice.choice(list(MISSIONS))
    mission = MISSIONS[name]
    # In every other game of a narrative mission the first player is the attacker.
    places = (0, 1) if not mission.is_narrative or dice.random() < 0.5 else (1, 0)
    forces = Force(dice.randint(5, 11)), Force(dice.randint(5, 11))
    table = Table(dice, forces, slow=dice.random() < 0.7)
    gained, turns = [0, 0], []
    points, sudden = (0, 0), None
    for number in range(1, mission.turns + 1):
        table.play_turn(number)
        claims, lasting = [], [0, 0]
        for player in (0, 1):
            for objective, x in mission.give_orders(player).aims:
                start = f"{SIDES[player]}.{objective}" if mission.is_narrative else objective
                for true in objectives[objective](table, player, x, number == mission.turns):
                    (lasting if true.conditional else gained)[player] += true.points
                    claims.append(
                        Claim(places[player], f"{start}.{true.number}", int(true.times), lasts=true.conditional)
                    )
        points = (gained[0] + lasting[0], gained[1] + lasting[1])
        sudden = find_crushing(mission, points)
        shown = points if places == (0, 1) else points[::-1]
        turns.append(EndOfTurn(number, tuple(claims), shown, None if sudden is None else places[sudden]))
        if sudden is not None:
            break
    winner = find_standard(mission, points) if sudden is None else sudden
    return RandomGame(
        mission=name,
        turns=tuple(turns),
        ending=CRUSHING if sudden is not None else DRAW if winner is None else STANDARD,
        winner=None if winner is None else places[winner],
        side=SIDES[places[0]] if mission.is_narrative else "",
    )


READING = ScoreReading(
    pack=EDGE,
    army="army-hazard-pay",
    phase="end",
    play=play,
    differences={
        "Alpha Strike": "the sentence that doubles closes the second one; it could be read as doubling both",
        "King of the Hill": "with nobody in the zone both sentences hold by their letter; here somebody always is",
    },
)
