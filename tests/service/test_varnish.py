"""Varnish in front of a site keeps public pages until the site purges them: docs/deploy/edge.vcl."""

import time
from collections.abc import Iterator
from http.client import HTTPConnection

import pytest

from tests.bench.builder_edit import Builder
from tests.bench.serving import Visitor
from tests.service.postgres_servers import choose_port
from tests.service.site import Site, open_site
from tests.service.test_edge import Answer, Edge
from tests.service.varnish import HAS_KEYS, PROGRAM, serve_varnish

pytestmark = [
    pytest.mark.slow,
    pytest.mark.complete,
    pytest.mark.skipif(PROGRAM is None or not HAS_KEYS, reason="varnish and varnish-modules are not installed"),
]
PATIENCE = 30


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[Site]:
    with open_site(tmp_path_factory.mktemp("site"), request.config) as site:
        yield site


def is_hit(answer: Answer) -> bool:
    return answer.status == 200 and answer.headers["Edge-Hits"] != "0"


def test_pages_are_kept_until_they_are_purged(site: Site, tmp_path_factory: pytest.TempPathFactory) -> None:
    purged_at = choose_port()
    site.environment["EDGE_PURGE_URLS"] = f"http://127.0.0.1:{purged_at}/"
    site.start(worker=True)
    with serve_varnish(tmp_path_factory.mktemp("varnish"), site.address[1], purged_at) as port:
        edge = Edge(site, port)
        owner = Visitor(site.address)
        builder = Builder(owner)
        builder.look()
        builder.edit(do="rename", node="", text="Before")
        public_id = builder.address.split("/")[2]
        link = f"/r/{public_id}/"

        # The first answer is kept, without what only caches read; browsers still confirm theirs.
        wait_for(edge, link, b"Before", status=200)
        first = edge.get("/games/")
        assert not is_hit(first)
        assert is_hit(edge.get("/games/"))
        assert first.headers.keys().isdisjoint({"Surrogate-Key", "Surrogate-Control", "xkey", "Age"})
        assert first.headers["Cache-Control"] == "public, no-cache"
        again = edge.get("/games/", If_None_Match=first.headers["ETag"])
        assert (again.status, again.content) == (304, b"")

        # Choices are kept apart, and a reader with a session, a message or a token reaches the site.
        for choice in ({"Cookie": "theme=dark"}, {"Cookie": "language=fr"}, {"Accept_Language": "de"}):
            other = edge.get("/games/", **choice)
            assert not is_hit(other)
            assert other.content != first.content
            assert is_hit(edge.get("/games/", **choice))
        for known in ({"Cookie": "sessionid=x"}, {"Cookie": "a=b; messages=x"}, {"Authorization": "Bearer x"}):
            assert not any(is_hit(edge.get("/games/", **known)) for _ in range(2))
        assert not any(is_hit(edge.get("/accounts/login/")) for _ in range(2))

        # A change is shown at once, and a private list is gone; other pages stay.
        wait_for(edge, link, b"Before", status=200, hit=True)
        builder.edit(do="rename", node="", text="Afterwards")
        wait_for(edge, link, b"Afterwards", status=200)
        wait_for(edge, link, b"Afterwards", status=200, hit=True)
        owner.post(f"{builder.address}sharing/", {"do": "share", "visibility": "private"})
        wait_for(edge, link, b"", status=404)
        assert is_hit(edge.get("/games/"))

        # Readers cannot purge, an upgrade can.
        assert post(port, "pages") != 200
        assert is_hit(edge.get("/games/"))
        site.manage("purge_edge")
        assert not is_hit(edge.get("/games/"))


def wait_for(edge: Edge, path: str, content: bytes, *, status: int, hit: bool = False) -> None:
    """Wait for an answer, because purges of earlier acts may still arrive."""
    end = time.monotonic() + PATIENCE
    while (answer := edge.get(path)).status != status or content not in answer.content or hit > is_hit(answer):
        assert time.monotonic() < end, answer.status
        time.sleep(0.05)


def post(port: int, keys: str) -> int:
    connection = HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        connection.request("POST", "/", b"", {"Surrogate-Key": keys})
        return connection.getresponse().status
    finally:
        connection.close()
