"""The API of events. It uses the same services and visibility as the pages."""

import json
from collections import Counter
from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Prefetch
from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import status
from rest_framework.exceptions import NotAuthenticated, NotFound, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from catalogue.api.bulk import find_version
from catalogue.api.gallery import require_user
from catalogue.api.pages import PAGED, answer_page
from catalogue.api.problems import FieldProblemSerializer, ProblemResponse, ProblemSerializer
from catalogue.models import PackVersion
from roster.api.bodies import describe_body, read_body
from roster.api.lists import find_named_game, require_account
from roster.api.views import NO_INDEX, VanishingView
from roster.events import wording
from roster.events.api.serializers import (
    DecisionRequestSerializer,
    EntrySerializer,
    EventExportSerializer,
    EventSerializer,
    PairingSerializer,
    ReceiptSerializer,
    RefusedPairingsSerializer,
    RoundSerializer,
    SentEvent,
    SentPairings,
    SentPairingsSerializer,
    SentRound,
    SentScores,
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
from roster.events.services.events import create_event
from roster.events.services.exports import describe_pairing, describe_standing, export_event
from roster.events.services.pairing_tables import PairingRow
from roster.events.services.pairings import (
    delete_round,
    filter_shown_pairings,
    keep_pairings,
    list_shown_standings,
    publish_round,
    report_result,
    seat_rows,
    set_results,
)
from roster.events.services.reading import read_upload
from roster.events.services.shown_lists import show_submission
from roster.events.services.submissions import JudgedReceipt, find_last_verdict, judge_received, submit_list
from roster.events.services.teams import find_doubled_army, list_doubled, weigh_verdict
from roster.events.services.zones import list_zones
from roster.events.views.access import find_player, find_visible_list
from roster.formats.list_text import clean_text
from roster.models.tokens import TokenScope
from roster.services.evaluation import encode_tree
from roster.services.outcomes import Refused

EVENTS = dict.fromkeys(("GET", "POST", "PUT", "DELETE"), TokenScope.EVENTS)
BAD_FIELDS = OpenApiResponse(FieldProblemSerializer, "`errors` says what is wrong with each field.")
NOT_FOUND = OpenApiResponse(ProblemSerializer, "There is nothing here that you may see.")
REFUSED = OpenApiResponse(ProblemSerializer, "That cannot be done now; `code` says why.")
MOST_WRONG_ROWS = 20
"""The most wrong rows in an answer."""


def answer_refusal(refused: Refused, **members: Any) -> ProblemResponse:
    return ProblemResponse(409, wording.explain_refusal(refused), refused.code, "refused", **members)


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


def find_named_version(game: str, content_hash: str) -> PackVersion:
    """Return a published version of a game, without a hash its current one. Raises ValidationError."""
    system = find_named_game(game)
    if not content_hash:
        return system.shown_version
    try:
        return find_version(game, content_hash)
    except NotFound:
        detail = _("“%(game)s” has no published version “%(version)s” here.")
        raise ValidationError({"version": [detail % {"game": game, "version": content_hash}]}) from None


class EventsView(APIView):
    """The events that the user runs or plays in. A POST makes one, which is a draft at first."""

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

    @extend_schema(
        operation_id="event_create",
        summary="Make an event",
        request={"application/json": describe_body(SentEvent)},
        responses={201: EventSerializer, 400: BAD_FIELDS, 409: REFUSED},
        tags=["events"],
    )
    def post(self, request: Request) -> Response:
        user = require_user(request)
        sent = read_body(request, SentEvent)
        version = find_named_version(sent.game, sent.version)
        if sent.zone and sent.zone not in list_zones():
            unknown = Refused(code="unknown-zone", subject_id=sent.zone)
            raise ValidationError({"zone": [wording.explain_refusal(unknown)]})
        event = create_event(user, version, sent.name, sent.zone)
        if isinstance(event, Refused):
            return answer_refusal(event)
        headers = {"Location": reverse("events_api:event", args=[event.public_id]), **NO_INDEX}
        return Response(serialize_event(find_standing(event, user)), 201, headers=headers)


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
            return answer_refusal(submission)
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
            return answer_refusal(decision)
        decided = open_player(standing, player)
        doubled = find_doubled_army(decided, decided.faction)
        return Response(serialize_entry(decided, in_full=True, doubled=str(doubled or "")))


def open_as_organiser(request: Request, public_id: str) -> tuple[Event, User]:
    """Return an event and its organiser, who sends the request. Raises NotAuthenticated and NotFound."""
    user = require_user(request)
    standing = open_for_program(request, public_id)
    if not standing.is_organiser:
        raise NotFound
    return standing.event, user


def serialize_pairings(pairings: Iterable[Pairing]) -> list[Any]:
    rows = [{"number": pairing.pk, **describe_pairing(pairing)} for pairing in pairings]
    return list(PairingSerializer(rows, many=True).data)


def describe_rounds(pairings: Iterable[Pairing]) -> list[Any]:
    tables = Counter((pairing.round, pairing.published is not None) for pairing in pairings)
    return [
        {"number": number, "tables": count, "is_shown": is_shown}
        for (number, is_shown), count in sorted(tables.items())
    ]


def round_points(points: float | None) -> Decimal | None:
    """Return points as they are stored."""
    return None if points is None else round(Decimal(str(points)), 2)


class PairingsView(APIView):
    """The pairings that the user may see. A POST of an organiser replaces all pairings of the rounds in it."""

    scopes = EVENTS

    @extend_schema(
        operation_id="event_pairings_list",
        summary="The tables of all rounds",
        parameters=PAGED,
        responses={400: BAD_FIELDS, 200: PairingSerializer(many=True), 404: NOT_FOUND},
        tags=["events"],
    )
    def get(self, request: Request, public_id: str) -> Response:
        pairings = filter_shown_pairings(open_for_program(request, public_id))
        return answer_page(request, pairings, serialize_pairings, lambda pairing: pairing.pk, headers=NO_INDEX)

    @extend_schema(
        operation_id="event_pairings_bring",
        summary="Bring the pairings of rounds",
        request=SentPairingsSerializer,
        responses={
            201: RoundSerializer(many=True),
            400: BAD_FIELDS,
            404: NOT_FOUND,
            409: OpenApiResponse(RefusedPairingsSerializer, "Nothing was stored; `code` says why."),
        },
        tags=["events"],
    )
    def post(self, request: Request, public_id: str) -> Response:
        """Store all rows or none. Rounds that were shown stay shown."""
        event, user = open_as_organiser(request, public_id)
        rows = [
            PairingRow(
                first=sent.first,
                second=sent.second or "",
                table=clean_text(sent.table),
                round=sent.round or 0,
                points=(round_points(sent.first_points), round_points(sent.second_points)),
            )
            for sent in read_body(request, SentPairings).pairings
        ]
        draft = seat_rows(event, rows, {})
        if draft.questions:
            sentence = _("Row %(row)s: “%(name)s” is not the name of exactly one player. Send the id of the player.")
            wrong = [
                sentence % {"row": question.row, "name": question.name}
                for question in draft.questions[:MOST_WRONG_ROWS]
            ]
            raise ValidationError({"pairings": wrong})
        stored = keep_pairings(event, user, draft)
        if isinstance(stored, Refused):
            return answer_refusal(stored, row=stored.measured)
        return Response(describe_rounds(stored), 201, headers=NO_INDEX)


class RoundView(APIView):
    """A round of an event, for its organisers. A POST shows or hides it, a DELETE deletes its pairings with results."""

    scopes = EVENTS

    @extend_schema(
        operation_id="event_round_show",
        summary="Show or hide a round",
        request={"application/json": describe_body(SentRound)},
        responses={200: RoundSerializer, 400: BAD_FIELDS, 404: NOT_FOUND},
        tags=["events"],
    )
    def post(self, request: Request, public_id: str, number: int) -> Response:
        event, user = open_as_organiser(request, public_id)
        find_round(event, number)
        publish_round(event, user, number, is_shown=read_body(request, SentRound).is_shown)
        return Response(find_round(event, number), headers=NO_INDEX)

    @extend_schema(
        operation_id="event_round_delete",
        summary="Delete a round with its results",
        responses={204: None, 404: NOT_FOUND},
        tags=["events"],
    )
    def delete(self, request: Request, public_id: str, number: int) -> Response:
        event, user = open_as_organiser(request, public_id)
        find_round(event, number)
        delete_round(event, user, number)
        return Response(status=204)


def find_round(event: Event, number: int) -> dict[str, Any]:
    """Describe a round that has pairings. Raises NotFound."""
    rounds: list[dict[str, Any]] = describe_rounds(event.pairings.filter(round=number))
    if not rounds:
        raise NotFound
    return rounds[0]


class PairingResultView(VanishingView):
    """The result of a pairing. Helpers of the event enter and change it; one of the two players reports it, once."""

    scopes = EVENTS
    gone = (Pairing.DoesNotExist,)

    @extend_schema(
        operation_id="event_result_enter",
        summary="Enter the result of a pairing",
        request={"application/json": describe_body(SentScores)},
        responses={200: PairingSerializer, 400: BAD_FIELDS, 404: NOT_FOUND, 409: REFUSED},
        tags=["events"],
    )
    def put(self, request: Request, public_id: str, number: int) -> Response:
        user = require_user(request)
        standing = open_for_program(request, public_id)
        pairing = find_own_pairing(standing, number)
        sent = read_body(request, SentScores)
        points = (round_points(sent.first), round_points(sent.second))
        if pairing.second_id is None and sent.second is not None:
            raise ValidationError({"second": [_("This is a bye: only the first player has points.")]})
        if standing.is_judge:
            set_results(standing.event, user, pairing.round, {pairing.pk: points})
        else:
            refused = report_result(standing, pairing.pk, points)
            if refused:
                return answer_refusal(refused)
        return Response(serialize_pairings([find_own_pairing(standing, number)])[0], headers=NO_INDEX)


def find_own_pairing(standing: EventStanding, number: int) -> Pairing:
    """Return a pairing whose result the user might enter, as a helper or as one of its players. Raises NotFound."""
    pairing = filter_shown_pairings(standing).filter(pk=number).first()
    player = standing.participant
    if pairing is None or not (standing.is_judge or (player and player.pk in (pairing.first_id, pairing.second_id))):
        raise NotFound
    return pairing


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
