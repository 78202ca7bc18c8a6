"""Whose list it is. A guest's lists belong to the browser: its session holds a secret, the database only its hash."""

import secrets
from collections.abc import MutableMapping
from hashlib import sha256
from typing import Any, Protocol

SESSION_KEY = "guest"


class SessionLike(Protocol):
    """What is asked of `request.session`."""

    def get(self, key: str, default: Any = None) -> Any: ...
    def __setitem__(self, key: str, value: Any) -> None: ...


def owner_of(session: SessionLike | MutableMapping[str, Any]) -> str:
    """The key of the guest this session belongs to; blank where it never kept a list. A blank key owns nothing."""
    secret = session.get(SESSION_KEY)
    return _key(secret) if isinstance(secret, str) and secret else ""


def make_owner(session: SessionLike | MutableMapping[str, Any]) -> str:
    """The key of the guest this session belongs to, given a secret where it has none yet. For the start of a list."""
    if not owner_of(session):
        session[SESSION_KEY] = secrets.token_urlsafe(32)
    return owner_of(session)


def _key(secret: str) -> str:
    return sha256(secret.encode()).hexdigest()
