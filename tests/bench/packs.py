"""Load all packs into an empty database, and start the app with and without them."""

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tests.bench.benchmark import Figure, Times, Yardstick, benchmark, or_least
from tests.bench.databases import empty_database, environment_of, manage, packs_to_load
from tests.bench.serving import Visitor, serve

ALLOWED = Yardstick("times the 30 s allowed", 30.0)
LOADS, STARTS = 3, 9
NO_SLOWER = 1.1
"""Equally fast, with a tenth for other load."""


@benchmark("packs")
def packs() -> Iterator[Figure]:
    with tempfile.TemporaryDirectory(prefix="armybuilder-bench-") as folder:
        loads = [_load_all(_empty(folder, f"load-{number}")) for number in range(or_least(LOADS, 1))]
        yield Figure("all packs into an empty database", _times(loads), 1, ALLOWED)
        full, empty = Path(folder, "load-0"), _empty(folder, "empty")
        with_packs, without = [], []
        for _ in range(or_least(STARTS, 1)):  # in turns, so that other load affects both
            without.append(_start(empty))
            with_packs.append(_start(full))
        bare = Yardstick("starts without packs", _times(without).p50)
        yield Figure("from start to the front page, all packs loaded", _times(with_packs), NO_SLOWER, bare)
        looks = [(manage(full, "migrate"), _load_all(full)) for _ in range(or_least(LOADS, 1))]
        bare = Yardstick("runs of migrate with nothing to do", _times([one for one, _ in looks]).p50)
        yield Figure("looking for new packs, all loaded", _times([look for _, look in looks]), None, bare)


def _empty(folder: str, name: str) -> Path:
    empty_database(Path(folder, name))
    return Path(folder, name)


def _load_all(folder: Path) -> float:
    return manage(folder, "load_packs", *packs_to_load())


def _start(folder: Path) -> float:
    begin = time.perf_counter()
    with serve("armybuilder.wsgi", environment_of(folder)) as address:
        status, _ = Visitor(address).get("/")
        assert status == 200, status
        return time.perf_counter() - begin


def _times(seconds: list[float]) -> Times:
    return Times(tuple(sorted(seconds)))
