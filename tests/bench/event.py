"""The lists of an event: all judged anew, and the page that shows them."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator

from tests.bench.benchmark import Figure, Times, Yardstick, benchmark, measure
from tests.bench.databases import ROOT, empty_database, environment_of, manage
from tests.bench.event_once import PLAYERS
from tests.bench.serving import Visitor, serve

TEN_SECONDS = 10.0
BARE_VIEWS = 200


@benchmark("event")
def many_submissions() -> Iterator[Figure]:
    """Lists of fifteen units, each with another verdict than before; one process judges them."""
    with tempfile.TemporaryDirectory(prefix="armybuilder-event-") as folder:
        empty_database(folder)
        manage(folder, "load_packs", "catalogue/packs/reeds_and_rust")
        environment = environment_of(folder)
        command = [sys.executable, "-m", "tests.bench.event_once"]
        done = subprocess.run(
            command, cwd=ROOT, env={**os.environ, **environment}, check=True, stdout=subprocess.PIPE, text=True
        )
        owner, seconds = (line.split() for line in done.stdout.splitlines()[-2:])
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


def look(visitor: Visitor, path: str) -> None:
    status, page = visitor.get(path)
    if status != 200 or b"data-list=" not in page:
        raise RuntimeError(f"{path} answered {status}")
