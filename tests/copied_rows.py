"""Copy stored rows of SQLite into the database of a later test."""

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any, Generic, TypeVar

from django.apps import apps
from django.db import connection, transaction
from django.db.models import DateTimeField, Model
from django.utils import timezone

from catalogue.models import PackVersion
from catalogue.models.base import new_public_id

Made = TypeVar("Made")
Rows = dict[type[Model], list[tuple[Any, ...]]]


def read_rows(models: Iterable[type[Model]]) -> Rows:
    rows = {}
    with connection.cursor() as cursor:
        for model in models:
            # The unary plus prevents SQLite from converting values to the column's type.
            columns = ", ".join(f'+"{field.column}"' for field in model._meta.concrete_fields)
            cursor.execute(f'SELECT {columns} FROM "{model._meta.db_table}"')
            if stored := cursor.fetchall():
                rows[model] = stored
    return rows


@transaction.atomic
def write_rows(rows: Rows) -> None:
    """Write rows into empty tables. SQLite checks references at the end of the transaction."""
    with connection.cursor() as cursor:
        for model, stored in rows.items():
            columns = ", ".join(f'"{field.column}"' for field in model._meta.concrete_fields)
            places = ", ".join(["%s"] * len(stored[0]))
            cursor.executemany(f'INSERT INTO "{model._meta.db_table}" ({columns}) VALUES ({places})', stored)


FILLED = ("contenttypes", "sites", "catalogue")
"""The apps with rows before a test begins; `installed_once` copies games."""


@dataclass(frozen=True)
class Beginning(Generic[Made]):
    """The start of a test: its return value, its rows, and when they were written."""

    made: Made
    rows: Rows
    written: datetime

    def write_again(self) -> Made:
        """Write the rows with current times and new public ids, because processes cache by these."""
        renewed: dict[object, str] = {}
        for model, stored in self.rows.items():
            for place, field in enumerate(model._meta.concrete_fields):
                if field.default is new_public_id:
                    renewed |= {row[place]: new_public_id() for row in stored}
        delay = timezone.now() - self.written
        rows = {}
        for model, stored in self.rows.items():
            times = [isinstance(field, DateTimeField) for field in model._meta.concrete_fields]
            rows[model] = [
                tuple(
                    str(datetime.fromisoformat(value) + delay) if is_time and value else renewed.get(value, value)
                    for value, is_time in zip(row, times, strict=True)
                )
                for row in stored
            ]
        write_rows(rows)
        return renew(self.made, renewed)


_beginnings: dict[Hashable, Beginning[Any]] = {}


def begin_once(version: PackVersion, key: Hashable, begin: Callable[[], Made]) -> Made:
    """Do what `begin` does in a database that has at most a game: once per process, then by copying rows.

    The key names everything that decides what is written except the game's version. The result consists of texts,
    numbers, tuples and lists, such as primary keys and public ids.
    """
    if connection.vendor != "sqlite" or not _is_untouched():
        return begin()
    whole_key = version.pk, version.content_hash, key
    if whole_key not in _beginnings:
        # The first test gets copies as well, so that all tests start the same.
        with transaction.atomic():
            made = begin()
            _beginnings[whole_key] = Beginning(made, read_rows(_list_models()), timezone.now())
            transaction.set_rollback(True)
    beginning: Beginning[Made] = _beginnings[whole_key]
    return beginning.write_again()


def renew(made: Any, renewed: Mapping[object, str]) -> Any:
    if isinstance(made, tuple | list):
        return type(made)(renew(part, renewed) for part in made)
    return renewed.get(made, made)


@cache
def _list_models() -> tuple[type[Model], ...]:
    models = apps.get_models(include_auto_created=True)
    return tuple(one for one in models if one._meta.app_label not in FILLED and one._meta.model_name != "permission")


def _is_untouched() -> bool:
    tables = " UNION ALL ".join(f'SELECT 1 FROM "{model._meta.db_table}"' for model in _list_models())
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT EXISTS ({tables})")
        return not cursor.fetchone()[0]
