"""What pages show: verdict colours only for verdicts, no holes in the verdict, no idle tools, the page of the API."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from catalogue.formats.packs.load import SHIPPED
from tests.browser.builder import settle
from tests.browser.conftest import DESK, PHONE
from tests.browser.test_events import sign_in, url
from tests.events.cast import opened
from tests.roster.deck_owner import REEDS
from tests.shipped_packs import install_shipped

NINTH = SHIPPED / "wh40k" / "ninth"
COLOURED = """() => {
  const probe = document.body.appendChild(document.createElement("i"));
  const colours = ["good", "bad", "warn"].map((name) => {
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  });
  probe.remove();
  const VERDICT = ".verdict, .v, .need, .socket, .way, .ways, #mending, .btn.bad, .menu-body .bad";
  const isText = (node) => node.nodeType === Node.TEXT_NODE && node.data.trim();
  return [...document.querySelectorAll("body *")].filter((one) => one.checkVisibility() && !one.closest(VERDICT))
    .filter((one) => [...one.childNodes].some(isText) && colours.includes(getComputedStyle(one).color))
    .map((one) => `${one.className}: ${one.textContent.trim().slice(0, 60)}`);
}"""
HOLES = """() => {
  const spots = [...document.querySelectorAll("#verdict .fix *")].filter((one) => one.checkVisibility());
  const shown = spots.filter((one) => !one.childElementCount && one.getBoundingClientRect().height > 1);
  const ends = [];
  for (const fix of document.querySelectorAll("#verdict .fix")) {
    const { top, bottom } = fix.getBoundingClientRect();
    const inside = shown.filter((one) => fix.contains(one)).map((one) => one.getBoundingClientRect());
    inside.sort((one, other) => one.top - other.top);
    let at = top;
    for (const box of [...inside, { top: bottom, bottom }]) {
      ends.push(box.top - at);
      at = Math.max(at, box.bottom);
    }
  }
  return ends;
}"""
WARNING = "getComputedStyle(document.querySelector('.socket.short')).color"
LARGEST_HOLE = 40
"""Pixels: less than a line with a button."""


def begin_unfinished(page: Page, game: str) -> None:
    """Begin a list with a few units, which lacks others, and wait for the deeds of its verdict."""
    page.goto(f"/rosters/new/?game={game}")
    page.locator("main input[type=radio]").first.check()
    page.get_by_role("button", name="Build list").click()
    settle(page)
    for at in (0, 2, 4):
        page.locator("#offers li:not(:has(.no)) .add").nth(at).click()
        settle(page)
    expect(page.locator("#verdict .fix .do:not(.due)").first).to_be_visible()
    expect(page.locator("#offers .no").first).to_be_visible()
    settle(page)


@pytest.mark.parametrize("viewport", [DESK, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize(("pack", "game"), [(REEDS, "reeds-and-rust"), (NINTH, "maelstrom-of-war-9e")])
def test_verdict_colours_are_for_verdicts_and_the_verdict_has_no_holes(
    visit: Any, transactional_db: None, pack: Any, game: str, viewport: dict[str, int]
) -> None:
    install_shipped(pack)
    page = visit()
    begin_unfinished(page, game)
    page.set_viewport_size(viewport)
    assert page.evaluate(COLOURED) == []
    # What an incomplete list lacks is not shown as illegal.
    for pip in page.locator(".socket.short .pip.over").all():
        expect(pip).to_have_css("background-color", page.evaluate(WARNING))
    page.goto(f"{page.url.split('#')[0]}#why")
    expect(page.locator("#verdict .fix .do:not(.due)").first).to_be_visible()
    settle(page)
    holes = page.evaluate(HOLES)
    assert len(holes) > 3
    assert max(holes) <= LARGEST_HOLE


def test_a_bench_without_lists_has_no_tools(visit: Any, live_server: Any, transactional_db: None) -> None:
    bench = opened("ann", "bob")
    page = visit()
    sign_in(page, bench.client("ora"), live_server.url)
    page.goto(url(bench, "bench"))
    tools = page.locator("#queue input[type=checkbox], #bulk button, .filters button, .keysline")
    expect(page.locator("#queue").get_by_role("link", name="ann")).to_be_visible()
    expect(tools.filter(visible=True)).to_have_count(0)
    bench.submit("ann")
    page.goto(url(bench, "bench"))
    expect(page.locator("#queue input[type=checkbox]").filter(visible=True)).to_have_count(2)
    expect(page.get_by_role("button", name="Accept ticked")).to_be_visible()


def test_settings_of_an_event_are_saved_by_one_button(visit: Any, live_server: Any, transactional_db: None) -> None:
    bench = opened("ann")
    page = visit()
    sign_in(page, bench.client("ora"), live_server.url)
    page.goto(url(bench, "settings"))
    expect(page.get_by_role("button", name=re.compile("Save"))).to_have_count(1)
    page.get_by_label("Place").fill("Town hall")
    rules = page.locator("textarea[name=rules], textarea").last
    rules.fill(rules.input_value().replace("Autumn Muster", "Winter Muster"))
    page.get_by_role("button", name="Save", exact=True).click()
    settle(page)
    event = bench.fresh()
    assert event.place == "Town hall"
    expect(page.locator("textarea").last).to_have_value(re.compile("Winter Muster"))


@pytest.mark.parametrize("look", ["light", "dark"])
def test_the_page_of_the_api_looks_like_the_site(visit: Any, transactional_db: None, look: str) -> None:
    page = visit(locale="de-DE", color_scheme=look)
    page.goto("/api/docs/")
    expect(page).to_have_title("API · Armybuilder")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    block = page.locator(".opblock-summary-path").first
    block.wait_for()
    is_dark = page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    lightness = page.evaluate("Number(getComputedStyle(document.body).backgroundColor.match(/\\d+/)[0])")
    assert (lightness < 80) == is_dark == (look == "dark")
    # What is set for the site's heading does not move the library's.
    expect(page.locator("#swagger-ui .info .title").first).to_have_css("padding-left", "0px")
    page.get_by_role("link", name="Armybuilder").click()
    page.wait_for_url(re.compile("//[^/]+/$"))
