"""The API of clubs and their seasons, to read. It uses the same services and visibility as the pages."""

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from django.db.models import Prefetch, prefetch_related_objects
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from catalogue.api.gallery import require_user
from catalogue.api.pages import PAGED, answer_page
from roster.api.views import NO_INDEX
from roster.club.api.serializers import (
    ClubSerializer,
    HoldSerializer,
    MeetingSerializer,
    SeasonSerializer,
    TableLineSerializer,
)
from roster.club.models import Club, ClubMember, Season
from roster.club.services.clubs import ClubStanding, find_club_standing, list_clubs, open_club
from roster.club.services.season_files import list_place_rows, list_result_rows, list_table_rows
from roster.club.services.seasons import find_season, load_season_board
from roster.events.api.views import BAD_FIELDS, NOT_FOUND
from roster.models.tokens import TokenScope

READING = {"GET": TokenScope.EVENTS}
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


def open_season_for_program(request: Request, public_id: str) -> Season:
    try:
        season = find_season(public_id)
        open_club(season.club, request.user)
    except (Season.DoesNotExist, Club.DoesNotExist):
        raise NotFound from None
    return season


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
        return Response(serialize_season(open_season_for_program(request, public_id)), headers=NO_INDEX)


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
        rows = list_table_rows(load_season_board(open_season_for_program(request, public_id)))
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
        # Two players can be paired more than once, even on the same day.
        return answer_numbered_page(
            request, list_result_rows(load_season_board(open_season_for_program(request, public_id)))
        )


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
        return answer_numbered_page(
            request, list_place_rows(load_season_board(open_season_for_program(request, public_id)))
        )
