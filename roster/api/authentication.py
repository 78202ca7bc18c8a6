"""Sign programs in by their tokens, and hold each request to the scopes of its token."""

from typing import TYPE_CHECKING, Any

from django.contrib.auth.models import User
from django.http import HttpRequest
from django.utils.translation import gettext as _
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed, PermissionDenied
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request

from roster.models.tokens import AccessToken, TokenScope
from roster.services.programs import ACCESS_PREFIX, ProgramToken, is_for_address
from roster.services.tokens import PREFIX, find_sent_token, record_use

if TYPE_CHECKING:  # settings name this module, and views read the settings as they load
    from rest_framework.views import APIView

REALM = 'Bearer realm="Armybuilder"'


class ScopeMissing(PermissionDenied):
    """The token may not do this. The header names the missing scope (RFC 6750)."""

    default_code = "scope-missing"

    def __init__(self, scope: TokenScope) -> None:
        super().__init__(
            _("This token may not do that: it needs the scope “%(scope)s”. Create a token that has it.")
            % {"scope": scope.value}
        )
        self.auth_header = f'{REALM}, error="insufficient_scope", scope="{scope.value}"'


class TokenAuthentication(BaseAuthentication):
    """Accept `Authorization: Bearer` with a personal token or the token of an allowed program.

    Other requests are left to the session.

    The middleware looks the token up first, because limits count per token.
    """

    def authenticate(self, request: HttpRequest | Request) -> tuple[User, AccessToken | ProgramToken] | None:
        kind = request.headers.get("Authorization", "").partition(" ")[0].lower()
        if kind == "token" or kind.startswith((PREFIX, ACCESS_PREFIX)):
            raise AuthenticationFailed(_("Write “Authorization: Bearer” before the token."), code="bad-scheme")
        if kind != "bearer":
            return None
        token = find_sent_token(request)
        is_elsewhere = isinstance(token, ProgramToken) and not is_for_address(
            token, request.build_absolute_uri(request.path)
        )
        if token is None or is_elsewhere:
            raise AuthenticationFailed(_("There is no such token here."), code="token-unknown")
        if token.revoked is not None:
            raise AuthenticationFailed(_("This token was revoked."), code="token-revoked")
        if not token.is_live and isinstance(token, ProgramToken):
            raise AuthenticationFailed(_("This token has expired. Refresh it."), code="token-expired")
        if not token.is_live:
            raise AuthenticationFailed(_("This token has expired. Create a new one."), code="token-expired")
        if not token.user.is_active:
            raise AuthenticationFailed(_("The account of this token is closed."), code="account-closed")
        record_use(token)
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        return f'{REALM}, error="invalid_token"' if request.headers.get("Authorization") else REALM


class HasScope(BasePermission):
    """Allow a token only what its scopes permit. Sessions and strangers pass: views check what they may see.

    A view's `scopes` maps methods to scopes. If a method to read has none, any token may use it, as any stranger may.
    """

    def has_permission(self, request: Request, view: "APIView") -> bool:
        token = request.auth
        if isinstance(token, AccessToken | ProgramToken):
            scope = find_scope(view, request.method or "")
            if scope is not None and scope not in token.scopes:
                raise ScopeMissing(scope)
        return True


def find_token_to_read(request: HttpRequest, view: Any) -> AccessToken | ProgramToken | None:
    """Return the token of a request if it may read a view of the API. The use of a live token is recorded."""
    try:
        signed_in = TokenAuthentication().authenticate(request)
    except AuthenticationFailed:
        return None
    token = signed_in[1] if signed_in else None
    return token if token and find_scope(view.cls, "GET") in (None, *token.scopes) else None


def find_scope(view: Any, method: str) -> TokenScope | None:
    """Return the scope that a token needs for a method of a view (or its class), or None."""
    scopes: dict[str, str] = getattr(view, "scopes", {})
    scope = scopes.get("GET" if method == "HEAD" else method, None if method in SAFE_METHODS else TokenScope.WRITE)
    return TokenScope(scope) if scope else None
