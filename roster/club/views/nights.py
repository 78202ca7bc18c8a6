from typing import Any

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _

from catalogue.views.decorators import allow, hide_linked_page
from catalogue.views.responses import REFUSED, redirect_after_post
from roster.club.models import ClubNight, Season
from roster.club.services import nights as verbs
from roster.club.services.clubs import ClubStanding
from roster.club.services.seasons import load_season_board
from roster.club.views.forms import NightActForm, NightForm
from roster.club.views.night_cards import build_night_card
from roster.club.views.seasons import open_season
from roster.club.wording import explain_club_refusal
from roster.events.services.mail import get_mail_choice
from roster.events.services.zones import list_zones
from roster.services.outcomes import Refused
from roster.views.requests import parse_whole_number

ZONE = "zone"


@allow("GET", "POST")
@hide_linked_page()
def open_night(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the form of a club night. A POST opens the night, or says what is wrong."""
    season, standing = open_season(request, public_id)
    if not standing.is_organiser or not isinstance(request.user, User):
        raise Http404
    # Without a script, the zone of the last night or of the account is the likely one.
    last = season.nights.order_by("pk").last()
    typed: dict[str, Any] = {"zone": last.zone if last else get_mail_choice(request.user).zone}
    wrong = field = ""
    if request.method == "POST":
        typed = NightForm(request.POST).read_fields()
        night = verbs.open_night(season, verbs.NightDraft(**typed))
        if not isinstance(night, Refused):
            return redirect_after_post(night)
        wrong = explain_club_refusal(night)
        field = ZONE if night.code == "unknown-zone" else night.subject_id
    context = {
        "page": "events",
        "season": season,
        "club": season.club,
        "zones": list_zones(),
        "typed": typed,
        "wrong": wrong,
        "field": field,
    }
    return render(request, "club/night_new.html", context, status=REFUSED if wrong else 200)


@allow("GET", "POST")
@hide_linked_page()
def show_night(request: HttpRequest, public_id: str, number: int) -> HttpResponseBase:
    """Show a club night. A POST enters or withdraws players, pairs them, or cancels the night."""
    season, standing = open_season(request, public_id)
    fields, wrong = {}, ""
    try:
        if request.method == "POST":
            fields = NightActForm(request.POST).read_fields()
            refused = _act_at_night(season, standing, number, fields)
            if refused is None:
                if fields["do"] == "cancel":
                    messages.success(request, _("The club night is cancelled."))
                if fields["do"] == "cancel" or fields["back"] == "season":
                    return redirect_after_post("club:season", public_id, anchor="nights")
                return redirect_after_post("club:night", public_id, str(number))
            wrong = explain_club_refusal(refused)
        board = load_season_board(season)
        shown = verbs.show_night(board, number)
    except ClubNight.DoesNotExist:
        raise Http404 from None
    active = [player for player in board.players.values() if not player.is_gone]
    mine = next((one for one in active if standing.member and one.member_id == standing.member.pk), None)
    context = {
        "page": "events",
        "season": season,
        "face": season.game,
        "standing": standing,
        "night": shown.night,
        "card": build_night_card(shown, mine),
        "candidates": [player for player in active if not shown.has_player(player)] if standing.is_organiser else [],
        "is_running": season.is_running,
        "typed": fields,
        "wrong": wrong,
    }
    return render(request, "club/night.html", context, status=REFUSED if wrong else 200)


def _act_at_night(season: Season, standing: ClubStanding, number: int, fields: dict[str, Any]) -> Refused | None:
    match fields["do"]:
        case "enter" if standing.member:
            return verbs.enter_night(season, number, [standing.member.pk])
        case "leave" if standing.member:
            return verbs.leave_night(season, number, standing.member.pk)
        case "add" if standing.is_organiser:
            keys = [parse_whole_number(text) for text in fields.get("member", ())]
            return verbs.enter_night(season, number, filter(None, keys), by_organiser=True)
        case "remove" if standing.is_organiser:
            return verbs.leave_night(season, number, fields["gone"])
        case "pair" if standing.is_organiser:
            return verbs.close_night(season, number)
        case "undo" if standing.is_organiser:
            return verbs.reopen_night(season, number)
        case "match" if standing.is_organiser:
            return verbs.pair_by_hand(season, number, fields["first"], fields["second"])
        case "cancel" if standing.is_organiser:
            return verbs.delete_night(season, number)
    raise Http404
