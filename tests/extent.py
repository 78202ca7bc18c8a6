"""How much the tests try: a sketch in `make quick`, seeded samples in `make test`, whole series in `.ci/run`.

With `ARMYBUILDER_TESTS=complete` all cases are tried but of two series that would take an hour: lists that the solver
completes, and changes that the second readings judge. These and, in `make test`, all long series are sampled.

With `ARMYBUILDER_TESTS=quick` three tests of each file are tried, of as many functions as there are, and long series
inside a test are sampled, too. Files that are slow as a whole are not even read: listing their cases takes seconds.

A test marked `complete` takes half a minute or more and is tried in a complete run only: killing a site, setting one up
by the book. Of the browser's tests `make test` tries a few of each file.

Samples are the same at each run for one `ARMYBUILDER_TESTS_SEED`, so that a red test stays red until it is mended.
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
MOST_OF_FILE = 3
"""So many tests of a file does a quick run try."""
MOST_BROWSED = 2
"""So many tests of a file that need the browser does any run try that is not complete."""
SLOW_FILE = re.compile(r"^pytestmark = .*\bpytest\.mark\.slow\b", re.MULTILINE)


def sample(cases: Iterable[Case], number: int) -> list[Case]:
    """Return `number` of the cases in their order, or all of them in a complete run."""
    known = list(cases)
    return known if COMPLETE else draw_cases(known, number)


def shorten(cases: Iterable[Case], number: int) -> list[Case]:
    """Return `number` of the cases in their order in a quick run, all of them in any other."""
    known = list(cases)
    return draw_cases(known, number) if QUICK else known


def draw_cases(known: list[Case], number: int) -> list[Case]:
    """Draw at most `number` of the cases, and return them in their order."""
    if number >= len(known):
        return known
    return [known[place] for place in sorted(Random(SEED).sample(range(len(known)), number))]


def thin_out(cases: Iterable[Case], share: float, complete: float = 1) -> Iterator[Case]:
    """Yield about that share of the cases, `complete` of them in a complete run. The cases are not held in memory."""
    dice = Random(SEED)
    return (case for case in cases if dice.random() < (complete if COMPLETE else share))


def is_slow_file(path: Path) -> bool:
    """Whether all tests of a file are marked `slow`."""
    return path.name.startswith("test_") and SLOW_FILE.search(path.read_text(encoding="utf-8")) is not None


def choose_tests(items: list[pytest.Item]) -> set[str]:
    """Return the ids of the tests that a run of this extent tries."""
    if COMPLETE:
        return {item.nodeid for item in items}
    short = [item for item in items if not item.get_closest_marker("complete")]
    if QUICK:
        return draw_tests(short, MOST_OF_FILE)
    browsed = draw_tests([item for item in short if is_browsed(item)], MOST_BROWSED)
    return browsed | {item.nodeid for item in short if not is_browsed(item)}


def is_browsed(item: pytest.Item) -> bool:
    """Whether a test needs the browser."""
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
    """Return the tests in an order in which all processes end together.

    Each process takes a part of the list, and one that is through takes over from the end of another's part. So the
    browser, which waits much, leads the first half, brute force and paper the second, and what takes no time ends both.
    """
    browsed, slow, swift = [], [], []
    for item in items:
        if is_browsed(item):
            browsed.append(item)
        elif item.get_closest_marker("slow"):
            slow.append(item)
        else:
            swift.append(item)
    # Of what is slow, pages are many and short.
    slow.sort(key=lambda item: item.get_closest_marker("django_db") is not None)
    rest = max(len(items) // 2 - len(browsed), 0)
    return [*browsed, *swift[:rest], *slow, *swift[rest:]]
