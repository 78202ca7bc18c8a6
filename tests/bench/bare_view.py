"""The yardstick: a bare Django view with session, login, one query and a small template."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tests.bench.benchmark import Times, look_in_turns, or_least, time_once
from tests.bench.databases import ROOT
from tests.bench.serving import Visitor, serve

WARM_UP = 100


@contextmanager
def bare_view() -> Iterator[Callable[[int], Times]]:
    """Serve the bare view, and yield a function that measures it over HTTP a number of times."""
    with tempfile.TemporaryDirectory(prefix="armybuilder-bare-") as folder:
        environment = {"BARE_FOLDER": folder, "DJANGO_SETTINGS_MODULE": "tests.bench.bare.settings"}
        prepare = [sys.executable, "-m", "tests.bench.bare.prepare"]
        subprocess.run(prepare, cwd=ROOT, env={**os.environ, **environment}, check=True)
        with serve("tests.bench.bare.wsgi", environment) as address:
            visitor = Visitor(address)
            visitor.get("/enter/")

            def look() -> None:
                status, page = visitor.get("/")
                if status != 200 or b"Hello visitor" not in page:
                    raise RuntimeError(f"The bare view answered {status}")

            def measure_bare(times: int) -> Times:
                for _ in range(or_least(WARM_UP, 0)):
                    look()
                return Times(tuple(sorted(time_once(look) for _ in range(or_least(times, 1)))))

            with look_in_turns(look):
                yield measure_bare
