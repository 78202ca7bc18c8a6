"""Move a list to another version of its data through the API, and see what would change."""

from typing import Annotated, Any

import msgspec
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from catalogue.api.problems import FieldProblemSerializer
from catalogue.definitions.numbers import format_number
from catalogue.models import PackVersion
from catalogue.models.games import SHORT_HASH
from roster.api.bodies import describe_body, read_body
from roster.api.edits import STEP, answer_edit
from roster.api.homebrew import HomebrewLineSerializer, describe_lines
from roster.api.lists import NOT_YOURS, WRITING, find_own_list, read_made_on
from roster.api.serializers import VERDICTS, ChangesSerializer
from roster.api.views import NO_INDEX
from roster.models import Roster
from roster.services.homebrew import list_refused, read_version
from roster.services.rulesets import find_homebrew_for
from roster.services.upgrade_data import find_version, preview_upgrade, upgrade_list
from roster.wording import describe_namesake
from roster.wording.api_payload import serialize_comparison


class SentMove(msgspec.Struct, forbid_unknown_fields=True):
    to: Annotated[str, msgspec.Meta(description="The hash of a version; blank for the newest.")] = ""
    mend: Annotated[
        bool, msgspec.Meta(description="Replace what the version does not have by things of the same name.")
    ] = False


class RepricedSerializer(serializers.Serializer[Any]):
    """A unit with another price."""

    name = serializers.CharField()
    before = serializers.CharField()
    after = serializers.CharField()


class MoveSerializer(ChangesSerializer):
    """What another version of the data would change."""

    version = serializers.CharField()
    hash = serializers.CharField(help_text="Of the version.")
    is_current = serializers.BooleanField(help_text="Whether the list already uses it.")
    repriced = RepricedSerializer(many=True)
    namesakes = serializers.ListField(
        child=serializers.CharField(), help_text="Missing things that `mend` would replace by those of the same name."
    )
    mended = serializers.ChoiceField(
        VERDICTS, allow_null=True, help_text="The verdict with `mend`; null if that would replace nothing."
    )
    lines = HomebrewLineSerializer(many=True, help_text="The lines of the list's house rules on that version.")


class DataView(APIView):
    """The version of the data of one of your lists."""

    scopes = WRITING

    @extend_schema(
        operation_id="roster_data_retrieve",
        summary="What another version of the data would change",
        parameters=[OpenApiParameter("to", OpenApiTypes.STR, description="The hash of a version; else the newest.")],
        responses={200: MoveSerializer, 400: FieldProblemSerializer, 404: NOT_YOURS},
        tags=["rosters"],
    )
    def get(self, request: Request, link_id: str) -> Response:
        roster = find_own_list(request, link_id)
        version = _find_version(roster, request.query_params.get("to", ""))
        preview = preview_upgrade(roster, version)
        published = find_homebrew_for(version.game_id, roster.tree.homebrew) if roster.tree.homebrew else None
        homebrew = read_version(published) if published else None
        answer = {
            "version": version.label,
            "hash": version.content_hash,
            "is_current": version.pk == roster.version_id,
            **serialize_comparison(preview.comparison),
            "repriced": [
                {"name": unit.name, "before": format_number(unit.before), "after": format_number(unit.after)}
                for unit in preview.repriced
            ],
            "namesakes": list(dict.fromkeys(map(describe_namesake, preview.namesakes))),
            "mended": preview.mended.value if preview.mended else None,
            "lines": describe_lines(homebrew, list_refused(homebrew, version)) if homebrew else [],
        }
        return Response(answer, headers=NO_INDEX)

    @extend_schema(
        operation_id="roster_data_move",
        summary="Move a list to another version of its data",
        **STEP | {"request": {"application/json": describe_body(SentMove)}},
    )
    def post(self, request: Request, link_id: str) -> Response:
        """Move a list as one step of its history, which `undo/` reverses."""
        roster = find_own_list(request, link_id)
        sent = read_body(request, SentMove)
        version = _find_version(roster, sent.to)
        made_on = read_made_on(request, roster)
        if not isinstance(made_on, int):
            return made_on
        return answer_edit(request, roster, made_on, upgrade_list(roster, made_on, version, mend=sent.mend))


def _find_version(roster: Roster, content_hash: str) -> PackVersion:
    """Return a version that a list may use, by its hash or the beginning of it. Raises ValidationError."""
    if not content_hash:
        return roster.version.game.shown_version
    version = find_version(roster, content_hash[:SHORT_HASH])
    if version is None or not version.content_hash.startswith(content_hash):
        raise ValidationError({"to": [_("There is no such version here.")]})
    return version
