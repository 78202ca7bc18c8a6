"""What the builder weighs on the wire, and that nothing of it moves when a fragment arrives."""

import gzip
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import brotli
import pytest
from playwright.sync_api import Browser, Locator, Page, Playwright, Route, expect

from armybuilder.compression import compress_by_brotli
from catalogue.formats.packs.load import SHIPPED
from tests.browser.builder import Builder, settle
from tests.browser.conftest import CHROMIUM, QUIET
from tests.catalogue.import_bytes import import_bytes
from tests.shipped_packs import install_shipped

MOST_BYTES = 100_000
"""Without fonts, packed, of a small game."""
MOST_BYTES_OF_ALL = 120_000
"""Of the largest of the packs; community data is no larger, as what units are found by is a file of its own."""
MOST_REQUESTS, MOST_BYTES_COLD = 20, 150_000
"""Of a browser that has nothing of the site yet, fonts and the picture in the tab included."""
KILL_TEAM = Path(os.environ.get("ARMYBUILDER_SHARED", "absent"), "bsdata", "wh40k-killteam-v1.4.16.zip")
LATE = 700
"""Milliseconds by which answers are held back that nobody waits for: whatever they move is then theirs."""
HOLD = f"""
const ask = window.fetch;
window.held = 0;
window.heldAt = performance.now();
window.fetch = async (target, options) => {{
  const isLate = /\\/(deeds|outlook|ways)\\//.test(target.url ?? target) && (options?.method ?? "GET") === "GET";
  if (!isLate) return ask(target, options);
  window.held += 1;
  await new Promise((goOn) => setTimeout(goOn, {LATE}));
  return ask(target, options).finally(() => {{
    window.held -= 1;
    window.heldAt = performance.now();
  }});
}};
"""
WATCH = """
window.shifts = [];
const nameRegion = (node) => {
  const part = node?.nodeType === 1 ? node : node?.parentElement;
  const region = part?.closest("#picks, #roster, #why, #dock, .b-band, .foot");
  return `${region?.id || region?.className}: ${part?.id || part?.className} ${part?.textContent.trim().slice(0, 30)}`;
};
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) window.shifts.push(...entry.sources.map(({ node }) => nameRegion(node)));
}).observe({ type: "layout-shift", buffered: true });
"""
"""Every shift counts, also those that browsers forgive because somebody has just clicked."""
ANSWERED = """() => new Promise((goOn) => {
  const look = () => (window.held === 0 && performance.now() - window.heldAt > 500 ? goOn() : setTimeout(look, 50));
  look();
})"""
PAINTED = "() => new Promise((goOn) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(goOn, 50))))"


def begin(builder: Builder) -> None:
    """Break the list, so that buttons which mend it arrive after the page."""
    for name in ("Wärden", "Giants", "Giants"):
        builder.take(name)
    settle(builder.page)


@pytest.fixture(scope="module")
def browser(driver: Playwright) -> Iterator[Browser]:
    """Start the browser that readers have: without windows it counts other shifts."""
    with driver.chromium.launch(executable_path=CHROMIUM, args=QUIET) as started:
        yield started


def weigh_page(page: Page) -> dict[str, int]:
    """Open the page that is open once more, by a browser that has the fonts; return the bytes of its parts.

    Answers are read on their way: browsers forget bodies that nobody asked for in time.
    """
    weights: dict[str, int] = {}

    def weigh(route: Route) -> None:
        answer = route.fetch()
        if answer.status == 200 and not answer.url.endswith(".woff2"):
            weights[answer.url] = len(gzip.compress(answer.body()))
        route.fulfill(response=answer)

    address = page.url
    page.goto("/credits/")
    settle(page)
    page.route("**/*", weigh)
    page.goto(address)
    settle(page)
    page.unroute_all(behavior="wait")
    return weights


def weigh_cold(visit: Callable[..., Page], warm: Page) -> dict[str, int]:
    """Open the page that is open in a browser that has only the player's cookies; return the packed bytes of its parts.

    Files are packed as WhiteNoise packs them, pages as our middleware does.
    """
    weights: dict[str, int] = {}

    def weigh(route: Route) -> None:
        answer = route.fetch()
        body = answer.body()
        if not answer.url.endswith(".woff2"):
            body = brotli.compress(body) if "/static/" in answer.url else compress_by_brotli(body)
        weights[answer.url] = len(body)
        route.fulfill(response=answer)

    page = visit(storage_state=warm.context.storage_state())
    page.route("**/*", weigh)
    page.goto(warm.url)
    settle(page)
    page.evaluate("() => document.fonts.ready.then(() => true)")
    page.unroute_all(behavior="wait")
    return weights


def test_the_builder_is_light(builder: Builder) -> None:
    begin(builder)
    weights = weigh_page(builder.page)
    assert any(".css" in url for url in weights)
    assert sum(weights.values()) < MOST_BYTES, sorted(weights.items(), key=lambda item: -item[1])


def test_the_builder_of_a_large_game_is_light(visit: Callable[..., Page], transactional_db: None) -> None:
    page = start_large(visit)
    page.locator(".p-line .add").first.click()
    page.locator(".unit .name").first.click()
    expect(page.locator(".opts")).to_be_visible()
    weights = weigh_page(page)
    assert any(".css" in url for url in weights)
    assert sum(weights.values()) < MOST_BYTES_OF_ALL, sorted(weights.items(), key=lambda item: -item[1])
    check_cold(visit, page)


@pytest.mark.skipif(not KILL_TEAM.exists(), reason="ARMYBUILDER_SHARED has no community data")
def test_the_builder_of_an_imported_game_is_light(visit: Callable[..., Page], transactional_db: None) -> None:
    assert import_bytes(KILL_TEAM.name, KILL_TEAM.read_bytes()).version
    page = start(visit, "warhammer-40000-kill-team-2018")
    check_cold(visit, page)


def check_cold(visit: Callable[..., Page], warm: Page) -> None:
    weights = weigh_cold(visit, warm)
    assert sum("/icons/emblems" in url for url in weights) == 1
    assert len(weights) <= MOST_REQUESTS, "\n".join(sorted(weights))
    assert sum(weights.values()) < MOST_BYTES_COLD, sorted(weights.items(), key=lambda item: -item[1])


def start_large(visit: Callable[..., Page]) -> Page:
    """Start a list of the game whose pages are the largest."""
    install_shipped(SHIPPED / "wh40k" / "ninth")
    return start(visit, "maelstrom-of-war-9e")


def start(visit: Callable[..., Page], game: str) -> Page:
    page = visit()
    page.goto(f"/rosters/new/?game={game}")
    page.get_by_role("button", name="Build list").click()
    page.wait_for_url(lambda address: "/new/" not in address)
    settle(page)
    return page


class Watched:
    """A builder of which is known what moved, by the region of the page that it is in."""

    def __init__(self, page: Page) -> None:
        self.page = page
        page.add_init_script(HOLD)
        page.add_init_script(WATCH)

    def load_anew(self) -> None:
        """Load the page anew, with its fonts: browsers may paint before they have them."""
        self.page.reload()
        self.page.evaluate("() => document.fonts.ready.then(() => true)")
        self.take_shifts()

    def take_shifts(self) -> set[str]:
        """Return what has moved since the last look."""
        self.page.evaluate(PAINTED)
        return set(self.page.evaluate("window.shifts.splice(0)"))

    def wait_late(self) -> set[str]:
        """Wait for all that comes by itself; return what moved by it."""
        expect(self.page.locator(".do.due, .looking, .ways[inert]")).to_have_count(0)
        self.page.evaluate(ANSWERED)
        settle(self.page)
        return self.take_shifts()

    def edit(self, target: Locator) -> set[str]:
        """Click on what makes a step of the list; return the regions in which something moved by the answer to it."""
        state = self.page.locator("#state")
        revision = str(state.get_attribute("data-revision"))
        target.click()
        expect(state).not_to_have_attribute("data-revision", revision)
        return {shift.split(":")[0] for shift in self.take_shifts()}


@pytest.mark.complete
def test_nothing_moves_when_fragments_arrive(builder: Builder) -> None:
    watched = Watched(builder.page)
    watched.load_anew()
    assert watched.wait_late() == set()
    # What a step of the list moves is the list and what is said of it, never what is under the pointer.
    for name in ("Cutters", "Giants", "Crew"):
        assert watched.edit(builder.offer(name).locator(".add")) <= {"roster", "why"}, name
        assert watched.wait_late() == set(), name
    watched.load_anew()
    assert watched.wait_late() == set()
    assert watched.edit(builder.page.locator("#verdict .do form button").first) <= {"roster", "why"}
    assert watched.wait_late() == set()
    assert watched.edit(builder.page.get_by_role("button", name="Undo")) <= {"roster", "why"}
    assert watched.wait_late() == set()


@pytest.mark.complete
def test_nothing_moves_in_a_large_game(visit: Callable[..., Page], transactional_db: None) -> None:
    page = start_large(visit)  # with its fonts
    watched = Watched(page)
    watched.load_anew()
    assert watched.wait_late() == set()
    for name in ("Overlord", "Lord", "Immortals"):
        line = page.locator("#offers li").filter(has=page.locator(".nm", has_text=re.compile(f"^{name}$")))
        assert watched.edit(line.locator(".add")) <= {"roster", "why"}, name
        assert watched.wait_late() == set(), name
    page.locator(".unit .name").first.click()
    expect(page.locator(".opts")).to_be_visible()
    assert {shift.split(":")[0] for shift in watched.take_shifts()} <= {"roster"}
    assert watched.wait_late() == set()
    page.get_by_role("searchbox").fill("lych")
    assert {shift.split(":")[0] for shift in watched.take_shifts()} <= {"picks"}
    assert watched.wait_late() == set()


def test_nothing_moves_outside_the_picker_by_another_detachment(builder: Builder) -> None:
    page = builder.page
    page.get_by_text("Add detachment").click()
    page.get_by_role("button", name="Add: Column").click()
    expect(page.locator(".det")).to_have_count(2)
    watched = Watched(page)
    watched.load_anew()
    assert watched.wait_late() == set()
    builder.into(0)
    assert {shift.split(":")[0] for shift in watched.take_shifts()} <= {"picks"}
    assert watched.wait_late() == set()
