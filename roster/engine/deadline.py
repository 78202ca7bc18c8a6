"""An end to work whose amount a stranger decides."""

import time
from collections.abc import Callable

Deadline = Callable[[], None]
"""Called again and again while a list is filled and judged; raises OverdueError once that has taken too long."""


class OverdueError(Exception):
    """Filling or judging a list took longer than it may."""


def expire_never() -> None:
    """Do nothing: no deadline."""


def expire_after(seconds: float, clock: Callable[[], float] = time.thread_time) -> Deadline:
    """Return a deadline for this thread's own work, so that a busy machine refuses nothing more."""
    end = clock() + seconds

    def check() -> None:
        if clock() > end:
            raise OverdueError

    return check
