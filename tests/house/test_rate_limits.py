"""Users who request costly work too often are told when to retry; other users do not wait."""

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

from armybuilder import middleware, rate_limits
from armybuilder.settings.base import RATES
from armybuilder.turns import Turns
from tests.roster.views_cast import started

pytestmark = pytest.mark.django_db
EXPORT = "/play/games.csv"
CHECK = "/api/v1/check"


@pytest.fixture(autouse=True)
def strict(settings: Any, monkeypatch: Any):
    """Two requests a minute, and a clock at ten seconds of a minute."""
    cache.clear()
    rates = dict.fromkeys(("print", "export", "reset-mail"), (2, 60))
    settings.ARMYBUILDER = {**settings.ARMYBUILDER, "RATES": rates}
    monkeypatch.setattr(middleware, "processor_time", rate_limits.ProcessorTime())
    monkeypatch.setattr(rate_limits.time, "time", lambda: 6_000_010.0)
    yield
    cache.clear()


def export(address: str = "192.0.2.1", client: Client | None = None) -> Any:
    return (client or Client()).get(EXPORT, REMOTE_ADDR=address)


def check(address: str = "192.0.2.1", client: Client | None = None) -> Any:
    return (client or Client()).post(CHECK, "{}", content_type="application/json", REMOTE_ADDR=address)


def list_routes(patterns: Any = None, app: str = "") -> Iterator[tuple[str, str]]:
    for pattern in get_resolver().url_patterns if patterns is None else patterns:
        if isinstance(pattern, URLPattern):
            yield f"{app}:{pattern.name}", str(pattern.pattern)
        else:
            yield from list_routes(pattern.url_patterns, pattern.app_name or app)


def test_every_costly_address_is_there_and_has_a_rate() -> None:
    named = {*rate_limits.COUNTED, *rate_limits.JUDGED, *rate_limits.POSTED, *rate_limits.UNCHARGED}
    assert named <= {name for name, _route in list_routes()}
    assert {*rate_limits.COUNTED.values(), "reset-mail"} == set(RATES)


def test_every_file_that_is_made_when_asked_for_is_counted() -> None:
    """Files ending in `.pdf`, `.zip` or a chosen ending are made anew for each request."""
    made = {
        name
        for name, route in list_routes()
        if re.search(r"\.(pdf|zip|csv|png)$|\.<str:ending>$|/(export|pdf)/$", route)
    }
    assert made
    assert made - set(rate_limits.COUNTED) == set()


def test_the_third_export_waits_until_the_minute_is_over(monkeypatch: Any) -> None:
    assert [export().status_code for _ in range(2)] == [200, 200]
    refused = export()
    assert (refused.status_code, refused["Retry-After"]) == (429, "50")
    assert "in 50 seconds" in refused.content.decode()
    monkeypatch.setattr(rate_limits.time, "time", lambda: 6_000_060.0)
    assert export().status_code == 200


def test_other_addresses_and_accounts_have_counts_of_their_own() -> None:
    for _ in range(3):
        last = export()
    assert last.status_code == 429
    assert export("192.0.2.2").status_code == 200
    member = Client()
    member.force_login(User.objects.create_user("member"))
    assert export(client=member).status_code == 200


def test_a_network_of_version_six_is_one_asker() -> None:
    for host in ("1", "2", "3"):
        last = export(f"2001:db8:0:1::{host}")
    assert last.status_code == 429
    assert export("2001:db8:0:2::1").status_code == 200


@pytest.mark.parametrize("seconds", [-86_400, 86_400, 10**9])
def test_a_clock_that_jumps_keeps_nobody_waiting(monkeypatch: Any, seconds: int) -> None:
    assert [export().status_code for _ in range(3)] == [200, 200, 429]
    monkeypatch.setattr(rate_limits.time, "time", lambda: 6_000_010.0 + seconds)
    assert [export().status_code for _ in range(3)] == [200, 200, 429]


def test_a_window_that_ends_while_it_is_counted_in_is_none(monkeypatch: Any) -> None:
    monkeypatch.setattr(rate_limits.cache, "add", lambda *_, **__: False)
    assert export().status_code == 200


@pytest.mark.parametrize("address", ["", "unix:"])
def test_who_has_no_address_is_not_counted_for_others(address: str) -> None:
    assert {export(address).status_code for _ in range(4)} == {200}


# ---- processor time ------------------------------------------------------------------------------------------------


ANN, BEN = "address-192.0.2.1", "address-192.0.2.2"


@pytest.fixture
def times(settings: Any, monkeypatch: Any) -> rate_limits.ProcessorTime:
    """Ten seconds of processor time a minute, all unused."""
    settings.ARMYBUILDER = {**settings.ARMYBUILDER, "PROCESSOR_SECONDS": 10}
    times = rate_limits.ProcessorTime()
    monkeypatch.setattr(middleware, "processor_time", times)
    return times


def test_an_asker_who_used_up_a_minute_is_refused_everywhere_until_it_is_over(
    times: rate_limits.ProcessorTime, monkeypatch: Any
) -> None:
    times.charge(ANN, 9.9)
    assert check().status_code == 400
    times.charge(ANN, 0.2)
    refused = check()
    assert (refused.status_code, refused["Retry-After"]) == (429, "50")
    assert "in 50 seconds" in refused.json()["detail"]
    page = Client().get("/games/", REMOTE_ADDR="192.0.2.1")
    assert (page.status_code, page["Retry-After"]) == (429, "50")
    assert check("192.0.2.2").status_code == 400
    monkeypatch.setattr(rate_limits.time, "time", lambda: 6_000_060.0)
    assert check().status_code == 400


def test_a_neighbour_with_an_account_goes_on(times: rate_limits.ProcessorTime) -> None:
    times.charge(ANN, 11)
    member = Client()
    member.force_login(User.objects.create_user("member"))
    assert member.get("/rosters/", REMOTE_ADDR="192.0.2.1").status_code == 200


def test_an_account_is_charged_wherever_it_is(times: rate_limits.ProcessorTime) -> None:
    user = User.objects.create_user("member")
    times.charge(f"account-{user.pk}", 11)
    member = Client()
    member.force_login(user)
    assert member.get("/rosters/", REMOTE_ADDR="192.0.2.9").status_code == 429


def test_work_is_charged_to_who_asked_for_it(times: rate_limits.ProcessorTime, monkeypatch: Any) -> None:
    charged: list[tuple[str, bool]] = []
    monkeypatch.setattr(times, "charge", lambda asker, seconds: charged.append((asker, seconds > 0)))
    check()
    Client().get("/games/", REMOTE_ADDR="192.0.2.2")
    user = User.objects.create_user("member")
    member = Client()
    member.force_login(user)
    member.post("/rosters/import/", {}, REMOTE_ADDR="192.0.2.1")
    assert charged == [(ANN, True), (BEN, True), (f"account-{user.pk}", True)]


def test_prints_are_neither_charged_nor_refused(times: rate_limits.ProcessorTime, client: Client) -> None:
    link = started(client).roster.link_id
    times.charge("address-127.0.0.1", 11)
    assert client.get(f"/r/{link}/").status_code == 429
    assert client.get(f"/r/{link}/sheet.pdf", {"style": "?"}).status_code == 400


def test_an_ordinary_page_costs_no_query(
    times: rate_limits.ProcessorTime, django_assert_num_queries: Any, monkeypatch: Any
) -> None:
    monkeypatch.setattr(rate_limits.time, "thread_time", lambda: 0.0)
    with django_assert_num_queries(0):
        assert Client().get("/credits/").status_code == 200


def test_processes_learn_of_one_another_with_each_quarter_second(times: rate_limits.ProcessorTime) -> None:
    other = rate_limits.ProcessorTime()
    for _ in range(40):
        times.charge(ANN, 0.24)
    assert (times.find_wait(ANN), other.find_wait(ANN)) == (0, 0)
    other.charge(ANN, 0.3)
    assert other.find_wait(ANN) == 0
    other.charge(ANN, 0.3)
    times.charge(ANN, 0.3)
    assert times.find_wait(ANN) == 50
    other.charge(ANN, 0.3)
    assert other.find_wait(ANN) == 50
    assert (times.find_wait(BEN), other.find_wait(BEN)) == (0, 0)


@pytest.mark.parametrize("seconds", [-86_400, 60, 10**9])
def test_a_clock_that_jumps_begins_a_new_minute(
    times: rate_limits.ProcessorTime, monkeypatch: Any, seconds: int
) -> None:
    times.charge(ANN, 11)
    assert times.is_anybody_refused()
    monkeypatch.setattr(rate_limits.time, "time", lambda: 6_000_010.0 + seconds)
    assert (times.find_wait(ANN), times.is_anybody_refused()) == (0, False)
    times.charge(ANN, 9.9)
    assert times.find_wait(ANN) == 0


def test_nobody_in_particular_is_charged_nothing(times: rate_limits.ProcessorTime) -> None:
    times.charge("", 100)
    assert not times.is_anybody_refused()


def test_a_cache_that_fails_spoils_no_answer(times: rate_limits.ProcessorTime, monkeypatch: Any) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise OSError("away")

    monkeypatch.setattr(rate_limits.cache, "add", fail)
    times.charge(ANN, 11)
    assert times.find_wait(ANN) == 50


# ---- turns ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("own", "status"), [(True, 429), (False, 503)])
def test_a_request_without_a_turn_is_told_when_to_come_back(
    settings: Any, monkeypatch: Any, own: bool, status: int
) -> None:
    crowd = Turns()
    settings.ARMYBUILDER = {**settings.ARMYBUILDER, "JUDGING_AT_ONCE": 2, "JUDGING_WAITING": 0}
    monkeypatch.setattr(middleware, "turns", crowd)
    crowd.take(ANN if own else BEN, is_long=True)
    refused = check()
    assert (refused.status_code, refused["Retry-After"]) == (status, "5")
    assert refused.json()["detail"]
    page = Client().post("/rosters/import/", {"text": "x"}, REMOTE_ADDR="192.0.2.1")
    assert (page.status_code, page["Retry-After"]) == (status, "5")
    # Pages that judge nothing need no turn.
    assert Client().get("/rosters/import/", REMOTE_ADDR="192.0.2.1").status_code == 200


def test_a_turn_is_given_back_also_after_an_error(settings: Any, monkeypatch: Any) -> None:
    settings.ARMYBUILDER = {**settings.ARMYBUILDER, "JUDGING_AT_ONCE": 1, "JUDGING_WAITING": 0}
    monkeypatch.setattr(middleware, "turns", Turns())
    assert [check().status_code for _ in range(2)] == [400, 400]

    def fail(*_: Any, **__: Any) -> None:
        raise RuntimeError

    with monkeypatch.context() as patch:
        patch.setattr("roster.api.views.read_list_file", fail)
        assert check(client=Client(raise_request_exception=False)).status_code == 500
    assert check().status_code == 400


def test_old_and_new_addresses_of_the_api_are_the_same_to_turns(settings: Any, monkeypatch: Any) -> None:
    crowd = Turns()
    settings.ARMYBUILDER = {**settings.ARMYBUILDER, "JUDGING_AT_ONCE": 1, "JUDGING_WAITING": 0}
    monkeypatch.setattr(middleware, "turns", crowd)
    crowd.take(BEN, is_long=False)
    answer = Client().post("/api/check", "{}", content_type="application/json", REMOTE_ADDR="192.0.2.1")
    assert answer.status_code == 503


# ---- forms and pages -----------------------------------------------------------------------------------------------


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
    # Bob's mailbox is not flooded; the answer is the same as ever, and an earlier link still works.
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
    monkeypatch.undo()  # the database uses a clock of its own
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
