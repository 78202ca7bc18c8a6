from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

CRUSHING, STANDARD, DRAW = "crushing", "standard", "draw"


@dataclass(frozen=True, slots=True)
class Claim:
    """A player's claim at the end of a turn: a line by id and a number (of points if `is_free`).

    A claim that `lasts` holds until it is claimed with `times` 0.
    """

    side: int
    line: str
    times: int
    lasts: bool = False
    is_free: bool = False


@dataclass(frozen=True, slots=True)
class EndOfTurn:
    """The end of a turn: claims, totals of both sides, and the player who won at once, if any."""

    number: int
    claims: tuple[Claim, ...]
    totals: tuple[int, int]
    sudden: int | None = None


@dataclass(frozen=True, slots=True)
class RandomGame:
    """A game as a reading played it. `side` is the first player's side of the mission.

    `opponents_mission` is the other player's own mission, if each has one.
    """

    mission: str
    turns: tuple[EndOfTurn, ...]
    ending: str
    winner: int | None
    side: str = ""
    opponents_mission: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreReading:
    """How a book scores, by an author who has not seen the pack.

    `play` plays a random game; `phase` counts the turns. `endings` are the possible endings. `differences` says what
    the book leaves open and how it is read.
    """

    pack: Path
    army: str
    phase: str
    play: Callable[[Random], RandomGame]
    endings: frozenset[str] = frozenset({CRUSHING, STANDARD, DRAW})
    differences: Mapping[str, str] = field(default_factory=dict)
