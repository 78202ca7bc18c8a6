"""What a quick run leaves out, and the order of tests."""

from collections import Counter
from pathlib import Path

import pytest

from tests.extent import MOST_OF_FILE, draw_tests, is_slow_file, put_long_first

TESTS = Path(__file__).parents[1]


def test_putting_tests_in_order_loses_none(request: pytest.FixtureRequest) -> None:
    items = request.session.items
    assert Counter(put_long_first(items)) == Counter(items)


def test_a_quick_run_tries_each_file(request: pytest.FixtureRequest) -> None:
    drawn = draw_tests(request.session.items)
    tried = Counter(item.path for item in request.session.items if item.nodeid in drawn)
    assert set(tried) == {item.path for item in request.session.items}
    assert max(tried.values()) <= MOST_OF_FILE
    assert draw_tests(request.session.items) == drawn


def test_files_that_a_quick_run_does_not_read_are_slow(request: pytest.FixtureRequest) -> None:
    unread = {path for path in TESTS.rglob("test_*.py") if is_slow_file(path)}
    assert len(unread) > 30
    swift = {item.nodeid for item in request.session.items if not item.get_closest_marker("slow")}
    assert not {item.nodeid for item in request.session.items if item.path in unread} & swift
