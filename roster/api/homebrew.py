"""Players' house rules through the API: your own, with their working copy and versions, and published ones by link."""

from collections.abc import Iterable
from typing import Any, ClassVar

from django.db.models import Max
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from catalogue.api.gallery import require_user
from catalogue.api.pages import PAGED, answer_page
from catalogue.api.problems import FieldProblemSerializer, ProblemResponse, ProblemSerializer
from catalogue.services.public_answers import confirm_tag
from roster.api.lists import IF_MATCH, WRITING, answer_refusal, read_if_match, require_if_match
from roster.api.serializers import UnreadableSerializer
from roster.api.views import (
    NO_INDEX,
    READING,
    JsonListParser,
    OldYamlListParser,
    TextYamlListParser,
    VanishingView,
    YamlListParser,
    refuse_unreadable,
    tag_state,
)
from roster.engine.edits import Refused
from roster.formats.homebrew.apply import RefusedLine
from roster.formats.homebrew.document import Homebrew, HomebrewLine
from roster.formats.list_document import Unreadable
from roster.models import HomebrewSet, HomebrewVersion
from roster.services.homebrew import (
    RefusedLines,
    delete_set,
    find_linked_version,
    find_newest,
    find_own_set,
    import_set,
    is_published,
    list_refused,
    list_sets,
    publish_set,
    read_version,
    read_working,
    replace_set,
)
from roster.services.outcomes import Conflict
from roster.services.owners import identify_visitor
from roster.services.rulesets import LONGEST_NUMBER
from roster.wording.homebrew import describe_line, explain_refused_line, format_line_source

PARSERS = (YamlListParser, OldYamlListParser, TextYamlListParser, JsonListParser)
DOCUMENT = {"application/yaml": OpenApiTypes.STR, "application/json": OpenApiTypes.OBJECT}
UNSTORABLE: dict[int, Any] = {
    400: OpenApiResponse(UnreadableSerializer, "The document cannot be read."),
    413: OpenApiResponse(ProblemSerializer, "The document is too large."),
    415: OpenApiResponse(ProblemSerializer, "The body is neither YAML nor JSON."),
}
NOT_FOUND = OpenApiResponse(ProblemSerializer, "You have no such house rules.")
NOT_PUBLISHED = OpenApiResponse(ProblemSerializer, "There are no published house rules at this link that you may read.")


class HomebrewLineSerializer(serializers.Serializer[Any]):
    """A line, and why the current data refuses it."""

    text = serializers.CharField(help_text="The line for people: `Warden, points: 20 → 12`.")
    source = serializers.CharField()  # type: ignore[assignment]  # a field of the answer, not the option
    why = serializers.CharField()
    refused = serializers.CharField(help_text="The code of the reason; blank if the line fits the data.")
    reason = serializers.CharField(help_text="The reason for people.")


class HomebrewFactsSerializer(serializers.Serializer[Any]):
    """What all answers about an account's house rules have."""

    id = serializers.CharField(source="public_id")
    name = serializers.CharField()
    game = serializers.CharField(source="game.slug")
    link = serializers.CharField(source="link_id", help_text="What readers need for `house-rules/by-link/`.")
    revision = serializers.IntegerField(help_text="The revision of the working copy, for `If-Match`.")
    updated = serializers.DateTimeField()


class HomebrewSetSerializer(HomebrewFactsSerializer):
    """An account's house rules for a game."""

    newest = serializers.IntegerField(allow_null=True, help_text="The number of the newest version; null without any.")


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


class StaleHomebrewSerializer(ProblemSerializer):
    """A change of house rules that have changed since."""

    made_on = serializers.IntegerField(help_text="The revision that the change was made on.")
    revision = serializers.IntegerField(help_text="The revision of the working copy now.")
    current = serializers.CharField(help_text="The working copy now, as YAML.")


class UnfitLinesSerializer(ProblemSerializer):
    """Why house rules cannot be published. With the code `lines-do-not-fit`, `lines` has the reasons."""

    lines = HomebrewLineSerializer(many=True, required=False)


def _read_document(request: Request) -> bytes:
    document: bytes = dict(request.data).get("document", b"")  # empty for a request without a body
    return document


def describe_lines(homebrew: Homebrew, refused: Iterable[RefusedLine]) -> list[dict[str, str]]:
    reasons = {id(one.line): one for one in refused}
    return [_describe_line(homebrew, line, reasons.get(id(line))) for line in homebrew.lines]


def _describe_line(homebrew: Homebrew, line: HomebrewLine, reason: RefusedLine | None) -> dict[str, str]:
    return {
        "text": describe_line(line),
        "source": format_line_source(homebrew, line),
        "why": line.why,
        "refused": reason.code if reason else "",
        "reason": explain_refused_line(reason) if reason else "",
    }


def _tag_set(request: Request, homebrew_set: HomebrewSet, newest: HomebrewVersion | None) -> str:
    """Return the ETag of a working copy. New data or a new version change the answer, but not the revision."""
    number, data = newest and newest.number, homebrew_set.game.shown_version.content_hash
    return tag_state(request, homebrew_set.revision, (homebrew_set.pk, homebrew_set.updated, number, data))


def _answer_working(
    request: Request,
    homebrew_set: HomebrewSet,
    newest: HomebrewVersion | None,
    status: int = 200,
    headers: dict[str, str] | None = None,
) -> Response:
    homebrew = read_working(homebrew_set)
    answer = {
        **HomebrewFactsSerializer(homebrew_set).data,
        "newest": newest.number if newest else None,
        "is_published": is_published(homebrew_set, newest),
        "document": homebrew_set.working,
        "lines": describe_lines(homebrew, list_refused(homebrew, homebrew_set.game.shown_version)),
    }
    tag = _tag_set(request, homebrew_set, newest)
    return Response(answer, status=status, headers={"ETag": tag, **NO_INDEX, **(headers or {})})


def _answer_stale_set(request: Request, homebrew_set: HomebrewSet, made_on: int) -> ProblemResponse:
    words = {"made": made_on, "head": homebrew_set.revision}
    return ProblemResponse(
        412,
        _(
            "These house rules have changed: you changed revision %(made)s, and they are at revision %(head)s. Nothing "
            "was stored."
        )
        % words,
        headers={"ETag": _tag_set(request, homebrew_set, find_newest(homebrew_set))},
        made_on=made_on,
        revision=homebrew_set.revision,
        current=homebrew_set.working,
    )


class HomebrewView(VanishingView):
    scopes: ClassVar = WRITING
    gone = (HomebrewSet.DoesNotExist, HomebrewVersion.DoesNotExist)


class HomebrewSetsView(HomebrewView):
    """Your house rules, most recently changed first. A POST creates house rules from a YAML document."""

    parser_classes = PARSERS

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
        request=DOCUMENT,
        responses={
            201: WorkingHomebrewSerializer,
            409: OpenApiResponse(ProblemSerializer, "It cannot be stored; `code` says why."),
            **UNSTORABLE,
        },
        tags=["house rules"],
    )
    def post(self, request: Request) -> Response:
        """Lines that do not fit the current data are stored with the reason, and must be removed to publish."""
        created = import_set(require_user(request), _read_document(request))
        if isinstance(created, Unreadable):
            return refuse_unreadable(created)
        if isinstance(created, Refused):
            return answer_refusal(created)
        headers = {"Location": reverse("roster_api:house-rules-set", args=[created.public_id])}
        return _answer_working(request, created, None, status=201, headers=headers)


class HomebrewSetView(HomebrewView):
    """The working copy of your house rules, and whether each line fits the current data."""

    parser_classes = PARSERS

    @extend_schema(
        operation_id="house_rules_retrieve",
        summary="Your house rules with their working copy",
        responses={200: WorkingHomebrewSerializer, 404: NOT_FOUND},
        tags=["house rules"],
    )
    def get(self, request: Request, public_id: str) -> HttpResponseBase:
        homebrew_set = find_own_set(require_user(request), public_id)
        newest = find_newest(homebrew_set)
        # The state is known before the lines are applied to the data.
        unchanged = confirm_tag(request, _tag_set(request, homebrew_set, newest))
        return unchanged or _answer_working(request, homebrew_set, newest)

    @extend_schema(
        operation_id="house_rules_replace",
        summary="Replace the working copy of house rules",
        parameters=[IF_MATCH],
        request=DOCUMENT,
        responses={
            200: WorkingHomebrewSerializer,
            404: NOT_FOUND,
            409: OpenApiResponse(ProblemSerializer, "It cannot be stored; `code` says why."),
            412: OpenApiResponse(StaleHomebrewSerializer, "They have changed since. The answer has the current state."),
            428: OpenApiResponse(ProblemSerializer, "`If-Match` is missing."),
            **UNSTORABLE,
        },
        tags=["house rules"],
    )
    def put(self, request: Request, public_id: str) -> Response:
        """Keep the published versions. Store lines that do not fit the current data with the reason."""
        homebrew_set = find_own_set(require_user(request), public_id)
        made_on = require_if_match(request, homebrew_set.revision)
        if not isinstance(made_on, int):
            return made_on
        outcome = replace_set(homebrew_set, made_on, _read_document(request))
        if isinstance(outcome, Unreadable):
            return refuse_unreadable(outcome)
        if isinstance(outcome, Refused):
            return answer_refusal(outcome)
        if isinstance(outcome, Conflict):
            return _answer_stale_set(request, homebrew_set, made_on)
        return _answer_working(request, homebrew_set, find_newest(homebrew_set))

    @extend_schema(
        operation_id="house_rules_delete",
        summary="Delete house rules with all versions",
        parameters=[IF_MATCH],
        responses={
            204: None,
            400: ProblemSerializer,
            404: NOT_FOUND,
            412: OpenApiResponse(StaleHomebrewSerializer, "They have changed since. The answer has the current state."),
            428: OpenApiResponse(ProblemSerializer, "`If-Match` is missing."),
        },
        tags=["house rules"],
    )
    def delete(self, request: Request, public_id: str) -> Response:
        """Delete the published versions, too.

        Lists that use one then count the values of the data, and say so. Events keep their copy.
        """
        homebrew_set = find_own_set(require_user(request), public_id)
        made_on = require_if_match(request, homebrew_set.revision)
        if not isinstance(made_on, int):
            return made_on
        if delete_set(homebrew_set, made_on):
            return _answer_stale_set(request, homebrew_set, made_on)
        return Response(status=204)


class HomebrewVersionsView(HomebrewView):
    """The published versions of your house rules, newest first. A POST publishes the working copy."""

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

        homebrew_set = find_own_set(require_user(request), public_id)
        versions = homebrew_set.versions.select_related("homebrew_set").defer("document")
        return answer_page(request, versions, serialize, lambda version: version.number, headers=NO_INDEX)

    @extend_schema(
        operation_id="house_rules_publish",
        summary="Publish the working copy as the next version",
        parameters=[IF_MATCH],
        request=None,
        responses={
            201: HomebrewVersionSerializer,
            400: ProblemSerializer,
            404: NOT_FOUND,
            409: OpenApiResponse(UnfitLinesSerializer, "It cannot be published; `code` says why."),
            412: OpenApiResponse(StaleHomebrewSerializer, "They have changed since. The answer has the current state."),
        },
        tags=["house rules"],
    )
    def post(self, request: Request, public_id: str) -> Response:
        homebrew_set = find_own_set(require_user(request), public_id)
        made_on = read_if_match(request, homebrew_set.revision)
        outcome = publish_set(homebrew_set, made_on)
        if isinstance(outcome, Conflict):
            return _answer_stale_set(request, homebrew_set, outcome.made_on)
        if isinstance(outcome, RefusedLines):
            detail = _("Remove or change the lines that do not fit the data first.")
            lines = [_describe_line(outcome.homebrew, one.line, one) for one in outcome.lines]
            return ProblemResponse(409, detail, "lines-do-not-fit", "refused", lines=lines)
        if isinstance(outcome, Refused):
            return answer_refusal(outcome)
        address = reverse("roster_api:house-rules-link", args=[homebrew_set.link_id])
        headers = {"Location": f"{address}?number={outcome.number}", **NO_INDEX}
        return Response(HomebrewVersionSerializer(outcome).data, status=201, headers=headers)


class LinkedHomebrewView(HomebrewView):
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
        number = request.query_params.get("number", "")
        if number and not (number.isascii() and number.isdigit() and len(number) <= LONGEST_NUMBER):
            raise NotFound
        version = find_linked_version(identify_visitor(request), link_id, int(number) if number else None)
        homebrew, homebrew_set = read_version(version), version.homebrew_set
        content = {
            **HomebrewVersionSerializer(version).data,
            "name": homebrew.name,
            "author": homebrew_set.author,
            "game": homebrew_set.game.slug,
            "document": version.document,
            "lines": describe_lines(homebrew, list_refused(homebrew, homebrew_set.game.shown_version)),
        }
        return Response(content, headers=NO_INDEX)
