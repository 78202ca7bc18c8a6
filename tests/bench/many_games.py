"""Measure what a hundred more installed games cost: the front page, an edit, the page of all games.

Two servers are measured in turns, so that other load affects both.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import cycle

from tests.bench.benchmark import Figure, Times, Yardstick, benchmark, measure, or_least
from tests.bench.builder_edit import Builder
from tests.bench.databases import ROOT, environment_of, full_database
from tests.bench.serving import Visitor, serve

GAMES = 145
TIMES = 120
AT_MOST = 1.1


@benchmark("games")
def many_games() -> Iterator[Figure]:
    number = or_least(GAMES, 2)
    with tempfile.TemporaryDirectory(prefix="armybuilder-bench-") as few, tempfile.TemporaryDirectory() as many:
        full_database(few)
        full_database(many)
        copies = [sys.executable, "-m", "tests.bench.copies", str(number)]
        subprocess.run(copies, cwd=ROOT, env={**os.environ, **environment_of(many)}, check=True)
        with (
            serve("armybuilder.wsgi", environment_of(few)) as few_address,
            serve("armybuilder.wsgi", environment_of(many)) as many_address,
        ):
            one, other = Visitor(few_address), Visitor(many_address)
            yield _beside("the front page", number, lambda: one.get("/"), lambda: other.get("/"))
            edits = [_begin_edits(one), _begin_edits(other)]
            yield _beside("adding a unit, or taking it back,", number, *edits)
            yield Figure(f"/games/ with {number} games", measure(lambda: other.get("/games/"), times=40), at_most=20)
            new = measure(lambda: other.get("/rosters/new/"), times=40)
            yield Figure(f"starting a list with {number} games", new, at_most=20)


def _begin_edits(visitor: Visitor) -> Callable[[], object]:
    """Begin a list; the returned function adds a unit or removes it again."""
    builder = Builder(visitor)
    builder.look()
    builder.edit(do="add-detachment", entry="standard")
    acts = cycle(({"do": "add-unit", "node": builder.find_target(), "entry": "reed-cutters"}, {"do": "undo"}))
    return lambda: builder.edit(**next(acts))


def _beside(name: str, number: int, few: Callable[[], object], many: Callable[[], object]) -> Figure:
    taken: tuple[list[float], list[float]] = ([], [])
    for turn in range(or_least(TIMES, 1) + 10):
        for act, times in ((few, taken[0]), (many, taken[1])):
            begin = time.perf_counter()
            act()
            if turn >= 10:
                times.append(time.perf_counter() - begin)
    one, other = (Times(tuple(sorted(times))) for times in taken)
    return Figure(f"{name} with {number} games more", other, AT_MOST, Yardstick("times without", one.p50))
