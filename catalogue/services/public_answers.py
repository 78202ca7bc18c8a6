"""Answers that are the same for all readers without a session: `docs/adr/0034-kept-public-pages.md`."""

from collections.abc import Callable, Hashable
from typing import Any, NamedTuple, TypeVar

from django.http import HttpRequest

from catalogue.services.published_games import identify_catalogue

View = TypeVar("View", bound=Callable[..., Any])
Identify = Callable[..., Hashable | None]
"""Returns the state of the database that a response depends on, or None if it must not be cached."""

Tag = Callable[[HttpRequest, Any], str]


class PublicView(NamedTuple):
    """How to identify a view's data, the request headers that it reads, and the ETag that all its readers get."""

    identify: Identify
    headers: tuple[str, ...] = ()
    tag: Tag | None = None


def keep_public(identify: Identify, *headers: str, tag: Tag | None = None) -> Callable[[View], View]:
    """Cache and revalidate a view's responses to readers without a session.

    The view may only read the address, language, theme, density and `headers` of the request. `identify` must return
    everything that the view reads from the database. If the view gives readers with a session the same ETag, `tag`
    makes it from the state.
    """

    def decorate(view: View) -> View:
        view.public = PublicView(identify, headers, tag)  # type: ignore[attr-defined]  # read by `find_public_view`
        return view

    return decorate


def find_public_view(view: Callable[..., Any]) -> PublicView | None:
    """Return None if readers may see different content."""
    public: PublicView | None = getattr(view, "public", None)
    return public


def identify_data(request: HttpRequest, **address: str) -> Hashable:
    """Identify responses that depend only on published data."""
    return identify_catalogue()


def identify_nothing(request: HttpRequest, **address: str) -> Hashable:
    """Identify responses that depend only on the code."""
    return ()
