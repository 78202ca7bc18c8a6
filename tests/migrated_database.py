"""A migrated database, stored once and copied by every test process: migrating takes nine seconds.

Of processes that start together, the first migrates and the others wait for its copy. The copy is named by a hash of
all migrations, including those of packages. Permissions and cache tables are updated in each copy. SQLite only: `make
postgres` makes a server anew.
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
    """Copy the stored database, and return whether there is one. If not, `store_migrated` has to follow."""
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
    """Remove this process's database, which may still be open."""
    for path in scratch.parent.glob(f"{scratch.name}.sqlite3*"):
        path.unlink(missing_ok=True)
