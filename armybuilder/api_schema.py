import re
from typing import Any

from django.conf import settings
from django.http import HttpResponse
from django.urls import ResolverMatch, resolve
from django.utils import translation
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView
from rest_framework.request import Request
from rest_framework.views import APIView

from armybuilder.rate_limits import JUDGED
from catalogue.api.problems import MEDIA_TYPE
from catalogue.services.lru import Lru
from roster.api.authentication import find_scope
from roster.models.tokens import TokenScope

VERSION = "/api/v1/"
PROBLEM = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
_RETRY = {"headers": {"Retry-After": {"schema": {"type": "integer"}, "required": True}}, "content": PROBLEM}
TOO_MUCH = {
    "description": "You asked too often, have too many requests at once, or have used up the processor time of a "
    "minute. `Retry-After` says how many seconds to wait.",
    **_RETRY,
}
BUSY = {"description": "Others are being served. `Retry-After` says how many seconds to wait.", **_RETRY}
NOT_FOUND = {"description": "There is nothing at this address.", "content": PROBLEM}
UNKNOWN = {
    "description": "The token is unknown, revoked or expired, or the request needs an account and has none.",
    "headers": {"WWW-Authenticate": {"schema": {"type": "string"}, "required": True}},
    "content": PROBLEM,
}
TOO_LARGE = {"description": "The body is larger than the limit.", "content": PROBLEM}


DESCRIPTIONS_KEPT = 12
"""Four formats in three languages."""

_descriptions: Lru[tuple[str, str], str | bytes] = Lru(DESCRIPTIONS_KEPT)


class SchemaView(APIView):
    """The API description, built once per process, format and language."""

    renderer_classes = SpectacularAPIView.renderer_classes
    authentication_classes = ()
    permission_classes = ()

    @extend_schema(exclude=True)
    def get(self, request: Request) -> HttpResponse:
        choice = request.query_params.get("lang", "")
        language = choice if choice in dict(settings.LANGUAGES) else translation.get_language()
        renderer = request.accepted_renderer
        charset = f"; charset={renderer.charset}" if renderer.charset else ""

        def build() -> str | bytes:
            with translation.override(language):
                generator = SchemaGenerator()  # type: ignore[no-untyped-call]  # the library has no types here
                return renderer.render(generator.get_schema(request=None, public=True))  # type: ignore[no-untyped-call]  # as above

        return HttpResponse(
            _descriptions.get((renderer.media_type, language), build),
            content_type=renderer.media_type + charset,
            headers={"Content-Disposition": f'inline; filename="Armybuilder.{renderer.format}"'},
        )


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # the library has no types here
    target_class = "roster.api.authentication.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {
            "type": "http",
            "scheme": "bearer",
            "description": "A personal token from the page “Tokens” of your account.",
        }


def select_versioned(endpoints: list[tuple[str, str, str, Any]]) -> list[tuple[str, str, str, Any]]:
    """Exclude unversioned addresses, which new programs should not use."""
    return [endpoint for endpoint in endpoints if endpoint[0].startswith(VERSION)]


def _resolve_example(path: str) -> ResolverMatch:
    # Parameters of every kind may be 1.
    return resolve(re.sub(r"{\w+}", "1", path))


def describe_limits(result: dict[str, Any], generator: Any, request: Any, public: bool) -> dict[str, Any]:
    """Add the 429 response everywhere, and 503 to views that evaluate lists."""
    for path, operations in result["paths"].items():
        match = _resolve_example(path)
        for operation in operations.values():
            operation["responses"]["429"] = TOO_MUCH
            if f"{match.app_name}:{match.url_name}" in JUDGED:
                operation["responses"]["503"] = BUSY
    return result


def describe_scope(scope: TokenScope) -> dict[str, Any]:
    return {"description": f"The token lacks the scope `{scope.value}`.", "content": PROBLEM}


def describe_refusals(result: dict[str, Any], generator: Any, request: Any, public: bool) -> dict[str, Any]:
    for path, operations in result["paths"].items():
        view = _resolve_example(path).func
        for method, operation in operations.items():
            operation["responses"].setdefault("401", UNKNOWN)
            # Requests without a token are allowed, too.
            operation["security"] = [*(one for one in operation.get("security", ()) if one), {}]
            if scope := find_scope(view.cls, method.upper()):  # type: ignore[attr-defined]  # each is a view of the API
                operation["responses"].setdefault("403", describe_scope(scope))
            if "{" in path:
                operation["responses"].setdefault("404", NOT_FOUND)
            if "requestBody" in operation:
                operation["responses"].setdefault("413", TOO_LARGE)
            for code, described in operation["responses"].items():
                content = described.get("content", {})
                if code >= "400" and "application/json" in content:
                    content[MEDIA_TYPE] = content.pop("application/json")
    return result
