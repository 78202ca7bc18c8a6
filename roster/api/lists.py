"""Find lists; make, replace and delete your own; read their history."""

import re
from datetime import UTC
from typing import Annotated, Any

import msgspec
from django.db import transaction
from django.db.models import QuerySet
from django.urls import reverse
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.exceptions import NotAuthenticated, NotFound, ParseError, ValidationError
from rest_framework.generics import ListAPIView
from rest_framework.pagination import Cursor, CursorPagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from catalogue.api.pages import link_next, read_whole_number, refuse_cursor
from catalogue.api.problems import FieldProblemSerializer, ProblemResponse, ProblemSerializer
from catalogue.definitions.numbers import format_number
from catalogue.models import Faction, GameSystem
from catalogue.services.published_games import find_faction, select_games
from catalogue.services.releases import filter_published
from roster.api.bodies import describe_body, read_body
from roster.api.serializers import (
    ComparisonSerializer,
    HistoryRowSerializer,
    HistorySerializer,
    ListQuerySerializer,
    ListRowSerializer,
    RosterSerializer,
    StaleSerializer,
    UnreadableSerializer,
)
from roster.api.views import (
    DOCUMENTS,
    EXAMPLE,
    NO_INDEX,
    READING,
    CheckView,
    RosterView,
    describe_roster,
    find_list,
    find_token_reader,
    refuse_unreadable,
    tag_revision,
)
from roster.formats.list_document import Media
from roster.models import Roster, RosterRevision
from roster.models.ownership import Visibility
from roster.models.roster import HistoryArchiveError
from roster.models.tokens import TokenScope
from roster.services.edits import find_revision
from roster.services.exchange import (
    ImportedList,
    ImportFailure,
    build_stored_document,
    import_list,
    read_list_file,
    replace_list,
)
from roster.services.history import name_revision, read_history
from roster.services.limits import parse_amount
from roster.services.list_search import (
    NO_OPTIONS,
    ListFilter,
    find_filter_options,
    search_lists,
    select_own_lists,
    select_public_lists,
)
from roster.services.organize import list_folders, list_tags, move_to_bin
from roster.services.outcomes import Refused, SavedEdit
from roster.services.owners import Visitor, identify_visitor, is_owner
from roster.services.revisions import PaperState, find_shown_revision
from roster.services.sharing import set_visibility
from roster.services.upgrade_data import compare_lists, evaluate_compared_list
from roster.wording import explain_refusal
from roster.wording.api_payload import serialize_comparison, serialize_history_row

WRITING = {**READING, "POST": TokenScope.WRITE, "PUT": TokenScope.WRITE, "DELETE": TokenScope.WRITE}
TOO_LARGE = frozenset({"too-large", "too-many-detachments", "too-slow", "no-bytes"})
_REVISION = re.compile(r'(?:W/)?"?([0-9]{1,9})(?:-[0-9a-f]+)?"?')

SENT = [OpenApiExample("A list", EXAMPLE, request_only=True, media_type="application/json")]
IF_MATCH = OpenApiParameter(
    "If-Match", OpenApiTypes.STR, OpenApiParameter.HEADER, description="The revision that you change, or its ETag."
)
NOT_YOURS = OpenApiResponse(ProblemSerializer, "You have no list at this address.")
LOST_STEP = OpenApiResponse(ProblemSerializer, "The step was archived, and the server has lost its file.")
STALE = OpenApiResponse(StaleSerializer, "The list has changed since. The answer has both states.")
UNREADABLE: dict[int, Any] = {
    400: OpenApiResponse(UnreadableSerializer, "The document or a parameter cannot be read."),
    409: OpenApiResponse(ProblemSerializer, "That cannot be stored; `code` says why."),
    413: OpenApiResponse(ProblemSerializer, "The document is too large, or judging it takes too long."),
    415: OpenApiResponse(ProblemSerializer, "The body is neither JSON nor YAML, XML or a zip archive."),
}


def require_account(request: Request) -> Visitor:
    """Return the account that sends the request. Raises NotAuthenticated for strangers and guests."""
    if not request.user.is_authenticated:
        raise NotAuthenticated
    return identify_visitor(request)


def find_own_list(request: Request, link_id: str) -> Roster:
    """Return one of the account's lists. Raises NotAuthenticated and NotFound."""
    owner = require_account(request)
    roster = find_list(request, link_id)
    if not is_owner(owner, roster):
        raise NotFound(_("You have no list at this address."))
    return roster


def read_sent_list(request: Request) -> ImportedList | ImportFailure:
    sent = dict(request.data)  # empty for a request without a body
    # A session reads all that is its account's.
    reader = request.user.pk if request.auth is None else find_token_reader(request)
    return read_list_file(
        sent.get("document", b""), media=sent.get("media", Media.AUTO), has_account=True, reader=reader
    )


def find_named_game(slug: str) -> GameSystem:
    """Return a public game. Raises ValidationError for the field `game`."""
    game = select_games().filter(slug=slug).first()
    if game is None:
        raise ValidationError({"game": [_("There is no game “%(game)s” here.") % {"game": slug}]})
    return game


def answer_refusal(refused: Refused, **members: Any) -> ProblemResponse:
    if refused.code in TOO_LARGE:
        return ProblemResponse(413, explain_refusal(refused), refused.code, "too-large", **members)
    return ProblemResponse(409, explain_refusal(refused), refused.code, "refused", **members)


class ListCursor(CursorPagination):
    """`limit` is at most 100 lists. `next` is the address of the next page, null on the last one."""

    ordering = ("-updated", "-id")
    page_size = 50
    page_size_query_param = "limit"
    max_page_size = 100

    def decode_cursor(self, request: Request) -> Cursor | None:
        """Return the cursor of a request. Raises ValidationError, even for a cursor of another listing, which would
        start from the beginning.
        """
        try:
            cursor = super().decode_cursor(request)
        except NotFound:
            raise refuse_cursor() from None
        if cursor is not None and not (cursor.offset if cursor.position is None else _is_time(str(cursor.position))):
            raise refuse_cursor()
        return cursor

    def get_page_size(self, request: Request) -> int:
        return read_whole_number(request, "limit", usual=self.page_size, most=self.max_page_size)

    def get_paginated_response(self, data: Any) -> Response:
        return link_next(super().get_paginated_response(data), self.get_next_link())


def _is_time(text: str) -> bool:
    try:
        moment = parse_datetime(text)
        # Databases of their own time zone convert it.
        return moment is not None and bool(moment.astimezone(UTC))
    except (ValueError, OverflowError):  # such as the 31st of February, or the beginning of the first year
        return False


class ListsView(ListAPIView[Roster]):
    """Public lists, or with `mine` your own, most recently changed first. A POST makes a list from a document."""

    scopes = WRITING
    serializer_class = ListRowSerializer
    pagination_class = ListCursor
    parser_classes = CheckView.parser_classes

    def get_queryset(self) -> QuerySet[Roster]:
        query = ListQuerySerializer(data=self.request.query_params)
        query.is_valid(raise_exception=True)
        criteria: dict[str, Any] = query.validated_data
        owner = require_account(self.request) if criteria.pop("mine") else None
        _resolve_labels(criteria, owner)
        _resolve_query(criteria, owner)
        lists = select_own_lists(owner) if owner else select_public_lists()
        list_filter = ListFilter(**criteria)
        options = find_filter_options(lists) if list_filter.game or list_filter.q else NO_OPTIONS
        matching = search_lists(lists, list_filter, options, by_others=owner is None)
        rows = matching.select_related("version__game", "owner__player_name")
        return rows.defer("document", "outlook", "search_text")

    @extend_schema(
        operation_id="rosters_list",
        summary="Public lists, or your own",
        parameters=[ListQuerySerializer],
        responses={200: ListRowSerializer(many=True), 400: FieldProblemSerializer},
        tags=["rosters"],
    )
    def get(self, request: Request) -> Response:
        return super().get(request)

    @extend_schema(
        operation_id="roster_create",
        summary="Make a list from a document",
        parameters=[
            OpenApiParameter(
                "visibility", OpenApiTypes.STR, enum=Visibility.values, description="Who may see it; else by link."
            )
        ],
        request=DOCUMENTS,
        responses={201: RosterSerializer, **UNREADABLE},
        examples=SENT,
        tags=["rosters"],
    )
    def post(self, request: Request) -> Response:
        owner = require_account(request)
        visibility = request.query_params.get("visibility", Visibility.LINK.value)
        if visibility not in Visibility.values:
            known = ", ".join(Visibility.values)
            raise ValidationError({"visibility": [_("The visibility is one of: %(known)s.") % {"known": known}]})
        read = read_sent_list(request)
        if not isinstance(read, ImportedList):
            return refuse_unreadable(read)
        with transaction.atomic():
            roster = import_list(owner, read)
            if isinstance(roster, Refused):
                return answer_refusal(roster)
            if refused := set_visibility(roster, visibility):
                transaction.set_rollback(True)
                return answer_refusal(refused)
        stored = find_list(request, roster.link_id)
        address = reverse("roster_api:roster", args=[stored.link_id])
        headers = {"Location": address, "ETag": tag_revision(request, stored), **NO_INDEX}
        return Response(describe_roster(stored), status=201, headers=headers)


def _resolve_labels(criteria: dict[str, Any], owner: Visitor | None) -> None:
    """Replace the names of a folder and a tag by their keys. Raises ValidationError."""
    for field, list_labels in (("folder", list_folders), ("tag", list_tags)):
        if not criteria[field]:
            continue
        if owner is None:
            raise ValidationError({field: [_("Only your own lists have folders and tags: add mine=true.")]})
        label = list_labels(owner).filter(name=criteria[field]).first()
        if label is None:
            raise ValidationError({field: [_("You have none with this name.")]})
        criteria[field] = str(label.pk)


def _resolve_query(criteria: dict[str, Any], owner: Visitor | None) -> None:
    """Replace criteria by what is stored. Raises ValidationError for an unknown game, faction or size."""
    game: GameSystem | None = None
    if criteria["game"]:
        game = find_named_game(criteria["game"])
    if criteria["faction"] and game is not None:
        faction = find_faction(game.shown_version, criteria["faction"])
        if faction is None:
            raise ValidationError({"faction": [_("This game has no faction “%(faction)s”.") % criteria]})
        criteria["faction"] = faction.faction_id
    elif criteria["faction"]:
        readable = filter_published(owner.user_id if owner else None)
        if not Faction.objects.filter(faction_id=criteria["faction"], version__in=readable).exists():
            detail = _("No game has a faction with this id. For its address, add the game: game=…")
            raise ValidationError({"faction": [detail]})
    if criteria["size"]:
        size = parse_amount(criteria["size"])
        if size is None or isinstance(size, Refused):
            raise ValidationError({"size": [_("Say how many points: size=1000.")]})
        criteria["size"] = format_number(size)


def read_if_match(request: Request, head: int) -> int | None:
    """Return the revision that a request changes, None if it names none. Raises ParseError."""
    stated = request.headers.get("If-Match", "").strip()
    if not stated:
        return None
    if stated == "*":
        return head
    match = _REVISION.fullmatch(stated)
    if match is None:
        raise ParseError(_('Write the revision that you change, such as: If-Match: "%(head)s".') % {"head": 12})
    return int(match.group(1))


def read_made_on(request: Request, roster: Roster) -> int | ProblemResponse:
    """Return the revision that a change is made on, or the answer if it is missing or not the current one."""
    made_on = require_if_match(request, roster.head)
    if isinstance(made_on, int) and made_on != roster.head:
        return answer_stale(request, roster, made_on)
    return made_on


def require_if_match(request: Request, head: int) -> int | ProblemResponse:
    """Return the revision that a request changes, or the answer if it names none. Raises ParseError."""
    made_on = read_if_match(request, head)
    if made_on is None:
        detail = _('Say which revision you change, so that no other change is lost: If-Match: "%(head)s".')
        return ProblemResponse(428, detail % {"head": head})
    return made_on


def answer_stale(request: Request, roster: Roster, made_on: int) -> ProblemResponse:
    """Answer with the state that the edit was made on, if the history has it, and the current one."""
    words = {"made": made_on, "head": roster.head}
    return ProblemResponse(
        412,
        _("This list has changed: you changed revision %(made)s, and it is at revision %(head)s. Nothing was stored.")
        % words,
        headers={"ETag": tag_revision(request, roster)},
        made_on=made_on,
        revision=roster.head,
        base=_build_base_document(roster, made_on),
        current=build_stored_document(roster),
    )


def _build_base_document(roster: Roster, made_on: int) -> dict[str, Any] | None:
    try:
        base = find_shown_revision(roster, str(made_on), "", owned=True)
    except HistoryArchiveError:
        return None
    return None if base.paper is PaperState.UNKNOWN else build_stored_document(base.roster)


class OneListView(RosterView):
    scopes = WRITING
    parser_classes = CheckView.parser_classes

    @extend_schema(
        operation_id="roster_replace",
        summary="Replace everything in a list",
        parameters=[IF_MATCH],
        request=DOCUMENTS,
        responses={
            200: RosterSerializer,
            404: NOT_YOURS,
            412: STALE,
            428: OpenApiResponse(ProblemSerializer, "`If-Match` is missing."),
            **UNREADABLE,
        },
        examples=SENT,
        tags=["rosters"],
    )
    def put(self, request: Request, link_id: str) -> Response:
        roster = find_own_list(request, link_id)
        made_on = read_made_on(request, roster)
        if not isinstance(made_on, int):
            return made_on
        read = read_sent_list(request)
        if not isinstance(read, ImportedList):
            return refuse_unreadable(read)
        saved = replace_list(roster, made_on, read)
        if isinstance(saved, Refused):
            return answer_refusal(saved)
        if not isinstance(saved, SavedEdit):
            return answer_stale(request, find_own_list(request, link_id), made_on)
        stored = find_own_list(request, link_id)
        return Response(describe_roster(stored), headers={"ETag": tag_revision(request, stored), **NO_INDEX})

    @extend_schema(
        operation_id="roster_delete",
        summary="Move a list into the bin",
        parameters=[IF_MATCH],
        responses={204: None, 400: ProblemSerializer, 404: NOT_YOURS, 412: STALE},
        tags=["rosters"],
    )
    def delete(self, request: Request, link_id: str) -> Response:
        roster = find_own_list(request, link_id)
        made_on = read_if_match(request, roster.head)
        if made_on is not None and made_on != roster.head:
            return answer_stale(request, roster, made_on)
        move_to_bin(Roster.objects.filter(pk=roster.pk))
        return Response(status=204)


class RevisionsView(APIView):
    """The history of one of your lists, newest revision first."""

    scopes = READING

    @extend_schema(
        operation_id="roster_revisions_list",
        summary="The history of a list",
        parameters=[
            OpenApiParameter("cursor", OpenApiTypes.INT, description="The page to read, as in `next`."),
            OpenApiParameter("limit", OpenApiTypes.INT, description="How many, at most 100; else 50."),
        ],
        responses={200: HistorySerializer, 400: FieldProblemSerializer, 404: NOT_YOURS},
        tags=["rosters"],
    )
    def get(self, request: Request, link_id: str) -> Response:
        roster = find_own_list(request, link_id)
        limit = read_whole_number(request, "limit", usual=50, most=100)
        before = read_whole_number(request, "cursor", usual=roster.last + 1)
        history = read_history(roster)
        below = [number for number in history.numbers if number < before]
        rows = history.read_rows(below[:limit])
        here = request.build_absolute_uri(request.path)
        following = f"{here}?cursor={below[limit - 1]}&limit={limit}" if len(below) > limit else None
        answer = {"next": following, "results": [serialize_history_row(row) for row in rows]}
        return link_next(Response(answer, headers=NO_INDEX), following)


class SentName(msgspec.Struct, forbid_unknown_fields=True):
    name: Annotated[str, msgspec.Meta(description="Blank for none.")]


class RevisionView(APIView):
    """One of your lists as it was at a revision."""

    scopes = WRITING

    @extend_schema(
        operation_id="roster_revision_retrieve",
        summary="A list at an earlier revision",
        responses={200: RosterSerializer, 404: NOT_YOURS, 410: LOST_STEP},
        tags=["rosters"],
    )
    def get(self, request: Request, link_id: str, number: int) -> Response:
        shown_list = find_shown_revision(find_own_list(request, link_id), str(number), "", owned=True)
        if shown_list.paper is PaperState.UNKNOWN:
            raise NotFound(_("This list has no such earlier state."))
        return Response(describe_roster(shown_list.roster) | {"revision": number}, headers=NO_INDEX)

    @extend_schema(
        operation_id="roster_revision_name",
        summary="Name a revision",
        request={"application/json": describe_body(SentName)},
        responses={
            200: HistoryRowSerializer,
            400: FieldProblemSerializer,
            404: NOT_YOURS,
            409: OpenApiResponse(ProblemSerializer, "It cannot have that name; `code` says why."),
        },
        tags=["rosters"],
    )
    def put(self, request: Request, link_id: str, number: int) -> Response:
        roster = find_own_list(request, link_id)
        sent = read_body(request, SentName)
        _find_revision(roster, number)
        name = name_revision(roster, number, sent.name)
        if isinstance(name, Refused):
            return answer_refusal(name)
        (row,) = read_history(roster).read_rows([number])
        return Response(serialize_history_row(row), headers=NO_INDEX)


class DifferencesView(APIView):
    """What changed between two revisions of one of your lists."""

    scopes = READING

    @extend_schema(
        operation_id="roster_diff",
        summary="What changed between two revisions",
        parameters=[
            OpenApiParameter("from", OpenApiTypes.INT, required=True, description="A revision."),
            OpenApiParameter("to", OpenApiTypes.INT, description="A revision; else the current one."),
        ],
        responses={200: ComparisonSerializer, 400: FieldProblemSerializer, 404: NOT_YOURS, 410: LOST_STEP},
        tags=["rosters"],
    )
    def get(self, request: Request, link_id: str) -> Response:
        roster = find_own_list(request, link_id)
        if not request.query_params.get("from"):
            raise ValidationError({"from": [_("Say which revision to compare with: from=1.")]})
        numbers = [read_whole_number(request, name, usual=roster.head) for name in ("from", "to")]
        before, after = (_find_revision(roster, number) for number in numbers)
        comparison = compare_lists(
            evaluate_compared_list(before, roster.faction_id), evaluate_compared_list(after, roster.faction_id)
        )
        answer = {"from": numbers[0], "to": numbers[1], **serialize_comparison(comparison)}
        return Response(answer, headers=NO_INDEX)


def _find_revision(roster: Roster, number: int) -> RosterRevision:
    revision = find_revision(roster, number)
    if revision is None:
        raise NotFound(_("This list has no such earlier state."))
    return revision
