"""The API of events. It uses the same services and visibility as the pages."""

import json
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Prefetch
from django.http import Http404
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import status
from rest_framework.exceptions import NotAuthenticated, NotFound
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from catalogue.api.pages import PAGED, answer_page
from catalogue.api.problems import FieldProblemSerializer, ProblemResponse, ProblemSerializer
from roster.api.lists import require_account
from roster.api.views import NO_INDEX
from roster.events import wording
from roster.events.api.serializers import (
    DecisionRequestSerializer,
    EntrySerializer,
    EventExportSerializer,
    EventSerializer,
    PairingSerializer,
    ReceiptSerializer,
    StandingSerializer,
    SubmissionRequestSerializer,
    SubmittedListSerializer,
)
from roster.events.models import Event, Pairing, Participant, Submission
from roster.events.services.access import (
    EventStanding,
    filter_public_entries,
    find_event,
    find_standing,
    find_standings,
    is_logged_look,
    list_events,
    may_manage_list,
    may_open_event,
    may_see_decks,
)
from roster.events.services.audit import LOOK, record_act, record_look
from roster.events.services.bench import decide_list
from roster.events.services.event_homebrew import select_named_homebrews
from roster.events.services.exports import describe_pairing, describe_standing, export_event
from roster.events.services.pairings import filter_shown_pairings, list_shown_standings
from roster.events.services.reading import read_upload
from roster.events.services.shown_lists import show_submission
from roster.events.services.submissions import JudgedReceipt, find_last_verdict, judge_received, submit_list
from roster.events.services.teams import find_doubled_army, list_doubled, weigh_verdict
from roster.events.views.access import find_player, find_visible_list
from roster.models.tokens import TokenScope
from roster.services.evaluation import encode_tree
from roster.services.outcomes import Refused

EVENTS = {"GET": TokenScope.EVENTS, "POST": TokenScope.EVENTS}
BAD_FIELDS = OpenApiResponse(FieldProblemSerializer, "`errors` says what is wrong with each field.")
NOT_FOUND = OpenApiResponse(ProblemSerializer, "There is nothing here that you may see.")


def open_for_program(request: Request, public_id: str) -> EventStanding:
    try:
        standing = find_standing(find_event(public_id), request.user)
    except Event.DoesNotExist:
        raise NotFound from None
    if not may_open_event(standing):
        raise NotFound
    return standing


def open_player(standing: EventStanding, public_id: str) -> Participant:
    try:
        return find_player(standing, public_id)
    except Http404:
        raise NotFound from None


def serialize_event(standing: EventStanding) -> dict[str, Any]:
    event = standing.event
    playing = "player" if standing.participant else ""
    homebrew = event.homebrew if event.homebrew and not event.homebrew.is_hidden else None
    return {
        "id": event.public_id,
        "name": event.name,
        "game": event.version.game.slug,
        "version": event.version.short_hash,
        "status": event.status,
        "zone": event.zone,
        "starts": event.starts,
        "deadline": event.deadline,
        "rules": event.rules,
        "rules_hash": event.rules_hash,
        "homebrew": homebrew.key if homebrew else "",
        "homebrew_name": homebrew.name if homebrew else "",
        "role": standing.role.kind if standing.role else playing,
        "player": standing.participant.public_id if standing.participant else "",
    }


def serialize_entry(entry: Participant, *, in_full: bool, doubled: str = "") -> dict[str, Any]:
    """Return a player. Without `in_full`, only the faction says anything about the list.

    `doubled` is the army that the team has too often, if the user may know it.
    """
    fields = {
        "id": entry.public_id,
        "name": entry.name,
        "team": entry.team_name,
        "reserve": entry.is_reserve,
        "status": "",
        "verdict": "",
        "doubled": doubled,
        "faction": entry.faction,
        "points": "",
        "claimed": "",
        "late_seconds": 0,
        "received": None,
    }
    if in_full:
        # The order of fields is the same for all users, so responses can be compared as text.
        fields |= {name: getattr(entry, name) for name in ("status", "points", "claimed", "late_seconds", "received")}
        fields["verdict"] = weigh_verdict(entry.verdict, doubled)
    return fields


class EventsView(APIView):
    """The events that the user runs or plays in."""

    scopes = EVENTS

    @extend_schema(
        operation_id="events_list",
        summary="My events",
        parameters=PAGED,
        responses={200: EventSerializer(many=True), 400: BAD_FIELDS},
        tags=["events"],
    )
    def get(self, request: Request) -> Response:
        if not request.user.is_authenticated:
            raise NotAuthenticated
        user = request.user
        return answer_page(
            request,
            list_events(user).prefetch_related(Prefetch("homebrew", select_named_homebrews())),
            lambda events: [serialize_event(standing) for standing in find_standings(events, user)],
            lambda event: event.pk,
            headers=NO_INDEX,
        )


class EventView(APIView):
    """One event, for all users who have its address."""

    scopes = EVENTS

    @extend_schema(
        operation_id="event_retrieve",
        summary="An event and its house rules",
        responses={200: EventSerializer, 404: NOT_FOUND},
        tags=["events"],
    )
    def get(self, request: Request, public_id: str) -> Response:
        return Response(serialize_event(open_for_program(request, public_id)), headers=NO_INDEX)


class EventExportView(APIView):
    """The export of an event for its organisers. Blind organisers get it once lists are shown."""

    scopes = EVENTS

    @extend_schema(
        operation_id="event_export_retrieve",
        summary="All data of an event: lists, verdicts, decisions, penalties, comments, log",
        responses={200: EventExportSerializer, 404: NOT_FOUND},
        tags=["events"],
    )
    def get(self, request: Request, public_id: str) -> Response:
        standing = open_for_program(request, public_id)
        if not standing.is_organiser or standing.is_blind or standing.user is None:
            raise NotFound
        return Response(export_event(standing.event, standing.user), headers=NO_INDEX)


class EntriesView(APIView):
    """The players of an event and their verdicts. Organisers and judges see all, other users the public ones."""

    scopes = EVENTS

    @extend_schema(
        operation_id="event_submissions_list",
        summary="The lists of an event that you may see",
        parameters=PAGED,
        responses={400: BAD_FIELDS, 200: EntrySerializer(many=True), 404: NOT_FOUND},
        tags=["events"],
    )
    def get(self, request: Request, public_id: str) -> Response:
        standing = open_for_program(request, public_id)
        event = standing.event
        if standing.sees_all:
            entries, in_full, doubled = event.participants.all(), True, list_doubled(event)
            record_look(event, standing.user, "entries")
        else:
            entries, in_full, doubled = filter_public_entries(event), event.shows_publicly("roster"), {}

        def serialize(page: list[Participant]) -> list[Any]:
            return [serialize_entry(one, in_full=in_full, doubled=doubled.get(one.pk, "")) for one in page]

        return answer_page(request, entries.select_related("team"), serialize, lambda entry: entry.pk, headers=NO_INDEX)


def _describe_receipt(entry: Participant, receipt: JudgedReceipt, submission: Submission | None) -> dict[str, Any]:
    doubled = find_doubled_army(entry, receipt.faction)
    return {
        "submitted": submission is not None,
        "verdict": weigh_verdict(receipt.judged_list.verdict, doubled),
        "doubled": str(doubled or ""),
        "doubled_rule": {"text": doubled.text, "source": doubled.source} if doubled else None,
        "points": receipt.judged_list.points,
        "report": receipt.judged_list.report,
        "number": submission.number if submission else None,
        "hash": receipt.received.received_hash,
    }


class SubmittedListView(APIView):
    """One player's list, if the user may see it. A POST evaluates another list for that player, or submits it."""

    scopes = EVENTS

    @extend_schema(
        operation_id="event_list_retrieve",
        summary="A submitted list with its verdict",
        responses={200: SubmittedListSerializer, 404: NOT_FOUND},
        tags=["events"],
    )
    def get(self, request: Request, public_id: str, player: str) -> Response:
        standing = open_for_program(request, public_id)
        try:
            entry, submission = find_visible_list(standing, player)
        except Http404:
            raise NotFound from None
        manages = may_manage_list(standing, entry)
        doubled = find_doubled_army(entry, entry.faction) if manages or standing.is_judge else None
        if is_logged_look(standing, entry):
            record_act(standing.event, standing.user, LOOK, entry, detail=submission.short_hash)
        with_decks = may_see_decks(standing, entry)
        content = serialize_submission(entry, submission, with_decks=with_decks, doubled=str(doubled or ""))
        return Response(content, headers=NO_INDEX)

    @extend_schema(
        operation_id="event_list_submit",
        summary="Judge a list under the rules of an event, or submit it",
        request=SubmissionRequestSerializer,
        responses={
            200: ReceiptSerializer,
            201: ReceiptSerializer,
            400: BAD_FIELDS,
            403: OpenApiResponse(ProblemSerializer, "The token of the form is missing."),
            404: NOT_FOUND,
            409: OpenApiResponse(ProblemSerializer, "The event takes no list of this player now."),
            415: OpenApiResponse(ProblemSerializer, "The body is not JSON."),
        },
        tags=["events"],
    )
    def post(self, request: Request, public_id: str, player: str) -> Response:
        require_account(request)
        standing = open_for_program(request, public_id)
        entry = open_player(standing, player)
        if not may_manage_list(standing, entry):
            raise NotFound
        serializer = SubmissionRequestSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        event = standing.event
        receipt = judge_received(
            event, read_upload(serializer.validated_data["list"].encode(), game=event.version.game.slug)
        )
        if not serializer.validated_data["submit"]:
            return Response(_describe_receipt(entry, receipt, None))
        submission = submit_list(entry, receipt, standing.user)
        if isinstance(submission, Refused):
            return ProblemResponse(409, wording.explain_refusal(submission), submission.code, "refused")
        return Response(_describe_receipt(entry, receipt, submission), status=status.HTTP_201_CREATED)


class DecisionView(APIView):
    """A decision of an organiser or judge about a player's list."""

    scopes = EVENTS

    @extend_schema(
        operation_id="event_list_decide",
        summary="Accept or return a list",
        request=DecisionRequestSerializer,
        responses={
            200: EntrySerializer,
            400: BAD_FIELDS,
            403: OpenApiResponse(ProblemSerializer, "The token of the form is missing."),
            404: NOT_FOUND,
            409: OpenApiResponse(ProblemSerializer, "That cannot be decided now."),
            415: OpenApiResponse(ProblemSerializer, "The body is not JSON."),
        },
        tags=["events"],
    )
    def post(self, request: Request, public_id: str, player: str) -> Response:
        require_account(request)
        standing = open_for_program(request, public_id)
        if not standing.is_judge or standing.is_blind or not isinstance(request.user, User):
            raise NotFound
        entry = open_player(standing, player)
        serializer = DecisionRequestSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        decision = decide_list(entry, request.user, **serializer.validated_data)
        if isinstance(decision, Refused):
            return ProblemResponse(409, wording.explain_refusal(decision), decision.code, "refused")
        decided = open_player(standing, player)
        doubled = find_doubled_army(decided, decided.faction)
        return Response(serialize_entry(decided, in_full=True, doubled=str(doubled or "")))


class PairingsView(APIView):
    """The pairings that the user may see."""

    scopes = EVENTS

    @extend_schema(
        operation_id="event_pairings_list",
        summary="The tables of all rounds",
        parameters=PAGED,
        responses={400: BAD_FIELDS, 200: PairingSerializer(many=True), 404: NOT_FOUND},
        tags=["events"],
    )
    def get(self, request: Request, public_id: str) -> Response:
        def serialize(page: list[Pairing]) -> list[Any]:
            return list(PairingSerializer([describe_pairing(pairing) for pairing in page], many=True).data)

        pairings = filter_shown_pairings(open_for_program(request, public_id))
        return answer_page(request, pairings, serialize, lambda pairing: pairing.pk, headers=NO_INDEX)


class StandingsView(APIView):
    """The standings after the rounds that the user may see."""

    scopes = EVENTS

    @extend_schema(
        operation_id="event_standings_list",
        summary="The standings, less confirmed penalties",
        parameters=PAGED,
        responses={400: BAD_FIELDS, 200: StandingSerializer(many=True), 404: NOT_FOUND},
        tags=["events"],
    )
    def get(self, request: Request, public_id: str) -> Response:
        lines = list_shown_standings(open_for_program(request, public_id))
        return answer_page(
            request,
            lines,
            lambda page: list(StandingSerializer([describe_standing(line) for line in page], many=True).data),
            lambda line: line.player.pk,
            headers=NO_INDEX,
        )


def serialize_submission(
    entry: Participant, submission: Submission, *, with_decks: bool, doubled: str = ""
) -> dict[str, Any]:
    report = find_last_verdict(submission).report
    visible_list = show_submission(submission, report, with_decks=with_decks)
    return serialize_entry(entry, in_full=True, doubled=doubled) | {
        "number": submission.number,
        "hash": submission.received_hash,
        "report": visible_list.report,
        "document": json.loads(encode_tree(visible_list.tree)) if visible_list.tree else {},
        "text": visible_list.text,
    }
