"""Divide listings into pages. Every listing of the API can be read page by page, and none is cut off silently.

A cursor says how many rows come before a page, and names the last of them. If rows have been added or deleted since,
the page still begins after the named row.
"""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from django.db.models import Model, QuerySet
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import ValidationError
from rest_framework.pagination import LimitOffsetPagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import remove_query_param, replace_query_param
from rest_framework.views import APIView

Row = TypeVar("Row")

MOST_ROWS = 200
LONGEST_CURSOR = 1000
MOST_DIGITS = 9

CURSOR = OpenApiParameter(
    "cursor", OpenApiTypes.STR, description="The page to read. `Link` of an answer has the address of the next page."
)
LIMIT = OpenApiParameter(
    "limit",
    OpenApiTypes.INT,
    description=f"How many rows a page has, at most {MOST_ROWS}. Without `limit` and `cursor` you get all rows.",
)
PAGED = [LIMIT, CURSOR]


def read_whole_number(request: Request, name: str, *, usual: int, most: int = 10**MOST_DIGITS - 1) -> int:
    """Return a whole number of at least 1 from the query. Raises ValidationError."""
    text = request.query_params.get(name, "")
    if not text:
        return usual
    if not (text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS and 1 <= int(text) <= most):
        raise ValidationError({name: [_("Write a whole number from 1 to %(most)s.") % {"most": most}]})
    return int(text)


def link_next(answer: Response, address: str | None) -> Response:
    """Name the next page in a header (RFC 8288), if there is one."""
    if address:
        answer["Link"] = f'<{address}>; rel="next"'
    return answer


def answer_page(
    request: Request,
    rows: Sequence[Row] | QuerySet[Any],
    serialize: Callable[[list[Row]], Sequence[Any]],
    name_row: Callable[[Row], object],
    *,
    limit: str = "limit",
    most: int | None = None,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """Answer with the rows of the page that a request asks for, or with all of them.

    `name_row` returns a value that identifies a row. `limit` is the name of the parameter for the number of rows. With
    `most`, no answer has more rows than that.
    """
    wants_page = request.query_params.get(limit) or request.query_params.get("cursor")
    if not wants_page and most is None:
        return Response(serialize(list(rows)), headers=dict(headers or {}))
    size = read_whole_number(request, limit, usual=most or MOST_ROWS, most=most or MOST_ROWS)
    start = find_start(request, rows, name_row)
    page: list[Row] = list(rows[start : start + size + 1])
    following = None
    if len(page) > size:
        page.pop()
        following = replace_query_param(
            request.build_absolute_uri(), "cursor", write_cursor(start + size, name_row(page[-1]))
        )
    return link_next(Response(serialize(page), headers=dict(headers or {})), following)


def refuse_cursor() -> ValidationError:
    return ValidationError({"cursor": [_("There is no such page. Leave out the cursor to begin again.")]})


def write_cursor(position: int, name: object) -> str:
    return urlsafe_b64encode(json.dumps([position, str(name)]).encode()).decode().rstrip("=")


def find_start(request: Request, rows: Sequence[Any] | QuerySet[Any], name_row: Callable[[Any], object]) -> int:
    """Return how many rows come before the page of the cursor. Raises ValidationError."""
    text = request.query_params.get("cursor", "")
    if not text:
        return 0
    try:
        padded = text[:LONGEST_CURSOR] + "=" * (-len(text[:LONGEST_CURSOR]) % 4)
        position, name = json.loads(urlsafe_b64decode(padded.encode("ascii")))
        is_readable = isinstance(position, int) and 1 <= position < 10**MOST_DIGITS and isinstance(name, str)
    except (ValueError, TypeError, RecursionError):
        is_readable = False
    if not is_readable:
        raise refuse_cursor()
    before = list(rows[position - 1 : position])
    if before and str(name_row(before[0])) == name:
        return int(position)
    for number, row in enumerate(rows, 1):
        if str(name_row(row)) == name:
            return number
    raise ValidationError({"cursor": [_("The rows have changed since. Leave out the cursor to begin again.")]})


def _get_pk(row: Model) -> object:
    return row.pk


class Pages(LimitOffsetPagination):
    """`limit` is at most 200, by default 50. `next` is the address of the next page, null on the last one."""

    default_limit = 50
    max_limit = MOST_ROWS

    def paginate_queryset(
        self, queryset: QuerySet[Any] | Sequence[Any], request: Request, view: APIView | None = None
    ) -> list[Any] | None:
        self._rows = queryset
        self._page = super().paginate_queryset(queryset, request, view) or []
        return self._page

    def get_limit(self, request: Request) -> int:
        return read_whole_number(request, "limit", usual=self.default_limit, most=self.max_limit)

    def get_offset(self, request: Request) -> int:
        if request.query_params.get("cursor"):
            return find_start(request, self._rows, _get_pk)
        return 0 if request.query_params.get("offset") == "0" else read_whole_number(request, "offset", usual=0)

    def get_next_link(self) -> str | None:
        following = super().get_next_link()
        if following is None or not self._page:
            return None
        cursor = write_cursor((self.offset or 0) + len(self._page), _get_pk(self._page[-1]))
        return replace_query_param(remove_query_param(following, "offset"), "cursor", cursor)

    def get_previous_link(self) -> str | None:
        previous = super().get_previous_link()
        return previous and remove_query_param(previous, "cursor")

    def get_schema_operation_parameters(self, view: APIView) -> list[dict[str, Any]]:
        cursor = {"name": "cursor", "required": False, "in": "query", "schema": {"type": "string"}}
        return [
            *super().get_schema_operation_parameters(view),
            {**cursor, "description": "The page to read, as in `next`."},
        ]

    def get_paginated_response(self, data: Any) -> Response:
        return link_next(super().get_paginated_response(data), self.get_next_link())
