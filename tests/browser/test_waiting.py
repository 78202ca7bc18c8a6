"""What the builder shows while an answer is on its way, and if none comes."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.builder import Builder, intercept, settle
from tests.roster.small_game import installed

SOON = 100
"""Milliseconds within which a press shows that it was heard."""


@pytest.fixture
def failing(visit: Callable[..., Page], transactional_db: None) -> Builder:
    """A list in a browser whose console may name addresses without an answer."""
    installed()
    return Builder(visit(cut_off=True)).start()


def hold(page: Page, address: str) -> Callable[[], Route]:
    """Hold back what is asked of an address; returns what gives the next of the requests, once it was made."""
    held: list[Route] = []
    intercept(page, address, lambda route: held.append(route))

    def take() -> Route:
        for _ in range(200):
            if held:
                break
            page.wait_for_timeout(50)
        return held.pop(0)

    return take


def test_a_press_is_heard_at_once_and_kept_in_order(builder: Builder):
    page = builder.page
    settle(page)
    take_request = hold(page, "**/edits/")
    cutters, crew = builder.offer("Cutters").first, builder.offer("Crew").first
    cutters.locator(".add").click()
    expect(cutters.locator(".base")).to_have_attribute("data-heard", "1", timeout=SOON)
    expect(page.locator("#working")).to_have_text("1 step", timeout=SOON)
    cutters.locator(".add").click()
    crew.locator(".add").click()
    expect(cutters.locator(".base")).to_have_attribute("data-heard", "2", timeout=SOON)
    expect(page.locator("#working")).to_have_text("3 steps", timeout=SOON)
    for left in (2, 1, 0):
        take_request().continue_()
        if left:
            expect(page.locator("#working")).to_have_text("2 steps" if left == 2 else "1 step")
    expect(page.locator("#working")).to_be_hidden()
    expect(page.locator("[data-heard]")).to_have_count(0)
    builder.names_are("Cutters", "Cutters", "Crew")


def test_work_that_takes_long_is_said_to_be_under_way(builder: Builder):
    page = builder.page
    settle(page)
    take_request = hold(page, "**/edits/")
    builder.offer("Cutters").first.locator(".add").click()
    expect(page.locator("#working")).to_have_text("Still working. You can carry on; nothing is lost.")
    expect(page.locator("#said")).to_have_text("Still working. You can carry on; nothing is lost.")
    take_request().continue_()
    expect(page.locator("#said")).to_contain_text("Added")


def test_a_step_without_answer_is_told_at_its_line_and_made_again(failing: Builder):
    page = failing.page
    settle(page)
    intercept(page, "**/edits/", lambda route: route.fulfill(status=503, body="<p>down</p>"), times=1)
    line = failing.offer("Cutters").first
    name = line.locator(".nm").inner_text()
    line.locator(".add").click()
    told = line.get_by_role("alert")
    expect(told).to_contain_text(f"{name} not added. No answer from the server.")
    expect(page.locator("[data-heard]")).to_have_count(0)
    told.get_by_role("button", name="Try again").click()
    expect(failing.rows).to_have_count(1)
    expect(line.get_by_role("alert")).to_have_count(0)
    expect(line.locator(".add")).to_be_focused()


def test_a_step_that_cannot_wait_is_told_and_made_again(failing: Builder):
    page = failing.page
    settle(page)
    intercept(page, "**/edits/", lambda route: route.abort(), times=1)
    page.locator("#name").fill("High water")
    page.locator("#name").press("Tab")
    told = page.get_by_role("alert").filter(has_text="Not done. No answer from the server.")
    told.get_by_role("button", name="Try again").click()
    expect(page.locator("h1")).to_have_text("High water")


def test_a_failure_of_the_server_can_be_left(failing: Builder):
    page = failing.page
    settle(page)
    intercept(page, "**/edits/", lambda route: route.fulfill(status=503, body="<p>down</p>"), times=1)
    line = failing.offer("Cutters").first
    line.locator(".add").click()
    line.get_by_role("alert").get_by_role("button", name="Leave it").click()
    expect(line.get_by_role("alert")).to_have_count(0)
    expect(failing.rows).to_have_count(0)
    expect(line.locator(".add")).to_be_focused()


def test_a_datasheet_that_does_not_come_leaves_ways_on(failing: Builder):
    page = failing.page
    settle(page)
    intercept(page, "**/units/**", lambda route: route.fulfill(status=503, body="<p>down</p>"), times=2)
    line = failing.offer("Cutters").first
    name = line.locator(".nm").inner_text()
    line.locator(".look").click()
    sheet = page.get_by_role("dialog")
    expect(sheet.get_by_role("heading", name=name)).to_be_visible()
    expect(sheet.get_by_role("alert")).to_contain_text("No datasheet yet. No answer from the server.")
    sheet.get_by_role("link", name="Close").click()
    expect(sheet).to_be_hidden()
    line.locator(".look").click()
    sheet.get_by_role("button", name="Try again").click()
    expect(sheet.get_by_role("heading", name="Options")).to_be_visible()
    page.keyboard.press("Escape")
    intercept(page, "**/units/**", lambda route: route.abort(), times=1)
    line.locator(".look").click()
    sheet.get_by_role("button", name="Add").click()
    expect(sheet).to_be_hidden()
    expect(failing.rows).to_have_count(1)
