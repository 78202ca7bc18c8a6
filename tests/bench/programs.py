"""Measure programs' requests: a check, an unchanged list, a page of public lists and the daily file."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator

from tests.bench.benchmark import Figure, Times, Yardstick, benchmark, measure, or_least
from tests.bench.builder_edit import Builder
from tests.bench.databases import ROOT, environment_of, full_database
from tests.bench.fifteen_units import DETACHMENTS, FACTION, GAME, LEGAL
from tests.bench.serving import Visitor, serve

LISTS, TIMES = 200, 100
FEW, MANY = 500, 100_000
"""Public lists of the file. Its memory must be the same for both."""
PAGE = 50
PROOF = "POST /api/v1/check of 15 units that need a proof"


@benchmark("programs")
def programs() -> Iterator[Figure]:
    with tempfile.TemporaryDirectory(prefix="armybuilder-bench-") as folder:
        full_database(folder)
        environment = environment_of(folder)
        _run_script("filling", environment, or_least(LISTS, PAGE + 5), "public")
        with serve("armybuilder.wsgi", environment) as address:
            program = Visitor(address)
            for name, lists, at_most in (("POST /api/v1/check of 15 units", LEGAL, 5), (PROOF, DETACHMENTS, None)):
                document = {"list": 1, "game": GAME, "faction": FACTION, "limits": {"points": 300}}
                document["detachments"] = [{"detachment": "standard", "units": list(units)} for units in lists]

                def check(body: bytes = json.dumps(document).encode()) -> None:
                    status, answer = program.post_json("/api/v1/check", body)
                    assert (status, b'"verdict"' in answer) == (200, True)

                yield Figure(name, measure(check, times=TIMES), at_most=at_most)

            builder = Builder(Visitor(address))
            builder.look()
            for units in DETACHMENTS:
                detachment = builder.add_detachment()
                for unit in units:
                    builder.edit(do="add-unit", node=detachment, entry=unit)
            path = f"/api/v1{builder.address}"
            for name, reader in (("a reader", program), ("its owner", builder.visitor), ("its owner's token", program)):
                headers = {}
                if name == "its owner's token":
                    secret = _run_script("token_once", environment, path.split("/")[-2]).strip()
                    headers["Authorization"] = f"Bearer {secret}"
                assert reader.get(path, **headers)[0] == 200
                headers["If_None_Match"] = reader.tag

                def ask_again(reader: Visitor = reader, headers: dict[str, str] = headers) -> None:
                    assert reader.get(path, **headers) == (304, b"")

                yield Figure(f"an unchanged list by ETag, {name}", measure(ask_again, times=TIMES), at_most=1)

            def read_page() -> None:
                status, answer = program.get(f"/api/v1/rosters/?limit={PAGE}")
                assert (status, len(json.loads(answer)["results"])) == (200, PAGE)

            yield Figure(f"a page of {PAGE} public lists", measure(read_page, times=TIMES), at_most=8)


@benchmark("dump")
def dump() -> Iterator[Figure]:
    with tempfile.TemporaryDirectory(prefix="armybuilder-bench-") as folder:
        full_database(folder)
        environment = environment_of(folder)
        few, many = or_least((FEW, MANY), (10, 30))
        peaks = []
        for number in (few, many - few):
            _run_script("filling", environment, number, "public")
            written, _seconds, megabytes = _run_script("dump_once", environment).split()
            assert int(written) == (many if peaks else few)
            peaks.append(float(megabytes))
        beside = Yardstick(f"times that of {few} lists", peaks[0])
        yield Figure(f"peak memory of a file of {many} public lists", Times((peaks[1],)), 1.1, beside, unit="MiB")


def _run_script(name: str, environment: dict[str, str], *arguments: object) -> str:
    command = [sys.executable, "-m", f"tests.bench.{name}", *map(str, arguments)]
    done = subprocess.run(
        command, cwd=ROOT, env={**os.environ, **environment}, check=True, capture_output=True, text=True
    )
    return done.stdout
