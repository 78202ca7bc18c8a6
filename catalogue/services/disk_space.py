"""Tell a full disk from other failures, and explain failures of storage."""

import errno

from django.utils.translation import gettext

FULL = {errno.ENOSPC, errno.EDQUOT}
FULL_FOR_SQLITE, FULL_FOR_POSTGRESQL = "SQLITE_FULL", "53100"


def is_out_of_space(error: BaseException | None) -> bool:
    """Return whether a file or the database could not grow. Django's errors have the database's as their cause."""
    while error is not None:
        if isinstance(error, OSError) and error.errno in FULL:
            return True
        # Of sqlite3 and psycopg, of which a site has one or both.
        if getattr(error, "sqlite_errorname", "") == FULL_FOR_SQLITE:
            return True
        if getattr(error, "sqlstate", "") == FULL_FOR_POSTGRESQL:
            return True
        error = error.__cause__
    return False


def explain_out_of_space() -> str:
    return gettext("The server has no space left. Nothing was stored.")


def explain_storage_error() -> str:
    return gettext("Photos and files can’t be reached now. Try again in a minute.")
