"""One address, one template: the whole page, or the part of it that htmx asked for."""

from collections.abc import Mapping
from typing import Any, TypeVar

from django.core.paginator import Page, Paginator
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers

from catalogue.services.finding import LONGEST_TEXT

ROWS_PER_PAGE = 50

Row = TypeVar("Row", bound=Model)


def respond(request: HttpRequest, template: str, context: Mapping[str, Any], part: str) -> HttpResponse:
    """`template`, or only its partial `part` where a piece of the page is to be replaced."""
    headers = request.headers
    wants_part = headers.get("HX-Request") == "true" and headers.get("HX-Request-Type") != "full"
    wants_part = wants_part and "HX-History-Restore-Request" not in headers
    answer = render(request, f"{template}#{part}" if wants_part else template, dict(context))
    patch_vary_headers(answer, ["HX-Request"])
    return answer


def asked(request: HttpRequest, name: str, length: int = LONGEST_TEXT) -> str:
    """Return what the address says of `name`, cut to `length`."""
    return request.GET.get(name, "")[:length].strip()


def one_page(request: HttpRequest, rows: QuerySet[Row]) -> Page[Row]:
    """Return the page of `rows` that the reader asked for, the nearest one where it does not exist."""
    return Paginator(rows, ROWS_PER_PAGE).get_page(request.GET.get("page"))
