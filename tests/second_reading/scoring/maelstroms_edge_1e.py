"""How the faction objectives of Maelstrom's Edge, 1st edition, score by the community's data.

No available book has a mission or a number of turns. A game takes some turns, and more points win.
"""

from collections.abc import Callable, Iterator, Mapping
from random import Random

from tests.play.games import FIRST_EDGE
from tests.second_reading.scoring.reading import DRAW, STANDARD, Claim, EndOfTurn, RandomGame, ScoreReading

MOST = 3
"""“A maximum of 3 VPs per game”, for all objectives but the epic hero's."""


class Player:
    """A player with an objective. The lines of objectives but the first player's begin with their name."""

    def __init__(self, place: int, dice: Random, start: str = "") -> None:
        self.place = place
        self.dice = dice
        self.start = start
        self.gained = 0
        self.extra = 0
        self.has_killed = False
        self.hero_lives = True

    @property
    def points(self) -> int:
        """The points of the player's objective, and points that the maximum does not limit."""
        return self.gained + self.extra

    def gain(self, points: int) -> None:
        self.gained = min(self.gained + points, MOST)

    def claim(self, line: str, times: int) -> Claim:
        return Claim(self.place, f"{self.start}{line}", times)


Objective = Callable[[Player, Player, bool], Iterator[Claim]]
"""Scores a turn for a player against another, in the last turn or before it."""


def first_contact(player: Player, _other: Player, _last: bool) -> Iterator[Claim]:
    failed = player.dice.choice((0, 0, 1, 2))
    player.gain(failed)
    yield player.claim("failed-check", failed)


def keep_it(line: str) -> Objective:
    """Score 1 in each end phase if it is kept and not used, and all that is left at the end."""

    def score(player: Player, _other: Player, last: bool) -> Iterator[Claim]:
        kept, used = player.dice.random() < 0.6, player.dice.random() < 0.5
        if kept and not used:
            player.gain(1)
            yield player.claim("each-end-phase", 1)
        if last and kept:
            left = MOST - player.gained
            player.gain(left)
            yield player.claim(line, player.dice.choice((left, MOST)))

    return score


def favor_of_the_crowd(player: Player, _other: Player, _last: bool) -> Iterator[Claim]:
    if player.dice.random() < 0.3:
        if not player.has_killed:
            player.gain(3)
        player.has_killed = True
        yield player.claim("first-kill", 1)


def epic_hero(player: Player, other: Player, _last: bool) -> Iterator[Claim]:
    if player.hero_lives and player.dice.random() < 0.5:
        player.extra += 1
        yield player.claim("a-kill", 1)
    if player.hero_lives and player.dice.random() < 0.15:
        player.hero_lives = False
        other.extra += 1
        yield Claim(other.place, f"{player.start}their-hero-falls", 1)


def the_great_hunt(player: Player, _other: Player, _last: bool) -> Iterator[Claim]:
    if player.gained < MOST and player.dice.random() < 0.5:
        player.gain(1)
        yield player.claim("target-destroyed", 1)


OBJECTIVES: Mapping[str, Objective] = {
    "first-contact": first_contact,
    "secret-cache": keep_it("end-of-the-game"),
    "automated-uplink-relay": keep_it("end-of-the-game"),
    "master-of-machines": keep_it("end-of-the-game"),
    "now-you-see-me": keep_it("end-of-the-game"),
    "moral-high-ground": keep_it("final-turn"),
    "favor-of-the-crowd": favor_of_the_crowd,
    "epic-hero": epic_hero,
    "the-great-hunt": the_great_hunt,
}


def play(dice: Random) -> RandomGame:
    """Play a random game in which each player has their own faction objective, perhaps the same."""
    names = [dice.choice(list(OBJECTIVES)) for _ in range(2)]
    start = "" if names[1] == names[0] else f"{names[1]}."
    players, turns = (Player(0, dice), Player(1, dice, start)), []
    length = dice.randint(2, 6)
    for number in range(1, length + 1):
        claims = [
            claim
            for name, (player, other) in zip(names, (players, players[::-1]), strict=True)
            for claim in OBJECTIVES[name](player, other, number == length)
        ]
        turns.append(EndOfTurn(number, tuple(claims), (players[0].points, players[1].points)))
    lead = players[0].points - players[1].points
    return RandomGame(
        mission=names[0],
        turns=tuple(turns),
        ending=STANDARD if lead else DRAW,
        winner=None if lead == 0 else int(lead < 0),
        opponents_mission=names[1],
    )


READING = ScoreReading(
    pack=FIRST_EDGE, army="secdef-platoon", phase="end", play=play, endings=frozenset({STANDARD, DRAW})
)
