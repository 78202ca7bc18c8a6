"""Judge all lists of an event again, show and print them."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator

from tests.bench import event_booklet
from tests.bench.benchmark import Figure, Times, Yardstick, benchmark, measure
from tests.bench.databases import ROOT, empty_database, environment_of, manage
from tests.bench.event_once import PLAYERS
from tests.bench.serving import Visitor, serve

TEN_SECONDS = 10.0
BARE_VIEWS = 200
THREE_MINUTES = 180.0
GIGABYTE = 1024.0


@benchmark("event")
def many_submissions() -> Iterator[Figure]:
    """Lists of fifteen units, each with a changed verdict; one process judges them."""
    with tempfile.TemporaryDirectory(prefix="armybuilder-event-") as folder:
        empty_database(folder)
        manage(folder, "load_packs", "catalogue/packs/reeds_and_rust")
        environment = environment_of(folder)
        owner, seconds = (line.split() for line in run_apart("event_once", environment)[-2:])
        again = Times(tuple(map(float, seconds)))
        yield Figure(f"{PLAYERS} submitted lists judged anew", again, 1, Yardstick("of ten seconds", TEN_SECONDS))
        with serve("armybuilder.wsgi", environment) as address:
            visitor = Visitor(address)
            visitor.cookies["sessionid"] = owner[1]
            yield Figure(
                f"the bench with {PLAYERS} submissions",
                measure(lambda: look(visitor, f"/events/{owner[2]}/submissions/"), times=20, warm_up=3),
                BARE_VIEWS,
            )


@benchmark("booklet")
def booklet() -> Iterator[Figure]:
    """All lists as one file, each laid out for the first time in one process; time and peak memory."""
    with tempfile.TemporaryDirectory(prefix="armybuilder-event-") as folder:
        empty_database(folder)
        manage(folder, "load_packs", "catalogue/packs/reeds_and_rust")
        lines = run_apart("event_booklet", environment_of(folder))
        seconds, megabytes = map(float, lines[-1].split())
        name = f"the booklet of {event_booklet.PLAYERS} rosters"
        yield Figure(name, Times((seconds,)), 1, Yardstick("of three minutes", THREE_MINUTES))
        yield Figure(f"{name}: memory", Times((megabytes,)), 1, Yardstick("of a gigabyte", GIGABYTE), unit="MB")


def run_apart(module: str, environment: dict[str, str]) -> list[str]:
    command = [sys.executable, "-m", f"tests.bench.{module}"]
    env = {**os.environ, **environment}
    done = subprocess.run(command, cwd=ROOT, env=env, check=True, stdout=subprocess.PIPE, text=True)
    return done.stdout.splitlines()


def look(visitor: Visitor, path: str) -> None:
    status, page = visitor.get(path)
    if status != 200 or b"data-list=" not in page:
        raise RuntimeError(f"{path} answered {status}")
