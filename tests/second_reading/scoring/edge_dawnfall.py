"""How The Edge: Dawnfall scores with two players: "Model death and victory points", "End of the game".

A marker starts in the middle. Points gained move it towards the player's end, points paid towards the other end. Only
its place decides.
"""

from random import Random

from tests.play.games import DAWNFALL
from tests.second_reading.scoring.reading import DRAW, STANDARD, Claim, EndOfTurn, RandomGame, ScoreReading

LONGEST = 6
"""The most rounds; the book plays until a player wins or a deck runs out."""


def play(dice: Random) -> RandomGame:
    """Play a random game until a deck runs out; points of the first player move the marker up."""
    marker, turns = 0, []
    # The game shows the points gained and paid; the marker is the difference.
    points_of_players = [0, 0]
    for number in range(1, dice.randint(1, LONGEST) + 1):
        claims = []
        for _deed in range(dice.randint(0, 4)):
            player = dice.randint(0, 1)
            # A model scores the Endurance on its card, and a crystal of a cost may be a victory point, without limit.
            moved = dice.choice((0, 1, 1, 2, 2, 3, -1, -2))
            marker += moved if player == 0 else -moved
            points_of_players[player] += moved
            claims.append(Claim(player, "victory-points", moved, is_free=True))
        turns.append(EndOfTurn(number, tuple(claims), (points_of_players[0], points_of_players[1])))
    return RandomGame(
        mission="two-players",
        turns=tuple(turns),
        ending=STANDARD if marker else DRAW,
        winner=None if marker == 0 else int(marker < 0),
    )


READING = ScoreReading(
    pack=DAWNFALL, army="army-the-forest-walks", phase="turn", play=play, endings=frozenset({STANDARD, DRAW})
)
