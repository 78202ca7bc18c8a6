"""Compute sides' points by round and by line."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from catalogue.definitions.score_lines import ScoreLine
from roster.play.game_state import LINE, SCORE, SideState, are_allies
from roster.play.objective_hand import HandRules, sum_round

HELD = 0
"""The round of lines that score while they are true."""
HAND = "hand"
"""The id of the objective hand's sum."""
FREE = "points"
"""The counter in a game without score rules."""
_COUNTER = re.compile(r"(?P<kind>score|line):(?P<item>.+):(?P<round>\d{1,4})")


@dataclass(frozen=True, slots=True)
class ScoreRules:
    """`most` limits a side's total, `most_objectives` its points from objectives.

    `most_by_side` replaces `most_objectives` if sides differ in it.
    """

    lines: tuple[ScoreLine, ...] = ()
    rounds: int = 0
    most: int | None = None
    most_objectives: int | None = None
    most_by_side: Mapping[str, int | None] = field(default_factory=dict)
    hand: HandRules | None = None
    teams: int = 0

    def list_lines(self, side_id: str, opponents: Sequence[str] = ()) -> list[ScoreLine]:
        """List the lines that a mission side scores for itself or against its opponents; all lines for ""."""
        ours = ("", side_id)
        return [
            line for line in self.lines if (line.side in opponents if line.theirs else not side_id or line.side in ours)
        ]

    def list_lines_at(self, place: int, side_ids: Sequence[str]) -> list[ScoreLine]:
        """List a side's lines, without captures from itself or its allies."""
        return [
            line
            for line in self.list_lines(side_ids[place], self.list_opponents(place, side_ids))
            if line.victim is None or not are_allies(self.teams, place, line.victim)
        ]

    def list_opponents(self, place: int, side_ids: Sequence[str]) -> list[str]:
        return [side_id for other, side_id in enumerate(side_ids) if not are_allies(self.teams, place, other)]

    def find_cap(self, side_id: str) -> int | None:
        """Return the most points that a side can score with objectives, or None for no limit."""
        return self.most_by_side.get(side_id, self.most_objectives)


@dataclass(frozen=True, slots=True)
class SideScore:
    """A side's points: `lost` above limits, `held` for lines that are true now."""

    total: int = 0
    by_round: dict[int, int] = field(default_factory=dict)
    by_item: dict[str, int] = field(default_factory=dict)
    held: int = 0
    lost: int = 0
    hand: dict[int, int] = field(default_factory=dict)


def name_counter(item_id: str, number: int) -> str:
    """Return the key of an item's counter in a round.

    >>> name_counter("painted", 5)
    'score:painted:5'
    """
    return f"{SCORE}{item_id}:{number}"


def name_line_counter(line: ScoreLine, number: int) -> str:
    """Return the key of a line's counter for a round.

    >>> name_line_counter(ScoreLine(id="painted", name="Painted"), 5)
    'score:painted:5'
    """
    if line.is_free:
        return name_counter(line.id, number)
    return f"{LINE}{line.id}:{HELD if line.is_held else number}"


def read_counter(key: str) -> tuple[str, str, int] | None:
    """Return the kind, line and round of a score counter, or None for another key.

    >>> read_counter("line:meat-grinder.1:3"), read_counter("res:cp")
    (('line', 'meat-grinder.1', 3), None)
    """
    match = _COUNTER.fullmatch(key)
    return (match["kind"], match["item"], int(match["round"])) if match else None


def score_side(rules: ScoreRules, side: SideState, side_id: str = "", opponents: Sequence[str] = ()) -> SideScore:
    """Score a side that plays the mission side `side_id` against the mission sides `opponents`."""
    lines = {line.id: line for line in rules.list_lines(side_id, opponents)}
    counted: dict[str, dict[int, int]] = {}
    for key, count in side.counts.items():
        counter = read_counter(key)
        if counter is None:
            continue
        kind, item_id, number = counter
        line = lines.get(item_id)
        if line is not None and line.is_free == (kind == "score"):
            points = line.count_points(count, number)
        elif kind == "score":
            # The data lacks this item, such as an objective of a game that is older than lines for objectives.
            points = count
        else:
            continue
        rounds = counted.setdefault(item_id, {})
        rounds[number] = rounds.get(number, 0) + points

    hand: dict[int, int] = {}
    if rules.hand is not None and side.hand is not None:
        hand = {number: sum_round(rules.hand, side.hand, played) for number, played in enumerate(side.hand.rounds, 1)}

    # Of lines that exclude each other, only the best counts.
    groups: dict[str, list[str]] = {}
    for item_id in counted:
        if item_id in lines and lines[item_id].timing.one_of:
            groups.setdefault(lines[item_id].timing.one_of, []).append(item_id)
    for members in groups.values():
        best = max(members, key=lambda item_id: sum(counted[item_id].values()))
        counted = {item_id: rounds for item_id, rounds in counted.items() if item_id == best or item_id not in members}

    objectives = {HAND: hand}
    by_round: dict[int, int] = {}
    by_item: dict[str, int] = {}
    lost = 0
    for item_id, rounds in counted.items():
        line = lines.get(item_id) or ScoreLine(id=item_id, name=item_id)
        brought = _cap_rounds(rounds, line.most_game, line.most_round)
        lost += sum(rounds.values()) - sum(brought.values())
        if line.is_of_mission:
            objectives[item_id] = brought
        else:
            _add_points(item_id, brought, by_round, by_item)
    lost += _add_objectives(objectives, rules.find_cap(side_id), by_round, by_item)
    total = sum(by_round.values())
    held = by_round.pop(HELD, 0)
    capped = cap(total, rules.most)
    return SideScore(capped, dict(sorted(by_round.items())), by_item, held, lost + total - capped, hand)


def _cap_rounds(rounds: dict[int, int], most: int | None, most_round: int | None) -> dict[int, int]:
    brought: dict[int, int] = {}
    room = most
    for number in sorted(rounds):
        points = cap(cap(rounds[number], most_round), room)
        room = None if room is None else room - points
        brought[number] = points
    return brought


def _add_points(item_id: str, rounds: dict[int, int], by_round: dict[int, int], by_item: dict[str, int]) -> None:
    for number, points in rounds.items():
        if points:
            by_round[number] = by_round.get(number, 0) + points
            by_item[item_id] = by_item.get(item_id, 0) + points


def _add_objectives(
    objectives: dict[str, dict[int, int]], most: int | None, by_round: dict[int, int], by_item: dict[str, int]
) -> int:
    """Add objectives to both sums up to `most`; return the points above it."""
    room, lost = most, 0
    for number in sorted({number for rounds in objectives.values() for number in rounds}):
        for item_id, rounds in objectives.items():
            points = cap(rounds.get(number, 0), room)
            room = None if room is None else room - points
            lost += rounds.get(number, 0) - points
            _add_points(item_id, {number: points}, by_round, by_item)
    return lost


def cap(points: int, most: int | None) -> int:
    return points if most is None else min(points, most)


def count_shares(results: Sequence[int]) -> tuple[int, int, int]:
    """Count wins, draws and losses among point differences.

    >>> count_shares([5, 0, -3, 2])
    (2, 1, 1)
    """
    wins = sum(result > 0 for result in results)
    losses = sum(result < 0 for result in results)
    return wins, len(results) - wins - losses, losses
