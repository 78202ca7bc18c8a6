"""Printed sheets of one list or several."""

from collections.abc import Mapping
from typing import cast

from django.contrib.auth.models import User
from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from catalogue.services.jobs import start_job
from catalogue.views.decorators import allow
from catalogue.views.importing import answer_started_job
from catalogue.views.responses import HtmxRequest
from roster.pdf.batch_steps import PRINT_JOB, create_batch_job, select_printed_lists
from roster.pdf.imposition.print_cards import CannotPrintError
from roster.pdf.print_answer import MissingLettersError, answer_with_pdf
from roster.pdf.print_job import PrintJob
from roster.pdf.render_lock import RendererBusy
from roster.pdf.sheet_job import MOST_SHEETS, SheetJob, find_sheet_to_print
from roster.pdf.sheet_options import BadOptionError, SheetOptions, read_options
from roster.services.owners import identify_visitor
from roster.views.forms import read_requested_revision
from roster.views.requests import find_linked_roster
from roster.wording.cards import (
    explain_ended_print,
    explain_missing_letters,
    explain_refused_print,
    explain_sheet_choices,
)

MOST_AT_ONCE = 3
"""How many lists are laid out while the reader waits; more become a background job."""


@allow("GET")
def print_sheet(request: HttpRequest, link_id: str) -> HttpResponse:
    roster, visitor = find_linked_roster(request, link_id), identify_visitor(request)
    try:
        options = read_options(request.GET.dict())
    except BadOptionError as error:
        raise BadRequest(explain_sheet_choices(error.name, error.given, error.choices)) from None
    number, content_hash = read_requested_revision(request.GET)
    sheet = find_sheet_to_print(roster, visitor, options, number, content_hash, request.build_absolute_uri)
    if sheet is None:
        raise Http404
    return answer_print(request, sheet.job, sheet.name)


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
    try:
        return answer_with_pdf(request, job, name)
    except MissingLettersError as missing:
        given = request.GET.copy()
        given["letters"] = "1"
        context = {
            "detail": explain_missing_letters(missing.letters),
            "packages": ", ".join(missing.packages),
            "anyway": given.urlencode(),
        }
        return render(request, "roster/missing_letters.html", context)
    except RendererBusy as busy:
        # Only the sheet of one list has a shorter style.
        has_summary = isinstance(job, SheetJob) and job.options.has_summary
        detail = explain_ended_print(is_broken=busy.is_broken, has_summary=has_summary)
        words = {"busy": busy, "has_summary": has_summary, "detail": detail}
        waiting = render(request, "paper/busy.html", words, status=503)
        waiting["Retry-After"] = str(busy.retry_after)
        if not busy.too_slow:
            # The browser tries again and keeps its place in the queue.
            waiting["Refresh"] = str(busy.retry_after)
        return waiting
    except CannotPrintError as error:
        return explain_cannot_print(request, error)


def explain_cannot_print(request: HttpRequest, error: CannotPrintError) -> HttpResponse:
    detail = explain_refused_print(error.code, error.figures)
    return render(request, "roster/cannot_print.html", {"detail": detail}, status=422)
