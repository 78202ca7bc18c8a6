"""What a second reading of scoring says of a random game."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

CRUSHING, STANDARD, DRAW = "crushing", "standard", "draw"


@dataclass(frozen=True, slots=True)
class Claim:
    """What a player claims as a turn ends: a line by its id, how often (or how many points, if `is_free`).

    A claim that `lasts` holds as long as its condition does; with `times` 0 it holds no longer.
    """

    side: int
    line: str
    times: int
    lasts: bool = False
    is_free: bool = False


@dataclass(frozen=True, slots=True)
class EndOfTurn:
    """A turn that ends: what is claimed, the points of both sides in all, and who has won at once, if anybody has."""

    number: int
    claims: tuple[Claim, ...]
    totals: tuple[int, int]
    sudden: int | None = None


@dataclass(frozen=True, slots=True)
class RandomGame:
    """A game as a reading has played it. `side` is the side of the mission that the first player has."""

    mission: str
    turns: tuple[EndOfTurn, ...]
    ending: str
    winner: int | None
    side: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreReading:
    """How somebody who never saw the pack scores by the book.

    `play` plays a random game; `phase` is the phase in which turns are counted. `endings` are those that games of this
    book can have. `differences` names what the book leaves open, and how it is read here.
    """

    pack: Path
    army: str
    phase: str
    play: Callable[[Random], RandomGame]
    endings: frozenset[str] = frozenset({CRUSHING, STANDARD, DRAW})
    differences: Mapping[str, str] = field(default_factory=dict)
