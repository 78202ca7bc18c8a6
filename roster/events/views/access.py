"""Find events and lists for a visitor. Requests for anything else get a 404."""

from django.contrib.auth.models import User
from django.contrib.auth.views import redirect_to_login
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render

from roster.events.models import Event, Participant, Submission
from roster.events.services.access import EventStanding, filter_visible, find_event, find_standing, may_open_event
from roster.services.owners import is_public_id


def open_event(request: HttpRequest, public_id: str) -> EventStanding:
    try:
        event = find_event(public_id)
    except Event.DoesNotExist:
        raise Http404 from None
    standing = find_standing(event, request.user)
    if not may_open_event(standing):
        raise Http404
    return standing


def open_bench(request: HttpRequest, public_id: str) -> EventStanding:
    standing = open_event(request, public_id)
    if not standing.is_judge:
        raise Http404
    return standing


def answer_blind(request: HttpRequest, standing: EventStanding) -> HttpResponse | None:
    """Return the page that tells blind helpers why they see no lists yet."""
    if not standing.is_blind:
        return None
    context = {"page": "events", "event": standing.event, "standing": standing}
    return render(request, "events/blind.html", context, status=403)


def open_settings(request: HttpRequest, public_id: str) -> EventStanding:
    standing = open_event(request, public_id)
    if not standing.is_organiser:
        raise Http404
    return standing


def find_player(standing: EventStanding, public_id: str) -> Participant:
    return _find_among(standing.event.participants.all(), standing, public_id)


def find_visible_list(standing: EventStanding, public_id: str) -> tuple[Participant, Submission]:
    """Return a visible list. A hidden list gets the same 404 as a missing one, after the same query."""
    player = _find_among(filter_visible(standing).filter(current__isnull=False), standing, public_id)
    assert player.current is not None  # noqa: S101 - what was asked for
    return player, player.current


def _find_among(players: QuerySet[Participant], standing: EventStanding, public_id: str) -> Participant:
    if not is_public_id(public_id):
        raise Http404
    related = players.select_related("team", "current__version__game", "locked", "user__player_name")
    player = related.filter(public_id=public_id).first()
    if player is None:
        raise Http404
    # Reuse the event object, so that its loaded relations are not loaded again.
    player.event = standing.event
    return player


def get_person(request: HttpRequest) -> User:
    if not isinstance(request.user, User):
        raise Http404
    return request.user


def ask_to_sign_in(request: HttpRequest) -> HttpResponseBase | None:
    return None if request.user.is_authenticated else redirect_to_login(request.get_full_path())
