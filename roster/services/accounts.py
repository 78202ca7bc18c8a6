import json
import zipfile
from collections.abc import Callable, Iterable
from typing import IO, Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.contrib.auth.models import User
from django.core.serializers.json import DjangoJSONEncoder
from django.db import IntegrityError, transaction
from django.db.models import CASCADE, Model, QuerySet

from catalogue.models import GameSystem
from catalogue.services.own_games import delete_own_games
from catalogue.services.published_games import select_own_games
from roster.engine.edits import Refused
from roster.models import ChosenLanguage, PlayerName, PublicDomainConsent, Roster, RosterRevision
from roster.models.ownership import PLAYER_NAME_LENGTH, Owned, Shared
from roster.models.roster import HistoryArchiveError
from roster.services.limits import check_text
from roster.services.owners import (
    delete_few_at_a_time,
    get_chosen_language,
    list_owned_models,
    list_photo_models,
    list_shared_models,
    tell_deleted,
)
from roster.services.photos import list_files
from roster.services.programs import list_allowed_programs, list_programs
from roster.services.tokens import list_tokens
from roster.services.webhooks import list_webhooks

HIDDEN_COLUMNS = frozenset({"owner_key", "archive", "archived_to"})
"""Internal columns that mean nothing to the account's owner."""


ListHeld = Callable[[User], Iterable[QuerySet[Any]]]
_LISTED: list[ListHeld] = []


def register_held(list_held: ListHeld) -> None:
    """Register rows for account exports that no owned model holds."""
    _LISTED.append(list_held)


def set_player_name(user: User, text: str) -> str | Refused:
    """Set or, with "", clear a public name. Refuses `too-long` and `name-taken`."""
    name = check_text(text, PLAYER_NAME_LENGTH)
    if isinstance(name, Refused):
        return name
    if not name:
        PlayerName.objects.filter(user=user).delete()
        return name
    try:
        with transaction.atomic():
            PlayerName.objects.update_or_create(user=user, defaults={"name": name})
    except IntegrityError:
        return Refused(code="name-taken")
    return name


def get_player_name(user: User) -> str:
    named: PlayerName | None = getattr(user, "player_name", None)
    return named.name if named else ""


def set_language(user: User, code: str) -> None:
    ChosenLanguage.objects.update_or_create(user=user, defaults={"code": code})


def has_consented(user: User) -> bool:
    return PublicDomainConsent.objects.filter(user=user).exists()


def set_consent(user: User, *, agrees: bool) -> None:
    if agrees:
        PublicDomainConsent.objects.get_or_create(user=user)
    else:
        PublicDomainConsent.objects.filter(user=user).delete()


def export_account_data(user: User, file: IO[bytes]) -> None:
    """Write a zip of `account.json`, photos, and JSON Lines for each owned model and registered rows.

    A step whose archive is lost has no document. Raises HistoryArchiveError if the storage does not answer.
    """
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("account.json", _dump_json(_describe_account(user), indent=1))
        for model in list_owned_models():
            _write_all(archive, model._default_manager.filter(owner_id=user.pk).order_by("pk"))
        for list_held in _LISTED:
            for rows in list_held(user):
                _write_rows(archive, rows.order_by("pk"))
        for photo_model in list_photo_models():
            photos = photo_model._default_manager.filter(**{photo_model.owner_path: user.pk}).order_by("pk")
            for name, content in list_files(photos.iterator()):
                # Photos are compressed already.
                archive.writestr(name, content, zipfile.ZIP_STORED)


def count_held(user: User) -> dict[type[Shared], int]:
    numbers = {model: model._default_manager.filter(owner_id=user.pk).count() for model in list_shared_models()}
    return {model: number for model, number in numbers.items() if number}


def delete_account(user: User) -> None:
    email = user.email
    for model in list_owned_models():
        delete_few_at_a_time(model._default_manager.filter(owner_id=user.pk))
    delete_own_games(user.pk)
    user.delete()
    tell_deleted(email)


def _describe_account(user: User) -> dict[str, Any]:
    factors = Authenticator.objects.filter(user=user).values("type", "created_at", "last_used_at")
    return {
        "email": user.email,
        "addresses": list(EmailAddress.objects.filter(user=user).values("email", "verified", "primary")),
        "user_name": user.username,
        "player_name": get_player_name(user),
        "language": get_chosen_language(user),
        "first_name": user.first_name,
        "last_name": user.last_name,
        "joined": user.date_joined,
        "private_games": [str(game) for game in select_own_games(user.pk)],
        "last_signed_in": user.last_login,
        "second_factors": list(factors),
        "tokens": list(list_tokens(user).values("name", "scopes", "created", "expires", "last_used", "revoked")),
        "programs": list(list_programs(user).values("name", "client_id", "redirect_uris", "client_type", "created")),
        "allowed_programs": [
            {"name": program.name, "scopes": program.scopes, "last_used": program.last_used}
            for program in list_allowed_programs(user)
        ],
        "webhooks": list(list_webhooks(user).values("address", "topics", "created")),
        "lists_in_public_domain": has_consented(user),
        "sites": list(SocialAccount.objects.filter(user=user).values("provider", "uid", "extra_data")),
    }


def _write_all(archive: zipfile.ZipFile, rows: QuerySet[Any]) -> None:
    _write_rows(archive, rows)
    for relation in rows.model._meta.related_objects:
        # Owned models have separate files.
        if relation.on_delete is CASCADE and not issubclass(relation.related_model, Owned):
            parts = relation.related_model._default_manager.filter(**{f"{relation.field.name}__in": rows})
            is_history = relation.related_model is RosterRevision
            _write_all(archive, parts.order_by("roster", "number") if is_history else parts.order_by("pk"))


def _write_rows(archive: zipfile.ZipFile, rows: QuerySet[Any]) -> None:
    name = f"{rows.model._meta.verbose_name_plural}.jsonl".replace(" ", "_")
    several = [field.name for field in rows.model._meta.many_to_many]
    with archive.open(name, "w") as lines:
        roster: Roster | None = None
        # The histories of an account may be larger than memory.
        for row in rows.prefetch_related(*several).iterator(chunk_size=100):
            if isinstance(row, RosterRevision):
                # Revisions of one list share its object, which caches what they differ from, and the archive.
                if roster is None or roster.pk != row.roster_id:
                    roster = row.roster
                row.roster = roster
            lines.write(_dump_json(_serialize_row(row)).encode() + b"\n")


def _serialize_row(row: Model) -> dict[str, Any]:
    packed = RosterRevision.CONTENT if isinstance(row, RosterRevision) else ()
    # `secret_columns` holds what another player keeps secret, such as a hand of cards.
    left_out = {*HIDDEN_COLUMNS, *packed, *getattr(row, "secret_columns", ())}
    fields = [field for field in row._meta.concrete_fields if field.attname not in left_out]
    # Column names stay the same if fields are renamed in code.
    written = {field.db_column or field.attname: field.value_from_object(row) for field in fields}
    for several in row._meta.many_to_many:
        others = getattr(row, several.name).all()
        written[several.name] = [other.slug if isinstance(other, GameSystem) else other.pk for other in others]
    if isinstance(row, RosterRevision):
        try:
            written["document"] = row.document
        except HistoryArchiveError as error:
            if error.code != "lost-step":
                raise
            # The rest of the account must not be lost, too.
            written["document"] = None
    return written


def _dump_json(value: Any, indent: int | None = None) -> str:
    return json.dumps(value, cls=DjangoJSONEncoder, ensure_ascii=False, indent=indent)
