"""Statements that Django composes once and that are run again and again: `docs/adr/0030-statements-composed-once.md`.

Composing SQL takes Django several times as long as a database needs to find or change one row.
"""

import threading
from collections.abc import Mapping
from typing import Any, Generic, NamedTuple, TypeVar, cast

from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Field, Model, QuerySet
from django.db.models.query import ModelIterable
from django.db.models.sql import InsertQuery, UpdateQuery
from django.db.models.sql.compiler import SQLCompiler

M = TypeVar("M", bound=Model)

MARK = "the value that is asked for"


class _ComposedQuery(NamedTuple):
    """A query in SQL, with its parameters before and after the value, and what makes rows of the answer."""

    connection: BaseDatabaseWrapper
    compiler: SQLCompiler
    rows: "ModelIterable[Any]"
    sql: str
    before: tuple[Any, ...]
    after: tuple[Any, ...]


class PreparedQuery(Generic[M]):
    """Finds the row that has a value in a `column` of texts whose values are unique, out of `rows`.

    All else is as Django does it: what is selected, rows of other tables that come along, conversions.
    """

    def __init__(self, rows: QuerySet[M], column: str) -> None:
        self.model = rows.model
        self._rows = rows
        self._column = column
        # What composes SQL and reads the answer belongs to a connection, and so to a thread.
        self._own = threading.local()

    def get(self, **asked: str | None) -> M:
        """Return the row by `column=value`, as the method of a query set does; raises DoesNotExist."""
        if asked.keys() != {self._column}:
            raise TypeError(f"This query is prepared for {self._column}, not for {', '.join(asked) or 'nothing'}")
        composed = self._find_composed()
        answer = composed.sql, (*composed.before, asked[self._column], *composed.after)
        composed.compiler.as_sql = lambda *args, **options: answer  # type: ignore[method-assign]  # this one only
        row: M | None = next(iter(composed.rows), None)
        if row is None:
            raise self.model.DoesNotExist  # type: ignore[attr-defined]  # each model has its own
        return row

    def _find_composed(self) -> _ComposedQuery:
        composed: _ComposedQuery | None = getattr(self._own, "composed", None)
        if composed is None or composed.connection is not connections[self._rows.db]:
            composed = self._own.composed = self._compose()
        return composed

    def _compose(self) -> _ComposedQuery:
        rows = self._rows.filter(**{self._column: MARK}).order_by()
        connection = connections[rows.db]
        compiler = rows.query.get_compiler(connection=connection)
        sql, parameters = compiler.as_sql()
        place = parameters.index(MARK)
        # Rows are made by this compiler, not by a new one each time.
        rows.query.get_compiler = lambda *args, **options: compiler  # type: ignore[method-assign]  # of this query only
        before, after = tuple(parameters[:place]), tuple(parameters[place + 1 :])
        return _ComposedQuery(connection, compiler, ModelIterable(rows), sql, before, after)


FIRST_MARK = 1_000_001
"""Numbers from here on stand for what is asked of the columns, one each."""


class _ComposedUpdate(NamedTuple):
    """An update in SQL, with the fields that it sets and the columns that it asks about, in the order of parameters."""

    sql: str
    fields: tuple["Field[Any, Any]", ...]
    asked: tuple[str, ...]


class PreparedUpdate(Generic[M]):
    """Changes the row whose `columns`, which hold whole numbers, are as they were read."""

    def __init__(self, model: type[M], *columns: str) -> None:
        self._rows = model._default_manager.all()
        self._columns = columns
        self._composed: dict[tuple[str, ...], _ComposedUpdate] = {}

    def run(self, values: Mapping[str, Any], **asked: int) -> bool:
        """Set values by the names of their fields where each column is as `asked`; return whether there was such a row.

        Inside a transaction, as an error does not end one.
        """
        connection = connections[self._rows.db]
        # Django writes NULL into the SQL itself.
        given = {name: value for name, value in values.items() if value is not None}
        key = (connection.alias, *values, "", *given)
        composed = self._composed.get(key)
        if composed is None:
            composed = self._composed[key] = self._compose(values, given)
        parameters = [_prepare_value(field, given[field.name], connection) for field in composed.fields]
        with connection.cursor() as cursor:
            cursor.execute(composed.sql, (*parameters, *(asked[column] for column in composed.asked)))
            return bool(cursor.rowcount)

    def _compose(self, values: Mapping[str, Any], given: Mapping[str, Any]) -> _ComposedUpdate:
        marks = {column: FIRST_MARK + place for place, column in enumerate(self._columns)}
        query = cast("UpdateQuery", self._rows.order_by().filter(**marks).query.chain(UpdateQuery))
        query.add_update_values(dict(values))
        sql, parameters = query.get_compiler(self._rows.db).as_sql()
        asked = sorted(marks, key=lambda column: parameters.index(marks[column], len(given)))
        fields = {field.name: field for field in self._rows.model._meta.concrete_fields}
        return _ComposedUpdate(sql, tuple(fields[name] for name in given), tuple(asked))


class PreparedInsert(Generic[M]):
    """Stores new rows of a model whose values are all given in Python, its key apart. Nobody is told by signals."""

    def __init__(self, model: type[M]) -> None:
        self._model = model
        self._fields = [field for field in model._meta.concrete_fields if not field.primary_key]
        self._sql: dict[str, str] = {}

    def run(self, row: M) -> None:
        """Store a row that is in no database yet, and give it its key."""
        connection = connections[self._model._default_manager.db]
        values = [_prepare_value(field, field.pre_save(row, add=True), connection) for field in self._fields]
        sql = self._sql.get(connection.alias)
        if sql is None:
            sql = self._sql[connection.alias] = self._compose(row, connection)
        with connection.cursor() as cursor:
            cursor.execute(sql, values)
            [row.pk] = cursor.fetchone()
        row._state.adding, row._state.db = False, connection.alias

    def _compose(self, row: M, connection: BaseDatabaseWrapper) -> str:
        query = InsertQuery(self._model)
        query.insert_values(self._fields, [row])
        compiler = query.get_compiler(connection=connection)
        compiler.returning_fields = [self._model._meta.pk]
        [(sql, _)] = compiler.as_sql()
        return str(sql)


def _prepare_value(field: "Field[Any, Any]", value: Any, connection: BaseDatabaseWrapper) -> Any:
    if isinstance(value, Model):
        return value.pk
    return field.get_db_prep_save(value, connection)
