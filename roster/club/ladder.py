"""Count a table: points for results, or Elo ratings."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from catalogue.definitions.numbers import Number

START_RATING = 1500
SCALE = 400
"""A player who leads by this many points is expected to score ten times as much as the opponent."""
WON, DRAWN, LOST = 1, 0, -1


@dataclass(frozen=True, slots=True, kw_only=True)
class PairResult:
    """A game of two players, by key. `result` is WON, DRAWN or LOST for the first."""

    first: int
    second: int
    result: int
    first_score: Number = 0
    second_score: Number = 0

    @property
    def winner(self) -> int | None:
        return {WON: self.first, LOST: self.second}.get(self.result)


@dataclass(frozen=True, slots=True, kw_only=True)
class PointsRule:
    """Points for each result. A bye is worth a win."""

    win: int = 3
    draw: int = 1
    loss: int = 0


@dataclass(slots=True, kw_only=True)
class LadderLine:
    """A player's line in the table. `results` are in the order of the games.

    `strength` is the sum of the opponents' points, `difference` the scores minus the opponents' scores.
    """

    player: int
    place: int = 0
    results: list[int] = field(default_factory=list)
    opponents: list[int] = field(default_factory=list)
    points: int = 0
    strength: int = 0
    difference: Number = 0
    supply: int = 0
    rating: float = START_RATING

    @property
    def rounded_rating(self) -> int:
        return round(self.rating)


def count_points(
    players: Sequence[int],
    games: Iterable[PairResult],
    byes: Iterable[int],
    rule: PointsRule,
    supply: Mapping[int, int] | None = None,
) -> list[LadderLine]:
    """Order the lines by points, then by the opponents' points, then by the difference of scores.

    With the `supply` of players, that comes before the points. Players who are equal in everything share a place. All
    players of `games` and `byes` must be in `players`.

    >>> game = PairResult(first=1, second=2, result=WON, first_score=18, second_score=11)
    >>> [(line.player, line.points, line.difference) for line in count_points([2, 1], [game], [], PointsRule())]
    [(1, 3, 7), (2, 0, -7)]
    """
    lines = _count_games(players, games)
    worth = {WON: rule.win, DRAWN: rule.draw, LOST: rule.loss}
    for line in lines.values():
        line.points = sum(worth[result] for result in line.results)
    for player in byes:
        lines[player].points += rule.win
    for line in lines.values():
        line.strength = sum(lines[opponent].points for opponent in line.opponents)
        line.supply = supply.get(line.player, 0) if supply else 0
    return _place_lines(lines, lambda line: (line.supply, line.points, line.strength, line.difference))


def rate_players(players: Sequence[int], games: Iterable[PairResult], factor: int) -> list[LadderLine]:
    """Order the lines by Elo rating. Each game changes both ratings by the same amount, in the order of `games`.

    `factor` is the most that one game can change.

    >>> lines = rate_players([1, 2], [PairResult(first=2, second=1, result=WON)], factor=32)
    >>> [(line.player, line.rating) for line in lines]
    [(2, 1516.0), (1, 1484.0)]
    """
    games = list(games)
    lines = _count_games(players, games)
    for game in games:
        first, second = lines[game.first], lines[game.second]
        expected = 1 / (1 + 10 ** ((second.rating - first.rating) / SCALE))
        gain = factor * ((game.result + 1) / 2 - expected)
        first.rating += gain
        second.rating -= gain
    return _place_lines(lines, lambda line: (line.rounded_rating,))


def _count_games(players: Sequence[int], games: Iterable[PairResult]) -> dict[int, LadderLine]:
    lines = {player: LadderLine(player=player) for player in players}
    for game in games:
        difference = game.first_score - game.second_score
        for line, opponent, sign in ((lines[game.first], game.second, 1), (lines[game.second], game.first, -1)):
            line.results.append(sign * game.result)
            line.opponents.append(opponent)
            line.difference += sign * difference
    return lines


def _place_lines(lines: dict[int, LadderLine], rank: Callable[[LadderLine], tuple[Any, ...]]) -> list[LadderLine]:
    ordered = sorted(lines.values(), key=rank, reverse=True)
    places: dict[tuple[Any, ...], int] = {}
    for number, line in enumerate(ordered, 1):
        line.place = places.setdefault(rank(line), number)
    return ordered
