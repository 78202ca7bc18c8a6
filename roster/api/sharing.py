"""Who sees your lists, where you keep them, and copies of lists, through the API."""

from typing import Annotated, Any, Literal

import msgspec
from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from catalogue.api.problems import FieldProblemSerializer, ProblemSerializer
from roster.api.bodies import describe_body, read_body
from roster.api.lists import NOT_YOURS, WRITING, ListCursor, answer_refusal, find_own_list, require_account
from roster.api.serializers import ListRowSerializer, RosterSerializer
from roster.api.views import NO_INDEX, describe_roster, find_list, find_open_roster, tag_revision
from roster.models import Roster
from roster.models.ownership import Visibility
from roster.services.organize import MOST_TAGS, delete_for_good, file_list, list_bin, restore_from_bin
from roster.services.outcomes import Refused
from roster.services.owners import find_thing, is_owner
from roster.services.revisions import PaperState, find_shown_revision
from roster.services.rosters import copy_roster
from roster.services.sharing import replace_link, share_roster

REFUSED = OpenApiResponse(ProblemSerializer, "That cannot be stored; `code` says why.")


class SentSharing(msgspec.Struct, forbid_unknown_fields=True):
    visibility: Literal["private", "link", "public"]
    secret: Annotated[bool | None, msgspec.Meta(description="Only you may read it; by default as before.")] = None
    uncounted: Annotated[bool | None, msgspec.Meta(description="Statistics leave it out; by default as before.")] = None


class SentLabels(msgspec.Struct, forbid_unknown_fields=True):
    folder: Annotated[str, msgspec.Meta(description="Its name; blank for none. A new name makes a folder.")]
    tags: Annotated[list[str], msgspec.Meta(max_length=MOST_TAGS)]


class SentCopy(msgspec.Struct, forbid_unknown_fields=True):
    name: Annotated[str, msgspec.Meta(description="By default that of the list.")] = ""
    revision: Annotated[int | None, msgspec.Meta(description="An earlier state of your own list.")] = None


class SharingSerializer(serializers.Serializer[Any]):
    """Who sees a list."""

    id = serializers.CharField(source="link_id")
    visibility = serializers.ChoiceField(Visibility.choices)
    secret = serializers.BooleanField(source="is_secret", help_text="Only you may read its contents.")
    uncounted = serializers.BooleanField(source="is_uncounted", help_text="Statistics leave it out.")
    hidden = serializers.BooleanField(source="taken_down", help_text="The staff have hidden it from all others.")


class LabelsSerializer(serializers.Serializer[Any]):
    """Where you keep a list."""

    folder = serializers.CharField(allow_blank=True)
    tags = serializers.ListField(child=serializers.CharField())


class BinnedSerializer(ListRowSerializer):
    """A list in the bin."""

    binned = serializers.DateTimeField(help_text="When it was moved there.")


class SharingView(APIView):
    """Who sees one of your lists."""

    scopes = WRITING

    @extend_schema(
        operation_id="roster_sharing_retrieve",
        summary="Who sees a list",
        responses={200: SharingSerializer, 404: NOT_YOURS},
        tags=["rosters"],
    )
    def get(self, request: Request, link_id: str) -> Response:
        return _answer_sharing(find_own_list(request, link_id))

    @extend_schema(
        operation_id="roster_share",
        summary="Choose who sees a list",
        request={"application/json": describe_body(SentSharing)},
        responses={200: SharingSerializer, 400: FieldProblemSerializer, 404: NOT_YOURS, 409: REFUSED},
        tags=["rosters"],
    )
    def put(self, request: Request, link_id: str) -> Response:
        roster = find_own_list(request, link_id)
        sent = read_body(request, SentSharing)
        refused = share_roster(roster, sent.visibility, secret=sent.secret, uncounted=sent.uncounted)
        return answer_refusal(refused) if refused else _answer_sharing(roster)


class ResetLinkView(APIView):
    """The link of one of your lists."""

    scopes = WRITING

    @extend_schema(
        operation_id="roster_reset_link",
        summary="Reset the link of a list",
        request=None,
        responses={200: SharingSerializer, 404: NOT_YOURS},
        tags=["rosters"],
    )
    def post(self, request: Request, link_id: str) -> Response:
        """Reset the link: the old one stops working, and the answer has the new `id`."""
        roster = find_own_list(request, link_id)
        replace_link(roster)
        return _answer_sharing(roster)


def _answer_sharing(roster: Roster) -> Response:
    return Response(SharingSerializer(roster).data, headers=NO_INDEX)


class LabelsView(APIView):
    """The folder and the tags of one of your lists."""

    scopes = WRITING

    @extend_schema(
        operation_id="roster_labels_retrieve",
        summary="The folder and the tags of a list",
        responses={200: LabelsSerializer, 404: NOT_YOURS},
        tags=["rosters"],
    )
    def get(self, request: Request, link_id: str) -> Response:
        return _answer_labels(find_own_list(request, link_id))

    @extend_schema(
        operation_id="roster_label",
        summary="Choose the folder and the tags of a list",
        request={"application/json": describe_body(SentLabels)},
        responses={200: LabelsSerializer, 400: FieldProblemSerializer, 404: NOT_YOURS, 409: REFUSED},
        tags=["rosters"],
    )
    def put(self, request: Request, link_id: str) -> Response:
        roster = find_own_list(request, link_id)
        sent = read_body(request, SentLabels)
        refused = file_list(roster, sent.folder, sent.tags)
        if refused:
            return answer_refusal(refused)
        return _answer_labels(find_own_list(request, link_id))


def _answer_labels(roster: Roster) -> Response:
    names = roster.tags.order_by("name").values_list("name", flat=True)
    return Response({"folder": roster.folder.name if roster.folder else "", "tags": list(names)}, headers=NO_INDEX)


class CopiesView(APIView):
    """Copy a list that you may read, with its plan, to a new list of yours."""

    scopes = WRITING

    @extend_schema(
        operation_id="roster_copy",
        summary="Copy a list",
        request={"application/json": describe_body(SentCopy)},
        responses={
            201: RosterSerializer,
            400: FieldProblemSerializer,
            404: OpenApiResponse(ProblemSerializer, "There is no list that you may read, or no such revision of it."),
            409: REFUSED,
        },
        tags=["rosters"],
    )
    def post(self, request: Request, link_id: str) -> Response:
        owner = require_account(request)
        roster = find_open_roster(request, link_id)
        sent = read_body(request, SentCopy)
        number = "" if sent.revision is None else str(sent.revision)
        shown_list = find_shown_revision(roster, number, "", owned=is_owner(owner, roster))
        if shown_list.paper is PaperState.UNKNOWN:
            raise NotFound(_("This list has no such earlier state."))
        copied = copy_roster(shown_list.roster, owner, sent.name)
        if isinstance(copied, Refused):
            return answer_refusal(copied)
        stored = find_list(request, copied.link_id)
        headers = {
            "Location": reverse("roster_api:roster", args=[stored.link_id]),
            "ETag": tag_revision(request, stored),
        }
        return Response(describe_roster(stored), status=201, headers={**headers, **NO_INDEX})


class BinCursor(ListCursor):
    ordering = ("-binned", "-id")


class BinView(ListAPIView[Roster]):
    """Your deleted lists, most recently deleted first. The site deletes them for good after some weeks."""

    scopes = WRITING
    serializer_class = BinnedSerializer
    pagination_class = BinCursor

    def get_queryset(self) -> QuerySet[Roster]:
        return list_bin(require_account(self.request)).select_related("owner__player_name")

    @extend_schema(
        operation_id="bin_list",
        summary="Your deleted lists",
        responses={200: BinnedSerializer(many=True), 400: FieldProblemSerializer},
        tags=["rosters"],
    )
    def get(self, request: Request) -> Response:
        return super().get(request)


class BinnedListView(APIView):
    """One of your deleted lists."""

    scopes = WRITING

    @extend_schema(
        operation_id="bin_restore",
        summary="Restore a deleted list",
        request=None,
        responses={204: None, 404: NOT_YOURS},
        tags=["rosters"],
    )
    def post(self, request: Request, link_id: str) -> Response:
        restore_from_bin(_find_binned(request, link_id))
        return Response(status=204, headers={"Location": reverse("roster_api:roster", args=[link_id])})

    @extend_schema(
        operation_id="bin_delete",
        summary="Delete a list with its history for good",
        responses={204: None, 404: NOT_YOURS},
        tags=["rosters"],
    )
    def delete(self, request: Request, link_id: str) -> Response:
        delete_for_good(_find_binned(request, link_id))
        return Response(status=204)


def _find_binned(request: Request, link_id: str) -> QuerySet[Roster]:
    """Return the deleted list as a query. Raises NotAuthenticated and NotFound."""
    try:
        binned = find_thing(list_bin(require_account(request)), link_id=link_id)
    except Roster.DoesNotExist:
        raise NotFound(_("You have no deleted list at this address.")) from None
    return Roster.objects.filter(pk=binned.pk)
