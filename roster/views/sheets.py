"""The printed sheet of a list, for everybody who has its address."""

from dataclasses import replace

from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import get_conditional_response
from django.utils.http import content_disposition_header
from django.utils.text import slugify
from django.utils.translation import gettext as _

from catalogue.views.methods import allow
from roster.models import Roster
from roster.pdf.sheet_job import Busy, Order, order_of, render_sheet
from roster.pdf.sheet_options import BadOptionError, SheetOptions, Style, read_options
from roster.services.owners import owns, visitor_of
from roster.services.revisions import Paper, shown_at
from roster.services.sharing import veiled
from roster.views.lists import asked_for, read_roster


@allow("GET")
def sheet(request: HttpRequest, link_id: str) -> HttpResponse:
    roster, options, visitor = read_roster(request, link_id), _options(request), visitor_of(request)
    if veiled(roster, visitor):
        options = replace(options, style=Style.VEILED)
    shown = shown_at(roster, *asked_for(request), owned=owns(visitor, roster))
    if shown.paper is Paper.UNKNOWN:
        raise Http404
    order = order_of(shown.roster, options, address=request.build_absolute_uri(roster.get_absolute_url()))
    etag = f'"{order.key}"'
    known = get_conditional_response(request, etag=etag)
    if isinstance(known, HttpResponse):
        return known
    return _answer(request, order, etag, _file_name(shown.roster, options))


def _options(request: HttpRequest) -> SheetOptions:
    try:
        return read_options(request.GET.dict())
    except BadOptionError as error:
        said = _("“%(given)s” is no %(name)s of a sheet. There are: %(known)s.")
        raise BadRequest(
            said % {"given": error.given[:40], "name": error.name, "known": ", ".join(error.known)}
        ) from None


def _answer(request: HttpRequest, order: Order, etag: str, name: str) -> HttpResponse:
    try:
        pdf = render_sheet(order)
    except Busy as busy:
        return busy_page(request, busy)
    answer = HttpResponse(pdf, content_type="application/pdf")
    answer["Content-Disposition"] = content_disposition_header(False, name) or "inline"
    answer["ETag"] = etag
    answer["Cache-Control"] = "private, no-cache"
    answer["X-Robots-Tag"] = "noindex, nofollow"
    answer["Referrer-Policy"] = "no-referrer"
    return answer


def busy_page(request: HttpRequest, busy: Busy) -> HttpResponse:
    """That nothing can be printed now, and when to ask again."""
    answer = render(request, "paper/busy.html", {"busy": busy}, status=503)
    answer["Retry-After"] = str(busy.retry_after)
    return answer


def _file_name(roster: Roster, options: SheetOptions) -> str:
    """Low water column, revision 7: low-water-column-7.pdf."""
    kind = "" if options.style is Style.FULL else f"-{options.style.value}"
    return f"{slugify(roster.name, allow_unicode=True) or 'list'}-{roster.head}{kind}.pdf"
