"""Measure the page of a collection of 3,000 models, compared with lists."""

import re
from collections.abc import Iterator

from tests.bench.benchmark import Figure, benchmark, measure, or_least
from tests.bench.builder_edit import Builder
from tests.bench.fifteen_units import DETACHMENTS, FACTION, GAME
from tests.bench.serving import Visitor, serve_app

KINDS, OF_EACH = 300, 10
STATES = ("sprue", "built", "primed", "painted", "based")


@benchmark("collection")
def open_collection() -> Iterator[Figure]:
    with serve_app() as address:
        visitor = Visitor(address)
        builder = Builder(visitor)
        builder.look()
        for units in DETACHMENTS:
            detachment = builder.add_detachment()
            for unit in units:
                builder.edit(do="add-unit", node=detachment, entry=unit)
        visitor.post("/collections/", {"faction": f"{GAME}:{FACTION}"})
        found = re.search(rb'href="(/collections/[\w-]{22}/)"', visitor.get("/collections/")[1])
        assert found is not None
        page = found.group(1).decode()
        rows = [f"Kind {number},{OF_EACH},{STATES[number % len(STATES)]}" for number in range(or_least(KINDS, 3))]
        assert visitor.post(f"{page}import/", {"text": "\n".join(rows)})[0] == 303
        assert visitor.post(page, {"do": "lists", "list": builder.address.strip("/").rpartition("/")[2]})[0] == 303

        def look() -> None:
            status, body = visitor.get(page)
            assert status == 200
            assert b"Kind 2" in body

        times = measure(look, times=40)
        yield Figure(f"a collection of {KINDS * OF_EACH:,} models, compared with a list", times, at_most=15)
