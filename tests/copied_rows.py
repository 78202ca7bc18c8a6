"""Rows of SQLite, read as they are stored and written again into the database of a later test."""

from collections.abc import Iterable
from typing import Any

from django.db import connection, transaction
from django.db.models import Model

Rows = dict[str, list[tuple[Any, ...]]]
"""The rows of each table, by the statement that inserts one."""


def read_rows(models: Iterable[type[Model]]) -> Rows:
    rows = {}
    with connection.cursor() as cursor:
        for model in models:
            columns = [f'"{field.column}"' for field in model._meta.concrete_fields]
            # The sign has SQLite answer what is stored: values of a column itself would be converted.
            cursor.execute(f'SELECT {", ".join(f"+{column}" for column in columns)} FROM "{model._meta.db_table}"')
            places = ", ".join(["%s"] * len(columns))
            insert = f'INSERT INTO "{model._meta.db_table}" ({", ".join(columns)}) VALUES ({places})'
            if stored := cursor.fetchall():
                rows[insert] = stored
    return rows


@transaction.atomic
def write_rows(rows: Rows) -> None:
    """Write rows into tables that have none. SQLite checks references at the end of the transaction."""
    with connection.cursor() as cursor:
        for insert, stored in rows.items():
            cursor.executemany(insert, stored)


def list_empty(models: Iterable[type[Model]]) -> list[type[Model]]:
    return [model for model in models if not model._default_manager.exists()]
