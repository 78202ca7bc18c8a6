"""Leave out a service that does not answer, so that not every request waits for it."""

import logging
import threading
import time

AWAY_SECONDS = 5.0
"""How long a service is left out before one request tries it again."""
_log = logging.getLogger(__name__)


class StorageError(OSError):
    """Stored files cannot be reached now."""


class Outage:
    """Whether a service is away, as far as the threads of this process know."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._lock = threading.Lock()
        self._is_away = False
        self._until = 0.0

    def may_ask(self) -> bool:
        """Return whether to ask the service. While it is away, one thread may every `AWAY_SECONDS`."""
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
            _log.warning("%s does not answer and is left out: %s", self._name, error)

    def end(self) -> None:
        if not self._is_away:
            return
        with self._lock:
            was_away, self._is_away = self._is_away, False
        if was_away:
            _log.warning("%s answers again.", self._name)
