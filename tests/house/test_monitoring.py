"""What whoever runs the site sees: `/healthz`, `/readyz`, and a log in which each line names its request."""

import io
import json
import logging
import logging.config
from typing import Any

import pytest
from django.conf import settings as configured
from django.db import OperationalError
from django.test import Client

from armybuilder import monitoring

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]


def test_a_process_says_that_it_is_there_whatever_name_it_is_asked_by(settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["lists.example.org"]
    settings.SECURE_SSL_REDIRECT = True
    answer = Client().get("/healthz", headers={"host": "10.0.0.7"})
    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})
    assert not answer.cookies


def test_ready_where_everything_is_there() -> None:
    answer = Client().get("/readyz")
    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})


def test_not_ready_while_migrations_wait(monkeypatch: Any) -> None:
    monkeypatch.setattr(monitoring.MigrationExecutor, "migration_plan", lambda *_: [object(), object()])
    answer = Client().get("/readyz")
    assert (answer.status_code, answer.json()["migrations"]) == (503, "2 wait: run `manage.py migrate`")


def test_not_ready_without_a_database(monkeypatch: Any) -> None:
    def fail(*_: Any) -> None:
        raise OperationalError("gone")

    monkeypatch.setattr(monitoring, "MigrationExecutor", fail)
    answer = Client().get("/readyz")
    assert (answer.status_code, answer.json()["database"]) == (503, "cannot be reached")
    assert Client().get("/healthz").status_code == 200


def test_not_ready_without_a_table_for_the_cache(monkeypatch: Any) -> None:
    def fail(*_: Any) -> None:
        raise OperationalError("no such table")

    monkeypatch.setattr(monitoring.cache, "set", fail)
    assert Client().get("/readyz").json()["cache"].startswith("has no table")


@pytest.mark.parametrize("given", ["0af7651916cd43dd", "a" * 64])
def test_the_id_of_the_proxy_is_kept(given: str) -> None:
    assert Client().get("/robots.txt", headers={"X-Request-ID": given})["X-Request-ID"] == given


@pytest.mark.parametrize("given", ["", "short", "a" * 65, "eels\x1b[31m and reeds", "<script>"])
def test_an_id_that_is_none_is_replaced(given: str) -> None:
    answered = Client().get("/robots.txt", headers={"X-Request-ID": given})["X-Request-ID"]
    assert answered != given
    assert len(answered) == 32


def test_a_line_of_the_log_names_request_and_answer_without_the_query() -> None:
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.addFilter(monitoring.RequestIdFilter())
    form = configured.LOGGING["formatters"]["json"]
    configurator = logging.config.DictConfigurator({"version": 1})
    handler.setFormatter(configurator.configure_formatter(dict(form)))
    log = logging.getLogger("armybuilder.requests")
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    try:
        Client().get("/robots.txt?q=secret", headers={"X-Request-ID": "0af7651916cd43dd"})
    finally:
        log.removeHandler(handler)
        log.setLevel(logging.NOTSET)
    line = json.loads(stream.getvalue())
    expected = {"request_id": "0af7651916cd43dd", "method": "GET", "path": "/robots.txt", "status": 200}
    assert expected.items() <= line.items()
    assert "secret" not in stream.getvalue()


def test_pages_ask_for_nothing_of_the_device() -> None:
    assert "camera=()" in Client().get("/robots.txt")["Permissions-Policy"]
