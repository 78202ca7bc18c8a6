from typing import Any

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from catalogue.views.decorators import allow, hide_linked_page
from catalogue.views.responses import REFUSED, redirect_after_post
from roster.club.models import ListReveal, Season, SeasonEvent
from roster.club.services.past_results import EnteredResults, enter_past_results
from roster.club.services.season_events import agree_to_season, attach_event, detach_event, list_own_events
from roster.club.services.season_rules import set_season_rules
from roster.club.services.seasons import load_map
from roster.club.views.forms import RowsFileForm, SeasonSettingsForm
from roster.club.views.seasons import open_season
from roster.club.wording import explain_club_refusal
from roster.events.services.event_homebrew import find_homebrew_at, list_homebrew_choices
from roster.events.views.access import open_settings
from roster.events.views.event_rules import describe_homebrew
from roster.services.outcomes import Refused
from roster.services.owners import identify_visitor


@allow("GET", "POST")
@hide_linked_page()
def show_season_settings(request: HttpRequest, public_id: str) -> HttpResponse:
    season, standing = open_season(request, public_id)
    if not standing.is_organiser or not isinstance(request.user, User):
        raise Http404
    typed: dict[str, Any] = {
        "homebrew": season.homebrew.key if season.homebrew else "",
        "limit": season.limit or "",
        "reveal": season.reveal,
    }
    wrong = ""
    if request.method == "POST":
        fields = SeasonSettingsForm(request.POST).read_fields()
        refused = _act_in_settings(request, season, request.user, fields)
        if refused is None:
            messages.success(request, _("Saved."))
            return redirect_after_post("club:season-settings", public_id)
        wrong = explain_club_refusal(refused)
        typed = fields if fields["do"] == "rules" else typed | {"event_link": fields["link"]}
    context = {
        "page": "events",
        "season": season,
        "club": season.club,
        "homebrew": describe_homebrew(season.homebrew, season.game.shown_version, is_checked=True)
        if season.homebrew and season.game
        else None,
        "choices": list_homebrew_choices(season.homebrew, request.user, season.game) if season.game else [],
        "reveals": ListReveal,
        "map_limit": load_map(season.map).limit,
        "links": [
            (link, request.build_absolute_uri(reverse("club:event-seasons", args=[link.event.public_id])))
            for link in season.events.select_related("event")
        ],
        "own_events": [(event.public_id, str(event)) for event in list_own_events(season, request.user)],
        "typed": typed,
        "wrong": wrong,
    }
    return render(request, "club/season_settings.html", context, status=REFUSED if wrong else 200)


def _act_in_settings(request: HttpRequest, season: Season, user: User, fields: dict[str, Any]) -> Refused | None:
    match fields["do"]:
        case "rules":
            key, link = fields["homebrew"], fields["link"].strip()
            # A link takes precedence over the selected ones.
            if link:
                version = find_homebrew_at(link, identify_visitor(request))
                if isinstance(version, Refused):
                    return version
                key = version.key
            return set_season_rules(season, key, fields["limit"].strip(), fields["reveal"])
        case "event":
            outcome = attach_event(season, user, fields["link"] or fields["own_event"])
            return outcome if isinstance(outcome, Refused) else None
        case "detach":
            return detach_event(season.events.all(), fields["event"])
    raise Http404


@allow("GET", "POST")
@hide_linked_page()
def import_results(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the form for results of earlier games as CSV. A POST enters them, or lists the refused rows."""
    season, standing = open_season(request, public_id)
    if not standing.is_organiser:
        raise Http404
    text, wrong, bad = "", "", []
    if request.method == "POST":
        text = RowsFileForm(request.POST, request.FILES).read_text()
        outcome = enter_past_results(standing, season, text)
        if isinstance(outcome, EnteredResults):
            sentence = ngettext("%(n)d result entered.", "%(n)d results entered.", outcome.entered)
            messages.success(request, sentence % {"n": outcome.entered})
            if outcome.waiting:
                sentence = ngettext(
                    "%(n)d of them is a game of yours: it counts once the other player confirms it.",
                    "%(n)d of them are games of yours: they count once the other players confirm them.",
                    outcome.waiting,
                )
                messages.info(request, sentence % {"n": outcome.waiting})
            return redirect_after_post("club:season", public_id)
        if isinstance(outcome, Refused):
            wrong = explain_club_refusal(outcome)
        else:
            bad = [(refused.number, explain_club_refusal(refused)) for refused in outcome]
    context = {"page": "events", "season": season, "club": season.club, "text": text, "wrong": wrong, "bad": bad}
    return render(request, "club/season_import.html", context, status=REFUSED if wrong or bad else 200)


@allow("GET", "POST")
@hide_linked_page()
def show_event_seasons(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show an event's organisers the seasons that count its results or ask to, and let them agree or withdraw."""
    standing = open_settings(request, public_id)
    links = SeasonEvent.objects.filter(event=standing.event).select_related("season__club")
    wrong = ""
    if request.method == "POST":
        fields = SeasonSettingsForm(request.POST).read_fields()
        match fields["do"]:
            case "agree":
                refused = agree_to_season(standing.event, fields["event"])
            case "detach":
                refused = detach_event(links, fields["event"])
            case _:
                raise Http404
        if refused is None:
            messages.success(request, _("Saved."))
            return redirect_after_post("club:event-seasons", public_id)
        wrong = explain_club_refusal(refused)
    context = {"page": "events", "event": standing.event, "standing": standing, "links": links, "wrong": wrong}
    return render(request, "club/event_seasons.html", context, status=REFUSED if wrong else 200)
