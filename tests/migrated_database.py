"""A database with all migrations, stored once and copied by every process of tests: migrating takes one nine seconds.

Of processes that begin together, the first migrates and the others wait for its copy.

The copy is named by what the migrations say, those of packages, too, so that whoever changes one gets another copy.
What follows the migrations (permissions, tables of caches) is brought up to date in each copy. SQLite only: a server
is made anew for `make postgres`.
"""

import fcntl
import hashlib
import inspect
import os
import shutil
from pathlib import Path
from typing import TextIO

import pytest
from django.db import connection
from django.db.migrations.loader import MigrationLoader

FOLDER = "databases"
_locks: list[TextIO] = []
"""The lock that this process holds while it migrates."""


def find_stored(config: pytest.Config) -> Path | None:
    """Return where pytest's cache stores the database of these migrations; None without SQLite or without the cache."""
    cache = getattr(config, "cache", None)  # `-p no:cacheprovider` leaves the attribute out
    if cache is None or connection.vendor != "sqlite":
        return None
    migrations = MigrationLoader(None).disk_migrations
    digest = hashlib.sha256()
    for key in sorted(migrations):
        digest.update(Path(inspect.getfile(type(migrations[key]))).read_bytes())
    return cache.mkdir(FOLDER) / f"{digest.hexdigest()[:20]}.sqlite3"


def copy_stored(config: pytest.Config) -> bool:
    """Begin with the stored database, and return whether there is one. If not, `store_migrated` has to follow."""
    stored = find_stored(config)
    if stored is None:
        return False
    if not stored.exists():
        lock = stored.with_suffix(".lock").open("w")
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not stored.exists():
            _locks.append(lock)
            return False
        lock.close()
    shutil.copyfile(stored, connection.settings_dict["TEST"]["NAME"])
    return True


def store_migrated(config: pytest.Config) -> None:
    """Store the database as the migrations left it."""
    stored = find_stored(config)
    if stored is None:
        return
    own = stored.with_suffix(f".{os.getpid()}")
    with connection.cursor() as cursor:
        cursor.execute("VACUUM INTO %s", [str(own)])
    own.replace(stored)
    while _locks:
        _locks.pop().close()


def remove_copies(scratch: Path) -> None:
    """Remove the database of this process, which may end while it is open."""
    for path in scratch.parent.glob(f"{scratch.name}.sqlite3*"):
        path.unlink(missing_ok=True)
