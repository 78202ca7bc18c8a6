from collections.abc import Mapping
from decimal import Decimal
from operator import itemgetter
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from catalogue.services.play import load_play
from catalogue.views.decorators import allow, hide_linked_page
from catalogue.views.responses import REFUSED, redirect_after_post, render_form
from roster import wording
from roster.models import Roster
from roster.pdf.qr import draw_qr_code
from roster.play.game_state import MOST_SIDES, SIDES
from roster.play.models import Game, GameInvitation
from roster.play.services import games as verbs
from roster.play.services.game_rules import load_rules
from roster.play.services.game_standings import score_sides
from roster.play.services.game_taps import list_played_places, list_tapped_places
from roster.play.services.games import describe_side
from roster.play.services.table_rules import has_table_rules
from roster.play.services.table_setups import list_setups
from roster.play.views.forms import OPPONENTS, EndForm, InvitationForm, SeatForm, SetupForm
from roster.play.views.games import find_own_game
from roster.services.accounts import get_player_name
from roster.services.faces import load_faction
from roster.services.outcomes import Refused
from roster.services.owners import identify_visitor, make_owner, may_use_data
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
    sides = sorted(game.sides.all(), key=lambda side: side.place)
    scores = [side.score for side in sides]
    if None in scores:
        scores = [score.total for score in score_sides(load_rules(game), sides, game.now)]
    names = [describe_side(side) for side in sides]
    return {
        "game": game,
        "round": game.now.step.round,
        "sides": sides,
        "scores": scores,
        "names": names,
        "result": list(zip(names, scores, strict=True)),
        "ending": verbs.describe_outcome(verbs.read_outcome(game, sides), sides) if game.ended else "",
    }


@allow("GET", "POST")
def begin_game(request: HttpRequest, link_id: str) -> HttpResponse:
    roster = find_whole_roster(request, link_id)
    if not may_use_data(identify_visitor(request), roster.version):
        raise Http404
    if request.method != "POST":
        return _render_form(request, roster, SetupForm())
    form = SetupForm(request.POST)
    game = verbs.start_game(make_owner(request), roster, form.read_setup())
    if isinstance(game, Refused):
        return _render_form(request, roster, form, wording.explain_refusal(game), REFUSED)
    return redirect_after_post("play:game", game.public_id)


def _render_form(
    request: HttpRequest, roster: Roster, form: SetupForm, wrong: str = "", status: int = 200
) -> HttpResponse:
    play = load_play(roster.version)
    setups = list_setups(identify_visitor(request), roster.version)
    # The sides of all missions, each once; the page shows the sides of the chosen mission.
    sides = {side.id: side for mission in play.missions.values() for side in mission.sides}
    given: Mapping[str, Any] = form.data
    if not given:
        # The empty form suggests the mission of the list's plan, and the smallest battle that the list fits.
        planned = get_game_plan(roster)
        needed = Decimal(roster.limit or roster.points or 0)
        sizes = [
            (size.points, size.id) for size in play.sizes.values() if size.points is not None and size.points >= needed
        ]
        given = {
            "mission": planned.mission if planned else "",
            "size": min(sizes)[1] if sizes else "",
            "table": setups[0].key if setups else "",
            "player": get_player_name(request.user) if request.user.is_authenticated else "",
        }
    # The most players of any mission. Players who set up their table may choose the maximum.
    most = min(max([SIDES, *(mission.players for mission in play.missions.values())]), MOST_SIDES)
    if not has_table_rules(play):
        most = MOST_SIDES
    context = {
        "page": "play",
        "roster": roster,
        "face": load_faction(roster.version_id, roster.faction_id).row or roster.version.game,
        "play": play,
        "packs": [(pack, play.list_missions(pack.name)) for pack in play.packs.values()],
        "unsuited": {mission.id for mission in play.missions.values() if not mission.suits(roster.faction_id)},
        "loose": [mission for mission in play.missions.values() if play.find_pack(mission.pack) is None],
        "sides": list(sides.values()),
        "rollable_maps": play.rollable_maps,
        "can_set_up": not has_table_rules(play),
        "setups": setups,
        "mission_names": sorted({name for ready in setups for name in ready.setup.missions}),
        "seats": [
            ("", _("As the table says, otherwise two")),
            ("2", _("Two")),
            ("3", _("Three, free for all")),
            ("4", _("Four, free for all")),
            ("teams", _("Two teams of two")),
        ],
        "opponents": [
            {
                "name": name,
                "words": _("Opponent") if most == SIDES else _("Player %(n)s") % {"n": place},
                "player": given.get(name, ""),
                "link": given.get(f"{name}_link", ""),
            }
            for place, name in enumerate(OPPONENTS[: most - 1], 2)
        ],
        "more_opponents": any(given.get(name) or given.get(f"{name}_link") for name in OPPONENTS[1:]),
        "given": given,
        "wrong": wrong,
    }
    return render(request, "play/game/new.html", context, status=status)


@allow("GET", "POST")
@hide_linked_page()
def invite_player(request: HttpRequest, public_id: str) -> HttpResponse:
    game, place = find_own_game(request, public_id)
    wrong = ""
    if request.method == "POST":
        refused = _change_invitation(game, place, InvitationForm(request.POST).read_fields()["do"])
        if refused is None:
            return redirect_after_post("play:game-invite", public_id)
        wrong = wording.explain_refusal(refused)
    sides = list(game.sides.order_by("place"))
    played = list_played_places(game)
    codes = []
    for invitation in verbs.list_invitations(game):
        address = request.build_absolute_uri(reverse("play:game-join", args=[invitation.code]))
        seat = invitation.side.place
        codes.append(
            {
                "place": seat,
                "name": describe_side(sides[seat]),
                "address": address,
                "qr": draw_qr_code(address, game.name),
            }
        )
    context = {
        "page": "play",
        "game": game,
        "look": request.build_absolute_uri(game.get_absolute_url()),
        "look_qr": draw_qr_code(request.build_absolute_uri(game.get_absolute_url()), game.name),
        "codes": codes,
        "place": place,
        "others": [
            {"place": side.place, "name": describe_side(side), "joined": side.place in played}
            for side in sides
            if side.place != place
        ],
        "wrong": wrong,
    }
    return render_form(request, "play/game/invite.html", context)


def _change_invitation(game: Game, place: int, act: str) -> Refused | None:
    places = {f"opponent {number}": number for number in range(game.sides.count()) if number != place}
    # With two players, the other one needs no number. `device` adds a device for the same player.
    places |= {"opponent": (place + 1) % game.sides.count(), "device": place}
    if act in places:
        invitation = verbs.invite_player(game, places[act])
        return invitation if isinstance(invitation, Refused) else None
    match act:
        case "withdraw":
            verbs.withdraw_invitations(game)
            return None
        # Only the owner of the game may replace its link.
        case "link" if place == 0:
            replace_link(game)
            return None
    return Refused(code="bad-change")


@allow("GET", "POST")
@hide_linked_page()
def join_game(request: HttpRequest, code: str) -> HttpResponse:
    """Let a visitor with a code watch the game, or play the side of the code."""
    try:
        invitation = verbs.find_invitation(code)
    except GameInvitation.DoesNotExist:
        raise Http404 from None
    game = invitation.side.game
    if request.method == "POST":
        form = SeatForm(request.POST)
        fields = form.read_fields()
        joined = verbs.join_game(invitation, make_owner(request), fields["link"], fields["player"])
        if isinstance(joined, Refused):
            return _render_invitation(request, invitation, form, joined)
    elif verbs.find_place(game, identify_visitor(request)) is None:
        return _render_invitation(request, invitation, SeatForm())
    return redirect_after_post("play:game", game.public_id)


def _render_invitation(
    request: HttpRequest, invitation: GameInvitation, form: SeatForm, refused: Refused | None = None
) -> HttpResponse:
    game = invitation.side.game
    # The code may have been used since the page was shown.
    is_old = invitation.is_over or (refused is not None and refused.code == "old-invitation")
    wrong, status = "", 200
    if is_old:
        # The visitor can still watch.
        status = 410
    elif refused:
        wrong, status = wording.explain_refusal(refused), REFUSED
    context = {
        "page": "play",
        "game": game,
        "side": invitation.side,
        "names": [describe_side(side) for side in game.sides.order_by("place")],
        "readable": game.visibility != "private" and not game.taken_down,
        "old": is_old,
        "wrong": wrong,
        "link": form.data.get("link", ""),
        "player": form.data.get("player", ""),
    }
    return render(request, "play/game/join.html", context, status=status)


@allow("GET", "POST")
@hide_linked_page()
def end_game(request: HttpRequest, public_id: str) -> HttpResponse:
    game, place = find_own_game(request, public_id)
    conceding = {f"concede {number}": number for number in sorted(list_tapped_places(game, place))}
    wrong = ""
    if request.method == "POST":
        fields = EndForm(request.POST).read_fields()
        refused = Refused(code="bad-change")
        private = (
            verbs.keep_private_notes(game, place, fields["private_notes"]) if "private_notes" in request.POST else None
        )
        match fields["do"]:
            case _ if private is not None:
                refused = private
            # The game's owner deletes it for all; other players can only leave.
            case "delete" if place == 0:
                game.delete()
                messages.success(request, _("The game was deleted."))
                return redirect_after_post("play:games")
            case "leave" if place > 0:
                verbs.leave_game(game, identify_visitor(request))
                messages.success(request, _("You have left the game. Its owner keeps it."))
                return redirect_after_post("play:games")
            case "confirm":
                problem = verbs.confirm_result(game, place)
                if problem is None:
                    return redirect_after_post("play:game-end", game.public_id)
                refused = problem
            case "reopen":
                verbs.reopen_game(game)
                return redirect_after_post("play:game", game.public_id)
            case "end":
                ended = verbs.end_game(game, fields["notes"])
                if not isinstance(ended, Refused):
                    return redirect_after_post("play:game-end", game.public_id)
                refused = ended
            # A player may concede for a side that they tap for.
            case act if act in conceding:
                ended = verbs.end_game(game, fields["notes"], conceding[act])
                if not isinstance(ended, Refused):
                    return redirect_after_post("play:game-end", game.public_id)
                refused = ended
        wrong = wording.explain_refusal(refused)
    row = describe_row(game)
    outcome = verbs.find_game_outcome(game)
    context = {
        "page": "play",
        "place": place,
        "wrong": wrong,
        "outcome": verbs.describe_outcome(outcome, row["sides"]),
        "private_notes": row["sides"][place].private_notes,
        "conceding": [(number, row["names"][number]) for number in conceding.values()],
        # The result of several sides, the best first. Old games have no ranks.
        "ranking": sorted(zip(outcome.ranks, row["names"], row["scores"], strict=False), key=itemgetter(0))
        if len(row["sides"]) > SIDES
        else [],
        "confirmations": verbs.list_confirmations(game),
        **row,
    }
    return render_form(request, "play/game/end.html", context)
