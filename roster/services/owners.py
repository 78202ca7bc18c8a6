"""Owners: accounts and guests, who may see a thing, what becomes of it, and letters to owners.

What a guest makes belongs to the browser: its session holds a secret, the database only its hash.
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

from roster.models.ownership import ChosenLanguage, Owned, Reason, Shared, Visibility

SESSION_KEY = "guest"
SEEN_KEY = "seen"

_PUBLIC_ID = re.compile(r"[A-Za-z0-9_-]{22}")

T = TypeVar("T", bound=Owned)
S = TypeVar("S", bound=Shared)

AT_ONCE = 200


class SessionLike(Protocol):
    """What is asked of `request.session`."""

    def get(self, key: str, default: Any = None) -> Any: ...
    def __setitem__(self, key: str, value: Any) -> None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Visitor:
    """Whoever asks: somebody signed in (`user_id`), a guest who keeps something (`key`), or neither.

    One who is neither owns nothing. `is_staff` opens what staff took down, and nothing that is private.
    """

    user_id: int | None = None
    key: str = ""
    is_staff: bool = False

    @property
    def may_own(self) -> bool:
        return self.user_id is not None or bool(self.key)

    @property
    def fields(self) -> dict[str, Any]:
        """What a model that is `Owned` says of a thing of theirs."""
        return {"owner_id": self.user_id} if self.user_id is not None else {"owner_key": self.key}


NOBODY = Visitor()
"""Owns the examples that come with packs."""


def identify_visitor(request: HttpRequest) -> Visitor:
    """Return who sent a request. A guest who never stored anything is `NOBODY`."""
    if request.user.is_authenticated:
        return Visitor(user_id=request.user.pk, is_staff=request.user.is_staff)
    return Visitor(key=get_guest_key(request.session))


def make_owner(request: HttpRequest) -> Visitor:
    """Return who sent a request, able to own: a guest's session gets a secret if it has none. For new things."""
    if not identify_visitor(request).may_own:
        request.session[SESSION_KEY] = secrets.token_urlsafe(32)
    return identify_visitor(request)


def extend_guest_session(visitor: Visitor, session: SessionLike | MutableMapping[str, Any]) -> None:
    """Begin a guest's time anew, once a day: a session that is written lives as long again as a new one."""
    today = timezone.localdate().isoformat()
    if visitor.key and session.get(SEEN_KEY) != today:
        session[SEEN_KEY] = today


def get_guest_key(session: SessionLike | MutableMapping[str, Any]) -> str:
    """Return the key of the session's guest; blank if it never stored anything. A blank key owns nothing."""
    secret = session.get(SESSION_KEY)
    # Rows carry the hash alone: anybody who reads them cannot pass for the guest.
    return sha256(secret.encode()).hexdigest() if isinstance(secret, str) and secret else ""


def is_owner(visitor: Visitor, thing: Owned) -> bool:
    if visitor.user_id is not None:
        return thing.owner_id == visitor.user_id
    return bool(visitor.key) and thing.owner_key == visitor.key


def may_read(visitor: Visitor, thing: Shared) -> bool:
    """Return whether a visitor who has the link may read what is at it."""
    if is_owner(visitor, thing):
        return True
    if thing.taken_down and not visitor.is_staff:
        return False
    return thing.visibility != Visibility.PRIVATE


def filter_owned(visitor: Visitor, things: QuerySet[T]) -> QuerySet[T]:
    """Return those of `things` that are the visitor's own; none for nobody."""
    return things.filter(**visitor.fields) if visitor.may_own else things.none()


def match_unowned() -> Q:
    """Match what belongs to nobody: the examples."""
    return Q(owner=None, owner_key="")


def find_own(visitor: Visitor, things: QuerySet[S], public_id: str) -> S:
    """Return the visitor's own thing at an address; raises DoesNotExist for everybody else."""
    thing = find_thing(things, public_id=public_id)
    if not is_owner(visitor, thing):
        raise things.model.DoesNotExist
    return thing


def find_readable(visitor: Visitor, things: QuerySet[S], link_id: str) -> S:
    """Return the thing at a link, if the visitor may read it; raises DoesNotExist otherwise."""
    thing = find_thing(things, link_id=link_id)
    if not may_read(visitor, thing):
        raise things.model.DoesNotExist
    return thing


def find_thing(things: QuerySet[S], **address: str) -> S:
    """Return the thing at an address, `public_id` or `link_id`, whoever asks; raises DoesNotExist."""
    # Anything else is no address of ours, and PostgreSQL refuses some characters.
    if not all(map(is_public_id, address.values())):
        raise things.model.DoesNotExist
    return things.get(**address)


def is_public_id(text: str) -> bool:
    """Return whether a text has the form of an address; only such a text is ever looked for."""
    return bool(_PUBLIC_ID.fullmatch(text))


def list_owned_models() -> list[type[Owned]]:
    """Return every model whose rows belong to somebody."""
    return [model for model in apps.get_models() if issubclass(model, Owned)]


def list_shared_models() -> list[type[Shared]]:
    """Return every model whose rows have an address of their own, which their owner may share."""
    return [model for model in list_owned_models() if issubclass(model, Shared)]


def claim_guest_data(session: SessionLike | MutableMapping[str, Any], user_id: int) -> dict[type[Shared], int]:
    """Give an account all that the guest of this session made; how many shared things of each kind that were.

    The session is nobody's guest afterwards: who signs out and goes on as a guest starts with nothing.
    """
    key = get_guest_key(session)
    if not key:
        return {}
    given = _give_things(key, user_id)
    # The secret goes too: after signing out, the browser must not own the account's lists as a guest.
    session[SESSION_KEY] = ""
    return {model: number for model, number in given.items() if number and issubclass(model, Shared)}


@transaction.atomic
def _give_things(key: str, user_id: int) -> dict[type[Owned], int]:
    return {
        model: model._default_manager.filter(owner_key=key).update(owner_id=user_id, owner_key="")
        for model in list_owned_models()
    }


def is_nothing_new(days: int) -> bool:
    """Return whether nobody has changed anything for so many days, of those who have anything.

    Then a clock that is ahead is likelier than a site that is so quiet, and nothing is deleted for its age.
    """
    newest = [model._default_manager.order_by().aggregate(at=Max("updated"))["at"] for model in list_owned_models()]
    return max(filter(None, newest), default=timezone.now()) < timezone.now() - timedelta(days=max(1, days))


def expire_guests() -> int:
    """Delete what guests have not changed for longer than the setting says; how many shared things that were.

    What sorts lists stays as long as its guest has any.
    """
    until = timezone.now() - timedelta(days=settings.ARMYBUILDER["GUEST_DAYS"])
    shared = list_shared_models()
    deleted = sum(delete_few_at_a_time(_select_old(model, until)) for model in shared)
    # Folders and the like come second, when it is known which guests still have something to sort.
    for model in list_owned_models():
        if model not in shared:
            delete_few_at_a_time(_drop_those_of_owners(_select_old(model, until), shared))
    return deleted


def _drop_those_of_owners(things: QuerySet[Any], shared: Iterable[type[Shared]]) -> QuerySet[Any]:
    """Drop the things of guests who own something that is shared."""
    for model in shared:
        things = things.exclude(owner_key__in=model._default_manager.values("owner_key"))
    return things


def _select_old(model: type[Owned], until: datetime) -> QuerySet[Any]:
    """Return what guests have not changed since then; a blank key is that of an account."""
    return model._default_manager.exclude(owner_key="").filter(updated__lt=until)


def delete_few_at_a_time(things: QuerySet[Owned]) -> int:
    """Delete things in steps, so that they are never in memory all at once; how many they were.

    Whoever changes one of them at this moment is waited for: what that adds to it goes along.
    """
    deleted = 0
    rows = things.model._default_manager.order_by()
    # A fresh slice each time, because rows go; no offset is needed.
    while some := list(things.values_list("pk", flat=True)[:AT_ONCE]):
        with transaction.atomic():
            # Locking makes an edit that is under way finish first, so that its revision is deleted along.
            held = list(rows.select_for_update().filter(pk__in=some).values_list("pk", flat=True))
            things.filter(pk__in=held).delete()
        deleted += len(some)
    return deleted


def get_chosen_language(user: AbstractBaseUser) -> str:
    """Return the language that a user chose to read in; blank for none, and for one that is offered no more."""
    chosen: ChosenLanguage | None = getattr(user, "chosen_language", None)
    return chosen.code if chosen and chosen.code in dict(settings.LANGUAGES) else ""


def tell_hidden(thing: Shared) -> None:
    """Tell an owner that the staff have hidden a thing, with the reasons given in open reports."""
    if thing.owner is None:
        return
    given = thing.reports.filter(settled=None).values_list("reason", flat=True).order_by("reason").distinct()
    # In the language of who reads it, whatever that of the staff is.
    with override(get_chosen_language(thing.owner) or settings.LANGUAGE_CODE):
        reasons = [str(Reason(reason).label) for reason in given]
        _send_mail("hidden", thing.owner.email, name=str(thing), reasons=reasons)


def tell_deleted(email: str) -> None:
    """Tell the owner that an account is deleted, in case somebody else did that."""
    _send_mail("deleted", email)


def tell_guessed(user: User, number: int, first: datetime, last: datetime) -> None:
    """Tell an owner how many attempts to sign in failed, from when to when, and what to do."""
    with override(get_chosen_language(user) or settings.LANGUAGE_CODE):
        address = f"{settings.SITE_ADDRESS}{reverse('account_reset_password')}"
        _send_mail("guessed", user.email, number=number, first=first, last=last, address=address)


def _send_mail(letter: str, email: str, **context: object) -> None:
    """Send a mail from a template whose first line is the subject."""
    if not email:
        return
    subject, _, text = render_to_string(f"roster/mail/{letter}.txt", context).strip().partition("\n")
    subject = settings.ACCOUNT_EMAIL_SUBJECT_PREFIX + " ".join(subject.split())
    send_mail(subject, text.strip() + "\n", None, [email], fail_silently=True)
