"""Measure pasted lists: a large one read, resolved and judged, and the number that a large event collects."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.bench.benchmark import Figure, Times, Yardstick, benchmark
from tests.bench.community import shared_data
from tests.bench.databases import ROOT, empty_database, environment_of, manage
from tests.bench.paste_once import EVENT

GAME = "wh40k-10e-v10.6.0.zip"
AT_MOST = 150
MINUTE = 60.0


@benchmark("pasted")
def pasted() -> Iterator[Figure]:
    archive = shared_data(GAME)
    if archive is None:
        return
    with tempfile.TemporaryDirectory(prefix="armybuilder-pasted-") as folder:
        empty_database(folder)
        manage(folder, "import_battlescribe", str(archive))
        one, event = _measure_lists(folder, archive.parent.parent / "lists")
    yield Figure("a 2,000-point list parsed, resolved and judged", one, AT_MOST)
    yield Figure(f"{EVENT} pasted lists one after another", event, 1, Yardstick("of a minute", MINUTE))


def _measure_lists(folder: str, lists: Path) -> list[Times]:
    """Measure in a separate process, because this one may use another database."""
    command = [sys.executable, "-m", "tests.bench.paste_once", str(lists)]
    environment = {**os.environ, **environment_of(folder)}
    done = subprocess.run(command, cwd=ROOT, env=environment, check=True, stdout=subprocess.PIPE, text=True)
    return [Times(tuple(map(float, line.split()))) for line in done.stdout.splitlines()]
