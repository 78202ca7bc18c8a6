"""Measure My lists with 200 lists; and that page, a search, a filter, the history and opening a list, with 20,000 and
with 1,000.

Both owners are measured in turns. The aim is at most twice the 95th percentile.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator

from tests.bench.benchmark import Figure, Times, Yardstick, benchmark, measure, or_least
from tests.bench.databases import ROOT, environment_of, full_database
from tests.bench.serving import Visitor, serve

USUAL, FEW, MANY = 200, 1_000, 20_000
"""Lists of a frequent player, and of the two owners that are compared."""
TIMES = 60
AT_MOST = 2


@benchmark("lists")
def many_lists() -> Iterator[Figure]:
    """Use the database in `DATABASE_URL` (a temporary one: it is filled), else a new file."""
    with tempfile.TemporaryDirectory(prefix="armybuilder-bench-") as folder:
        environment = {**environment_of(folder), "DATABASE_URL": os.environ.get("DATABASE_URL", "")}
        full_database(folder)
        prepare = [sys.executable, "-m", "tests.bench.filling", *map(str, or_least((USUAL, FEW, MANY), (10, 20, 30)))]
        done = subprocess.run(
            prepare, cwd=ROOT, env={**os.environ, **environment}, check=True, capture_output=True, text=True
        )
        people = [_Person(*line.split()) for line in done.stdout.splitlines() if line.startswith("owner ")]
        with serve("armybuilder.wsgi", environment) as address:
            usual, few, many = (person.at(address) for person in people)
            times = measure(lambda: usual.look("/rosters/"), times=60)
            yield Figure(f"my lists with {USUAL} lists over HTTP", times, at_most=8)
            yield from _figures(few, many)


def _figures(few: "_Looking", many: "_Looking") -> Iterator[Figure]:
    for name, query in (
        ("my lists", ""),
        ("the twentieth page of them", "?page=20"),
        ("search by a name that few have", "?q=column+996"),
        ("search by a name that none has", "?q=nowhere"),
        ("search by faction", "?q=marsh"),
        ("filter: game, faction, verdict", "?game=reeds-and-rust&faction=marsh-compact&verdict=legal"),
        ("a folder, by name", "?folder={folder}&order=name"),
        ("a tag", "?tag={tag}"),
    ):
        yield _beside(name, few, many, lambda who, query=query: who.look("/rosters/" + query))
    yield _beside("opening one in the builder", few, many, lambda who: who.look(f"/rosters/{who.person.roster}/"))
    yield _beside("its history", few, many, lambda who: who.look(f"/rosters/{who.person.roster}/history/"))


class _Person:
    def __init__(self, _owner: str, session: str, roster: str, folder: str, tag: str) -> None:
        self.session, self.roster, self.folder, self.tag = session, roster, folder, tag

    def at(self, address: tuple[str, int]) -> "_Looking":
        visitor = Visitor(address)
        visitor.cookies["sessionid"] = self.session
        return _Looking(visitor, self)


class _Looking:
    def __init__(self, visitor: Visitor, person: _Person) -> None:
        self.visitor, self.person = visitor, person

    def look(self, path: str) -> None:
        status, page = self.visitor.get(path.format(folder=self.person.folder, tag=self.person.tag))
        assert status == 200, (path, status)
        assert b"No lists yet" not in page


def _beside(name: str, few: _Looking, many: _Looking, look: Callable[[_Looking], None]) -> Figure:
    taken: dict[_Looking, list[float]] = {few: [], many: []}
    for turn in range(or_least(TIMES, 1) + 5):
        for who in (few, many):
            begin = time.perf_counter()
            look(who)
            if turn >= 5:
                taken[who].append(time.perf_counter() - begin)
    one, other = (Times(tuple(sorted(taken[who]))) for who in (few, many))
    slow = Times((other.percentile(0.95),))
    return Figure(f"{name}: p95 of {MANY:,} lists", slow, AT_MOST, Yardstick(f"times {FEW:,}", one.percentile(0.95)))
