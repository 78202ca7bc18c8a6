"""Monitoring for the administrator: health checks, request ids in the log, metrics and mail about errors."""

import logging
import os
import time
from collections.abc import Iterator
from contextvars import ContextVar
from pathlib import Path
from typing import Any

from django.apps import apps
from django.core.cache import cache
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.db.models import Count
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.views.debug import ExceptionReporter, SafeExceptionReporterFilter
from prometheus_client import REGISTRY, CollectorRegistry, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector

NO_REQUEST = "-"
REQUEST_ID: ContextVar[str] = ContextVar("request_id", default=NO_REQUEST)
"""The id of the request that is being answered."""

METHODS = frozenset({"DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"})
ANSWERS = Histogram(
    "armybuilder_answer_seconds",
    "How long answers took, by view, method and status: 429 asked too much, 503 found judge, printer or database busy.",
    ("view", "method", "status"),
    buckets=(0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30),
)
MAIL_PAUSE = 300.0
"""Seconds from one mail about an error to the next: the log has them all."""


class RequestIdFilter(logging.Filter):
    """Put the id of the current request on each line of the log."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id = REQUEST_ID.get()
        return True


def find_what_is_missing() -> dict[str, str]:
    """Return what keeps the site from serving, by part, in words for the administrator; nothing where all is there."""
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
    """Let one record through, then none for a while, so that a failing site does not fill anybody's mailbox."""

    # The clock may begin with the machine: the first error is told however early it comes.
    _last = -MAIL_PAUSE

    def filter(self, record: logging.LogRecord) -> bool:
        now = time.monotonic()
        if now - self._last < MAIL_PAUSE:
            return False
        self._last = now
        return True


class DiscreetFilter(SafeExceptionReporterFilter):
    """Leave what people typed out of error reports."""

    def get_post_parameters(self, request: HttpRequest | None) -> dict[str, Any]:
        return {}


class DiscreetReporter(ExceptionReporter):
    """Report an error without what people typed."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.filter = DiscreetFilter()


def count_answer(request: HttpRequest, response: HttpResponseBase, seconds: float) -> None:
    """Count an answer by its view; whatever strangers make up, an address or a method, is counted as one thing."""
    view = request.resolver_match.view_name if request.resolver_match else "none"
    method = request.method if request.method in METHODS else "other"
    ANSWERS.labels(view, method, response.status_code).observe(seconds)


class JobCollector:
    """Counts the jobs in each state, from the database, whenever it is asked."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        jobs = GaugeMetricFamily("armybuilder_jobs", "Background work: prints, imports, impacts.", labels=["state"])
        try:
            for state, number in (
                apps.get_model("catalogue", "Job").objects.order_by().values_list("state").annotate(Count("pk"))
            ):
                jobs.add_metric([state], number)
        # What was answered is told all the same: that shows what the database does to pages.
        except DatabaseError:
            return
        yield jobs


def forget_ended_processes() -> None:
    """Delete what processes that are gone have counted: with each start of the server all counts begin anew.

    Otherwise the folder grows with every restart, and each look at the metrics reads all of it.
    """
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
    except PermissionError:  # somebody else's, and so running
        return True
    # A file under the number of this process, which has only just begun, is of one that had it before.
    return process != os.getpid()


def write_metrics() -> bytes:
    """Return what Prometheus reads: of all processes where they count into files, else of this one."""
    answers = REGISTRY
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        answers = CollectorRegistry()
        MultiProcessCollector(answers)  # type: ignore[no-untyped-call]  # its library does not say
    jobs = CollectorRegistry()
    jobs.register(JobCollector())
    return generate_latest(answers) + generate_latest(jobs)
