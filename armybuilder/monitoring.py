import logging
import os
import time
from collections.abc import Iterator
from contextvars import ContextVar
from pathlib import Path
from typing import Any

from django.apps import apps
from django.conf import settings
from django.core.cache import cache
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.db.models import Case, Count, Min, When
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.views.debug import ExceptionReporter, SafeExceptionReporterFilter
from prometheus_client import REGISTRY, CollectorRegistry, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector

NO_REQUEST = "-"
REQUEST_ID: ContextVar[str] = ContextVar("request_id", default=NO_REQUEST)

METHODS = frozenset({"DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"})
ANSWERS = Histogram(
    "armybuilder_answer_seconds",
    "Seconds until the answer, by view, method and status: 429 too many requests, 503 judge, printer or database busy.",
    ("view", "method", "status"),
    buckets=(0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30),
)
MAIL_PAUSE = 300.0
"""In seconds. The log has all errors."""


class RequestIdFilter(logging.Filter):
    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id = REQUEST_ID.get()
        return True


def find_what_is_missing() -> dict[str, str]:
    """Return what keeps the site from serving, by component."""
    try:
        executor = MigrationExecutor(connection)
        waiting = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except DatabaseError:
        return {"database": "cannot be reached"}
    if waiting:
        return {"migrations": f"{len(waiting)} wait: run `manage.py migrate`"}
    try:
        cache.set("readyz", "ok", 10)
    except DatabaseError:
        return {"cache": "has no table: run `manage.py createcachetable`"}
    return {}


class SeldomFilter(logging.Filter):
    """Let one record through per pause, so that a mailbox does not overflow."""

    # `monotonic` may start near 0, so this lets the first error through.
    _last = -MAIL_PAUSE

    def filter(self, record: logging.LogRecord) -> bool:
        now = time.monotonic()
        if now - self._last < MAIL_PAUSE:
            return False
        self._last = now
        return True


class DiscreetFilter(SafeExceptionReporterFilter):
    def get_post_parameters(self, request: HttpRequest | None) -> dict[str, Any]:
        return {}


class DiscreetReporter(ExceptionReporter):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.filter = DiscreetFilter()


def count_answer(request: HttpRequest, response: HttpResponseBase, seconds: float) -> None:
    view = request.resolver_match.view_name if request.resolver_match else "none"
    method = request.method if request.method in METHODS else "other"
    ANSWERS.labels(view, method, response.status_code).observe(seconds)


class JobCollector:
    """The number of jobs in each state, counted when the metric is read."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        jobs = GaugeMetricFamily("armybuilder_jobs", "Background work: prints, imports, impacts.", labels=["state"])
        try:
            for state, number in (
                apps.get_model("catalogue", "Job").objects.order_by().values_list("state").annotate(Count("pk"))
            ):
                jobs.add_metric([state], number)
        # Without the database, still report the responses: they show its effect on pages.
        except DatabaseError:
            return
        yield jobs


class BacklogCollector:
    """Waiting tasks by queue, and how long the first of each has waited."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        tasks = GaugeMetricFamily("armybuilder_tasks_waiting", "Tasks that wait for a worker.", labels=["queue"])
        ages = GaugeMetricFamily(
            "armybuilder_oldest_task_seconds", "How long the first task has waited for a worker.", labels=["queue"]
        )
        now = timezone.now()
        # A task without a time of its own is due far in the future.
        since = Case(When(run_after__gt=now, then="enqueued_at"), default="run_after")
        ready = apps.get_model("django_tasks_database", "DBTaskResult").objects.ready().order_by()
        counted = ready.values("queue_name").annotate(number=Count("pk"), first=Min(since))
        try:
            waiting = {row["queue_name"]: (row["number"], (now - row["first"]).total_seconds()) for row in counted}
        except DatabaseError:
            return
        for queue in sorted({*settings.TASKS["default"]["QUEUES"], *waiting}):
            number, seconds = waiting.get(queue, (0, 0.0))
            tasks.add_metric([queue], number)
            ages.add_metric([queue], max(0.0, seconds))
        yield tasks
        yield ages


def forget_ended_processes() -> None:
    """Delete the metrics files of ended processes, which would slow every reading."""
    folder = os.environ.get("PROMETHEUS_MULTIPROC_DIR")
    for file in Path(folder).glob("*.db") if folder else ():
        process = file.stem.rpartition("_")[2]
        if process.isdecimal() and not _is_running(int(process)):
            file.unlink(missing_ok=True)


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # another account's, but running
        return True
    # Left from an earlier process with the same number.
    return process != os.getpid()


def write_metrics() -> bytes:
    """Return the metrics of all processes, if they count into files."""
    answers = REGISTRY
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        answers = CollectorRegistry()
        MultiProcessCollector(answers)  # type: ignore[no-untyped-call]  # its library does not say
    jobs = CollectorRegistry()
    jobs.register(JobCollector())
    jobs.register(BacklogCollector())
    return generate_latest(answers) + generate_latest(jobs)
