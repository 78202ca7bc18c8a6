"""Events for programs: the same verbs as the pages, and the same rules of who sees what."""

import json
from typing import Any

from django.contrib.auth.models import User
from django.http import Http404
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import status
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from roster.api.serializers import DetailSerializer
from roster.events import wording
from roster.events.api.serializers import (
    DecisionRequestSerializer,
    EntrySerializer,
    EventExportSerializer,
    EventSerializer,
    ReceiptSerializer,
    SubmissionRequestSerializer,
    SubmittedListSerializer,
)
from roster.events.models import Event, Participant, Submission
from roster.events.services.access import (
    EventStanding,
    filter_public_entries,
    find_event,
    find_standing,
    is_shown_publicly,
    list_events,
    may_manage_list,
    may_open_event,
    may_see_decks,
)
from roster.events.services.audit import LOOK, record_act
from roster.events.services.bench import decide_list
from roster.events.services.exports import export_event
from roster.events.services.reading import read_upload
from roster.events.services.shown_lists import show_submission
from roster.events.services.submissions import find_last_verdict, judge_received, submit_list
from roster.events.services.teams import find_doubled_army, weigh_verdict
from roster.events.views.access import find_player, find_visible_list
from roster.services.evaluation import encode_tree
from roster.services.outcomes import Refused

NO_INDEX = {"X-Robots-Tag": "noindex, nofollow"}
NOT_FOUND = OpenApiResponse(DetailSerializer, "There is no such thing that you may see.")


def open_for_program(request: Request, public_id: str) -> EventStanding:
    """Return what who asks is in an event; raises NotFound where there is none that they may open."""
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
        "role": standing.role.kind if standing.role else playing,
    }


def serialize_entry(entry: Participant, *, in_full: bool) -> dict[str, Any]:
    """Return a player; before lists are shown to everybody, only the faction of theirs."""
    return {
        "id": entry.public_id,
        "name": entry.name,
        "team": entry.team.name if entry.team else "",
        "reserve": entry.is_reserve,
        "status": entry.status if in_full else "",
        "verdict": entry.verdict if in_full else "",
        "faction": entry.faction,
        "points": entry.points if in_full else "",
        "claimed": entry.claimed if in_full else "",
        "late_seconds": entry.late_seconds if in_full else 0,
        "received": entry.received if in_full else None,
    }


class EventsView(APIView):
    """The events that who asks runs or plays in."""

    @extend_schema(
        operation_id="events_list", summary="My events", responses=EventSerializer(many=True), tags=["events"]
    )
    def get(self, request: Request) -> Response:
        events = list_events(request.user)[:200]
        return Response([serialize_event(find_standing(event, request.user)) for event in events], headers=NO_INDEX)


class EventView(APIView):
    """One event, for whoever has its address."""

    @extend_schema(
        operation_id="event_retrieve",
        summary="An event and its house rules",
        responses={200: EventSerializer, 404: NOT_FOUND},
        tags=["events"],
    )
    def get(self, request: Request, public_id: str) -> Response:
        return Response(serialize_event(open_for_program(request, public_id)), headers=NO_INDEX)


class EventExportView(APIView):
    """Everything of an event, for its organisers; not for one who plays in it, before lists are shown."""

    @extend_schema(
        operation_id="event_export_retrieve",
        summary="Everything of an event: lists, verdicts, decisions, penalties, comments, log",
        responses={200: EventExportSerializer, 404: NOT_FOUND},
        tags=["events"],
    )
    def get(self, request: Request, public_id: str) -> Response:
        standing = open_for_program(request, public_id)
        if not standing.is_organiser or standing.is_blind or standing.user is None:
            raise NotFound
        return Response(export_event(standing.event, standing.user), headers=NO_INDEX)


class EntriesView(APIView):
    """The players of an event with what their lists came to: all to organisers and judges, what is shown to others."""

    @extend_schema(
        operation_id="event_submissions_list",
        summary="The lists of an event, as far as they may be seen",
        responses={200: EntrySerializer(many=True), 404: NOT_FOUND},
        tags=["events"],
    )
    def get(self, request: Request, public_id: str) -> Response:
        standing = open_for_program(request, public_id)
        event = standing.event
        if standing.is_judge and not standing.is_blind:
            entries, in_full = event.participants.all(), True
        else:
            entries, in_full = filter_public_entries(event), event.shows_publicly("roster")
        rows = [serialize_entry(entry, in_full=in_full) for entry in entries.select_related("team")]
        return Response(rows, headers=NO_INDEX)


class SubmittedListView(APIView):
    """One player's list, for whoever may see it now; a POST judges another one for that player, or submits it."""

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
        if not may_manage_list(standing, entry) and not is_shown_publicly(entry, standing.event):
            record_act(standing.event, standing.user, LOOK, entry, detail=submission.short_hash)
        with_decks = may_see_decks(standing, entry)
        return Response(serialize_submission(entry, submission, with_decks=with_decks), headers=NO_INDEX)

    @extend_schema(
        operation_id="event_list_submit",
        summary="Judge a list under the rules of an event, or submit it",
        request=SubmissionRequestSerializer,
        responses={
            200: ReceiptSerializer,
            201: ReceiptSerializer,
            400: OpenApiResponse(DetailSerializer, "A field is missing or of the wrong kind."),
            403: OpenApiResponse(DetailSerializer, "Nobody is signed in, or the token of the form is missing."),
            404: NOT_FOUND,
            409: OpenApiResponse(DetailSerializer, "The event takes no list of this player now."),
            415: OpenApiResponse(DetailSerializer, "The body is no JSON."),
        },
        tags=["events"],
    )
    def post(self, request: Request, public_id: str, player: str) -> Response:
        standing = open_for_program(request, public_id)
        entry = open_player(standing, player)
        if not may_manage_list(standing, entry):
            raise NotFound
        asked = SubmissionRequestSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        event = standing.event
        receipt = judge_received(
            event, read_upload(asked.validated_data["list"].encode(), game=event.version.game.slug)
        )
        submission: Submission | None = None
        if asked.validated_data["submit"]:
            outcome = submit_list(entry, receipt, standing.user)
            if isinstance(outcome, Refused):
                return Response({"detail": wording.explain_refusal(outcome)}, status=status.HTTP_409_CONFLICT)
            submission = outcome
        doubled = find_doubled_army(entry, receipt.faction)
        payload = {
            "submitted": submission is not None,
            "verdict": weigh_verdict(receipt.judged.verdict, doubled),
            "doubled": doubled,
            "points": receipt.judged.points,
            "report": receipt.judged.report,
            "number": submission.number if submission else None,
            "hash": receipt.received.received_hash,
        }
        return Response(payload, status=status.HTTP_201_CREATED if submission else status.HTTP_200_OK)


class DecisionView(APIView):
    """What an organiser or judge decides about a player's list."""

    @extend_schema(
        operation_id="event_list_decide",
        summary="Accept or return a list",
        request=DecisionRequestSerializer,
        responses={
            200: EntrySerializer,
            400: OpenApiResponse(DetailSerializer, "A field is missing or of the wrong kind."),
            403: OpenApiResponse(DetailSerializer, "Nobody is signed in, or the token of the form is missing."),
            404: NOT_FOUND,
            409: OpenApiResponse(DetailSerializer, "That cannot be decided now."),
            415: OpenApiResponse(DetailSerializer, "The body is no JSON."),
        },
        tags=["events"],
    )
    def post(self, request: Request, public_id: str, player: str) -> Response:
        standing = open_for_program(request, public_id)
        if not standing.is_judge or standing.is_blind or not isinstance(request.user, User):
            raise NotFound
        entry = open_player(standing, player)
        asked = DecisionRequestSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        decision = decide_list(entry, request.user, **asked.validated_data)
        if isinstance(decision, Refused):
            return Response({"detail": wording.explain_refusal(decision)}, status=status.HTTP_409_CONFLICT)
        return Response(serialize_entry(open_player(standing, player), in_full=True))


def serialize_submission(entry: Participant, submission: Submission, *, with_decks: bool) -> dict[str, Any]:
    """Return a list in full, with the last verdict on it; before decks are shown, without these."""
    report = find_last_verdict(submission).report
    shown = show_submission(submission, report, with_decks=with_decks)
    return serialize_entry(entry, in_full=True) | {
        "number": submission.number,
        "hash": submission.received_hash,
        "report": shown.report,
        "document": json.loads(encode_tree(shown.tree)) if shown.tree else {},
        "text": shown.text,
    }
