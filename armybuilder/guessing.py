"""Slow down password guessing and warn the owner, without locking out the owner: see ADR 0035.

Neither answers nor the work behind them reveal whether an account exists.
"""

import time
from datetime import UTC, datetime

from allauth.account.models import EmailAddress
from allauth.core.exceptions import ImmediateHttpResponse
from django.conf import settings
from django.contrib.auth.models import User
from django.core import signing
from django.core.cache import cache
from django.db.models import Q
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.crypto import salted_hmac
from django_tasks import task

from armybuilder.rate_limits import count_in_window, identify_network
from catalogue.services.jobs import LETTER_PRIORITY, LETTERS
from roster.services.owners import tell_guessed

HOUR, DAY = 60 * 60, 24 * 60 * 60
FREE = 10
"""Wrong passwords per day for an account from one place before tries have to wait."""
STRAIN = 10
"""A network loses one of its `FREE` tries per this many wrong passwords a day from elsewhere."""
FREE_FOR_NETWORK = 100
"""Wrong passwords per hour from one network, for any accounts, before tries have to wait."""
FIRST_WAIT = 30
LONGEST_NETWORK_WAIT = 10 * 60
TOLD_AT = 20
"""Failed attempts per day after which the owner is warned."""
COOKIE = "known"
COOKIE_AGE = 365 * DAY
MOST_KNOWN = 5
"""A family may share a device."""


class Attempt:
    """An attempt to sign in. The account is the typed address; the place is a known device or the network."""

    def __init__(self, request: HttpRequest, login: str) -> None:
        self.request = request
        self.login = login.strip().lower()
        self.account = _hash(self.login)
        self.device = self._find_known_device()
        self.network = "" if self.device else identify_network(request)
        self.place = f"{self.account}:{self.device or self.network}"

    def _find_known_device(self) -> str:
        if self.request.user.is_authenticated:
            return f"user-{self.request.user.pk}"
        account_ids = _read_cookie(self.request)
        named = Q(email__iexact=self.login) | Q(emailaddress__email__iexact=self.login)
        if not account_ids or not User.objects.filter(named, pk__in=account_ids).exists():
            return ""
        return f"device-{_hash(self.request.COOKIES[COOKIE])}"

    def admit(self) -> None:
        """Raise a 429 response if the place has to wait. Each attempt after the free ones waits twice as long."""
        failed = _read_count(self.place, DAY)
        elsewhere = 0 if self.device else _read_count(self.account, DAY) - failed
        beyond = failed + 1 - max(1, FREE - elsewhere // STRAIN)
        wait = min(FIRST_WAIT * 2**beyond, DAY) if beyond >= 0 else 0
        seconds = _take_slot(self.place, wait)
        if not seconds and self.network:
            beyond = _read_count(self.network, HOUR) + 1 - FREE_FOR_NETWORK
            wait = min(2 ** (beyond // 10), LONGEST_NETWORK_WAIT) if beyond >= 0 else 0
            seconds = _take_slot(self.network, wait)
            if seconds:
                cache.delete(_name_slot(self.place))  # no password was tried
        if seconds:
            self._tell_of_many()
            context = {"minutes": -(-seconds // 60)}
            answer = render(self.request, "account/too_many_guesses.html", context, status=429)
            answer["Retry-After"] = str(seconds)
            raise ImmediateHttpResponse(answer)

    def count_failure(self) -> None:
        _count(self.account, DAY)
        _count(self.place, DAY)
        if self.network:
            _count(self.network, HOUR)
        self._tell_of_many()

    def _tell_of_many(self) -> None:
        number, now = _count(f"{self.account}:any", DAY), time.time()
        since = f"guess-since:{self.account}"
        if number == 1:
            cache.set(since, now, DAY)
        if number >= TOLD_AT and cache.add(f"guess-told:{self.account}", True, DAY):
            tell_owner.enqueue(self.login, number, cache.get(since, now), now)

    def end_wait(self) -> None:
        """Admit the next attempt from this place at once."""
        cache.delete(_name_slot(self.place))


def remember_device(request: HttpRequest, answer: HttpResponseBase, user_id: int) -> None:
    account_ids = [user_id, *(pk for pk in _read_cookie(request) if pk != user_id)][:MOST_KNOWN]
    answer.set_cookie(
        COOKIE,
        signing.dumps(account_ids, salt=COOKIE),
        max_age=COOKIE_AGE,
        path=reverse("account_login"),
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


@task(queue_name=LETTERS, priority=LETTER_PRIORITY)
def tell_owner(login: str, number: int, first: float, last: float) -> None:
    address = EmailAddress.objects.filter(email__iexact=login, verified=True).select_related("user").first()
    if address and address.user.is_active and address.user.has_usable_password():
        tell_guessed(address.user, number, datetime.fromtimestamp(first, UTC), datetime.fromtimestamp(last, UTC))


def _read_cookie(request: HttpRequest) -> list[int]:
    try:
        account_ids: list[int] = signing.loads(request.COOKIES.get(COOKIE, ""), salt=COOKIE, max_age=COOKIE_AGE)
    except signing.BadSignature:
        return []
    return account_ids


def _hash(text: str) -> str:
    return salted_hmac("guessing", text, algorithm="sha256").hexdigest()[:32]


def _name_window(key: str, seconds: int) -> str:
    return f"guess:{key}:{int(time.time()) // seconds}"


def _count(key: str, seconds: int) -> int:
    return count_in_window(_name_window(key, seconds), seconds)


def _read_count(key: str, seconds: int) -> int:
    count: int = cache.get(_name_window(key, seconds), 0)
    return count


def _name_slot(key: str) -> str:
    return f"guess-slot:{key}"


def _take_slot(key: str, wait: int) -> int:
    """Block a slot for `wait` seconds and return 0, or return how many seconds it is still blocked."""
    now = time.time()
    if not wait or cache.add(_name_slot(key), now + wait, wait):
        return 0
    until: float = cache.get(_name_slot(key), now)
    return max(1, round(until - now))
