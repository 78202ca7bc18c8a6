"""Measure public pages and the API for readers without a session: cached answers, compared with a server without cache.

Both servers are measured in turns, so that other load affects both. Where Varnish is installed, figures also say what
the application does for a page that Varnish keeps.
"""

import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

from tests.bench.benchmark import Figure, Times, Yardstick, benchmark, measure, or_least
from tests.bench.builder_edit import Builder
from tests.bench.databases import environment_of, full_database
from tests.bench.fifteen_units import DETACHMENTS, FACTION, GAME
from tests.bench.serving import Visitor, serve
from tests.service.postgres_servers import choose_port
from tests.service.varnish import HAS_KEYS, PROGRAM, serve_varnish

TIMES = 60
WARM_UP = 10
"""Enough for each worker to have rendered a page once."""
READS = 300
"""So many people read a page while Varnish may keep it."""


@benchmark("public")
def public() -> Iterator[Figure]:
    with tempfile.TemporaryDirectory(prefix="armybuilder-bench-") as folder:
        full_database(folder)
        environment = environment_of(folder)
        purged_at = choose_port()
        with ExitStack() as stack:
            purging = {**environment, "EDGE_PURGE_URLS": f"http://127.0.0.1:{purged_at}/"}
            address = stack.enter_context(serve("armybuilder.wsgi", purging))
            fresh_address = stack.enter_context(serve("armybuilder.wsgi", {**environment, "BENCH_FRESH": "1"}))
            edge = None
            if PROGRAM and HAS_KEYS:
                rules = Path(folder) / "varnish"
                rules.mkdir()
                edge = Visitor(("127.0.0.1", stack.enter_context(serve_varnish(rules, address[1], purged_at))))
            builder = Builder(Visitor(address))
            builder.look()
            for units in DETACHMENTS:
                detachment = builder.add_detachment()
                for unit in units:
                    builder.edit(do="add-unit", node=detachment, entry=unit)
            link = builder.address.replace("/rosters/", "/r/")
            reader, fresh_reader = Visitor(address), Visitor(fresh_address)
            for name, path in {
                "the public page of 15 units": link,
                "/games/": "/games/",
                "a game": f"/games/{GAME}/",
                "a faction": f"/games/{GAME}/{FACTION}/",
                "a unit": f"/games/{GAME}/{FACTION}/lock-warden/",
                "the API description": "/api/schema/",
                "the list by the API": f"/api/v1/rosters{link.removeprefix('/r')}",
            }.items():
                yield from _compare(name, path, reader, fresh_reader)
                if edge:
                    yield _read_through(edge, name, path)


def _compare(name: str, path: str, reader: Visitor, fresh_reader: Visitor) -> Iterator[Figure]:
    """Yield a cached answer in bare views, and as a share of a fresh one."""
    kept, fresh = [], []
    for turn in range(or_least(TIMES + WARM_UP, 1)):
        for visitor, times in ((reader, kept), (fresh_reader, fresh)):
            begin = time.perf_counter()
            status, _ = visitor.get(path, Accept_Encoding="br")
            assert status == 200
            if turn >= or_least(WARM_UP, 0):
                times.append(time.perf_counter() - begin)
    times_fresh = Yardstick("times fresh", Times(tuple(sorted(fresh))).p50)
    yield Figure(f"{name}, kept beside fresh", Times(tuple(sorted(kept))), beside=times_fresh)
    yield Figure(f"{name}, kept", measure(lambda: reader.get(path, Accept_Encoding="br"), times=TIMES), at_most=2)
    tag = reader.tag

    def confirm() -> None:
        assert reader.get(path, Accept_Encoding="br", If_None_Match=tag)[0] == 304

    yield Figure(f"{name}, confirmed by its tag", measure(confirm, times=TIMES), at_most=1)


def _read_through(edge: Visitor, name: str, path: str) -> Figure:
    """Return the application's time for a page that many read, divided by its readers."""
    reads, of_application = or_least(READS, 2), 0.0
    for _ in range(reads):
        begin = time.perf_counter()
        status, _ = edge.get(path, Accept_Encoding="br")
        assert status == 200
        if not edge.is_cached:
            of_application += time.perf_counter() - begin
    assert of_application
    return Figure(f"{name}, the application's part of {reads} reads", Times((of_application / reads,)), at_most=0.1)
