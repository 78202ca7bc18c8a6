"""Counters in Redis, or in each process while Redis does not answer."""

from typing import Any

from django.core.cache.backends.base import DEFAULT_TIMEOUT, BaseCache
from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError, RedisError  # noqa: A004 - of Redis, for a server that is gone
from redis.retry import Retry

from armybuilder.outage import Outage

PATIENCE = 1.0
"""Seconds that Redis may take to connect or to answer."""
OWN = "while-redis-is-away"


outage = Outage("Redis")


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
