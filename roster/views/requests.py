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
    """Parse plain digits; return None for anything else.

    >>> [parse_whole_number(text) for text in ("12", "-1", "٣", "", "9" * 20)]
    [12, None, None, None, None]
    """
    return int(text) if text.isascii() and text.isdigit() and len(text) <= LONGEST else None


def parse_date(text: str) -> date | None:
    """Parse an ISO date from 1970 to 2200; return None for anything else.

    >>> [parse_date(text) for text in ("2026-03-21", "21.3.2026", "0001-01-01", "9999-12-31")]
    [datetime.date(2026, 3, 21), None, None, None]
    """
    try:
        parsed_day = date.fromisoformat(text)
    except ValueError:
        return None
    return parsed_day if FIRST_YEAR <= parsed_day.year <= LAST_YEAR else None


class OpenStream(Protocol):
    """A response that stays open for news (see `armybuilder.turns`)."""

    def goes_on(self) -> bool:
        """Return whether it may stay open."""

    def close(self) -> None:
        """Release its thread."""


def open_stream(request: HttpRequest) -> OpenStream | None:
    """Return a stream for the response, or None if the process has no room for another."""
    stream: OpenStream | None = request.open_stream()  # type: ignore[attr-defined]  # the middleware sets it
    return stream


def find_own_roster(
    request: HttpRequest, public_id: str, find: Callable[[str, Visitor], Roster] = find_owned_roster
) -> Roster:
    """Find one of the visitor's lists. Raises Http404."""
    try:
        return find(public_id, identify_visitor(request))
    except Roster.DoesNotExist:
        raise Http404 from None


def find_linked_roster(request: HttpRequest, link_id: str) -> Roster:
    """Find a readable list. Raises Http404."""
    try:
        return find_readable_roster(link_id, identify_visitor(request))
    except Roster.DoesNotExist:
        raise Http404 from None


def find_whole_roster(request: HttpRequest, link_id: str) -> Roster:
    """Find a list that the visitor may see completely. Raises Http404."""
    roster = find_linked_roster(request, link_id)
    if is_redacted_for(roster, identify_visitor(request)):
        raise Http404
    return roster
