"""Edit a list through the API, with the same changes as the builder's forms."""

from typing import Any, get_args

import msgspec
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse, extend_schema, extend_schema_view
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from catalogue.api.problems import ProblemResponse, ProblemSerializer, list_sentences, list_wrong_fields
from roster.api.bodies import describe_body
from roster.api.lists import (
    IF_MATCH,
    NOT_YOURS,
    STALE,
    TOO_LARGE,
    WRITING,
    answer_refusal,
    answer_stale,
    find_own_list,
    read_made_on,
)
from roster.api.serializers import EditedRosterSerializer, OffersSerializer, PartsSerializer, RefusedEditSerializer
from roster.api.views import NO_INDEX, READING, describe_roster, find_open_roster, find_roster_to_build, tag_revision
from roster.engine.offers import list_offers
from roster.engine.tree import Force, Selection, find_path
from roster.models import Roster
from roster.services.changes import Change, convert_change
from roster.services.edits import edit_roster, redo_edit, restore_revision, undo_edit
from roster.services.evaluation import evaluate_roster
from roster.services.outcomes import Outcome, Refused, RefusedChange, SavedEdit
from roster.wording import explain_refusal
from roster.wording.api_payload import serialize_offers, serialize_part
from roster.wording.refusals import describe_act

MOST_EDITS = 50
REFUSALS: dict[int, Any] = {
    400: OpenApiResponse(RefusedEditSerializer, "There is no such change, or a field is missing or has a wrong type."),
    404: NOT_YOURS,
    409: OpenApiResponse(RefusedEditSerializer, "An edit cannot be made; `code` says why. None was made."),
    412: STALE,
    413: OpenApiResponse(RefusedEditSerializer, "The list would be too large, or judging it would take too long."),
    428: OpenApiResponse(ProblemSerializer, "`If-Match` is missing."),
}
NODE = OpenApiParameter("node", OpenApiTypes.STR, OpenApiParameter.PATH, description="The id of a part.")


EDITS: dict[str, Any] = {
    "type": "object",
    "properties": {
        "edits": {
            "type": "array",
            "items": {"oneOf": [describe_body(kind) for kind in get_args(Change)]},
            "minItems": 1,
            "maxItems": MOST_EDITS,
        }
    },
    "required": ["edits"],
}
EXAMPLE = {
    "edits": [
        {"do": "add-detachment", "entry": "column"},
        {"do": "add-unit", "node": "@1", "entry": "warden"},
        {"do": "rename", "node": "@2", "text": "Old Brack"},
    ]
}


def answer_edit(request: Request, roster: Roster, made_on: int, outcome: Outcome) -> Response:
    if isinstance(outcome, Refused):
        number = outcome.number if isinstance(outcome, RefusedChange) else 1
        return answer_refusal(outcome, edit=0 if outcome.code in TOO_LARGE else number)
    stored = find_own_list(request, roster.link_id)
    if not isinstance(outcome, SavedEdit):
        return answer_stale(request, stored, made_on)
    act = describe_act(outcome.act, outcome.subject) if outcome.act else ""
    answer = describe_roster(stored) | {"created": list(outcome.created), "act": act}
    return Response(answer, headers={"ETag": tag_revision(request, stored), **NO_INDEX})


class EditsView(APIView):
    """Change one of your lists, as the builder does. Several edits are one step of its history; either all are made or
    none.

    In `node`, `to` and `instead`, `@1` is the part that the first edit adds. `docs/api.md` lists the changes.
    """

    scopes = WRITING

    @extend_schema(
        operation_id="roster_edit",
        summary="Change a list",
        parameters=[IF_MATCH],
        request={"application/json": EDITS},
        responses={200: EditedRosterSerializer, **REFUSALS},
        examples=[OpenApiExample("Three edits", EXAMPLE, request_only=True)],
        tags=["rosters"],
    )
    def post(self, request: Request, link_id: str) -> Response:
        roster = find_own_list(request, link_id)
        sent = read_edits(request)
        made_on = read_made_on(request, roster)
        if not isinstance(made_on, int):
            return made_on
        edits: list[Change] = []
        for number, fields in enumerate(sent, 1):
            try:
                edits.append(convert_change(fields, strict=True))
            except msgspec.ValidationError as error:
                errors = list_wrong_fields(error)
                return ProblemResponse(400, list_sentences(errors)[0], "bad-change", edit=number, errors=errors)
        return answer_edit(request, roster, made_on, edit_roster(roster, made_on, *edits, keep_stale=False))


def read_edits(request: Request) -> list[dict[str, Any]]:
    """Return the edits of a request. Raises ValidationError."""
    edits = dict(request.data).get("edits")
    if not isinstance(edits, list) or not edits or not all(isinstance(edit, dict) for edit in edits):
        raise ValidationError({"edits": [_('Send the changes: "edits": [{"do": "rename", "text": "Low water"}].')]})
    if len(edits) > MOST_EDITS:
        raise ValidationError({"edits": [_("Send at most %(most)s edits at once.") % {"most": MOST_EDITS}]})
    return edits


class _StepView(APIView):
    scopes = WRITING

    def post(self, request: Request, link_id: str, **_address: int) -> Response:
        roster = find_own_list(request, link_id)
        made_on = read_made_on(request, roster)
        if not isinstance(made_on, int):
            return made_on
        return answer_edit(request, roster, made_on, self.take_step(roster, made_on))

    def take_step(self, roster: Roster, made_on: int) -> Outcome:
        raise NotImplementedError


STEP: dict[str, Any] = {
    "parameters": [IF_MATCH],
    "request": None,
    "responses": {200: EditedRosterSerializer, **REFUSALS},
    "tags": ["rosters"],
}


@extend_schema_view(post=extend_schema(operation_id="roster_undo", summary="Undo the last step of a list", **STEP))
class UndoView(_StepView):
    """Undo the last step of one of your lists."""

    def take_step(self, roster: Roster, made_on: int) -> Outcome:
        return undo_edit(roster, made_on)


@extend_schema_view(post=extend_schema(operation_id="roster_redo", summary="Redo the last undone step", **STEP))
class RedoView(_StepView):
    """Redo the last undone step of one of your lists."""

    def take_step(self, roster: Roster, made_on: int) -> Outcome:
        return redo_edit(roster, made_on)


@extend_schema_view(post=extend_schema(operation_id="roster_restore", summary="Go back to an earlier revision", **STEP))
class RestoreView(_StepView):
    """Make an earlier revision of one of your lists the present one, as a new step of its history."""

    def take_step(self, roster: Roster, made_on: int) -> Outcome:
        return restore_revision(roster, made_on, self.kwargs["number"])


class PartsView(APIView):
    """The parts of a list with the ids by which edits name them. Everyone with the address may read it."""

    scopes = READING

    @extend_schema(
        operation_id="roster_parts",
        summary="The parts of a list, with their ids",
        responses={200: PartsSerializer, 404: ProblemSerializer},
        tags=["rosters"],
    )
    def get(self, request: Request, link_id: str) -> Response:
        roster = find_open_roster(request, link_id)
        parts = [serialize_part(force) for force in roster.tree.forces]
        return Response({"id": roster.link_id, "revision": roster.head, "parts": parts}, headers=NO_INDEX)


class OffersView(APIView):
    """What a detachment or a unit of a list may contain, and what one more would cost and break.

    Everyone with the address may ask; for a private game, only its owner.
    """

    scopes = READING

    @extend_schema(
        operation_id="roster_offers",
        summary="What a part of a list may contain",
        parameters=[NODE],
        responses={200: OffersSerializer, 404: ProblemSerializer},
        tags=["rosters"],
    )
    def get(self, request: Request, link_id: str, node: str) -> Response:
        roster = find_roster_to_build(request, link_id)
        path = find_path(roster.tree, node)
        if not path or not isinstance(path[-1], Force | Selection):
            raise NotFound(explain_refusal(Refused(code="unknown-node", subject_id=node)))
        evaluated_list = evaluate_roster(roster)
        offers = serialize_offers(list_offers(evaluated_list.evaluation, node), evaluated_list.books)
        return Response({"id": node, "revision": roster.head, "offers": offers}, headers=NO_INDEX)
