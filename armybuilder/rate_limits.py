"""Rate limits for what is expensive: judging, reading, printing, looking ahead and storing new things."""

import time
from collections.abc import Mapping
from ipaddress import IPv6Address, ip_address, ip_network

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.core.cache import cache
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest

IPV6_PREFIX = 64
"""Whoever has one address of version 6 has all that begin with so many bits."""

COSTLY: Mapping[str, str] = {
    "roster_api:check": "check",
    "roster_api:read": "check",
    "roster:import": "check",
    "roster:import-shared": "check",
    "events:submit": "check",
    "events:offer": "check",
    "events_api:list": "check",
    "events:upload": "check",
    "events:recheck": "check",
    "events:bring-pairings": "check",
    "roster:restore": "check",
    "roster:outlook": "look-ahead",
    "roster:ways": "look-ahead",
    "roster:new-army": "look-ahead",
    "roster:deck-fill": "look-ahead",
    "roster_api:complete": "solve",
    "roster_api:fill": "solve",
    "roster_api:repair": "solve",
    "roster_api:addable": "solve",
    "roster_api:takeable": "solve",
    "roster_api:roster-complete": "solve",
    "roster_api:roster-fill": "solve",
    "roster_api:roster-repair": "solve",
    "roster_api:roster-addable": "solve",
    "roster:sheet": "print",
    "roster:roster-cards": "print",
    "roster:deck-cards": "print",
    "roster:play-cards": "print",
    "roster:test-sheet": "print",
    "roster:picture": "print",
    "play:mission-deck-cards": "print",
    "play:game-log-pdf": "print",
    "events:print": "print",
    "events:paper": "print",
    "roster:pack": "print",
    "roster:print": "print",
    "roster:backup": "export",
    "roster:account-export": "export",
    "roster:file": "export",
    "play:games-file": "export",
    "play:game-file": "export",
    "events:export": "export",
    "events:export-standings": "export",
    "events_api:export": "export",
    "roster:new": "keep",
    "roster:copy": "keep",
    "play:decks": "keep",
    "play:deck-copy": "keep",
    "play:hands": "keep",
    "play:game-new": "keep",
    "play:game-by-hand": "keep",
    "events:events": "keep",
    "events:copy": "keep",
}
"""The kind of work behind each costly address, by the address's name. How often, says the setting `RATES`.

Quotas bound what one owner keeps; `keep` bounds whoever is a new guest each time.
"""
POSTED = frozenset({"check", "keep"})
"""Work that is asked for by sending something; the page with the form is free."""


def count_request(asker: str, work: str) -> int:
    """Count a request for costly work; return how many seconds to wait for the next turn, 0 where this one is free."""
    number, seconds = settings.ARMYBUILDER["RATES"].get(work, (0, 0))
    if not (number and asker):
        return 0
    window, passed = divmod(int(time.time()), seconds)
    count = _count_in_window(f"rate:{work}:{asker}:{window}", seconds)
    return seconds - passed if count > number else 0


def _count_in_window(key: str, seconds: int) -> int:
    """Count one more, and return how many there were in a window, this one included."""
    # Other processes count as well: the first one to come begins the window, and `incr` adds to what is there.
    try:
        return 1 if cache.add(key, 1, timeout=seconds) else cache.incr(key)
    except ValueError:  # gone in between, as the window ended, or the clock was set
        return 0


def identify_asker(request: HttpRequest) -> str:
    """Return whom a request is counted for: an account, or an address as far as it belongs to one household.

    Blank where the server names no address, as behind a socket in the file system: then nobody is counted for others.
    """
    if request.user.is_authenticated:
        return f"account-{request.user.pk}"
    return identify_address(request)


def identify_address(request: HttpRequest) -> str:
    """Return the address of a request as far as it belongs to one household; blank where there is none."""
    try:
        address = ip_address(get_adapter().get_client_ip(request))
    except (PermissionDenied, ValueError):
        return ""
    if isinstance(address, IPv6Address):
        return f"address-{ip_network((address, IPV6_PREFIX), strict=False).network_address}"
    return f"address-{address}"
