"""Ways to change a list: complete it, fill it, make it legal, add units. Nothing is stored."""

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse, extend_schema, extend_schema_view
from rest_framework import status
from rest_framework.exceptions import APIException, NotFound, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from catalogue.api.pages import CURSOR, PAGED, answer_page
from catalogue.api.problems import FieldProblemSerializer, ProblemSerializer
from catalogue.definitions.numbers import Number
from catalogue.models import PackVersion
from catalogue.services.published_games import find_faction, select_games
from roster.api.authentication import TokenAuthentication
from roster.api.serializers import (
    AdditionSerializer,
    AlliedFactionSerializer,
    FoundWaysSerializer,
    UnreadableSerializer,
)
from roster.api.views import (
    DOCUMENTS,
    EXAMPLE,
    NO_INDEX,
    READING,
    CheckView,
    find_roster_to_build,
    find_token_reader,
    refuse_unreadable,
)
from roster.engine.completion.solver import is_solver_installed
from roster.engine.edits import Refused
from roster.formats.list_document import Media
from roster.services.additions import Addition, list_additions, list_takeable
from roster.services.board.allies import list_allied_factions, search_forces
from roster.services.evaluation import EvaluatedList, evaluate_roster
from roster.services.exchange import ImportedList, read_list_file
from roster.services.limits import parse_amount
from roster.services.ways import SEEDS, WayKind, find_ways
from roster.wording import explain_refusal
from roster.wording.ways_payload import serialize_additions, serialize_allied_faction, serialize_ways

LONGEST_SEED = 10


class NoSolver(APIException):
    """The solver is not installed."""

    status_code = status.HTTP_501_NOT_IMPLEMENTED

    def __init__(self) -> None:
        super().__init__(explain_refusal(Refused(code="no-solver")))


def read_seed(request: Request) -> int | None:
    """Return the seed, if given. Raises ValidationError if it is not a number."""
    text = request.query_params.get("seed", "")
    if not text:
        return None
    # `isdigit` also accepts digits of other scripts.
    if not (text.isascii() and text.isdigit() and len(text) <= LONGEST_SEED) or int(text) >= SEEDS:
        raise ValidationError({"seed": [_("The seed is a whole number below %(most)s.") % {"most": SEEDS}]})
    return int(text)


def answer_ways(
    request: Request, evaluated_list: EvaluatedList, version: PackVersion, faction_id: str, kind: WayKind
) -> Response:
    seed = read_seed(request) if kind is WayKind.FILL else None
    if not is_solver_installed():
        raise NoSolver
    search = find_ways(evaluated_list, kind, version, seed=seed)
    return Response(serialize_ways(kind, search, version, faction_id), headers=NO_INDEX)


def answer_additions(request: Request, additions: tuple[Addition, ...] | None, limit: str = "limit") -> Response:
    if additions is None:
        raise NoSolver
    return answer_page(request, additions, serialize_additions, _name_addition, limit=limit, headers=NO_INDEX)


def _name_addition(addition: Addition) -> str:
    return f"{addition.force_id} {addition.entry_id}"


SEED = OpenApiParameter(
    "seed", OpenApiTypes.INT, description="Fills a list in the same way again. Without it, each result differs."
)
REFUSALS: dict[int, Any] = {
    400: OpenApiResponse(UnreadableSerializer, "The document cannot be read, or a number is invalid."),
    413: OpenApiResponse(UnreadableSerializer, "The document is too large, or judging it takes too long."),
    415: OpenApiResponse(ProblemSerializer, "The body is neither JSON nor YAML, XML or a zip archive."),
    501: OpenApiResponse(ProblemSerializer, "This server has no solver, or none that knows the rules of the game."),
}
SENT = [OpenApiExample("A list", EXAMPLE, request_only=True, media_type="application/json")]


class RosterWaysView(APIView):
    """Complete, fill or repair a stored list. Everyone with the address may ask; for a private game, only its owner."""

    scopes = READING
    kind: WayKind

    @extend_schema(
        responses={
            200: FoundWaysSerializer,
            400: FieldProblemSerializer,
            404: ProblemSerializer,
            501: ProblemSerializer,
        },
        tags=["rosters"],
    )
    def get(self, request: Request, link_id: str) -> Response:
        roster = find_roster_to_build(request, link_id)
        evaluated_list = evaluate_roster(roster, tree=False)
        return answer_ways(request, evaluated_list, roster.version, roster.faction_id, self.kind)


@extend_schema_view(get=extend_schema(operation_id="roster_complete", summary="Complete a list as cheaply as possible"))
class RosterCompletionView(RosterWaysView):
    kind = WayKind.COMPLETE


@extend_schema_view(
    get=extend_schema(operation_id="roster_fill", summary="Fill a list with what fits", parameters=[SEED])
)
class RosterFillingView(RosterWaysView):
    kind = WayKind.FILL


@extend_schema_view(get=extend_schema(operation_id="roster_repair", summary="Make a list legal by small changes"))
class RosterRepairView(RosterWaysView):
    kind = WayKind.REPAIR


class RosterAdditionsView(APIView):
    """Units you can add to a stored list, best first.

    Everyone with the address may ask; for a private game, only its owner.
    """

    scopes = READING

    @extend_schema(
        operation_id="roster_addable",
        summary="Units you can add to a list, best first",
        parameters=PAGED,
        responses={
            200: AdditionSerializer(many=True),
            400: FieldProblemSerializer,
            404: ProblemSerializer,
            501: ProblemSerializer,
        },
        tags=["rosters"],
    )
    def get(self, request: Request, link_id: str) -> Response:
        roster = find_roster_to_build(request, link_id)
        return answer_additions(request, list_additions(evaluate_roster(roster, tree=False)))


class RosterAlliesView(APIView):
    """Detachments of other factions that a stored list may add.

    Everyone with the address may ask; for a private game, only its owner.
    """

    scopes = READING

    @extend_schema(
        operation_id="roster_allies",
        summary="Detachments of other factions that a list may add",
        parameters=[
            OpenApiParameter("node", OpenApiTypes.STR, description="The detachment they go into; else the list."),
            OpenApiParameter("q", OpenApiTypes.STR, description="Words of the faction or the detachment."),
            *PAGED,
        ],
        responses={200: AlliedFactionSerializer(many=True), 400: FieldProblemSerializer, 404: ProblemSerializer},
        tags=["rosters"],
    )
    def get(self, request: Request, link_id: str) -> Response:
        roster = find_roster_to_build(request, link_id)
        factions = list_allied_factions(roster, request.query_params.get("node", ""))
        matching = search_forces(factions, request.query_params.get("q", ""))
        return answer_page(
            request,
            matching,
            lambda factions: [serialize_allied_faction(faction) for faction in factions],
            lambda faction: faction.catalogue_id,
            headers=NO_INDEX,
        )


class _SentListView(APIView):
    authentication_classes = (TokenAuthentication,)
    permission_classes = ()
    parser_classes = CheckView.parser_classes

    def post(self, request: Request) -> Response:
        sent = dict(request.data)
        checked = read_list_file(
            sent.get("document", b""),
            media=sent.get("media", Media.AUTO),
            has_account=request.auth is not None,
            reader=find_token_reader(request),
        )
        if not isinstance(checked, ImportedList):
            return refuse_unreadable(checked)
        return self.answer_list(request, checked)

    def answer_list(self, request: Request, checked: ImportedList) -> Response:
        raise NotImplementedError


class WaysView(_SentListView):
    """Complete, fill or repair a list sent in the request. Nothing is stored."""

    kind: WayKind

    @extend_schema(request=DOCUMENTS, responses={200: FoundWaysSerializer, **REFUSALS}, examples=SENT, tags=["check"])
    def post(self, request: Request) -> Response:
        return super().post(request)

    def answer_list(self, request: Request, checked: ImportedList) -> Response:
        return answer_ways(request, checked.evaluated_list, checked.version, checked.faction.faction_id, self.kind)


@extend_schema_view(post=extend_schema(operation_id="complete", summary="Complete a list sent in the request"))
class CompletionView(WaysView):
    kind = WayKind.COMPLETE


@extend_schema_view(
    post=extend_schema(operation_id="fill", summary="Fill a list sent in the request", parameters=[SEED])
)
class FillingView(WaysView):
    kind = WayKind.FILL


@extend_schema_view(post=extend_schema(operation_id="repair", summary="Make a list sent in the request legal"))
class RepairView(WaysView):
    kind = WayKind.REPAIR


class AdditionsView(_SentListView):
    """Units you can add to a list sent in the request, best first. Nothing is stored."""

    @extend_schema(
        operation_id="addable",
        summary="Units you can add to a list sent in the request, best first",
        parameters=PAGED,
        request=DOCUMENTS,
        responses={200: AdditionSerializer(many=True), **REFUSALS},
        examples=SENT,
        tags=["check"],
    )
    def post(self, request: Request) -> Response:
        return super().post(request)

    def answer_list(self, request: Request, checked: ImportedList) -> Response:
        return answer_additions(request, list_additions(checked.evaluated_list))


class TakeableView(APIView):
    """The units of a faction that a legal list can have within a limit, for choosing the limit of an event."""

    @extend_schema(
        operation_id="takeable",
        summary="The units that a legal list can have within a limit",
        parameters=[
            OpenApiParameter(
                "faction", OpenApiTypes.STR, required=True, description="The id of the faction, or its address."
            ),
            OpenApiParameter("limit", OpenApiTypes.NUMBER, required=True, description="The points limit."),
            OpenApiParameter("rows", OpenApiTypes.INT, description="How many rows a page has; else all."),
            CURSOR,
        ],
        responses={
            200: AdditionSerializer(many=True),
            400: FieldProblemSerializer,
            404: ProblemSerializer,
            501: ProblemSerializer,
        },
        tags=["games"],
    )
    def get(self, request: Request, game: str) -> Response:
        row = select_games().filter(slug=game).first()
        if row is None:
            raise NotFound(_("There is no game “%(game)s” here.") % {"game": game})
        faction_key = request.query_params.get("faction", "")
        faction = find_faction(row.shown_version, faction_key)
        if faction is None:
            raise ValidationError({"faction": [_("Choose a faction.")]})
        return answer_additions(
            request, list_takeable(row.shown_version, faction.faction_id, read_limit(request)), "rows"
        )


def read_limit(request: Request) -> Number:
    """Return the limit. Raises ValidationError if it is not a number."""
    limit = parse_amount(request.query_params.get("limit", ""))
    if limit is None or isinstance(limit, Refused):
        raise ValidationError({"limit": [_("Say how many points: limit=1000.")]})
    return limit
