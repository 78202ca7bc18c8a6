from django import forms
from django.contrib import messages
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import override

from catalogue.models import Job
from catalogue.models.jobs import JobState
from catalogue.services.search import has_cards
from catalogue.views.decorators import allow, hide_linked_page
from catalogue.views.importing import answer_started_job
from catalogue.views.responses import HtmxRequest, read_query, redirect_after_post, render_form
from roster.events import wording
from roster.events.models import Event, SubmissionStatus
from roster.events.pdf.booklet_steps import (
    BOOKLET_JOB,
    CARD_KINDS,
    PDF,
    ZIP,
    BookletChoice,
    load_booklet,
    load_parts,
    start_booklet,
    write_archive,
)
from roster.events.pdf.handouts import HandoutJob, name_handout
from roster.events.services.access import EventStanding
from roster.events.services.audit import record_look
from roster.events.services.handouts import Handout, list_checks, list_tables
from roster.events.services.pairings import list_rounds
from roster.events.services.papers import check_paper, read_digits
from roster.events.views.access import answer_blind, get_person, open_bench
from roster.events.views.forms import TypedListField
from roster.pdf.sheet_options import Ink, PaperSize, Style, read_options
from roster.services.outcomes import Refused
from roster.views.forms import make_choices
from roster.views.paper.sheets import answer_print, read_asked_options
from roster.views.requests import parse_whole_number

STYLES = (Style.FULL, Style.SUMMARY, Style.OPPONENT, Style.VEILED)
"""The sheets that organisers hand out."""
LONGEST_CODE = 400
"""In characters of the address."""


class PrintForm(forms.Form):
    paper = forms.ChoiceField(choices=make_choices(*PaperSize), required=False)
    style = forms.ChoiceField(choices=make_choices(*STYLES), required=False)
    ink = forms.ChoiceField(choices=make_choices(*Ink), required=False)
    ending = forms.ChoiceField(choices=make_choices(PDF, ZIP), required=False)
    what = TypedListField()
    accepted = forms.BooleanField(required=False)


@allow("GET", "POST")
@hide_linked_page()
def show_print(request: HtmxRequest, public_id: str) -> HttpResponseBase:
    standing = open_bench(request, public_id)
    if hidden := answer_blind(request, standing):
        return hidden
    if request.method != "POST":
        return _render_print(request, standing)
    form = PrintForm(request.POST)
    if not form.is_valid():
        return _render_print(request, standing, wording.explain_refusal(Refused(code="bad-change")))
    fields = form.cleaned_data
    choice = BookletChoice(
        options=read_options({name: fields[name] for name in ("paper", "style", "ink") if fields[name]}),
        cards=tuple(kind for kind in CARD_KINDS if kind in fields["what"]),
        accepted=fields["accepted"],
        ending=fields["ending"] or PDF,
    )
    site = request.build_absolute_uri("/").rstrip("/")
    job = start_booklet(standing.event, get_person(request), choice, site)
    if isinstance(job, Refused):
        return _render_print(request, standing, wording.explain_refusal(job))
    return answer_started_job(request, job)


def _render_print(request: HttpRequest, standing: EventStanding, wrong: str = "") -> HttpResponse:
    event = standing.event
    players = event.participants.filter(dropped=False, current__isnull=False)
    context = {
        "page": "events",
        "event": event,
        "standing": standing,
        "lists": players.count(),
        "accepted": players.filter(status=SubmissionStatus.ACCEPTED).count(),
        "has_decks": has_cards(event.version),
        "rounds": list_rounds(standing),
        "handouts": [(kind, name_handout(kind)) for kind in Handout],
        "made": _find_print(request, event, request.GET.get("job", "")),
        "wrong": wrong,
    }
    return render_form(request, "events/print.html", context)


def _find_print(request: HttpRequest, event: Event, public_id: str) -> Job | None:
    mine = Job.objects.defer("payload").filter(user=get_person(request), kind=BOOKLET_JOB, state=JobState.DONE)
    job = mine.filter(public_id=public_id).first()
    return job if job is not None and job.arguments["event"] == event.pk and not job.result.get("wrong") else None


@allow("GET")
@hide_linked_page()
def print_handout(request: HttpRequest, public_id: str, kind: str) -> HttpResponse:
    """Print a round's handout, by default the last round's."""
    standing = open_bench(request, public_id)
    event = standing.event
    if kind not in list(Handout):
        raise Http404
    handout = Handout(kind)
    if handout.shows_lists and (hidden := answer_blind(request, standing)):
        return hidden
    rounds = list_rounds(standing)
    number = parse_whole_number(request.GET.get("round", "")) or max(rounds, default=0)
    site = request.build_absolute_uri("/").rstrip("/")
    tables = list_tables(event, number, site) if handout != Handout.CHECKLIST else ()
    checks = list_checks(event, number) if handout == Handout.CHECKLIST else ()
    is_checklist = handout == Handout.CHECKLIST
    has_games = any(not table.is_bye for table in tables)
    if not (checks if is_checklist else has_games):
        refused = Refused(code="no-lists" if is_checklist else "no-tables")
        return _render_print(request, standing, wording.explain_refusal(refused))
    page = reverse("events:paper" if is_checklist else "events:pairings", args=[event.public_id])
    job = HandoutJob(
        kind=handout,
        event=event.name,
        about=" · ".join(filter(None, (str(event.version.game), event.place))),
        round=number,
        tables=tables,
        checks=checks,
        # A tent stays on its table, so its code leads to the round that is played then.
        link=f"{site}{page}" if is_checklist or handout == Handout.TENTS else f"{site}{page}?round={number}",
        paper=read_asked_options({"paper": request.GET["paper"]} if "paper" in request.GET else {}).paper,
        identity=event.version.game.identity,
    )
    record_look(event, get_person(request), "print-papers", detail=f"{name_handout(handout)} {number or ''}".strip())
    return answer_print(request, job, f"{slugify(event.name, allow_unicode=True) or 'event'}-{handout.value}")


@allow("GET")
@hide_linked_page()
def fetch_print(request: HttpRequest, public_id: str, job: str) -> HttpResponseBase:
    """Download a finished print, or offer to print it again if its file is no longer stored."""
    standing = open_bench(request, public_id)
    event = standing.event
    if hidden := answer_blind(request, standing):
        return hidden
    finished = _find_print(request, event, job)
    if finished is None:
        return redirect_after_post("events:print", public_id)

    name = slugify(event.name, allow_unicode=True) or "event"
    file: HttpResponseBase | None = None
    # Files are stored by the language of the print.
    with override(finished.language):
        if finished.arguments["ending"] == ZIP:
            archive = write_archive(load_parts(event, finished))
            if archive is not None:
                file = FileResponse(archive, as_attachment=True, filename=f"{name}.zip")
        elif pdf := load_booklet(event, finished).read_finished():
            file = HttpResponse(pdf, content_type="application/pdf")
            file["Content-Disposition"] = f'inline; filename="{name}.pdf"'
    if file is None:
        messages.error(request, _("This file is no longer stored. Print it again."))
        return redirect_after_post("events:print", public_id)
    file["Cache-Control"] = "private, no-store"
    return file


@allow("GET")
@hide_linked_page()
def show_paper_check(request: HttpRequest, public_id: str) -> HttpResponse:
    standing = open_bench(request, public_id)
    if hidden := answer_blind(request, standing):
        return hidden
    text = read_query(request, "paper", LONGEST_CODE)
    digits = read_digits(text)
    context = {
        "page": "events",
        "event": standing.event,
        "standing": standing,
        "text": text,
        "digits": digits,
        "matches": check_paper(standing, text) if digits else [],
    }
    return render(request, "events/paper.html", context)
