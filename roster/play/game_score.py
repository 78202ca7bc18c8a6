"""What both sides have scored, by round and by source. Pure: counters and score rules in, sums out."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from catalogue.definitions.table_rules import ScoreItem
from roster.play.game_state import SideState
from roster.play.objective_hand import HandRules, sum_round

SCORE = "score:"
HAND = "hand"
"""The id under which objectives in the hand are summed up."""
FREE = "points"
"""The id of the counter of a game without score rules."""


@dataclass(frozen=True, slots=True)
class ScoreRules:
    """What scores in a game. `most` bounds the sum of a side, `most_hand` that of its hand of objectives."""

    items: tuple[ScoreItem, ...] = ()
    rounds: int = 0
    most: int | None = None
    most_hand: int | None = None
    hand: HandRules | None = None


@dataclass(frozen=True, slots=True)
class SideScore:
    """What a side scored: in all, by round from 1, and by the id of what scored it. `lost` is what caps took away.

    `hand` is what its hand of objectives brought in each round before caps.
    """

    total: int = 0
    by_round: dict[int, int] = field(default_factory=dict)
    by_item: dict[str, int] = field(default_factory=dict)
    lost: int = 0
    hand: dict[int, int] = field(default_factory=dict)


def name_counter(item_id: str, number: int) -> str:
    """Return the key of the counter of what an item scored in a round.

    >>> name_counter("painted", 5)
    'score:painted:5'
    """
    return f"{SCORE}{item_id}:{number}"


def score_side(rules: ScoreRules, side: SideState) -> SideScore:
    """Return the score of a side. Caps count in the order of the rounds: what comes too late is lost."""
    by_round: dict[int, int] = {}
    by_item: dict[str, int] = {}
    lost = 0
    items = {item.id: item for item in rules.items}
    for item_id, rounds in _read_counters(side).items():
        item = items.get(item_id) or ScoreItem(id=item_id, name=item_id)
        lost += _add_item(item.id, rounds, item.most, item.most_round, by_round, by_item)
    hand = _read_hand(rules.hand, side)
    lost += _add_item(HAND, hand, rules.most_hand, None, by_round, by_item)
    total = sum(by_round.values())
    capped = _cap(total, rules.most)
    return SideScore(capped, dict(sorted(by_round.items())), by_item, lost + total - capped, hand)


def _read_counters(side: SideState) -> dict[str, dict[int, int]]:
    """Return what was counted, by item and round."""
    written: dict[str, dict[int, int]] = {}
    for key, count in side.counts.items():
        if not key.startswith(SCORE):
            continue
        item_id, _, number = key.removeprefix(SCORE).rpartition(":")
        if number.isdecimal():
            rounds = written.setdefault(item_id, {})
            rounds[int(number)] = rounds.get(int(number), 0) + count
    return written


def _read_hand(rules: HandRules | None, side: SideState) -> dict[int, int]:
    """Return what the hand of objectives brought in each round; nothing where a mission draws none."""
    hand = side.hand
    if rules is None or hand is None:
        return {}
    return {number: sum_round(rules, hand, played) for number, played in enumerate(hand.rounds, 1)}


def _add_item(
    item_id: str,
    rounds: dict[int, int],
    most: int | None,
    most_round: int | None,
    by_round: dict[int, int],
    by_item: dict[str, int],
) -> int:
    """Add what an item brought to both sums, as far as its caps let it; return what was beyond them."""
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
