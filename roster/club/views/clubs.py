from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import User
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from catalogue.views.decorators import allow, hide_linked_page
from catalogue.views.responses import REFUSED, redirect_after_post
from roster.club.models import Club, ClubMember, ClubRole
from roster.club.services import clubs as verbs
from roster.club.services.calendars import find_calendar_owner, write_member_calendar
from roster.club.services.clubs import ClubStanding
from roster.club.services.league_news import greet_chat
from roster.club.views.forms import ClubForm
from roster.club.wording import explain_club_refusal
from roster.services.outcomes import Refused, RefusedChange

SHOWN_MESSAGES = 5


@allow("GET", "POST")
def show_clubs(request: HttpRequest) -> HttpResponseBase:
    wrong, name = "", ""
    if request.method == "POST":
        if not isinstance(request.user, User):
            return redirect_to_login(request.get_full_path())
        name = ClubForm(request.POST).read_fields()["name"]
        club = verbs.create_club(request.user, name)
        if not isinstance(club, Refused):
            return redirect_after_post("club:club-settings", club.public_id)
        wrong = explain_club_refusal(club)
    clubs = verbs.list_clubs(request.user) if isinstance(request.user, User) else Club.objects.none()
    context = {"page": "events", "clubs": clubs, "name": name, "wrong": wrong}
    return render(request, "club/clubs.html", context, status=REFUSED if wrong else 200)


@allow("GET", "POST")
@hide_linked_page()
def show_club(request: HttpRequest, public_id: str) -> HttpResponseBase:
    standing = find_standing(request, public_id)
    wrong = ""
    if request.method == "POST":
        if standing.member is None or ClubForm(request.POST).read_fields()["do"] != "leave":
            raise Http404
        refused = verbs.remove_member(standing.club, standing.member.pk)
        if refused is None:
            messages.success(request, _("You left “%(name)s”.") % {"name": standing.club})
            return redirect_after_post("club:clubs")
        wrong = explain_club_refusal(refused)
    context = {
        "page": "events",
        "club": standing.club,
        "standing": standing,
        "members": standing.club.members.filter(left=None).order_by("name"),
        "seasons": standing.club.seasons.select_related("game"),
        "calendar": _get_calendar_address(standing.member),
        "wrong": wrong,
    }
    return render(request, "club/club.html", context, status=REFUSED if wrong else 200)


@allow("GET", "POST")
@hide_linked_page()
def show_club_settings(request: HttpRequest, public_id: str) -> HttpResponseBase:
    standing = find_organiser(request, public_id)
    club, typed, wrong = standing.club, {}, ""
    if request.method == "POST":
        typed = ClubForm(request.POST).read_fields()
        refused = _change_club(request, standing, typed)
        if refused is None:
            return redirect_after_post("club:club-settings", club.public_id)
        wrong = explain_club_refusal(refused)
        if isinstance(refused, RefusedChange) and len(typed["name"].split("\n")) > 1:
            wrong = _("Line %(n)d: %(why)s") % {"n": refused.number, "why": wrong}
    context = {
        "page": "events",
        "club": club,
        "standing": standing,
        "members": club.members.filter(left=None).order_by("name"),
        "roles": ClubRole,
        "invitation": settings.SITE_ADDRESS + reverse("club:join", args=[club.token]),
        "deliveries": club.webhook.deliveries.all()[:SHOWN_MESSAGES] if club.webhook else [],
        "typed": typed,
        "wrong": wrong,
    }
    return render(request, "club/club_settings.html", context, status=REFUSED if wrong else 200)


def _change_club(request: HttpRequest, standing: ClubStanding, fields: dict[str, object]) -> Refused | None:
    club, name, member_id = standing.club, str(fields["name"]), int(str(fields["member"]))
    match fields["do"]:
        case "change":
            return verbs.change_club(club, name, str(fields["text"]), is_open=bool(fields["is_open"]))
        case "enter":
            entered = verbs.enter_members(club, name)
            return entered if isinstance(entered, Refused) else None
        case "role":
            return verbs.set_member_role(club, member_id, str(fields["role"]))
        case "remove":
            return verbs.remove_member(club, member_id)
        case "renew":
            verbs.replace_club_invitation(club)
            return None
        case "webhook":
            assert isinstance(request.user, User)  # noqa: S101 - organisers have accounts
            refused = verbs.set_club_webhook(club, request.user, str(fields["address"]))
            if refused is None:
                greet_chat(Club.objects.select_related("webhook").get(pk=club.pk))
            return refused
    raise Http404


@allow("GET", "POST")
@hide_linked_page()
def delete_club(request: HttpRequest, public_id: str) -> HttpResponse:
    club = find_organiser(request, public_id).club
    if request.method != "POST":
        return render(request, "club/club_delete.html", {"page": "events", "club": club})
    verbs.delete_club(club)
    messages.success(request, _("“%(name)s” was deleted.") % {"name": club.name})
    return redirect_after_post("club:clubs")


@allow("GET", "POST")
@hide_linked_page()
def join_club(request: HttpRequest, token: str) -> HttpResponseBase:
    """Show the club of an invitation link. A POST lets the user join, as a new or as an entered member."""
    club = verbs.find_club_invitation(token)
    if club is None:
        raise Http404
    wrong, fields = "", {}
    if request.method == "POST":
        if not isinstance(request.user, User):
            return redirect_to_login(request.get_full_path())
        fields = ClubForm(request.POST).read_fields()
        joined = verbs.join_club(club, request.user, fields["name"], fields["member"] or None)
        if not isinstance(joined, Refused):
            return redirect_after_post("club:club", club.public_id)
        wrong = explain_club_refusal(joined)
    waiting = club.members.filter(user=None, left=None).order_by("name")
    context = {"page": "events", "club": club, "waiting": waiting, "typed": fields, "wrong": wrong}
    return render(request, "club/join.html", context, status=REFUSED if wrong else 200)


@allow("GET")
@hide_linked_page()
def send_calendar(request: HttpRequest, code: str) -> HttpResponse:
    """Send a member's meetings to a calendar program, which does not sign in."""
    try:
        member = find_calendar_owner(code)
    except ClubMember.DoesNotExist:
        raise Http404 from None
    answer = HttpResponse(write_member_calendar(member), content_type="text/calendar; charset=utf-8")
    answer["Cache-Control"] = "private, no-store"
    return answer


def _get_calendar_address(member: ClubMember | None) -> str:
    return settings.SITE_ADDRESS + reverse("club:calendar", args=[member.calendar]) if member else ""


def find_standing(request: HttpRequest, public_id: str) -> ClubStanding:
    """Return the visitor's standing in a club that they may read. Raises Http404."""
    try:
        return verbs.find_club_standing(public_id, request.user)
    except Club.DoesNotExist:
        raise Http404 from None


def find_organiser(request: HttpRequest, public_id: str) -> ClubStanding:
    """Return an organiser's standing in a club. Raises Http404."""
    standing = find_standing(request, public_id)
    if not standing.is_organiser:
        raise Http404
    return standing
