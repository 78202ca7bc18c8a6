"""Whoever asks for costly work too often is told when to come back; nobody else waits for that."""

import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
from django.core.cache import cache
from django.core.mail import EmailMessage
from django.core.management import call_command
from django.test import Client
from django.urls import URLPattern, get_resolver
from django.utils import timezone

from armybuilder import rate_limits
from armybuilder.settings.base import RATES
from tests.roster.views_cast import started

pytestmark = pytest.mark.django_db
CHECK = "/api/v1/check"


@pytest.fixture(autouse=True)
def strict(settings: Any, monkeypatch: Any):
    """Two requests a minute, and a clock that stands at ten seconds of a minute."""
    cache.clear()
    rates = dict.fromkeys(("check", "print", "export", "look-ahead", "reset-mail"), (2, 60))
    settings.ARMYBUILDER = {**settings.ARMYBUILDER, "RATES": rates}
    monkeypatch.setattr(rate_limits.time, "time", lambda: 6_000_010.0)
    yield
    cache.clear()


def check(address: str = "192.0.2.1", client: Client | None = None) -> Any:
    return (client or Client()).post(CHECK, "{}", content_type="application/json", REMOTE_ADDR=address)


def list_routes(patterns: Any = None, app: str = "") -> Iterator[tuple[str, str]]:
    for pattern in get_resolver().url_patterns if patterns is None else patterns:
        if isinstance(pattern, URLPattern):
            yield f"{app}:{pattern.name}", str(pattern.pattern)
        else:
            yield from list_routes(pattern.url_patterns, pattern.app_name or app)


def test_every_costly_address_is_there_and_has_a_rate() -> None:
    assert set(rate_limits.COSTLY) <= {name for name, _route in list_routes()}
    assert {*rate_limits.COSTLY.values(), "reset-mail"} == set(RATES)


def test_every_file_that_is_made_when_asked_for_is_counted() -> None:
    """What ends in `.pdf`, `.zip` or an ending to choose is laid out or gathered anew for whoever asks."""
    made = {
        name for name, route in list_routes() if re.search(r"\.(pdf|zip|csv|png)$|\.<str:ending>$|/export/$", route)
    }
    assert made
    assert made - set(rate_limits.COSTLY) == set()


def test_the_third_check_waits_until_the_minute_is_over(monkeypatch: Any) -> None:
    assert [check().status_code for _ in range(2)] == [400, 400]
    refused = check()
    assert (refused.status_code, refused["Retry-After"]) == (429, "50")
    assert "in 50 seconds" in refused.json()["detail"]
    monkeypatch.setattr(rate_limits.time, "time", lambda: 6_000_060.0)
    assert check().status_code == 400


def test_old_and_new_addresses_of_the_api_count_together() -> None:
    assert [check().status_code for _ in range(2)] == [400, 400]
    answer = Client().post("/api/check", "{}", content_type="application/json", REMOTE_ADDR="192.0.2.1")
    assert answer.status_code == 429


def test_other_addresses_and_accounts_have_turns_of_their_own() -> None:
    for _ in range(3):
        last = check()
    assert last.status_code == 429
    assert check("192.0.2.2").status_code == 400
    member = Client()
    member.force_login(User.objects.create_user("member"))
    assert check(client=member).status_code == 400


def test_a_network_of_version_six_is_one_asker() -> None:
    for host in ("1", "2", "3"):
        last = check(f"2001:db8:0:1::{host}")
    assert last.status_code == 429
    assert check("2001:db8:0:2::1").status_code == 400


@pytest.mark.parametrize("seconds", [-86_400, 86_400, 10**9])
def test_a_clock_that_jumps_keeps_nobody_waiting(monkeypatch: Any, seconds: int) -> None:
    assert [check().status_code for _ in range(3)] == [400, 400, 429]
    monkeypatch.setattr(rate_limits.time, "time", lambda: 6_000_010.0 + seconds)
    assert [check().status_code for _ in range(3)] == [400, 400, 429]


def test_a_window_that_ends_while_it_is_counted_in_is_none(monkeypatch: Any) -> None:
    monkeypatch.setattr(rate_limits.cache, "add", lambda *_, **__: False)
    assert check().status_code == 400


@pytest.mark.parametrize("address", ["", "unix:"])
def test_who_has_no_address_is_not_counted_for_others(address: str) -> None:
    assert {check(address).status_code for _ in range(4)} == {400}


def test_a_page_says_so_and_forms_stay_open(client: Client) -> None:
    owner = started(client)
    for _ in range(3):
        last = client.get(f"/r/{owner.roster.link_id}/roster.json")
    assert last.status_code == 429
    assert "Try again in" in last.content.decode()
    for _ in range(4):
        assert client.get("/rosters/import/").status_code == 200


def ask_for_reset(address: str, email: str = "bob@example.org") -> Any:
    return Client().post("/accounts/password/reset/", {"email": email}, REMOTE_ADDR=address)


@pytest.fixture
def bob(db: None) -> User:
    bob = User.objects.create_user("bob", "bob@example.org", "eels-and-reeds")
    EmailAddress.objects.create(user=bob, email=bob.email, verified=True, primary=True)
    return bob


@pytest.mark.usefixtures("bob")
def test_strangers_who_ask_for_new_passwords_keep_no_owner_from_a_link(mailoutbox: list[EmailMessage]) -> None:
    for number in range(30):
        assert ask_for_reset(f"192.0.2.{number}").status_code == 302
    # Bob's mailbox is not filled; he is told the same as ever, and a link that was sent is good.
    assert ask_for_reset("198.51.100.7").status_code == 302
    assert [message.to for message in mailoutbox] == [["bob@example.org"]] * 2
    link = next(line for line in str(mailoutbox[0].body).split() if "/password/reset/key/" in line)
    page = Client().get(urlsplit(link).path, follow=True)
    assert "password1" in page.content.decode()


def test_nobody_has_the_server_write_to_strangers_again_and_again(mailoutbox: list[EmailMessage]) -> None:
    for number in range(5):
        assert ask_for_reset(f"192.0.2.{number}", "somebody@example.org").status_code == 302
    assert len(mailoutbox) == 2


def test_a_cache_in_the_database_counts_for_the_whole_hour(settings: Any, monkeypatch: Any) -> None:
    monkeypatch.undo()  # the database compares with a clock of its own
    backend = "django.core.cache.backends.db.DatabaseCache"
    settings.CACHES = {"default": {"BACKEND": backend, "LOCATION": "shared_cache"}}
    call_command("createcachetable")
    assert [rate_limits.count_in_window("eels", 3600) for _ in range(2)] == [1, 2]
    later = timezone.now() + timedelta(minutes=50)
    monkeypatch.setattr("django.core.cache.backends.db.tz_now", lambda: later)
    assert rate_limits.count_in_window("eels", 3600) == 3


def test_one_address_asks_for_so_many_new_passwords(mailoutbox: list[EmailMessage]) -> None:
    statuses = [ask_for_reset("192.0.2.1", f"somebody{number}@example.org").status_code for number in range(21)]
    assert set(statuses[:20]) == {302}
    assert statuses[20] == 429


def sign_up(address: str, email: str = "new@example.org") -> Any:
    password = "eels-and-reeds"
    form = {"email": email, "password1": password, "password2": password}
    return Client().post("/accounts/signup/", form, REMOTE_ADDR=address)


def test_a_stranger_who_signs_up_in_somebodys_name_keeps_them_from_no_code(mailoutbox: list[EmailMessage]) -> None:
    stranger = [sign_up("192.0.2.66").status_code for _ in range(8)]
    assert stranger[-1] == 429
    before = len(mailoutbox)
    assert sign_up("192.0.2.7").status_code == 302
    assert len(mailoutbox) == before + 1
