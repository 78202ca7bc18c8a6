"""nginx in front of a site keeps public pages for some seconds, and never a page that is for one reader.

The settings are those of docs/scale.md and docs/deploy/edge.conf.
"""

import time
from collections.abc import Iterator
from http.client import HTTPConnection
from typing import NamedTuple

import pytest

from tests.bench.builder_edit import Builder
from tests.bench.databases import ROOT
from tests.bench.serving import Visitor
from tests.service.nginx import PROGRAM, read_block, serve_nginx
from tests.service.postgres_servers import choose_port
from tests.service.site import Site, open_site

pytestmark = [
    pytest.mark.slow,
    pytest.mark.complete,
    pytest.mark.skipif(PROGRAM is None, reason="nginx is not installed"),
]
EDGE_SECONDS = 2
PATIENCE = 30
SERVER = """
{zone}
server {{
    listen 127.0.0.1:{port};
    proxy_set_header Host $host;
    location / {{
        proxy_pass http://127.0.0.1:{behind};
        {location}
        add_header Edge $upstream_cache_status always;
    }}
}}
"""


class Answer(NamedTuple):
    status: int
    edge: str
    content: bytes
    headers: dict[str, str]


class Edge:
    def __init__(self, site: Site, port: int) -> None:
        self.site, self.port = site, port

    def get(self, path: str, **headers: str) -> Answer:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request("GET", path, headers={name.replace("_", "-"): value for name, value in headers.items()})
            answer = connection.getresponse()
            return Answer(answer.status, answer.headers.get("Edge", ""), answer.read(), dict(answer.headers))
        finally:
            connection.close()


@pytest.fixture(scope="module")
def edge(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[Edge]:
    folder, port = tmp_path_factory.mktemp("nginx"), choose_port()
    with open_site(tmp_path_factory.mktemp("site"), request.config) as site:
        site.environment["EDGE_SECONDS"] = str(EDGE_SECONDS)
        site.start()
        zone = (ROOT / "docs/deploy/edge.conf").read_text().replace("/var/cache/nginx/edge", f"{folder}/edge")
        location = read_block("proxy_cache edge;")
        with serve_nginx(folder, SERVER.format(port=port, behind=site.address[1], zone=zone, location=location)):
            yield Edge(site, port)


def test_readers_of_a_public_page_ask_the_site_once(edge: Edge) -> None:
    answers = [edge.get("/games/") for _ in range(10)]
    assert [answer.edge for answer in answers] == ["MISS", *["HIT"] * 9]
    assert {answer.content for answer in answers} == {answers[0].content}
    # Browsers and caches elsewhere still ask each time, and get no copy again.
    assert answers[-1].headers["Cache-Control"] == "public, no-cache"
    assert "X-Accel-Expires" not in answers[-1].headers
    again = edge.get("/games/", If_None_Match=answers[-1].headers["ETag"])
    assert (again.status, again.content) == (304, b"")


def test_languages_themes_and_encodings_are_kept_apart(edge: Edge) -> None:
    plain = edge.get("/games/?page=apart")
    different = [
        edge.get("/games/?page=apart", Accept_Language="de"),
        edge.get("/games/?page=apart", Cookie="language=fr"),
        edge.get("/games/?page=apart", Cookie="theme=dark"),
        edge.get("/games/?page=apart", Accept_Encoding="gzip"),
    ]
    assert [answer.edge for answer in different] == ["MISS"] * 4
    assert plain.content not in [answer.content for answer in different]
    assert edge.get("/games/?page=apart", Accept_Language="de").content == different[0].content
    assert edge.get("/games/?page=apart").content == plain.content


def test_readers_with_a_session_a_message_or_a_token_reach_the_site(edge: Edge) -> None:
    path = "/games/?page=own"
    edge.get(path)
    assert edge.get(path).edge == "HIT"
    asked = [
        edge.get(path, Cookie="sessionid=x"),
        edge.get(path, Cookie="messages=x"),
        edge.get(path, Authorization="Bearer x"),
        edge.get(path, HX_Request="true"),
    ]
    assert [answer.edge for answer in asked] == ["BYPASS"] * 4
    # What they got is kept for nobody.
    assert edge.get("/games/?page=never", Cookie="sessionid=x").edge == "BYPASS"
    assert edge.get("/games/?page=never").edge == "MISS"


@pytest.mark.parametrize("path", ["/rosters/", "/accounts/login/", "/healthz", "/no/such/page", "/rosters/new/"])
def test_other_pages_are_never_kept(edge: Edge, path: str) -> None:
    assert [edge.get(path).edge for _ in range(2)] == ["MISS", "MISS"]


def test_a_change_shows_after_the_seconds_of_the_setting(edge: Edge) -> None:
    owner = Visitor(edge.site.address)
    builder = Builder(owner)
    builder.look()
    link = f"/r/{builder.address.split('/')[2]}/"
    builder.edit(do="rename", node="", text="Before")
    assert b"Before" in edge.get(link).content
    builder.edit(do="rename", node="", text="Afterwards")
    end = time.monotonic() + PATIENCE
    while b"Afterwards" not in (answer := edge.get(link)).content:
        assert time.monotonic() < end
        time.sleep(0.1)
    assert answer.status == 200
