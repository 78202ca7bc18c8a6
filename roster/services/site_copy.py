"""Copy the whole database to another one, for administrators who change databases.

Rows keep their keys. Every table is compared before the transaction ends.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any

import dj_database_url
from django.apps import apps
from django.contrib.auth.models import Permission
from django.contrib.contenttypes.models import ContentType
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connection, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.executor import MigrationExecutor
from django.db.models import Field, JSONField, Model, QuerySet, TextField
from django.db.models.functions import Cast
from django.db.utils import ConnectionHandler

TARGET = "target"
SCHEMES = ("postgres", "postgresql", "sqlite")
BATCH = 100
"""Rows in memory at once. A row may hold a whole catalogue."""


class CopyError(Exception):
    """The message says why the database could not be copied."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CopiedTable:
    name: str
    rows: int
    digest: str


def copy_database(
    address: str, *, replace: bool = False, report: Callable[[str, int, int], None] = lambda *_: None
) -> list[CopiedTable]:
    """Copy every row to the database at `address`, creating missing tables.

    A target with content needs `replace`. `report` gets a table, its copied rows and all its rows. Raises CopyError and
    leaves the target unchanged.
    """
    with _open_target(address) as target:
        if not target.introspection.table_names():
            # In a separate process, because data migrations use the default database.
            for command in ("migrate", "createcachetable"):
                _manage(address, command)
        _refuse_other_version(target)
        copied_models = [
            model
            for model in apps.get_models(include_auto_created=True)
            if model._meta.managed and not model._meta.proxy
        ]
        if not replace:
            _refuse_content(target, copied_models)
        with transaction.atomic(), transaction.atomic(using=TARGET):
            if connection.vendor == "postgresql":
                with connection.cursor() as cursor:
                    cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            total = sum(QuerySet(model).count() for model in copied_models)
            with target.cursor() as cursor:
                for model in copied_models:
                    cursor.execute(f"DELETE FROM {target.ops.quote_name(model._meta.db_table)}")  # noqa: S608 - a name of ours
            copied: list[CopiedTable] = []
            done = 0
            for model in copied_models:
                report(model._meta.db_table, done, total)
                copied.append(_copy_table(target, model))
                done += copied[-1].rows
            try:
                target.check_constraints()
            except DatabaseError as error:
                raise CopyError(f"A row refers to another that is missing. {error}") from error
    return copied


@contextmanager
def _open_target(address: str) -> Iterator[BaseDatabaseWrapper]:
    try:
        target_settings = dj_database_url.parse(address) if address.partition("://")[0] in SCHEMES else {}
    except ValueError:  # a port that is not a number
        target_settings = {}
    if target_settings.get("NAME", "") in ("", ":memory:"):
        raise CopyError(
            "The target is an address such as postgres://user:password@host/name or sqlite:////folder/file."
        )
    target = ConnectionHandler({DEFAULT_DB_ALIAS: {}, TARGET: target_settings})[TARGET]
    connections[TARGET] = target
    try:
        if _identify_database(target) == _identify_database(connection):
            raise CopyError("The target is the database of DATABASE_URL itself.")
        yield target
    except DatabaseError as error:
        raise CopyError(str(error).strip()) from error
    finally:
        target.close()
        del connections[TARGET]


def _identify_database(database: BaseDatabaseWrapper) -> object:
    """Identify a database even if its host has several names."""
    if database.vendor == "sqlite":
        return Path(database.settings_dict["NAME"]).resolve()
    with database.cursor() as cursor:
        cursor.execute("SELECT pg_postmaster_start_time(), current_database()")
        return cursor.fetchone()


def _manage(address: str, command: str) -> None:
    """Run a command on the target, whose address other users cannot see."""
    run = subprocess.run(  # noqa: S603 - no shell, and no word of a stranger's
        [sys.executable, "-m", "django", command, "--verbosity=0"],
        env={**os.environ, "DATABASE_URL": address},
        capture_output=True,
        text=True,
        check=False,
    )
    if run.returncode:
        raise CopyError(f"`manage.py {command}` failed on the target. {run.stderr.strip()}")


def _refuse_other_version(target: BaseDatabaseWrapper) -> None:
    here, there = (MigrationExecutor(database) for database in (connection, target))
    if here.migration_plan(here.loader.graph.leaf_nodes()):
        raise CopyError("Migrations of this database are waiting. Run `manage.py migrate` first.")
    differing = set(here.loader.applied_migrations) ^ set(there.loader.applied_migrations)
    if differing:
        names = sorted(f"{app}.{name}" for app, name in differing)
        raise CopyError(
            f"The target has tables of another version or another program: {len(names)} migrations differ, "
            f"{names[0]} first. Migrate it with this version, or name an empty database."
        )


def _refuse_content(target: BaseDatabaseWrapper, copied_models: Sequence[type[Model]]) -> None:
    """Refuse a target with rows, except those from migrations."""
    full = [
        model._meta.db_table
        for model in copied_models
        if model not in (ContentType, Permission) and QuerySet(model, using=target.alias).exists()
    ]
    if full:
        more = f" and {len(full) - 3} more tables" if len(full) > 3 else ""
        raise CopyError(f"The target has rows in {', '.join(full[:3])}{more}. With --replace they are lost.")


def _copy_table(target: BaseDatabaseWrapper, model: type[Model]) -> CopiedTable:
    table, fields = model._meta.db_table, model._meta.concrete_fields
    quote = target.ops.quote_name
    statement = (
        f"INSERT INTO {quote(table)} ({', '.join(quote(str(field.column)) for field in fields)}) "  # noqa: S608 - names of ours
        f"VALUES ({', '.join(['%s'] * len(fields))})"
    )
    rows = _read_rows(connection, model)
    number = digest = number_there = digest_there = 0
    with target.cursor() as cursor:
        while batch := list(islice(rows, BATCH)):
            number += len(batch)
            digest += sum(_hash_row(fields, row) for row in batch)
            prepared = [
                [
                    # JSON as text, which tells a JSON null from a missing value.
                    value if isinstance(field, JSONField) else field.get_db_prep_save(value, target)
                    for field, value in zip(fields, row, strict=True)
                ]
                for row in batch
            ]
            try:
                with transaction.atomic(using=target.alias):
                    cursor.executemany(statement, prepared)
            except DatabaseError:
                # Retry one by one to find the refused row.
                for values in prepared:
                    try:
                        cursor.execute(statement, values)
                    except DatabaseError as error:
                        key = values[fields.index(model._meta.pk)]
                        raise CopyError(f"The target refuses the row {key!r} of {table}. {error}") from error
                raise
    if model._meta.auto_field:
        column = str(model._meta.auto_field.column)
        _write_last_key(target, table, column, _read_last_key(table, column))
    # Compare before the transaction ends, so that a difference reverts everything.
    for row in _read_rows(target, model):
        number_there += 1
        digest_there += _hash_row(fields, row)
    if (number_there, digest_there) != (number, digest):
        raise CopyError(f"The rows of {table} are not the same when they are read back from the target.")
    return CopiedTable(name=table, rows=number, digest=f"{digest % 2**256:064x}")


def _read_rows(database: BaseDatabaseWrapper, model: type[Model]) -> Iterator[tuple[Any, ...]]:
    columns = [
        Cast(field.attname, TextField()) if isinstance(field, JSONField) else field.attname
        for field in model._meta.concrete_fields
    ]
    rows: QuerySet[Model, Any] = QuerySet(model, using=database.alias).order_by("pk").values_list(*columns)
    return rows.iterator(chunk_size=BATCH)


def _hash_row(fields: Sequence[Field[Any, Any]], row: Sequence[Any]) -> int:
    """Return the same hash on SQLite and PostgreSQL. Sums of hashes ignore row order, which differs."""
    plain: list[Any] = []
    for field, value in zip(fields, row, strict=True):
        match value:
            case str() if isinstance(field, JSONField):
                # PostgreSQL sorts the keys of JSON and writes numbers in full.
                document = json.loads(value, parse_int=Decimal, parse_float=Decimal)
                plain.append(json.dumps(document, sort_keys=True, default=lambda number: [str(number.normalize() + 0)]))
            case datetime():
                plain.append(value.astimezone(UTC).isoformat())
            case Decimal():
                plain.append(value.normalize())
            case bytes() | memoryview():
                plain.append(bytes(value))
            case _:
                plain.append(value)
    return int.from_bytes(sha256(repr(plain).encode()).digest())


def _read_last_key(table: str, column: str) -> int:
    """Return the last assigned key, even if its row is deleted."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("SELECT seq FROM sqlite_sequence WHERE name = %s", [table])
        else:
            cursor.execute("SELECT pg_get_serial_sequence(%s, %s)", [connection.ops.quote_name(table), column])
            cursor.execute(f"SELECT last_value FROM {cursor.fetchone()[0]} WHERE is_called")  # noqa: S608 - a name of ours
        row = cursor.fetchone()
    return row[0] if row else 0


def _write_last_key(target: BaseDatabaseWrapper, table: str, column: str, last_key: int) -> None:
    with target.cursor() as cursor:
        if target.vendor == "sqlite":
            cursor.execute("DELETE FROM sqlite_sequence WHERE name = %s", [table])
            if last_key:
                cursor.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", [table, last_key])
        else:
            cursor.execute(
                "SELECT setval(pg_get_serial_sequence(%s, %s), %s, %s)",
                [target.ops.quote_name(table), column, max(1, last_key), last_key > 0],
            )
