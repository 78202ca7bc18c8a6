"""Counters in Redis, or in each process while Redis does not answer."""

import logging
import threading
import time
from typing import Any

from django.core.cache.backends.base import DEFAULT_TIMEOUT, BaseCache
from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError, RedisError  # noqa: A004 - of Redis, for a server that is gone
from redis.retry import Retry

AWAY_SECONDS = 5.0
"""How long Redis is left out before one request tries it again."""
PATIENCE = 1.0
"""Seconds that Redis may take to connect or to answer."""
OWN = "while-redis-is-away"
_log = logging.getLogger(__name__)


class Outage:
    """Whether Redis is away, as far as the threads of this process know."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._is_away = False
        self._until = 0.0

    def may_ask(self) -> bool:
        """Return whether to ask Redis. During an outage one thread may in `AWAY_SECONDS`; the others do not wait."""
        if not self._is_away:
            return True
        with self._lock:
            now = time.monotonic()
            if now < self._until:
                return False
            self._until = now + AWAY_SECONDS
            return True

    def begin(self, error: Exception) -> None:
        with self._lock:
            self._until = time.monotonic() + AWAY_SECONDS
            was_away, self._is_away = self._is_away, True
        if not was_away:
            _log.warning("Redis does not answer, so each process counts for itself: %s", error)

    def end(self) -> None:
        if not self._is_away:
            return
        with self._lock:
            was_away, self._is_away = self._is_away, False
        if was_away:
            _log.warning("Redis answers again.")


outage = Outage()


class FallbackRedisCache(BaseCache):
    """Django's cache in Redis. Without Redis, requests are counted by process instead of ending in an error."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(params)
        options = {
            "socket_connect_timeout": PATIENCE,
            "socket_timeout": PATIENCE,
            # Once more, because a restarted server has closed the connection.
            "retry": Retry(NoBackoff(), 1, supported_errors=(ConnectionError,)),
        }
        self._redis = RedisCache(server, {**params, "OPTIONS": options})
        self._own = LocMemCache(OWN, {**params, "OPTIONS": {"MAX_ENTRIES": 10_000}})

    def _ask(self, method: str, *args: Any, **named: Any) -> Any:
        if outage.may_ask():
            try:
                answer = getattr(self._redis, method)(*args, **named)
            except RedisError as error:
                outage.begin(error)
            else:
                outage.end()
                return answer
        return getattr(self._own, method)(*args, **named)

    def add(self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        return bool(self._ask("add", key, value, timeout, version=version))

    def get(self, key: Any, default: Any = None, version: int | None = None) -> Any:
        return self._ask("get", key, default, version=version)

    def set(self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> None:
        self._ask("set", key, value, timeout, version=version)

    def touch(self, key: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        return bool(self._ask("touch", key, timeout, version=version))

    def delete(self, key: Any, version: int | None = None) -> bool:
        return bool(self._ask("delete", key, version=version))

    def incr(self, key: Any, delta: int = 1, version: int | None = None) -> int:
        return int(self._ask("incr", key, delta, version=version))

    def clear(self) -> None:
        self._own.clear()
        self._ask("clear")
