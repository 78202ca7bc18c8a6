from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import msgspec
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from catalogue.views.decorators import allow, hide_linked_page
from catalogue.views.responses import BAD_FORM, REFUSED, redirect_after_post
from roster import wording
from roster.play.models import Game
from roster.play.services import games as verbs
from roster.play.services.game_board import GameBoard, build_game_board, describe_state
from roster.play.services.game_log import describe_operations
from roster.play.services.game_taps import (
    SentOperation,
    append_operations,
    list_held,
    list_played_places,
    read_sent_taps,
)
from roster.play.views.forms import TapForm
from roster.play.views.game_page import build_game_context, build_units_context
from roster.services.outcomes import Refused
from roster.services.owners import identify_visitor


def find_own_game(request: HttpRequest, public_id: str) -> tuple[Game, int]:
    """Return the visitor's game and place. Raises Http404."""
    try:
        return verbs.find_played_game(public_id, identify_visitor(request))
    except Game.DoesNotExist:
        raise Http404 from None


def find_linked_game(request: HttpRequest, link_id: str) -> Game:
    """Return a link's game. Raises Http404."""
    try:
        return verbs.find_shown_game(link_id, identify_visitor(request))
    except Game.DoesNotExist:
        raise Http404 from None


@allow("GET", "POST")
@hide_linked_page()
def show_game(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show a game to a player. Browsers without scripts post taps here as forms."""
    return _show_page(request, public_id, GamePage("play:game", "play/game/page.html", build_game_context))


@allow("GET", "POST")
@hide_linked_page()
def show_units(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show all units, which the game's page loads from here."""
    return _show_page(request, public_id, GamePage("play:game-units", "play/game/units.html", build_units_context))


@dataclass(frozen=True, slots=True)
class GamePage:
    name: str
    template: str
    build: Callable[[GameBoard], dict[str, Any]]


@dataclass(frozen=True, slots=True)
class PostedTap:
    """A tap from a form: the refusal's sentence and status, and where to go on the page."""

    wrong: str = ""
    status: int = 200
    anchor: str = ""


def take_posted_tap(request: HttpRequest, game: Game, place: int) -> PostedTap:
    form = TapForm(request.POST)
    if not form.is_valid():
        return PostedTap(form.complaint, form.status)
    receipt = append_operations(game, place, [SentOperation(form.cleaned_data["operation"])])
    if receipt.refused:
        return PostedTap(wording.explain_refusal(next(iter(receipt.refused.values()))), REFUSED)
    return PostedTap(anchor=form.cleaned_data["at"])


def _show_page(request: HttpRequest, public_id: str, page: GamePage) -> HttpResponse:
    game, place = find_own_game(request, public_id)
    posted = PostedTap()
    if request.method == "POST":
        posted = take_posted_tap(request, game, place)
        if not posted.wrong:
            return redirect_after_post(page.name, public_id, anchor=posted.anchor)
    # A form that is sent again after going back counts once.
    context = page.build(build_game_board(game, place)) | {"wrong": posted.wrong, "form_id": uuid4()}
    return render(request, page.template, context, status=posted.status)


@allow("GET", "POST")
@hide_linked_page()
def exchange_taps(request: HttpRequest, public_id: str) -> HttpResponse:
    """Store a device's taps, or return the changes since its last operation."""
    game, place = find_own_game(request, public_id)
    if request.method != "POST":
        return _answer_state(request, game, place)
    # If the request is a form, its body is already read.
    sent = read_sent_taps(request.body) if request.content_type == "application/json" else None
    if sent is None:
        return answer_json({"error": wording.explain_refusal(Refused(code="bad-change"))}, BAD_FORM)
    receipt = append_operations(game, place, sent)
    refused = [one.operation for one in sent if one.operation.uid in receipt.refused]
    content = {
        "numbers": receipt.numbers,
        "refused": {uid: wording.explain_refusal(problem) for uid, problem in receipt.refused.items()},
        "words": describe_operations(game, place, refused),
        "state": describe_state(receipt.game, place),
    }
    return answer_json(content | _list_all(request, receipt.game))


def _answer_state(request: HttpRequest, game: Game, place: int | None) -> HttpResponse:
    query = request.GET
    is_known = query.get("since") == str(game.last) and query.get("ended", "0") == str(int(bool(game.ended)))
    # Joining is not a tap, so devices that have not heard of it ask for it.
    if is_known and query.get("joined") == "0":
        is_known = len(list_played_places(game)) == 1
    content: dict[str, Any] = {"last": game.last}
    if not is_known:
        content["state"] = describe_state(game, place)
    return answer_json(content | _list_all(request, game))


def _list_all(request: HttpRequest, game: Game) -> dict[str, list[str]]:
    """Return the taps of all sides, for a device that received some by code."""
    return {"all": list_held(game)} if request.GET.get("all") == "1" else {}


def answer_json(content: Any, status: int = 200) -> HttpResponse:
    return HttpResponse(
        msgspec.json.encode(content),
        content_type="application/json",
        status=status,
        headers={"Cache-Control": "no-store"},
    )


@allow("GET")
@hide_linked_page()
def look_on(request: HttpRequest, link_id: str) -> HttpResponse:
    game = find_linked_game(request, link_id)
    context = build_game_context(build_game_board(game, None))
    return render(request, "play/game/page.html", context)


@allow("GET")
@hide_linked_page()
def look_at_units(request: HttpRequest, link_id: str) -> HttpResponse:
    game = find_linked_game(request, link_id)
    return render(request, "play/game/units.html", build_units_context(build_game_board(game, None)))


@allow("GET")
@hide_linked_page()
def watch_state(request: HttpRequest, link_id: str) -> HttpResponse:
    return _answer_state(request, find_linked_game(request, link_id), None)
