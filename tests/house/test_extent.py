"""The tests of a quick run, and the order of tests."""

from collections import Counter
from pathlib import Path

import pytest

from tests.extent import (
    MOST_BROWSED,
    MOST_OF_FILE,
    MOST_SLOW,
    MOST_STORED,
    MOST_SWIFT,
    choose_tests,
    draw_tests,
    is_slow_file,
    put_long_first,
)

TESTS = Path(__file__).parents[1]


def test_putting_tests_in_order_loses_none(request: pytest.FixtureRequest) -> None:
    items = request.session.items
    assert Counter(put_long_first(items)) == Counter(items)


def test_a_quick_run_tries_each_file(request: pytest.FixtureRequest) -> None:
    drawn = draw_tests(request.session.items, MOST_OF_FILE)
    tried = Counter(item.path for item in request.session.items if item.nodeid in drawn)
    assert set(tried) == {item.path for item in request.session.items}
    assert max(tried.values()) <= MOST_OF_FILE
    assert draw_tests(request.session.items, MOST_OF_FILE) == drawn


def test_files_that_a_quick_run_does_not_read_are_slow(request: pytest.FixtureRequest) -> None:
    unread = {path for path in TESTS.rglob("test_*.py") if is_slow_file(path)}
    assert len(unread) > 30
    swift = {item.nodeid for item in request.session.items if not item.get_closest_marker("slow")}
    assert not {item.nodeid for item in request.session.items if item.path in unread} & swift


class Drawn:
    """A test with the attributes that the choice reads."""

    def __init__(self, name: str, mark: str = "", fixtures: tuple[str, ...] = ()) -> None:
        self.path = Path("test_boats.py")
        self.nodeid, self.mark, self.fixturenames = f"{self.path}::{name}", mark, fixtures

    def get_closest_marker(self, name: str) -> bool:
        return name == self.mark


@pytest.mark.parametrize(("extent", "tried"), [("complete", 12), ("", 1 + MOST_BROWSED), ("quick", MOST_OF_FILE)])
def test_what_takes_long_waits_for_a_complete_run(extent: str, tried: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.extent.COMPLETE", extent == "complete")
    monkeypatch.setattr("tests.extent.QUICK", extent == "quick")
    long, short = Drawn("test_long", "complete"), Drawn("test_short")
    pages = [Drawn(f"test_page[{number}]", fixtures=("browser",)) for number in range(10)]
    chosen = choose_tests([long, short, *pages])
    assert len(chosen) == tried
    assert (long.nodeid in chosen) == (extent == "complete")
    assert short.nodeid in chosen


@pytest.mark.parametrize(("mark", "most"), [("slow", MOST_SLOW), ("django_db", MOST_STORED), ("", MOST_SWIFT)])
def test_cases_of_a_function_are_drawn_unless_the_run_is_complete(
    mark: str, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.extent.QUICK", False)
    cases = [Drawn(f"test_case[{number}]", mark) for number in range(60)]
    few, single = [Drawn(f"test_few[{number}]", mark) for number in range(2)], Drawn("test_single", mark)
    monkeypatch.setattr("tests.extent.COMPLETE", False)
    chosen = choose_tests([*cases, *few, single])
    assert single.nodeid in chosen
    assert len({case.nodeid for case in few} & chosen) == min(most, len(few))
    assert len(chosen) == most + min(most, len(few)) + 1
    assert choose_tests([*cases, *few, single]) == chosen
    monkeypatch.setattr("tests.extent.COMPLETE", True)
    assert len(choose_tests([*cases, *few, single])) == len(cases) + len(few) + 1
