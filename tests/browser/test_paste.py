"""A pasted list on its page: each question is answered by one click or one key, with or without scripts."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import findings
from tests.browser.conftest import DESK, PHONE
from tests.lists.test_choosing import FORAY, HOST, LIST, RAID, install_editions, install_forces

Visit = Callable[..., Page]
TEXT = LIST.replace("Cutters", "Cuttres") + "\n... spare !!\n\nthe rest is in my other pocket, see below\n"


def paste(page: Page, text: str = TEXT) -> None:
    page.goto("/rosters/import/")
    page.locator("#text").fill(text)
    page.locator("#paste button").click()
    expect(page.get_by_role("heading", name=re.compile("Is this your list|Are these"))).to_be_visible()


@pytest.mark.usefixtures("transactional_db")
@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no-scripts"])
def test_questions_are_answered_by_one_click(visit: Visit, scripts: bool) -> None:
    install_editions()
    install_forces([RAID, FORAY, HOST], "fen-10", "Fenland 10th Edition")
    page = visit(java_script_enabled=scripts)
    paste(page)
    games, forces = page.locator("#editions-1"), page.locator("#forces-1")
    expect(games.get_by_role("button", pressed=True)).to_contain_text("10th Edition")
    forces.get_by_role("button", name="Foray").click()
    expect(forces.get_by_role("button", pressed=True)).to_contain_text("Foray")
    # The page comes back at the question that was answered.
    assert page.url.endswith("#forces-1")

    page.get_by_role("button", name="Right: Cutters").click()
    expect(page.locator("#names-1")).to_contain_text("you chose")
    page.get_by_role("button", name="All 2 are notes").click()
    expect(page.locator(".verdict .state")).to_have_text("Legal")
    expect(forces.get_by_role("button", pressed=True)).to_contain_text("Foray")
    page.locator("#unread-1").get_by_role("button", name="Undo").click()
    expect(page.locator("#unread-1")).to_contain_text("2 lines not read")

    page.locator(".acts").get_by_role("button", name="Open list").click()
    page.wait_for_url("**/rosters/*/*")
    assert "import" not in page.url


@pytest.mark.usefixtures("transactional_db")
def test_questions_are_answered_by_keys(visit: Visit) -> None:
    install_forces([RAID, FORAY, HOST])
    page = visit()
    paste(page)
    page.locator("#forces-1").get_by_role("button", name="Host").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#forces-1").get_by_role("button", pressed=True)).to_contain_text("Host")
    finder = page.locator("#unread-1 details").first
    finder.locator("summary").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.type("Crew")
    page.keyboard.press("Enter")
    expect(page.locator("#unread-1 .unreadline b")).to_have_text("Crew")
    expect(page.locator("#forces-1").get_by_role("button", pressed=True)).to_contain_text("Host")


@pytest.mark.usefixtures("transactional_db")
def test_the_text_is_edited_and_answers_stay(visit: Visit) -> None:
    install_forces([RAID, FORAY])
    page = visit()
    paste(page)
    page.locator("#forces-1").get_by_role("button", name="Foray").click()
    page.get_by_role("link", name="Edit", exact=True).click()
    expect(page.locator("#text")).to_be_visible()
    page.locator("#text").fill(TEXT.replace("Mine", "Yours"))
    page.locator("#paste").get_by_role("button", name="Read again").click()
    expect(page.get_by_role("heading", name="Yours")).to_be_visible()
    expect(page.locator("#text")).to_have_value(re.compile("^Yours"))
    expect(page.locator("#forces-1").get_by_role("button", pressed=True)).to_contain_text("Foray")


@pytest.mark.usefixtures("transactional_db")
@pytest.mark.parametrize("viewport", [DESK, PHONE], ids=["desk", "phone"])
def test_axe_finds_nothing(visit: Visit, viewport: dict[str, int]) -> None:
    install_editions()
    install_forces([RAID, FORAY, HOST], "fen-10", "Fenland 10th Edition")
    page = visit(viewport=viewport, bypass_csp=True)
    paste(page)
    assert findings(page) == []
    page.get_by_role("link", name="Edit", exact=True).click()
    for summary in page.locator(".asked summary").all():
        summary.click()
    assert findings(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    paste(page, LIST + "\nMade with War Organ\n\n" + TEXT)
    assert findings(page) == []
