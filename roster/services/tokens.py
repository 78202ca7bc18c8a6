import secrets
from collections.abc import Collection
from datetime import timedelta
from functools import cache
from hashlib import sha256
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone

from roster.engine.edits import Refused
from roster.models.tokens import TOKEN_NAME_LENGTH, AccessToken, TokenScope
from roster.services.limits import check_text
from roster.services.programs import ACCESS_PREFIX, ProgramToken, find_program_token, record_program_use

PREFIX = "ab_"
"""Marks our tokens for people and for scanners of leaked secrets."""
LIVE_AT_ONCE = 10
"""Live tokens of an account: each has its own share of the server."""
LIFETIMES = (30, 90, 365)
"""Days."""
KEPT_DAYS = 90
"""Days that an ended token stays in its owner's list."""
RIGHTS = ("is_superuser", "is_staff", "is_active")
"""What every request by token asks of its account, in the order of the columns."""
USED_AGAIN = timedelta(minutes=1)
"""The last use is stored this often, so that reading costs no write."""


def create_token(user: User, name: str, scopes: Collection[str], days: int) -> tuple[AccessToken, str] | Refused:
    """Create a token and return it with its secret, which is not stored.

    Refuses `no-label`, `too-long`, `no-scope`, `no-lifetime`, `token-name-taken` and `too-many-tokens`.
    """
    cleaned = check_text(name, TOKEN_NAME_LENGTH)
    if isinstance(cleaned, Refused):
        return cleaned
    if not cleaned:
        return Refused(code="no-label")
    chosen = [scope for scope in TokenScope.values if scope in scopes]
    if not chosen or len(chosen) != len(set(scopes)):
        return Refused(code="no-scope")
    if days not in LIFETIMES:
        return Refused(code="no-lifetime")
    now = timezone.now()
    with transaction.atomic():
        # The lock keeps two requests from passing the limit together.
        User.objects.select_for_update().get(pk=user.pk)
        user_tokens = AccessToken.objects.filter(user=user)
        user_tokens.filter(_match_ended(now - timedelta(days=KEPT_DAYS))).delete()
        live_names = list(user_tokens.exclude(_match_ended(now)).values_list("name", flat=True))
        if cleaned in live_names:
            return Refused(code="token-name-taken")
        if len(live_names) >= LIVE_AT_ONCE:
            return Refused(code="too-many-tokens", allowed=LIVE_AT_ONCE)
        secret = PREFIX + secrets.token_urlsafe(32)
        token = AccessToken.objects.create(
            user=user, name=cleaned, token_hash=_hash(secret), scopes=chosen, expires=now + timedelta(days=days)
        )
    return token, secret


def _match_ended(moment: object) -> Q:
    return Q(expires__lte=moment) | Q(revoked__isnull=False, revoked__lte=moment)


def list_tokens(user: User) -> QuerySet[AccessToken]:
    return AccessToken.objects.filter(user=user)


def read_bearer(request: HttpRequest) -> str:
    kind, _, secret = request.headers.get("Authorization", "").partition(" ")
    return secret.strip() if kind.lower() == "bearer" else ""


def find_sent_token(request: HttpRequest) -> AccessToken | ProgramToken | None:
    """Find the live or ended token that a request sends, with one query for each request."""
    if not hasattr(request, "access_token"):
        request.access_token = find_token(read_bearer(request))  # type: ignore[attr-defined]  # read here and for limits
    token: AccessToken | ProgramToken | None = request.access_token  # type: ignore[attr-defined]  # set above
    return token


def find_token(secret: str) -> AccessToken | ProgramToken | None:
    """Find live and ended tokens, of accounts and of programs that accounts allowed."""
    if secret.startswith(ACCESS_PREFIX):
        return find_program_token(secret)
    if not secret.startswith(PREFIX):
        return None
    rows: list[Any] = list(AccessToken.objects.raw(_compose_token(), [_hash(secret)]))
    for token in rows:
        rights = [bool(getattr(token, f"user_{name}")) for name in RIGHTS]
        # Its other fields are loaded when a view reads them.
        token.user = User.from_db(token._state.db, ["id", *RIGHTS], [token.user_id, *rights])
    return rows[0] if rows else None


@cache
def _compose_token() -> str:
    """Compile the query once, because every request of a program runs it."""
    columns = [field.attname for field in AccessToken._meta.concrete_fields]
    rights = {f"user_{name}": F(f"user__{name}") for name in RIGHTS}
    rows = AccessToken.objects.order_by().filter(token_hash="").values(*columns, **rights)
    sql, _parameters = rows.query.sql_with_params()
    return str(sql)


def record_use(token: AccessToken | ProgramToken) -> None:
    now = timezone.now()
    if token.last_used is not None and now - token.last_used < USED_AGAIN:
        return
    if isinstance(token, ProgramToken):
        record_program_use(token, now)
    else:
        AccessToken.objects.filter(pk=token.pk).update(last_used=now)
        token.last_used = now


def revoke_token(user: User, token_id: int) -> AccessToken | None:
    """Revoke a user's token for good; return None if there is none."""
    token = list_tokens(user).filter(pk=token_id).first()
    if token is not None and token.is_live:
        token.revoked = timezone.now()
        token.save(update_fields=["revoked"])
    return token


def _hash(secret: str) -> str:
    # 256 random bits need no slow hash.
    return sha256(secret.encode()).hexdigest()
