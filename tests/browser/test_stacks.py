"""Equal models are one heading: set together, counted, and split off, by mouse and keyboard, on any screen."""

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.builder import Builder, settle
from tests.browser.conftest import DESK, PHONE
from tests.browser.test_small_screens import too_wide
from tests.roster.small_game import installed


@pytest.fixture(params=[DESK, PHONE], ids=["desk", "phone"])
def crew(request: pytest.FixtureRequest, visit, transactional_db: None) -> Locator:
    """A crew of two sailors, opened."""
    installed()
    builder = Builder(visit(viewport=request.param)).start()
    page = builder.page
    if request.param == PHONE:
        page.evaluate("() => { location.hash = '#picks' }")
    builder.take("Crew")
    page.evaluate("() => { location.hash = '#roster' }")
    return builder.open("Crew")


def test_an_option_and_a_number_for_all(crew: Locator):
    page = crew.page
    expect(crew.locator(".label")).to_have_text("2 × Sailor")
    crew.get_by_role("checkbox", name="Hook").click()
    settle(page)
    expect(crew.locator(".urow")).to_contain_text("2 × Hook")
    crew.get_by_role("button", name="One more: Sailor").click()
    expect(crew.locator(".label")).to_have_text("3 × Sailor")
    expect(crew.locator(".urow")).to_contain_text("3 × Hook")
    assert too_wide(page) <= 0


def test_one_is_split_off_by_keyboard_and_counted_again_once_it_is_equal(crew: Locator):
    page = crew.page
    split = crew.get_by_role("button", name="Split one off")
    split.focus()
    page.keyboard.press("Enter")
    hooks = crew.get_by_role("checkbox", name="Hook")
    expect(hooks).to_have_count(2)
    expect(split).to_have_count(0)
    settle(page)
    hooks.nth(1).focus()
    page.keyboard.press("Space")
    expect(hooks.nth(1)).to_be_checked()
    expect(hooks.nth(0)).not_to_be_checked()
    settle(page)
    hooks.nth(1).click()
    expect(crew.locator(".label")).to_have_count(1)
    expect(crew.locator(".label")).to_have_text("2 × Sailor")
    assert too_wide(page) <= 0


def test_the_others_change_while_one_is_apart(crew: Locator):
    page = crew.page
    crew.get_by_role("button", name="One more: Sailor").click()
    expect(crew.locator(".label")).to_have_text("3 × Sailor")
    settle(page)
    crew.get_by_role("button", name="Split one off").click()
    hooks = crew.get_by_role("checkbox", name="Hook")
    expect(hooks).to_have_count(2)
    settle(page)
    hooks.nth(0).click()
    expect(hooks.nth(0)).to_be_checked()
    expect(hooks.nth(1)).not_to_be_checked()
    expect(crew.locator(".urow")).to_contain_text("2 × Hook")


def test_options_are_before_rules(crew: Locator):
    boxes = [crew.locator(part).bounding_box() for part in (".opts", ".acts")]
    assert boxes[0]["y"] < boxes[1]["y"]
