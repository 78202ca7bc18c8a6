"""The page of a deck in a browser: steppers, search, keys, the phone, no script, and what axe finds."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import findings
from tests.browser.builder import settle
from tests.browser.conftest import DESK, PHONE
from tests.roster.deck_owner import DAWNFALL, REEDS
from tests.shipped_packs import install_shipped

Visit = Callable[..., Page]


def begun(page: Page, game: str = "edge-dawnfall", faction: str = "Chapter", deck: str = "Chapter action deck") -> Page:
    """A fresh list with an empty deck, and its page."""
    page.goto(f"/rosters/new/?game={game}")
    page.get_by_role("radio", name=re.compile(f"^{faction}")).check()
    page.get_by_role("button", name="Build list").click()
    page.wait_for_url(lambda address: "/new/" not in address)
    page.goto(page.url.split("?")[0] + "deck/")
    page.get_by_role("button", name=f"Begin: {deck}").click()
    expect(page.locator(".cardgroup").first).to_be_visible()
    settle(page)
    return page


def copies(page: Page, card: str) -> Any:
    return page.get_by_label(f"Copies of {card}")


def test_quick_steps_are_all_counted(visit: Visit, transactional_db: None) -> None:
    install_shipped(DAWNFALL)
    page = begun(visit())
    more = page.get_by_role("button", name="One more: Charging / Trap")
    for _ in range(3):
        more.click()
    expect(page.locator(".cardrow", has_text="Charging / Trap").locator(".cnt")).to_contain_text("/ 3")
    expect(copies(page, "Charging / Trap")).to_have_value("3")
    expect(more).to_be_disabled()
    expect(page.locator("#deck-verdict")).to_contain_text("3/ 25 cards")
    page.get_by_role("button", name="One less: Charging / Trap").click()
    expect(page.locator("#deck-verdict")).to_contain_text("2/ 25 cards")


def test_taps_quicker_than_the_answer_end_where_the_copies_do(visit: Visit, transactional_db: None) -> None:
    install_shipped(DAWNFALL)
    page = begun(visit())
    page.get_by_role("button", name="One more: Charging / Trap").evaluate(
        "button => { for (let tap = 0; tap < 6; tap++) { button.disabled = false; button.click() } }"
    )
    expect(page.locator("#deck-verdict")).to_contain_text("3/ 25 cards")
    expect(copies(page, "Charging / Trap")).to_have_value("3")


def test_a_number_typed_at_a_named_card_and_its_undo(visit: Visit, transactional_db: None) -> None:
    install_shipped(REEDS)
    page = begun(visit(), "reeds-and-rust", "Iron Weir", "Order book")
    form = page.locator("form[data-clear]").first
    form.get_by_label("Name of a card").fill("Bank" * 25)
    form.get_by_label("Name of a card").press("Enter")
    field = copies(page, "Bank" * 25)
    field.fill("2")
    field.blur()
    expect(page.locator(".cardrow", has_text="Bank").locator(".cnt.full")).to_contain_text("/ 2")
    wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert page.evaluate(wide) <= 0
    page.get_by_role("button", name="Undo").click()
    expect(field).to_have_value("1")
    page.set_viewport_size(PHONE)
    assert page.evaluate(wide) <= 0


def test_cards_come_in_with_their_squad(visit: Visit, transactional_db: None) -> None:
    install_shipped(DAWNFALL)
    page = begun(visit())
    shoot = page.get_by_role("button", name="One more: Dodge / Shoot")
    expect(shoot).to_be_disabled()
    page.get_by_role("button", name="Add Ranger").click()
    expect(shoot).to_be_enabled()
    expect(page.get_by_role("button", name="Add Ranger")).to_have_count(0)


def test_search_and_filter_work_at_once_and_by_key(visit: Visit, transactional_db: None) -> None:
    install_shipped(DAWNFALL)
    page = begun(visit())
    page.keyboard.press("/")
    page.keyboard.type("ranger")
    expect(page.locator(".cardrow:visible")).to_have_count(2)
    page.locator("#q").fill("zeppelin")
    expect(page.locator("#nomatch")).to_be_visible()
    page.locator("#q").fill("")
    copies(page, "Charging / Trap").fill("2")
    copies(page, "Charging / Trap").press("Enter")
    expect(page.locator("#deck-verdict")).to_contain_text("2/ 25 cards")
    page.get_by_label("In the deck").check()
    expect(page.locator(".cardrow:visible")).to_have_count(1)


@pytest.mark.parametrize("viewport", [DESK, PHONE], ids=["desk", "phone"])
def test_a_sample_hand_comes_into_view(visit: Visit, transactional_db: None, viewport: dict[str, int]) -> None:
    install_shipped(DAWNFALL)
    page = begun(visit(viewport=viewport))
    page.get_by_role("button", name="One more: Charging / Trap").click()
    expect(page.locator("#deck-verdict")).to_contain_text("1/ 25 cards")
    page.get_by_role("button", name="Sample hand").locator("visible=true").click()
    card = page.locator("#hand .face")
    expect(card).to_have_count(1)
    expect(card).to_contain_text("Charging")
    expect(card).to_be_in_viewport()


def test_another_banner_takes_the_place_of_the_first(visit: Visit, transactional_db: None) -> None:
    install_shipped(DAWNFALL)
    page = begun(visit())
    banners = page.locator(".beside").first.get_by_role("button")
    expect(banners).to_have_count(2)
    first, second = banners.nth(0), banners.nth(1)
    second.click()
    expect(second).to_have_attribute("aria-pressed", "true")
    first.click()
    expect(first).to_have_attribute("aria-pressed", "true")
    expect(second).to_have_attribute("aria-pressed", "false")


def test_a_card_is_written_in_by_name(visit: Visit, transactional_db: None) -> None:
    install_shipped(REEDS)
    page = begun(visit(), "reeds-and-rust", "Iron Weir", "Order book")
    form = page.locator("form[data-clear]").first
    form.get_by_label("Name of a card").fill("Bank the fires")
    form.get_by_label("Name of a card").press("Enter")
    expect(page.locator(".cardrow", has_text="Bank the fires")).to_be_visible()
    expect(form.get_by_label("Name of a card")).to_have_value("")


def test_without_script(visit: Visit, transactional_db: None) -> None:
    install_shipped(DAWNFALL)
    page = begun(visit(java_script_enabled=False))
    page.get_by_role("button", name="One more: Charging / Trap").click()
    expect(copies(page, "Charging / Trap")).to_have_value("1")
    expect(page).to_have_url(re.compile(r"/deck/\?deck=.*#c-"))
    page.get_by_label("Find a card").fill("trap")
    page.get_by_role("button", name="Show").click()
    expect(page.locator(".cardrow:visible")).to_have_count(1)


@pytest.mark.parametrize("viewport", [DESK, PHONE], ids=["desk", "phone"])
def test_axe(visit: Visit, transactional_db: None, viewport: dict[str, int]) -> None:
    install_shipped(DAWNFALL)
    page = visit(viewport=viewport, bypass_csp=True)
    begun(page)
    page.get_by_role("button", name="One more: Charging / Trap").click()
    expect(page.locator("#deck-verdict")).to_contain_text("1/ 25 cards")
    found = findings(page)
    if viewport is PHONE:
        assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"]
    page.goto("/games/edge-dawnfall/chapter/cards/")
    assert found + findings(page) == []
