"""Count the queries of a request; the outermost middleware in tests."""

from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

from django.db import connections
from django.http import HttpRequest, HttpResponse


class CountedQueriesMiddleware:
    """Writes the queries at each database into the header `Queries`, without those about positions in the log."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        queries: Counter[str] = Counter()
        with ExitStack() as stack:
            for alias in connections:
                stack.enter_context(connections[alias].execute_wrapper(_Count(alias, queries)))
            answer = self.get_response(request)
        answer["Queries"] = " ".join(f"{alias}={number}" for alias, number in queries.items())
        return answer


class _Count:
    def __init__(self, alias: str, queries: Counter[str]) -> None:
        self.alias, self.queries = alias, queries

    def __call__(self, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        self.queries[self.alias] += "_lsn" not in sql
        return execute(sql, params, many, context)
