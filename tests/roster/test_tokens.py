"""Personal tokens: what a program with one may do, and the page on which players make and revoke them."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from armybuilder import middleware, public_answers, rate_limits
from roster.models import AccessToken, Roster
from roster.models.ownership import Visibility
from roster.models.tokens import TOKEN_NAME_LENGTH, TokenScope
from roster.services.accounts import delete_account
from roster.services.outcomes import Refused
from roster.services.tokens import LIVE_AT_ONCE, create_token, find_token, revoke_token
from tests.roster.accounts_cast import account, say_who
from tests.roster.views_cast import SCRIPT, started

pytestmark = pytest.mark.django_db

PAGE = "/account/tokens/"
CHECK = "/api/v1/check"


@pytest.fixture
def ann() -> User:
    return account()


def make(user: User, *scopes: TokenScope, name: str = "Club bot", days: int = 90) -> str:
    """Create a token and return its secret."""
    created = create_token(user, name, [scope.value for scope in scopes or TokenScope], days)
    assert not isinstance(created, Refused), created
    return created[1]


def ask(secret: str, address: str, method: str = "get", **fields: Any) -> Any:
    client = Client(enforce_csrf_checks=True, headers={"Authorization": f"Bearer {secret}"})
    return getattr(client, method)(address, **fields)


# ---- what a token opens ------------------------------------------------------------------------------------------


def test_a_token_reads_what_its_owner_may(ann: User) -> None:
    owner = Client()
    owner.force_login(ann)
    roster = started(owner).roster
    Roster.objects.filter(pk=roster.pk).update(visibility=Visibility.PRIVATE)
    address = f"/api/v1/rosters/{roster.link_id}/"
    answers = [ask(make(user), address) for user in (ann, account("ben@example.org"))]
    assert [answer.status_code for answer in answers] == [200, 404]
    assert Client().get(address).status_code == 404


def test_no_session_begins_and_pages_stay_closed(ann: User) -> None:
    secret = make(ann)
    answer = ask(secret, "/api/v1/events/")
    assert (answer.status_code, dict(answer.cookies)) == (200, {})
    assert ask(secret, reverse("roster:account")).status_code == 302


def test_an_unchanged_list_is_confirmed_to_tokens_that_may_read_it(
    ann: User, settings: Any, monkeypatch: Any, django_assert_num_queries: Any
) -> None:
    owner = Client()
    owner.force_login(ann)
    address = f"/api/v1/rosters/{started(owner).roster.link_id}/"
    reading, events = make(ann, TokenScope.READ), make(ann, TokenScope.EVENTS, name="Bench")
    settings.ARMYBUILDER = {**settings.ARMYBUILDER, "PROCESSOR_SECONDS": 30}
    times = rate_limits.ProcessorTime()
    for module in (middleware, public_answers):
        monkeypatch.setattr(module, "processor_time", times)
    whole = ask(reading, address)
    known = {"If-None-Match": whole["ETag"]}
    with django_assert_num_queries(3):
        again = ask(reading, address, headers=known)
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", whole["ETag"])
    assert again["RateLimit-Policy"] == whole["RateLimit-Policy"]
    assert set(again["Vary"].split(", ")) >= set(whole["Vary"].split(", "))
    assert ask(events, address, headers=known).json()["code"] == "scope-missing"
    AccessToken.objects.update(last_used=None)
    assert ask(reading, address, headers=known).status_code == 304
    assert AccessToken.objects.get(name="Club bot").last_used is not None

    # What is confirmed counts, too, and a token without a share left gets no answer.
    settings.ARMYBUILDER = {**settings.ARMYBUILDER, "PROCESSOR_SECONDS": 0.000001}
    assert [ask(reading, address, headers=known).status_code for _ in range(2)] == [304, 429]
    AccessToken.objects.update(revoked=timezone.now())
    assert ask(reading, address, headers=known).status_code == 401


@pytest.mark.parametrize(
    ("change", "words"),
    [({"expires": timezone.now() - timedelta(seconds=1)}, "expired"), ({"revoked": timezone.now()}, "revoked")],
    ids=["expired", "revoked"],
)
def test_an_ended_token_says_why(ann: User, change: dict[str, Any], words: str) -> None:
    secret = make(ann)
    AccessToken.objects.update(**change)
    for answer in (ask(secret, "/api/v1/games/"), ask(secret, CHECK, "post")):
        assert answer.status_code == 401
        assert words in answer.json()["detail"]
    assert AccessToken.objects.get().last_used is None


def test_a_closed_account_has_no_token(ann: User) -> None:
    secret = make(ann)
    User.objects.update(is_active=False)
    assert ask(secret, "/api/v1/games/").status_code == 401


@pytest.mark.parametrize(
    ("header", "status"),
    [
        ("Bearer", 401),
        ("Bearer ", 401),
        ("Bearer ab_x y", 401),
        ("bearer AB_", 401),
        ("Bearer ab_" + "x" * 5_000, 401),
        ("Bearer ab_\u00fc\u00a0", 401),
        ("Token ab_x", 401),
        ("Basic YTpi", 200),
        ("", 200),
    ],
)
def test_other_headers(header: str, status: int) -> None:
    answer = Client(headers={"Authorization": header}).get("/api/v1/games/")
    assert answer.status_code == status
    assert ("WWW-Authenticate" in answer) == (status == 401)


def test_the_secret_is_not_stored(ann: User) -> None:
    secret = make(ann)
    stored = AccessToken.objects.values_list().get()
    assert secret not in map(str, stored)
    assert secret.removeprefix("ab_") not in "".join(map(str, stored))
    assert find_token(secret) == AccessToken.objects.get()


def test_the_last_use_is_stored_once_a_minute(ann: User, django_assert_num_queries: Any) -> None:
    secret = make(ann)
    assert ask(secret, "/api/v1/games/").status_code == 200
    first = AccessToken.objects.get().last_used
    assert first is not None
    with django_assert_num_queries(2):  # the token and the games
        ask(secret, "/api/v1/games/")
    assert AccessToken.objects.get().last_used == first
    AccessToken.objects.update(last_used=first - timedelta(minutes=2))
    ask(secret, "/api/v1/games/")
    assert AccessToken.objects.get().last_used > first


def test_limits_count_each_token_by_itself(ann: User, settings: Any, monkeypatch: Any) -> None:
    settings.ARMYBUILDER = {**settings.ARMYBUILDER, "PROCESSOR_SECONDS": 5}
    times = rate_limits.ProcessorTime()
    monkeypatch.setattr(middleware, "processor_time", times)
    busy, idle = make(ann), make(ann, name="Another")
    times.charge(f"token-{find_token(busy).pk}", 6)
    assert [ask(secret, CHECK, "post").status_code for secret in (busy, idle)] == [429, 415]
    owner = Client()
    owner.force_login(ann)
    assert owner.get(reverse("roster:rosters")).status_code == 200
    assert ask("ab_invented", CHECK, "post").status_code == 401
    times.charge("address-127.0.0.1", 6)
    assert ask("ab_invented", CHECK, "post").status_code == 429, "an invented token is a stranger's"
    assert ask(idle, CHECK, "post").status_code == 415


# ---- making and revoking -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"name": "  "}, "no-label"),
        ({"name": "x" * (TOKEN_NAME_LENGTH + 1)}, "too-long"),
        ({"scopes": []}, "no-scope"),
        ({"scopes": ["read", "all"]}, "no-scope"),
        ({"days": 0}, "no-lifetime"),
        ({"days": 100_000}, "no-lifetime"),
        ({"name": "Club bot"}, "token-name-taken"),
    ],
)
def test_what_is_refused(ann: User, change: dict[str, Any], code: str) -> None:
    make(ann)
    refused = create_token(**{"user": ann, "name": "Other", "scopes": ["read"], "days": 30} | change)
    assert isinstance(refused, Refused)
    assert refused.code == code
    assert AccessToken.objects.count() == 1


def test_tokens_in_use_are_limited_and_old_ones_are_forgotten(ann: User) -> None:
    for number in range(LIVE_AT_ONCE):
        make(ann, name=str(number))
    assert create_token(ann, "More", ["read"], 30) == Refused(code="too-many-tokens", allowed=LIVE_AT_ONCE)
    make(account("ben@example.org"), name="0")
    first, second, *_ = AccessToken.objects.filter(user=ann)
    revoke_token(ann, first.pk)
    AccessToken.objects.filter(pk=second.pk).update(expires=timezone.now() - timedelta(days=91))
    make(ann, name=first.name)
    assert AccessToken.objects.filter(user=ann).count() == LIVE_AT_ONCE
    assert not AccessToken.objects.filter(pk=second.pk).exists()


@pytest.fixture
def member(client: Client, ann: User) -> Client:
    client.force_login(ann)
    say_who(client)
    return client


FORM = {"name": f"Bot {SCRIPT}", "scope": ["read", "events"], "days": "30"}


def test_the_page_shows_a_secret_once(member: Client, ann: User) -> None:
    answer = member.post(PAGE, FORM)
    page = answer.content.decode()
    (secret,) = re.findall(r'value="(ab_[\w-]{43})"', page)
    assert (answer.status_code, answer["Cache-Control"]) == (200, "private, no-store")
    assert SCRIPT not in page
    assert ask(secret, "/api/v1/events/").status_code == 200
    token = AccessToken.objects.get()
    assert (token.user, token.scopes) == (ann, ["read", "events"])
    assert timedelta(days=29) < token.expires - timezone.now() <= timedelta(days=30)
    assert secret not in member.get(PAGE).content.decode()


def test_nothing_is_lost_when_the_form_is_refused(member: Client) -> None:
    answer = member.post(PAGE, {"name": "x" * 61, "scope": "write", "days": "365"})
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "x" * 61 in page
    assert re.search(r'value="write"\s+checked', page)
    assert re.search(r'value="365"\s+checked', page)
    assert not AccessToken.objects.exists()


@pytest.mark.parametrize("form", [{}, {"name": "a", "scope": "read", "days": "٣"}, {"name": "\0", "scope": "read"}])
def test_forms_that_no_page_sends(member: Client, form: dict[str, str]) -> None:
    assert member.post(PAGE, form).status_code == 422
    assert not AccessToken.objects.exists()


def test_a_new_token_asks_for_the_password(client: Client, ann: User) -> None:
    client.force_login(ann)
    assert client.get(PAGE).status_code == 200
    asked = client.post(PAGE, FORM)
    assert asked["Location"].startswith(reverse("account_reauthenticate"))
    answer = client.post(asked["Location"], {"password": "Yellow7boat", "next": PAGE})
    assert re.search(r'value="ab_[\w-]{43}"', answer.content.decode()), "what was typed is not lost"
    assert answer["Cache-Control"] == "private, no-store"


def test_the_page_revokes(member: Client, ann: User) -> None:
    secret = make(ann)
    token = AccessToken.objects.get()
    for number in ("", "x", "999", "9" * 30):
        assert member.post(f"{PAGE}revoke/", {"token": number}).status_code == 303
    other = Client()
    other.force_login(account("ben@example.org"))
    other.post(f"{PAGE}revoke/", {"token": str(token.pk)})
    assert ask(secret, "/api/v1/games/").status_code == 200
    answer = member.post(f"{PAGE}revoke/", {"token": str(token.pk)}, follow=True)
    assert "“Club bot” was revoked." in answer.content.decode()
    assert ask(secret, "/api/v1/games/").status_code == 401
    token.refresh_from_db()
    first = token.revoked
    member.post(f"{PAGE}revoke/", {"token": str(token.pk)})
    token.refresh_from_db()
    assert token.revoked == first


def test_needs_login(client: Client) -> None:
    assert client.get(PAGE)["Location"].endswith(f"?next={PAGE}")
    assert client.post(f"{PAGE}revoke/", {"token": "1"}).status_code == 302
    assert client.get(f"{PAGE}revoke/").status_code in (302, 405)


def test_tokens_go_with_their_account(ann: User) -> None:
    make(ann)
    delete_account(ann)
    assert not AccessToken.objects.exists()


def test_staff_revoke_in_the_admin_and_read_no_secret(client: Client, ann: User) -> None:
    secret = make(ann)
    token = AccessToken.objects.get()
    client.force_login(account("staff@example.org", staff=True))
    page = reverse("admin:roster_accesstoken_changelist")
    assert token.token_hash not in client.get(f"{page}{token.pk}/change/").content.decode()
    client.post(page, {"action": "revoke", "_selected_action": [str(token.pk)]})
    assert ask(secret, "/api/v1/games/").status_code == 401
