"""Migrate without blocking a running site: on PostgreSQL, wait for each lock for a few seconds only."""

import time
from typing import Any

from django.conf import settings
from django.core.management import CommandError
from django.core.management.commands import migrate
from django.db import OperationalError, connections

TRIES = 10
PAUSE = 1.0
"""Seconds between tries, so that waiting requests get their turn."""


class Command(migrate.Command):
    """Give up waiting for a lock. Django's command waits forever, and blocks all later queries on the table."""

    def handle(self, *args: Any, **options: Any) -> None:
        connection = connections[options["database"]]
        if connection.vendor != "postgresql":
            super().handle(*args, **options)
            return
        seconds = settings.MIGRATION_LOCK_SECONDS
        for tries in range(1, TRIES + 1):
            with connection.cursor() as cursor:
                cursor.execute("SELECT set_config('lock_timeout', %s, false)", [f"{seconds}s"])
            try:
                # A migration that has to give up leaves nothing behind, and those before it stay.
                super().handle(*args, **options)
            except OperationalError as error:
                if "lock timeout" not in str(error):
                    raise
                if tries == TRIES:
                    raise CommandError(
                        f"A table was in use for longer than {seconds} seconds, {TRIES} times. No migration is "
                        "half done: try again later, or increase MIGRATION_LOCK_SECONDS."
                    ) from error
                time.sleep(PAUSE)
            else:
                return
            finally:
                with connection.cursor() as cursor:
                    cursor.execute("SELECT set_config('lock_timeout', '0', false)")
