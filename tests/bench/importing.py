"""Import the community's largest data set, compared with lxml's bare parse of the same files.

Skipped without `wh40k-9e.zip` in `$ARMYBUILDER_SHARED/bsdata`.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from html import escape, unescape
from pathlib import Path
from typing import NamedTuple

from tests.bench.benchmark import Figure, Times, Yardstick, benchmark, measure, or_least
from tests.bench.community import shared_data
from tests.bench.databases import ROOT, empty_database, environment_of
from tests.bench.serving import Visitor, serve_app

MOST_MIB = 1024
MEGABYTE = 1_000_000
LARGE = 5
"""For less than this many megabytes, start-up time dominates."""
MOST_PARSES, MOST_PARSES_OF_SMALL = 6, 30
REVISION = re.compile(r'data-revision="(\d+)"')
BUILDER = re.compile(r'href="(/rosters/[\w-]{22}/)"')


class Shelves(NamedTuple):
    """The faction with the most units: its file and game, and the names of faction and detachment."""

    file: str
    game: str
    faction: str
    detachment: str

    def faction_in(self, page: str) -> str:
        name = re.escape(escape(self.faction))
        chosen = re.search(rf'name="faction"\s+value="([^"]+)"\s+data-called="{name}"', page)
        assert chosen, f"no faction called {self.faction}"
        return chosen[1]

    def detachment_in(self, page: str) -> str:
        offered = re.search(rf'name="entry"\s+value="([^"]+)"(?:(?!name=).)*{self.detachment}', page, re.S)
        assert offered, f"no detachment called {self.detachment}"
        return unescape(offered[1])


MOST_UNITS = Shelves("wh40k-9e.zip", "warhammer-40000-9th-edition", "Space Wolves", "Patrol Detachment")
FEW_UNITS = Shelves("edge-dawnfall.zip", "edge-dawnfall-116", "Chapter", "Normal")


@benchmark("importing")
def importing() -> Iterator[Figure]:
    data = shared_data(or_least(MOST_UNITS, FEW_UNITS).file)
    if data is None:
        return
    found = import_once(data)
    parses = Yardstick("lxml parses", found["bare"])
    of_faction = Yardstick("lxml parses of its files", found["faction_parse"])
    imported, cold, warm = (Times((found[name],)) for name in ("import", "cold", "warm"))
    yield Figure("34 MB of data read, checked, stored, searchable", imported, 20, parses)
    yield Figure("the heaviest faction compiled from storage, cold", cold, 2, of_faction)
    yield Figure("the same, warm", warm, 0.01, of_faction)
    if found["peak"] > MOST_MIB:
        raise RuntimeError(f"The import took {found['peak']:.0f} MiB of memory, at most {MOST_MIB} are aimed at")
    print(f"peak memory of the import: {found['peak']:.0f} MiB, at most {MOST_MIB}: kept")


@benchmark("archives")
def archives() -> Iterator[Figure]:
    """Import every available archive into an empty database, compared with the bare parse of its files."""
    folder = shared_data("")
    for path in sorted(folder.glob(or_least("*.zip", FEW_UNITS.file))) if folder else ():
        found = import_once(path, "--import")
        size = found["size"] / MEGABYTE
        most = MOST_PARSES if size > LARGE else MOST_PARSES_OF_SMALL
        yield Figure(
            f"{path.name}, {size:.1f} MB, {found['peak']:.0f} MiB",
            Times((found["import"],)),
            most,
            Yardstick("bare parses", found["bare"]),
        )


def import_once(data: Path, *options: str) -> dict[str, float]:
    with tempfile.TemporaryDirectory(prefix="armybuilder-bench-") as folder:
        empty_database(folder)
        command = [sys.executable, "-m", "tests.bench.import_once", str(data), *options]
        environment = {**os.environ, **environment_of(folder)}
        done = subprocess.run(command, cwd=ROOT, env=environment, check=True, stdout=subprocess.PIPE)
    figures: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return figures


@benchmark("shelves")
def most_units() -> Iterator[Figure]:
    shelves = or_least(MOST_UNITS, FEW_UNITS)
    data = shared_data(shelves.file)
    if data is None:
        return
    with serve_app(data) as address:
        visitor = Visitor(address)
        faction = shelves.faction_in(visitor.get(f"/rosters/new/?game={shelves.game}")[1].decode())
        visitor.post("/rosters/new/", {"game": shelves.game, "faction": faction, "limit": "2000"})
        found = BUILDER.search(visitor.get("/rosters/")[1].decode())
        assert found
        page = visitor.get(found[1])[1].decode()
        revision = REVISION.search(page)
        assert revision
        entry = shelves.detachment_in(page)
        fields = {"revision": revision[1], "do": "add-detachment", "entry": entry}
        visitor.post(found[1] + "edits/", fields)
        units = visitor.get(found[1])[1].count(b"data-cost=")
        assert units, "nothing is on offer"
        times = measure(lambda: visitor.get(found[1]), times=30, warm_up=4)
        yield Figure(f"the builder's page with {units} units to choose from", times, at_most=50)
