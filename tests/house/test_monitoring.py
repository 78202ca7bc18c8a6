"""Monitoring: `/healthz`, `/readyz`, and a log whose lines name their request."""

import io
import json
import logging
import logging.config
import os
import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as configured
from django.contrib.auth.models import User
from django.db import OperationalError
from django.test import Client, RequestFactory
from django.utils import timezone
from django.utils.log import AdminEmailHandler
from django.utils.module_loading import import_string
from django_tasks_db.models import DBTaskResult

from armybuilder import monitoring
from catalogue.models import Job

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]


def test_a_process_says_that_it_is_there_whatever_name_it_is_asked_by(settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["lists.example.org"]
    settings.SECURE_SSL_REDIRECT = True
    answer = Client().get("/healthz", headers={"host": "10.0.0.7"})
    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})
    assert not answer.cookies


def test_proxies_send_nothing_to_a_drained_node(settings: Any, tmp_path: Path) -> None:
    settings.DRAINED = tmp_path / "drained"
    settings.DRAINED.touch()
    answer = Client().get("/healthz")
    assert (answer.status_code, answer.json()) == (503, {"status": "drained"})
    assert Client().get("/").status_code == 200, "what comes is answered"
    settings.DRAINED.unlink()
    assert Client().get("/healthz").status_code == 200


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


SCRAPER = {"Authorization": "Bearer eels"}


@pytest.mark.parametrize("token", ["", "eels"])
@pytest.mark.parametrize("headers", [{}, {"Authorization": "Bearer "}, {"Authorization": "Bearer wrong"}])
def test_metrics_are_not_for_strangers(settings: Any, token: str, headers: dict[str, str]) -> None:
    settings.METRICS_TOKEN = token
    assert Client().get("/metrics", headers=headers).status_code == 404


def test_metrics_count_answers_by_view_and_jobs_by_state(settings: Any) -> None:
    settings.METRICS_TOKEN = "eels"
    Job.objects.create(user=User.objects.create_user("ann"), kind="import", name="x")
    Client().get("/credits/")
    Client().generic("BREW", "/nowhere-at-all")
    lines = Client().get("/metrics", headers=SCRAPER).content.decode().splitlines()
    assert 'armybuilder_jobs{state="waiting"} 1.0' in lines
    answers = [line for line in lines if line.startswith("armybuilder_answer_seconds_count")]
    assert any('view="credits"' in line and 'status="200"' in line for line in answers)
    assert any('view="none"' in line and 'method="other"' in line for line in answers)
    assert "nowhere" not in str(answers)


def test_metrics_say_how_much_waits_in_each_queue_and_how_long(settings: Any) -> None:
    settings.METRICS_TOKEN = "eels"
    for path in ("catalogue.services.jobs.run_job", "roster.services.webhooks.deliver"):
        import_string(path).using(backend="database", queue_name="prints").enqueue(7)
    # Due in an hour, so nobody waits for it.
    later = timezone.now() + timedelta(hours=1)
    import_string(path).using(backend="database", run_after=later).enqueue(7)
    DBTaskResult.objects.filter(queue_name="prints").update(enqueued_at=timezone.now() - timedelta(minutes=2))
    lines = Client().get("/metrics", headers=SCRAPER).content.decode().splitlines()
    for queue, number in (("prints", 2), ("default", 0), ("letters", 0)):
        assert f'armybuilder_tasks_waiting{{queue="{queue}"}} {number}.0' in lines
    ages = dict(line.rsplit(" ", 1) for line in lines if line.startswith("armybuilder_oldest_task_seconds"))
    assert 120 <= float(ages['armybuilder_oldest_task_seconds{queue="prints"}']) < 600
    assert float(ages['armybuilder_oldest_task_seconds{queue="default"}']) == 0


def test_metrics_are_there_without_a_database(settings: Any, monkeypatch: Any) -> None:
    def fail(*_: Any) -> None:
        raise OperationalError("gone")

    settings.METRICS_TOKEN = "eels"
    monkeypatch.setattr(Job.objects, "order_by", fail)
    answer = Client().get("/metrics", headers=SCRAPER)
    assert answer.status_code == 200
    assert b"armybuilder_jobs" not in answer.content


PROCESSES = """
import os, sys
import django
django.setup()
from armybuilder.monitoring import ANSWERS, write_metrics
for number in range(2):
    if child := os.fork():
        os.waitpid(child, 0)
    else:
        ANSWERS.labels("credits", "GET", 200).observe(0.1)
        os._exit(0)
sys.stdout.write(write_metrics().decode())
"""


def test_metrics_are_of_all_processes(tmp_path: Path) -> None:
    environment = {
        "PATH": os.environ["PATH"],
        "DJANGO_SETTINGS_MODULE": "armybuilder.settings.local",
        "ARMYBUILDER_VAR": str(tmp_path),
        "METRICS_TOKEN": "eels",
    }
    run = [sys.executable, "-c", PROCESSES]
    written = subprocess.run(run, env=environment, capture_output=True, text=True, check=True).stdout
    assert 'armybuilder_answer_seconds_count{method="GET",status="200",view="credits"} 2.0' in written


def test_counts_of_ended_processes_go_when_the_server_starts(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setenv("PROMETHEUS_MULTIPROC_DIR", str(tmp_path))
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    for process in (ended.pid, os.getppid(), os.getpid()):
        (tmp_path / f"histogram_{process}.db").touch()
    (tmp_path / "another.db").touch()
    monitoring.forget_ended_processes()
    assert {file.name for file in tmp_path.iterdir()} == {f"histogram_{os.getppid()}.db", "another.db"}


def test_without_metrics_nothing_is_forgotten(monkeypatch: Any) -> None:
    monkeypatch.delenv("PROMETHEUS_MULTIPROC_DIR", raising=False)
    monitoring.forget_ended_processes()


def test_no_mail_about_strangers_mistakes(settings: Any, mailoutbox: Any, monkeypatch: Any) -> None:
    settings.ADMINS = [("ops", "ops@example.org")]
    monkeypatch.setattr(monitoring.SeldomFilter, "_last", -monitoring.MAIL_PAUSE)
    assert Client().get("/", headers={"host": "elsewhere.example"}).status_code == 400
    assert Client(enforce_csrf_checks=True).post("/accounts/login/", {"login": "x"}).status_code == 403
    assert mailoutbox == []


def test_whoever_runs_the_site_is_told_of_a_failure_once_and_not_of_what_was_typed(
    settings: Any, mailoutbox: Any, monkeypatch: Any
) -> None:
    settings.ADMINS = [("ops", "ops@example.org")]
    handler = AdminEmailHandler(reporter_class="armybuilder.monitoring.DiscreetReporter")
    handler.addFilter(monitoring.SeldomFilter())
    log = logging.getLogger("django.request")
    # The configured handler writes to the same mailbox, unless it wrote recently.
    monkeypatch.setattr(log, "propagate", False)
    log.addHandler(handler)
    try:
        for _ in range(3):
            request = RequestFactory().post("/rosters/new/", {"name": "only mine"})
            log.error("Failed: %s", request.path, extra={"status_code": 500, "request": request})
    finally:
        log.removeHandler(handler)
    assert [message.to for message in mailoutbox] == [["ops@example.org"]]
    assert "/rosters/new/" in mailoutbox[0].body
    assert "only mine" not in mailoutbox[0].body
