"""Read data that may be a few seconds old from database replicas: docs/adr/0101.

After a write, the reader carries its position in a cookie, and reads only from replicas that have replayed it.
"""

import logging
import random
import re
import time
from collections import deque
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connections
from django.db.models import Model
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import Resolver404, resolve

from catalogue.services.public_answers import find_public_view
from catalogue.views.responses import lacks_files

REPLICA = "replica"
"""Aliases of replicas begin with it."""
COOKIE = "written"
COOKIE_SECONDS = 60
"""Much longer than a replica in use may lag."""
CHECK_SECONDS = 1.0
"""How long a process relies on the last look at a replica or at the primary."""
DEAD_SECONDS = 5.0
"""How long a process leaves out a replica that did not answer."""
READING = frozenset(
    {
        "catalogue:search",
        "catalogue:words",
        "catalogue:missions",
        "catalogue:game-missions",
        "catalogue:mission",
        "catalogue:gallery",
        "catalogue-api:versions",
        "catalogue-api:version",
        "catalogue-api:changes",
        "roster:public",
        "roster:ledgers",
        "roster:rules",
        "roster:text",
        "roster:photo",
        "roster:file",
        "roster:backup",
        "roster:account-export",
        "roster_api:dump",
        "roster_api:revisions",
        "roster_api:revision",
        "roster_api:diff",
        "club:collection-link",
        "club:collection-file",
        "club:all-statistics",
        "club:statistics",
        "club:statistics-feed",
        "club:statistics-file",
        "play:games-file",
        "play:game-file",
        "events:export",
        "events:export-standings",
        "events_api:export",
    }
)
"""Views that read from replicas besides all public pages: search, statistics and exports."""
CURRENT = frozenset({"account", "auth", "django_cache", "mfa", "sessions", "socialaccount"})
"""Apps that are always read from the primary: a session that was ended must not live on, and counters must count."""
UNNOTICED = frozenset({"django_cache"})
"""Writes to these apps are nothing that a reader looks for."""
_POSITION = re.compile(r"[0-9A-F]{1,8}/[0-9A-F]{1,8}")
_log = logging.getLogger(__name__)


@dataclass(slots=True)
class Route:
    """Where one request reads, and whether it has written."""

    alias: str = DEFAULT_DB_ALIAS
    has_written: bool = False


_route: ContextVar[Route | None] = ContextVar("route", default=None)


class ReplicaRouter:
    """Reads from the request's route; uses the primary for all else."""

    def db_for_read(self, model: type[Model], **hints: Any) -> str:
        route = _route.get()
        if route is None or route.has_written or model._meta.app_label in CURRENT:
            return DEFAULT_DB_ALIAS
        return route.alias

    def db_for_write(self, model: type[Model], **hints: Any) -> str:
        route = _route.get()
        if route is not None and model._meta.app_label not in UNNOTICED:
            route.has_written = True
        return DEFAULT_DB_ALIAS

    def allow_relation(self, first: Model, second: Model, **hints: Any) -> bool:
        return True

    def allow_migrate(self, db: str, app_label: str, **hints: Any) -> bool:
        return db == DEFAULT_DB_ALIAS


def read_position(text: str) -> int:
    """Return a position in the primary's log as a number, or 0 if the text is not a position.

    >>> read_position("1/0A"), read_position("later")
    (4294967306, 0)
    """
    if not _POSITION.fullmatch(text):
        return 0
    high, low = text.split("/")
    return int(high, 16) << 32 | int(low, 16)


class PrimaryLog:
    """Positions of the primary's log over the last seconds, as far as this process has looked."""

    def __init__(self) -> None:
        self._looks: deque[tuple[float, int]] = deque()
        self._until = 0.0

    def find_oldest_allowed(self) -> int:
        """Return the position that a replica must have replayed to lag less than `REPLICA_LAG_SECONDS`.

        While the primary does not answer, the lag is measured from its last answer: what it wrote just before it died
        may never arrive.
        """
        now = time.monotonic()
        if now >= self._until:
            self._until = now + CHECK_SECONDS
            try:
                position = read_position(_ask(DEFAULT_DB_ALIAS, "SELECT pg_current_wal_lsn()::text"))
            except DatabaseError:
                self._until = now + DEAD_SECONDS
                connections[DEFAULT_DB_ALIAS].close()
            else:
                if self._looks and self._looks[-1][0] < now - settings.REPLICA_LAG_SECONDS:
                    # A replica that stopped since the last look would pass.
                    self._looks.clear()
                self._looks.append((now, position))
        end = (self._looks[-1][0] if self._looks else now) - settings.REPLICA_LAG_SECONDS
        # Use the newest position that is old enough, or the first one if none is.
        while len(self._looks) > 1 and self._looks[1][0] <= end:
            self._looks.popleft()
        return self._looks[0][1] if self._looks else 0


class Replica:
    def __init__(self, alias: str) -> None:
        self.alias = alias
        self._position, self._until = 0, 0.0

    def has_replayed(self, position: int) -> bool:
        """Return whether the replica answers and has replayed the primary's log up to a position."""
        now = time.monotonic()
        if now < self._until and (self._position >= position or not self._position):
            return bool(self._position)
        try:
            # A server that is not a replica was promoted, or never followed this primary.
            statement = "SELECT CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn()::text ELSE '' END"
            self._position = read_position(_ask(self.alias, statement) or "")
        except DatabaseError as error:
            self.leave_out()
            _log.warning("%s does not answer and is left out: %s", self.alias, error)
            return False
        self._until = now + (CHECK_SECONDS if self._position else DEAD_SECONDS)
        return bool(self._position) and self._position >= position

    def look_again(self) -> None:
        """Let the next request find out whether the replica answers."""
        self._until = 0.0
        connections[self.alias].close()

    def leave_out(self) -> None:
        self._position, self._until = 0, time.monotonic() + DEAD_SECONDS
        connections[self.alias].close()


def _ask(alias: str, question: str) -> str:
    with connections[alias].cursor() as cursor:
        cursor.execute(question)
        answer: str = cursor.fetchone()[0]
        return answer


class ReplicaMiddleware:
    """Choose where a request reads. Must be outside everything that queries the database."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response
        self.replicas = {alias: Replica(alias) for alias in settings.DATABASES if alias.startswith(REPLICA)}
        self.primary = PrimaryLog()
        if not self.replicas:
            raise MiddlewareNotUsed

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        position = read_position(request.COOKIES.get(COOKIE, ""))
        route = Route(self._choose(position) if may_read_from_replica(request) else DEFAULT_DB_ALIAS)
        answer = self._follow(route, request)
        if route.alias != DEFAULT_DB_ALIAS and answer.status_code >= 500 and not lacks_files(answer):
            # The replica died, or cancelled a query that kept it from replaying changes. Or the primary died, which has
            # the sessions. Then the replica must go on serving readers.
            self.replicas[route.alias].look_again()
            route = Route()
            answer = self._follow(route, request)
        if route.has_written:
            self._record_write(answer)
        return answer

    def _follow(self, route: Route, request: HttpRequest) -> HttpResponseBase:
        token = _route.set(route)
        try:
            return self.get_response(request)
        finally:
            _route.reset(token)

    def _choose(self, position: int) -> str:
        """Return the primary, or a replica without lag that has replayed the reader's write."""
        least = max(position, self.primary.find_oldest_allowed())
        for replica in random.sample(list(self.replicas.values()), len(self.replicas)):
            if replica.has_replayed(least):
                return replica.alias
        return DEFAULT_DB_ALIAS

    def _record_write(self, answer: HttpResponseBase) -> None:
        try:
            position = _ask(DEFAULT_DB_ALIAS, "SELECT pg_current_wal_lsn()::text")
        except DatabaseError:
            # Nothing was written, or the answer says that the database is down.
            return
        answer.set_cookie(
            COOKIE,
            position,
            max_age=COOKIE_SECONDS,
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )


def may_read_from_replica(request: HttpRequest) -> bool:
    """Return whether a view only reads. Requests with a token have no cookie, so they use the primary."""
    if request.method not in ("GET", "HEAD") or "Authorization" in request.headers:
        return False
    try:
        match = resolve(request.path_info)
    except Resolver404:
        return False
    return find_public_view(match.func) is not None or f"{match.app_name}:{match.url_name}" in READING
