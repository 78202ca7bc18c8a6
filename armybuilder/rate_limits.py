"""How often anybody may ask for what costs much: judging, reading, printing, and looking ahead."""

import time
from collections.abc import Callable, Mapping
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Any

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse

from armybuilder.errors import refuse_hasty_request

IPV6_PREFIX = 64
"""Whoever has one address of version 6 has all that begin with so many bits."""

COSTLY: Mapping[str, str] = {
    "roster_api:check": "check",
    "roster_api:read": "check",
    "roster:import": "check",
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
    "roster:pack": "print",
    "roster:print": "print",
    "roster:backup": "export",
    "roster:account-export": "export",
    "roster:file": "export",
}
"""The kind of work behind each costly address, by the address's name. How often, says the setting `RATES`."""
POSTED = frozenset({"check"})
"""Work that is asked for by sending something; the page with the form is free."""


class RateLimitMiddleware:
    """Answer 429 with `Retry-After` to whoever asks for costly work too often.

    An account is counted by itself, wherever it signs in from, so that nobody else can use up its turns; others are
    counted by address. Counters live in the cache, which all processes share where they share the cache.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: Any) -> HttpResponse | None:
        match = request.resolver_match
        work = COSTLY.get(f"{match.app_name}:{match.url_name}") if match else None
        if work is None or (work in POSTED and request.method != "POST"):
            return None
        seconds = count_request(identify_asker(request), work)
        return refuse_hasty_request(request, seconds) if seconds else None


def count_request(asker: str, work: str) -> int:
    """Count a request for costly work; return how many seconds to wait for the next turn, 0 where this one is free."""
    number, seconds = settings.ARMYBUILDER["RATES"].get(work, (0, 0))
    if not number:
        return 0
    window, passed = divmod(int(time.time()), seconds)
    key = f"rate:{work}:{asker}:{window}"
    # Other processes count as well: the first one to come begins the window, and `incr` adds to what is there.
    count = 1 if cache.add(key, 1, timeout=seconds) else cache.incr(key)
    return seconds - passed if count > number else 0


def identify_asker(request: HttpRequest) -> str:
    """Return whom a request is counted for: an account, or an address as far as it belongs to one household."""
    if request.user.is_authenticated:
        return f"account-{request.user.pk}"
    address = ip_address(get_adapter().get_client_ip(request))
    if isinstance(address, IPv6Address):
        return f"address-{ip_network((address, IPV6_PREFIX), strict=False).network_address}"
    return f"address-{address}"
