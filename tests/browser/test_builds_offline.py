"""Building without a network: steps wait in order on the device, and the server judges them when it is back."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from roster.models import Roster, RosterRevision
from roster.services.changes import Describe
from roster.services.edits import edit_roster
from tests.browser.axe import findings
from tests.browser.builder import Builder, intercept, settle
from tests.browser.conftest import PHONE
from tests.browser.test_offline import IN_CHARGE, cut, sign_in, wait_until
from tests.roster.small_game import installed

NO_STORAGE = "Object.defineProperty(window, 'indexedDB', { value: { open() { throw new Error('refused'); } } })"

STORED = """async (number) => {
  const { taps } = await playBox.load(`list:${document.getElementById("unsent").dataset.list}`);
  return taps.length === number;
}"""


@pytest.fixture
def begin(visit: Callable[..., Page], transactional_db: None) -> Callable[..., Builder]:
    """Starts a list in a browser that can lose its network."""
    installed()

    def begin_list(*, worker: bool = True, script: str = "") -> Builder:
        page = visit(service_workers="allow" if worker else "block", cut_off=True, bypass_csp=True)
        if script:
            page.add_init_script(script)
        page.goto("/credits/")
        if worker:
            wait_until(page, IN_CHARGE)
        builder = Builder(page).start()
        settle(page)
        return builder

    return begin_list


def waiting(page: Page) -> Any:
    return page.locator("#unsent li b")


def press(builder: Builder, name: str) -> None:
    builder.offer(name).first.locator(".add").click()


def list_acts() -> list[str]:
    """The list's revisions after the detachment, in order."""
    return list(
        RosterRevision.objects.filter(aside=False, number__gt=2).order_by("number").values_list("act", flat=True)
    )


def wait_until_sent(page: Page) -> None:
    expect(page.locator("#unsent")).to_be_hidden()
    settle(page)


def open_address(page: Page) -> str:
    return re.sub(r"[?#].*", "", page.url)


def change_elsewhere() -> None:
    roster = Roster.objects.get()
    edit_roster(roster, roster.head, Describe(notes="from the other phone"))


def test_steps_wait_in_order_and_are_judged_when_the_network_is_back(begin: Callable[..., Builder]) -> None:
    builder = begin(worker=False)
    page = builder.page
    builder.take("Cutters")
    row = builder.open("Cutters")
    settle(page)
    points = page.locator("#verdict .total").inner_text()
    cut(page)
    press(builder, "Crew")
    expect(page.locator("#unsent h2")).to_have_text("1 step not yet judged")
    row.locator("[data-step='1']").first.click()
    expect(waiting(page)).to_have_count(2)
    press(builder, "Crew")
    expect(builder.offer("Crew").first.locator(".base")).to_have_attribute("data-heard", "2")
    expect(waiting(page)).to_have_text([re.compile("Add Crew"), re.compile("Cutters: "), re.compile("Add Crew")])
    # Neither lines nor sums are guessed.
    expect(builder.rows).to_have_count(1)
    assert page.locator("#verdict .total").inner_text() == points
    expect(page.locator("[data-unjudged]")).to_have_text(
        "3 steps not yet judged. Sums and verdict do not include these steps yet."
    )
    cut(page, off=False)
    wait_until_sent(page)
    builder.names_are("Cutters", "Crew", "Crew")
    assert list_acts() == ["add-unit", "add-unit", "set-number", "add-unit"]
    expect(page.locator("[data-heard]")).to_have_count(0)
    expect(page.locator("#working")).to_be_hidden()


def test_steps_outlast_a_reload_without_a_network(begin: Callable[..., Builder]) -> None:
    builder = begin()
    page = builder.page
    builder.take("Cutters")
    builder.open("Cutters")
    settle(page)
    revision = page.locator("#state").get_attribute("data-revision")
    kept = """async (revision) => {
      const page = await caches.match(location.href, { ignoreVary: true });
      return Boolean(page) && (await page.text()).includes(`data-revision="${revision}"`);
    }"""
    wait_until(page, kept, revision)
    cut(page)
    press(builder, "Crew")
    builder.row("Cutters").locator("[data-step='1']").first.click()
    expect(waiting(page)).to_have_count(2)
    number = builder.row("Cutters").locator("input[type=number]").first.input_value()
    wait_until(page, STORED, 2)
    page.reload()
    expect(page.locator("body > .kept")).to_be_visible()
    expect(waiting(page)).to_have_count(2)
    expect(builder.offer("Crew").first.locator(".base")).to_have_attribute("data-heard", "1")
    assert builder.row("Cutters").locator("input[type=number]").first.input_value() == number
    press(builder, "Crew")
    expect(waiting(page)).to_have_count(3)
    cut(page, off=False)
    wait_until_sent(page)
    builder.names_are("Cutters", "Crew", "Crew")
    expect(page.locator("body > .kept")).to_have_count(0)
    assert list_acts() == ["add-unit", "add-unit", "set-number", "add-unit"]


def test_a_step_can_be_dropped_and_undo_drops_the_last(begin: Callable[..., Builder]) -> None:
    builder = begin(worker=False)
    page = builder.page
    builder.take("Cutters")
    cut(page)
    press(builder, "Crew")
    builder.menu("Cutters", "Remove")
    press(builder, "Cutters")
    expect(waiting(page)).to_have_text(["Add Crew", "Remove Cutters", re.compile("Add .*Cutters")])
    expect(builder.row("Cutters")).to_have_class(re.compile("leaves"))
    page.locator("#b-undo").click()
    expect(waiting(page)).to_have_text(["Add Crew", "Remove Cutters"])
    page.get_by_role("button", name="Drop Remove Cutters").click()
    expect(waiting(page)).to_have_text(["Add Crew"])
    expect(builder.row("Cutters")).not_to_have_class(re.compile("leaves"))
    cut(page, off=False)
    wait_until_sent(page)
    builder.names_are("Cutters", "Crew")


def test_a_lost_answer_counts_nothing_twice(begin: Callable[..., Builder]) -> None:
    builder = begin(worker=False)
    page = builder.page
    lost: list[object] = []

    def lose(route: Route) -> None:
        if lost:
            route.continue_()
        else:
            lost.append(route.fetch())
            route.abort()

    intercept(page, "**/edits/", lose)
    press(builder, "Cutters")
    expect(builder.rows).to_have_count(1)
    wait_until_sent(page)
    assert list_acts() == ["add-unit"]
    assert Roster.objects.get().aside == 0


def test_a_refused_step_is_told_and_the_others_go_on(begin: Callable[..., Builder]) -> None:
    builder = begin(worker=False)
    page = builder.page
    builder.take("Cutters")
    cut(page)
    builder.menu("Cutters", "Remove")
    builder.menu("Cutters", "Copy")
    press(builder, "Crew")
    expect(waiting(page)).to_have_text(["Remove Cutters", "Copy Cutters", "Add Crew"])
    cut(page, off=False)
    wait_until_sent(page)
    builder.names_are("Crew")
    told = page.locator("#refused")
    expect(told).to_contain_text("Copy Cutters: ")
    page.reload()
    expect(told).to_contain_text("Copy Cutters: ")
    told.get_by_role("button", name="Understood").click()
    expect(told).to_be_hidden()
    page.reload()
    settle(page)
    expect(told).to_be_hidden()


def test_after_a_change_elsewhere_each_step_is_sent_or_dropped(begin: Callable[..., Builder]) -> None:
    builder = begin(worker=False)
    page = builder.page
    cut(page)
    press(builder, "Cutters")
    press(builder, "Crew")
    press(builder, "Crew")
    expect(waiting(page)).to_have_count(3)
    change_elsewhere()
    cut(page, off=False)
    expect(page.locator("#unsent")).to_contain_text("The list was changed elsewhere meanwhile.")
    # As for each edit of a stale page: the list is unchanged, the step is beside it.
    assert Roster.objects.get().aside > 0
    assert list_acts() == ["notes"]
    page.reload()
    expect(waiting(page)).to_have_text(["Add Cutters", "Add Crew", "Add Crew"])
    page.get_by_role("button", name="Drop Add Crew").first.click()
    page.get_by_role("button", name="Send Add Cutters").click()
    expect(waiting(page)).to_have_text(["Add Crew"])
    builder.names_are("Cutters")
    page.get_by_role("button", name="Send all").click()
    wait_until_sent(page)
    builder.names_are("Cutters", "Crew")
    assert Roster.objects.get().aside == 0
    assert "from the other phone" in Roster.objects.get().document


def test_another_session_sends_nothing_and_is_told_what_to_do(begin: Callable[..., Builder]) -> None:
    builder = begin(worker=False)
    page = builder.page
    address = open_address(page)
    cookies = page.context.cookies()
    cut(page)
    press(builder, "Cutters")
    expect(waiting(page)).to_have_count(1)
    sign_in(page, "ben")
    cut(page, off=False)
    expect(page.locator("#unsent")).to_contain_text("Sign in as its owner; your unsent steps are kept.")
    assert list_acts() == []
    page.context.clear_cookies()
    page.context.add_cookies(cookies)
    page.goto(address)
    wait_until_sent(page)
    builder.names_are("Cutters")


def test_a_browser_that_stores_nothing_says_so_and_sends(begin: Callable[..., Builder]) -> None:
    builder = begin(worker=False, script=NO_STORAGE)
    page = builder.page
    cut(page)
    press(builder, "Cutters")
    expect(page.locator("#unsent")).to_contain_text("This browser stores nothing")
    press(builder, "Crew")
    expect(waiting(page)).to_have_count(2)
    cut(page, off=False)
    wait_until_sent(page)
    builder.names_are("Cutters", "Crew")


def test_options_that_the_device_does_not_know_are_said_to_be_unknown(begin: Callable[..., Builder]) -> None:
    builder = begin(worker=False)
    page = builder.page
    builder.take("Cutters")
    cut(page)
    builder.row("Cutters").locator(".name").click()
    expect(page.locator("#messages")).to_contain_text("The options of Cutters are not on this device.")
    press(builder, "Crew")
    expect(page.locator("#unsent li small")).to_have_text("Its options can be set once it is judged.")
    cut(page, off=False)
    wait_until_sent(page)


def test_a_phone_gets_back_to_the_list_from_a_unit_without_a_network(begin: Callable[..., Builder]) -> None:
    builder = begin(worker=False)
    page = builder.page
    builder.take("Cutters")
    row = builder.open("Cutters")
    settle(page)
    page.set_viewport_size(PHONE)
    cut(page)
    page.locator(".dock .done").click()
    expect(row.locator(".opts")).to_be_hidden()
    row.locator(".name").click()
    expect(row.locator(".opts")).to_be_visible()
    row.locator("[data-step='1']").first.click()
    expect(page.locator("#working")).to_have_text("1 step not yet judged")
    page.locator(".dock .done").click()
    expect(page.locator("#unsent")).to_be_visible()
    assert findings(page) == []
    cut(page, off=False)
    wait_until_sent(page)
    expect(row.locator(".sub").first).to_contain_text("6")
