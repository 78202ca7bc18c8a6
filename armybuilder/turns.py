"""Limit how many requests of a process evaluate lists at once, so that a thread stays free for pages."""

import threading
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass

from django.conf import settings

LONG_AT_ONCE, QUICK_AT_ONCE = 1, 2
"""Per client and process. Edits never wait for their owner's own look-ahead."""
LONG_WAITING, QUICK_WAITING = 2, 16
"""Per client and process."""


class NoTurnError(Exception):
    """No turn was free in time. `is_own_doing` means that the client's own requests are in the way."""

    def __init__(self, *, is_own_doing: bool) -> None:
        super().__init__()
        self.is_own_doing = is_own_doing


@dataclass(frozen=True, slots=True, eq=False)
class Turn:
    """A request that evaluates a list or waits to. A blank `asker` has no limit."""

    asker: str
    is_long: bool


@dataclass(frozen=True, slots=True)
class Stream:
    """A response that stays open. It ends early if an evaluation needs its thread."""

    turns: "Turns"

    def goes_on(self) -> bool:
        return self.turns.has_threads_for_streams()

    def close(self) -> None:
        self.turns.close_stream()


class Turns:
    """The turns of one process.

    Python runs one thread at a time, so more evaluations at once are no faster. Turns are in order, skipping requests
    that cannot run yet. Long requests never take the last turn or more than half of the waiting places.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._running: list[Turn] = []
        self._waiting: list[Turn] = []
        self._streams = 0

    def take(self, asker: str, *, is_long: bool) -> Turn:
        """Wait for a turn. Raises NoTurnError if the queue is full or the wait too long."""
        turn = Turn(asker, is_long)
        with self._changed:
            if not self._can_run(turn) and not self._can_wait(turn):
                raise self._refuse(turn)
            self._waiting.append(turn)
            seconds = settings.ARMYBUILDER["TURN_SECONDS"]
            try:
                in_time = self._changed.wait_for(
                    lambda: next(filter(self._can_run, self._waiting), None) is turn, seconds
                )
            finally:
                self._waiting.remove(turn)
                self._changed.notify_all()
            if not in_time:
                raise self._refuse(turn)
            self._running.append(turn)
        return turn

    def give_back(self, turn: Turn) -> None:
        with self._changed, suppress(ValueError):
            self._running.remove(turn)
            self._changed.notify_all()

    def open_stream(self) -> Stream | None:
        with self._changed:
            self._streams += 1
            if self.has_threads_for_streams():
                return Stream(self)
            self._streams -= 1
            return None

    def close_stream(self) -> None:
        with self._changed:
            self._streams -= 1

    def has_threads_for_streams(self) -> bool:
        bounds = settings.ARMYBUILDER
        most: int = bounds["STREAMS_AT_ONCE"]
        if bounds["JUDGING_AT_ONCE"]:
            # Keep one thread for pages.
            free = bounds["JUDGING_AT_ONCE"] + bounds["JUDGING_WAITING"] - len(self._running) - len(self._waiting)
            most = min(most, free)
        return self._streams <= most

    def _refuse(self, turn: Turn) -> NoTurnError:
        may_run = _has_share(turn, self._running, LONG_AT_ONCE, QUICK_AT_ONCE)
        may_wait = _has_share(turn, self._waiting, LONG_WAITING, QUICK_WAITING)
        return NoTurnError(is_own_doing=not (may_run and may_wait))

    def _can_run(self, turn: Turn) -> bool:
        at_once = settings.ARMYBUILDER["JUDGING_AT_ONCE"]
        if not at_once:
            return True
        has_room = len(self._running) < at_once
        if turn.is_long:
            has_room = has_room and _count_long(self._running) < max(1, at_once - 1)
        return has_room and _has_share(turn, self._running, LONG_AT_ONCE, QUICK_AT_ONCE)

    def _can_wait(self, turn: Turn) -> bool:
        places = settings.ARMYBUILDER["JUDGING_WAITING"]
        has_room = len(self._waiting) < places
        if turn.is_long:
            has_room = has_room and _count_long(self._waiting) < places // 2
        return has_room and _has_share(turn, self._waiting, LONG_WAITING, QUICK_WAITING)


def _has_share(turn: Turn, turns: Iterable[Turn], most_long: int, most: int) -> bool:
    of_asker = [other for other in turns if other.asker == turn.asker] if turn.asker else []
    return len(of_asker) < most and not (turn.is_long and _count_long(of_asker) >= most_long)


def _count_long(turns: Iterable[Turn]) -> int:
    return sum(turn.is_long for turn in turns)


turns = Turns()
