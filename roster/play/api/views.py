"""Games at the table through the API, with the services of their pages."""

import json
from typing import Any, TypeVar

import msgspec
from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.exceptions import NotFound, ParseError, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from catalogue.api.pages import PAGED, answer_page
from catalogue.api.problems import FieldProblemSerializer, ProblemSerializer
from roster import wording
from roster.api.lists import answer_refusal, require_account
from roster.api.views import NO_INDEX, READING, find_roster_to_build
from roster.models.tokens import TokenScope
from roster.play.api.serializers import (
    EndedGameSerializer,
    InvitationSerializer,
    LogLineSerializer,
    PlayedGameSerializer,
    PlayedStateSerializer,
    SentEndSerializer,
    SentInvitationSerializer,
    SentSeatSerializer,
    SentSetupSerializer,
    SentTapsSerializer,
    TapReceiptSerializer,
)
from roster.play.game_state import MOST_SIDES
from roster.play.models import Game, GameInvitation
from roster.play.services import games as verbs
from roster.play.services.game_board import describe_state
from roster.play.services.game_log import LogLine, list_log
from roster.play.services.game_taps import append_operations, list_tapped_places, read_sent_taps
from roster.play.services.games import SEATS, GameSetup, Opponent, describe_side, find_places, list_games
from roster.services.outcomes import Refused
from roster.services.owners import identify_visitor

PLAYING = {**READING, "POST": TokenScope.WRITE, "DELETE": TokenScope.WRITE}
NOT_YOURS = OpenApiResponse(ProblemSerializer, "You play in no such game.")
REFUSED = OpenApiResponse(ProblemSerializer, "That cannot be done now; `code` says why.")
Sent = TypeVar("Sent", bound=msgspec.Struct)


class SentOpponent(msgspec.Struct, forbid_unknown_fields=True):
    """Another player: a name, and the link of a list."""

    name: str = ""
    list: str = ""


class SentSetup(msgspec.Struct, forbid_unknown_fields=True):
    """How a game begins, with the fields of `GameSetup`."""

    list: str
    mission: str = ""
    pack: str = ""
    map: str = ""
    size: str = ""
    first: str = "0"
    mission_side: str = ""
    table: str = ""
    mission_name: str = ""
    players: int = 0
    teams: int = 0
    opponents: tuple[SentOpponent, ...] = ()


class SentInvitation(msgspec.Struct, forbid_unknown_fields=True):
    side: int


class SentSeat(msgspec.Struct, forbid_unknown_fields=True):
    code: str
    list: str = ""
    name: str = ""


class SentEnd(msgspec.Struct, forbid_unknown_fields=True):
    notes: str = ""
    conceded: int | None = None


class PlayedGamesView(APIView):
    """The games at the table in which you play, most recently changed first. A POST starts one."""

    scopes = PLAYING

    @extend_schema(
        operation_id="played_list",
        summary="Your games at the table",
        parameters=PAGED,
        responses={200: PlayedGameSerializer(many=True), 400: FieldProblemSerializer},
        tags=["played"],
    )
    def get(self, request: Request) -> Response:
        visitor = require_account(request)

        def serialize(games: list[Game]) -> list[dict[str, Any]]:
            places = find_places(games, visitor)
            return [describe_played_game(game, places[game.pk]) for game in games]

        return answer_page(request, list_games(visitor), serialize, lambda game: game.pk, headers=NO_INDEX)

    @extend_schema(
        operation_id="played_start",
        summary="Start a game at the table",
        request=SentSetupSerializer,
        responses={201: PlayedStateSerializer, 400: FieldProblemSerializer, 409: REFUSED},
        tags=["played"],
    )
    def post(self, request: Request) -> Response:
        visitor = require_account(request)
        sent = read_body(request, SentSetup)
        if len(sent.opponents) >= MOST_SIDES:
            raise ValidationError({"opponents": [_("A game has at most %(most)s players.") % {"most": MOST_SIDES}]})
        if (sent.players, sent.teams) not in {(0, 0), *SEATS.values()}:
            raise ValidationError({"players": [_("Play with two, three or four players, or in two teams of two.")]})
        try:
            roster = find_roster_to_build(request, sent.list)
        except NotFound:
            return answer_refusal(Refused(code="unknown-list", subject_id=sent.list))
        fields: dict[str, Any] = msgspec.structs.asdict(sent)
        del fields["list"]
        opponents = tuple(Opponent(one.name, one.list) for one in sent.opponents)
        game = verbs.start_game(visitor, roster, GameSetup(**fields | {"opponents": opponents}))
        if isinstance(game, Refused):
            return answer_refusal(game)
        return _answer_game(game, 0, 201)


class PlayedGameView(APIView):
    """A game at the table as your side sees it: without the secrets of the others.

    A DELETE by the owner deletes it for everyone; a DELETE by another player leaves it.
    """

    scopes = PLAYING

    @extend_schema(
        operation_id="played_retrieve",
        summary="A game at the table",
        responses={200: PlayedStateSerializer, 404: NOT_YOURS},
        tags=["played"],
    )
    def get(self, request: Request, public_id: str) -> Response:
        return _answer_game(*find_own_game(request, public_id))

    @extend_schema(
        operation_id="played_delete",
        summary="Delete a game at the table, or leave it",
        responses={204: None, 404: NOT_YOURS},
        tags=["played"],
    )
    def delete(self, request: Request, public_id: str) -> Response:
        game, place = find_own_game(request, public_id)
        if place == 0:
            game.delete()
        else:
            verbs.leave_game(game, identify_visitor(request))
        return Response(status=204)


class TapsView(APIView):
    """Tap in a game, like the buttons of its page. A tap that arrives twice counts once, so taps need no revision."""

    scopes = PLAYING

    @extend_schema(
        operation_id="played_tap",
        summary="Tap in a game at the table",
        request=SentTapsSerializer,
        responses={200: TapReceiptSerializer, 400: ProblemSerializer, 404: NOT_YOURS},
        tags=["played"],
    )
    def post(self, request: Request, public_id: str) -> Response:
        game, place = find_own_game(request, public_id)
        if "taps" not in request.data:
            raise ParseError(_('Send the taps, as {"taps": []}.'))
        sent = read_sent_taps(json.dumps(request.data).encode())
        if sent is None:
            raise ParseError(wording.explain_refusal(Refused(code="bad-change")))
        receipt = append_operations(game, place, sent)
        answer = {
            "numbers": receipt.numbers,
            "refused": {uid: wording.explain_refusal(refused) for uid, refused in receipt.refused.items()},
            "state": describe_state(receipt.game, place),
        }
        return Response(answer, headers=NO_INDEX)


class InvitationsView(APIView):
    """The open codes of a game. With a code another player takes a side, or another device of yours takes your side.

    A POST makes a code for a side, or returns its open one. A DELETE withdraws all open codes.
    """

    scopes = PLAYING

    @extend_schema(
        operation_id="played_invitations",
        summary="The open codes of a game",
        responses={200: InvitationSerializer(many=True), 404: NOT_YOURS},
        tags=["played"],
        parameters=PAGED,
    )
    def get(self, request: Request, public_id: str) -> Response:
        game, _place = find_own_game(request, public_id)

        def serialize(invitations: list[GameInvitation]) -> list[dict[str, Any]]:
            return [_describe_invitation(request, invitation) for invitation in invitations]

        rows = verbs.list_invitations(game).order_by("side__place")
        return answer_page(request, rows, serialize, lambda invitation: invitation.pk, headers=NO_INDEX)

    @extend_schema(
        operation_id="played_invite",
        summary="Invite a player to a side",
        request=SentInvitationSerializer,
        responses={201: InvitationSerializer, 400: FieldProblemSerializer, 404: NOT_YOURS, 409: REFUSED},
        tags=["played"],
    )
    def post(self, request: Request, public_id: str) -> Response:
        game, _place = find_own_game(request, public_id)
        sent = read_body(request, SentInvitation)
        if not 0 <= sent.side < game.sides.count():
            raise ValidationError({"side": [_("This game has no such side.")]})
        invitation = verbs.invite_player(game, sent.side)
        if isinstance(invitation, Refused):
            return answer_refusal(invitation)
        return Response(_describe_invitation(request, invitation), 201, headers=NO_INDEX)

    @extend_schema(
        operation_id="played_withdraw",
        summary="Withdraw the open codes of a game",
        responses={204: None, 404: NOT_YOURS},
        tags=["played"],
    )
    def delete(self, request: Request, public_id: str) -> Response:
        verbs.withdraw_invitations(find_own_game(request, public_id)[0])
        return Response(status=204)


class SeatsView(APIView):
    """Take the side of a code. If you play in the game already, nothing changes."""

    scopes = PLAYING

    @extend_schema(
        operation_id="played_join",
        summary="Join a game at the table",
        request=SentSeatSerializer,
        responses={
            200: PlayedStateSerializer,
            400: FieldProblemSerializer,
            404: OpenApiResponse(ProblemSerializer, "There is no such code."),
            409: REFUSED,
        },
        tags=["played"],
    )
    def post(self, request: Request) -> Response:
        visitor = require_account(request)
        sent = read_body(request, SentSeat)
        try:
            invitation = verbs.find_invitation(sent.code)
        except GameInvitation.DoesNotExist:
            raise NotFound(_("There is no such code.")) from None
        joined = verbs.join_game(invitation, visitor, sent.list, sent.name)
        if isinstance(joined, Refused):
            return answer_refusal(joined)
        return _answer_game(*verbs.find_played_game(joined.public_id, visitor))


class EndView(APIView):
    """End a game with its score, even if a side concedes. A DELETE continues it."""

    scopes = PLAYING

    @extend_schema(
        operation_id="played_end",
        summary="End a game at the table",
        request=SentEndSerializer,
        responses={200: EndedGameSerializer, 400: FieldProblemSerializer, 404: NOT_YOURS, 409: REFUSED},
        tags=["played"],
    )
    def post(self, request: Request, public_id: str) -> Response:
        game, place = find_own_game(request, public_id)
        sent = read_body(request, SentEnd)
        # A player may concede for a side that they tap for.
        if sent.conceded is not None and sent.conceded not in list_tapped_places(game, place):
            return answer_refusal(Refused(code="other-side"))
        ended = verbs.end_game(game, sent.notes, sent.conceded)
        return answer_refusal(ended) if isinstance(ended, Refused) else _answer_end(ended, place)

    @extend_schema(
        operation_id="played_reopen",
        summary="Continue an ended game",
        responses={200: EndedGameSerializer, 404: NOT_YOURS},
        tags=["played"],
    )
    def delete(self, request: Request, public_id: str) -> Response:
        game, place = find_own_game(request, public_id)
        verbs.reopen_game(game)
        return _answer_end(game, place)


class ConfirmationView(APIView):
    """Confirm the result of an ended game for your side."""

    scopes = PLAYING

    @extend_schema(
        operation_id="played_confirm",
        summary="Confirm the result of a game",
        request=None,
        responses={200: EndedGameSerializer, 404: NOT_YOURS, 409: REFUSED},
        tags=["played"],
    )
    def post(self, request: Request, public_id: str) -> Response:
        game, place = find_own_game(request, public_id)
        refused = verbs.confirm_result(game, place)
        if refused:
            return answer_refusal(refused)
        game.refresh_from_db()
        return _answer_end(game, place)


class LogView(APIView):
    """What happened in a game, newest first, as your side may read it."""

    scopes = READING

    @extend_schema(
        operation_id="played_log",
        summary="The log of a game",
        parameters=PAGED,
        responses={200: LogLineSerializer(many=True), 400: FieldProblemSerializer, 404: NOT_YOURS},
        tags=["played"],
    )
    def get(self, request: Request, public_id: str) -> Response:
        game, place = find_own_game(request, public_id)

        def serialize(lines: list[LogLine]) -> list[dict[str, Any]]:
            return [
                {
                    "id": line.id,
                    "number": line.number,
                    "at": line.when,
                    "round": line.round,
                    "who": line.who,
                    "text": line.text,
                    "undone": line.undone,
                    "undo": line.takes_back,
                    "can_undo": line.can_undo,
                }
                for line in lines
            ]

        return answer_page(request, list_log(game, place), serialize, lambda line: line.id, headers=NO_INDEX)


def read_body(request: Request, kind: type[Sent]) -> Sent:
    """Return the fields in a body. Raises ValidationError for unknown and missing fields and wrong types."""
    try:
        return msgspec.convert(request.data, kind)
    except (msgspec.ValidationError, UnicodeEncodeError) as error:  # half a surrogate pair
        raise ValidationError({"": [str(error)]}) from error


def find_own_game(request: Request, public_id: str) -> tuple[Game, int]:
    """Return a game and the place of the account in it. Raises NotAuthenticated and NotFound."""
    visitor = require_account(request)
    try:
        return verbs.find_played_game(public_id, visitor)
    except Game.DoesNotExist:
        raise NotFound from None


def describe_played_game(game: Game, place: int) -> dict[str, Any]:
    sides = sorted(game.sides.all(), key=lambda side: side.place)
    return {
        "id": game.public_id,
        "name": game.name,
        "game": game.version.game.slug,
        "mission": game.mission_name,
        "place": place,
        "sides": [describe_side(side) for side in sides],
        "ended": game.ended is not None,
        "last": game.last,
    }


def _answer_game(game: Game, place: int, status: int = 200) -> Response:
    answer = describe_played_game(game, place) | {"state": describe_state(game, place)}
    return Response(answer, status, headers=NO_INDEX)


def _answer_end(game: Game, place: int) -> Response:
    sides = list(game.sides.order_by("place"))
    outcome = verbs.find_game_outcome(game)
    answer = describe_played_game(game, place) | {
        "scores": [side.score for side in sides],
        "ranks": list(outcome.ranks),
        "outcome": verbs.describe_outcome(outcome, sides),
        "notes": game.notes,
        "confirmed": [one.side.place for one in verbs.list_confirmations(game) if one.confirmed],
    }
    return Response(answer, headers=NO_INDEX)


def _describe_invitation(request: Request, invitation: GameInvitation) -> dict[str, Any]:
    address = request.build_absolute_uri(reverse("play:game-join", args=[invitation.code]))
    return {"side": invitation.side.place, "code": invitation.code, "address": address}
