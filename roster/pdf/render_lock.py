"""Whose turn it is to lay out: one thread of a process, and so many processes of a machine.

See docs/adr for why a layout is waited for briefly, ended at its deadline and never run in a process of its own.
"""

import fcntl
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

MOST_WAITING = 2
RETRY_AFTER = 5
_STEP = 0.02

_layout = threading.Lock()
_waiting = threading.BoundedSemaphore(MOST_WAITING + 1)


class Busy(Exception):  # noqa: N818 - an answer, not a mistake
    """No sheet can be made now; ask again in `retry_after` seconds. `too_slow`: it was begun and took too long."""

    def __init__(self, reason: str, *, too_slow: bool = False) -> None:
        super().__init__(reason)
        self.retry_after = RETRY_AFTER
        self.too_slow = too_slow


class TooSlowError(Exception):
    """A layout took longer than it may."""


@contextmanager
def turn(folder: Path, at_once: int, seconds: float) -> Iterator[None]:
    """Hold one of the `at_once` places of this machine, kept as locked files in `folder`.

    Waits for at most `seconds`, and not at all where others are waiting already: every thread that waits is one that
    serves no page. Raises Busy.
    """
    end = time.monotonic() + seconds
    if not _waiting.acquire(blocking=False):
        raise Busy("others are waiting")
    try:
        if not _layout.acquire(timeout=seconds):
            raise Busy("this process is laying out another sheet")
        try:
            place = _place(folder, at_once, end)
            try:
                yield
            finally:
                place.close()
        finally:
            _layout.release()
    finally:
        _waiting.release()


def _place(folder: Path, at_once: int, end: float) -> IO[bytes]:
    """A locked file. The lock goes with the process, whatever becomes of it."""
    folder.mkdir(parents=True, exist_ok=True)
    while True:
        for number in range(at_once):
            file = (folder / f"layout-{number}.lock").open("wb")
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                file.close()
            else:
                return file
        if time.monotonic() >= end:
            raise Busy("other processes are laying out")
        time.sleep(_STEP)
