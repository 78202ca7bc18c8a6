"""Rate limits for what is expensive: judging, reading, printing, looking ahead and storing new things."""

import time
from collections.abc import Mapping
from ipaddress import IPv6Address, ip_address, ip_network

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.core.cache import cache
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest

HOUSEHOLD = (32, 64)
"""How many leading bits of an address of version 4 and 6 are one household's."""
NETWORK = (24, 48)
"""The same for a network that a guesser can easily have all of."""
FORGOTTEN_AFTER = 300
"""Seconds after which the cache in the database forgets a number that was added to, whatever its own time was."""

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
    count = count_in_window(f"rate:{work}:{asker}:{window}", seconds)
    return seconds - passed if count > number else 0


def count_in_window(key: str, seconds: int) -> int:
    """Count one more, and return how many there were in a window, this one included."""
    # Other processes count as well: the first one to come begins the window, and `incr` adds to what is there.
    try:
        if cache.add(key, 1, timeout=seconds):
            return 1
        count: int = cache.incr(key)
        if seconds > FORGOTTEN_AFTER:
            cache.touch(key, seconds)
        return count
    except ValueError:  # gone in between, as the window ended, or the clock was set
        return 0


def identify_asker(request: HttpRequest) -> str:
    """Return whom a request is counted for: an account, or an address as far as it belongs to one household.

    Blank where the server names no address, as behind a socket in the file system: then nobody is counted for others.
    """
    if request.user.is_authenticated:
        return f"account-{request.user.pk}"
    return _identify_address(request, "address", *HOUSEHOLD)


def identify_network(request: HttpRequest) -> str:
    """Return the network that the address of a request is in; blank where there is no address."""
    return _identify_address(request, "network", *NETWORK)


def _identify_address(request: HttpRequest, kind: str, ipv4_bits: int, ipv6_bits: int) -> str:
    try:
        address = ip_address(get_adapter().get_client_ip(request))
    except (PermissionDenied, ValueError):
        return ""
    if isinstance(address, IPv6Address):
        address = address.ipv4_mapped or address
    bits = ipv4_bits if address.version == 4 else ipv6_bits
    return f"{kind}-{ip_network((address, bits), strict=False).network_address}"
