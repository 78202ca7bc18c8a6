"""Guessing passwords gets slower from any address; owners can still sign in and are told."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.core.mail import EmailMessage
from django.test import Client

from armybuilder import guessing
from roster.models import ChosenLanguage
from tests.roster.accounts_cast import PASSWORD, account

pytestmark = pytest.mark.django_db
STRANGER, OWNER = "192.0.2.66", "198.51.100.7"
ANN = "ann@example.org"


class Clock:
    now = 6_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture(autouse=True)
def clock(monkeypatch: Any) -> Iterator[Clock]:
    """A clock that only the test moves, also for the cache."""
    cache.clear()
    clock = Clock()
    monkeypatch.setattr("time.time", clock)
    yield clock
    cache.clear()


@pytest.fixture(autouse=True)
def ann() -> User:
    return account(ANN)


def sign_in(password: str, address: str = STRANGER, email: str = ANN, client: Client | None = None) -> Any:
    form = {"login": email, "password": password}
    return (client or Client()).post("/accounts/login/", form, REMOTE_ADDR=address)


def guess(number: int, address: str = STRANGER, email: str = ANN) -> list[int]:
    return [sign_in("wrong", address, email).status_code for _ in range(number)]


def test_who_guesses_waits_longer_each_time_whatever_they_send(clock: Clock) -> None:
    assert guess(guessing.FREE) == [200] * guessing.FREE
    waits = []
    for _ in range(4):
        refused = sign_in(PASSWORD)
        assert refused.status_code == 429
        waits.append(int(refused["Retry-After"]))
        clock.now += waits[-1]
        assert guess(1) == [200]
    assert waits == [30, 60, 120, 240]


def test_a_whole_network_waits_and_its_neighbours_do_not() -> None:
    guess(guessing.FREE)
    assert guess(1, "192.0.2.7") == [429]
    assert guess(1, "192.0.3.7") == [200]


@pytest.mark.parametrize(("address", "status"), [("2001:db8:1:ffff::1", 429), ("2001:db8:2::1", 200)])
def test_a_network_of_version_six(address: str, status: int) -> None:
    guess(guessing.FREE, "2001:db8:1::1")
    assert guess(1, address) == [status]


def test_addresses_of_version_four_inside_version_six_are_told_apart() -> None:
    guess(guessing.FREE, "::ffff:192.0.2.66")
    assert guess(1) == [429]
    assert guess(1, f"::ffff:{OWNER}") == [200]


def test_guesses_from_many_networks_leave_each_of_them_fewer() -> None:
    for number in range(90):
        guess(1, f"10.0.{number}.1")
    assert guess(2, "10.1.0.1") == [200, 429]
    # The owner uses another address.
    assert sign_in(PASSWORD, OWNER).status_code == 302


def test_one_network_that_guesses_at_many_accounts_waits_for_any(clock: Clock) -> None:
    for number in range(guessing.FREE_FOR_NETWORK):
        assert guess(1, f"192.0.2.{number}", f"somebody{number}@example.org") == [200]
    assert sign_in(PASSWORD).status_code == 429
    clock.now += guessing.LONGEST_NETWORK_WAIT
    assert sign_in(PASSWORD).status_code == 302


def test_a_known_device_is_kept_out_by_nobody() -> None:
    device = Client()
    assert sign_in(PASSWORD, client=device).status_code == 302
    device.post("/accounts/logout/")
    guess(guessing.FREE)
    for number in range(guessing.FREE_FOR_NETWORK):
        guess(1, f"192.0.2.{number}", f"somebody{number}@example.org")
    assert sign_in(PASSWORD).status_code == 429
    assert sign_in(PASSWORD, client=device).status_code == 302


def test_a_device_that_is_known_to_one_account_is_a_stranger_to_others() -> None:
    account("ben@example.org")
    device = Client()
    sign_in(PASSWORD, email="ben@example.org", client=device)
    device.post("/accounts/logout/")
    guess(guessing.FREE)
    assert sign_in(PASSWORD, client=device).status_code == 429
    assert sign_in(PASSWORD, email="ben@example.org", client=device).status_code == 302


def test_a_known_device_guesses_no_faster() -> None:
    device = Client()
    sign_in(PASSWORD, client=device)
    device.post("/accounts/logout/")
    statuses = [sign_in("wrong", client=device).status_code for _ in range(guessing.FREE + 1)]
    assert statuses[-2:] == [200, 429]


@pytest.mark.parametrize("value", ["", "x", "WzFd:1tUp:x"])
def test_a_cookie_that_is_forged_makes_nothing_known(value: str) -> None:
    guess(guessing.FREE)
    client = Client()
    client.cookies[guessing.COOKIE] = value
    assert sign_in(PASSWORD, client=client).status_code == 429


def test_the_right_password_ends_the_wait() -> None:
    guess(guessing.FREE - 1)
    assert [sign_in(PASSWORD).status_code for _ in range(3)] == [302] * 3


def test_an_owner_who_would_have_to_wait_gets_in_by_mail(mailoutbox: list[EmailMessage]) -> None:
    guess(guessing.FREE)
    client = Client()
    assert "/accounts/password/reset/" in sign_in(PASSWORD, client=client).content.decode()
    client.post("/accounts/password/reset/", {"email": ANN}, REMOTE_ADDR=STRANGER)
    link = next(line for line in str(mailoutbox[-1].body).split() if "/password/reset/key/" in line)
    page = client.get(urlsplit(link).path, follow=True)
    form = {"password1": "Green8boat-x", "password2": "Green8boat-x"}
    client.post(page.request["PATH_INFO"], form, REMOTE_ADDR=STRANGER)
    assert "_auth_user_id" in client.session


def test_the_owner_is_told_once_a_day(mailoutbox: list[EmailMessage], clock: Clock) -> None:
    guess(guessing.TOLD_AT - 1)
    assert mailoutbox == []
    guess(guessing.TOLD_AT)
    assert [message.to for message in mailoutbox] == [[ANN]]
    assert str(guessing.TOLD_AT) in mailoutbox[0].body
    assert "http://testserver/accounts/password/reset/" in mailoutbox[0].body
    clock.now += guessing.DAY + 1
    guess(guessing.TOLD_AT)
    assert len(mailoutbox) == 2


def test_guesses_from_many_addresses_are_told_as_well(mailoutbox: list[EmailMessage], ann: User) -> None:
    ChosenLanguage.objects.create(user=ann, code="de")
    for number in range(30):
        guess(1, f"10.0.{number}.1", "Ann@Example.org")
    assert [message.to for message in mailoutbox] == [[ANN]]


def test_nobody_is_told_of_an_account_that_is_not_there_or_not_confirmed(mailoutbox: list[EmailMessage]) -> None:
    account("ben@example.org", confirmed=False)
    for email in ("ben@example.org", "nobody@example.org"):
        guess(guessing.TOLD_AT + 1, email=email)
    assert mailoutbox == []


def test_whether_an_account_exists_changes_no_answer() -> None:
    statuses = []
    for _ in range(guessing.FREE + 2):
        known, unknown = sign_in("wrong"), sign_in("wrong", OWNER, "nan@example.org")
        assert known.status_code == unknown.status_code
        assert known.get("Retry-After") == unknown.get("Retry-After")
        assert known.headers.keys() == unknown.headers.keys()
        assert len(known.content) == len(unknown.content)
        statuses.append(known.status_code)
    assert statuses == [200] * guessing.FREE + [429] * 2
