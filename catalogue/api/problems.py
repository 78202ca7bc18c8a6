"""Errors of the API as problem details (RFC 9457), and the catalogue of their codes."""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import APIException, ValidationError
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from catalogue.api.pages import PAGED, answer_page

MEDIA_TYPE = "application/problem+json"
LONGEST_REASON = 200


class Problem(NamedTuple):
    """A kind of error: its status and what it means. Programs read these texts, so they are never translated."""

    status: int
    title: str


PROBLEMS: Mapping[str, Problem] = {
    "bad-request": Problem(400, "The request cannot be read."),
    "invalid-fields": Problem(400, "Fields or parameters have wrong values; `errors` has them by name."),
    "unreadable": Problem(400, "The list or text cannot be read; `code` says why, `line` and `column` where."),
    "not-signed-in": Problem(401, "This needs an account: send a token, or sign in."),
    "token-unknown": Problem(401, "There is no such token."),
    "token-revoked": Problem(401, "The token was revoked."),
    "token-expired": Problem(401, "The token has expired."),
    "account-closed": Problem(401, "The account of the token is closed."),
    "bad-scheme": Problem(401, "The token is not written as `Authorization: Bearer`."),
    "scope-missing": Problem(403, "The token lacks the scope that this needs."),
    "forbidden": Problem(403, "The account may not do this, or the token of the form is missing."),
    "not-found": Problem(404, "There is nothing at this address that you may see."),
    "method-not-allowed": Problem(405, "This address does not support the method."),
    "not-acceptable": Problem(406, "This is not available in a format that `Accept` allows."),
    "refused": Problem(409, "That cannot be done now; `code` says why."),
    "gone": Problem(410, "The server has lost this; the rest is unaffected."),
    "length-required": Problem(411, "The request does not say how long it is."),
    "stale": Problem(412, "This has changed since the revision that `If-Match` names."),
    "too-large": Problem(413, "The body is too large, or the list takes too long to judge."),
    "unsupported-media-type": Problem(415, "The format of the body is not supported."),
    "too-many-requests": Problem(429, "You sent too many requests; `Retry-After` says how many seconds to wait."),
    "revision-required": Problem(428, "Name the revision that you change: `If-Match`."),
    "server-error": Problem(500, "Something broke on the server."),
    "no-solver": Problem(501, "The server has no solver for this."),
    "busy": Problem(503, "The server is busy; `Retry-After` says how many seconds to wait."),
    "printing": Problem(503, "The print waits or is being made; ask again after `Retry-After` seconds to get it."),
    "print-too-slow": Problem(503, "The print took too long; a shorter style may not."),
    "print-failed": Problem(503, "The print failed; the log of the server says why."),
    "no-space": Problem(507, "The server has no space left, and stored nothing."),
}
BY_STATUS = {
    400: "bad-request",
    401: "not-signed-in",
    403: "forbidden",
    404: "not-found",
    405: "method-not-allowed",
    406: "not-acceptable",
    409: "refused",
    410: "gone",
    411: "length-required",
    412: "stale",
    413: "too-large",
    415: "unsupported-media-type",
    428: "revision-required",
    429: "too-many-requests",
    500: "server-error",
    501: "no-solver",
    503: "busy",
    507: "no-space",
}
"""The kind of a problem whose code is not a kind itself."""


def build_problem(status: int, detail: str, code: str = "", kind: str = "", **members: Any) -> dict[str, Any]:
    """Return a problem. `code` may be narrower than its kind. Without either, the status decides."""
    kind = kind or (code if code in PROBLEMS else BY_STATUS.get(status, "server-error"))
    return {
        "type": f"/api/v1/problems/#{kind}",
        "title": PROBLEMS[kind].title,
        "status": status,
        "detail": detail,
        "code": code or kind,
        **members,
    }


class ProblemResponse(Response):
    """A problem as the answer of a view."""

    def __init__(
        self,
        status: int,
        detail: str,
        code: str = "",
        kind: str = "",
        *,
        headers: dict[str, str] | None = None,
        **members: Any,
    ) -> None:
        problem = build_problem(status, detail, code, kind, **members)
        super().__init__(problem, status=status, headers=headers, content_type=MEDIA_TYPE)


def describe_exception(error: APIException, status: int) -> dict[str, Any]:
    if isinstance(error, ValidationError):
        errors = error.detail if isinstance(error.detail, dict) else {"": error.detail}
        sentence = next(iter(list_sentences(errors)), "")
        return build_problem(status, sentence, "invalid-fields", errors=errors)
    codes = error.get_codes()
    code = codes if isinstance(codes, str) and codes in PROBLEMS else ""
    return build_problem(status, str(error.detail), code)


def list_sentences(errors: Any, name: str = "") -> list[str]:
    if isinstance(errors, dict):
        return [
            line
            for key, inner in errors.items()
            for line in list_sentences(inner, f"{name}.{key}" if name else str(key))
        ]
    if isinstance(errors, list):
        return [line for inner in errors for line in list_sentences(inner, name)]
    return [f"{name}: {errors}" if name else str(errors)]


def list_wrong_fields(error: msgspec.ValidationError) -> dict[str, list[str]]:
    """Return the sentence of an error by the name of the field that it is about, or by "".

    >>> list_wrong_fields(msgspec.ValidationError("Expected `str`, got `int` - at `$.notes`"))
    {'notes': ['Expected `str`, got `int`']}
    """
    text = str(error)[:LONGEST_REASON]
    place = re.search(r" - at `\$\.?([^`.\[]*)([^`]*)`$", text)
    if place:
        # Inside a field, the place says which part is wrong.
        return {place[1]: [text if place[2] else text[: place.start()]]}
    field = re.search(r"field `([^`]*)`", text)
    return {field[1] if field else "": [text]}


class ProblemSerializer(serializers.Serializer[Any]):
    """An error (RFC 9457)."""

    type = serializers.CharField(help_text="The address of its kind.")
    title = serializers.CharField(help_text="What the kind means.")
    status = serializers.IntegerField()
    detail = serializers.CharField(help_text="What happened and what to do, for people.")
    code = serializers.CharField(help_text="Its kind, or narrower than its kind, for programs.")


class FieldProblemSerializer(ProblemSerializer):
    """An error in fields or parameters."""

    errors = serializers.DictField(required=False, help_text="What is wrong with each, by its name.")  # type: ignore[assignment]  # a field of the answer, not the property


class ProblemKindSerializer(serializers.Serializer[Any]):
    """A kind of error. `type` of a problem is its address."""

    code = serializers.CharField()
    status = serializers.IntegerField()
    title = serializers.CharField()


class ProblemsView(APIView):
    """Every kind of error that the API returns."""

    permission_classes = (AllowAny,)

    @extend_schema(
        operation_id="problems_list",
        summary="Every kind of error",
        parameters=PAGED,
        responses={200: ProblemKindSerializer(many=True), 400: FieldProblemSerializer},
        tags=["problems"],
    )
    def get(self, request: Request) -> Response:
        return answer_page(
            request,
            list(PROBLEMS),
            lambda codes: [{"code": code, **PROBLEMS[code]._asdict()} for code in codes],
            lambda code: code,
        )
