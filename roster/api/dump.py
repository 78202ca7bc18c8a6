"""The daily file of public lists."""

from django.http import FileResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.views import APIView

from catalogue.api.problems import ProblemSerializer
from roster.services.list_dump import FILE_NAME, LICENCE, find_dump


class DumpView(APIView):
    """The public lists that their owners dedicated to the public domain (CC0), written once a day.

    Each line of the unpacked file is a list in JSON.
    """

    @extend_schema(
        operation_id="rosters_dump",
        summary="All public lists in one file",
        responses={
            (200, "application/gzip"): OpenApiTypes.BINARY,
            404: OpenApiResponse(ProblemSerializer, "The file has not been written yet."),
        },
        tags=["bulk"],
    )
    def get(self, request: Request) -> HttpResponseBase:
        path = find_dump()
        if path is None:
            raise NotFound(_("No file of public lists has been written yet. This site writes one a day."))
        state = path.stat()
        tag = f'"{state.st_mtime_ns:x}-{state.st_size:x}"'
        answer: HttpResponseBase | None = get_conditional_response(request, etag=tag)
        if answer is None:
            answer = FileResponse(
                path.open("rb"), as_attachment=True, filename=FILE_NAME, content_type="application/gzip"
            )
        answer["ETag"], answer["Link"] = tag, f'<{LICENCE}>; rel="license"'
        return answer
