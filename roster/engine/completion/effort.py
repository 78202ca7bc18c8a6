"""How much a search may do: steps, which decide because every machine counts the same, and a clock for protection."""

import time
from math import inf
from typing import NamedTuple

from roster.engine.evaluation import OverdueError


class UnfinishedError(Exception):
    """The clock ended a search that had steps left, so its question has no answer yet."""


class Work:
    """Counts the steps of a search, and ends it once it has taken `seconds` of this thread's processor time.

    A step lays out one option, one variable or one row of a model: some 50 microseconds.
    """

    def __init__(self, seconds: float = inf) -> None:
        self.steps = 0
        self._end = time.thread_time() + seconds

    @property
    def seconds(self) -> float:
        """The processor time that is left."""
        return self._end - time.thread_time()

    def count(self, steps: int) -> None:
        """Count steps that are done. Raises UnfinishedError if the clock has run out."""
        self.steps += steps
        if self.seconds < 0:
            raise UnfinishedError


class Budget:
    """The steps that one question of a search may still take."""

    def __init__(self, work: Work, steps: int) -> None:
        self.work = work
        self._end = work.steps + steps

    @property
    def left(self) -> int:
        return max(0, self._end - self.work.steps)

    def spend(self, steps: int = 1) -> None:
        """Count steps that are done. Raises OverdueError if there were fewer, UnfinishedError if the clock ran out."""
        self.work.count(steps)
        if self.work.steps > self._end:
            raise OverdueError

    def share(self, share: float) -> "Budget":
        """Return a budget of this share of the steps that are left; what it spends is spent of this one, too."""
        return Budget(self.work, int(self.left * share))


class Effort(NamedTuple):
    """How many steps a question may take, and after how many seconds of processor time it is given up unanswered."""

    steps: int
    seconds: float = inf

    def start(self) -> Budget:
        return Budget(Work(self.seconds), self.steps)
