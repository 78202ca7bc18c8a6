"""All data of a game as one file, and what changed since another version."""

from typing import Any

from django.http import StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse
from rest_framework.views import APIView

from catalogue.api.pages import CURSOR, PAGED, answer_page
from catalogue.api.problems import FieldProblemSerializer, ProblemSerializer
from catalogue.api.serializers import VersionSerializer
from catalogue.models import PackVersion
from catalogue.models.games import SHORT_HASH
from catalogue.services.bulk import CatalogueChange, ChangeKind, compare_entries, list_changes, write_version
from catalogue.services.releases import filter_published

FOR_EVER = "public, max-age=31536000, immutable"
MOST_CHANGES = 20
"""Catalogues in an answer. Both versions of each are read whole."""
GAME = OpenApiParameter("game", OpenApiTypes.STR, OpenApiParameter.PATH, description="The id of a game.")
HASH = OpenApiParameter(
    "content_hash", OpenApiTypes.STR, OpenApiParameter.PATH, description="The hash of a version of the game."
)
NOT_FOUND = OpenApiResponse(ProblemSerializer, "There is no such published version of the game.")


class PublishedVersionSerializer(VersionSerializer):
    """A version that is or was published."""

    is_current = serializers.BooleanField()
    address = serializers.SerializerMethodField(help_text="Of all its data in one file.")

    class Meta(VersionSerializer.Meta):
        fields = (*VersionSerializer.Meta.fields, "is_current", "address")

    def get_address(self, version: PackVersion) -> str:
        return reverse("catalogue-api:version", args=[version.game.slug, version.content_hash])


class EntryChangeSerializer(serializers.Serializer[Any]):
    id = serializers.CharField(source="entry_id")
    name = serializers.CharField()
    change = serializers.ChoiceField([kind.value for kind in ChangeKind], source="kind.value")


class CatalogueChangeSerializer(serializers.Serializer[Any]):
    """A catalogue that differs, and which of its entries do."""

    id = serializers.CharField(source="catalogue_id")
    name = serializers.CharField()
    change = serializers.ChoiceField([kind.value for kind in ChangeKind], source="kind.value")
    entries = EntryChangeSerializer(many=True)


class VersionFileSerializer(serializers.Serializer[Any]):
    """All data of a version."""

    game = serializers.CharField()
    name = serializers.CharField()
    version = serializers.CharField()
    edition = serializers.CharField()
    source = serializers.CharField()  # type: ignore[assignment]  # a field of the answer, not the property
    hash = serializers.CharField()
    catalogues = serializers.ListField(
        child=serializers.DictField(), help_text="The game system, then its factions and libraries."
    )


def find_version(game: str, content_hash: str) -> PackVersion:
    """Return a published version of a game by its hash, whole or as short as lists write it. Raises NotFound."""
    versions = filter_published().filter(game__slug=game, content_hash__startswith=content_hash)
    version = versions.select_related("game").first() if len(content_hash) >= SHORT_HASH else None
    if version is None:
        raise NotFound
    return version


class VersionsView(APIView):
    """The versions of a game that are or were published, newest first."""

    @extend_schema(
        operation_id="versions_list",
        summary="The versions of a game",
        parameters=[GAME, *PAGED],
        responses={200: PublishedVersionSerializer(many=True), 400: FieldProblemSerializer, 404: NOT_FOUND},
        tags=["bulk"],
    )
    def get(self, request: Request, game: str) -> Response:
        versions = filter_published().filter(game__slug=game).select_related("game")
        if not versions.exists():
            raise NotFound(_("There is no game “%(game)s” here.") % {"game": game})

        def serialize(page: list[PackVersion]) -> list[Any]:
            return list(PublishedVersionSerializer(page, many=True).data)

        return answer_page(request, versions, serialize, lambda version: version.pk)


class VersionView(APIView):
    """All data of a version in one file. It never changes: keep it, or ask for it again with `If-None-Match`."""

    @extend_schema(
        operation_id="version_retrieve",
        summary="All data of a version in one file",
        parameters=[GAME, HASH],
        responses={200: VersionFileSerializer, 404: NOT_FOUND},
        tags=["bulk"],
    )
    def get(self, request: Request, game: str, content_hash: str) -> HttpResponseBase:
        version = find_version(game, content_hash)
        tag = f'"{version.content_hash}"'
        answer: HttpResponseBase | None = get_conditional_response(request, etag=tag)
        if answer is None:
            answer = StreamingHttpResponse(write_version(version), content_type="application/json")
        answer["ETag"], answer["Cache-Control"] = tag, FOR_EVER
        return answer


class VersionChangesView(APIView):
    """The catalogues of a version that differ from another version of the game, each with its entries that differ."""

    @extend_schema(
        operation_id="version_changes",
        summary="What changed since another version",
        parameters=[
            GAME,
            HASH,
            OpenApiParameter("since", OpenApiTypes.STR, required=True, description="The hash of the other version."),
            OpenApiParameter(
                "limit",
                OpenApiTypes.INT,
                description=f"How many catalogues a page has: by default and at most {MOST_CHANGES}.",
            ),
            CURSOR,
        ],
        responses={200: CatalogueChangeSerializer(many=True), 400: FieldProblemSerializer, 404: NOT_FOUND},
        tags=["bulk"],
    )
    def get(self, request: Request, game: str, content_hash: str) -> Response:
        version = find_version(game, content_hash)
        try:
            since = find_version(game, request.query_params.get("since", ""))
        except NotFound:
            raise ValidationError(
                {"since": [_("Give the version of the game to start from, by its hash: since=0f3a9c41d2.")]}
            ) from None

        def serialize(page: list[CatalogueChange]) -> list[Any]:
            rows = [
                {
                    "catalogue_id": change.catalogue_id,
                    "name": change.name,
                    "kind": change.kind,
                    "entries": compare_entries(change),
                }
                for change in page
            ]
            return list(CatalogueChangeSerializer(rows, many=True).data)

        changes = list_changes(since, version)
        return answer_page(request, changes, serialize, lambda change: change.catalogue_id, most=MOST_CHANGES)
