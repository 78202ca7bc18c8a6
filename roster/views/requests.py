"""What views read from a request: whose list is meant, numbers and dates."""

from collections.abc import Callable
from datetime import date
from typing import Protocol

from django.http import Http404, HttpRequest

from roster.models import Roster
from roster.services.owners import Visitor, identify_visitor
from roster.services.rosters import find_owned_roster, find_readable_roster
from roster.services.sharing import is_redacted_for

LONGEST = 9
LARGEST = 10**LONGEST - 1
FIRST_YEAR, LAST_YEAR = 1970, 2200


def parse_whole_number(text: str) -> int | None:
    """Parse a number of plain digits; None for anything else.

    >>> [parse_whole_number(text) for text in ("12", "-1", "٣", "", "9" * 20)]
    [12, None, None, None, None]
    """
    return int(text) if text.isascii() and text.isdigit() and len(text) <= LONGEST else None


def parse_date(text: str) -> date | None:
    """Parse a day as ISO writes it, of a year that people play in; None for anything else.

    >>> [parse_date(text) for text in ("2026-03-21", "21.3.2026", "0001-01-01", "9999-12-31")]
    [datetime.date(2026, 3, 21), None, None, None]
    """
    try:
        parsed_day = date.fromisoformat(text)
    except ValueError:
        return None
    return parsed_day if FIRST_YEAR <= parsed_day.year <= LAST_YEAR else None


def give_turn_back(request: HttpRequest) -> None:
    """Give back the turn to judge that a request was given, if it still has one (see `armybuilder.turns`)."""
    give_back: Callable[[], None] | None = getattr(request, "give_turn_back", None)
    if give_back:
        give_back()


class OpenStream(Protocol):
    """An answer that stays open for news until it is closed (see `armybuilder.turns`)."""

    def goes_on(self) -> bool:
        """Return whether it may stay open."""

    def close(self) -> None:
        """Give back its thread."""


def open_stream(request: HttpRequest) -> OpenStream | None:
    """Return a stream for the answer to a request, None if the process has no room for one more."""
    stream: OpenStream | None = request.open_stream()  # type: ignore[attr-defined]  # the middleware sets it
    return stream


def find_own_roster(
    request: HttpRequest, public_id: str, find: Callable[[str, Visitor], Roster] = find_owned_roster
) -> Roster:
    """Return a list of this browser; 404 for everybody else's. `find` says how much of it."""
    try:
        return find(public_id, identify_visitor(request))
    except Roster.DoesNotExist:
        raise Http404 from None


def find_linked_roster(request: HttpRequest, link_id: str) -> Roster:
    """Return a list at its link; 404 where there is none that may be seen."""
    try:
        return find_readable_roster(link_id, identify_visitor(request))
    except Roster.DoesNotExist:
        raise Http404 from None


def find_whole_roster(request: HttpRequest, link_id: str) -> Roster:
    """Return a list at its link to somebody who may know all of it; 404 where it is kept secret."""
    roster = find_linked_roster(request, link_id)
    if is_redacted_for(roster, identify_visitor(request)):
        raise Http404
    return roster
