"""Read, replace and delete the game plan of a list, with the services of its page."""

from typing import Any

import msgspec
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from catalogue.api.problems import FieldProblemSerializer, ProblemResponse, ProblemSerializer
from roster.api.bodies import read_body
from roster.api.lists import IF_MATCH, NOT_YOURS, WRITING, answer_refusal, find_own_list, require_if_match
from roster.api.serializers import PlanSerializer, StalePlanSerializer
from roster.api.views import NO_INDEX, tag_state
from roster.engine.plan import Answer, GamePlan, Join, Ride
from roster.models import Roster
from roster.services.limits import MAX_ID, parse_amount
from roster.services.outcomes import Conflict, Refused
from roster.services.plans import StoredPlan, delete_plan, encode_plan, evaluate_plan, keep_plan, load_plan
from roster.services.rosters import identify_list
from roster.wording import explain_refusal
from roster.wording.api_payload import serialize_list


class SentPlan(msgspec.Struct, forbid_unknown_fields=True):
    """A plan as programs send it. Numbers are texts or JSON numbers."""

    mission: str = ""
    side: str = ""
    opponents: tuple[str, ...] = ()
    allies: tuple[str, ...] = ()
    joins: tuple[Join, ...] = ()
    rides: tuple[Ride, ...] = ()
    reserves: tuple[str, ...] = ()
    commander_id: str = ""
    objective: str = ""
    answers: tuple[Answer, ...] = ()
    numbers: dict[str, int | float | str] = {}
    notes: str = ""


class PlanView(APIView):
    """The game plan of one of your lists, and the verdict on the list with this plan.

    A plan names missions, questions and answers by their ids, and units by the ids that `parts/` gives.
    """

    scopes = WRITING

    @extend_schema(
        operation_id="roster_plan_retrieve",
        summary="The game plan of a list",
        responses={200: PlanSerializer, 404: NOT_YOURS},
        tags=["rosters"],
    )
    def get(self, request: Request, link_id: str) -> Response:
        roster = find_own_list(request, link_id)
        return _answer_plan(request, roster, load_plan(roster))

    @extend_schema(
        operation_id="roster_plan_replace",
        summary="Replace the game plan of a list",
        parameters=[IF_MATCH],
        request=OpenApiTypes.OBJECT,
        responses={
            200: PlanSerializer,
            400: FieldProblemSerializer,
            404: NOT_YOURS,
            409: OpenApiResponse(
                ProblemSerializer, "The plan names something that does not exist; `code` says why it is refused."
            ),
            412: OpenApiResponse(StalePlanSerializer, "The plan has changed since. The answer has the current one."),
            413: OpenApiResponse(ProblemSerializer, "The plan is too large."),
            428: OpenApiResponse(ProblemSerializer, "`If-Match` is missing."),
        },
        tags=["rosters"],
    )
    def put(self, request: Request, link_id: str) -> Response:
        roster = find_own_list(request, link_id)
        game = read_plan(request)
        made_on = require_if_match(request, load_plan(roster).revision)
        if not isinstance(made_on, int):
            return made_on
        stored = keep_plan(roster, made_on, game)
        if isinstance(stored, Refused) and stored.code == "bad-plan" and stored.subject_id:
            detail = _("The plan names “%(name)s”, which is in neither the list nor its data.")
            return ProblemResponse(409, detail % {"name": stored.subject_id[:MAX_ID]}, stored.code, "refused")
        if isinstance(stored, Refused):
            return answer_refusal(stored)
        if isinstance(stored, Conflict):
            return _answer_stale_plan(request, find_own_list(request, link_id), made_on)
        return _answer_plan(request, find_own_list(request, link_id), stored)

    @extend_schema(
        operation_id="roster_plan_delete",
        summary="Delete the game plan of a list",
        parameters=[IF_MATCH],
        responses={204: None, 404: NOT_YOURS, 412: StalePlanSerializer, 428: ProblemSerializer},
        tags=["rosters"],
    )
    def delete(self, request: Request, link_id: str) -> Response:
        roster = find_own_list(request, link_id)
        made_on = require_if_match(request, load_plan(roster).revision)
        if not isinstance(made_on, int):
            return made_on
        if isinstance(delete_plan(roster, made_on), Conflict):
            return _answer_stale_plan(request, find_own_list(request, link_id), made_on)
        return Response(status=204)


def read_plan(request: Request) -> GamePlan:
    """Return the plan in a request. Raises ValidationError."""
    sent = read_body(request, SentPlan)
    numbers = {}
    for name, text in sent.numbers.items():
        amount = parse_amount(str(text))
        if amount is None or isinstance(amount, Refused):
            raise ValidationError({"numbers": [explain_refusal(Refused(code="bad-number", subject_id=name))]})
        numbers[name] = amount
    fields: dict[str, Any] = msgspec.structs.asdict(sent)
    return GamePlan(**fields | {"numbers": numbers})


def _answer_plan(request: Request, roster: Roster, stored: StoredPlan) -> Response:
    plan: dict[str, Any] = msgspec.json.decode(encode_plan(stored.game)) if stored.exists else {}
    plan.pop("names", None)
    answer = {"revision": stored.revision, "plan": plan, **serialize_list(evaluate_plan(roster, stored.game))}
    return Response(answer, headers={"ETag": _tag_plan(request, roster, stored), **NO_INDEX})


def _tag_plan(request: Request, roster: Roster, stored: StoredPlan) -> str:
    """Return the ETag of a plan. Its answer has the verdict, so it depends on the list and the language."""
    return tag_state(request, stored.revision, identify_list(roster))


def _answer_stale_plan(request: Request, roster: Roster, made_on: int) -> ProblemResponse:
    stored = load_plan(roster)
    current = _answer_plan(request, roster, stored).data
    words = {"made": made_on, "head": current["revision"]}
    return ProblemResponse(
        412,
        _("This plan has changed: you changed revision %(made)s, and it is at revision %(head)s. Nothing was stored.")
        % words,
        headers={"ETag": _tag_plan(request, roster, stored)},
        made_on=made_on,
        revision=current["revision"],
        current=current["plan"],
    )
