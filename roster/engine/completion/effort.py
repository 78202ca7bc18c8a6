"""Limits of a search. Steps are the same on every machine; the clock only protects the server."""

import time
from math import inf
from typing import NamedTuple

from roster.engine.evaluation import OverdueError


class UnfinishedError(Exception):
    """The clock ended a search with steps left."""


class Work:
    """Counts steps of about 50 microseconds, and ends a search after `seconds` of this thread's CPU time."""

    def __init__(self, seconds: float = inf) -> None:
        self.steps = 0
        self._end = time.thread_time() + seconds

    @property
    def seconds(self) -> float:
        return self._end - time.thread_time()

    def count(self, steps: int) -> None:
        self.steps += steps
        if self.seconds < 0:
            raise UnfinishedError


class Budget:
    def __init__(self, work: Work, steps: int) -> None:
        self.work = work
        self._end = work.steps + steps

    @property
    def left(self) -> int:
        return max(0, self._end - self.work.steps)

    def spend(self, steps: int = 1) -> None:
        """Count steps. Raises OverdueError if none are left, UnfinishedError if the time is up."""
        self.work.count(steps)
        if self.work.steps > self._end:
            raise OverdueError

    def share(self, share: float) -> "Budget":
        """Return a budget with a share of the steps left. Its steps count here, too."""
        return Budget(self.work, int(self.left * share))


class Effort(NamedTuple):
    steps: int
    seconds: float = inf

    def start(self) -> Budget:
        return Budget(Work(self.seconds), self.steps)
