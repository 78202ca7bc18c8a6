"""A way to score in a game, for tables and printed score sheets."""

from dataclasses import dataclass

from catalogue.definitions.table_rules import ANY_TIME, ScoreMoment, ScoreTiming


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreLine:
    """A line of an objective, a paragraph of the mission, or an item of the table rules that scores.

    `points` are the steps of its counter; with a known time there is one, and the counter holds how often it scores. A
    blank `side` or `phase` means all. `rounds` is the game's length, 0 if open. Costs may go `below_zero`. `victim` is
    the place of the side whose tokens it counts. Lines that are `theirs` score for the opponents of `side`.
    """

    id: str
    name: str
    points: tuple[int, ...] = (1,)
    when: str = ""
    text: str = ""
    objective: str = ""
    zone: str = ""
    setup: str = ""
    special: str = ""
    icon: str = ""
    side: str = ""
    theirs: bool = False
    victim: int | None = None
    phase: str = ""
    rounds: int = 0
    most: int | None = None
    most_round: int | None = None
    below_zero: bool = False
    is_of_mission: bool = False
    timing: ScoreTiming = ANY_TIME

    @property
    def is_free(self) -> bool:
        """Whether players count freely, because the data does not say when it scores."""
        return self.timing.counts == ScoreMoment.FREELY

    @property
    def is_held(self) -> bool:
        return self.timing.counts == ScoreMoment.WHILE_TRUE

    @property
    def one(self) -> int:
        return 1 if self.is_free or self.timing.in_part else self.points[0]

    @property
    def back(self) -> int:
        """The minus button's step, equal to the smallest plus button."""
        return min((1 if not self.is_free and self.one == points else points for points in self.points), default=1)

    @property
    def most_times(self) -> int | None:
        """The highest count at one time, None if unlimited."""
        if self.is_free:
            return None
        if self.timing.in_part:
            return self.timing.times * max(self.points) or None
        return self.timing.times or (None if len(self.points) > 1 else 1)

    @property
    def most_game(self) -> int | None:
        return (self.most_times or 1) * self.one if self.timing.counts == ScoreMoment.ONCE else self.most

    @property
    def first_round(self) -> int:
        """The first round in which it can score. LAST_TURN means the last round, or any if the length is open."""
        return self.rounds if self.timing.counts == ScoreMoment.LAST_TURN else self.timing.first

    @property
    def last_round(self) -> int:
        """The last round in which it can score, 0 if unlimited."""
        return self.rounds if self.timing.counts == ScoreMoment.LAST_TURN else self.timing.last

    def is_open(self, number: int) -> bool:
        return number >= self.first_round and (not self.last_round or number <= self.last_round)

    def is_live(self, number: int, phase: str) -> bool:
        return self.is_open(number) and (not self.phase or self.phase == phase)

    @property
    def first_doubled(self) -> int:
        """The first round with double points, 0 for none."""
        return max(1, self.rounds - self.timing.doubled + 1) if self.rounds and self.timing.doubled else 0

    def count_worth(self, number: int) -> int:
        return self.one * (2 if self.first_doubled and number >= self.first_doubled else 1)

    def count_points(self, count: int, number: int) -> int:
        """Return the points of a count in a round.

        >>> refineries = ScoreTiming(counts=ScoreMoment.EACH_TURN, times=4, doubled=2)
        >>> line = ScoreLine(id="a", name="A", points=(4,), rounds=5, timing=refineries)
        >>> line.count_points(2, 3), line.count_points(2, 4), line.count_points(9, 3), line.count_points(-1, 3)
        (8, 16, 16, 0)
        """
        if self.is_free:
            return count
        if not (self.is_held or self.is_open(number)):
            return 0
        count = count if self.most_times is None else min(count, self.most_times)
        return max(0, count) * self.count_worth(number)
