"""Limit concurrent layouts to one thread per process and a few processes per machine. Other requests wait in line.

See docs/adr for why a request waits only briefly, why a layout has a deadline and no process of its own, and why
waiting browsers ask again.
"""

import fcntl
import json
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
SOONEST, LATEST = 2, 20
"""Seconds until a waiting browser asks again, more for places further back."""
GRACE = 3
"""Seconds that a place is kept after its browser should have asked again."""
LONGEST_LINE = 300
"""The most requests in line; others are refused."""
_POLL_SECONDS = 0.02

_layout = threading.Lock()
_waiting = threading.BoundedSemaphore(MOST_WAITING + 1)


class RendererBusy(Exception):  # noqa: N818 - an answer, not a mistake
    """Nothing can be printed now; ask again in `retry_after` seconds. `too_slow`: the layout started but took too long.

    `ahead` is the number of requests before this one.
    """

    def __init__(self, reason: str, *, too_slow: bool = False, ahead: int = 0) -> None:
        super().__init__(reason)
        self.retry_after = RETRY_AFTER if too_slow else compute_pause(ahead)
        self.too_slow = too_slow
        self.ahead = ahead


class TooSlowError(Exception):
    """A layout took longer than its time limit."""


@contextmanager
def hold_render_slot(folder: Path, at_once: int, seconds: float) -> Iterator[None]:
    """Hold one of the `at_once` slots of this machine, which are locked files in `folder`.

    Waits at most `seconds`, and not at all if MOST_WAITING threads already wait, because a waiting thread serves no
    pages. Raises RendererBusy.
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
    """Return a locked file. The system releases the lock when the process ends, even after a crash."""
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


def compute_pause(ahead: int) -> int:
    """Return the seconds until the next request: about the time that two processes need for the requests ahead.

    >>> compute_pause(0), compute_pause(12), compute_pause(500)
    (2, 6, 20)
    """
    return max(SOONEST, min(LATEST, ahead // 2))


def join_line(folder: Path, key: str, may_begin: int, seconds: float) -> int:
    """Join the line for the renderer of this machine, or keep the place in it; return the number of requests ahead.

    The first `may_begin` go to the renderer and should finish within `seconds`; the others ask again.
    """
    now = time.time()
    with _open_line(folder) as line:
        # Drop keys that are no longer requested, and times of a clock that was ahead.
        longest = max(seconds, LATEST) + GRACE
        for gone in [other for other, until in line.items() if not now <= until <= now + longest]:
            del line[gone]
        if key not in line and len(line) >= LONGEST_LINE:
            return len(line)
        line.setdefault(key, now)
        ahead = list(line).index(key)
        line[key] = now + (seconds if ahead < may_begin else compute_pause(ahead)) + GRACE
    return ahead


def leave_line(folder: Path, key: str, *, keep: bool = False) -> None:
    """Leave the line; `keep` the place for a request that will ask again soon."""
    with _open_line(folder) as line:
        if keep:
            line[key] = time.time() + SOONEST + GRACE
        else:
            line.pop(key, None)


@contextmanager
def _open_line(folder: Path) -> Iterator[dict[str, float]]:
    """Open the line under a lock: keys in order, and the time until which each place is kept."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "line.json").open("a+", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        try:
            line = dict(json.loads(file.read() or "{}"))
        except (ValueError, TypeError):  # a writer died half way: start a new line
            line = {}
        yield line
        file.seek(0)
        file.truncate()
        json.dump(line, file)
