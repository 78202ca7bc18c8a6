"""Limit concurrent layouts to one thread per process and a few processes per machine; other requests queue.

The queue is a file, or with `PRINT_LINE_IN_DATABASE` a row that all machines share. docs/adr says why waits and layouts
have time limits, and why waiting browsers ask again.
"""

import fcntl
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from django.conf import settings
from django.db import transaction

from roster.models import PrintLine

# Threads of a process that may print or wait for the renderer; the others go on serving pages.
MOST_WAITING = 6
# Seconds: a usual sheet takes one or two.
RETRY_AFTER = 5
SOONEST, LATEST = 2, 20
"""Seconds until a waiting browser asks again, more for later places."""
GRACE = 3
"""Seconds that the place of a late browser is kept."""
LONGEST_LINE = 300
"""The most requests in the queue."""
WAITING_SECONDS = 2
"""Seconds after which a silent waiting thread counts as dead."""
LEASE = 20
"""Seconds after which a layout that reports no page counts as dead: its process may have been killed."""
LONGEST_PLACE = 600
"""Seconds that a place may be kept, longer than any layout."""
_POLL_SECONDS, _POLL_SHARED_SECONDS = 0.1, 0.5
_AWAY, _WAITING, _PRINTING, _FAILED, _TOO_SLOW = "away", "waiting", "printing", "failed", "too slow"
"""A browser that will ask again, a request that waits in a thread, one being printed, and two whose layout ended
without a file.
"""
_ENDED = (_FAILED, _TOO_SLOW)
"""Nobody waits for these."""
FAILURE_SECONDS = 60
"""How long a failed layout is remembered for the browser that asks again."""

_layout = threading.Lock()
_waiting = threading.BoundedSemaphore(MOST_WAITING)


class RendererBusy(Exception):  # noqa: N818 - a state, not a mistake
    """The renderer is busy; ask again in `retry_after` seconds.

    `ahead` requests come before this one; `joined_behind` did when it joined. During printing, `laid_out` of the file's
    `pages` are done; 0 pages means that the number is not known yet. A `too_slow` layout has ended without a file, and
    `is_broken` if time was not the reason.
    """

    def __init__(
        self,
        reason: str,
        *,
        too_slow: bool = False,
        is_broken: bool = False,
        ahead: int = 0,
        joined_behind: int = 0,
        is_printing: bool = False,
        laid_out: int = 0,
        pages: int = 0,
    ) -> None:
        super().__init__(reason)
        self.is_printing = is_printing
        self.laid_out = min(laid_out, pages)
        self.pages = pages
        self.retry_after = RETRY_AFTER if too_slow else compute_pause(ahead)
        self.too_slow = too_slow
        self.is_broken = is_broken
        self.ahead = ahead
        self.joined_behind = max(ahead, joined_behind)

    @property
    def done(self) -> int:
        """How many of the requests ahead are done."""
        return self.joined_behind - self.ahead


class TooSlowError(Exception):
    """A layout took too long."""


@contextmanager
def take_turn(
    folder: Path, key: str, at_once: int, wait: float, is_finished: Callable[[], bool]
) -> Iterator[ExitStack | None]:
    """Queue for one of this machine's `at_once` slots; yield the object that holds the slot.

    Yields None if another request has finished the same file. After `wait` seconds, or at once if MOST_WAITING threads
    of this process already wait, raises RendererBusy but keeps the place. A thread that continues the layout takes over
    the slot with `pop_all`.
    """
    if not _waiting.acquire(blocking=False):
        raise refuse(join_line(folder, key), "too many threads are waiting")
    try:
        end = time.monotonic() + wait
        while not is_finished():
            place = join_line(folder, key, _WAITING)
            if place.has_failed:
                # The next request tries again.
                leave_line(folder, key)
                raise RendererBusy("the layout failed", too_slow=True, is_broken=not place.was_too_slow)
            with ExitStack() as held:
                if place.may_begin(at_once) and _try_slot(held, folder, at_once):
                    # Another thread may have finished the file since the last look, and left the slot.
                    if is_finished():
                        break
                    join_line(folder, key, _PRINTING, LEASE)
                    held.callback(_end_turn, folder, key)
                    yield held
                    return
            if time.monotonic() >= end:
                raise refuse(join_line(folder, key), "others are before it")
            time.sleep(_POLL_SHARED_SECONDS if _is_shared() else _POLL_SECONDS)
        leave_line(folder, key)
        yield None
    finally:
        _waiting.release()


def _try_slot(held: ExitStack, folder: Path, at_once: int) -> bool:
    try:
        held.enter_context(hold_render_slot(folder, at_once))
    except RendererBusy:
        return False
    return True


@contextmanager
def hold_render_slot(folder: Path, at_once: int) -> Iterator[None]:
    """Hold one of this machine's `at_once` slots, which are locked files in `folder`. Raises RendererBusy.

    The system releases the lock even after a crash.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if not _layout.acquire(blocking=False):
        raise RendererBusy("this process is laying out another sheet")
    try:
        for number in range(at_once):
            with (folder / f"layout-{number}.lock").open("wb") as file:
                try:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except OSError:
                    continue
                yield
                return
        raise RendererBusy("other processes are laying out")
    finally:
        _layout.release()


def compute_pause(ahead: int) -> int:
    """Estimate how many seconds two processes need for the requests ahead.

    >>> compute_pause(0), compute_pause(12), compute_pause(500)
    (2, 6, 20)
    """
    return max(SOONEST, min(LATEST, ahead // 2))


@dataclass(frozen=True, slots=True, kw_only=True)
class LinePlace:
    """A place in the queue. Requests ahead are `present` if they wait or print on this machine."""

    ahead: int
    joined_behind: int
    present: int
    is_printing: bool
    has_failed: bool = False
    was_too_slow: bool = False
    laid_out: int = 0
    pages: int = 0

    def may_begin(self, at_once: int) -> bool:
        return self.present < at_once and not self.is_printing


def join_line(folder: Path, key: str, state: str = _AWAY, seconds: float = WAITING_SECONDS) -> LinePlace:
    """Join the queue, or keep the place for another `seconds`.

    A browser (`_AWAY`) keeps its place until it should have asked again.
    """
    now, machine = time.time(), _name_machine(folder)
    with _open_line(folder) as line:
        # Drop keys that are no longer requested, and times of a clock that was ahead.
        for other, entry in list(line.items()):
            if not now <= entry.until <= now + LONGEST_PLACE:
                del line[other]
        length = sum(other.state not in _ENDED for other in line.values())
        if key not in line and length >= LONGEST_LINE:
            return LinePlace(ahead=length, joined_behind=length, present=length, is_printing=False)
        before = line.setdefault(key, _QueuedPrint(now, _AWAY, length))
        earlier = list(line.values())[: list(line).index(key)]
        ahead = sum(other.state not in _ENDED for other in earlier)
        present = sum(other.state in (_WAITING, _PRINTING) and other.machine == machine for other in earlier)
        # Another request for the same file may be printing it: do not take its place.
        is_printing = before.state == _PRINTING and state != _PRINTING
        has_failed = before.state in _ENDED
        if not is_printing and not has_failed:
            until = now + (compute_pause(ahead) if state == _AWAY else seconds) + GRACE
            line[key] = before._replace(until=until, state=state, machine=machine)
    return LinePlace(
        ahead=ahead,
        joined_behind=before.behind,
        present=present,
        is_printing=is_printing,
        has_failed=has_failed,
        was_too_slow=before.state == _TOO_SLOW,
        laid_out=before.laid_out,
        pages=before.pages,
    )


def report_layout(folder: Path, key: str, laid_out: int, pages: int) -> None:
    """Record how many pages are laid out, for the browser's next request, and keep the file's place."""
    with _open_line(folder) as line:
        if key in line:
            until = time.time() + LEASE + GRACE
            line[key] = line[key]._replace(until=until, laid_out=laid_out, pages=pages)


def report_failure(folder: Path, key: str, *, too_slow: bool) -> None:
    with _open_line(folder) as line:
        line[key] = _QueuedPrint(time.time() + FAILURE_SECONDS, _TOO_SLOW if too_slow else _FAILED, 0)


def refuse(place: LinePlace, reason: str) -> RendererBusy:
    """Return the response to a request that keeps its place."""
    return RendererBusy(
        reason,
        ahead=0 if place.is_printing else place.ahead,
        joined_behind=place.joined_behind,
        is_printing=place.is_printing,
        laid_out=place.laid_out,
        pages=place.pages,
    )


def leave_line(folder: Path, key: str) -> None:
    with _open_line(folder) as line:
        line.pop(key, None)


def _end_turn(folder: Path, key: str) -> None:
    """Leave the line, unless the layout failed: its place then tells the browser that asks again."""
    with _open_line(folder) as line:
        if key in line and line[key].state == _PRINTING:
            del line[key]


class _QueuedPrint(NamedTuple):
    """A request that keeps its place `until` a time. `behind` counts the requests ahead when it joined."""

    until: float
    state: str
    behind: int
    laid_out: int = 0
    pages: int = 0
    machine: str = ""


def _is_shared() -> bool:
    is_shared: bool = settings.ARMYBUILDER["PRINT_LINE_IN_DATABASE"]
    return is_shared


def _name_machine(folder: Path) -> str:
    """Name the machine whose slots a request waits for. Two sites' folders on one machine count as two."""
    return f"{socket.gethostname()}:{folder}" if _is_shared() else ""


@contextmanager
def _open_line(folder: Path) -> Iterator[dict[str, _QueuedPrint]]:
    if _is_shared():
        with transaction.atomic():
            row, _is_new = PrintLine.objects.select_for_update().get_or_create(pk=1)
            line = _read_line(row.places)
            yield line
            row.places = json.dumps(line)
            row.save()
        return
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "line.json").open("a+", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        line = _read_line(file.read())
        yield line
        file.seek(0)
        file.truncate()
        json.dump(line, file)


def _read_line(text: str) -> dict[str, _QueuedPrint]:
    """Read the queue, or start a new one if a writer died half way."""
    try:
        return {
            key: _QueuedPrint(float(until), str(state), int(behind), int(laid_out), int(pages), *map(str, machine))
            for key, (until, state, behind, laid_out, pages, *machine) in json.loads(text or "{}").items()
        }
    except (ValueError, TypeError, AttributeError):
        return {}
