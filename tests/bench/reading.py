"""Read the community's largest data set, compared with lxml's bare parse of the same files.

Skipped without `wh40k-9e.zip` in `$ARMYBUILDER_SHARED/bsdata`.
"""

import zipfile
from collections.abc import Iterator

from lxml import etree

from catalogue.formats.battlescribe.reader import read_path
from tests.bench.benchmark import Figure, Yardstick, benchmark, measure, or_least
from tests.bench.community import shared_data

TIMES = 5


@benchmark("reading")
def reading() -> Iterator[Figure]:
    path = shared_data(or_least("wh40k-9e.zip", "edge-dawnfall.zip"))
    if path is None:
        return
    with zipfile.ZipFile(path) as archive:
        files = [archive.read(name) for name in archive.namelist()]
    bare = measure(lambda: [etree.fromstring(data) for data in files], times=TIMES, warm_up=1)
    read = measure(lambda: read_path(path), times=TIMES, warm_up=1)
    parses = Yardstick("lxml parses", bare.p50)
    yield Figure("34 MB of community data: unpacked, read and checked", read, at_most=6, beside=parses)
