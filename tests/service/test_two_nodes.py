"""Two web nodes over one database and one bucket: a visitor may be answered by either, and one may die.

nginx has the settings of docs/scale.md and sends requests to the nodes in turn.
"""

import re
import shutil
import threading
import time
from collections import Counter, deque
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPException, HTTPResponse
from pathlib import Path

import pytest
from django.urls import Resolver404, resolve

from tests.bench.builder_edit import Builder
from tests.bench.databases import ROOT
from tests.bench.serving import Visitor
from tests.service.nginx import PROGRAM
from tests.service.nodes import ANSWERED_BY, Proxy, kill_node, open_nodes, read_names, serve_proxy
from tests.service.object_storage import serve_bucket
from tests.service.site import DATABASE_URL, Site

pytest.importorskip("moto", reason="packages of .ci/requirements-dev.txt are missing")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.complete,
    pytest.mark.postgres,
    pytest.mark.skipif(PROGRAM is None, reason="nginx is not installed"),
    pytest.mark.skipif(not DATABASE_URL, reason="several machines need PostgreSQL"),
]

PAGES_OF_A_VIEW = 2
"""Pages of one view that are read at both nodes."""
LEAST_VIEWS = 40
LINK = re.compile(rb'(?:href|hx-get)="(/[^"#]*)')
ELSEWHERE = re.compile(r"/(static|accounts|admin|api/(docs|schema))\b|/look/|\.(pdf|png|zip|css|js)\b")
OF_A_MOMENT = re.compile(r"^/(rosters/backup/|events/[^/]+/export\.json)")
"""Downloads that contain their time, or that are recorded in the log that they contain."""
ONE_TIME = re.compile(rb'name="csrfmiddlewaretoken" value="[^"]*"|"X-CSRFToken": ?"[^"]*"|nonce="[^"]*"')
"""Parts of a page that differ each time it is read."""
WRITERS = 4
PATIENCE = 90
HANDED_OVER = 1
"""Seconds until the proxy's earlier process has passed its last request on."""
MIGRATION = """
from django.db import migrations, models

class Migration(migrations.Migration):
    dependencies = [("roster", "{before}")]
    operations = [migrations.AddField("roster", "novelty", models.CharField(max_length=9, db_default=""))]
"""
ORGANISER = """
import json
from datetime import timedelta
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from catalogue.models import GameSystem
from roster.events.services.events import change_event, create_event, set_status
ora, client = User.objects.create_user("ora"), Client()
client.force_login(ora)
event = create_event(ora, GameSystem.objects.get(slug="reeds-and-rust").current, "Muster")
change_event(event, ora, {"deadline": timezone.now() + timedelta(days=1)})
set_status(event, ora, "open")
print(json.dumps({"session": client.cookies["sessionid"].value, "event": f"/events/{event.public_id}/"}))
"""


class Cluster:
    def __init__(self, nodes: list[Site], front: Proxy) -> None:
        self.nodes, self.front, self.proxy = nodes, front, front.address

    def visit(self) -> Visitor:
        return Visitor(self.proxy)

    def ask_each(
        self, path: str, cookies: dict[str, str] | None = None, **headers: str
    ) -> list[tuple[HTTPResponse, bytes]]:
        """Return the answer of each node, without what differs each time."""
        answers = []
        for node in self.nodes:
            connection = HTTPConnection(*node.address, timeout=60)
            named = {name.replace("_", "-"): value for name, value in headers.items()}
            # A proxy passes on the host that the reader asked for, and pages contain it.
            named["Host"] = self.proxy[0]
            named["Cookie"] = "; ".join(f"{name}={value}" for name, value in (cookies or {}).items())
            try:
                connection.request("GET", path, headers=named)
                answer = connection.getresponse()
                answers.append((answer, ONE_TIME.sub(b"", answer.read())))
            finally:
                connection.close()
        return answers


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with serve_bucket() as bucket, open_nodes(tmp_path_factory.mktemp("nodes"), bucket) as nodes:
        for node in nodes:
            node.start()
        with serve_proxy(tmp_path_factory.mktemp("nginx"), nodes) as front:
            yield Cluster(nodes, front)


@pytest.fixture
def builder(cluster: Cluster) -> Builder:
    builder = Builder(cluster.visit())
    builder.look()
    builder.add_detachment()
    return builder


def get_link(builder: Builder) -> str:
    return f"/r/{builder.address.split('/')[2]}/"


def print_sheet(visitor: Visitor, path: str) -> bytes:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        status, pdf = visitor.get(path)
        if status == 200:
            return pdf
        time.sleep(1)
    raise AssertionError("The sheet was not printed.")


def test_a_visitor_is_answered_by_both_in_turn(cluster: Cluster) -> None:
    connection = HTTPConnection(*cluster.proxy, timeout=60)
    answered_by = Counter[str]()
    for _ in range(6):
        connection.request("GET", "/healthz")
        answer = connection.getresponse()
        answer.read()
        assert answer.status == 200
        answered_by[answer.headers[ANSWERED_BY]] += 1
    connection.close()
    assert answered_by == {f"127.0.0.1:{node.address[1]}": 3 for node in cluster.nodes}


def test_a_list_is_built_shared_and_printed_by_both_in_turn(cluster: Cluster, builder: Builder) -> None:
    names = [f"name {number}" for number in range(6)]
    for name in names:
        builder.edit(do="rename", node="", text=name)
    assert names[-1].encode() in builder.look()

    link = get_link(builder)
    (first, page), (second, other) = cluster.ask_each(link)
    assert (first.status, second.status) == (200, 200)
    assert page == other
    assert first.headers["ETag"] == second.headers["ETag"]
    # A reader's copy from one node is confirmed by the other.
    assert [answer.status for answer, _ in cluster.ask_each(link, If_None_Match=first.headers["ETag"])] == [304, 304]

    sheet = print_sheet(builder.visitor, f"{link}sheet.pdf")
    assert print_sheet(builder.visitor, f"{link}sheet.pdf") == sheet
    folders = [node.folder / "pdf" for node in cluster.nodes]
    assert [len(list(folder.rglob("*.pdf"))) for folder in folders] == [1, 1]
    assert [list(folder.glob("line.json")) for folder in folders] == [[], []]


def test_the_api_gives_one_tag_for_one_list(cluster: Cluster, builder: Builder) -> None:
    path = f"/api/v1/rosters/{builder.address.split('/')[2]}/"
    tags = [answer.headers["ETag"] for answer, _ in cluster.ask_each(path)]
    assert tags[0]
    assert tags[0] == tags[1]
    signed = [answer.headers["ETag"] for answer, _ in cluster.ask_each(path, builder.visitor.cookies)]
    assert signed[0] == signed[1]
    assert [answer.status for answer, _ in cluster.ask_each(path, If_None_Match=tags[0])] == [304, 304]


def test_every_page_is_the_same_at_both(cluster: Cluster) -> None:
    """Follow links from an organiser's pages, and read two pages of each view."""
    organiser = cluster.nodes[0].run_code(ORGANISER)
    assert isinstance(organiser, dict)
    visitor = cluster.visit()
    visitor.cookies["sessionid"] = organiser["session"]
    builder = Builder(visitor)
    builder.look()
    builder.add_detachment()
    waiting = deque(["/", builder.address, get_link(builder), organiser["event"], "/games/", "/docs/", "/rosters/"])
    seen, views, differing = set[str](), Counter[str](), []
    while waiting:
        path = waiting.popleft()
        view = name_view(path)
        if path in seen or views[view] == PAGES_OF_A_VIEW or ELSEWHERE.search(path) or OF_A_MOMENT.search(path):
            continue
        seen.add(path)
        views[view] += 1
        answers = cluster.ask_each(path, visitor.cookies)
        if not are_equal(answers):
            # Pages show ages, and a minute may end between two answers.
            answers = cluster.ask_each(path, visitor.cookies)
        if not are_equal(answers):
            differing.append(path)
        waiting.extend(link.decode().replace("&amp;", "&") for link in LINK.findall(answers[0][1]))
    assert differing == []
    assert len(views) >= LEAST_VIEWS, sorted(views)


def are_equal(answers: list[tuple[HTTPResponse, bytes]]) -> bool:
    (first, page), (second, other) = answers
    names = ("ETag", "Location", "Content-Type")
    headers = [[answer.headers[name] for name in names] for answer in (first, second)]
    return first.status == second.status and headers[0] == headers[1] and page == other


def name_view(path: str) -> str:
    try:
        return resolve(path.split("?")[0]).view_name
    except Resolver404:
        return "none"


class Writer(threading.Thread):
    """A user who renames a list until the end, and reloads the page if an answer is missing."""

    def __init__(self, cluster: Cluster, over: threading.Event) -> None:
        super().__init__(daemon=True)
        self.builder = Builder(cluster.visit())
        self.builder.look()
        self.public_id = self.builder.address.split("/")[2]
        self.over = over
        self.acknowledged: list[str] = []
        self.failures: list[tuple[float, float]] = []
        """When each failed request began and ended."""

    def run(self) -> None:
        while not self.over.is_set():
            name, begin = f"name {len(self.acknowledged) + len(self.failures) + 1}", time.monotonic()
            try:
                self.builder.edit(do="rename", node="", text=name)
            except (OSError, HTTPException, AssertionError):
                self.failures.append((begin, time.monotonic()))
                self.builder.look()
            else:
                self.acknowledged.append(name)


def test_a_node_dies_and_the_other_goes_on_without_a_lost_edit(cluster: Cluster) -> None:
    over = threading.Event()
    writers = [Writer(cluster, over) for _ in range(WRITERS)]
    for writer in writers:
        writer.start()
    wait_for_edits(writers, 3)
    crash = kill_node(cluster.nodes[0])
    wait_for_edits(writers, max(len(writer.acknowledged) for writer in writers) + 5)
    over.set()
    for writer in writers:
        writer.join(timeout=PATIENCE)
    assert not any(writer.is_alive() for writer in writers)
    names = read_names(cluster.nodes[1])
    # Tests that another process gives back come after this one, and want both nodes.
    cluster.nodes[0].start()
    wait_for_both(cluster)
    for writer in writers:
        assert [name for name in writer.acknowledged if names[writer.public_id].count(name) != 1] == []
        # Only requests in flight at that moment failed.
        assert [failure for failure in writer.failures if not crash.has_hit(*failure)] == []


def test_nodes_are_upgraded_one_after_the_other_while_people_edit(cluster: Cluster, tmp_path: Path) -> None:
    """As docs/scale.md says: each node is drained, replaced by the next version, and put back."""
    new = write_next_version(tmp_path)
    over = threading.Event()
    writers = [Writer(cluster, over) for _ in range(WRITERS)]
    for writer in writers:
        writer.start()
    wait_for_edits(writers, 2)
    for node in cluster.nodes:
        cluster.front.drain(node)
        time.sleep(HANDED_OVER)
        node.stop()
        node.code = new
        node.manage("migrate", "--verbosity=0")
        node.start()
        cluster.front.drain(None)
        # In the first round, both versions serve the same lists, and only the new one has its files.
        wait_for_edits(writers, max(len(writer.acknowledged) for writer in writers) + 5)
        assert {read_status(cluster, "/static/js/novelty.js") for _ in range(6)} == {200}
    over.set()
    for writer in writers:
        writer.join(timeout=PATIENCE)
    names = read_names(cluster.nodes[0])
    for writer in writers:
        assert writer.failures == []
        assert [name for name in writer.acknowledged if names[writer.public_id].count(name) != 1] == []
    assert [b"The next version" in page for _, page in cluster.ask_each("/")] == [True, True]


def write_next_version(folder: Path) -> Path:
    """Copy this version, with another migration, template and script."""
    new = folder / "next"
    for name in ("armybuilder", "catalogue", "roster", "templates", "static", "docs", "tests"):
        shutil.copytree(ROOT / name, new / name, ignore=shutil.ignore_patterns("node_modules"))
    for name in ("manage.py", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "README.md", "SECURITY.md"):
        shutil.copy2(ROOT / name, new / name)
    last = max(path.stem for path in (ROOT / "roster" / "migrations").glob("0*.py"))
    (new / "roster" / "migrations" / "9000_novelty.py").write_text(MIGRATION.format(before=last))
    (new / "static" / "js" / "novelty.js").write_text("// Only the next version has this.\n")
    base = new / "templates" / "base.html"
    base.write_text(base.read_text().replace("</footer>", "<p>The next version</p></footer>"))
    return new


def read_status(cluster: Cluster, path: str) -> int:
    return cluster.visit().get(path)[0]


def wait_for_both(cluster: Cluster) -> None:
    """Wait until nginx, which leaves a dead node out for ten seconds, asks both nodes again."""
    end = time.monotonic() + PATIENCE
    answered_by: set[str] = set()
    while len(answered_by) < 2 and time.monotonic() < end:
        time.sleep(0.5)
        connection = HTTPConnection(*cluster.proxy, timeout=60)
        for _ in range(4):
            connection.request("GET", "/healthz")
            answer = connection.getresponse()
            answer.read()
            node = answer.headers[ANSWERED_BY]
            # A request that one node refused names both.
            if answer.status == 200 and "," not in node:
                answered_by.add(node)
        connection.close()
    assert len(answered_by) == 2


def wait_for_edits(writers: list[Writer], number: int) -> None:
    end = time.monotonic() + PATIENCE
    while min(len(writer.acknowledged) for writer in writers) < number and time.monotonic() < end:
        time.sleep(0.1)
    assert min(len(writer.acknowledged) for writer in writers) >= number
