"""Printed sheets of lists: one for everybody who has its address, several in one file for their owner."""

from dataclasses import replace

from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import get_conditional_response
from django.utils.http import content_disposition_header
from django.utils.text import slugify
from django.utils.translation import gettext as _

from catalogue.views.decorators import add_link_headers, allow
from roster.models import Roster
from roster.pdf.print_job import PrintJob
from roster.pdf.render_lock import RendererBusy
from roster.pdf.sheet_job import MOST_SHEETS, SheetBatchJob, SheetJob, create_sheet_job
from roster.pdf.sheet_options import BadOptionError, SheetOptions, Style, read_options
from roster.services.organize import select_lists
from roster.services.owners import identify_visitor, is_owner
from roster.services.revisions import PaperState, find_shown_revision
from roster.services.sharing import is_redacted_for
from roster.views.lists.access import find_linked_roster, read_requested_revision


@allow("GET")
def print_sheet(request: HttpRequest, link_id: str) -> HttpResponse:
    roster, visitor = find_linked_roster(request, link_id), identify_visitor(request)
    try:
        options = read_options(request.GET.dict())
    except BadOptionError as error:
        text = _("“%(given)s” is no %(name)s of a sheet. There are: %(known)s.")
        figures = {"given": error.given[:40], "name": error.name, "known": ", ".join(error.known)}
        raise BadRequest(text % figures) from None
    if is_redacted_for(roster, visitor):
        options = replace(options, style=Style.VEILED)
    shown = find_shown_revision(roster, *read_requested_revision(request), owned=is_owner(visitor, roster))
    if shown.paper is PaperState.UNKNOWN:
        raise Http404
    job = _create_job(request, shown.roster, options)
    return answer_print(request, job, _name_sheet(shown.roster, options))


@allow("GET")
def print_many_sheets(request: HttpRequest) -> HttpResponse:
    """Print the lists given as `list`, in that order, as one file; the options are those of one sheet."""
    ids = list(dict.fromkeys(request.GET.getlist("list")))
    if len(ids) > MOST_SHEETS:
        raise BadRequest(_("At most %d lists are printed at once.") % MOST_SHEETS)
    try:
        options = read_options({name: value for name, value in request.GET.dict().items() if name != "list"})
    except BadOptionError as error:
        raise BadRequest(_("There is no such option of a sheet.")) from error
    rosters = select_lists(identify_visitor(request), ids).select_related("version__game", "plan")
    by_id = {roster.public_id: roster for roster in rosters}
    if not ids or len(by_id) != len(ids):
        raise Http404
    jobs = [_create_job(request, by_id[public_id], options) for public_id in ids]
    return answer_print(request, SheetBatchJob(tuple(jobs)), "lists")


def _create_job(request: HttpRequest, roster: Roster, options: SheetOptions) -> SheetJob:
    return create_sheet_job(roster, options, address=request.build_absolute_uri(roster.get_absolute_url()))


def answer_print(request: HttpRequest, job: PrintJob, name: str) -> HttpResponse:
    """Answer with the file of a job, called `name`.pdf; made only if the reader does not have it already."""
    not_modified = get_conditional_response(request, etag=job.etag)
    if isinstance(not_modified, HttpResponse):
        return not_modified
    try:
        pdf = job.render()
    except RendererBusy as busy:
        answer = render(request, "paper/busy.html", {"busy": busy}, status=503)
        answer["Retry-After"] = str(busy.retry_after)
        return answer
    answer = HttpResponse(pdf, content_type="application/pdf")
    answer["Content-Disposition"] = content_disposition_header(False, f"{name}.pdf") or "inline"
    answer["ETag"] = job.etag
    answer["Cache-Control"] = "private, no-cache"
    return add_link_headers(answer, referrer="no-referrer")


def _name_sheet(roster: Roster, options: SheetOptions) -> str:
    """Return "low-water-column-7" for revision 7 of Low water column."""
    kind = "" if options.style is Style.FULL else f"-{options.style.value}"
    return f"{slugify(roster.name, allow_unicode=True) or 'list'}-{roster.head}{kind}"
