"""Limit concurrent layouts: one thread of a process, and so many processes of a machine.

See docs/adr for why a request waits only briefly for a layout, why a layout has a deadline, and why it does not run in
a process of its own.
"""

import fcntl
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

# Threads of a process that may wait for the renderer; the others go on serving pages.
MOST_WAITING = 2
# Seconds: a usual sheet takes one or two.
RETRY_AFTER = 5
_POLL_SECONDS = 0.02

_layout = threading.Lock()
_waiting = threading.BoundedSemaphore(MOST_WAITING + 1)


class RendererBusy(Exception):  # noqa: N818 - an answer, not a mistake
    """Nothing can be printed now; ask again in `retry_after` seconds. `too_slow`: it was begun and took too long."""

    def __init__(self, reason: str, *, too_slow: bool = False) -> None:
        super().__init__(reason)
        self.retry_after = RETRY_AFTER
        self.too_slow = too_slow


class TooSlowError(Exception):
    """A layout took longer than it may."""


@contextmanager
def hold_render_slot(folder: Path, at_once: int, seconds: float) -> Iterator[None]:
    """Hold one of the `at_once` slots of this machine, which are locked files in `folder`.

    Waits for at most `seconds`, and not at all if others are waiting already, because each thread that waits serves no
    page. Raises RendererBusy.
    """
    end = time.monotonic() + seconds
    if not _waiting.acquire(blocking=False):
        raise RendererBusy("others are waiting")
    try:
        if not _layout.acquire(timeout=seconds):
            raise RendererBusy("this process is laying out another sheet")
        try:
            lock = _lock_slot(folder, at_once, end)
            try:
                yield
            finally:
                lock.close()
        finally:
            _layout.release()
    finally:
        _waiting.release()


def _lock_slot(folder: Path, at_once: int, end: float) -> IO[bytes]:
    """Return a locked file. The system drops the lock when the process ends, even if it crashes."""
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
            raise RendererBusy("other processes are laying out")
        time.sleep(_POLL_SECONDS)
