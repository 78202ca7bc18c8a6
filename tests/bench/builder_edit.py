"""Measure one edit of a list of fifteen units over HTTP: read, edit, judge, store, render the changed parts."""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import cycle

from tests.bench.benchmark import Figure, benchmark, measure
from tests.bench.fifteen_units import DETACHMENTS, FACTION, GAME, LEGAL
from tests.bench.serving import Visitor, serve_app

REVISION = re.compile(rb'data-revision="(\d+)"')
BUILDER = re.compile(rb'href="(/rosters/[\w-]{22}/)"')
ALIKE = re.compile(rb'data-alike="([^"]+)" data-of="([^"]+)"')
PART = re.compile(rb'id="([^"]+)"[^>]* data-key="([^"]+)"')
GONE = re.compile(rb'<div id="u-([^"]+)" hx-swap-oob="delete">')
DETACHMENT = re.compile(rb'name="node" value="([\w-]+)"')
ANY_OFFERED = re.compile(rb'class="add"\s+id="[^"]+"\s+name="entry"\s+value="([^"]+)"')
OPEN = re.compile(rb"open=([\w-]+)&amp;")
DATASHEET = re.compile(rb'href="(/rosters/[\w-]{22}/units/[\w-]+/)')
NUMBER = re.compile(rb'value="set-number">.*?name="entry"\s+value="([^"]+)"', re.DOTALL)


class Builder:
    def __init__(self, visitor: Visitor, game: str = GAME, faction: str = FACTION, limit: str = "300") -> None:
        self.visitor = visitor
        visitor.get(f"/rosters/new/?game={game}&faction={faction}")
        form = {"game": game, "faction": faction, "limit": limit, "name": "A large list"}
        status, answer = visitor.post("/rosters/new/", form)
        assert status < 400, (status, answer[:500])
        _, page = visitor.get("/rosters/")
        self.address = BUILDER.search(page).group(1).decode()

    def look(self, query: str = "") -> bytes:
        status, page = self.visitor.get(self.address + query)
        assert status == 200, (status, page[:500])
        self.revision = REVISION.search(page).group(1).decode()
        self.have = dict(PART.findall(page))
        return page

    def find_target(self) -> str:
        return DETACHMENT.findall(self.look())[-1].decode()

    def add_detachment(self, entry: str = "standard") -> str:
        before = set(DETACHMENT.findall(self.look()))
        self.edit(do="add-detachment", entry=entry)
        return (set(DETACHMENT.findall(self.look())) - before).pop().decode()

    def look_at_unit(self, address: str) -> None:
        status, sheet = self.visitor.get(address, HX_Request="true")
        assert status == 200
        assert b"<html" not in sheet

    def edit(self, **fields: str) -> bytes:
        have = b" ".join(b"%b.%b" % pair for pair in self.have.items())
        fields = {"revision": self.revision, "have": have.decode(), **fields}
        status, parts = self.visitor.post(self.address + "edits/", fields, HX_Request="true")
        assert status == 200, (status, parts[:500])
        self.revision = REVISION.search(parts).group(1).decode()
        self.have |= dict(PART.findall(parts))
        for ids, key in ALIKE.findall(parts):
            self.have |= dict.fromkeys(ids.split(), key)
        # A removed row removes the parts inside it: otherwise their keys would be sent for ever.
        for row in GONE.findall(parts):
            for part in (b"u-", b"marks-", b"moves-", b"line-", b"stats-", b"card-"):
                self.have.pop(part + row, None)
        return parts


@benchmark("edit")
def edit() -> Iterator[Figure]:
    with serve_app() as address:
        builder = Builder(Visitor(address))
        builder.look()
        for units in DETACHMENTS:
            detachment = builder.add_detachment()
            for unit in units:
                builder.edit(do="add-unit", node=detachment, entry=unit)
        page = builder.look()
        cutters = re.search(rb"open=([\w-]+)[^>]*>[^<]*Reed Cutters", page)
        unit = cutters.group(1).decode() if cutters else ""
        entry = NUMBER.search(builder.look(f"?open={unit}")).group(1).decode()
        numbers = cycle(("6", "7"))

        def step() -> None:
            builder.edit(do="set-number", node=unit, entry=entry, number=next(numbers), open=unit)

        yield Figure("one edit in an opened unit of 15 over HTTP", measure(step, times=150), at_most=6)

        add = partial(builder.edit, do="add-unit", node=detachment, entry="punt-crew")
        take_back = partial(builder.edit, do="undo")
        builder.look()
        add()
        yield Figure("adding a unit to 15 over HTTP", measure(add, times=100, prepare=take_back), at_most=6)
        take_back()
        yield Figure("taking it back", measure(take_back, times=100, prepare=add), at_most=6)
        sheet = DATASHEET.search(builder.look()).group(1).decode()
        times = measure(lambda: builder.look_at_unit(sheet), times=100)
        yield Figure("a unit's datasheet beside a list of 15 over HTTP", times, at_most=6)
        yield Figure("the page of 15 units over HTTP", measure(lambda: builder.look(f"?open={unit}"), times=60))
        for name, detachments, most in (("legal", LEGAL, 6), ("lost", DETACHMENTS, None)):
            check = _prepare_check(builder.visitor, detachments, name)
            yield Figure(f"POST /api/v1/check of 15 units, {name}", measure(check, times=100), at_most=most)


def _prepare_check(visitor: Visitor, detachments: Iterable[tuple[str, ...]], name: str) -> Callable[[], None]:
    chosen = [{"detachment": "standard", "units": list(units)} for units in detachments]
    document = {"list": 1, "game": GAME, "faction": FACTION, "name": name, "detachments": chosen}
    body = json.dumps(document | {"limits": {"points": 500}}).encode()

    def check() -> None:
        status, answer = visitor.post_json("/api/v1/check", body)
        verdict = "legal" if name == "legal" else "illegal"
        assert (status, json.loads(answer)["verdict"]) == (200, verdict), answer[:500]

    return check


FORCE = ("kaddar-nova", *["angel-minnow-pack"] * 4, "tempest-elites", "shadow-walkers", "mature-angel")
"""Eight selections, the most in a detachment of Maelstrom's Edge."""


@benchmark("heaviest")
def heaviest() -> Iterator[Figure]:
    """Maelstrom's Edge: the faction with the most units, each once; and the largest realistic list."""
    with serve_app() as address:
        builder = Builder(Visitor(address), "maelstroms-edge-2e", "epirian-foundation")
        _, offered = _fill(builder, None)
        unit = OPEN.findall(builder.look())[-1].decode()
        yield Figure(
            f"the page of {len(offered)} units of Maelstrom's Edge, one opened",
            measure(lambda: builder.look(f"?open={unit}"), times=60),
            at_most=12,
        )
        builder = Builder(Visitor(address), "maelstroms-edge-2e", "karist-enclave")
        _fill(builder, FORCE)
        last, _ = _fill(builder, FORCE[:-1])
        builder.look()
        add = partial(builder.edit, do="add-unit", node=last, entry=FORCE[-1])
        add()
        take_back = partial(builder.edit, do="undo")
        times = measure(add, times=100, prepare=take_back)
        yield Figure("adding the last of 16 selections", times, at_most=12)


def _fill(builder: Builder, units: tuple[str, ...] | None) -> tuple[str, tuple[str, ...]]:
    before = set(DETACHMENT.findall(builder.look()))
    builder.edit(do="add-detachment", entry="standard")
    page = builder.look()
    node = (set(DETACHMENT.findall(page)) - before).pop().decode()
    if units is None:
        units = tuple(entry.decode() for entry in dict.fromkeys(ANY_OFFERED.findall(page)))
    for entry in units:
        builder.edit(do="add-unit", node=node, entry=entry)
    return node, units
