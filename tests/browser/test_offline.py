"""Without a network: pages that were looked at stay, of whoever is signed in alone, and a worker is replaced whole."""

import re
from collections.abc import Callable
from threading import Event
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.test import Client
from playwright.sync_api import Page, expect

from armybuilder import middleware, offline
from roster.models import Roster
from tests.browser.builder import Builder, settle
from tests.browser.conftest import PATIENCE
from tests.roster.small_game import installed

CACHES = "async () => (await caches.keys()).sort()"
KEPT = """async () => {
  const paths = [];
  for (const name of await caches.keys()) {
    if (!name.startsWith("pages-")) continue;
    for (const request of await (await caches.open(name)).keys()) paths.push(new URL(request.url).pathname);
  }
  return paths.sort();
}"""
IN_CHARGE = "() => navigator.serviceWorker.controller?.state === 'activated'"
GONE = "async () => (await navigator.serviceWorker.getRegistrations()).length === 0"


@pytest.fixture
def keeping(visit: Callable[..., Page], transactional_db: None) -> Callable[[], Page]:
    """Opens a browser that has the worker."""
    installed()

    def opened() -> Page:
        page = visit(service_workers="allow", cut_off=True)
        page.goto("/credits/")
        wait_until(page, IN_CHARGE)
        return page

    return opened


def wait_until(page: Page, script: str, arg: Any = None) -> None:
    """Wait for a script's promise to be kept; Playwright itself takes any promise for a yes."""
    for _ in range(PATIENCE // 50):
        if page.evaluate(script, arg):
            return
        page.wait_for_timeout(50)
    pytest.fail(f"never true: {script}")


def wait_until_kept(page: Page, path: str) -> None:
    wait_until(page, f"async (path) => (await ({KEPT})()).includes(path)", path)


def cut(page: Page, *, off: bool = True) -> None:
    page.context.set_offline(off)


def sign_in(page: Page, name: str) -> None:
    client = Client()
    client.force_login(User.objects.create_user(name))
    session = client.cookies["sessionid"].value
    page.context.clear_cookies()
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": page.evaluate("() => location.origin")}])


def deploy(monkeypatch: pytest.MonkeyPatch, version: str) -> None:
    monkeypatch.setattr(offline, "compute_version", lambda: version)


def update_worker(page: Page) -> None:
    page.evaluate("async () => { await (await navigator.serviceWorker.ready).update(); }")


def test_a_list_and_its_link_page_stay_without_a_network(keeping: Callable[[], Page]) -> None:
    page = keeping()
    Builder(page).start(name="Low water")
    builder = re.sub(r"\?.*", "", page.url)
    path = re.sub(r"^.*?//[^/]+", "", builder)
    page.goto(builder)
    link = path.replace("/rosters/", "/r/")
    page.goto(link)
    for kept in (path, link):
        wait_until_kept(page, kept)
    cut(page)
    for address in (builder, link):
        page.goto(address)
        expect(page.get_by_text("Low water").first).to_be_visible()
        expect(page.locator("body > .kept")).to_contain_text("Offline")
        assert page.evaluate("() => getComputedStyle(document.body).fontFamily").startswith('"Fira Sans"')
    page.goto("/games/fenland/")
    expect(page.get_by_role("heading", name="No network")).to_be_visible()
    page.get_by_role("link", name="Low water").first.click()
    expect(page.locator("body > .kept")).to_be_visible()
    cut(page, off=False)
    page.goto(builder)
    expect(page.locator("body > .kept")).to_have_count(0)


def test_the_first_page_is_kept_though_the_worker_came_after_it(
    visit: Callable[..., Page], transactional_db: None
) -> None:
    installed()
    page = visit(service_workers="allow", cut_off=True)
    page.goto("/rosters/")
    wait_until_kept(page, "/rosters/")
    wait_until(page, IN_CHARGE)
    cut(page)
    page.reload()
    expect(page.get_by_role("heading", name="My lists")).to_be_visible()


def test_pages_of_another_account_are_never_shown(keeping: Callable[[], Page]) -> None:
    page = keeping()
    sign_in(page, "anna")
    page.goto("/rosters/")
    wait_until_kept(page, "/rosters/")
    page.goto("/accounts/logout/")
    page.locator("main form button").click()
    settle(page)
    wait_until(page, f"async () => (await ({KEPT})()).length === 0")
    cut(page)
    page.goto("/rosters/")
    expect(page.get_by_role("heading", name="No network")).to_be_visible()


def test_somebody_else_s_page_has_the_others_forgotten(keeping: Callable[[], Page]) -> None:
    page = keeping()
    sign_in(page, "anna")
    page.goto("/rosters/")
    wait_until_kept(page, "/rosters/")
    (before,) = [name for name in page.evaluate(CACHES) if name.startswith("pages-")]
    sign_in(page, "ben")
    page.goto("/credits/")
    wait_until(page, f"async (name) => !(await ({CACHES})()).includes(name)", before)
    cut(page)
    page.goto("/rosters/")
    expect(page.get_by_role("heading", name="No network")).to_be_visible()


def test_a_page_that_is_gone_is_not_kept_any_longer(keeping: Callable[[], Page]) -> None:
    page = keeping()
    Builder(page).start()
    path = re.sub(r"^.*?//[^/]+|\?.*", "", page.url)
    page.goto(path)
    wait_until_kept(page, path)
    Roster.objects.all().delete()
    page.goto(path)
    expect(page.get_by_text("404")).to_be_visible()
    wait_until(page, f"async (path) => !(await ({KEPT})()).includes(path)", path)


def test_a_version_that_is_not_complete_replaces_nothing(
    keeping: Callable[[], Page], monkeypatch: pytest.MonkeyPatch
) -> None:
    deploy(monkeypatch, "one")
    page = keeping()
    page.goto("/rosters/")
    wait_until_kept(page, "/rosters/")
    monkeypatch.setattr(offline, "ASSETS", (*offline.ASSETS, "js/missing.js"))
    deploy(monkeypatch, "two")
    outcome = page.evaluate(
        """async () => {
          const registration = await navigator.serviceWorker.ready;
          const settled = new Promise((done) => registration.addEventListener("updatefound", () => {
            const { installing } = registration;
            installing.addEventListener("statechange", () => done(installing.state));
          }));
          await registration.update().catch(() => {});
          return settled;
        }"""
    )
    assert outcome == "redundant"
    names = page.evaluate(CACHES)
    assert "assets-one" in names
    assert "assets-two" not in names
    cut(page)
    page.goto("/rosters/")
    expect(page.get_by_role("heading", name="My lists")).to_be_visible()


def test_pages_that_were_kept_outlive_a_new_version(
    keeping: Callable[[], Page], monkeypatch: pytest.MonkeyPatch
) -> None:
    deploy(monkeypatch, "one")
    page = keeping()
    page.goto("/rosters/")
    wait_until_kept(page, "/rosters/")
    deploy(monkeypatch, "two")
    update_worker(page)
    wait_until(page, f"async () => (await ({CACHES})()).join().startsWith('assets-two,pages-')")
    wait_until(page, IN_CHARGE)
    # Files that only this page names came along to the new version.
    lists = "async () => Boolean(await (await caches.open('assets-two')).match('/static/css/lists.css'))"
    assert page.evaluate(lists)
    cut(page)
    page.goto("/rosters/")
    expect(page.get_by_role("heading", name="My lists")).to_be_visible()


def test_the_last_worker_takes_itself_and_all_it_kept_away(keeping: Callable[[], Page], settings: Any) -> None:
    page = keeping()
    page.goto("/rosters/")
    wait_until_kept(page, "/rosters/")
    settings.ARMYBUILDER = {**settings.ARMYBUILDER, "OFFLINE": False}
    update_worker(page)
    wait_until(page, GONE)
    assert page.evaluate(CACHES) == []
    page.goto("/rosters/")
    settle(page)
    assert page.evaluate(GONE)


def test_a_missing_file_stays_missing(keeping: Callable[[], Page]) -> None:
    page = keeping()
    missing = "async () => (await fetch('/static/js/play.0123456789ab.js')).status"
    assert page.evaluate(missing) == 404
    assert page.evaluate("async () => (await caches.match('/static/js/play.0123456789ab.js')) === undefined")


def test_a_form_without_a_network_says_that_it_was_not_stored(keeping: Callable[[], Page]) -> None:
    page = keeping()
    page.goto("/rosters/new/?game=fenland")
    page.get_by_role("radio", name=re.compile("Marsh Folk")).check()
    cut(page)
    page.get_by_role("button", name="Build list").click()
    expect(page.get_by_role("heading", name="No network")).to_be_visible()


def change_answers(
    patch: pytest.MonkeyPatch, change: Callable[[HttpResponse], object], *, is_of_site: bool = False
) -> None:
    """Change each answer of the server: as a proxy in front would, or, if it is the site's own, with its marks."""
    original = middleware.OfflineMiddleware.__call__

    def answer(self: middleware.OfflineMiddleware, request: HttpRequest) -> HttpResponse:
        def get_changed(asked: HttpRequest) -> HttpResponse:
            response = self.get_response(asked)
            change(response)
            return response

        return original(middleware.OfflineMiddleware(get_changed), request) if is_of_site else get_changed(request)

    patch.setattr(middleware.OfflineMiddleware, "__call__", answer)


def test_a_network_that_hardly_answers_is_as_good_as_none(
    keeping: Callable[[], Page], monkeypatch: pytest.MonkeyPatch
) -> None:
    page = keeping()
    page.goto("/rosters/")
    wait_until_kept(page, "/rosters/")
    released = Event()
    with monkeypatch.context() as slow:
        # The worker waits for four seconds; this answer comes when the test is done.
        change_answers(slow, lambda _answer: released.wait(60))
        page.goto("/rosters/")
        expect(page.locator("body > .kept")).to_be_visible()
        released.set()
    settle(page)


def test_a_proxy_without_its_server_is_as_good_as_no_network(
    keeping: Callable[[], Page], monkeypatch: pytest.MonkeyPatch
) -> None:
    page = keeping()
    page.goto("/rosters/")
    wait_until_kept(page, "/rosters/")

    with monkeypatch.context() as broken:
        change_answers(broken, lambda answer: setattr(answer, "status_code", 502))
        page.goto("/rosters/")
        expect(page.locator("body > .kept")).to_be_visible()
    wait_until_kept(page, "/rosters/")


def test_a_page_that_fails_leaves_the_one_that_is_kept(
    keeping: Callable[[], Page], monkeypatch: pytest.MonkeyPatch
) -> None:
    page = keeping()
    page.goto("/rosters/")
    wait_until_kept(page, "/rosters/")

    with monkeypatch.context() as broken:
        change_answers(broken, lambda answer: setattr(answer, "status_code", 500), is_of_site=True)
        page.goto("/rosters/")
        expect(page.locator("body > .kept")).to_have_count(0)
    cut(page)
    page.goto("/rosters/")
    expect(page.locator("body > .kept")).to_be_visible()


def test_of_many_pages_the_last_are_kept(keeping: Callable[[], Page]) -> None:
    page = keeping()
    for number in range(62):
        page.evaluate("(number) => fetch(`/rosters/?q=${number}`, { headers: { Accept: 'text/html' } })", number)
    wait_until(page, f"async () => (await ({KEPT})()).length === 60")
    last = "async () => Boolean(await caches.match('/rosters/?q=61', { ignoreVary: true }))"
    wait_until(page, last)
