from collections.abc import Mapping

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from catalogue.views.decorators import allow, hide_linked_page
from catalogue.views.importing import answer_started_job
from catalogue.views.responses import HtmxRequest, redirect_after_post, render_form
from roster.events import wording
from roster.events.models import Event, Pairing
from roster.events.services import pairings as verbs
from roster.events.services.access import EventStanding
from roster.events.services.exports import describe_standing, write_csv
from roster.events.views.access import get_person, open_event, open_settings
from roster.events.views.forms import PairingsForm, RoundForm
from roster.formats.column_headings import PAIRINGS
from roster.pdf.sheet_options import read_options
from roster.services.outcomes import Refused
from roster.views.requests import parse_whole_number

QUESTIONS_AT_ONCE = 20


@allow("GET", "POST")
@hide_linked_page()
def show_pairings(request: HtmxRequest, public_id: str) -> HttpResponseBase:
    standing = open_event(request, public_id)
    if request.method == "POST" and not standing.is_judge:
        return _report_own_result(request, standing)
    if request.method == "POST":
        return _change_round(request, standing)
    rounds = verbs.list_rounds(standing)
    chosen = parse_whole_number(request.GET.get("round", "")) or 0
    number = chosen if chosen in rounds else max(rounds, default=0)
    tables = list(verbs.filter_shown_pairings(standing).filter(round=number))
    context = {
        "page": "events",
        "event": standing.event,
        "standing": standing,
        "rounds": rounds,
        "number": number,
        "tables": tables,
        "is_shown": bool(tables) and tables[0].published is not None,
        "reportable": next((table.pk for table in tables if verbs.may_report(standing, table)), 0),
        "mine": {standing.participant.pk} if standing.participant else set(),
    }
    return render(request, "events/pairings.html", context)


def _report_own_result(request: HttpRequest, standing: EventStanding) -> HttpResponse:
    fields = RoundForm(request.POST).read_fields()
    if fields["do"] != "report" or len(fields["results"]) != 1:
        raise Http404
    ((pairing_id, points),) = fields["results"].items()
    try:
        refused = verbs.report_result(standing, pairing_id, points)
    except Pairing.DoesNotExist:
        raise Http404 from None
    if refused:
        messages.error(request, wording.explain_refusal(refused))
    else:
        messages.success(request, _("Saved."))
    return redirect_after_post("events:pairings", standing.event.public_id, query=f"round={fields['round'] or 0}")


def _change_round(request: HtmxRequest, standing: EventStanding) -> HttpResponse:
    event, person, fields = standing.event, get_person(request), RoundForm(request.POST).read_fields()
    number, do = fields["round"] or 0, fields["do"]
    if not event.pairings.filter(round=number).exists():
        raise Http404
    if not standing.is_organiser and do not in ("results", "print"):
        raise Http404
    match do:
        case "print":
            from roster.events.pdf.booklet_steps import start_table_sheets  # WeasyPrint takes half a second to import

            if standing.is_blind:
                raise Http404
            options = read_options({"style": "summary"} | ({"ink": "saver"} if fields["ink"] else {}))
            site = request.build_absolute_uri("/").rstrip("/")
            return answer_started_job(request, start_table_sheets(event, person, number, options, site))
        case "results":
            verbs.set_results(event, person, number, fields["results"])
            messages.success(request, _("Saved."))
        case "delete":
            verbs.delete_round(event, person, number)
        case "publish" | "unpublish":
            verbs.publish_round(event, person, number, is_shown=do == "publish")
    return redirect_after_post("events:pairings", event.public_id, query=f"round={number}")


@allow("GET", "POST")
@hide_linked_page()
def bring_pairings(request: HttpRequest, public_id: str) -> HttpResponseBase:
    standing = open_settings(request, public_id)
    event = standing.event
    if request.method != "POST":
        return _render_bringing(request, standing, PairingsForm())
    form = PairingsForm(request.POST, request.FILES)
    fields = form.read_fields()
    if not fields["table"].strip():
        return _render_bringing(request, standing, form, wrong=_("Choose a file, or paste a table."))
    draft = verbs.draft_pairings(event, fields["table"], fields["columns"], fields["answers"])
    if isinstance(draft, Refused):
        return _render_bringing(request, standing, form, wrong=wording.explain_refusal(draft))
    if draft.is_open:
        return _render_bringing(request, standing, form, draft=draft, answers=fields["answers"])
    stored = verbs.keep_pairings(event, get_person(request), draft, fields["round"])
    if isinstance(stored, Refused):
        return _render_bringing(request, standing, form, draft=draft, wrong=wording.explain_refusal(stored))
    messages.success(request, ngettext("%d table imported.", "%d tables imported.", len(stored)) % len(stored))
    return redirect_after_post("events:pairings", event.public_id, query=f"round={stored[-1].round}")


NO_ANSWERS: Mapping[str, str] = {}


def _render_bringing(
    request: HttpRequest,
    standing: EventStanding,
    form: PairingsForm,
    *,
    draft: verbs.PairingDraft | None = None,
    answers: Mapping[str, str] = NO_ANSWERS,
    wrong: str = "",
) -> HttpResponse:
    event: Event = standing.event
    context = {
        "page": "events",
        "event": event,
        "standing": standing,
        "text": form.cleaned_data["table"] if form.is_bound else "",
        "draft": draft,
        "questions": draft.questions[:QUESTIONS_AT_ONCE] if draft else [],
        "answers": answers.items(),
        "round": form.data.get("round") or verbs.find_next_round(event),
        "wrong": wrong,
    }
    if draft and draft.table:
        # The first lines show what is in each column.
        context |= {
            "columns": [(meaning, wording.COLUMNS[meaning], draft.mapping.get(meaning, "")) for meaning in PAIRINGS],
            "keys": draft.table.keys,
            "sample": draft.table.lines[:3],
        }
    return render_form(request, "events/bring_pairings.html", context)


@allow("GET")
@hide_linked_page()
def show_standings(request: HttpRequest, public_id: str) -> HttpResponse:
    standing = open_event(request, public_id)
    lines = verbs.list_shown_standings(standing)
    context = {"page": "events", "event": standing.event, "standing": standing, "lines": lines}
    return render(request, "events/standings.html", context)


@allow("GET")
@hide_linked_page()
def export_standings(request: HttpRequest, public_id: str) -> HttpResponse:
    standing = open_event(request, public_id)
    content = write_csv(describe_standing(line) for line in verbs.list_shown_standings(standing))
    name = f"{slugify(standing.event.name) or 'event'}-standings.csv"
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "private, no-store"}
    return HttpResponse(content, content_type="text/csv; charset=utf-8", headers=headers)
