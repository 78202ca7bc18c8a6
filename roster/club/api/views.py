"""The API of clubs and their seasons. It uses the same services and visibility as the pages."""

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from django.db.models import Prefetch, prefetch_related_objects
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from catalogue.api.gallery import require_user
from catalogue.api.pages import PAGED, answer_page
from catalogue.api.problems import ProblemResponse, ProblemSerializer
from roster.api.views import NO_INDEX, VanishingView
from roster.club.api.serializers import (
    ClubSerializer,
    HoldSerializer,
    MeetingSerializer,
    SeasonSerializer,
    SentOutcomeSerializer,
    SentResultSerializer,
    TableLineSerializer,
)
from roster.club.models import Club, ClubMember, Meeting, Season
from roster.club.services import results
from roster.club.services.clubs import ClubStanding, find_club_standing, list_clubs, open_club
from roster.club.services.season_files import describe_meeting, list_event_rows, list_place_rows, list_table_rows
from roster.club.services.seasons import SeasonBoard, ShownMeeting, find_meeting, find_season, load_season_board
from roster.club.wording import explain_club_refusal
from roster.events.api.views import BAD_FIELDS, NOT_FOUND
from roster.models.tokens import TokenScope
from roster.services.outcomes import Refused

READING = {"GET": TokenScope.EVENTS}
PLAYING = {**READING, "POST": TokenScope.EVENTS, "DELETE": TokenScope.EVENTS}
REFUSED = OpenApiResponse(ProblemSerializer, "That cannot be done now; `code` says why.")
FORBIDDEN = OpenApiResponse(ProblemSerializer, "The token of the form is missing.")
NOT_JSON = OpenApiResponse(ProblemSerializer, "The body is not JSON.")
AFTER_ACT: dict[int, Any] = {
    200: MeetingSerializer,
    400: BAD_FIELDS,
    403: FORBIDDEN,
    404: NOT_FOUND,
    409: REFUSED,
    415: NOT_JSON,
}
SEASONS = Prefetch("seasons", Season.objects.select_related("game", "homebrew__origin__homebrew_set"))


def serialize_season(season: Season) -> dict[str, Any]:
    homebrew = season.homebrew if season.homebrew and not season.homebrew.is_hidden else None
    return {
        "id": season.public_id,
        "name": season.name,
        "game": season.game.slug if season.game else season.game_name,
        "format": season.format,
        "ladder": season.ladder,
        "started": season.started,
        "ended": season.ended,
        "limit": season.limit,
        "homebrew": homebrew.key if homebrew else "",
        "homebrew_name": homebrew.name if homebrew else "",
    }


def serialize_club(standing: ClubStanding) -> dict[str, Any]:
    club, seasons = standing.club, standing.club.seasons.all()
    return {
        "id": club.public_id,
        "name": club.name,
        "text": club.text,
        "is_open": club.is_open,
        "role": standing.member.role if standing.member else "",
        "seasons": [serialize_season(season) for season in seasons],
    }


def serialize_meeting(shown_meeting: ShownMeeting) -> dict[str, Any]:
    return {
        "number": shown_meeting.meeting.pk,
        **describe_meeting(shown_meeting),
        "outcome": shown_meeting.outcome,
        "waits_for": [side for side in results.OTHER if shown_meeting.lacks(side)],
    }


def open_season_for_program(request: Request, public_id: str) -> tuple[Season, ClubStanding]:
    """Return a season that the user may read, with their standing in its club. Raises NotFound."""
    try:
        season = find_season(public_id)
        return season, open_club(season.club, request.user)
    except (Season.DoesNotExist, Club.DoesNotExist):
        raise NotFound from None


def open_board_for_program(request: Request, public_id: str) -> SeasonBoard:
    season, _standing = open_season_for_program(request, public_id)
    return load_season_board(season)


def find_meeting_for_program(season: Season, number: int) -> ShownMeeting:
    try:
        return find_meeting(season, number)
    except Meeting.DoesNotExist:
        raise NotFound from None


def open_own_meeting(request: Request, public_id: str, number: int) -> tuple[Season, ClubStanding]:
    """Return the season of a meeting in which the user may act. Raises NotFound."""
    season, standing = open_season_for_program(request, public_id)
    if not results.may_act(standing, find_meeting_for_program(season, number)):
        raise NotFound
    return season, standing


def answer_act(season: Season, number: int, refused: Refused | None) -> Response:
    """Answer with the meeting after an act, or with why it was refused."""
    if refused:
        return ProblemResponse(409, explain_club_refusal(refused), refused.code, "refused")
    return Response(serialize_meeting(find_meeting_for_program(season, number)), headers=NO_INDEX)


class ClubsView(APIView):
    """The clubs that the user is a member of."""

    scopes: ClassVar = READING

    @extend_schema(
        operation_id="clubs_list",
        summary="My clubs and their seasons",
        parameters=PAGED,
        responses={200: ClubSerializer(many=True), 400: BAD_FIELDS},
        tags=["clubs"],
    )
    def get(self, request: Request) -> Response:
        user = require_user(request)
        mine = ClubMember.objects.filter(user=user, left=None)
        clubs = list_clubs(user).prefetch_related(Prefetch("members", mine, to_attr="mine"), SEASONS)

        def serialize(page: list[Any]) -> list[Any]:
            return [serialize_club(ClubStanding(club=club, member=club.mine[0])) for club in page]

        return answer_page(request, clubs, serialize, lambda club: club.pk, headers=NO_INDEX)


class ClubView(APIView):
    """One club, for its members, or for everyone with the address if it is open."""

    scopes: ClassVar = READING

    @extend_schema(
        operation_id="club_retrieve",
        summary="A club and its seasons",
        responses={200: ClubSerializer, 404: NOT_FOUND},
        tags=["clubs"],
    )
    def get(self, request: Request, public_id: str) -> Response:
        try:
            standing = find_club_standing(public_id, request.user)
        except Club.DoesNotExist:
            raise NotFound from None
        prefetch_related_objects([standing.club], SEASONS)
        return Response(serialize_club(standing), headers=NO_INDEX)


def answer_numbered_page(request: Request, rows: Iterable[Mapping[str, Any]]) -> Response:
    """Answer with a page of rows that only their number identifies."""
    numbered = list(enumerate(rows))
    return answer_page(
        request, numbered, lambda page: [row for _number, row in page], lambda pair: pair[0], headers=NO_INDEX
    )


class SeasonView(APIView):
    """One season, for those who may read its club."""

    scopes: ClassVar = READING

    @extend_schema(
        operation_id="season_retrieve",
        summary="A season and its rules for lists",
        responses={200: SeasonSerializer, 404: NOT_FOUND},
        tags=["clubs"],
    )
    def get(self, request: Request, public_id: str) -> Response:
        season, _standing = open_season_for_program(request, public_id)
        return Response(serialize_season(season), headers=NO_INDEX)


class SeasonTableView(APIView):
    """The table of a season."""

    scopes: ClassVar = READING

    @extend_schema(
        operation_id="season_table_list",
        summary="The table of a season",
        parameters=PAGED,
        responses={200: TableLineSerializer(many=True), 400: BAD_FIELDS, 404: NOT_FOUND},
        tags=["clubs"],
    )
    def get(self, request: Request, public_id: str) -> Response:
        rows = list_table_rows(open_board_for_program(request, public_id))
        return answer_page(request, rows, lambda page: page, lambda row: row["player"], headers=NO_INDEX)


class SeasonMeetingsView(APIView):
    """The games of a season: its meetings, then the results of events that count in it."""

    scopes: ClassVar = READING

    @extend_schema(
        operation_id="season_meetings_list",
        summary="The games of a season, played or not",
        parameters=PAGED,
        responses={200: MeetingSerializer(many=True), 400: BAD_FIELDS, 404: NOT_FOUND},
        tags=["clubs"],
    )
    def get(self, request: Request, public_id: str) -> Response:
        board = open_board_for_program(request, public_id)
        at_events = [{"number": None, **row, "outcome": "", "waits_for": []} for row in list_event_rows(board)]
        # Two players can be paired more than once, even on the same day.
        return answer_numbered_page(request, [*map(serialize_meeting, board.meetings), *at_events])


class _OwnMeetingView(VanishingView):
    scopes: ClassVar = PLAYING
    gone = (Meeting.DoesNotExist,)


class MeetingView(_OwnMeetingView):
    """A game of a season, played or not.

    A DELETE withdraws or declines a challenge without a result; organisers also remove a past game of a round.
    """

    @extend_schema(
        operation_id="season_meeting_retrieve",
        summary="A game of a season, and who has to confirm its result",
        responses={200: MeetingSerializer, 404: NOT_FOUND},
        tags=["clubs"],
    )
    def get(self, request: Request, public_id: str, number: int) -> Response:
        season, _standing = open_season_for_program(request, public_id)
        return Response(serialize_meeting(find_meeting_for_program(season, number)), headers=NO_INDEX)

    @extend_schema(
        operation_id="season_meeting_withdraw",
        summary="Withdraw or decline a challenge",
        responses={204: None, 403: FORBIDDEN, 404: NOT_FOUND, 409: REFUSED},
        tags=["clubs"],
    )
    def delete(self, request: Request, public_id: str, number: int) -> Response:
        season, standing = open_own_meeting(request, public_id, number)
        refused = results.withdraw_meeting(standing, season, number)
        return answer_act(season, number, refused) if refused else Response(status=204)


class ResultView(_OwnMeetingView):
    """The result of a game of a season. Your side confirms what you enter. Organisers correct it, and delete it."""

    @extend_schema(
        operation_id="season_result_enter",
        summary="Enter the result of a game of a season",
        request=SentResultSerializer,
        responses=AFTER_ACT,
        tags=["clubs"],
    )
    def post(self, request: Request, public_id: str, number: int) -> Response:
        season, standing = open_own_meeting(request, public_id, number)
        serializer = SentResultSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        sent = serializer.validated_data
        if "game" in sent:
            refused = results.attach_game(standing, require_user(request), season, number, sent["game"])
        else:
            refused = results.enter_scores(standing, season, number, str(sent["first"]), str(sent["second"]))
        return answer_act(season, number, refused)

    @extend_schema(
        operation_id="season_result_delete",
        summary="Remove the result of a game of a season",
        responses={200: MeetingSerializer, 403: FORBIDDEN, 404: NOT_FOUND},
        tags=["clubs"],
    )
    def delete(self, request: Request, public_id: str, number: int) -> Response:
        season, standing = open_own_meeting(request, public_id, number)
        if not standing.is_organiser:
            raise NotFound
        results.clear_scores(season, number)
        return answer_act(season, number, None)


class MeetingConfirmationView(_OwnMeetingView):
    """Confirm the result of a game of a season, for your side or, as an organiser who does not play, for both."""

    @extend_schema(
        operation_id="season_result_confirm",
        summary="Confirm the result of a game of a season",
        request=SentOutcomeSerializer,
        responses=AFTER_ACT,
        tags=["clubs"],
    )
    def post(self, request: Request, public_id: str, number: int) -> Response:
        season, standing = open_own_meeting(request, public_id, number)
        serializer = SentOutcomeSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        refused = results.confirm_outcome(standing, season, number, serializer.validated_data["outcome"])
        return answer_act(season, number, refused)


class SeasonPlacesView(APIView):
    """Who held each place of a season's map, from the start until now. Corrected results change it."""

    scopes: ClassVar = READING

    @extend_schema(
        operation_id="season_places_list",
        summary="The places of a season, and who held them",
        parameters=PAGED,
        responses={200: HoldSerializer(many=True), 400: BAD_FIELDS, 404: NOT_FOUND},
        tags=["clubs"],
    )
    def get(self, request: Request, public_id: str) -> Response:
        # A player can take a place more than once.
        return answer_numbered_page(request, list_place_rows(open_board_for_program(request, public_id)))
