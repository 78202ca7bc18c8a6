"""Requests that judge take turns: limited in total and by client, in order of arrival."""

import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from armybuilder.turns import LONG_WAITING, QUICK_WAITING, NoTurnError, Turns

PATIENCE = 30.0


@pytest.fixture(autouse=True)
def bounds(settings: Any) -> None:
    """Three at once, two of which may be long, and places for six more."""
    bounds = {"JUDGING_AT_ONCE": 3, "JUDGING_WAITING": 6, "TURN_SECONDS": PATIENCE}
    settings.ARMYBUILDER = {**settings.ARMYBUILDER, **bounds}


@pytest.fixture
def impatient(settings: Any) -> None:
    settings.ARMYBUILDER = {**settings.ARMYBUILDER, "TURN_SECONDS": 0}


class Request(threading.Thread):
    """A request that waits for its turn in a separate thread."""

    def __init__(self, turns: Turns, asker: str, *, is_long: bool = False) -> None:
        super().__init__(daemon=True)
        self.turns, self.asker, self.is_long = turns, asker, is_long
        self.has_turn, self.may_end = threading.Event(), threading.Event()
        self.start()

    def run(self) -> None:
        turn = self.turns.take(self.asker, is_long=self.is_long)
        self.has_turn.set()
        self.may_end.wait(PATIENCE)
        self.turns.give_back(turn)

    def end(self) -> None:
        self.may_end.set()
        self.join(PATIENCE)


def wait_until(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not is_so() and time.monotonic() < end:
        time.sleep(0.001)
    assert is_so()


def queue(turns: Turns, *askers: str, is_long: bool = False) -> list[Request]:
    """Queue requests one after another."""
    requests = []
    for asker in askers:
        before = len(turns._waiting)
        requests.append(Request(turns, asker, is_long=is_long))
        wait_until(lambda before=before: len(turns._waiting) == before + 1)
    return requests


@pytest.mark.usefixtures("impatient")
def test_so_many_judge_at_once() -> None:
    turns = Turns()
    taken = [turns.take(asker, is_long=False) for asker in "abc"]
    with pytest.raises(NoTurnError) as refused:
        turns.take("d", is_long=False)
    assert not refused.value.is_own_doing
    turns.give_back(taken[0])
    turns.take("d", is_long=False)


@pytest.mark.usefixtures("impatient")
def test_a_turn_is_given_back_once() -> None:
    turns = Turns()
    taken = [turns.take(asker, is_long=False) for asker in "abc"]
    for _ in range(3):
        turns.give_back(taken[0])
    turns.take("d", is_long=False)
    with pytest.raises(NoTurnError):
        turns.take("e", is_long=False)


@pytest.mark.usefixtures("impatient")
def test_long_requests_leave_the_last_turn_to_quick_ones() -> None:
    turns = Turns()
    for asker in "ab":
        turns.take(asker, is_long=True)
    with pytest.raises(NoTurnError) as refused:
        turns.take("c", is_long=True)
    assert not refused.value.is_own_doing
    turns.take("c", is_long=False)


@pytest.mark.usefixtures("impatient")
def test_one_asker_has_one_long_turn_and_one_quick_one_beside_it() -> None:
    turns = Turns()
    turns.take("a", is_long=True)
    with pytest.raises(NoTurnError) as refused:
        turns.take("a", is_long=True)
    assert refused.value.is_own_doing
    turns.take("a", is_long=False)
    with pytest.raises(NoTurnError) as refused:
        turns.take("a", is_long=False)
    assert refused.value.is_own_doing
    turns.take("b", is_long=False)


@pytest.mark.usefixtures("impatient")
def test_who_has_no_address_shares_with_nobody() -> None:
    turns = Turns()
    for _ in range(3):
        turns.take("", is_long=False)
    with pytest.raises(NoTurnError) as refused:
        turns.take("", is_long=False)
    assert not refused.value.is_own_doing


@pytest.mark.usefixtures("impatient")
def test_a_single_turn_serves_long_requests_too(settings: Any) -> None:
    settings.ARMYBUILDER = {**settings.ARMYBUILDER, "JUDGING_AT_ONCE": 1}
    turns = Turns()
    turns.take("a", is_long=True)
    with pytest.raises(NoTurnError):
        turns.take("b", is_long=False)


def test_without_a_bound_nobody_waits(settings: Any) -> None:
    settings.ARMYBUILDER = {**settings.ARMYBUILDER, "JUDGING_AT_ONCE": 0}
    turns = Turns()
    assert len([turns.take("a", is_long=True) for _ in range(20)]) == 20


def test_turns_come_in_the_order_of_the_requests() -> None:
    turns = Turns()
    running = [turns.take(asker, is_long=False) for asker in "abc"]
    waiting = queue(turns, "d", "e", "f")
    assert len(waiting) == 3
    for turn, request in zip(running, waiting, strict=True):
        assert not request.has_turn.is_set()
        turns.give_back(turn)
        assert request.has_turn.wait(PATIENCE)
    for request in waiting:
        request.end()


def test_nobody_waits_behind_who_cannot_have_a_turn_yet() -> None:
    turns = Turns()
    first = turns.take("a", is_long=True)
    behind_own = queue(turns, "a", is_long=True)
    other = Request(turns, "b", is_long=True)
    assert other.has_turn.wait(PATIENCE)
    assert not behind_own[0].has_turn.is_set()
    turns.give_back(first)
    assert behind_own[0].has_turn.wait(PATIENCE)
    for request in (*behind_own, other):
        request.end()


def test_all_turns_that_are_free_are_given_at_once() -> None:
    turns = Turns()
    running = [turns.take(asker, is_long=False) for asker in "abc"]
    waiting = queue(turns, "d", "e", "f")
    for turn in running:
        turns.give_back(turn)
    assert all(request.has_turn.wait(PATIENCE) for request in waiting)
    for request in waiting:
        request.end()


def test_places_to_wait_are_few_and_one_asker_has_some_of_them(settings: Any) -> None:
    places = 2 * QUICK_WAITING
    settings.ARMYBUILDER = {**settings.ARMYBUILDER, "JUDGING_WAITING": places}
    turns = Turns()
    running = [turns.take(asker, is_long=False) for asker in "xyz"]
    waiting = queue(turns, *["a"] * LONG_WAITING, is_long=True)
    with pytest.raises(NoTurnError) as refused:
        turns.take("a", is_long=True)
    assert refused.value.is_own_doing
    waiting += queue(turns, *["a"] * (QUICK_WAITING - LONG_WAITING))
    with pytest.raises(NoTurnError) as refused:
        turns.take("a", is_long=False)
    assert refused.value.is_own_doing
    others = [f"other {number}" for number in range(places // 2 - LONG_WAITING)]
    waiting += queue(turns, *others, is_long=True)
    with pytest.raises(NoTurnError) as refused:
        turns.take("k", is_long=True)
    assert not refused.value.is_own_doing
    waiting += queue(turns, *[f"quick {number}" for number in range(places - len(waiting))])
    with pytest.raises(NoTurnError) as refused:
        turns.take("o", is_long=False)
    assert not refused.value.is_own_doing
    for turn in running:
        turns.give_back(turn)
    for request in waiting:
        request.may_end.set()
    for request in waiting:
        request.join(PATIENCE)
        assert request.has_turn.is_set()


def test_never_more_than_so_many_run_whatever_comes(settings: Any) -> None:
    settings.ARMYBUILDER = {**settings.ARMYBUILDER, "JUDGING_WAITING": 100}
    turns, lock, judging, most = Turns(), threading.Lock(), [0, 0], [0, 0]

    def judge(number: int) -> None:
        is_long = number % 3 > 0
        for _ in range(20):
            try:
                turn = turns.take(f"asker {number % 7}", is_long=is_long)
            except NoTurnError:
                continue
            with lock:
                for which in (0, 1) if is_long else (0,):
                    judging[which] += 1
                    most[which] = max(most[which], judging[which])
            time.sleep(0.0005)
            with lock:
                for which in (0, 1) if is_long else (0,):
                    judging[which] -= 1
            turns.give_back(turn)

    threads = [threading.Thread(target=judge, args=(number,)) for number in range(24)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [3, 2]
    assert judging == [0, 0]
