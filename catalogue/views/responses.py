from collections.abc import Mapping
from typing import Any, TypeVar

from django.core.paginator import Page, Paginator
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import render, resolve_url
from django_htmx.middleware import HtmxDetails

from catalogue.services.search import LONGEST_TEXT

ROWS_PER_PAGE = 50
BAD_FORM, CONFLICT, REFUSED = 400, 409, 422

Row = TypeVar("Row", bound=Model)


class HtmxRequest(HttpRequest):
    """A request whose `htmx` is true if it asks for a fragment."""

    htmx: HtmxDetails


def render_page(
    request: HtmxRequest, template: str, context: Mapping[str, Any], fragment: str, status: int = 200
) -> HttpResponse:
    """Render only the partial `fragment` for htmx."""
    name = f"{template}#{fragment}" if request.htmx else template
    return render(request, name, dict(context), status=status)


def render_form(request: HttpRequest, template: str, context: Mapping[str, Any]) -> HttpResponse:
    """Render a form, with status REFUSED if the context has `wrong`."""
    return render(request, template, dict(context), status=REFUSED if context["wrong"] else 200)


def redirect_after_post(to: Any, *args: str, query: str = "", anchor: str = "") -> HttpResponse:
    """Redirect with 303: after Django's 302, clients may repeat the method."""
    address = resolve_url(to, *args)
    if query:
        address += f"?{query}"
    if anchor:
        address += f"#{anchor}"
    return HttpResponseRedirect(address, status=303)


def note_storage_failure(answer: HttpResponse) -> HttpResponse:
    """Note on an answer that it lacks stored files, so that it is not repeated as if a database had failed."""
    answer.lacks_files = True  # type: ignore[attr-defined]  # read by `lacks_files`
    return answer


def lacks_files(answer: HttpResponseBase) -> bool:
    return getattr(answer, "lacks_files", False)


def read_query(request: HttpRequest, name: str, length: int = LONGEST_TEXT) -> str:
    return request.GET.get(name, "")[:length].strip()


def paginate_rows(request: HttpRequest, rows: QuerySet[Row]) -> Page[Row]:
    """Return the requested page, or the nearest."""
    return Paginator(rows, ROWS_PER_PAGE).get_page(request.GET.get("page"))
