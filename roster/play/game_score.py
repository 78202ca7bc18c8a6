"""What both sides have scored, by round and by source. Pure: counters and score rules in, sums out."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from catalogue.definitions.table_rules import ScoreItem
from roster.play.game_state import SCORE, SideState
from roster.play.objective_hand import HandRules, sum_round

HAND = "hand"
"""The id of the sum of objectives in the hand."""
FREE = "points"
"""The id of the counter of a game without score rules."""


@dataclass(frozen=True, slots=True)
class ScoreRules:
    """The score rules of a game. `most` bounds the sum of a side, `most_hand` the sum of its hand of objectives."""

    items: tuple[ScoreItem, ...] = ()
    rounds: int = 0
    most: int | None = None
    most_hand: int | None = None
    hand: HandRules | None = None


@dataclass(frozen=True, slots=True)
class SideScore:
    """The points of a side: in all, by round from 1, and by the id of the score item. `lost` is what caps took away.

    `hand` are the points of its hand of objectives in each round before caps.
    """

    total: int = 0
    by_round: dict[int, int] = field(default_factory=dict)
    by_item: dict[str, int] = field(default_factory=dict)
    lost: int = 0
    hand: dict[int, int] = field(default_factory=dict)


def name_counter(item_id: str, number: int) -> str:
    """Return the key of the counter of an item's points in a round.

    >>> name_counter("painted", 5)
    'score:painted:5'
    """
    return f"{SCORE}{item_id}:{number}"


def score_side(rules: ScoreRules, side: SideState) -> SideScore:
    """Return the score of a side. Caps count in the order of the rounds: points beyond them are lost."""
    counted: dict[str, dict[int, int]] = {}
    for key, count in side.counts.items():
        if not key.startswith(SCORE):
            continue
        item_id, _, number = key.removeprefix(SCORE).rpartition(":")
        if number.isdecimal():
            rounds = counted.setdefault(item_id, {})
            rounds[int(number)] = rounds.get(int(number), 0) + count
    hand: dict[int, int] = {}
    if rules.hand is not None and side.hand is not None:
        hand = {number: sum_round(rules.hand, side.hand, played) for number, played in enumerate(side.hand.rounds, 1)}

    by_round: dict[int, int] = {}
    by_item: dict[str, int] = {}
    lost = 0
    items = {item.id: item for item in rules.items}
    for item_id, rounds in counted.items():
        item = items.get(item_id) or ScoreItem(id=item_id, name=item_id)
        lost += _add_item(item.id, rounds, item.most, item.most_round, by_round, by_item)
    lost += _add_item(HAND, hand, rules.most_hand, None, by_round, by_item)
    total = sum(by_round.values())
    capped = _cap(total, rules.most)
    return SideScore(capped, dict(sorted(by_round.items())), by_item, lost + total - capped, hand)


def _add_item(
    item_id: str,
    rounds: dict[int, int],
    most: int | None,
    most_round: int | None,
    by_round: dict[int, int],
    by_item: dict[str, int],
) -> int:
    """Add the points of an item to both sums, up to its caps; return the points beyond them."""
    room, lost = most, 0
    for number in sorted(rounds):
        points = _cap(_cap(rounds[number], most_round), room)
        lost += rounds[number] - points
        room = None if room is None else room - points
        if points:
            by_round[number] = by_round.get(number, 0) + points
            by_item[item_id] = by_item.get(item_id, 0) + points
    return lost


def _cap(points: int, most: int | None) -> int:
    return points if most is None else min(points, most)


def count_shares(results: Sequence[int]) -> tuple[int, int, int]:
    """Return how many of these differences are wins, draws and losses.

    >>> count_shares([5, 0, -3, 2])
    (2, 1, 1)
    """
    wins = sum(result > 0 for result in results)
    losses = sum(result < 0 for result in results)
    return wins, len(results) - wins - losses, losses
