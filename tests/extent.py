"""The extent of a test run: quick in `make quick`, samples in `make test`, everything in `.ci/run`.

With `ARMYBUILDER_TESTS=complete` all cases are tried, except of a few series that would take an hour on a slow machine:
completions by the solver, changes for the second readings, units that can be taken, repairs, edits that are judged on,
whole armies, sheets and cards of packs and of imported games, packs of a game, texts that come back, random requests to
the API, and cuts of cards.
`make test` samples these and all other long series.

With `ARMYBUILDER_TESTS=quick` two tests of each file are tried, of different functions if possible, and long series
inside tests are sampled. Slow files are not even imported, because listing their cases takes seconds.

A test marked `complete` takes half a minute or more and runs only in a complete run, such as killing a site. `make
test` tries one browser test of each file, and draws from the cases of each function: a few if they are slow or need
the database.

Samples are the same for the same `ARMYBUILDER_TESTS_SEED`, so that a red test stays red until it is mended.
"""

import os
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import islice, zip_longest
from pathlib import Path
from random import Random
from typing import TypeVar

import pytest

Case = TypeVar("Case")

EXTENT = os.environ.get("ARMYBUILDER_TESTS", "")
COMPLETE, QUICK = EXTENT == "complete", EXTENT == "quick"
SEED = os.environ.get("ARMYBUILDER_TESTS_SEED", "armybuilder")
MOST_OF_FILE = 2
"""A quick run tries this many tests of a file."""
MOST_BROWSED = 1
"""Incomplete runs try this many browser tests of a file."""
MOST_SLOW, MOST_STORED, MOST_SWIFT = 1, 2, 8
"""`make test` tries this many cases of a function: if it is slow, needs the database, or neither."""
SLOW_FILE = re.compile(r"^pytestmark = .*\bpytest\.mark\.slow\b", re.MULTILINE)


def sample(cases: Iterable[Case], number: int, complete: int | None = None) -> list[Case]:
    """Return `number` of the cases in order; in a complete run `complete` of them, or all."""
    series = list(cases)
    if COMPLETE:
        return series if complete is None else draw_cases(series, complete)
    return draw_cases(series, number)


def shorten(cases: Iterable[Case], number: int) -> list[Case]:
    """Return `number` of the cases in order in a quick run, otherwise all."""
    known = list(cases)
    return draw_cases(known, number) if QUICK else known


def draw_cases(known: list[Case], number: int) -> list[Case]:
    """Return at most `number` random cases in order."""
    if number >= len(known):
        return known
    return [known[place] for place in sorted(Random(SEED).sample(range(len(known)), number))]


def thin_out(cases: Iterable[Case], share: float, complete: float = 1) -> Iterator[Case]:
    """Yield about that share of the cases, `complete` of them in a complete run, without holding them in memory."""
    dice = Random(SEED)
    return (case for case in cases if dice.random() < (complete if COMPLETE else share))


def is_slow_file(path: Path) -> bool:
    return path.name.startswith("test_") and SLOW_FILE.search(path.read_text(encoding="utf-8")) is not None


def choose_tests(items: list[pytest.Item]) -> set[str]:
    """Return the ids of the tests that this run tries."""
    if COMPLETE:
        return {item.nodeid for item in items}
    short = [item for item in items if not item.get_closest_marker("complete")]
    if QUICK:
        return draw_tests(short, MOST_OF_FILE)
    browsed = draw_tests([item for item in short if is_browsed(item)], MOST_BROWSED)
    functions: dict[str, list[pytest.Item]] = defaultdict(list)
    for item in short:
        if not is_browsed(item):
            functions[item.nodeid.split("[")[0]].append(item)
    drawn = (draw_cases(cases, count_most(cases[0])) for cases in functions.values())
    return browsed | {item.nodeid for cases in drawn for item in cases}


def count_most(item: pytest.Item) -> int:
    """Return how many cases of a test's function `make test` tries."""
    if item.get_closest_marker("slow"):
        return MOST_SLOW
    return MOST_STORED if item.get_closest_marker("django_db") else MOST_SWIFT


def is_browsed(item: pytest.Item) -> bool:
    return "browser" in getattr(item, "fixturenames", ())


def draw_tests(items: list[pytest.Item], most: int) -> set[str]:
    """Draw `most` tests of each file and return their ids: one of each function, then another of each."""
    files: dict[Path, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for item in items:
        files[item.path][item.nodeid.split("[")[0]].append(item.nodeid)
    drawn: set[str] = set()
    for functions in files.values():
        dice = Random(SEED)
        cases = [dice.sample(known, len(known)) for known in dice.sample(list(functions.values()), len(functions))]
        rounds = (case for turn in zip_longest(*cases) for case in turn if case)
        drawn.update(islice(rounds, most))
    return drawn


def put_long_first(items: list[pytest.Item]) -> list[pytest.Item]:
    """Order tests so that all processes end together.

    Each process gets a part of the list; when it is done, it takes tests from the end of another part. So browser
    tests, which wait a lot, lead the first half, brute force and paper the second, and quick tests end both. Without
    browser tests, as on PostgreSQL, slow tests lead both halves.
    """
    browsed, slow, swift = [], [], []
    for item in items:
        if is_browsed(item):
            browsed.append(item)
        elif item.get_closest_marker("slow"):
            slow.append(item)
        else:
            swift.append(item)
    # Most slow database tests are pages, many and short.
    slow.sort(key=lambda item: item.get_closest_marker("django_db") is not None)
    first, second = (browsed, slow) if browsed else (slow[::2], slow[1::2])
    rest = max(len(items) // 2 - len(first), 0)
    return [*first, *swift[:rest], *second, *swift[rest:]]
