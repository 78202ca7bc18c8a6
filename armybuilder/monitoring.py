"""What whoever runs the site sees of it: whether it is there, whether it can serve, and which request did what."""

import logging
import re
import time
from collections.abc import Callable
from contextvars import ContextVar
from uuid import uuid4

from django.core.cache import cache
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse

NO_REQUEST = "-"
PERMISSIONS_POLICY = "camera=(), geolocation=(), microphone=(), payment=(), usb=()"

_GIVEN_ID = re.compile(r"[A-Za-z0-9_-]{8,64}")
_request_id: ContextVar[str] = ContextVar("request_id", default=NO_REQUEST)
_log = logging.getLogger("armybuilder.requests")


class RequestIdFilter(logging.Filter):
    """Put the id of the request that is being answered on each line of the log."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id = _request_id.get()
        return True


class RequestMiddleware:
    """Give each request an id, the proxy's where it has one, and log what was answered.

    The address goes into the log without its query, for what people search for is theirs.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        given = request.headers.get("X-Request-ID", "")
        request_id = given if _GIVEN_ID.fullmatch(given) else uuid4().hex
        token = _request_id.set(request_id)
        began = time.monotonic()
        try:
            response = self.get_response(request)
            answer = {"method": request.method, "path": request.path, "status": response.status_code}
            milliseconds = round((time.monotonic() - began) * 1000)
            line = f"{request.method} {request.path} {response.status_code} {milliseconds} ms"
            _log.info(line, extra={**answer, "milliseconds": milliseconds})
        finally:
            _request_id.reset(token)
        response["X-Request-ID"] = request_id
        response.headers.setdefault("Permissions-Policy", PERMISSIONS_POLICY)
        return response


class HealthMiddleware:
    """Answer `/healthz` (the process is there) and `/readyz` (it can serve, or what is missing).

    It comes before everything else: a load balancer asks by number, without TLS, and gets no cookie.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path == "/healthz":
            return JsonResponse({"status": "ok"})
        if request.path == "/readyz":
            missing = find_what_is_missing()
            return JsonResponse({"status": "not ready" if missing else "ok", **missing}, status=503 if missing else 200)
        return self.get_response(request)


def find_what_is_missing() -> dict[str, str]:
    """Return what keeps the site from serving, by part, in words for whoever runs it; nothing where all is there."""
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
