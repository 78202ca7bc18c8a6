"""Programs that sign people in here: asking, tokens, revoking, and the pages of an account's programs."""

import base64
import json
import re
from datetime import timedelta
from typing import Any
from urllib.parse import quote

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from oauth2_provider.models import AccessToken as AccessGrant
from oauth2_provider.models import Application, Grant, RefreshToken

from armybuilder import middleware, rate_limits
from roster.management.commands.daily import STEPS
from roster.models.tokens import TOKEN_NAME_LENGTH, TokenScope
from roster.services.accounts import delete_account, set_player_name
from roster.services.outcomes import Refused
from roster.services.programs import (
    ADDRESS_LENGTH,
    MOST_ADDRESSES,
    MOST_PROGRAMS,
    UNUSED_DAYS,
    list_allowed_programs,
    register_program,
    withdraw_program,
)
from tests.roster.accounts_cast import account, say_who, sign_in
from tests.roster.programs_cast import (
    AUTHORIZE,
    BACK,
    REVOKE,
    TOKEN,
    LeaguePage,
    challenge,
    make_program_token,
    read_answer,
    register,
)
from tests.roster.test_tokens import ask, make
from tests.roster.views_cast import SCRIPT

pytestmark = pytest.mark.django_db

ME = "/api/v1/me/"
PAGE = "/account/programs/"
METADATA = "/.well-known/oauth-authorization-server"


@pytest.fixture
def ann() -> User:
    return account()


@pytest.fixture
def league() -> LeaguePage:
    return register(account("dev@example.org"))


@pytest.fixture
def member(client: Client, ann: User) -> Client:
    client.force_login(ann)
    return client


# ---- asking ------------------------------------------------------------------------------------------------------


def test_the_page_says_who_asks_for_what_and_where_it_leads(member: Client, league: LeaguePage, ann: User) -> None:
    set_player_name(ann, "Ann of the Fens")
    answer = member.get(league.ask(scope="read events"))
    page = answer.content.decode()
    assert answer.status_code == 200
    for said in ("League page", "league.example", "Ann of the Fens", "ann@example.org", f"{UNUSED_DAYS} days"):
        assert said in page
    assert "read your lists" in page
    assert "do what you can do in events" in page
    assert "delete your lists" not in page
    assert "form-action 'self' https://league.example;" in answer["Content-Security-Policy"] + ";"
    assert (answer["X-Frame-Options"], answer["Cache-Control"]) == ("DENY", "private, no-store")
    assert not Grant.objects.exists()


def test_who_allows_it_is_signed_in_there(member: Client, league: LeaguePage, ann: User) -> None:
    set_player_name(ann, "Ann of the Fens")
    told = read_answer(member.post(league.ask(), {"answer": "allow"}))
    assert (told["state"], told["iss"]) == ("s1", "http://testserver")
    tokens = league.exchange(told["code"])
    given = tokens.json()
    assert (given["token_type"], given["scope"], given["expires_in"]) == ("Bearer", "read", 3600)
    assert (given["access_token"][:4], given["refresh_token"][:4]) == ("abp_", "abr_")
    assert tokens["Cache-Control"] == "no-store"
    me = ask(given["access_token"], ME)
    assert me.json() == {"id": str(ann.pk), "name": "Ann of the Fens", "scopes": ["read"]}
    assert ask(given["access_token"], "/api/v1/rosters/?mine=true").status_code == 200
    assert not me.cookies


def test_a_program_that_asks_for_nothing_learns_only_who_signs_in(
    member: Client, league: LeaguePage, ann: User
) -> None:
    page = member.get(league.ask(scope=None)).content.decode()
    assert page.count("<li>") >= 1
    assert "read your lists" not in page
    told = read_answer(member.post(league.ask(scope=None), {"answer": "allow"}))
    given = league.exchange(told["code"]).json()
    assert ask(given["access_token"], ME).json() == {"id": str(ann.pk), "name": "", "scopes": []}
    assert ask(given["access_token"], "/api/v1/rosters/?mine=true").status_code == 403
    again = league.refresh(given["refresh_token"])
    assert ask(again.json()["access_token"], ME).json()["scopes"] == []


@pytest.mark.parametrize("form", [{"answer": "refuse"}, {}, {"answer": "ALLOW"}])
def test_who_refuses_leads_back_with_that(member: Client, league: LeaguePage, form: dict[str, str]) -> None:
    told = read_answer(member.post(league.ask(), form))
    assert (told["error"], told["state"], told["iss"]) == ("access_denied", "s1", "http://testserver")
    assert not Grant.objects.exists()


def test_strangers_and_guests_sign_in_first(client: Client, league: LeaguePage, ann: User) -> None:
    for browser in (client, Client()):
        for answer in (browser.get(league.ask()), browser.post(league.ask(), {"answer": "allow"})):
            assert answer.status_code == 302
            assert answer["Location"].startswith(reverse("account_login"))
            assert quote(league.ask()) in answer["Location"] or "next=" in answer["Location"]
    signed_in = client.post(
        answer["Location"], {"login": "ann@example.org", "password": "Yellow7boat", "next": league.ask()}
    )
    assert signed_in["Location"] == league.ask()


def test_no_other_site_can_answer_for_the_person(league: LeaguePage, ann: User) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(ann)
    assert browser.post(league.ask(), {"answer": "allow"}).status_code == 403
    assert not Grant.objects.exists()


@pytest.mark.parametrize(
    "change",
    [
        {"client_id": "unknown"},
        {"client_id": None},
        {"client_id": "\0"},
        {"redirect_uri": "https://evil.example/"},
        {"redirect_uri": BACK + "/more"},
        {"redirect_uri": BACK + "?a=b"},
        {"redirect_uri": BACK.replace("https", "http")},
        {"redirect_uri": "https://league.example@evil.example/signed-in"},
        {"redirect_uri": "javascript:alert(1)"},
        {"redirect_uri": "\0"},
    ],
    ids=lambda change: str(next(iter(change.items()))),
)
def test_a_program_or_address_that_is_not_registered_is_never_led_to(
    member: Client, league: LeaguePage, change: dict[str, str | None]
) -> None:
    for answer in (member.get(league.ask(**change)), member.post(league.ask(**change), {"answer": "allow"})):
        assert answer.status_code == 400
        assert "Location" not in answer
        assert "developers" in answer.content.decode()


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"code_challenge": None, "code_challenge_method": None}, "invalid_request"),
        ({"code_challenge_method": "plain"}, "invalid_request"),
        ({"code_challenge_method": None}, "invalid_request"),
        ({"code_challenge": "x" * 500}, "invalid_request"),
        ({"code_challenge": "\0" * 43}, "invalid_request"),
        ({"scope": "read admin"}, "invalid_scope"),
        ({"scope": "\0"}, "invalid_scope"),
        ({"response_type": "token"}, "unsupported_response_type"),
        ({"response_type": None}, "invalid_request"),
    ],
    ids=lambda value: str(value),
)
def test_what_else_is_wrong_is_told_to_the_program(
    member: Client, league: LeaguePage, change: dict[str, str | None], error: str
) -> None:
    for answer in (member.get(league.ask(**change)), member.post(league.ask(**change), {"answer": "allow"})):
        told = read_answer(answer)
        assert told["state"] == "s1"
        # The library names a missing response type and an unknown one differently.
        assert told["error"] in (error, "unsupported_response_type")
    assert not Grant.objects.exists()


@pytest.mark.parametrize("more", ["&resource=x", "&nonce=" + "n" * 400, "&claims={", "&max_age=x", "&prompt=none"])
def test_what_is_not_known_here_is_passed_over(member: Client, league: LeaguePage, more: str) -> None:
    told = read_answer(member.post(league.ask() + more, {"answer": "allow"}))
    assert league.exchange(told["code"]).status_code == 200


@pytest.mark.parametrize("query", ["%zz", "a=%zz&b", "client_id=a&client_id=b", "\u00fc=1", "client_id=%00"])
def test_an_address_that_cannot_be_read_says_so(member: Client, query: str) -> None:
    answer = member.get(f"{AUTHORIZE}?{query}")
    assert answer.status_code == 400
    assert "Location" not in answer


def test_script_in_a_name_is_text(member: Client) -> None:
    league = register(account("evil@example.org"), f"Evil {SCRIPT}")
    page = member.get(league.ask(state=SCRIPT)).content.decode()
    assert SCRIPT not in page
    assert "Evil" in page


# ---- tokens ------------------------------------------------------------------------------------------------------


def test_a_code_works_once_within_a_minute_with_its_verifier(member: Client, league: LeaguePage, ann: User) -> None:
    def allow() -> str:
        return read_answer(member.post(league.ask(), {"answer": "allow"}))["code"]

    wrong: list[tuple[str, dict[str, str | None]]] = [
        (allow(), {"code_verifier": None}),
        (allow(), {"code_verifier": "w" * 43}),
        (allow(), {"redirect_uri": "https://evil.example/"}),
        (allow(), {"client_secret": "abs_wrong"}),
        (allow(), {"client_secret": None}),
        (allow(), {"client_id": register(ann, "Other").client_id}),
        ("unknown", {}),
        ("\0", {}),
        ("", {}),
    ]
    for code, change in wrong:
        answer = league.exchange(code, **change)
        assert answer.status_code in (400, 401), (change, answer.content)
        assert answer.json()["error"] in ("invalid_grant", "invalid_request", "invalid_client"), change
    assert not AccessGrant.objects.exists()

    code = allow()
    assert league.exchange(code).status_code == 200
    assert league.exchange(code).json()["error"] == "invalid_grant"
    late = allow()
    Grant.objects.update(expires=timezone.now() - timedelta(seconds=1))
    assert league.exchange(late).json()["error"] == "invalid_grant"


def test_a_program_without_a_server_needs_no_secret(member: Client, ann: User) -> None:
    league = register(ann, is_public=True)
    assert league.secret == ""
    told = read_answer(member.post(league.ask(), {"answer": "allow"}))
    assert league.exchange(told["code"], code_verifier=None).status_code == 400
    given = league.exchange(told["code"]).json()
    assert ask(given["access_token"], ME).status_code == 200
    assert league.refresh(given["refresh_token"]).status_code == 200


def test_the_secret_may_be_sent_as_a_header(member: Client, league: LeaguePage) -> None:
    told = read_answer(member.post(league.ask(), {"answer": "allow"}))
    form = {"grant_type": "authorization_code", "code": told["code"], "redirect_uri": BACK, "code_verifier": "v" * 43}
    for secret, status in (("wrong", 401), (league.secret, 200)):
        basic = base64.b64encode(f"{league.client_id}:{secret}".encode()).decode()
        answer = Client(headers={"Authorization": f"Basic {basic}"}).post(TOKEN, form)
        assert answer.status_code == status


def test_a_refresh_token_works_once_and_a_thief_ends_them_all(league: LeaguePage, ann: User) -> None:
    first = league.sign_in(ann)
    second = league.refresh(first["refresh_token"]).json()
    assert ask(first["access_token"], ME).status_code == 401
    assert ask(second["access_token"], ME).status_code == 200
    assert league.refresh(first["refresh_token"]).json()["error"] == "invalid_grant"
    assert ask(second["access_token"], ME).status_code == 401
    assert league.refresh(second["refresh_token"]).json()["error"] == "invalid_grant"
    assert list_allowed_programs(ann) == []


def test_a_refresh_token_takes_no_more_scopes(league: LeaguePage, ann: User) -> None:
    given = league.sign_in(ann, "read events")
    assert league.refresh(given["refresh_token"], scope="read write").json()["error"] == "invalid_scope"
    less = league.refresh(given["refresh_token"], scope="read").json()
    assert ask(less["access_token"], ME).json()["scopes"] == ["read"]


def test_no_token_and_no_secret_is_stored(league: LeaguePage, ann: User) -> None:
    given = league.sign_in(ann)
    rows = [row for model in (AccessGrant, RefreshToken, Application) for row in model.objects.values_list()]
    stored = json.dumps(rows, default=str)
    for secret in (given["access_token"], given["refresh_token"], league.secret):
        assert secret not in stored
        assert secret[4:] not in stored


def test_an_expired_token_says_so(league: LeaguePage, ann: User) -> None:
    given = league.sign_in(ann)
    AccessGrant.objects.update(expires=timezone.now() - timedelta(seconds=1))
    answer = ask(given["access_token"], "/api/v1/games/")
    assert (answer.status_code, answer.json()["code"]) == (401, "token-expired")
    assert answer["WWW-Authenticate"] == 'Bearer realm="Armybuilder", error="invalid_token"'
    assert league.refresh(given["refresh_token"]).status_code == 200
    RefreshToken.objects.update(revoked=None)
    AccessGrant.objects.update(expires=timezone.now() - timedelta(days=UNUSED_DAYS, seconds=1))
    assert list_allowed_programs(ann) == []


def test_a_closed_account_is_not_acted_for(league: LeaguePage, ann: User) -> None:
    given = league.sign_in(ann)
    User.objects.filter(pk=ann.pk).update(is_active=False)
    assert ask(given["access_token"], "/api/v1/games/").json()["code"] == "account-closed"
    again = league.refresh(given["refresh_token"]).json()
    assert ask(again["access_token"], ME).status_code == 401


def test_a_token_for_another_site_is_refused(member: Client, league: LeaguePage) -> None:
    for site, status in (("https://other.example/", 401), ("http://testserver/api/", 200)):
        told = read_answer(member.post(league.ask(), {"answer": "allow"}))
        given = league.exchange(told["code"], resource=site).json()
        assert ask(given["access_token"], ME).status_code == status


@pytest.mark.parametrize("scope", TokenScope)
def test_a_program_may_do_what_a_personal_token_of_its_scope_may(scope: TokenScope, ann: User) -> None:
    secrets = (make(ann, scope), make_program_token(ann, scope.value))
    asked = [("get", "/api/v1/rosters/?mine=true"), ("post", "/api/v1/rosters/"), ("get", "/api/v1/events/")]
    asked += [("get", "/api/v1/jobs/1/"), ("post", "/api/v1/webhooks/"), ("get", "/api/v1/played/"), ("get", ME)]
    for method, address in asked:
        kind = {"content_type": "application/json"} if method == "post" else {}
        personal, program = (ask(secret, address, method, **kind) for secret in secrets)
        assert personal.status_code == program.status_code, (method, address)
        assert personal.get("WWW-Authenticate") == program.get("WWW-Authenticate")


def test_pages_stay_closed_to_programs(ann: User) -> None:
    assert ask(make_program_token(ann, "read"), reverse("roster:account")).status_code == 302


def test_the_last_use_is_stored_once_a_minute(league: LeaguePage, ann: User, django_assert_num_queries: Any) -> None:
    secret = league.sign_in(ann)["access_token"]
    with django_assert_num_queries(2):  # the token and the games
        ask(secret, "/api/v1/games/")
    AccessGrant.objects.update(updated=timezone.now() - timedelta(days=3))
    before = list_allowed_programs(ann)[0].last_used
    ask(secret, "/api/v1/games/")
    assert list_allowed_programs(ann)[0].last_used > before


def test_limits_count_each_program_of_an_account_by_itself(
    league: LeaguePage, ann: User, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.ARMYBUILDER = {**settings.ARMYBUILDER, "PROCESSOR_SECONDS": 5}
    times = rate_limits.ProcessorTime()
    monkeypatch.setattr(middleware, "processor_time", times)
    given, other = league.sign_in(ann), make_program_token(ann, "read")
    times.charge(f"program-{league.program_id}-{ann.pk}", 6)
    refreshed = league.refresh(given["refresh_token"]).json()["access_token"]
    assert ask(refreshed, "/api/v1/check", "post").status_code == 429, "a new token begins no new share"
    assert ask(other, "/api/v1/check", "post").status_code == 415


def test_a_flood_of_exchanges_is_refused_in_json(league: LeaguePage, settings: Any) -> None:
    settings.ARMYBUILDER = {**settings.ARMYBUILDER, "RATES": {"exchange": (1, 60)}}
    answers = [league.exchange("x") for _ in range(2)]
    assert [answer.status_code for answer in answers] == [400, 429]
    assert answers[1].json()["code"] == "too-many-requests"
    assert int(answers[1]["Retry-After"]) > 0


@pytest.mark.parametrize("address", [TOKEN, REVOKE])
def test_scripts_of_other_sites_may_exchange_codes(address: str) -> None:
    asked = {"Origin": "https://tool.example", "Access-Control-Request-Method": "POST"}
    preflight = Client(headers=asked).options(address)
    assert (preflight.status_code, preflight["Access-Control-Allow-Origin"]) == (204, "*")
    assert "POST" in preflight["Access-Control-Allow-Methods"]
    answer = Client(headers={"Origin": "https://tool.example"}).post(address, {})
    assert answer["Access-Control-Allow-Origin"] == "*"


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"grant_type": "password", "username": "ann", "password": "x"},
        {"grant_type": "client_credentials"},
        {"grant_type": "urn:ietf:params:oauth:grant-type:device_code"},
        {"grant_type": "authorization_code"},
        {"grant_type": "refresh_token"},
        {"grant_type": "refresh_token", "refresh_token": "x" * 10_000},
        {"grant_type": "\0"},
        {"grant_type": "authorization_code", "code": "x", "client_id": "\0"},
        {"grant_type": "authorization_code", "code": "x", "resource": "x"},
    ],
    ids=lambda fields: str(fields)[:60],
)
def test_exchanges_that_no_program_sends(league: LeaguePage, fields: dict[str, str]) -> None:
    for program in (league, LeaguePage("unknown", "", 0)):
        answer = program.send(TOKEN, **fields)
        assert answer.status_code in (400, 401)
        assert answer.json()["error"]
    assert not AccessGrant.objects.exists()


@pytest.mark.parametrize("body", [b"{}", b"\xff\xfe", b"[" * 5_000])
@pytest.mark.parametrize("kind", ["application/json", "text/plain", "multipart/form-data; boundary=x"])
def test_bodies_that_are_no_forms(body: bytes, kind: str) -> None:
    for address in (TOKEN, REVOKE):
        answer = Client(raise_request_exception=False).post(address, body, content_type=kind)
        assert answer.status_code in (400, 401)
    assert Client().post(f"{TOKEN}?%zz", {}).status_code == 400


# ---- revoking ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["access_token", "refresh_token"])
def test_a_program_ends_its_tokens(league: LeaguePage, ann: User, kind: str) -> None:
    given = league.sign_in(ann)
    other = register(ann, "Other")
    assert other.send(REVOKE, token=given[kind]).status_code == 200
    assert ask(given["access_token"], ME).status_code == 200, "those of others stay"
    assert league.send(REVOKE, token=given[kind]).status_code == 200
    assert ask(given["access_token"], ME).status_code == 401
    assert league.refresh(given["refresh_token"]).json()["error"] == "invalid_grant"
    assert league.send(REVOKE, token="unknown").status_code == 200
    assert league.send(REVOKE, token=given[kind], client_secret="x").status_code == 401


def test_the_page_of_tokens_takes_back_what_was_allowed(member: Client, league: LeaguePage, ann: User) -> None:
    given, again = league.sign_in(ann), league.sign_in(ann, "events")
    other = make_program_token(ann, "write", name="Another")
    bob = league.sign_in(account("bob@example.org"))
    page = member.get(reverse("roster:account-tokens")).content.decode()
    assert page.count(f'name="program" value="{league.program_id}"') == 1
    assert "read, events" in page
    for number in ("", "x", "999999", "9" * 30):
        assert member.post(reverse("roster:account-withdraw"), {"program": number}).status_code == 303
    assert ask(given["access_token"], ME).status_code == 200

    answer = member.post(reverse("roster:account-withdraw"), {"program": str(league.program_id)}, follow=True)
    assert "“League page” can no longer do anything for you." in answer.content.decode()
    for tokens in (given, again):
        assert ask(tokens["access_token"], ME).status_code == 401
        assert league.refresh(tokens["refresh_token"]).json()["error"] == "invalid_grant"
    assert ask(other, ME).status_code == 200
    assert ask(bob["access_token"], ME).status_code == 200
    assert withdraw_program(ann, league.program_id) is None


def test_a_code_that_waits_ends_too(member: Client, league: LeaguePage, ann: User) -> None:
    league.sign_in(ann)
    told = read_answer(member.post(league.ask(), {"answer": "allow"}))
    withdraw_program(ann, league.program_id)
    assert league.exchange(told["code"]).json()["error"] == "invalid_grant"


def test_expired_tokens_are_deleted_once_a_day(league: LeaguePage, ann: User) -> None:
    kept, old = league.sign_in(ann), league.sign_in(ann)
    newest = AccessGrant.objects.order_by("-pk").values("pk")[:1]
    AccessGrant.objects.filter(pk__in=list(newest.values_list("pk", flat=True))).update(
        expires=timezone.now() - timedelta(days=UNUSED_DAYS + 1)
    )
    assert "cleartokens" in STEPS
    call_command("cleartokens", verbosity=0)
    assert (AccessGrant.objects.count(), RefreshToken.objects.count()) == (1, 1)
    assert ask(kept["access_token"], ME).status_code == 200
    assert ask(old["access_token"], ME).status_code == 401


def test_a_deleted_account_takes_its_programs_and_tokens_along(league: LeaguePage, ann: User) -> None:
    league.sign_in(ann)
    given = register(ann, "Ann's").sign_in(account("bob@example.org"))
    delete_account(ann)
    assert ask(given["access_token"], ME).status_code == 401
    assert Application.objects.count() == 1
    assert not AccessGrant.objects.exists()
    assert not RefreshToken.objects.exists()


# ---- registering -------------------------------------------------------------------------------------------------

FORM = {"name": f"League {SCRIPT}", "addresses": f"{BACK}\nhttp://127.0.0.1/back", "kind": "server"}


def test_the_page_registers_and_shows_a_secret_once(member: Client, ann: User) -> None:
    say_who(member)
    answer = member.post(PAGE, FORM)
    page = answer.content.decode()
    (secret,) = re.findall(r'value="(abs_[\w-]{43})"', page)
    assert (answer.status_code, answer["Cache-Control"]) == (200, "private, no-store")
    assert SCRIPT not in page
    program = Application.objects.get()
    assert program.client_id in page
    assert program.redirect_uris.split() == [BACK, "http://127.0.0.1/back"]
    assert (program.authorization_grant_type, program.skip_authorization) == ("authorization-code", False)
    assert secret not in member.get(PAGE).content.decode()
    assert LeaguePage(program.client_id, secret, program.pk).sign_in(ann)["access_token"]


def test_a_program_on_devices_gets_no_secret(member: Client) -> None:
    say_who(member)
    page = member.post(PAGE, FORM | {"kind": "device"}).content.decode()
    assert "abs_" not in page
    assert Application.objects.get().client_type == "public"


def test_registering_asks_for_the_password(member: Client) -> None:
    answer = member.post(PAGE, FORM)
    assert answer["Location"].startswith(reverse("account_reauthenticate"))
    assert not Application.objects.exists()


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"name": "  "}, "no-label"),
        ({"name": "x" * (TOKEN_NAME_LENGTH + 1)}, "too-long"),
        ({"addresses": " \n "}, "no-program-address"),
        ({"addresses": " ".join(f"https://a{n}.example/" for n in range(MOST_ADDRESSES + 1))}, "too-many-addresses"),
        *(
            ({"addresses": address}, "bad-program-address")
            for address in (
                "http://league.example/",
                "http://192.168.0.1/",
                "http://127.0.0.1.evil.example/",
                "http://localhost.evil.example/",
                "http://localhost@evil.example/",
                "https://user:word@league.example/",
                "https://*.example/",
                "https://league.example/*",
                "https://league.example/#part",
                "https://league.example/#",
                "https://league.example\\@evil.example/",
                "https://l\u00e9ague.example/",
                "https://league.example:0/",
                "https://league.example:99999/",
                "https://",
                "https:///path",
                "https:/league.example/",
                "//league.example/",
                "league.example",
                "javascript:alert(1)",
                "data:text/html,x",
                "armybuilder://back",
                "https://league.example/\0",
                "https://league.example/;script-src",
                "https://league.example/" + "x" * ADDRESS_LENGTH,
            )
        ),
    ],
)
def test_what_is_refused(ann: User, change: dict[str, str], code: str) -> None:
    refused = register_program(ann, **{"name": "League", "addresses": BACK} | change, is_public=False)
    assert isinstance(refused, Refused), refused
    assert refused.code == code
    assert not Application.objects.exists()


def test_nothing_is_lost_when_the_form_is_refused(member: Client) -> None:
    say_who(member)
    answer = member.post(PAGE, {"name": "League", "addresses": "http://league.example/", "kind": "device"})
    page = answer.content.decode()
    assert answer.status_code == 422
    assert 'value="League"' in page
    assert "http://league.example/</textarea>" in page
    assert re.search(r'value="device"\s+checked', page)
    assert 'role="alert"' in page
    assert not Application.objects.exists()


def test_programs_of_an_account_are_limited(ann: User) -> None:
    for number in range(MOST_PROGRAMS):
        register(ann, str(number))
    refused = register_program(ann, "More", BACK, is_public=True)
    assert refused == Refused(code="too-many-programs", allowed=MOST_PROGRAMS)
    register(account("bob@example.org"))


def test_a_program_on_ones_own_computer_may_use_any_port(member: Client, ann: User) -> None:
    registered = register_program(ann, "Command", "http://127.0.0.1/back", is_public=True)
    assert not isinstance(registered, Refused)
    program = LeaguePage(registered[0].client_id, "", registered[0].pk)
    answer = member.get(program.ask(redirect_uri="http://127.0.0.1:53682/back"))
    assert answer.status_code == 200
    assert "form-action 'self' http://127.0.0.1:53682;" in answer["Content-Security-Policy"] + ";"
    assert member.get(program.ask(redirect_uri="http://127.0.0.1:53682/other")).status_code == 400


def test_only_its_developer_deletes_a_program(member: Client, ann: User, league: LeaguePage) -> None:
    mine = register(ann, "Mine")
    given = mine.sign_in(account("bob@example.org"))
    for number in ("", "x", "999999", "9" * 30, str(league.program_id)):
        assert member.post(f"{PAGE}delete/", {"program": number}).status_code == 303
    assert Application.objects.count() == 2
    answer = member.post(f"{PAGE}delete/", {"program": str(mine.program_id)}, follow=True)
    assert "“Mine” was deleted." in answer.content.decode()
    assert ask(given["access_token"], ME).status_code == 401
    assert Application.objects.get().client_id == league.client_id


def test_pages_need_login_and_show_only_ones_own(client: Client, league: LeaguePage, ann: User) -> None:
    for address in (PAGE, f"{PAGE}delete/", "/account/tokens/withdraw/"):
        assert client.post(address)["Location"].startswith(reverse("account_login"))
    sign_in(client)
    page = client.get(PAGE).content.decode()
    assert "League page" not in page
    assert league.client_id not in page
    assert client.get(f"{PAGE}delete/").status_code == 405


@pytest.mark.parametrize("number", [1, 3])
def test_pages_ask_the_same_at_one_and_three(
    member: Client, ann: User, number: int, django_assert_num_queries: Any
) -> None:
    for name in range(number):
        register(ann, str(name)).sign_in(ann)
    member.get(PAGE)
    with django_assert_num_queries(4):  # session, account, player name, programs
        member.get(PAGE)
    with django_assert_num_queries(6):  # session, account, player name, tokens, allowed programs, webhooks
        member.get(reverse("roster:account-tokens"))


# ---- what the site says of itself --------------------------------------------------------------------------------


def test_programs_find_out_how_to_ask(client: Client) -> None:
    answer = client.get(METADATA)
    site = "http://testserver"
    assert answer["Access-Control-Allow-Origin"] == "*"
    assert answer.json() == {
        "issuer": site,
        "authorization_endpoint": f"{site}{AUTHORIZE}",
        "token_endpoint": f"{site}{TOKEN}",
        "revocation_endpoint": f"{site}{REVOKE}",
        "response_types_supported": ["code"],
        "grant_types_supported": ["authorization_code", "refresh_token"],
        "scopes_supported": sorted(TokenScope.values),
        "code_challenge_methods_supported": ["S256"],
        "token_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post", "none"],
        "revocation_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post", "none"],
        "authorization_response_iss_parameter_supported": True,
        "client_id_metadata_document_supported": False,
    }


def test_the_administrator_may_switch_it_off(member: Client, league: LeaguePage, ann: User, settings: Any) -> None:
    given = league.sign_in(ann)
    settings.ARMYBUILDER = {**settings.ARMYBUILDER, "OAUTH": False}
    assert ask(given["access_token"], ME).json()["code"] == "token-unknown"
    for address in (league.ask(), PAGE, METADATA, TOKEN):
        assert member.get(address).status_code == 404, address
    assert league.refresh(given["refresh_token"]).status_code == 404
    for name in ("account", "account-tokens"):
        page = member.get(reverse(f"roster:{name}")).content.decode()
        assert PAGE not in page, name
        assert "Programs you allowed" not in page, name
    assert ask(make(ann), ME).status_code == 200, "personal tokens stay"


def test_me_is_the_account_that_asks(client: Client, ann: User) -> None:
    assert client.get(ME).json()["code"] == "not-signed-in"
    client.force_login(ann)
    assert client.get(ME).json() == {"id": str(ann.pk), "name": "", "scopes": list(TokenScope.values)}
    assert ask(make(ann, TokenScope.EVENTS), ME).json()["scopes"] == ["events"]


def test_the_challenge_of_these_tests_is_that_of_pkce() -> None:
    # The example of RFC 7636, appendix B.
    assert challenge("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk") == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
