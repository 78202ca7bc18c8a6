"""Measure the database size of installed data: all available archives, and a version of the largest with one changed
file.

Compared with the size before contents were shared (commit 8d92a86e).
"""

import re
import sqlite3
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

from tests.bench.benchmark import Figure, Times, Yardstick, benchmark, or_least
from tests.bench.community import shared_data
from tests.bench.databases import empty_database, manage
from tests.bench.importing import FEW_UNITS, MEGABYTE, MOST_UNITS

BEFORE = 295.5
"""The size of all archives of `bsdata` before, in MB."""
CHANGED = re.compile(rb'(<catalogue [^>]*?\brevision=")(\d+)"')


@benchmark("room")
def room() -> Iterator[Figure]:
    folder = shared_data("")
    if folder is None:
        return
    paths = sorted(folder.glob(or_least("*.zip", FEW_UNITS.file)))
    with tempfile.TemporaryDirectory(prefix="armybuilder-bench-") as database:
        empty_database(database)
        taken = sum(measure_growth(database, path) for path in paths)
    yield _compare("all archives installed", taken, 1 / 3, Yardstick(f"of {BEFORE:.0f} MB before", BEFORE))
    one = folder / or_least(MOST_UNITS, FEW_UNITS).file
    with tempfile.TemporaryDirectory(prefix="armybuilder-bench-") as database:
        empty_database(database)
        first = measure_growth(database, one)
        with tempfile.TemporaryDirectory() as scratch:
            added = measure_growth(database, change_one_file(one, Path(scratch)))
    yield _compare(f"a version of {one.name} with one file changed", added, 1 / 10, Yardstick("of the first", first))


def _compare(name: str, megabytes: float, at_most: float, beside: Yardstick) -> Figure:
    return Figure(name, Times((megabytes,)), at_most, beside, unit="MB")


def measure_growth(database: str, data: Path) -> float:
    before = measure_database(database)
    manage(database, "import_battlescribe", str(data))
    return measure_database(database) - before


def measure_database(folder: str) -> float:
    path = next(Path(folder).glob("*.sqlite3"))
    with sqlite3.connect(path) as connection:
        pages, free, size = (
            connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "freelist_count", "page_size")
        )
    return float((pages - free) * size / MEGABYTE)


def change_one_file(archive: Path, folder: Path) -> Path:
    """Return a copy of an archive in which the catalogue of median size has another revision."""
    copy = folder / f"changed-{archive.name}"
    with zipfile.ZipFile(archive) as source, zipfile.ZipFile(copy, "w", zipfile.ZIP_DEFLATED) as target:
        catalogues = sorted((i for i in source.infolist() if i.filename.endswith(".cat")), key=lambda i: i.file_size)
        changed = catalogues[len(catalogues) // 2]
        for info in source.infolist():
            data = source.read(info)
            target.writestr(info, CHANGED.sub(rb'\g<1>9\2"', data, count=1) if info is changed else data)
    return copy
