"""Measure what each cache saves: an edit and the next page with one cache switched off, compared with all on."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from statistics import median
from typing import Any

from tests.bench.answers import HERESY, TENTH
from tests.bench.benchmark import Figure, Times, Yardstick, benchmark, or_least
from tests.bench.community import shared_data
from tests.bench.databases import ROOT, environment_of, full_database, manage
from tests.bench.importing import Shelves
from tests.bench.toggle_once import ADD, BASE, PAGE, RENAME

REEDS = Shelves("", "reeds-and-rust", "Marsh Compact", "Standard")
NINTH = Shelves("", "maelstrom-of-war-9e", "Necrons", "Battalion")
GAMES = {"Reeds": REEDS, "40k 9e": NINTH, "40k 10e": TENTH, "Heresy": HERESY}


@benchmark("toggles")
def toggles() -> Iterator[Figure]:
    """Two games of packs and two imported ones, if their data is available."""
    for name, shelves in or_least(GAMES, {"Reeds": REEDS}).items():
        data = shared_data(shelves.file) if shelves.file else None
        if shelves.file and data is None:
            continue
        with tempfile.TemporaryDirectory(prefix="armybuilder-bench-") as folder:
            full_database(folder)
            if data:
                manage(folder, "import_battlescribe", str(data))
            measured = _toggle_once(folder, shelves)
        print(f"{name}: neither an edit nor the page reads {', '.join(measured['idle'])}")
        seconds = measured["seconds"]
        for step, title in ((ADD, "adding a unit"), (RENAME, "renaming one"), (PAGE, "the page")):
            base = seconds[BASE][step]
            yield Figure(f"{name}, {title}", _time(base))
            with_all = Yardstick("of the time with all", median(base))
            without = [key for key in seconds if key != BASE]
            for key in sorted(without, key=lambda key: median(seconds[key][step]), reverse=True):
                yield Figure(f"- {_shorten(key)}", _time(seconds[key][step]), beside=with_all)


def _toggle_once(folder: str, shelves: Shelves) -> dict[str, Any]:
    command = [sys.executable, "-m", "tests.bench.toggle_once", shelves.game, shelves.faction, shelves.detachment]
    environment = {**os.environ, **environment_of(folder)}
    done = subprocess.run(command, cwd=ROOT, env=environment, check=True, stdout=subprocess.PIPE, text=True)
    measured: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return measured


def _time(seconds: Sequence[float]) -> Times:
    return Times(tuple(sorted(seconds)))


def _shorten(name: str) -> str:
    return name if " " in name else ".".join(name.split(".")[-2:])
