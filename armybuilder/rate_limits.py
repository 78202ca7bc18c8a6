"""Limit each client's costly requests and processor time per minute."""

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
from django.http.response import HttpResponseBase

from roster.models.tokens import AccessToken
from roster.services.programs import ProgramToken

HOUSEHOLD = (32, 64)
"""Leading bits of IPv4 and IPv6 addresses."""
NETWORK = (24, 48)
"""Leading bits. One guesser may control a whole network."""
FORGOTTEN_AFTER = 300
"""Seconds after which the database cache forgets an incremented number, whatever its timeout."""

COUNTED: Mapping[str, str] = {
    "roster:sheet": "print",
    "roster_api:roster-pdf": "print",
    "roster:roster-cards": "print",
    "roster:deck-cards": "print",
    "roster:play-cards": "print",
    "roster:test-sheet": "print",
    "roster:picture": "print",
    "play:mission-deck-cards": "print",
    "play:game-log-pdf": "print",
    "events:print": "print",
    "events:paper": "print",
    "events:handout": "print",
    "roster:pack": "print",
    "roster:print": "print",
    "roster:backup": "export",
    "roster:account-export": "export",
    "roster:file": "export",
    "play:games-file": "export",
    "play:game-file": "export",
    "club:collection-file": "export",
    "club:statistics-file": "export",
    "club:season-table": "export",
    "club:season-results": "export",
    "club:season-places": "export",
    "club:force-paper": "print",
    "club:force-cards": "print",
    "club:forces": "keep",
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
    "events_api:events": "keep",
    "club:clubs": "keep",
    "club:talk": "keep",
    "club:player": "keep",
    "club:battle-new": "keep",
    "club:battle-photos": "photo",
    "club:kind-photos": "photo",
    "catalogue:install": "install",
    "catalogue-api:install": "install",
    "roster_api:webhook-test": "token",
    "roster:account-webhook": "token",
    "catalogue:own-games": "install",
    "roster:account-tokens": "token",
    "roster:account-programs": "token",
    "oauth2_provider:authorize": "keep",
    "oauth2_provider:token": "exchange",
    "roster:photos": "photo",
    "roster:verdict-report": "keep",
    "roster:own-verdict-report": "keep",
    "roster:unit-report": "keep",
    "roster:line-report": "keep",
    "roster_api:rosters": "keep",
    "roster_api:roster-copies": "keep",
    "roster_api:house-rules": "keep",
    "play_api:played": "keep",
    "play_api:decks": "keep",
    "play_api:deck-copy": "keep",
    "play_api:hands": "keep",
    "roster:homebrew": "keep",
    "roster:homebrew-copy": "keep",
    "roster:homebrew-value": "keep",
}
"""The kind of work that each view counts as. The setting `RATES` has the limits.

Quotas limit one owner; `keep` limits a browser that is a new guest each time. Evaluations are limited by turns and
processor time.
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
    "roster_api:rosters",
    "roster:import",
    "roster:import-shared",
    "roster:restore",
    "roster:deeds",
    "roster:outlook",
    "roster:ways",
    "roster:new-army",
    "roster:deck-fill",
    "roster:homebrew-effects",
    "roster:verdict-report-staff",
    "roster:line-report",
    "events:submit",
    "events_api:list",
    "events:upload",
    "events:recheck",
    "catalogue-api:changes",
)
_QUICK = (
    "roster:builder",
    "roster:edits",
    "roster:favourites",
    "roster:datasheet",
    "roster:allies",
    "roster:plan",
    "roster:deck",
    "roster:history",
    "roster:compare",
    "roster:data",
    "roster:house-rules",
    "roster:homebrew-set",
    "roster:homebrew-unit",
    "roster:homebrew-link",
    "roster:homebrew-version",
    "roster:homebrew-value",
    "roster:homebrew-copy",
    "roster:photos",
    "club:list-models",
    "club:force-units",
    "club:force-muster",
    "club:force-games",
    "club:meeting",
    "club:meeting-list",
    "club:battle-new",
    "club:battle",
    "roster:choose",
    "roster:sharing",
    "roster:verdict-report",
    "roster:own-verdict-report",
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
    "roster_api:edits",
    "roster_api:undo",
    "roster_api:redo",
    "roster_api:offers",
    "roster_api:revision",
    "roster_api:revision-restore",
    "roster_api:roster-data",
    "roster_api:roster-copies",
    "roster_api:diff",
    "roster_api:roster-text",
    "roster_api:roster-allies",
    "roster_api:roster-plan",
    "roster_api:roster-link",
    "roster_api:roster-tts",
    "roster_api:house-rules",
    "roster_api:house-rules-set",
    "roster_api:house-rules-versions",
    "roster_api:house-rules-link",
    "play:game-new",
    "play:game",
    "play:game-units",
    "play:game-link",
    "play:game-link-units",
    "play_api:played",
    "play_api:played-game",
    "events:list",
    "events:report",
    "events:bulk",
    "events:acts",
)
JUDGED: Mapping[str, bool] = dict.fromkeys(_LONG, True) | dict.fromkeys(_QUICK, False)
"""The views that evaluate lists or compare versions, and whether that may take seconds; see `armybuilder.turns`."""
POSTED = frozenset(
    {name for name, kind in COUNTED.items() if kind in {"keep", "install", "token", "photo", "exchange"}}
    | {"roster:import", "roster:import-shared", "roster:restore", "events:submit", "events:upload", "events:recheck"}
    | {"events:report", "events:bulk", "events:acts", "roster:bulk", "roster:history"}
    | {"club:meeting"}
)
"""Only POST is limited."""
WITH_LIST = frozenset(
    {"roster:photos", "roster:verdict-report", "roster:own-verdict-report", "roster:homebrew-value", "club:battle-new"}
)
"""Of these, the form judges a list to name its units or violations, so a GET takes a turn."""
UNCHARGED = frozenset({name for name, kind in COUNTED.items() if kind == "print"} | {"catalogue:job"})
"""Prints have their own limit, and jobs were accepted when they began."""
MINUTE = 60
SHARED_AT = 0.25
"""Processor seconds after which a process shares its count."""

_log = logging.getLogger(__name__)


def count_request(asker: str, work: str) -> int:
    """Count costly work; return the seconds to wait, or 0."""
    number, seconds = settings.ARMYBUILDER["RATES"].get(work, (0, 0))
    if not (number and asker):
        return 0
    window, passed = divmod(int(time.time()), seconds)
    count = count_in_window(f"rate:{work}:{asker}:{window}", seconds)
    return seconds - passed if count > number else 0


def count_in_window(key: str, seconds: int, number: int = 1) -> int:
    # Other processes count as well: the first begins the window, `incr` adds to it.
    try:
        if cache.add(key, number, timeout=seconds):
            return number
        count: int = cache.incr(key, number)
        if seconds > FORGOTTEN_AFTER:
            cache.touch(key, seconds)
        return count
    except ValueError:  # expired in between, or the clock was set
        return 0


class ProcessorTime:
    """The processor seconds that clients used this minute, in all processes.

    A process shares its count a quarter of a second at a time, so an ordinary page costs no query.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._minute = -1
        self._used: dict[str, float] = defaultdict(float)
        self._unshared: dict[str, float] = defaultdict(float)
        self._refused: set[str] = set()

    def charge(self, asker: str, seconds: float) -> None:
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
        """Add to the shared total and return it; 0 on failure."""
        try:
            return count_in_window(f"processor:{asker}:{minute}", MINUTE, round(seconds * 1000)) / 1000
        except Exception:
            # A cache failure must not turn a finished response into an error page.
            _log.warning("The processor time of an asker was not added to the shared cache.", exc_info=True)
            return 0.0

    def is_anybody_refused(self) -> bool:
        """Return whether any client is refused. If not, requests need not be identified."""
        with self._lock:
            self._begin_minute()
            return bool(self._refused)

    def find_wait(self, asker: str) -> int:
        with self._lock:
            self._begin_minute()
            return MINUTE - int(time.time()) % MINUTE if asker in self._refused else 0

    def tell_share(self, asker: str, response: HttpResponseBase) -> None:
        """State the client's milliseconds left this minute, as far as this process knows."""
        most = settings.ARMYBUILDER["PROCESSOR_SECONDS"]
        if not (most and asker):
            return
        with self._lock:
            self._begin_minute()
            left = max(0, round((most - self._used[asker]) * 1000)) if asker in self._used else most * 1000
        response["RateLimit-Policy"] = f'"processor-ms";q={most * 1000};w={MINUTE}'
        response["RateLimit"] = f'"processor-ms";r={left};t={MINUTE - int(time.time()) % MINUTE}'

    def _begin_minute(self) -> int:
        """Return the current minute; reset the counts in a new one."""
        minute = int(time.time()) // MINUTE
        if minute != self._minute:
            self._minute = minute
            self._used.clear()
            self._unshared.clear()
            self._refused.clear()
        return minute


processor_time = ProcessorTime()


def identify_asker(request: HttpRequest) -> str:
    """Return the token, account or household that a request counts for, or "" without an address."""
    token: AccessToken | ProgramToken | None = getattr(request, "access_token", None)
    if token is not None and token.is_live:
        return token.share
    # Without the cookie there is no account, and the response must not vary by it.
    if settings.SESSION_COOKIE_NAME in request.COOKIES and request.user.is_authenticated:
        return f"account-{request.user.pk}"
    return identify_address(request)


def identify_address(request: HttpRequest) -> str:
    return _mask_address(request, "address", *HOUSEHOLD)


def identify_network(request: HttpRequest) -> str:
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
