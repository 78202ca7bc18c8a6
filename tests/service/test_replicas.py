"""A site over a primary and a replica of PostgreSQL: who reads where, and what happens if one lags or dies.

The servers are Debian's, on ports of one machine, and gunicorn serves the site. Each test takes some seconds.
"""

import re
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.client import HTTPException
from typing import Any

import pytest
from django.db import OperationalError
from django.http import HttpResponse
from django.test import RequestFactory
from django.urls import URLResolver, get_resolver

from armybuilder import replicas
from armybuilder.replicas import READING, may_read_from_replica, read_position
from catalogue.views.responses import note_storage_failure
from roster.models import Roster
from tests.bench.builder_edit import Builder
from tests.bench.serving import Visitor
from tests.service.postgres_servers import (
    Server,
    find_pgbouncer,
    find_programs,
    serve_pgbouncer,
    serve_primary_and_replica,
)
from tests.service.site import Site

needs_servers = [
    pytest.mark.slow,
    pytest.mark.complete,
    pytest.mark.skipif(find_programs() is None, reason="PostgreSQL is not installed"),
]
LAG = 2
LONGEST_FAILOVER = 30
"""Seconds from the death of the primary to the first stored edit."""
TITLE = re.compile(rb"<h1[^>]*>(.*?)</h1>", re.DOTALL)

COUNT = """
import json
from collections import Counter
from contextlib import ExitStack, contextmanager
from django.db import connections
from django.test import Client
asked = Counter()
def count(alias):
    def note(execute, sql, params, many, context):
        asked[alias] += "pg_" not in sql
        return execute(sql, params, many, context)
    return note
client = Client(SERVER_NAME="127.0.0.1")
# The first request finds out how far the replica is.
client.get("/games/")
with ExitStack() as stack:
    for alias in connections:
        stack.enter_context(connections[alias].execute_wrapper(count(alias)))
    statuses = [client.get(path).status_code for path in %r for _ in range(6)]
print(json.dumps({"asked": asked, "statuses": statuses}))
"""


class Cluster:
    def __init__(self, primary: Server, replica: Server, site: Site) -> None:
        self.primary, self.replica, self.site = primary, replica, site


@contextmanager
def open_cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with ExitStack() as stack:
        primary, replica = stack.enter_context(serve_primary_and_replica())
        # Both servers, and whichever accepts writes: after a failover no setting changes.
        hosts = f"host=127.0.0.1,127.0.0.1&port={primary.port},{replica.port}&target_session_attrs=read-write"
        site = Site(tmp_path_factory.mktemp("site"), f"postgres://postgres@/postgres?{hosts}&connect_timeout=2")
        site.environment |= {"REPLICA_URLS": replica.url, "REPLICA_LAG_SECONDS": str(LAG)}
        site.prepare()
        replica.wait_for(primary)
        stack.callback(site.kill)
        site.start()
        yield Cluster(primary, replica, site)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with open_cluster(tmp_path_factory) as opened:
        yield opened


@pytest.fixture
def doomed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A cluster for one test, which ends its primary."""
    with open_cluster(tmp_path_factory) as opened:
        yield opened


def build(cluster: Cluster) -> Builder:
    builder = Builder(cluster.site.visit())
    builder.look()
    return builder


@pytest.fixture
def builder(cluster: Cluster) -> Builder:
    return build(cluster)


def rename(builder: Builder, name: str) -> None:
    builder.edit(do="rename", node="", text=name)


def read_link(visitor: Visitor, builder: Builder) -> bytes:
    status, page = visitor.get(f"/r/{builder.address.split('/')[2]}/")
    assert status == 200
    return page


# ---- which requests ----------------------------------------------------------------------------------------------


def list_view_names(resolver: Any) -> set[str]:
    names = set()
    for pattern in resolver.url_patterns:
        if isinstance(pattern, URLResolver):
            names |= {
                f"{pattern.app_name}:{name}" if pattern.app_name and ":" not in name else name
                for name in list_view_names(pattern)
            }
        elif pattern.name:
            names.add(pattern.name)
    return names


def test_every_view_that_reads_exists() -> None:
    assert READING - list_view_names(get_resolver()) == set()


@pytest.mark.parametrize(
    ("method", "path", "headers", "may"),
    [
        ("get", "/games/", {}, True),
        ("head", "/games/", {}, True),
        ("get", "/search/", {}, True),
        ("get", "/lists/", {}, True),
        ("get", "/api/v1/games/", {}, True),
        ("get", "/api/v1/games/", {"authorization": "Bearer x"}, False),
        ("post", "/games/", {}, False),
        ("get", "/rosters/", {}, False),
        ("get", "/accounts/login/", {}, False),
        ("get", "/no/such/page", {}, False),
    ],
)
def test_only_what_reads_may_read_from_a_replica(method: str, path: str, headers: dict[str, str], may: bool) -> None:
    request = getattr(RequestFactory(), method)(path, headers=headers)
    assert may_read_from_replica(request) is may


@pytest.mark.parametrize("text", ["", "0", "1/", "/1", "1/G", "123456789/0", "1/0 ", "1/0;2", "٠/٠", "x" * 5000])
def test_a_forged_position_counts_as_none(text: str) -> None:
    assert read_position(text) == 0


def test_positions_are_ordered_as_the_primary_writes_them() -> None:
    positions = ["0/0", "0/1", "0/FFFFFFFF", "1/0", "1/A", "A/0", "10/0"]
    numbers = [read_position(position) for position in positions]
    assert numbers == sorted(set(numbers))


def test_a_replica_need_not_have_what_the_primary_wrote_as_it_died(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, answers = [100.0], ["0/1", "0/2", "0/3"]

    def ask(alias: str, question: str) -> str:
        if not answers:
            raise OperationalError("The server is gone.")
        return answers.pop(0)

    monkeypatch.setattr(replicas, "_ask", ask)
    monkeypatch.setattr(replicas.time, "monotonic", lambda: clock[0])
    log = replicas.PrimaryLog()
    allowed = []
    for seconds in (0, 6, 3, 60, 60):
        clock[0] += seconds
        allowed.append(log.find_oldest_allowed())
    # The second answer came so long after the first that a replica which stopped between them lags too much. The third
    # came soon after the second.
    assert allowed == [1, 2, 2, 2, 2]


def test_a_request_that_lacks_only_stored_files_is_not_repeated_on_the_primary(
    monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    read_from: list[str] = []

    def answer_without(lacking: HttpResponse) -> HttpResponse:
        middleware = replicas.ReplicaMiddleware(lambda request: read_from.append(find_alias()) or lacking)
        return middleware(RequestFactory().get("/games/"))

    def find_alias() -> str:
        return replicas.ReplicaRouter().db_for_read(Roster)

    monkeypatch.setattr(replicas, "_ask", lambda alias, question: "0/1")
    monkeypatch.setattr(replicas.Replica, "look_again", lambda replica: None)
    monkeypatch.setitem(settings.DATABASES, "replica1", {})
    assert answer_without(note_storage_failure(HttpResponse(status=503))).status_code == 503
    assert read_from == ["replica1"]
    assert answer_without(HttpResponse(status=503)).status_code == 503
    assert read_from == ["replica1", "replica1", "default"]


# ---- on servers --------------------------------------------------------------------------------------------------


class TestCluster:
    pytestmark = needs_servers

    def test_a_replica_answers_most_queries_of_readers(self, cluster: Cluster, builder: Builder) -> None:
        link = f"/r/{builder.address.split('/')[2]}/"
        cluster.replica.wait_for(cluster.primary)
        paths = ["/games/", "/lists/", "/search/?q=reed", link, f"{link}text/", "/missions/", "/api/v1/games/"]
        counted: Any = cluster.site.run_code(COUNT % paths)
        assert set(counted["statuses"]) == {200}
        share = counted["asked"]["replica1"] / sum(counted["asked"].values())
        assert share >= 0.8, counted

    def test_who_has_written_reads_it_at_once_while_others_may_wait(self, cluster: Cluster, builder: Builder) -> None:
        stranger = cluster.site.visit()
        rename(builder, "Before")
        cluster.replica.wait_for(cluster.primary)
        cluster.replica.ask("SELECT pg_wal_replay_pause()")
        try:
            assert b"Before" in read_link(stranger, builder)
            rename(builder, "Afterwards")
            assert b"Afterwards" in read_link(builder.visitor, builder)
            # Nobody waits longer than the longest lag that is allowed.
            end = time.monotonic() + LAG + 8
            while b"Afterwards" not in read_link(stranger, builder):
                assert time.monotonic() < end
                time.sleep(0.2)
        finally:
            cluster.replica.ask("SELECT pg_wal_replay_resume()")
        cluster.replica.wait_for(cluster.primary)
        assert b"Afterwards" in read_link(cluster.site.visit(), builder)

    @pytest.mark.skipif(find_pgbouncer() is None, reason="pgbouncer is not installed")
    def test_a_pool_of_transactions_serves_as_well(self, cluster: Cluster, tmp_path_factory: Any) -> None:
        with serve_pgbouncer(cluster.primary) as address:
            site = Site(tmp_path_factory.mktemp("pooled"), address)
            site.environment |= {"DATABASE_POOLED": "1"}
            try:
                site.start()
                builders = [Builder(site.visit()) for _ in range(6)]
                for builder in builders:
                    builder.look()
                    for number in range(3):
                        rename(builder, f"Pooled {number}")
                assert all(b"Pooled 2" in read_link(builder.visitor, builder) for builder in builders)
                # Reads row by row, which with cursors of the server would fail between two transactions.
                site.manage("dump_lists")
            finally:
                site.kill()

    def test_a_dead_replica_is_left_out_and_taken_back(self, cluster: Cluster, builder: Builder) -> None:
        stranger = cluster.site.visit()
        read_link(stranger, builder)
        cluster.replica.kill()
        try:
            for number in range(5):
                rename(builder, f"Alone {number}")
                assert f"Alone {number}".encode() in read_link(stranger, builder)
                assert stranger.get("/games/")[0] == 200
        finally:
            cluster.replica.start()
        cluster.replica.wait_for(cluster.primary)

    def test_after_a_failover_edits_go_on_and_none_is_lost(self, doomed: Cluster) -> None:
        builder, other = build(doomed), build(doomed)
        stranger = doomed.site.visit()
        for edited in (builder, other):
            rename(edited, "Before the failure")
        doomed.replica.wait_for(doomed.primary)
        began = time.monotonic()
        doomed.primary.kill()
        # Sessions are gone with the primary, but readers without one notice nothing.
        assert builder.visitor.get(f"/r/{builder.address.split('/')[2]}/")[0] == 503
        assert b"Before the failure" in read_link(stranger, builder)
        assert stranger.get("/games/")[0] == 200
        doomed.replica.promote()
        end = began + LONGEST_FAILOVER
        while True:
            try:
                builder.look()
                rename(builder, "After the failure")
                break
            except (AssertionError, AttributeError, OSError, HTTPException):
                assert time.monotonic() < end, "no edit was stored in time"
                time.sleep(0.5)
        assert b"After the failure" in read_link(builder.visitor, builder)
        assert b"After the failure" in read_link(doomed.site.visit(), builder)
        assert b"Before the failure" in read_link(doomed.site.visit(), other)
