"""Measure solver questions after an edit: which lines are dead ends, and what fills a list or makes it legal."""

import json
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from catalogue.formats.packs.load import LISTS, SHIPPED, find_packs
from tests.bench.benchmark import Figure, Times, benchmark, measure, or_least
from tests.bench.builder_edit import Builder
from tests.bench.databases import FEW_PACKS
from tests.bench.fifteen_units import DETACHMENTS, FACTION, GAME
from tests.bench.serving import Visitor, serve_app
from tests.plain_yaml import load_yaml_file

Page = tuple[str, str, str, str, tuple[str, ...]]
"""Game, faction, limit, kind of detachment, and fifteen units of it."""

PAGES: dict[str, Page] = {
    "40 units of Maelstrom of War": (
        *("maelstrom-of-war-9e", "tyranids", "3000", "brigade"),
        (
            "trygon-prime",
            "old-one-eye",
            "the-swarmlord",
            "mucolid-spores",
            "termagants",
            "tyrant-guard-no-slot",
            "screamer-killers",
            "venomthropes",
            "pyrovores",
            "tyrannofex",
            "haruspex",
            "tyrannofex",
            "tervigon",
            "hive-guard",
            "thornbacks",
        ),
    ),
    "45 units of Warzone": (
        *("warzone-resurrection", "capitol", "3000", "gargantuan"),
        (
            "orca-battlesuit-mk-v",
            "ctl-f800-emancipator-combat-aircraft",
            "purple-sharks",
            "assault-battalion",
            "aft-205-kraken",
            "jake-kramer",
            "detective-nathan-castle",
            "capitol/valkyries-guest::valkyries-guest",
            "orca-battlesuit-mk-v",
            "lt-col-mike-sanders",
            "aft-210-leviathan",
            "ctl-422-mule-armoured-carrier",
            "martian-banshees",
            "rob-yourstand",
            "light-infantry",
        ),
    ),
}
"""Lists of fifteen units, and how many units of the picker are still open."""
LEAST: dict[str, Page] = {"11 units of Reeds and Rust": (GAME, FACTION, "300", "standard", DETACHMENTS[0][:-2])}

MOST_WAYS = 100


@benchmark("outlook")
def look_ahead_and_fill() -> Iterator[Figure]:
    with serve_app() as address:
        visitor = Visitor(address)
        for name, page in or_least(PAGES, LEAST).items():
            times = measure(_begin_question(Builder(visitor, *page[:2], limit=page[2]), page), times=10, warm_up=2)
            yield Figure(f"greying out {name}", times, at_most=150)
        found = tuple(sorted(_take_ways(visitor)))
        yield Figure(f"{len(found)} fills and repairs: 95 of 100 of them", Times(found), at_most=500, share=0.95)


def _begin_question(builder: Builder, page: Page) -> Any:
    *_, kind, units = page
    builder.look()
    detachment = builder.add_detachment(kind)
    for unit in units:
        builder.edit(do="add-unit", node=detachment, entry=unit)
    builder.look()

    def ask() -> None:
        query = f"outlook/?revision={builder.revision}&into={detachment}"
        status, _ = builder.visitor.get(f"{builder.address}{query}", HX_Request="true")
        assert status == 200

    return ask


def _take_ways(visitor: Visitor) -> Iterator[float]:
    visitor.post_json("/api/v1/fill", json.dumps(next(_list_documents())[1]).encode())  # loads the solver
    for verb, document in islice(_list_documents(), or_least(MOST_WAYS, 4)):
        began = time.perf_counter()
        status, answer = visitor.post_json(f"/api/v1/{verb}", json.dumps(document).encode())
        assert status == 200, answer
        yield time.perf_counter() - began


def _list_documents() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the worked lists of all games in turn: half of each legal list to fill, the others to repair."""
    folders = or_least(find_packs(SHIPPED), [pack for few in FEW_PACKS for pack in find_packs(Path(few))])
    paths = [sorted((folder / LISTS).glob("*.yaml")) for folder in folders]
    for place in range(max(map(len, paths))):
        for path in (files[place] for files in paths if place < len(files)):
            document = load_yaml_file(path)
            document.pop("plan", None)  # it names omitted units
            if document.get("expect") != "legal":
                yield "repair", document
            else:
                for detachment in document.get("detachments", ()):
                    detachment["units"] = detachment.get("units", [])[::2]
                yield "fill", document
