"""Whose it is, and who may see it: an account's, or a guest's.

What a guest makes belongs to the browser: its session holds a secret, the database only its hash.
"""

import re
import secrets
from collections.abc import MutableMapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Protocol, TypeVar

from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone

from roster.models.ownership import Owned, Shared, Visibility

SESSION_KEY = "guest"
SEEN_KEY = "seen"

_PUBLIC_ID = re.compile(r"[A-Za-z0-9_-]{22}")

T = TypeVar("T", bound=Owned)
S = TypeVar("S", bound=Shared)


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
    # Rows carry the hash alone: whoever reads them cannot pass for the guest.
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
    if not all(_PUBLIC_ID.fullmatch(part) for part in address.values()):
        raise things.model.DoesNotExist
    return things.get(**address)
