"""Pages and API answers that are the same for every reader without a session: `docs/adr/0034-kept-public-pages.md`."""

from collections.abc import Callable, Hashable
from typing import Any, NamedTuple, TypeVar

from django.http import HttpRequest

from catalogue.services.published_games import identify_catalogue

View = TypeVar("View", bound=Callable[..., Any])
Identify = Callable[..., Hashable | None]
"""Takes a request and the arguments of its view. Returns the state of the database that the answer follows from, or
None if this answer cannot be kept."""


class PublicView(NamedTuple):
    """What a view says of its answers: how to identify their state, and the headers of a request that they vary by."""

    identify: Identify
    headers: tuple[str, ...] = ()


def keep_public(identify: Identify, *headers: str) -> Callable[[View], View]:
    """Have the answers of a view to readers without a session kept, and revalidated by their content.

    The view may read the address, the language, theme and density of the reader, and `headers`, but nothing else of
    the request. Whatever it reads from the database must change what `identify` returns.
    """

    def decorate(view: View) -> View:
        view.public = PublicView(identify, headers)  # type: ignore[attr-defined]  # read by `find_public_view`
        return view

    return decorate


def find_public_view(view: Callable[..., Any]) -> PublicView | None:
    """Return what a view says of its public answers; None if each of its readers may see something else."""
    public: PublicView | None = getattr(view, "public", None)
    return public


def identify_data(request: HttpRequest, **address: str) -> Hashable:
    """Identify the state of answers that follow from the published data alone."""
    return identify_catalogue()


def identify_nothing(request: HttpRequest, **address: str) -> Hashable:
    """Identify answers that follow from the program alone."""
    return ()
