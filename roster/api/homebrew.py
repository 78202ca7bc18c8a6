"""Players' house rules through the API: list, read, create and publish your own; read published ones by link."""

from collections.abc import Iterable
from typing import Any, ClassVar

from django.contrib.auth.models import User
from django.db.models import Max
from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from catalogue.api.pages import PAGED, answer_page
from catalogue.api.problems import FieldProblemSerializer, ProblemResponse, ProblemSerializer
from roster.api.lists import answer_refusal
from roster.api.serializers import UnreadableSerializer
from roster.api.views import (
    NO_INDEX,
    READING,
    JsonListParser,
    OldYamlListParser,
    TextYamlListParser,
    YamlListParser,
    refuse_unreadable,
)
from roster.api.webhooks import require_user
from roster.engine.edits import Refused
from roster.formats.homebrew.apply import RefusedLine
from roster.formats.homebrew.document import Homebrew
from roster.formats.list_document import Unreadable
from roster.models import HomebrewSet, HomebrewVersion
from roster.models.tokens import TokenScope
from roster.services.homebrew import (
    RefusedLines,
    find_linked_version,
    find_own_set,
    import_set,
    is_published,
    list_refused,
    list_sets,
    publish_set,
    read_version,
    read_working,
)
from roster.services.owners import identify_visitor
from roster.services.rulesets import LONGEST_NUMBER
from roster.wording.homebrew import describe_line, explain_refused_line, format_line_source

WRITING = {**READING, "POST": TokenScope.WRITE}
NOT_FOUND = OpenApiResponse(ProblemSerializer, "You have no such house rules.")
NOT_PUBLISHED = OpenApiResponse(ProblemSerializer, "There are no published house rules at this link that you may read.")


class HomebrewLineSerializer(serializers.Serializer[Any]):
    """A line, and why the current data refuses it."""

    text = serializers.CharField(help_text="The line for people: `Warden, points: 20 → 12`.")
    source = serializers.CharField()  # type: ignore[assignment]  # a field of the answer, not the option
    why = serializers.CharField()
    refused = serializers.CharField(help_text="The code of the reason; blank if the line fits the data.")
    reason = serializers.CharField(help_text="The reason for people.")


class HomebrewSetSerializer(serializers.Serializer[Any]):
    """An account's house rules for a game."""

    id = serializers.CharField(source="public_id")
    name = serializers.CharField()
    game = serializers.CharField(source="game.slug")
    link = serializers.CharField(source="link_id", help_text="What readers need for `house-rules/by-link/`.")
    newest = serializers.IntegerField(allow_null=True, help_text="The number of the newest version; null without any.")
    updated = serializers.DateTimeField()


class WorkingHomebrewSerializer(HomebrewSetSerializer):
    """An account's house rules with their working copy."""

    is_published = serializers.BooleanField(help_text="Whether the newest version equals the working copy.")
    document = serializers.CharField(help_text="The working copy as YAML.")
    lines = HomebrewLineSerializer(many=True)


class HomebrewVersionSerializer(serializers.Serializer[Any]):
    """A published version, which never changes. Lists name it as `key`."""

    key = serializers.CharField(help_text="For `homebrew` of a list: `id@number`.")
    number = serializers.IntegerField()
    hash = serializers.CharField(source="content_hash", help_text="SHA-256 of its document.")
    created = serializers.DateTimeField()


class PublishedHomebrewSerializer(HomebrewVersionSerializer):
    """A published version with its document."""

    name = serializers.CharField()
    author = serializers.CharField(help_text="Blank for a player without a name.")
    game = serializers.CharField()
    document = serializers.CharField(help_text="YAML.")
    lines = HomebrewLineSerializer(many=True)


class UnfitLinesSerializer(ProblemSerializer):
    """Why house rules cannot be published. With the code `lines-do-not-fit`, `lines` has the reasons."""

    lines = HomebrewLineSerializer(many=True, required=False)


def _describe_lines(homebrew: Homebrew, refused: Iterable[RefusedLine]) -> list[dict[str, str]]:
    reasons = {id(one.line): one for one in refused}
    described = []
    for line in homebrew.lines:
        reason = reasons.get(id(line))
        described.append(
            {
                "text": describe_line(line),
                "source": format_line_source(homebrew, line),
                "why": line.why,
                "refused": reason.code if reason else "",
                "reason": explain_refused_line(reason) if reason else "",
            }
        )
    return described


def _find_set(request: Request, public_id: str) -> HomebrewSet:
    try:
        return find_own_set(require_user(request), public_id)
    except HomebrewSet.DoesNotExist:
        raise NotFound from None


def _describe_working(user: User, public_id: str) -> dict[str, Any]:
    homebrew_set = list_sets(user).annotate(newest=Max("versions__number")).get(public_id=public_id)
    homebrew = read_working(homebrew_set)
    return {
        **HomebrewSetSerializer(homebrew_set).data,
        "is_published": is_published(homebrew_set),
        "document": homebrew_set.working,
        "lines": _describe_lines(homebrew, list_refused(homebrew, homebrew_set.game.shown)),
    }


class HomebrewSetsView(APIView):
    """Your house rules, most recently changed first. A POST creates house rules from a YAML document."""

    scopes: ClassVar = WRITING
    parser_classes = (YamlListParser, OldYamlListParser, TextYamlListParser, JsonListParser)

    @extend_schema(
        operation_id="house_rules_list",
        summary="Your house rules",
        parameters=PAGED,
        responses={200: HomebrewSetSerializer(many=True), 400: FieldProblemSerializer},
        tags=["house rules"],
    )
    def get(self, request: Request) -> Response:
        def serialize(page: list[HomebrewSet]) -> list[Any]:
            return list(HomebrewSetSerializer(page, many=True).data)

        rows = list_sets(require_user(request)).annotate(newest=Max("versions__number")).defer("working")
        return answer_page(request, rows, serialize, lambda homebrew_set: homebrew_set.pk, headers=NO_INDEX)

    @extend_schema(
        operation_id="house_rules_create",
        summary="Create house rules from a document",
        request={"application/yaml": OpenApiTypes.STR, "application/json": OpenApiTypes.OBJECT},
        responses={
            201: WorkingHomebrewSerializer,
            400: OpenApiResponse(UnreadableSerializer, "The document cannot be read."),
            409: OpenApiResponse(ProblemSerializer, "You have too many house rules."),
            413: OpenApiResponse(ProblemSerializer, "The document is too large."),
            415: OpenApiResponse(ProblemSerializer, "The body is neither YAML nor JSON."),
        },
        tags=["house rules"],
    )
    def post(self, request: Request) -> Response:
        """Lines that do not fit the current data are stored with the reason, and must be removed to publish."""
        user = require_user(request)
        created = import_set(user, dict(request.data).get("document", b""))
        if isinstance(created, Unreadable):
            return refuse_unreadable(created)
        if isinstance(created, Refused):
            return answer_refusal(created)
        headers = {"Location": reverse("roster_api:house-rules-set", args=[created.public_id]), **NO_INDEX}
        return Response(_describe_working(user, created.public_id), status=201, headers=headers)


class HomebrewSetView(APIView):
    """The working copy of your house rules, and whether each line fits the current data."""

    scopes: ClassVar = READING

    @extend_schema(
        operation_id="house_rules_retrieve",
        summary="Your house rules with their working copy",
        responses={200: WorkingHomebrewSerializer, 404: NOT_FOUND},
        tags=["house rules"],
    )
    def get(self, request: Request, public_id: str) -> Response:
        homebrew_set = _find_set(request, public_id)
        return Response(_describe_working(require_user(request), homebrew_set.public_id), headers=NO_INDEX)


class HomebrewVersionsView(APIView):
    """The published versions of your house rules, newest first. A POST publishes the working copy."""

    scopes: ClassVar = WRITING

    @extend_schema(
        operation_id="house_rules_versions_list",
        summary="The published versions of your house rules",
        parameters=PAGED,
        responses={200: HomebrewVersionSerializer(many=True), 400: FieldProblemSerializer, 404: NOT_FOUND},
        tags=["house rules"],
    )
    def get(self, request: Request, public_id: str) -> Response:
        def serialize(page: list[HomebrewVersion]) -> list[Any]:
            return list(HomebrewVersionSerializer(page, many=True).data)

        versions = _find_set(request, public_id).versions.select_related("homebrew_set").defer("document")
        return answer_page(request, versions, serialize, lambda version: version.number, headers=NO_INDEX)

    @extend_schema(
        operation_id="house_rules_publish",
        summary="Publish the working copy as the next version",
        request=None,
        responses={
            201: HomebrewVersionSerializer,
            404: NOT_FOUND,
            409: OpenApiResponse(UnfitLinesSerializer, "It cannot be published; `code` says why."),
        },
        tags=["house rules"],
    )
    def post(self, request: Request, public_id: str) -> Response:
        homebrew_set = _find_set(request, public_id)
        outcome = publish_set(homebrew_set)
        if isinstance(outcome, RefusedLines):
            detail = _("Remove or change the lines that do not fit the data first.")
            homebrew = read_working(homebrew_set)
            lines = _describe_lines(homebrew, list_refused(homebrew, homebrew_set.game.shown))
            unfit = [line for line in lines if line["refused"]]
            return ProblemResponse(409, detail, "lines-do-not-fit", "refused", lines=unfit)
        if isinstance(outcome, Refused):
            return answer_refusal(outcome)
        address = reverse("roster_api:house-rules-link", args=[homebrew_set.link_id])
        headers = {"Location": f"{address}?number={outcome.number}", **NO_INDEX}
        return Response(HomebrewVersionSerializer(outcome).data, status=201, headers=headers)


class LinkedHomebrewView(APIView):
    """Published house rules, by default the newest version. Everyone with the link may read them."""

    scopes: ClassVar = READING

    @extend_schema(
        operation_id="house_rules_linked_retrieve",
        summary="Published house rules by their link",
        parameters=[
            OpenApiParameter("number", OpenApiTypes.INT, description="The number of the version; else the newest.")
        ],
        responses={200: PublishedHomebrewSerializer, 404: NOT_PUBLISHED},
        tags=["house rules"],
    )
    def get(self, request: Request, link_id: str) -> Response:
        asked = request.query_params.get("number", "")
        if asked and not (asked.isascii() and asked.isdigit() and len(asked) <= LONGEST_NUMBER):
            raise NotFound
        try:
            version = find_linked_version(identify_visitor(request), link_id, int(asked) if asked else None)
        except HomebrewVersion.DoesNotExist:
            raise NotFound from None
        homebrew, homebrew_set = read_version(version), version.homebrew_set
        content = {
            **HomebrewVersionSerializer(version).data,
            "name": homebrew.name,
            "author": homebrew_set.author,
            "game": homebrew_set.game.slug,
            "document": version.document,
            "lines": _describe_lines(homebrew, list_refused(homebrew, homebrew_set.game.shown)),
        }
        return Response(content, headers=NO_INDEX)
