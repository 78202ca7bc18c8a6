"""The community's largest data set brought into the database, beside lxml's bare parse of the same files.

Needs `wh40k-9e.zip` below `$ARMYBUILDER_SHARED/bsdata`; says nothing without it.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from html import unescape
from pathlib import Path

from tests.bench.frame import Figure, Times, Yardstick, benchmark, measure
from tests.bench.serving import ROOT, Visitor, serve_app

DATA = Path(os.environ.get("ARMYBUILDER_SHARED", ""), "bsdata", "wh40k-9e.zip")
MOST_MIB = 1024
GAME = "warhammer-40000-9th-edition"
FACTION = re.compile(r'value="([^"]+)"[^>]*>Imperium - Adeptus Astartes - Space Wolves<')
DETACHMENT = re.compile(r'name="entry" value="([^"]+)"(?:(?!name=).)*Patrol Detachment', re.S)
REVISION = re.compile(r'data-revision="(\d+)"')
BUILDER = re.compile(r'href="(/rosters/[\w-]{22}/)"')


def _is_there(name: str) -> bool:
    if not DATA.is_file():
        print(f"{name}: not run, there is no ARMYBUILDER_SHARED with bsdata/{DATA.name}")
    return DATA.is_file()


@benchmark("importing")
def importing() -> Iterator[Figure]:
    if not _is_there("importing"):
        return
    with tempfile.TemporaryDirectory(prefix="armybuilder-bench-") as folder:
        environment = {**os.environ, "ARMYBUILDER_VAR": folder, "DATABASE_URL": ""}
        environment["DJANGO_SETTINGS_MODULE"] = "tests.bench.settings"
        command = [sys.executable, "-m", "tests.bench.import_once", str(DATA)]
        done = subprocess.run(command, cwd=ROOT, env=environment, check=True, stdout=subprocess.PIPE)
    found = json.loads(done.stdout.splitlines()[-1])
    parses = Yardstick("lxml parses", found["bare"])
    of_faction = Yardstick("lxml parses of its files", found["faction_parse"])
    imported, cold, warm = (Times((found[name],)) for name in ("import", "cold", "warm"))
    yield Figure("34 MB of data read, checked, stored, searchable", imported, 20, parses)
    yield Figure("the heaviest faction compiled from storage, cold", cold, 2, of_faction)
    yield Figure("the same, warm", warm, 0.01, of_faction)
    if found["peak"] > MOST_MIB:
        raise RuntimeError(
            f"The import took {found['peak']:.0f} MiB of memory, at most {MOST_MIB} are aimed at"
        )
    print(f"peak memory of the import: {found['peak']:.0f} MiB, at most {MOST_MIB}: kept")


@benchmark("shelves")
def shelves() -> Iterator[Figure]:
    """The builder's page for the faction with the most units to choose from."""
    if not _is_there("shelves"):
        return
    with serve_app(DATA) as address:
        visitor = Visitor(address)
        faction = FACTION.search(visitor.get(f"/rosters/new/?game={GAME}")[1].decode())
        assert faction
        visitor.post("/rosters/new/", {"game": GAME, "faction": faction[1], "limit": "2000"})
        found = BUILDER.search(visitor.get("/rosters/")[1].decode())
        assert found
        page = visitor.get(found[1])[1].decode()
        entry, revision = DETACHMENT.search(page), REVISION.search(page)
        assert entry
        assert revision
        fields = {"revision": revision[1], "do": "add-detachment", "entry": unescape(entry[1])}
        visitor.post(found[1] + "edits/", fields)
        units = visitor.get(found[1])[1].count(b"<li data-find=")
        times = measure(lambda: visitor.get(found[1]), times=30, warm_up=4)
        yield Figure(f"the builder's page with {units} units to choose from", times, at_most=50)
