"""Games of the visitor: list them, start one, invite the other player, end one."""

from collections.abc import Callable, Mapping
from decimal import Decimal
from itertools import chain
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from catalogue.definitions.missions import MissionSide
from catalogue.services.play import Play, load_play
from catalogue.views.decorators import allow, hide_linked_page
from catalogue.views.responses import REFUSED, redirect_after_post, render_form
from roster import wording
from roster.models import Roster
from roster.pdf.qr import draw_qr_code
from roster.play.models import Game, GameInvitation
from roster.play.services import games as verbs
from roster.play.services.game_rules import load_rules
from roster.play.services.game_taps import score_sides
from roster.play.services.games import GameSetup, describe_side
from roster.play.views.forms import EndForm, InvitationForm, SeatForm, SetupForm
from roster.play.views.games import find_own_game
from roster.services.faces import load_faction
from roster.services.outcomes import Refused
from roster.services.owners import identify_visitor, make_owner
from roster.services.plans import get_game_plan
from roster.services.sharing import replace_link
from roster.views.requests import find_whole_roster


@allow("GET")
def show_games(request: HttpRequest) -> HttpResponse:
    visitor = identify_visitor(request)
    games = list(verbs.list_games(visitor)[:200])
    context = {
        "page": "play",
        "running": [describe_row(game) for game in games if not game.ended],
        "ended": [describe_row(game) for game in games if game.ended],
        "guest_days": settings.ARMYBUILDER["GUEST_DAYS"],
    }
    return render(request, "play/game/games.html", context)


def describe_row(game: Game) -> dict[str, Any]:
    """Return a game as a line among others."""
    sides = sorted(game.sides.all(), key=lambda side: side.place)
    scores = [side.score for side in sides]
    if None in scores:
        scores = [score.total for score in score_sides(load_rules(game), game.now)]
    return {
        "game": game,
        "round": game.now.step.round,
        "sides": sides,
        "scores": scores,
        "names": [describe_side(side) for side in sides],
    }


@allow("GET", "POST")
def begin_game(request: HttpRequest, link_id: str) -> HttpResponse:
    """Ask with whom and what for a list is played, and begin."""
    roster = find_whole_roster(request, link_id)
    if request.method != "POST":
        return _render_form(request, roster, SetupForm())
    form = SetupForm(request.POST)
    game = verbs.start_game(make_owner(request), roster, GameSetup(**form.read_fields()))
    if isinstance(game, Refused):
        return _render_form(request, roster, form, wording.explain_refusal(game), REFUSED)
    return redirect_after_post("play:game", game.public_id)


def _list_sides(play: Play) -> list[MissionSide]:
    """Return the sides of all missions, each once: the page shows those of the mission that is chosen."""
    sides = chain.from_iterable(mission.sides for mission in play.missions.values())
    return list({side.id: side for side in sides}.values())


def _render_form(
    request: HttpRequest, roster: Roster, form: SetupForm, wrong: str = "", status: int = 200
) -> HttpResponse:
    play = load_play(roster.version)
    context = {
        "page": "play",
        "roster": roster,
        "face": load_faction(roster.version_id, roster.faction_id).row or roster.version.game,
        "play": play,
        "packs": [(pack, play.list_missions(pack.name)) for pack in play.packs.values()],
        "loose": play.list_missions(""),
        "sides": _list_sides(play),
        "rollable_maps": play.rollable_maps,
        "given": form.data or _suggest_setup(play, roster),
        "wrong": wrong,
    }
    return render(request, "play/game/new.html", context, status=status)


def _suggest_setup(play: Play, roster: Roster) -> dict[str, str]:
    """Return what a form holds at first: the mission that the list is planned for, and the size that it fits."""
    planned = get_game_plan(roster)
    return {"mission": planned.mission if planned else "", "size": _find_size(play, roster.limit or roster.points)}


def _find_size(play: Play, points: str) -> str:
    """Return the id of the smallest battle that holds so many points; blank where none does."""
    needed = Decimal(points or 0)
    sizes = [
        (size.points, size.id) for size in play.sizes.values() if size.points is not None and size.points >= needed
    ]
    return min(sizes)[1] if sizes else ""


@allow("GET", "POST")
@hide_linked_page()
def invite_player(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the codes to look on and to play with, make new ones, or make those given out worthless."""
    game, place = find_own_game(request, public_id)
    wrong = ""
    if request.method == "POST":
        done = _change_invitation(game, place, InvitationForm(request.POST).read_fields()["do"])
        if not isinstance(done, Refused):
            return redirect_after_post("play:game-invite", public_id)
        wrong = wording.explain_refusal(done)
    codes = GameInvitation.objects.filter(side__game=game, used=None, withdrawn=None).select_related("side")
    context = {
        "page": "play",
        "game": game,
        "look": request.build_absolute_uri(game.get_absolute_url()),
        "look_qr": draw_qr_code(request.build_absolute_uri(game.get_absolute_url()), game.name),
        "codes": [_describe_code(request, game, invitation) for invitation in codes],
        "place": place,
        "joined": game.sides.filter(place=1, seats__isnull=False).exists(),
        "wrong": wrong,
    }
    return render_form(request, "play/game/invite.html", context)


def _change_invitation(game: Game, place: int, act: str) -> Refused | None:
    change = INVITATION_ACTS.get(act)
    return change(game, place) if change else Refused(code="bad-change")


def _invite_opponent(game: Game, place: int) -> Refused | None:
    return _refuse_invitation(verbs.invite_player(game, 1 - place))


def _invite_device(game: Game, place: int) -> Refused | None:
    """Make a code for another device of the same player."""
    return _refuse_invitation(verbs.invite_player(game, place))


def _withdraw_codes(game: Game, _place: int) -> None:
    verbs.withdraw_invitations(game)


def _renew_link(game: Game, place: int) -> Refused | None:
    """Give the game another link, which only its owner may."""
    if place != 0:
        return Refused(code="bad-change")
    replace_link(game)
    return None


INVITATION_ACTS: dict[str, Callable[[Game, int], Refused | None]] = {
    "opponent": _invite_opponent,
    "device": _invite_device,
    "withdraw": _withdraw_codes,
    "link": _renew_link,
}


def _refuse_invitation(invitation: GameInvitation | Refused) -> Refused | None:
    return invitation if isinstance(invitation, Refused) else None


def _describe_code(request: HttpRequest, game: Game, invitation: GameInvitation) -> dict[str, Any]:
    address = request.build_absolute_uri(reverse("play:game-join", args=[invitation.code]))
    return {"place": invitation.side.place, "address": address, "qr": draw_qr_code(address, game.name)}


@allow("GET", "POST")
@hide_linked_page()
def join_game(request: HttpRequest, code: str) -> HttpResponse:
    """Let whoever scans a code look on, or play the side it is for; one that is used up says so."""
    try:
        invitation = verbs.find_invitation(code)
    except GameInvitation.DoesNotExist:
        raise Http404 from None
    game = invitation.side.game
    if request.method == "POST":
        form = SeatForm(request.POST)
        joined = verbs.join_game(invitation, make_owner(request), form.read_fields()["link"])
        if isinstance(joined, Refused):
            return _render_invitation(request, invitation, form, joined)
    elif verbs.find_place(game, identify_visitor(request)) is None:
        return _render_invitation(request, invitation, SeatForm())
    return redirect_after_post("play:game", game.public_id)


def _render_invitation(
    request: HttpRequest, invitation: GameInvitation, form: SeatForm, refused: Refused | None = None
) -> HttpResponse:
    context = _describe_invitation(invitation) | {"old": False, "wrong": "", "link": form.data.get("link", "")}
    status = 200
    # Between showing the page and answering it, the code may have been used up.
    if invitation.is_over or (refused and refused.code == "old-invitation"):
        # Too late for what the code was for: the page says so and keeps the game open to look on.
        context["old"], status = True, 410
    elif refused:
        context["wrong"], status = wording.explain_refusal(refused), REFUSED
    return render(request, "play/game/join.html", context, status=status)


def _describe_invitation(invitation: GameInvitation) -> dict[str, Any]:
    game = invitation.side.game
    return {
        "page": "play",
        "game": game,
        "side": invitation.side,
        "names": [describe_side(side) for side in game.sides.order_by("place")],
        "readable": game.visibility != "private" and not game.taken_down,
    }


@allow("GET", "POST")
@hide_linked_page()
def end_game(request: HttpRequest, public_id: str) -> HttpResponse:
    """Ask for the result and a note, and end a game; or play on, or delete it."""
    game, place = find_own_game(request, public_id)
    wrong = ""
    if request.method == "POST":
        done = _change_ending(request, game, place)
        if not isinstance(done, Refused):
            return done
        wrong = wording.explain_refusal(done)
    context = {"page": "play", "place": place, "wrong": wrong, **describe_row(game)}
    return render_form(request, "play/game/end.html", context)


def _change_ending(request: HttpRequest, game: Game, place: int) -> HttpResponse | Refused:
    """Do what a form asks of a game that ends."""
    fields = EndForm(request.POST).read_fields()
    act = ENDING_ACTS.get((fields["do"], place))
    return act(request, game, fields) if act else Refused(code="bad-change")


def _delete_game(request: HttpRequest, game: Game, _fields: Mapping[str, Any]) -> HttpResponse:
    game.delete()
    messages.success(request, _("The game is deleted."))
    return redirect_after_post("play:games")


def _leave_game(request: HttpRequest, game: Game, _fields: Mapping[str, Any]) -> HttpResponse:
    verbs.leave_game(game, identify_visitor(request))
    messages.success(request, _("You have left the game. Its owner keeps it."))
    return redirect_after_post("play:games")


def _reopen_game(_request: HttpRequest, game: Game, _fields: Mapping[str, Any]) -> HttpResponse:
    verbs.reopen_game(game)
    return redirect_after_post("play:game", game.public_id)


def _close_game(_request: HttpRequest, game: Game, fields: Mapping[str, Any]) -> HttpResponse | Refused:
    ended = verbs.end_game(game, fields["notes"])
    return ended if isinstance(ended, Refused) else redirect_after_post("play:game-end", game.public_id)


ENDING_ACTS: dict[tuple[str, int], Callable[[HttpRequest, Game, Mapping[str, Any]], HttpResponse | Refused]] = {
    # Whoever began it deletes it for both; the other player can only go.
    ("delete", 0): _delete_game,
    ("leave", 1): _leave_game,
    ("reopen", 0): _reopen_game,
    ("reopen", 1): _reopen_game,
    ("end", 0): _close_game,
    ("end", 1): _close_game,
}
