"""Accounts and guests: access, expiry and mails.

A guest's session holds a secret, the database only its hash.
"""

import re
import secrets
from collections.abc import Iterable, MutableMapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, Protocol, TypeVar

from django.apps import apps
from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser, User
from django.core.mail import send_mail
from django.db import transaction
from django.db.models import Max, Q, QuerySet
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import override

from catalogue.models import PackVersion
from roster.models.ownership import ChosenLanguage, Moderated, Owned, Reason, Shared, Visibility
from roster.models.photos import StoredPhoto
from roster.models.verdict_reports import VerdictReport

SESSION_KEY = "guest"
SEEN_KEY = "seen"

_PUBLIC_ID = re.compile(r"[A-Za-z0-9_-]{22}")

T = TypeVar("T", bound=Owned)
S = TypeVar("S", bound=Shared)

AT_ONCE = 200


class SessionLike(Protocol):
    def get(self, key: str, default: Any = None) -> Any: ...
    def __setitem__(self, key: str, value: Any) -> None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Visitor:
    """An account (`user_id`), a guest who stored something (`key`), or neither.

    Staff see things that staff hid, but not private things.
    """

    user_id: int | None = None
    key: str = ""
    is_staff: bool = False

    @property
    def may_own(self) -> bool:
        return self.user_id is not None or bool(self.key)

    @property
    def fields(self) -> dict[str, Any]:
        return {"owner_id": self.user_id} if self.user_id is not None else {"owner_key": self.key}


NOBODY = Visitor()
"""Owner of the examples of packs."""


def identify_visitor(request: HttpRequest) -> Visitor:
    """Return a request's visitor, `NOBODY` for a new guest."""
    if request.user.is_authenticated:
        return Visitor(user_id=request.user.pk, is_staff=request.user.is_staff)
    return Visitor(key=get_guest_key(request.session))


def make_owner(request: HttpRequest) -> Visitor:
    """Return a request's visitor; a new guest gets a secret."""
    if not identify_visitor(request).may_own:
        request.session[SESSION_KEY] = secrets.token_urlsafe(32)
    return identify_visitor(request)


def extend_guest_session(visitor: Visitor, session: SessionLike | MutableMapping[str, Any]) -> None:
    today = timezone.localdate().isoformat()
    if visitor.key and session.get(SEEN_KEY) != today:
        session[SEEN_KEY] = today


def get_guest_key(session: SessionLike | MutableMapping[str, Any]) -> str:
    """Return the guest's key, or "" if nothing was ever stored."""
    secret = session.get(SESSION_KEY)
    # With only a hash, reading rows gives no access to the guest's things.
    return sha256(secret.encode()).hexdigest() if isinstance(secret, str) and secret else ""


def is_owner(visitor: Visitor, thing: Owned) -> bool:
    if visitor.user_id is not None:
        return thing.owner_id == visitor.user_id
    return bool(visitor.key) and thing.owner_key == visitor.key


def may_read(visitor: Visitor, thing: Shared) -> bool:
    if is_owner(visitor, thing):
        return True
    if thing.taken_down and not visitor.is_staff:
        return False
    return thing.visibility != Visibility.PRIVATE


def may_use_data(visitor: Visitor, version: PackVersion) -> bool:
    """Return whether a visitor may build with data; a private game is for its owner only."""
    owner = version.game.owner_id
    return owner is None or owner == visitor.user_id


def filter_readable_data(visitor: Visitor) -> QuerySet[PackVersion]:
    readable = Q(game__owner=None)
    if visitor.user_id is not None:
        readable |= Q(game__owner=visitor.user_id)
    return PackVersion.objects.select_related("game").filter(readable)


def filter_owned(visitor: Visitor, things: QuerySet[T]) -> QuerySet[T]:
    return things.filter(**visitor.fields) if visitor.may_own else things.none()


def match_unowned() -> Q:
    return Q(owner=None, owner_key="")


def find_own(visitor: Visitor, things: QuerySet[S], public_id: str) -> S:
    """Find the visitor's own thing. Raises DoesNotExist."""
    thing = find_thing(things, public_id=public_id)
    if not is_owner(visitor, thing):
        raise things.model.DoesNotExist
    return thing


def find_readable(visitor: Visitor, things: QuerySet[S], link_id: str) -> S:
    """Find a thing that the visitor may read. Raises DoesNotExist."""
    thing = find_thing(things, link_id=link_id)
    if not may_read(visitor, thing):
        raise things.model.DoesNotExist
    return thing


def find_thing(things: QuerySet[S], **address: str) -> S:
    """Find a thing by `public_id` or `link_id`. Raises DoesNotExist."""
    # PostgreSQL rejects some characters, so check the form first.
    if not all(map(is_public_id, address.values())):
        raise things.model.DoesNotExist
    return things.get(**address)


def is_public_id(text: str) -> bool:
    return bool(_PUBLIC_ID.fullmatch(text))


def list_owned_models() -> list[type[Owned]]:
    return [model for model in apps.get_models() if issubclass(model, Owned)]


def list_shared_models() -> list[type[Shared]]:
    return [model for model in list_owned_models() if issubclass(model, Shared)]


def list_photo_models() -> list[type[StoredPhoto]]:
    return [model for model in apps.get_models() if issubclass(model, StoredPhoto)]


def claim_guest_data(session: SessionLike | MutableMapping[str, Any], user_id: int) -> dict[type[Shared], int]:
    """Move the guest's data to an account, end the guest, and return counts by kind."""
    key = get_guest_key(session)
    if not key:
        return {}
    given = _give_things(key, user_id)
    # After signing out, the browser must not own the account's lists.
    session[SESSION_KEY] = ""
    return {model: number for model, number in given.items() if number and issubclass(model, Shared)}


@transaction.atomic
def _give_things(key: str, user_id: int) -> dict[type[Owned], int]:
    return {
        model: model._default_manager.filter(owner_key=key).update(owner_id=user_id, owner_key="")
        for model in list_owned_models()
    }


def is_nothing_new(days: int) -> bool:
    """Return whether nothing changed for `days`, which suggests a wrong clock."""
    newest = [model._default_manager.order_by().aggregate(at=Max("updated"))["at"] for model in list_owned_models()]
    return max(filter(None, newest), default=timezone.now()) < timezone.now() - timedelta(days=max(1, days))


def expire_guests() -> int:
    """Delete things that guests left unchanged for `GUEST_DAYS`; return their number without labels.

    Labels stay while their guest has a list or deck.
    """
    until = timezone.now() - timedelta(days=settings.ARMYBUILDER["GUEST_DAYS"])
    shared = list_shared_models()
    deleted = sum(delete_few_at_a_time(_select_old(model, until)) for model in shared)
    # Folders and tags come second, when the remaining guests are known.
    for model in list_owned_models():
        if model not in shared:
            delete_few_at_a_time(_drop_those_of_owners(_select_old(model, until), shared))
    return deleted


def _drop_those_of_owners(things: QuerySet[Any], shared: Iterable[type[Shared]]) -> QuerySet[Any]:
    for model in shared:
        things = things.exclude(owner_key__in=model._default_manager.values("owner_key"))
    return things


def _select_old(model: type[Owned], until: datetime) -> QuerySet[Any]:
    return model._default_manager.exclude(owner_key="").filter(updated__lt=until)


def delete_few_at_a_time(things: QuerySet[Owned]) -> int:
    deleted = 0
    rows = things.model._default_manager.order_by()
    # A fresh slice each time: deleted rows need no offset.
    while some := list(things.values_list("pk", flat=True)[:AT_ONCE]):
        with transaction.atomic():
            # The lock waits for a running edit, so that its revision is deleted too.
            held = list(rows.select_for_update().filter(pk__in=some).values_list("pk", flat=True))
            things.filter(pk__in=held).delete()
        deleted += len(some)
    return deleted


def get_chosen_language(user: AbstractBaseUser) -> str:
    chosen: ChosenLanguage | None = getattr(user, "chosen_language", None)
    return chosen.code if chosen and chosen.code in dict(settings.LANGUAGES) else ""


def tell_hidden(thing: Moderated) -> None:
    if thing.owner is None:
        return
    given = thing.reports.filter(settled=None).values_list("reason", flat=True).order_by("reason").distinct()
    # In the recipient's language, not the staff's.
    with override(get_chosen_language(thing.owner) or settings.LANGUAGE_CODE):
        reasons = [str(Reason(reason).label) for reason in given]
        _send_mail("hidden", thing.owner.email, name=str(thing), reasons=reasons)


def tell_answered(user: AbstractBaseUser, report: VerdictReport) -> None:
    """Mail a player, in their language, that staff answered a report."""
    with override(get_chosen_language(user) or settings.LANGUAGE_CODE):
        address = f"{settings.SITE_ADDRESS}{reverse('roster:verdict-reports')}"
        _send_mail("answered", getattr(user, "email", ""), report=report, address=address)


def tell_deleted(email: str) -> None:
    _send_mail("deleted", email)


def tell_guessed(user: User, number: int, first: datetime, last: datetime) -> None:
    with override(get_chosen_language(user) or settings.LANGUAGE_CODE):
        address = f"{settings.SITE_ADDRESS}{reverse('account_reset_password')}"
        _send_mail("guessed", user.email, number=number, first=first, last=last, address=address)


def _send_mail(letter: str, email: str, **context: object) -> None:
    if not email:
        return
    subject, _, text = render_to_string(f"roster/mail/{letter}.txt", context).strip().partition("\n")
    subject = settings.ACCOUNT_EMAIL_SUBJECT_PREFIX + " ".join(subject.split())
    send_mail(subject, text.strip() + "\n", None, [email], fail_silently=True)
