"""What one asker may have this server do: how often some things, and how much processor time in a minute."""

import logging
import threading
import time
from collections import defaultdict
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

COUNTED: Mapping[str, str] = {
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
"""What is counted at some addresses, by the address's name. The setting `RATES` says how often each may be asked for.

Quotas bound what one owner keeps; `keep` bounds a browser that is a new guest each time. Judging is not counted: it is
bounded by turns and by the processor time it takes.
"""
_LONG = (
    "roster_api:check",
    "roster_api:read",
    "roster_api:complete",
    "roster_api:fill",
    "roster_api:repair",
    "roster_api:addable",
    "roster_api:takeable",
    "roster_api:roster-complete",
    "roster_api:roster-fill",
    "roster_api:roster-repair",
    "roster_api:roster-addable",
    "roster:import",
    "roster:import-shared",
    "roster:restore",
    "roster:deeds",
    "roster:outlook",
    "roster:ways",
    "roster:new-army",
    "roster:deck-fill",
    "events:submit",
    "events_api:list",
    "events:upload",
    "events:recheck",
)
_QUICK = (
    "roster:builder",
    "roster:edits",
    "roster:datasheet",
    "roster:allies",
    "roster:plan",
    "roster:deck",
    "roster:history",
    "roster:compare",
    "roster:data",
    "roster:choose",
    "roster:sharing",
    "roster:new",
    "roster:copy",
    "roster:bulk",
    "roster:compare-lists",
    "roster:texts",
    "roster:link",
    "roster:text",
    "roster:file",
    "roster:picture",
    "roster:roster-cards",
    "roster:pack-form",
    "roster:pack",
    "roster_api:roster",
    "roster_api:roster-text",
    "roster_api:roster-allies",
    "play:game-new",
    "play:game",
    "play:game-link",
    "events:list",
    "events:report",
    "events:bulk",
    "events:acts",
)
JUDGED: Mapping[str, bool] = dict.fromkeys(_LONG, True) | dict.fromkeys(_QUICK, False)
"""The addresses that judge lists, each with whether it may take seconds; see `armybuilder.turns`."""
POSTED = frozenset(
    {name for name, kind in COUNTED.items() if kind == "keep"}
    | {"roster:import", "roster:import-shared", "roster:restore", "events:submit", "events:upload", "events:recheck"}
    | {"events:report", "events:bulk", "events:acts", "roster:bulk", "roster:history"}
)
"""Where only what is sent costs something; the page with the form is free."""
UNCHARGED = frozenset({name for name, kind in COUNTED.items() if kind == "print"} | {"catalogue:job"})
"""Where processor time is not charged: prints have a line of their own, and jobs were taken on when they were begun."""
MINUTE = 60
SHARED_AT = 0.25
"""After so many seconds of processor time a process tells the others what an asker used."""

_log = logging.getLogger(__name__)


def count_request(asker: str, work: str) -> int:
    """Count a request for costly work; return how many seconds to wait for the next turn, 0 where this one is free."""
    number, seconds = settings.ARMYBUILDER["RATES"].get(work, (0, 0))
    if not (number and asker):
        return 0
    window, passed = divmod(int(time.time()), seconds)
    count = count_in_window(f"rate:{work}:{asker}:{window}", seconds)
    return seconds - passed if count > number else 0


def count_in_window(key: str, seconds: int, number: int = 1) -> int:
    """Count `number` more, and return how many there were in a window, these included."""
    # Other processes count as well: the first one to come begins the window, and `incr` adds to what is there.
    try:
        if cache.add(key, number, timeout=seconds):
            return number
        count: int = cache.incr(key, number)
        if seconds > FORGOTTEN_AFTER:
            cache.touch(key, seconds)
        return count
    except ValueError:  # gone in between, as the window ended, or the clock was set
        return 0


class ProcessorTime:
    """The processor seconds that askers used in the current minute, here and, as far as is known, in other processes.

    A process adds what it gathered to the shared cache, a quarter of a second at a time, and learns the sum by that.
    So an ordinary page costs no query.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._minute = -1
        self._used: dict[str, float] = defaultdict(float)
        self._unshared: dict[str, float] = defaultdict(float)
        self._refused: set[str] = set()

    def charge(self, asker: str, seconds: float) -> None:
        """Add to what somebody used. A blank asker is charged nothing."""
        most = settings.ARMYBUILDER["PROCESSOR_SECONDS"]
        if not (most and asker):
            return
        with self._lock:
            minute = self._begin_minute()
            self._used[asker] += seconds
            self._unshared[asker] += seconds
            shared = self._unshared.pop(asker) if self._unshared[asker] >= SHARED_AT else 0.0
        total = self._share(asker, minute, shared) if shared else 0.0
        with self._lock:
            if minute == self._begin_minute():
                self._used[asker] = max(self._used[asker], total)
                if self._used[asker] >= most:
                    self._refused.add(asker)

    def _share(self, asker: str, minute: int, seconds: float) -> float:
        """Add to what all processes know, and return it; 0 if there is no telling."""
        try:
            return count_in_window(f"processor:{asker}:{minute}", MINUTE, round(seconds * 1000)) / 1000
        except Exception:
            # The answer is made already. Trouble with the cache must not turn it into an error page.
            _log.warning("The processor time of an asker was not added to the shared cache.", exc_info=True)
            return 0.0

    def is_anybody_refused(self) -> bool:
        """Return whether there is anybody to be refused; if not, nobody has to be identified."""
        with self._lock:
            self._begin_minute()
            return bool(self._refused)

    def find_wait(self, asker: str) -> int:
        """Return in how many seconds somebody may ask again; 0 if now."""
        with self._lock:
            self._begin_minute()
            return MINUTE - int(time.time()) % MINUTE if asker in self._refused else 0

    def _begin_minute(self) -> int:
        """Return the current minute; what was used in another one is forgotten, also after the clock was set."""
        minute = int(time.time()) // MINUTE
        if minute != self._minute:
            self._minute = minute
            self._used.clear()
            self._unshared.clear()
            self._refused.clear()
        return minute


processor_time = ProcessorTime()


def identify_asker(request: HttpRequest) -> str:
    """Return whom a request is counted for: an account, or an address as far as it belongs to one household.

    Blank where the server names no address, as behind a socket in the file system: then nobody is counted for others.
    """
    # Without the cookie there is nobody to look for, and the answer does not vary by it.
    if settings.SESSION_COOKIE_NAME in request.COOKIES and request.user.is_authenticated:
        return f"account-{request.user.pk}"
    return identify_address(request)


def identify_address(request: HttpRequest) -> str:
    """Return the household that the address of a request is in; blank if there is no address."""
    return _mask_address(request, "address", *HOUSEHOLD)


def identify_network(request: HttpRequest) -> str:
    """Return the network that the address of a request is in; blank if there is no address."""
    return _mask_address(request, "network", *NETWORK)


def _mask_address(request: HttpRequest, kind: str, ipv4_bits: int, ipv6_bits: int) -> str:
    try:
        address = ip_address(get_adapter().get_client_ip(request))
    except (PermissionDenied, ValueError):
        return ""
    if isinstance(address, IPv6Address):
        address = address.ipv4_mapped or address
    bits = ipv4_bits if address.version == 4 else ipv6_bits
    return f"{kind}-{ip_network((address, bits), strict=False).network_address}"
