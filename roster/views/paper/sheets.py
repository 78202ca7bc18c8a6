"""Printed sheets of one list or several."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import cast

from django.contrib.auth.models import User
from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import get_conditional_response
from django.utils.http import content_disposition_header
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from catalogue.services.jobs import start_job
from catalogue.views.decorators import add_link_headers, allow
from catalogue.views.importing import answer_started_job
from catalogue.views.responses import HtmxRequest
from roster.pdf.batch_steps import PRINT_JOB, create_batch_job, select_printed_lists
from roster.pdf.imposition.print_cards import CannotPrintError
from roster.pdf.print_job import LONGEST_WAIT, PrintJob
from roster.pdf.render_lock import RendererBusy
from roster.pdf.sheet_job import MOST_SHEETS, SheetJob, create_sheet_job
from roster.pdf.sheet_options import BadOptionError, SheetOptions, Style, read_options
from roster.pdf.type.installed_fonts import find_unprintable_letters, name_font_packages
from roster.services.owners import identify_visitor, is_owner
from roster.services.revisions import PaperState, find_shown_revision
from roster.services.sharing import is_redacted_for
from roster.views.forms import read_requested_revision
from roster.views.requests import charge_processor_time, find_linked_roster, give_turn_back
from roster.wording.cards import explain_refused_print

MOST_AT_ONCE = 3
"""How many lists are laid out while the reader waits; more become a background job."""


@allow("GET")
def print_sheet(request: HttpRequest, link_id: str) -> HttpResponse:
    roster, visitor = find_linked_roster(request, link_id), identify_visitor(request)
    try:
        options = read_options(request.GET.dict())
    except BadOptionError as error:
        text = _("“%(given)s” isn’t a valid %(name)s for a sheet. Choose one of: %(known)s.")
        figures = {"given": error.given[:40], "name": error.name, "known": ", ".join(error.choices)}
        raise BadRequest(text % figures) from None
    if is_redacted_for(roster, visitor):
        options = replace(options, style=Style.VEILED)
    shown_list = find_shown_revision(roster, *read_requested_revision(request.GET), owned=is_owner(visitor, roster))
    if shown_list.paper is PaperState.UNKNOWN:
        raise Http404
    listed = shown_list.roster
    job = create_sheet_job(listed, options, address=request.build_absolute_uri(listed.get_absolute_url()))
    # Such as "low-water-column-7" for revision 7 of Low water column.
    kind = "" if options.style is Style.FULL else f"-{options.style.value}"
    return answer_print(request, job, f"{slugify(listed.name, allow_unicode=True) or 'list'}-{listed.head}{kind}")


@allow("GET")
def print_many_sheets(request: HttpRequest) -> HttpResponse:
    """Print the lists given as `list`, in order, as one file.

    Many lists of an account become a background job, whose file `now` requests.
    """
    ids = list(dict.fromkeys(request.GET.getlist("list")))
    if len(ids) > MOST_SHEETS:
        raise BadRequest(_("At most %d lists are printed at once.") % MOST_SHEETS)
    given = request.GET.dict()
    is_awaited = given.pop("now", None) is not None
    given.pop("list", None)
    options = read_asked_options(given)
    visitor = identify_visitor(request)
    rosters = select_printed_lists(visitor, ids)
    if not ids or len(rosters) != len(ids):
        raise Http404
    batch = create_batch_job(rosters, options, request.build_absolute_uri("/").rstrip("/"))
    is_long = len(ids) > MOST_AT_ONCE and visitor.user_id is not None
    if is_long and not is_awaited and not batch.is_finished:
        return _print_in_background(request, ids)
    return answer_print(request, batch, "lists")


def _print_in_background(request: HttpRequest, ids: list[str]) -> HttpResponse:
    given = request.GET.copy()
    given["now"] = "yes"
    name = ngettext("Print %d list", "Print %d lists", len(ids)) % len(ids)
    options = {name: value for name, value in request.GET.dict().items() if name not in ("list", "now")}
    arguments = {
        "lists": ids,
        "options": options,
        "site": request.build_absolute_uri("/").rstrip("/"),
        "address": f"{request.path}?{given.urlencode()}",
    }
    job = start_job(cast("User", request.user), PRINT_JOB, name, arguments)
    return answer_started_job(cast("HtmxRequest", request), job)


def read_asked_options(given: Mapping[str, str]) -> SheetOptions:
    """Read print options of an address. Raises BadRequest."""
    try:
        return read_options(given)
    except BadOptionError as error:
        raise BadRequest(_("There is no such option of a sheet.")) from error


def answer_print(request: HttpRequest, job: PrintJob, name: str) -> HttpResponse:
    """Return a job's PDF as `name`.pdf, "not modified", or a page with the reason.

    A warning about characters without a print font comes first.
    """
    letters = "" if "letters" in request.GET else find_unprintable_letters(job.texts)
    if letters:
        given = request.GET.copy()
        given["letters"] = "1"
        context = {
            "letters": " ".join(letters[:40]),
            "packages": ", ".join(name_font_packages(letters)),
            "anyway": given.urlencode(),
        }
        return render(request, "roster/missing_letters.html", context)
    not_modified = get_conditional_response(request, etag=job.etag)
    if isinstance(not_modified, HttpResponse):
        return not_modified
    # Printing has its own queue, so let other requests evaluate lists meanwhile.
    give_turn_back(request)
    try:
        pdf = job.render(patience=LONGEST_WAIT, charge=partial(charge_processor_time, request))
    except RendererBusy as busy:
        # Only the sheet of one list has a shorter style.
        has_summary = isinstance(job, SheetJob) and job.options.style in (Style.FULL, Style.OPPONENT)
        waiting = render(request, "paper/busy.html", {"busy": busy, "has_summary": has_summary}, status=503)
        waiting["Retry-After"] = str(busy.retry_after)
        if not busy.too_slow:
            # The browser tries again and keeps its place in the queue.
            waiting["Refresh"] = str(busy.retry_after)
        return waiting
    except CannotPrintError as error:
        return explain_cannot_print(request, error)
    answer = HttpResponse(pdf, content_type="application/pdf")
    answer["Content-Disposition"] = content_disposition_header(False, f"{name}.pdf") or "inline"
    answer["ETag"] = job.etag
    answer["Cache-Control"] = "private, no-cache"
    return add_link_headers(answer, referrer="no-referrer")


def explain_cannot_print(request: HttpRequest, error: CannotPrintError) -> HttpResponse:
    detail = explain_refused_print(error.code, error.figures)
    return render(request, "roster/cannot_print.html", {"detail": detail}, status=422)
