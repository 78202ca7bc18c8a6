"""What whoever runs the site sees of it: whether it is there, whether it can serve, and which request did what."""

import logging
from contextvars import ContextVar

from django.core.cache import cache
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor

NO_REQUEST = "-"
REQUEST_ID: ContextVar[str] = ContextVar("request_id", default=NO_REQUEST)
"""The id of the request that is being answered."""


class RequestIdFilter(logging.Filter):
    """Put the id of the request that is being answered on each line of the log."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id = REQUEST_ID.get()
        return True


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
