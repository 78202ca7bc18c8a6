"""Signing up and in as people do it: with and without script, with a passkey; nothing wrong on any of the pages."""

from collections.abc import Iterator

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.core.cache import cache
from playwright.sync_api import Locator, Page, expect

from roster.models import Roster
from tests.browser.axe import findings, look_at
from tests.browser.builder import Builder, settle
from tests.browser.conftest import DESK, PHONE
from tests.roster.accounts_cast import PASSWORD, account, code_in_mail
from tests.roster.small_game import installed

EMAIL = "ann@example.org"


@pytest.fixture(autouse=True)
def _game(transactional_db: None) -> Iterator[None]:
    cache.clear()
    installed()
    yield
    cache.clear()


def sign_up(page: Page) -> None:
    page.goto("/accounts/signup/")
    page.get_by_label("Email").fill(EMAIL)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("Password (again)").fill(PASSWORD)
    page.get_by_role("button", name="Sign up").click()
    expect(page.get_by_label("Code")).to_be_visible()
    page.get_by_label("Code").fill(code_in_mail())
    page.get_by_role("button", name="Confirm").click()
    expect(page.get_by_role("heading", name="My lists")).to_be_visible()


def sign_in(page: Page) -> None:
    page.goto("/accounts/login/")
    page.get_by_label("Email").fill(EMAIL)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="My lists")).to_be_visible()


def sign_out(page: Page) -> None:
    page.goto("/account/")
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url(lambda address: "/account/" not in address)


def say_who(page: Page) -> None:
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Confirm").click()


def test_a_guest_signs_up_and_keeps_the_list(visit):
    page = visit(viewport=PHONE)
    Builder(page).start(name="Low water")
    sign_up(page)
    expect(page.get_by_role("link", name="Low water", exact=True)).to_be_visible()
    expect(page.get_by_text("now belongs to your account: 1 list")).to_be_visible()
    page.goto("/account/")
    page.get_by_role("link", name="Delete account").click()
    say_who(page)
    page.get_by_role("button", name="Delete everything").click()
    expect(page.get_by_text("were deleted")).to_be_visible()
    assert not User.objects.exists()
    assert not Roster.objects.exists()


def test_without_script(visit):
    page = visit(java_script_enabled=False)
    sign_up(page)
    made = page.request.get("/account/")
    assert EMAIL in made.text()
    sign_out(page)
    sign_in(page)
    assert len(mail.outbox) == 1


def test_a_passkey_opens_the_account(visit):
    account(EMAIL)
    page = visit()
    device = page.context.new_cdp_session(page)
    device.send("WebAuthn.enable")
    options = {"protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True}
    options |= {"isUserVerified": True, "automaticPresenceSimulation": True}
    device.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    sign_in(page)
    page.goto("/accounts/2fa/webauthn/add/")
    say_who(page)
    page.get_by_label("Name").fill("Telephone")
    expect(page.get_by_label("Works without the password")).to_be_checked()
    page.get_by_role("button", name="Add").click()
    page.wait_for_url("**/recovery-codes/**")
    page.goto("/accounts/2fa/webauthn/")
    expect(page.get_by_text("Telephone")).to_be_visible()
    sign_out(page)
    page.goto("/accounts/login/")
    page.get_by_role("button", name="Use a passkey").click()
    expect(page.get_by_role("heading", name="My lists")).to_be_visible()


def refused(page: Page) -> Locator:
    return page.locator("#messages .error")


def test_what_the_browser_refuses_about_passkeys_is_said(visit, live_server):
    account(EMAIL)
    page = visit()
    page.add_init_script(
        "navigator.credentials.get = navigator.credentials.create = async () => {"
        " throw new DOMException('', window.refusal ?? 'NotAllowedError') }"
    )
    page.goto("/accounts/login/")
    settle(page)
    page.get_by_role("button", name="Use a passkey").click()
    expect(refused(page)).to_contain_text("No passkey was given")
    sign_in(page)
    page.goto("/accounts/2fa/webauthn/add/")
    say_who(page)
    expect(page.get_by_role("button", name="Add")).to_be_visible()
    settle(page)
    for refusal, said in (("InvalidStateError", "already added this device"), ("OddError", "That did not work")):
        page.evaluate("refusal => { window.refusal = refusal }", refusal)
        page.get_by_role("button", name="Add").click()
        expect(refused(page)).to_contain_text(said)


def test_passkeys_at_an_address_without_a_name(visit, live_server):
    page = visit(base_url=live_server.url.replace("localhost", "127.0.0.1"))
    page.goto("/accounts/login/")
    page.get_by_role("button", name="Use a passkey").click()
    expect(refused(page)).to_contain_text("http://localhost")


@pytest.mark.parametrize("viewport", [DESK, PHONE], ids=["desk", "phone"])
def test_axe(visit, viewport):
    account(EMAIL)
    page = visit(viewport=viewport, bypass_csp=True)
    found = look_at(page, ["/accounts/login/", "/accounts/signup/", "/accounts/password/reset/"])
    sign_in(page)
    Builder(page).start(name="Low water")
    here = page.url.split("?")[0]
    link = here.replace("/rosters/", "/r/")
    page.goto(here + "sharing/")
    page.get_by_role("radio", name="Public").check()
    page.get_by_label("Hidden list").check()
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#messages")).not_to_be_empty()
    found += findings(page)
    found += look_at(page, ["/account/", "/accounts/2fa/", "/accounts/email/", "/accounts/password/change/"])
    found += look_at(page, [link, link + "?revision=1", "/lists/", "/accounts/2fa/totp/activate/"])
    say_who(page)
    expect(page.get_by_role("img")).to_be_visible()
    found += findings(page)
    sign_out(page)
    found += look_at(page, [link, link + "report/"])
    for address in ("/account/", link, link + "report/", "/lists/", "/accounts/signup/"):
        page.goto(address)
        assert page.evaluate("() => document.documentElement.scrollWidth") <= viewport["width"], address
    assert found == []


@pytest.mark.parametrize("viewport", [DESK, PHONE], ids=["desk", "phone"])
def test_a_token_is_made_copied_and_revoked(visit, viewport):
    account()
    page = visit(viewport=viewport, bypass_csp=True)
    sign_in(page)
    page.goto("/account/")
    page.get_by_role("link", name="Tokens and webhooks").click()
    page.get_by_label("Name", exact=True).fill("Club bot")
    page.get_by_label("that you run or play in").check()
    page.get_by_text("30 days").click()
    page.get_by_role("button", name="Create token").click()
    if page.get_by_label("Password").count():
        say_who(page)
    secret = page.get_by_label("Club bot: copy it now. It is shown only once.").input_value()
    asked = page.request.get("/api/v1/events/", headers={"Authorization": f"Bearer {secret}"})
    assert asked.status == 200
    found = findings(page)
    page.goto("/account/tokens/")
    assert secret not in page.content()
    found += findings(page)
    page.get_by_role("button", name="Revoke Club bot").click()
    expect(page.get_by_text("“Club bot” was revoked.")).to_be_visible()
    refused = page.request.get("/api/v1/events/", headers={"Authorization": f"Bearer {secret}"})
    assert refused.status == 401
    assert found == []
