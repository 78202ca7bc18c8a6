"""Install and update games through the API, for accounts that may do so on the gallery's page."""

from typing import Any, ClassVar

from django.contrib.auth.models import User
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotAuthenticated, NotFound, PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse
from rest_framework.views import APIView

from catalogue.api.pages import PAGED, answer_page
from catalogue.api.problems import FieldProblemSerializer, ProblemResponse, ProblemSerializer
from catalogue.models import GalleryGame, Job
from catalogue.models.jobs import JobState
from catalogue.services.gallery import GalleryRow, is_keeper, keep_up_to_date, list_gallery, may_install, start_install
from catalogue.services.jobs import advance_job, is_left_alone

REFUSED: dict[int, Any] = {
    404: OpenApiResponse(ProblemSerializer, "The gallery has no such game."),
    409: OpenApiResponse(ProblemSerializer, "That cannot be done now; `detail` says why."),
}


class GalleryGameSerializer(serializers.Serializer[Any]):
    """A game of the gallery, installed or not."""

    id = serializers.IntegerField(source="row.pk")
    name = serializers.CharField(source="row.name", help_text="The name of its repository.")
    title = serializers.CharField(source="row.title")
    version = serializers.CharField(source="row.version", help_text="Its newest version; blank if unknown.")
    changed = serializers.DateTimeField(source="row.changed", allow_null=True)
    size = serializers.IntegerField(source="row.size", allow_null=True, help_text="Of its data, in bytes.")
    is_archived = serializers.BooleanField(source="row.is_archived", help_text="It is no longer maintained.")
    game = serializers.CharField(source="game.slug", default=None, allow_null=True, help_text="Its id here, or null.")
    is_behind = serializers.BooleanField(help_text="The gallery has newer data than this site.")
    is_kept = serializers.BooleanField(help_text="This site updates it automatically.")
    is_installing = serializers.SerializerMethodField()

    def get_is_installing(self, line: GalleryRow) -> bool:
        return line.job is not None


class JobSerializer(serializers.Serializer[Any]):
    """Work in the background."""

    id = serializers.CharField(source="public_id")
    name = serializers.CharField()
    state = serializers.ChoiceField(JobState.choices)
    percent = serializers.IntegerField()
    wrong = serializers.SerializerMethodField(help_text="Why it failed; blank if it did not.")

    def get_wrong(self, job: Job) -> str:
        return str(job.result.get("wrong", ""))


def require_user(request: Request) -> User:
    if not isinstance(request.user, User):
        raise NotAuthenticated
    return request.user


class GalleryView(APIView):
    """The games that this site can install, by title."""

    @extend_schema(
        operation_id="gallery_list",
        summary="Games that can be installed",
        parameters=PAGED,
        responses={200: GalleryGameSerializer(many=True), 400: FieldProblemSerializer},
        tags=["gallery"],
    )
    def get(self, request: Request) -> Response:
        rows = list_gallery(f"account {request.user.pk}" if request.user.is_authenticated else "")

        def serialize(page: list[GalleryRow]) -> list[Any]:
            return list(GalleryGameSerializer(page, many=True).data)

        return answer_page(request, rows, serialize, lambda line: line.row.pk)


class InstallView(APIView):
    """Install a game or its newest data. This takes a while: the answer is a job to poll."""

    scopes: ClassVar = {"POST": "data"}

    @extend_schema(
        operation_id="gallery_install",
        summary="Install or update a game",
        request=None,
        responses={202: JobSerializer, **REFUSED},
        tags=["gallery"],
    )
    def post(self, request: Request, key: int) -> Response:
        user = require_user(request)
        row = get_object_or_404(GalleryGame, pk=key)
        if not may_install(user):
            raise PermissionDenied(_("Only the staff of this site may install games."))
        job = start_install(user, row)
        if isinstance(job, str):
            return ProblemResponse(409, job)
        address = reverse("catalogue-api:job", args=[job.public_id])
        return Response(JobSerializer(job).data, status=202, headers={"Location": address})


class KeepView(APIView):
    """Keep a game up to date from now on: its repository becomes a source whose new data is published."""

    scopes: ClassVar = {"POST": "data"}

    @extend_schema(
        operation_id="gallery_keep",
        summary="Keep a game up to date",
        request=None,
        responses={204: None, **REFUSED},
        tags=["gallery"],
    )
    def post(self, request: Request, key: int) -> Response:
        user = require_user(request)
        row = get_object_or_404(GalleryGame, pk=key)
        if not is_keeper(user):
            raise PermissionDenied(_("Only the staff of this site may choose sources."))
        source = keep_up_to_date(row)
        return ProblemResponse(409, source) if isinstance(source, str) else Response(status=204)


class JobView(APIView):
    """Work that you started. If the server has no worker for it, each request does some of it, as its page does."""

    scopes: ClassVar = {"GET": "data"}

    @extend_schema(
        operation_id="job_retrieve",
        summary="The progress of a job",
        responses={200: JobSerializer, 404: ProblemSerializer},
        tags=["gallery"],
    )
    def get(self, request: Request, public_id: str) -> Response:
        user = require_user(request)
        job = Job.objects.defer("payload").filter(public_id=public_id, user=user).first()
        if job is None:
            raise NotFound
        if is_left_alone(job):
            advance_job(job)
            job.refresh_from_db()
        return Response(JobSerializer(job).data)
