"""Games at the table through the API, by the services of their pages."""

import json
from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.exceptions import NotFound, ParseError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from catalogue.api.pages import PAGED, answer_page
from catalogue.api.problems import FieldProblemSerializer, ProblemSerializer
from roster import wording
from roster.api.lists import require_account
from roster.api.views import NO_INDEX, READING
from roster.models.tokens import TokenScope
from roster.play.api.serializers import (
    PlayedGameSerializer,
    PlayedStateSerializer,
    SentTapsSerializer,
    TapReceiptSerializer,
)
from roster.play.models import Game
from roster.play.services.game_board import describe_state
from roster.play.services.game_taps import append_operations
from roster.play.services.games import describe_side, find_places, find_played_game, list_games
from roster.play.views.games import read_sent_taps
from roster.services.outcomes import Refused

TAPPING = {"POST": TokenScope.WRITE}
NOT_YOURS = OpenApiResponse(ProblemSerializer, "You play in no such game.")


class PlayedGamesView(APIView):
    """The games at the table in which you play, the last changed first."""

    scopes = READING

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


class PlayedGameView(APIView):
    """A game at the table as your side sees it: without the secrets of the others."""

    scopes = READING

    @extend_schema(
        operation_id="played_retrieve",
        summary="A game at the table",
        responses={200: PlayedStateSerializer, 404: NOT_YOURS},
        tags=["played"],
    )
    def get(self, request: Request, public_id: str) -> Response:
        game, place = find_own_game(request, public_id)
        answer = describe_played_game(game, place) | {"state": describe_state(game, place)}
        return Response(answer, headers=NO_INDEX)


class TapsView(APIView):
    """Tap in a game, as the buttons of its page do. A tap that arrives twice counts once, so none needs a revision."""

    scopes = TAPPING

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


def find_own_game(request: Request, public_id: str) -> tuple[Game, int]:
    """Return a game and the place of the account in it. Raises NotAuthenticated and NotFound."""
    visitor = require_account(request)
    try:
        return find_played_game(public_id, visitor)
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
