"""Programs that sign people in here by OAuth2: register, allow and withdraw them.

django-oauth-toolkit stores them, with hashes of secrets and tokens only.
"""

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from oauth2_provider.models import AccessToken as AccessGrant
from oauth2_provider.models import Application, Grant, RefreshToken
from oauth2_provider.oauth2_validators import validate_resource_as_url_prefix
from oauth2_provider.scopes import BaseScopes
from oauth2_provider.validators import AllowedURIValidator

from roster.engine.edits import Refused
from roster.models.tokens import TOKEN_NAME_LENGTH, TokenScope
from roster.services.limits import check_text

ACCESS_PREFIX, REFRESH_PREFIX, CLIENT_PREFIX = "abp_", "abr_", "abs_"
"""Mark secrets for people and for scanners of leaked secrets."""
MOST_PROGRAMS = 10
MOST_ADDRESSES = 5
ADDRESS_LENGTH = 300
LOOPBACK = frozenset({"localhost", "127.0.0.1"})
UNUSED_DAYS = settings.PROGRAM_UNUSED_DAYS


class ProgramScopes(BaseScopes):  # type: ignore[misc]  # the library says nothing of its types
    """The scopes of personal tokens. A program that names none may only know who signs in."""

    def get_all_scopes(self) -> dict[str, str]:
        return {scope.value: str(scope.label) for scope in TokenScope}

    def get_available_scopes(
        self, application: Any = None, request: Any = None, *args: Any, **kwargs: Any
    ) -> list[str]:
        return list(TokenScope.values)

    def get_default_scopes(self, application: Any = None, request: Any = None, *args: Any, **kwargs: Any) -> list[str]:
        return []


def generate_access_secret(request: object) -> str:
    return ACCESS_PREFIX + secrets.token_urlsafe(32)


def generate_refresh_secret(request: object) -> str:
    return REFRESH_PREFIX + secrets.token_urlsafe(32)


def register_program(user: User, name: str, addresses: str, *, is_public: bool) -> tuple[Application, str] | Refused:
    """Register a program; return it with its secret, which is not stored and "" for public programs.

    `addresses` are separated by spaces or lines. Refuses `no-label`, `too-long`, `no-program-address`,
    `bad-program-address`, `too-many-addresses` and `too-many-programs`.
    """
    cleaned = check_text(name, TOKEN_NAME_LENGTH)
    if isinstance(cleaned, Refused):
        return cleaned
    if not cleaned:
        return Refused(code="no-label")
    chosen = list(dict.fromkeys(addresses.split()))
    if not chosen:
        return Refused(code="no-program-address")
    if len(chosen) > MOST_ADDRESSES:
        return Refused(code="too-many-addresses", allowed=MOST_ADDRESSES)
    for address in chosen:
        if not _is_redirect_address(address):
            return Refused(code="bad-program-address")
    secret = "" if is_public else CLIENT_PREFIX + secrets.token_urlsafe(32)
    with transaction.atomic():
        # The lock keeps two requests from passing the limit together.
        User.objects.select_for_update().get(pk=user.pk)
        if list_programs(user).count() >= MOST_PROGRAMS:
            return Refused(code="too-many-programs", allowed=MOST_PROGRAMS)
        program = Application.objects.create(
            user=user,
            name=cleaned,
            redirect_uris=" ".join(chosen),
            client_type=Application.CLIENT_PUBLIC if is_public else Application.CLIENT_CONFIDENTIAL,
            authorization_grant_type=Application.GRANT_AUTHORIZATION_CODE,
            # The library hashes it.
            client_secret=secret or secrets.token_urlsafe(32),
        )
    return program, secret


def _is_redirect_address(address: str) -> bool:
    """Allow codes to be sent to https, or to http on the user's own computer."""
    # Browsers read \ as /, and ; and , would end a part of the security policy.
    is_plain = address.isascii() and address.isprintable() and not set(address) & set("*\\;,")
    if len(address) > ADDRESS_LENGTH or not is_plain:
        return False
    try:
        AllowedURIValidator(["https", "http"], "redirect address", allow_path=True, allow_query=True)(address)
        parts = urlsplit(address)
        is_safe = parts.scheme == "https" or parts.hostname in LOOPBACK
        return is_safe and parts.username is None and parts.port != 0
    except (ValidationError, ValueError):
        return False


def list_programs(user: User) -> QuerySet[Application]:
    programs: QuerySet[Application] = Application.objects.filter(user=user).order_by("name", "pk")
    return programs


def delete_program(user: User, program_id: int) -> Application | None:
    """Delete a user's program, if any, with all tokens that people gave it, and return it."""
    program = list_programs(user).filter(pk=program_id).first()
    if program is not None:
        # The instance keeps its name for the message.
        list_programs(user).filter(pk=program_id).delete()
    return program


@dataclass(frozen=True, slots=True)
class AllowedProgram:
    program_id: int
    name: str
    scopes: tuple[str, ...]
    last_used: datetime


def list_allowed_programs(user: User) -> list[AllowedProgram]:
    """List the programs that a user allowed, last used first."""
    since = timezone.now() - timedelta(days=UNUSED_DAYS)
    rows = RefreshToken.objects.filter(user=user, revoked=None, access_token__expires__gt=since).values_list(
        "application_id", "application__name", "access_token__scope", "access_token__updated"
    )
    allowed: dict[int, AllowedProgram] = {}
    for program_id, name, scope, used in rows.order_by("-access_token__updated"):
        before = allowed.get(program_id)
        scopes = {*scope.split(), *(before.scopes if before else ())}
        allowed[program_id] = AllowedProgram(
            program_id,
            name,
            tuple(value for value in TokenScope.values if value in scopes),
            before.last_used if before else used,
        )
    return list(allowed.values())


def withdraw_program(user: User, program_id: int) -> AllowedProgram | None:
    """End a program's access for a user; return None if it had none."""
    allowed = next((program for program in list_allowed_programs(user) if program.program_id == program_id), None)
    if allowed is not None:
        with transaction.atomic():
            for model in (Grant, RefreshToken, AccessGrant):
                model.objects.filter(user=user, application_id=program_id).delete()
    return allowed


@dataclass(frozen=True, slots=True)
class ProgramToken:
    """A program's access token, with the fields of `AccessToken`."""

    pk: int
    user: User
    program_id: int
    scopes: tuple[str, ...]
    expires: datetime
    last_used: datetime
    sites: tuple[str, ...]
    revoked: None = None

    @property
    def is_live(self) -> bool:
        return self.expires > timezone.now()

    @property
    def share(self) -> str:
        """The share of the server that it uses. A new token begins no new share."""
        return f"program-{self.program_id}-{self.user.pk}"


def find_program_token(secret: str) -> ProgramToken | None:
    """Find a live or expired token. Revoked ones are gone."""
    if not settings.ARMYBUILDER["OAUTH"]:
        return None
    checksum = sha256(secret.encode()).hexdigest()
    row = AccessGrant.objects.select_related("user").filter(token_checksum=checksum, user__isnull=False).first()
    if row is None:
        return None
    return ProgramToken(
        row.pk, row.user, row.application_id, tuple(row.scope.split()), row.expires, row.updated, tuple(row.resource)
    )


def is_for_address(token: ProgramToken, address: str) -> bool:
    """Return whether a token may be used at an address; it may be for one site only (RFC 8707)."""
    return bool(validate_resource_as_url_prefix(address, token.sites))


def record_program_use(token: ProgramToken, moment: datetime) -> None:
    # The library writes a row once, so the time of its last change is that of its last use.
    AccessGrant.objects.filter(pk=token.pk).update(updated=moment)
