"""How The Edge: Dawnfall counts victory points with two players: "Model death and victory points", "End of the game".

There is one marker, in the middle at first. What a player gains moves it towards their own end, and what they pay
towards the other end. Only where it stands decides.
"""

from random import Random

from tests.play.games import DAWNFALL
from tests.second_reading.scoring.reading import DRAW, STANDARD, Claim, EndOfTurn, RandomGame, ScoreReading

LONGEST = 6
"""So many rounds at most; the book plays until somebody wins or a deck runs out."""


def play(dice: Random) -> RandomGame:
    """Play a random game until a deck runs out; the first player gains what moves the marker up."""
    marker, turns = 0, []
    # The game shows what each has gained and paid; the marker is the difference.
    shown = [0, 0]
    for number in range(1, dice.randint(1, LONGEST) + 1):
        claims = []
        for _deed in range(dice.randint(0, 4)):
            player = dice.randint(0, 1)
            # A model brings the Endurance on its card, and a crystal of a cost may be a victory point, without a limit.
            moved = dice.choice((0, 1, 1, 2, 2, 3, -1, -2))
            marker += moved if player == 0 else -moved
            shown[player] += moved
            claims.append(Claim(player, "victory-points", moved, is_free=True))
        turns.append(EndOfTurn(number, tuple(claims), (shown[0], shown[1])))
    return RandomGame(
        mission="two-players",
        turns=tuple(turns),
        ending=STANDARD if marker else DRAW,
        winner=None if marker == 0 else int(marker < 0),
    )


READING = ScoreReading(
    pack=DAWNFALL, army="army-the-forest-walks", phase="turn", play=play, endings=frozenset({STANDARD, DRAW})
)
