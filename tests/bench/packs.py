"""All packs loaded into an empty database, and the app started with them beside without any."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from tests.bench.frame import Figure, Times, Yardstick, benchmark
from tests.bench.serving import ROOT, Visitor, serve

ALLOWED = Yardstick("times the 30 s allowed", 30.0)
LOADS, STARTS = 3, 9
NO_SLOWER = 1.1
"""As fast, and a tenth for what else the machine does."""


@benchmark("packs")
def packs() -> Iterator[Figure]:
    with tempfile.TemporaryDirectory(prefix="armybuilder-bench-") as folder:
        loads = [_loading(_migrated(folder, f"load-{number}")) for number in range(LOADS)]
        yield Figure("all packs into an empty database", _times(loads), 1, ALLOWED)
        full, empty = _migrated(folder, "full"), _migrated(folder, "empty")
        _loading(full)
        with_packs, without = [], []
        for _ in range(STARTS):  # in turns, so that a busy moment hits both
            without.append(_starting(empty))
            with_packs.append(_starting(full))
        bare = Yardstick("starts without packs", _times(without).p50)
        yield Figure("from start to the front page, all packs loaded", _times(with_packs), NO_SLOWER, bare)
        looks = [(_managing(full, "migrate"), _loading(full)) for _ in range(LOADS)]
        bare = Yardstick("runs of migrate with nothing to do", _times([one for one, _ in looks]).p50)
        yield Figure("looking for new packs, all loaded", _times([look for _, look in looks]), None, bare)


def _migrated(folder: str, name: str) -> dict[str, str]:
    """The environment of a fresh database."""
    environment = {
        "ARMYBUILDER_VAR": str(Path(folder, name)),
        "DJANGO_SETTINGS_MODULE": "tests.bench.settings",
        "DATABASE_URL": "",
    }
    Path(folder, name).mkdir()
    _managing(environment, "migrate")
    return environment


def _managing(environment: Mapping[str, str], command: str) -> float:
    begin = time.perf_counter()
    manage = [sys.executable, "manage.py", command, "--verbosity=0"]
    subprocess.run(manage, cwd=ROOT, env={**os.environ, **environment}, check=True, capture_output=True)
    return time.perf_counter() - begin


def _loading(environment: Mapping[str, str]) -> float:
    return _managing(environment, "load_packs")


def _starting(environment: Mapping[str, str]) -> float:
    begin = time.perf_counter()
    with serve("armybuilder.wsgi", environment) as address:
        status, _ = Visitor(address).get("/")
        assert status == 200, status
        return time.perf_counter() - begin


def _times(seconds: list[float]) -> Times:
    return Times(tuple(sorted(seconds)))
