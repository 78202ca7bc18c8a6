"""Answers that are the same for all readers without a session: `docs/adr/0034-kept-public-pages.md`."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeVar

from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response

from catalogue.services.edge import CATALOGUE, SECONDS_OF_DATA
from catalogue.services.published_games import identify_catalogue

View = TypeVar("View", bound=Callable[..., Any])
State = Mapping[str, object]
"""What an answer shows of the database, by surrogate key. A change of a value purges its key (`services.edge`)."""
Identify = Callable[..., State | None]
"""Returns the state of the database that a response depends on, or None if it must not be cached."""

Tag = Callable[[HttpRequest, Any], str]


class PublicView(NamedTuple):
    """How to identify a view's data, the request headers that it reads, how long caches may keep its answers, and the
    ETag that all its readers get.
    """

    identify: Identify
    headers: tuple[str, ...]
    edge_seconds: int
    tag: Tag | None


def keep_public(
    identify: Identify, *headers: str, edge_seconds: int = SECONDS_OF_DATA, tag: Tag | None = None
) -> Callable[[View], View]:
    """Cache and revalidate a view's responses to readers without a session.

    The view may only read the address, language, theme, density and `headers` of the request. `identify` must return
    everything that the view reads from the database. Caches in front of the site keep an answer until one of the keys
    of its state is purged, for `edge_seconds` at most. If the view gives readers with a session the same ETag, `tag`
    makes it from the state.
    """

    def decorate(view: View) -> View:
        public = PublicView(identify, headers, edge_seconds, tag)
        view.public = public  # type: ignore[attr-defined]  # read by `find_public_view`
        return view

    return decorate


def find_public_view(view: Callable[..., Any]) -> PublicView | None:
    """Return None if readers may see different content."""
    public: PublicView | None = getattr(view, "public", None)
    return public


def identify_data(request: HttpRequest, **address: str) -> State:
    """Identify responses that depend only on published data."""
    return {CATALOGUE: identify_catalogue()}


def identify_nothing(request: HttpRequest, **address: str) -> State:
    """Identify responses that depend only on the code."""
    return {}


def confirm_tag(request: HttpRequest, tag: str) -> HttpResponse | None:
    """Return a 304 with the ETag (RFC 9110, 15.4.5) if the reader's copy has it, or None."""
    unchanged: HttpResponse | None = get_conditional_response(request, etag=tag)
    if unchanged is not None:
        unchanged["ETag"] = tag
    return unchanged
