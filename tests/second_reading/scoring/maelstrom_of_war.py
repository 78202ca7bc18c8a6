"""How Maelstrom of War scores, by "Tactical Objectives", "Missions" and "Determine victor".

A referee checks what is drawn, named and scored, and keeps both scores.
"""

from dataclasses import dataclass, field

PHASE, TURN, ROUND, MORALE, PSYCHIC = "any phase", "turn", "battle round", "Morale phase", "your Psychic phase"
TABLES: dict[str, tuple[tuple[str, int, str], ...]] = {
    "Brought Low": (
        ("Tear Down Their Heroes", 8, TURN),
        ("The Bigger they are, the Harder they Fall", 5, TURN),
        ("Crippling Blow", 5, PHASE),
        ("Overwhelm", 5, ROUND),
        ("Outmanoeuvre", 5, ROUND),
        ("Coordinated Strikes", 5, PHASE),
    ),
    "Raid": (
        ("Overwhelming Assault", 8, ROUND),
        ("Driving Rush", 5, ROUND),
        ("Slay the Defenders", 5, TURN),
        ("Push Them Out", 5, ROUND),
        ("Storm the Line", 5, ROUND),
        ("Take and Hold", 5, ROUND),
    ),
    "Territory Seizure": (
        ("Take it Back", 8, TURN),
        ("Make a Stand", 5, ROUND),
        ("Area Denial", 5, ROUND),
        ("Lines Breached", 5, ROUND),
        ("Expelled", 5, ROUND),
        ("Dominate", 5, ROUND),
    ),
    "Holding the Line": (
        ("Targets Held", 8, ROUND),
        ("Enemy Repulsed", 5, ROUND),
        ("Push Them Back", 5, TURN),
        ("Never Give In", 5, ROUND),
        ("Hold Your Ground", 5, ROUND),
        ("Fall Back Position", 5, ROUND),
    ),
    "Heroic Deeds": (
        ("Cut Off The Head", 8, TURN),
        ("Trading Blows", 5, PHASE),
        ("Savage Duel", 5, PHASE),
        ("Leading the Charge", 5, TURN),
        ("Burn Them Out", 5, PSYCHIC),
        ("Applied Tactics", 5, PHASE),
    ),
    "Eradication": (
        ("Hit Them Hard", 8, TURN),
        ("Cut the Head From the Serpent", 5, TURN),
        ("Expunge the Witch", 5, TURN),
        ("Break Their Will", 5, MORALE),
        ("Decimation", 5, PHASE),
        ("Crushing Strike", 5, PHASE),
    ),
}
CATEGORY = {name: category for category, rows in TABLES.items() for name, _points, _when in rows}
POINTS = {name: points for rows in TABLES.values() for name, points, _when in rows}
WHEN = {name: when for rows in TABLES.values() for name, _points, when in rows}
PHASES = ("Command", "Movement", "Psychic", "Shooting", "Charge", "Fight", "Morale")
MISSIONS = (
    "Territorial Control",
    "Ambitious Surge",
    "Complex Front",
    "Subterfuge and Interference",
    "Chaotic Engagement",
    "Never Surrender",
)
ROUNDS, MOST, PAINTED = 5, 90, 10


@dataclass(frozen=True, slots=True)
class Moment:
    """When something is claimed: battle round, whose turn (0 took the first), phase; "" is the start of the turn."""

    round: int
    turn: int = 0
    phase: str = ""

    @property
    def order(self) -> tuple[int, int, int]:
        return self.round, self.turn, PHASES.index(self.phase) if self.phase else -1


@dataclass(slots=True)
class Drawn:
    """An objective generated in this battle round."""

    name: str
    named: bool = False
    scored: bool = False


@dataclass(slots=True)
class Player:
    categories: tuple[str, ...] = ()
    secret: str = ""
    hand: list[Drawn] = field(default_factory=list)
    scored: dict[int, int] = field(default_factory=dict)
    painted: bool = False

    @property
    def points(self) -> int:
        return min(MOST, sum(self.scored.values())) + (PAINTED if self.painted else 0)


@dataclass(slots=True)
class Referee:
    """Checks a battle of one mission. Methods return what is wrong, or ""."""

    mission: str
    players: tuple[Player, Player] = field(default_factory=lambda: (Player(), Player()))
    round: int = 0
    fourth: int | None = None
    begun_with: tuple[int, int] = (0, 0)

    def begin_round(self, number: int) -> None:
        self.round, self.fourth = number, None
        self.begun_with = (self.players[0].points, self.players[1].points)
        for player in self.players:
            player.hand = []

    def has_fourth(self, player: int, *, more_markers: bool) -> bool:
        """Return whether the mission gives a player a fourth objective."""
        if self.mission == "Subterfuge and Interference":
            return True
        if self.round == 1:
            return False
        if self.mission == "Never Surrender":
            return self.begun_with[player] < self.begun_with[1 - player]
        # Only one player can control more markers.
        return self.mission == "Territorial Control" and more_markers and self.fourth in (None, player)

    def draw(self, player: int, names: list[str], *, more_markers: bool = False) -> str:
        has_fourth = self.has_fourth(player, more_markers=more_markers)
        if has_fourth and self.mission == "Territorial Control":
            self.fourth = player
        if len(names) != 3 + has_fourth:
            return f"{len(names)} objectives in round {self.round} of {self.mission}"
        if len(set(names)) != len(names):
            return f"an objective twice: {names}"
        categories = [CATEGORY[name] for name in names]
        chosen = self.players[player].categories
        if self.mission == "Complex Front" and sorted(categories) != sorted(chosen):
            return f"not one of each of {chosen}: {categories}"
        if self.mission != "Chaotic Engagement" and not set(categories) <= set(chosen):
            return f"not of {chosen}: {categories}"
        self.players[player].hand = [Drawn(name) for name in names]
        return ""

    def may_name(self, player: int) -> bool:
        """Return whether the opponent may name one of the player's objectives now."""
        hands = [one.hand for one in self.players]
        is_scored = any(drawn.scored for hand in hands for drawn in hand)
        return self.mission in ("Ambitious Surge", "Subterfuge and Interference") and all(hands) and not is_scored

    def name(self, player: int, place: int) -> None:
        for number, drawn in enumerate(self.players[player].hand):
            drawn.named = number == place

    def may_score(self, player: int, place: int, moment: Moment) -> bool:
        """Return whether an objective can be scored: at its time, not barred, once in a round."""
        hand = self.players[player].hand
        if place >= len(hand) or hand[place].scored:
            return False
        if hand[place].named and self.mission == "Subterfuge and Interference":
            return False
        first = {
            PHASE: Moment(self.round, 0, "Command"),
            TURN: Moment(self.round, 0, "Morale"),
            ROUND: Moment(self.round, 1, "Morale"),
            MORALE: Moment(self.round, 0, "Morale"),
            PSYCHIC: Moment(self.round, player, "Psychic"),
        }[WHEN[hand[place].name]]
        # Players may claim it later in the round.
        return moment.order >= first.order

    def score(self, player: int, place: int) -> None:
        one = self.players[player]
        drawn = one.hand[place]
        drawn.scored = True
        points = POINTS[drawn.name] * (2 if drawn.named and self.mission == "Ambitious Surge" else 1)
        if self.mission == "Complex Front" and CATEGORY[drawn.name] == one.secret:
            points += 5
        one.scored[self.round] = one.scored.get(self.round, 0) + points

    @property
    def totals(self) -> tuple[int, int]:
        return self.players[0].points, self.players[1].points

    @property
    def winner(self) -> int | None:
        first, second = self.totals
        return None if first == second else int(second > first)
