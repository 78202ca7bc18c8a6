"""Without Redis each process counts for itself, and requests go on; afterwards Redis counts again."""

import socket
import time
from pathlib import Path
from typing import Any

import pytest
from django.core.cache.backends.locmem import LocMemCache
from django.test import Client

from armybuilder import middleware, outage, rate_limits, redis_cache
from armybuilder.outage import Outage
from armybuilder.rate_limits import count_in_window
from armybuilder.redis_cache import FallbackRedisCache
from tests.service.redis_server import PROGRAM, serve_redis

EXPORT = "/play/games.csv"


@pytest.fixture(autouse=True)
def forget_outages(monkeypatch: Any) -> None:
    monkeypatch.setattr(redis_cache, "outage", Outage("Redis"))


def choose_closed_port() -> int:
    """Return a port at which nothing listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@pytest.fixture
def port(settings: Any) -> int:
    """A port without Redis, which the site's cache names."""
    port = choose_closed_port()
    address = f"redis://127.0.0.1:{port}/1"
    settings.CACHES = {"default": {"BACKEND": "armybuilder.redis_cache.FallbackRedisCache", "LOCATION": address}}
    LocMemCache(redis_cache.OWN, {}).clear()
    return port


@pytest.mark.django_db
def test_requests_are_counted_without_redis(port: int, settings: Any, monkeypatch: Any, caplog: Any) -> None:
    monkeypatch.setattr(middleware, "processor_time", rate_limits.ProcessorTime())
    settings.ARMYBUILDER = {**settings.ARMYBUILDER, "RATES": {"export": (2, 60)}}
    monkeypatch.setattr(rate_limits.time, "time", lambda: 6_000_010.0)
    answers = [Client().get(EXPORT, REMOTE_ADDR="192.0.2.1").status_code for _ in range(3)]
    assert answers == [200, 200, 429]
    assert Client().get("/readyz").status_code == 200
    wrong = Client().post("/accounts/login/", {"login": "ann@example.org", "password": "wrong"})
    assert wrong.status_code == 200
    # The first question, in the fixture, is answered like the others.
    records = [*caplog.get_records("setup"), *caplog.records]
    assert [record.levelname for record in records if "Redis does not answer" in record.message] == ["WARNING"]


def test_redis_is_asked_seldom_while_it_is_away_and_counts_again_when_it_is_back(
    port: int, monkeypatch: Any, caplog: Any
) -> None:
    opened = FallbackRedisCache(f"redis://127.0.0.1:{port}/1", {})
    assert opened.add("minute", 1)
    assert [opened.incr("minute") for _ in range(2)] == [2, 3]
    # A dictionary in the place of a server that has come back.
    opened._redis = LocMemCache("a-server", {})
    opened._redis.set("minute", 40)
    assert opened.incr("minute") == 4, "it is not asked yet"
    later = time.monotonic() + outage.AWAY_SECONDS
    monkeypatch.setattr(outage.time, "monotonic", lambda: later)
    assert [opened.incr("minute") for _ in range(2)] == [41, 42]
    assert "Redis answers again." in caplog.messages


@pytest.mark.skipif(PROGRAM is None, reason="neither redis-server nor valkey-server is installed")
def test_a_server_that_ends_and_returns_costs_nobody_a_request(port: int, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(outage, "AWAY_SECONDS", 0.0)
    first = serve_redis(port, tmp_path)
    assert [count_in_window("exports", 60) for _ in range(3)] == [1, 2, 3]
    first.kill()
    first.wait()
    assert [count_in_window("exports", 60) for _ in range(3)] == [1, 2, 3]
    second = serve_redis(port, tmp_path)
    try:
        assert [count_in_window("exports", 60) for _ in range(2)] == [1, 2], "a server without a disk begins anew"
    finally:
        second.kill()
        second.wait()
