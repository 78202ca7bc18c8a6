"""Back up database, photos and archived histories to a folder, and restore them, for administrators.

A backup gets its name last, so a named backup is complete. A restore is one transaction.
"""

import json
import os
import re
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from hashlib import file_digest
from pathlib import Path
from typing import IO

from django.core.cache import cache
from django.core.files import File
from django.core.management import call_command
from django.db import connection
from django.db.backends.postgresql.client import DatabaseClient
from django.db.migrations.loader import MigrationLoader
from django.utils import timezone

from roster.models.roster import HISTORIES
from roster.services.photos import FOLDER
from roster.services.shared_files import find_patient_storage
from roster.services.stored_files import list_stored_files

FORM = 1
NOTE = "backup.json"
STORED = (FOLDER, HISTORIES)
FILES = {"sqlite": "database.sqlite3", "postgresql": "database.dump"}
NAMED = re.compile(r"armybuilder-\d{8}-\d{6}-\d{6}")


class BackupError(Exception):
    """The message says why the backup could not be made or restored."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BackupNote:
    database: str
    created: str
    migrations: tuple[tuple[str, str], ...]
    sha256: str


def write_site_backup(folder: Path, keep: int = 0) -> Path:
    """Write database and stored files into a new folder below `folder`, and return it. Raises BackupError.

    If `keep` is given, only that many of the newest backups stay. On error nothing is written or deleted.
    """
    now = timezone.now()
    target = folder / now.strftime("armybuilder-%Y%m%d-%H%M%S-%f")
    # An unfinished backup must not look like one.
    partial = target.with_name(f".{target.name}")
    folder.mkdir(parents=True, exist_ok=True)
    partial.mkdir(mode=0o700)
    backups = _list_backups(folder)
    try:
        file = partial / FILES[connection.vendor]
        if connection.vendor == "sqlite":
            with _open_sqlite(str(connection.settings_dict["NAME"])) as source, _open_sqlite(str(file)) as copy:
                source.backup(copy)
        else:
            _run_on_database("pg_dump", "--format=custom", "--no-owner", "--no-privileges", f"--file={file}")
        note = {
            "armybuilder": FORM,
            "database": connection.vendor,
            "created": now.isoformat(),
            "migrations": sorted(MigrationLoader(connection).applied_migrations),
            "sha256": _hash_file(file),
        }
        # Copied after the database, so that the database names no file that the backup lacks.
        _copy_files(partial, backups)
        (partial / NOTE).write_text(json.dumps(note, indent=1) + "\n", encoding="utf-8")
        partial.rename(target)
    except BaseException:
        shutil.rmtree(partial, ignore_errors=True)
        raise
    if keep:
        for old in _list_backups(folder)[:-keep]:
            shutil.rmtree(old)
    return target


def _list_backups(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if NAMED.fullmatch(path.name) and (path / NOTE).is_file())


def _copy_files(target: Path, backups: Sequence[Path]) -> None:
    storage = find_patient_storage()
    for name in (name for folder in STORED for name in list_stored_files(folder, storage)):
        path = target / name
        path.parent.mkdir(parents=True, exist_ok=True)
        # The content never changes under a name, so that backups on one disk share it.
        if backups:
            with suppress(OSError):
                os.link(backups[-1] / name, path)
                continue
        # A file may be deleted meanwhile.
        with suppress(FileNotFoundError), storage.open(name) as stored, path.open("wb") as copy:
            shutil.copyfileobj(stored, copy)


def _restore_files(folder: Path) -> None:
    """Store a backup's missing files. The daily commands later delete unused others."""
    storage = find_patient_storage()
    for path in sorted(path for name in STORED for path in (folder / name).glob("*/*") if path.is_file()):
        name = path.relative_to(folder).as_posix()
        if not storage.exists(name):
            with path.open("rb") as file:
                storage.save(name, File(file))


def restore_site_backup(folder: Path, *, replace: bool = False) -> BackupNote:
    """Replace the database with a backup and migrate it. Raises BackupError.

    A database with lists or accounts needs `replace`.
    """
    note = read_note(folder)
    if connection.vendor != note.database:
        raise BackupError(
            f"The backup is of {note.database}, and DATABASE_URL names {connection.vendor}. "
            f"Restore it into {note.database}, then `manage.py copy_database` copies it to {connection.vendor}."
        )
    # Older backups are migrated; unknown newer migrations cannot be.
    migrations = set(MigrationLoader(None).disk_migrations)
    if newer := [".".join(migration) for migration in note.migrations if migration not in migrations]:
        raise BackupError(f"A newer version made the backup: this one has no migration {newer[0]}.")
    file = folder / FILES[note.database]
    if not file.is_file() or _hash_file(file) != note.sha256:
        raise BackupError(f"{file} has changed since it was written.")
    if not replace and _has_content():
        raise BackupError("The database holds accounts or lists. With --replace they are lost.")
    # First: a database without its files would be worse than files without their database.
    _restore_files(folder)
    _read_database(file)
    call_command("migrate", verbosity=0, interactive=False)
    call_command("createcachetable", verbosity=0)
    # The cache describes the replaced database.
    cache.clear()
    return note


def read_note(folder: Path) -> BackupNote:
    try:
        note = json.loads((folder / NOTE).read_text(encoding="utf-8"))
        if note["armybuilder"] != FORM or note["database"] not in FILES:
            raise BackupError(f"{folder} is a backup in another format.")
        migrations = tuple((str(app), str(name)) for app, name in note["migrations"])
        return BackupNote(
            database=note["database"], created=note["created"], migrations=migrations, sha256=note["sha256"]
        )
    except OSError as error:
        raise BackupError(f"{folder} is not a backup: {NOTE} cannot be read.") from error
    except (ValueError, KeyError, TypeError) as error:
        raise BackupError(f"{folder} is not a backup: {NOTE} is damaged.") from error


def _hash_file(path: Path) -> str:
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def _has_content() -> bool:
    tables = set(connection.introspection.table_names())
    with connection.cursor() as cursor:
        for table in tables & {"auth_user", "roster_roster"}:
            # The examples have no owner and come with the packs.
            owned = "" if table == "auth_user" else " WHERE owner_id IS NOT NULL OR owner_key <> ''"
            cursor.execute(f"SELECT 1 FROM {table}{owned} LIMIT 1")  # noqa: S608 - both are written above
            if cursor.fetchone():
                return True
    return False


def _read_database(file: Path) -> None:
    tables = connection.introspection.table_names()
    name = str(connection.settings_dict["NAME"])
    # The restore must not wait for this process's connection.
    connection.close()
    if connection.vendor == "sqlite":
        # Immutable, so that SQLite writes nothing next to it.
        with _open_sqlite(f"{file.resolve().as_uri()}?mode=ro&immutable=1") as copy, _open_sqlite(name) as now:
            copy.backup(now)
        return
    script = file.with_suffix(f".{os.getpid()}.sql")
    try:
        # Also drop tables of later versions, in the same transaction.
        drops = "".join(f'DROP TABLE IF EXISTS "{table}" CASCADE;\n' for table in tables)
        script.touch(mode=0o600)
        script.write_text(drops, encoding="utf-8")
        with script.open("ab") as stream:
            _run_tool(["pg_restore", "--no-owner", "--no-privileges", "--file=-", str(file)], stream)
        _run_on_database(
            "psql", "--quiet", "--single-transaction", "--set=ON_ERROR_STOP=1", "--no-psqlrc", f"--file={script}"
        )
    finally:
        script.unlink(missing_ok=True)


@contextmanager
def _open_sqlite(path: str) -> Iterator[sqlite3.Connection]:
    try:
        with closing(sqlite3.connect(path, timeout=20, uri=path.startswith("file:"))) as opened:
            yield opened
    except sqlite3.Error as error:
        raise BackupError(f"{path}: {error}") from error


def _run_on_database(tool: str, *options: str) -> None:
    """Pass the password in the environment, which other users cannot see."""
    command, environment = DatabaseClient.settings_to_cmd_args_env(connection.settings_dict, [])
    _run_tool([tool, *options, *command[1:]], environment=environment)


def _run_tool(
    words: list[str], output: IO[bytes] | int = subprocess.DEVNULL, environment: Mapping[str, str] | None = None
) -> None:
    variables = {**os.environ, **(environment or {})}
    run = subprocess.run(words, env=variables, stdout=output, stderr=subprocess.PIPE, check=False)  # noqa: S603 - no shell
    if run.returncode:
        raise BackupError(f"{words[0]}: {run.stderr.decode(errors='replace').strip()}")
