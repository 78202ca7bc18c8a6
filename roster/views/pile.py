"""Printing several of one's own lists as one file."""

from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from catalogue.views.methods import allow
from roster.pdf.batch import MOST, render_pile
from roster.pdf.sheet_job import Busy, order_of
from roster.pdf.sheet_options import BadOptionError, SheetOptions, read_options
from roster.services.organize import chosen
from roster.services.owners import visitor_of


@allow("GET")
def pile(request: HttpRequest) -> HttpResponse:
    """The sheets of `list`, given as often as there are lists to print, in that order; options as for one sheet."""
    ids = list(dict.fromkeys(request.GET.getlist("list")))
    if len(ids) > MOST:
        raise BadRequest(_("At most %d lists are printed at once.") % MOST)
    options = _options(request)
    found = chosen(visitor_of(request), ids).select_related("version__game", "plan")
    mine = {roster.public_id: roster for roster in found}
    if not ids or len(mine) != len(ids):
        raise Http404
    orders = [
        order_of(mine[key], options, address=request.build_absolute_uri(mine[key].get_absolute_url()))
        for key in ids
    ]
    try:
        pdf = render_pile(orders)
    except Busy as busy:
        answer = render(request, "paper/busy.html", {"busy": busy}, status=503)
        answer["Retry-After"] = str(busy.retry_after)
        return answer
    answer = HttpResponse(pdf, content_type="application/pdf")
    answer["Content-Disposition"] = 'inline; filename="lists.pdf"'
    answer["Cache-Control"] = "private, no-cache"
    return answer


def _options(request: HttpRequest) -> SheetOptions:
    given = {name: value for name, value in request.GET.dict().items() if name != "list"}
    try:
        return read_options(given)
    except BadOptionError as error:
        raise BadRequest(_("There is no such option of a sheet.")) from error
