"""Lists for other programs: the JSON Schema of documents, lists as links, and for Tabletop Simulator."""

from typing import Any

from django.http import JsonResponse
from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from catalogue.api.problems import ProblemSerializer
from catalogue.services.public_answers import confirm_tag
from roster.api.authentication import TokenAuthentication
from roster.api.serializers import ListLinkSerializer, TabletopArmySerializer
from roster.api.views import NO_INDEX, READING, find_open_roster, tag_list
from roster.formats.list_document import QR_LENGTH, write_list_link
from roster.formats.list_document.document import write_exchange_schema
from roster.pdf.qr import draw_qr_code
from roster.pdf.tabletop_army import build_tabletop_army
from roster.services.deck_board import list_beside_categories
from roster.services.evaluation import evaluate_roster
from roster.services.exchange import build_stored_document


class ListSchemaView(APIView):
    """The JSON Schema of list documents. It only gains keys; an incompatible form would get another address."""

    authentication_classes = (TokenAuthentication,)
    permission_classes = ()

    @extend_schema(
        operation_id="list_schema",
        summary="The JSON Schema of list documents",
        responses={(200, "application/schema+json"): OpenApiTypes.OBJECT},
        tags=["check"],
    )
    def get(self, request: Request) -> JsonResponse:
        schema: dict[str, Any] = write_exchange_schema(request.build_absolute_uri(request.path))
        return JsonResponse(schema, content_type="application/schema+json")


class RosterLinkView(APIView):
    """A stored list as a link that contains all of it, and its QR code. Everyone with the address may read it."""

    scopes = READING

    @extend_schema(
        operation_id="roster_link",
        summary="A whole list as a link and a QR code",
        responses={200: ListLinkSerializer, 404: ProblemSerializer},
        tags=["rosters"],
    )
    def get(self, request: Request, link_id: str) -> Response:
        roster = find_open_roster(request, link_id)
        link = write_list_link(build_stored_document(roster))
        code = draw_qr_code(link, roster.name) if len(link) <= QR_LENGTH else ""
        return Response({"link": link, "qr": code}, headers=NO_INDEX)


class RosterTabletopView(APIView):
    """A stored list as Yellowscribe's importer for Tabletop Simulator reads it. Everyone with the address may read it.

    The content is the same as that of Yellowscribe's `get_army_by_id`, but it does not expire. `edition` says which of
    the importer's two datasheets fits: `10e`, or `9e` for every other game.
    """

    scopes = READING

    @extend_schema(
        operation_id="roster_tts",
        summary="A list for Tabletop Simulator",
        responses={200: TabletopArmySerializer, 404: ProblemSerializer},
        tags=["rosters"],
    )
    def get(self, request: Request, link_id: str) -> HttpResponseBase:
        tag = tag_list(request, link_id)
        unchanged = confirm_tag(request, tag)
        if unchanged is not None:
            return unchanged
        roster = find_open_roster(request, link_id)
        evaluated_list = evaluate_roster(roster)
        army = build_tabletop_army(evaluated_list.report, list_beside_categories(evaluated_list.ruleset))
        return Response(army, headers={"ETag": tag, **NO_INDEX})
