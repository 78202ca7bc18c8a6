"""The gallery: its page with all games of the index, and a game installed from it up to the first list.

Installing is skipped without `wh40k-10e-v10.6.0.zip` in `$ARMYBUILDER_SHARED/bsdata`.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.bench.benchmark import Figure, Times, Yardstick, benchmark, measure, or_least
from tests.bench.community import shared_data
from tests.bench.databases import ROOT, empty_database, environment_of
from tests.bench.serving import Visitor, serve_app

ARCHIVE, SMALL_ARCHIVE = "wh40k-10e-v10.6.0.zip", "edge-dawnfall.zip"


@benchmark("gallery")
def gallery() -> Iterator[Figure]:
    with serve_app() as address:
        visitor = Visitor(address)
        status, page = visitor.get("/games/gallery/")
        assert status == 200
        games = page.count(b'id="game-')
        times = measure(lambda: visitor.get("/games/gallery/"), times=40)
        yield Figure(f"the gallery with {games} games", times, at_most=20)
        found = measure(lambda: visitor.get("/games/gallery/?q=age"), times=40)
        yield Figure("a search in it", found, at_most=20)
    if path := shared_data(or_least(ARCHIVE, SMALL_ARCHIVE)):
        one_second = Yardstick("processor seconds", 1.0)
        yield Figure(f"{path.name} installed, first list begun", Times((install_once(path),)), 15, one_second)


def install_once(path: Path) -> float:
    with tempfile.TemporaryDirectory(prefix="armybuilder-bench-") as folder:
        empty_database(folder)
        command = [sys.executable, "-m", "tests.bench.install_once", str(path)]
        environment = {**os.environ, **environment_of(folder)}
        done = subprocess.run(command, cwd=ROOT, env=environment, check=True, stdout=subprocess.PIPE)
    return float(done.stdout.splitlines()[-1])
