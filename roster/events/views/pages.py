from base64 import b64decode, b64encode
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.contrib.auth.models import User
from django.core import signing
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _

from catalogue.models import Faction
from catalogue.services.published_games import select_games
from catalogue.views.decorators import allow, hide_linked_page
from catalogue.views.responses import REFUSED, HtmxRequest, redirect_after_post, render_form, render_page
from roster import wording as list_wording
from roster.events import wording
from roster.events.models import Assignment, Event, Participant, Submission
from roster.events.models.checking import Audience, PenaltyState
from roster.events.models.submission import SubmissionSource
from roster.events.services import events as verbs
from roster.events.services.access import (
    EventStanding,
    filter_assigned,
    filter_public_entries,
    is_logged_look,
    list_events,
    may_manage_list,
    may_see_decks,
)
from roster.events.services.audit import LOOK, record_act
from roster.events.services.event_homebrew import lacks_homebrew
from roster.events.services.judging import load_event_rules
from roster.events.services.mail import remember_zone
from roster.events.services.pairings import filter_shown_pairings
from roster.events.services.papers import read_digits
from roster.events.services.reading import ReceivedList, find_submitted_roster, read_link, read_roster, read_upload
from roster.events.services.shown_lists import show_submission
from roster.events.services.submissions import JudgedReceipt, find_terms, judge_received, list_open_entries, submit_list
from roster.events.services.teams import find_doubled_army, weigh_verdict
from roster.events.views.access import ask_to_sign_in, find_player, find_visible_list, get_person, open_event
from roster.events.views.bench import build_panel
from roster.events.views.event_rules import describe_homebrew
from roster.events.views.forms import JoinForm, NewEventForm, SubmissionForm
from roster.formats.text.parse import MAX_TEXT
from roster.pdf.shapes import Imprint
from roster.pdf.sheet_model import build_sheet_model
from roster.services.deck_board import list_card_needs
from roster.services.evaluation import decode_tree
from roster.services.outcomes import Refused
from roster.services.owners import identify_visitor
from roster.services.rosters import list_rosters

SALT = "events.submission"
HELD_HOURS = 24
MOST_LISTS_SHOWN = 200


@allow("GET", "POST")
def show_events(request: HttpRequest) -> HttpResponseBase:
    if request.method != "POST":
        return _render_events(request, {"chosen": "", "name": "", "wrong": ""})
    if sign_in := ask_to_sign_in(request):
        return sign_in
    fields = NewEventForm(request.POST).read_fields()
    game, name = select_games().filter(slug=fields["game"]).first(), fields["name"]
    person, zone = get_person(request), fields["zone"]
    event = verbs.create_event(person, game.shown_version, name, zone) if game else Refused(code="unknown-version")
    if isinstance(event, Refused):
        context = {"chosen": fields["game"], "name": name, "wrong": wording.explain_refusal(event)}
        return _render_events(request, context, REFUSED)
    return redirect_after_post("events:settings", event.public_id)


def _render_events(request: HttpRequest, typed: dict[str, str], status: int = 200) -> HttpResponse:
    context = {
        "page": "events",
        "events": list(list_events(request.user)[:200]),
        "games": [(game.slug, str(game)) for game in select_games()],
        **typed,
    }
    return render(request, "events/events.html", context, status=status)


@allow("GET", "POST")
@hide_linked_page()
def join(request: HttpRequest, token: str) -> HttpResponseBase:
    event = verbs.find_invitation(token)
    if event is None:
        raise Http404
    if request.method != "POST":
        return render(request, "events/join.html", {"page": "events", "event": event})
    if sign_in := ask_to_sign_in(request):
        return sign_in
    fields = JoinForm(request.POST).read_fields()
    remember_zone(get_person(request), fields["zone"])
    entered = verbs.join_event(event, get_person(request), fields["name"])
    if isinstance(entered, Refused):
        context = {"page": "events", "event": event, "wrong": wording.explain_refusal(entered)}
        return render(request, "events/join.html", context, status=REFUSED)
    return redirect_after_post("events:event", event.public_id)


@allow("GET")
@hide_linked_page()
def show_event(request: HttpRequest, public_id: str) -> HttpResponse:
    standing = open_event(request, public_id)
    event = standing.event
    managed: list[Participant] = []
    if standing.user is not None:
        entries = event.participants.select_related("current", "team", "event")
        managed = list(entries.filter(team__in=[team.pk for team in standing.teams]))
        # The visitor's own entry comes first unless it is among their team's.
        if standing.participant is not None and standing.participant not in managed:
            managed.insert(0, standing.participant)
    for entry in managed:
        entry.event = event
    mine = [_describe_managed(entry) for entry in managed]

    rules = load_event_rules(event).rules
    waiting = Assignment.objects.filter(participant__event=event, done=None)
    context = {
        "page": "events",
        "event": event,
        "standing": standing,
        "rules": rules,
        "rule_lines": wording.list_rule_lines(rules),
        "homebrew": describe_homebrew(event.homebrew, event.version),
        "invitation": request.build_absolute_uri(f"/events/join/{event.token}/"),
        "mine": mine,
        "shown": filter_public_entries(event).count(),
        "has_pairings": filter_shown_pairings(standing).exists(),
        "to_check": list(filter_assigned(waiting, standing).select_related("participant")),
        "game": event.version.game,
        "now": timezone.now(),
    }
    return render(request, "events/event.html", context)


def _describe_managed(entry: Participant) -> dict[str, Any]:
    doubled = None if entry.is_reserve else find_doubled_army(entry, entry.faction)
    return {
        "entry": entry,
        "terms": find_terms(entry),
        "comments": entry.comments.filter(audience=Audience.PLAYER),
        "penalties": entry.penalties.filter(state=PenaltyState.CONFIRMED),
        "doubled": doubled,
        "verdict": weigh_verdict(entry.verdict, doubled),
    }


# ---- submitting ------------------------------------------------------------------------------------------------------


@allow("GET", "POST")
@hide_linked_page()
def submit(request: HtmxRequest, public_id: str, player: str) -> HttpResponse:
    """Show a player a list's verdict, then submit the list. `held` is the signed list that the verdict is about."""
    standing = open_event(request, public_id)
    event = standing.event
    entry = find_player(standing, player)
    if not may_manage_list(standing, entry):
        raise Http404
    if request.method != "POST":
        return _render_submission(request, standing, entry, SubmissionForm())

    form = SubmissionForm(request.POST, request.FILES)
    fields = form.read_fields()
    received = _take_received(request, event, fields)
    if received is None:
        return _render_submission(request, standing, entry, form, wrong=_("Choose a list, or paste one."))
    receipt = judge_received(event, received)
    if fields["do"] != "submit":
        return _render_submission(request, standing, entry, form, receipt=receipt)
    submission = submit_list(entry, receipt, get_person(request))
    if isinstance(submission, Refused):
        wrong = wording.explain_refusal(submission)
        return _render_submission(request, standing, entry, form, receipt=receipt, wrong=wrong)
    messages.success(request, _("Your list was received."))
    return redirect_after_post("events:receipt", event.public_id, submission.public_id)


@allow("GET")
@hide_linked_page()
def offer_list(request: HtmxRequest, public_id: str) -> HttpResponse:
    """Offer one of the visitor's lists to the events that accept it. Menus load this link."""
    roster = find_submitted_roster(identify_visitor(request), public_id)
    if roster is None:
        raise Http404
    person = request.user if isinstance(request.user, User) else None
    entries = list_open_entries(person, roster.version.game) if person else []
    context = {"page": "events", "roster": roster, "entries": entries}
    return render_page(request, "events/offer.html", context, "entry")


def _take_received(request: HttpRequest, event: Event, fields: Mapping[str, Any]) -> ReceivedList | None:
    game = event.version.game.slug
    if held := fields["held"]:
        try:
            packed = signing.loads(held, salt=SALT, max_age=HELD_HOURS * 3_600)
        except signing.BadSignature:
            return None
        data, source = b64decode(packed["data"]), packed["source"]
        if "faction" in packed:
            return reopen_stored(data, source, packed)
        return read_upload(data, game=game, source=source)
    if fields["roster"]:
        roster = find_submitted_roster(identify_visitor(request), fields["roster"])
        return read_roster(roster) if roster else None
    if upload := fields["file"]:
        return read_upload(upload.read(), upload.name or "list", game=game)
    text = fields["text"].strip()
    if not text:
        return None
    if text.startswith(("http://", "https://")) and "\n" not in text:
        return read_link(text, identify_visitor(request))
    return read_upload(text[: 4 * MAX_TEXT].encode(), game=game, source=SubmissionSource.PASTE)


def hold_received(received: ReceivedList) -> str:
    """Pack and sign a received list, so that exactly the list behind the verdict is submitted."""
    packed = {"source": str(received.source), "data": b64encode(received.data).decode(), "text": bool(received.text)}
    if received.faction is not None and received.source in (SubmissionSource.BUILDER, SubmissionSource.LINK):
        packed |= {"faction": received.faction.pk, "claimed": received.claimed, "game": received.game}
    return signing.dumps(packed, salt=SALT, compress=True)


def reopen_stored(data: bytes, source: str, packed: dict[str, Any]) -> ReceivedList:
    return ReceivedList(
        source=source,
        data=data,
        tree=decode_tree(data),
        faction=Faction.objects.filter(pk=packed["faction"]).first(),
        game=packed["game"],
        claimed=packed["claimed"],
    )


NO_RECEIPT: dict[str, Any] = {
    "verdict": "",
    "doubled": None,
    "report": {},
    "unreadable": "",
    "held": "",
    "lacks_homebrew": False,
}
"""The context of a submission form before its list is evaluated."""


def _render_submission(
    request: HttpRequest,
    standing: EventStanding,
    entry: Participant,
    form: SubmissionForm,
    *,
    receipt: JudgedReceipt | None = None,
    wrong: str = "",
) -> HttpResponse:
    event = standing.event
    rosters = list_rosters(identify_visitor(request)).filter(version__game=event.version.game)[:MOST_LISTS_SHOWN]
    context = {
        "page": "events",
        "event": event,
        "standing": standing,
        "entry": entry,
        "terms": find_terms(entry),
        "rosters": [(roster.public_id, str(roster)) for roster in rosters],
        "chosen": form.data.get("roster", ""),
        "text": form.data.get("text", ""),
        "receipt": receipt,
        "wrong": wrong,
        **NO_RECEIPT,
    }
    if receipt is not None:
        doubled = find_doubled_army(entry, receipt.faction)
        context |= {
            # The text is in `held` by now.
            "text": "",
            "verdict": weigh_verdict(receipt.judged_list.verdict, doubled),
            "doubled": doubled,
            "report": receipt.judged_list.report,
            "unreadable": wording.explain_unread_list(receipt.judged_list.report),
            "held": hold_received(receipt.received),
            "lacks_homebrew": lacks_homebrew(event.homebrew, receipt.tree),
            "offered_roster": form.data.get("roster", ""),
        }
    return render_form(request, "events/submit.html", context)


@allow("GET")
@hide_linked_page()
def show_receipt(request: HttpRequest, public_id: str, submission: str) -> HttpResponse:
    standing = open_event(request, public_id)
    stored = Submission.objects.select_related("participant__event", "version__game").filter(public_id=submission)
    received = stored.filter(participant__event=standing.event).first()
    if received is None:
        raise Http404
    player = received.participant
    is_seeing_organiser = standing.is_organiser and not standing.is_blind
    if not (may_manage_list(standing, player) or is_seeing_organiser):
        raise Http404
    player.event = standing.event
    if is_logged_look(standing, player):
        record_act(standing.event, standing.user, LOOK, player, detail=received.short_hash)
    context = {
        "page": "events",
        "event": standing.event,
        "standing": standing,
        "received": received,
        "verdict": weigh_verdict(received.verdict, received.doubled),
    }
    return render(request, "events/receipt.html", context)


@allow("GET")
@hide_linked_page()
def show_list(request: HttpRequest, public_id: str, player: str) -> HttpResponse:
    standing = open_event(request, public_id)
    event = standing.event
    entry, submission = find_visible_list(standing, player)
    manages = may_manage_list(standing, entry)
    if is_logged_look(standing, entry):
        record_act(event, standing.user, LOOK, entry, detail=submission.short_hash)
    panel = build_panel(entry, standing)
    visible_list = show_submission(submission, panel.report, with_decks=may_see_decks(standing, entry))

    # The page has the colours and emblem of the faction or, without one, of the game.
    face: Any = None
    if version := submission.version:
        face = version.factions.filter(faction_id=submission.faction_id).first() or version.game
    paper = None
    if evaluated_list := visible_list.evaluated_list:
        paper = build_sheet_model(
            evaluated_list.report,
            Imprint(game=str(event.version.game)),
            title=evaluated_list.tree.name,
            cite=lambda place: list_wording.format_citation(place, evaluated_list.books),
            cards=list_card_needs(evaluated_list.ruleset),
            settings=evaluated_list.setting_ids,
        )
    context = {
        "page": "events",
        "event": event,
        "standing": standing,
        "entry": entry,
        "submission": submission,
        "panel": replace(panel, report=visible_list.report),
        "shown": visible_list,
        "paper_digits": read_digits(request.GET.get("hash", "")),
        "inside": manages or standing.is_judge,
        "manages": manages,
        "face": face,
        "emblems": {unit[0]: unit[2] for unit in submission.units},
        "paper": paper,
    }
    return render(request, "events/list.html", context)
