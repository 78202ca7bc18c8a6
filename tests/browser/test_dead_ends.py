"""What the solver finds out comes after the page: grey lines, a list that is lost, and ways out, one click each."""

import re
import threading

import pytest
from playwright.sync_api import Route, expect

from roster.services.outlooks import ListOutlook, look_ahead
from roster.views.builder import responses
from tests.browser.builder import Builder, intercept, settle
from tests.browser.conftest import PATIENCE

pytestmark = pytest.mark.usefixtures("flat_fenland")


def test_a_lost_list_says_so_everywhere_and_each_way_out_is_taken_and_taken_back_by_a_click(builder: Builder) -> None:
    page = builder.page
    for name in ("Cutters", "Cutters", "Crew"):
        builder.take(name)
    expect(page.locator("#offers .dead")).to_have_count(3)
    builder.take("Crew")
    builder.verdict_is("Illegal")
    expect(page.locator("#verdict")).to_contain_text("Four choices")
    ways = page.locator("#mending .way")
    expect(ways.first).to_be_visible()
    number = ways.count()
    assert 1 <= number <= 3
    for which in range(number):
        settle(page)
        ways.nth(which).click()
        builder.verdict_is("Legal")
        settle(page)
        page.get_by_role("button", name="Undo").click()
        # What was found of the list before is known at once.
        builder.verdict_is("Illegal")
        expect(ways).to_have_count(number)
    page.goto("/rosters/")
    expect(page.locator(".pill").first).to_have_text("Illegal")


def test_nobody_waits_for_a_slow_solver(builder: Builder, monkeypatch: pytest.MonkeyPatch) -> None:
    page, answered, asked = builder.page, threading.Event(), threading.Semaphore(0)

    def look_slowly(*arguments: object, **options: object) -> ListOutlook:
        asked.release()
        answered.wait(PATIENCE / 1000)
        return look_ahead(*arguments, **options)

    settle(page)
    monkeypatch.setattr(responses, "look_ahead", look_slowly)
    for number, name in enumerate(("Cutters", "Cutters", "Crew"), start=1):
        builder.offer(name).first.locator(".add").click()
        expect(builder.rows).to_have_count(number)
        assert asked.acquire(timeout=PATIENCE / 1000)
    assert not answered.is_set()
    expect(page.locator("#offers .dead")).to_have_count(0)
    answered.set()
    expect(page.locator("#offers .dead")).to_have_count(3)


def test_a_busy_server_is_asked_again_without_a_word(builder: Builder) -> None:
    page, refused = builder.page, []

    def refuse(route: Route) -> None:
        refused.append(route.request.url)
        route.fulfill(status=429, headers={"Retry-After": "2"}, body='<p id="detail">Busy</p>')

    settle(page)
    intercept(page, re.compile("/(outlook|deeds)/"), refuse, times=1)
    for name in ("Cutters", "Cutters", "Crew"):
        builder.take(name)
    expect(page.locator("#offers .dead")).to_have_count(3)
    assert len(refused) == 1
    expect(page.locator("#messages .error")).to_have_count(0)
