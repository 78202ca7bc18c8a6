"""Give up connections while the database accepts no more.

Each thread keeps its connection. If the threads of all nodes want more than the database accepts, the last ones would
get none until others have been idle for minutes.
"""

import time
from typing import Any

from django.core.signals import request_finished
from django.db import connections

CROWDED_SECONDS = 60.0
"""For how long threads close their connection after each request."""


class KeptConnections:
    """Whether the threads of this process keep their connections."""

    def __init__(self) -> None:
        self._crowded_until = 0.0

    def give_up(self) -> None:
        """Let others have connections from now on; called when one could not be made."""
        self._crowded_until = time.monotonic() + CROWDED_SECONDS

    def finish_request(self, **named: Any) -> None:
        if time.monotonic() >= self._crowded_until:
            return
        for connection in connections.all(initialized_only=True):
            if not connection.in_atomic_block:
                connection.close()


kept_connections = KeptConnections()
request_finished.connect(kept_connections.finish_request)
