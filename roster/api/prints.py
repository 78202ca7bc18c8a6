"""Lists as PDF."""

from typing import Any

from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.views import APIView

from catalogue.api.problems import MEDIA_TYPE, FieldProblemSerializer, ProblemResponse, ProblemSerializer
from roster.api.views import READING, find_list
from roster.pdf.imposition.print_cards import CannotPrintError
from roster.pdf.print_answer import MissingLettersError, answer_with_pdf
from roster.pdf.render_lock import RendererBusy
from roster.pdf.sheet_job import find_sheet_to_print
from roster.pdf.sheet_options import BadOptionError, Ink, PaperSize, Photos, SheetOptions, Style, read_options
from roster.services.owners import identify_visitor
from roster.wording.cards import (
    explain_ended_print,
    explain_missing_letters,
    explain_refused_print,
    explain_sheet_choices,
    explain_waiting_print,
)


class PdfRenderer(JSONRenderer):
    """Also accept requests that want only PDF. PDFs are not rendered, and errors are JSON for them, too."""

    media_type = "application/pdf"


class UnprintableSerializer(ProblemSerializer):
    """A list that cannot be printed like this."""

    letters = serializers.CharField(required=False, help_text="With `missing-letters`: the characters without a font.")
    packages = serializers.ListField(
        child=serializers.CharField(), required=False, help_text="Packages with fonts that have them."
    )


class PrintingSerializer(ProblemSerializer):
    """A print that is not finished. Its place in the line is kept until `Retry-After`."""

    ahead = serializers.IntegerField(required=False, help_text="With `printing`: how many prints come before it.")
    laid_out = serializers.IntegerField(required=False, help_text="With `printing`: its finished pages.")
    pages = serializers.IntegerField(
        required=False, help_text="With `printing`: all its pages; 0 if it waits or their number is not yet known."
    )


class RosterPdfView(APIView):
    """A stored list's sheet, the same file as on its page. Everyone with the address may print it.

    Readers who may not see the whole list get the style `veiled`.
    """

    scopes = READING
    renderer_classes = (JSONRenderer, PdfRenderer)

    @extend_schema(
        operation_id="roster_pdf",
        summary="A list as PDF",
        parameters=[
            OpenApiParameter("style", OpenApiTypes.STR, enum=[one.value for one in Style]),
            OpenApiParameter("paper", OpenApiTypes.STR, enum=[one.value for one in PaperSize]),
            OpenApiParameter("ink", OpenApiTypes.STR, enum=[one.value for one in Ink]),
            OpenApiParameter(
                "photos", OpenApiTypes.STR, enum=[one.value for one in Photos], description="For the style `full`."
            ),
            OpenApiParameter("revision", OpenApiTypes.STR, description="An earlier revision; else the current one."),
            OpenApiParameter("hash", OpenApiTypes.STR, description="Its hash, which all but the owner need."),
            OpenApiParameter("letters", OpenApiTypes.STR, description="`1` prints characters without a font as boxes."),
            OpenApiParameter("Retry-After", OpenApiTypes.INT, OpenApiParameter.HEADER, response=[503]),
        ],
        responses={
            (200, "application/pdf"): OpenApiTypes.BINARY,
            (400, MEDIA_TYPE): FieldProblemSerializer,
            (404, MEDIA_TYPE): ProblemSerializer,
            (409, MEDIA_TYPE): OpenApiResponse(UnprintableSerializer, "It cannot be printed so; `code` says why."),
            (503, MEDIA_TYPE): OpenApiResponse(
                PrintingSerializer, "It is not finished (`printing`), or has ended (`print-too-slow`, `print-failed`)."
            ),
        },
        tags=["rosters"],
    )
    def get(self, request: Request, link_id: str) -> HttpResponseBase:
        query = request.query_params
        try:
            options = read_options(query.dict())
        except BadOptionError as error:
            sentence = explain_sheet_choices(error.name, error.given, error.choices)
            raise ValidationError({error.name: [sentence]}) from None
        sheet = find_sheet_to_print(
            find_list(request, link_id),
            identify_visitor(request),
            options,
            query.get("revision", ""),
            query.get("hash", ""),
            request.build_absolute_uri,
        )
        if sheet is None:
            raise NotFound
        try:
            return answer_with_pdf(request, sheet.job, sheet.name)
        except MissingLettersError as missing:
            detail = explain_missing_letters(missing.letters)
            return ProblemResponse(
                409, detail, "missing-letters", "refused", letters=missing.letters, packages=missing.packages
            )
        except CannotPrintError as error:
            return ProblemResponse(409, explain_refused_print(error.code, error.figures), error.code, "refused")
        except RendererBusy as busy:
            return _answer_busy(busy, sheet.job.options)


def _answer_busy(busy: RendererBusy, options: SheetOptions) -> ProblemResponse:
    if busy.too_slow:
        code = "print-failed" if busy.is_broken else "print-too-slow"
        detail = explain_ended_print(is_broken=busy.is_broken, has_summary=options.has_summary)
        # Clients must not ask again: each time would be another layout.
        return ProblemResponse(503, detail, code)
    line: dict[str, Any] = {"ahead": busy.ahead, "laid_out": busy.laid_out, "pages": busy.pages}
    detail = explain_waiting_print(busy.ahead, is_printing=busy.is_printing)
    return ProblemResponse(503, detail, "printing", headers={"Retry-After": str(busy.retry_after)}, **line)
