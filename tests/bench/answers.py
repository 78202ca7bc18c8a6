"""Measure the largest answers in the builder, and the time to add a unit in the heaviest game."""

import re
import time
from collections.abc import Iterator
from html import unescape

import brotli

from armybuilder.compression import QUALITY
from tests.bench.benchmark import Figure, Times, Yardstick, benchmark, or_least
from tests.bench.builder_edit import ANY_OFFERED, BUILDER, OPEN, Builder
from tests.bench.community import shared_data
from tests.bench.importing import FEW_UNITS, Shelves
from tests.bench.serving import Visitor, serve_app

TENTH = Shelves("wh40k-10e-v10.6.0.zip", "warhammer-40000-10th-edition", "Ultramarines", "Army Roster")
HERESY = Shelves("horus-heresy-3rd-2025-11.zip", "horus-heresy-3rd-edition", "Sons of Horus", "Crusade Force")
UNITS = 20
KILOBYTES, PACKED_KILOBYTES = 60.0, 12.0
INSIDE = re.compile(
    rb'name="node"\s+value="([^"]+)"\s*>(?:(?!</form>).)*?name="entry"\s+value="([^"]+)"\s+id="in-', re.DOTALL
)
KIND = re.compile(rb'name="entry"\s+value="([^"]+)"\s+id="add-')


class LargeList:
    def __init__(self, visitor: Visitor, shelves: Shelves, limit: str = "1000") -> None:
        self.builder = Builder.__new__(Builder)
        self.builder.visitor = visitor
        faction = shelves.faction_in(visitor.get(f"/rosters/new/?game={shelves.game}")[1].decode())
        fields = {"game": shelves.game, "faction": unescape(faction), "limit": limit, "name": "A large list"}
        visitor.post("/rosters/new/", fields)
        found = BUILDER.search(visitor.get("/rosters/")[1])
        assert found
        self.builder.address = found.group(1).decode()
        self.answers: list[bytes] = []
        self.seconds: list[float] = []
        page = self.builder.look()
        if not ANY_OFFERED.search(page) and KIND.search(page):
            self.add_detachment(shelves.detachment_in(page.decode()))

    def add_detachment(self, entry: str, node: str = "") -> None:
        self.builder.edit(do="add-detachment", entry=entry, node=node)

    def add_inside(self) -> None:
        page = self.builder.look()
        kind = INSIDE.search(page)
        if kind:
            self.add_detachment(unescape(kind[2].decode()), kind[1].decode())

    def click(self, **fields: str) -> None:
        begin = time.perf_counter()
        self.answers.append(self.builder.edit(**fields))
        self.seconds.append(time.perf_counter() - begin)

    def fill(self, units: int) -> None:
        """Add units of all kinds, then copy the last one with its row open, because the points are spent by then."""
        page = self.builder.look(f"?into={self.builder.find_target()}")
        node = re.search(rb'data-into="([^"]+)"', page)
        assert node
        entries = list(dict.fromkeys(unescape(entry.decode()) for entry in ANY_OFFERED.findall(page)))
        assert entries, "nothing is on offer"
        for at in range(units):
            entry = entries[at * len(entries) // units % len(entries)]
            self.last_added = node[1].decode(), entry
            self.click(do="add-unit", node=node[1].decode(), entry=entry, into=node[1].decode())
        unit = OPEN.findall(self.builder.look())[-1].decode()
        self.builder.look(f"?open={unit}")
        self.click(do="duplicate-unit", node=unit, open=unit)


@benchmark("clicks")
def clicks() -> Iterator[Figure]:
    """The largest answer while a list of 40,000's tenth edition grows beyond its points."""
    shelves = or_least(TENTH, FEW_UNITS)
    data = shared_data(shelves.file)
    if data is None:
        return
    with serve_app(data) as address:
        listed = LargeList(Visitor(address), shelves)
        listed.fill(or_least(UNITS, 2))
        plain = max(len(answer) for answer in listed.answers) / 1000
        packed = max(len(brotli.compress(answer, quality=QUALITY)) for answer in listed.answers) / 1000
        yield _weigh("what a click sends in a list of 40k 10e", plain, KILOBYTES)
        yield _weigh("the same on the wire", packed, PACKED_KILOBYTES)


def _weigh(name: str, kilobytes: float, at_most: float) -> Figure:
    return Figure(name, Times((kilobytes,)), 1, Yardstick(f"of {at_most:g} kB", at_most), unit="kB")


@benchmark("heresy")
def heresy() -> Iterator[Figure]:
    """Add units to a detachment of the Horus Heresy, the most demanding data."""
    shelves = or_least(HERESY, FEW_UNITS)
    data = shared_data(shelves.file)
    if data is None:
        return
    with serve_app(data) as address:
        listed = LargeList(Visitor(address), shelves)
        listed.add_inside()
        listed.fill(or_least(UNITS, 2))
        yield Figure("adding a unit in the Horus Heresy", Times(tuple(sorted(listed.seconds))), at_most=40)
