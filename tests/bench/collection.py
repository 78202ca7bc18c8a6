"""Measure the page of a collection of 3,000 models, and an edit that shows only owned units of it."""

import html
import re
from collections.abc import Iterator, Sequence

from playwright.sync_api import Browser, Page, sync_playwright

from tests.bench.benchmark import Figure, Times, Yardstick, benchmark, measure, or_least
from tests.bench.browser import LARGEST, PRESS, UNITS
from tests.bench.builder_edit import Builder
from tests.bench.fifteen_units import DETACHMENTS, FACTION, GAME
from tests.bench.paper import CHROMIUM
from tests.bench.serving import Visitor, serve_app

KINDS, OF_EACH = 300, 10
STATES = ("sprue", "built", "primed", "painted", "based")
PRICED = re.compile(
    r'data-cost="[1-9][^>]*>\s*<button\s+class="add"\s+id="[^"]+"\s+name="entry"\s+value="([^"]+)".*?class="nm"\s*>([^<]+)<',
    re.DOTALL,
)
"""An offered unit that costs points: its entry and its name."""
TAKE_BACK = """async () => {
  const points = () => document.querySelector("#dock-why .big").textContent;
  const before = points(), begin = performance.now();
  document.querySelector("#b-undo").click();
  while (points() === before || document.querySelector(".htmx-request")) {
    if (performance.now() - begin > 20_000) throw new Error("a step is not taken back");
    await new Promise((done) => setTimeout(done, 5));
  }
  await new Promise((done) => setTimeout(done, 200));
}"""
"""Undo, and let the page settle."""


def fill_collection(visitor: Visitor, game: str, faction: str, names: Sequence[str] = ()) -> str:
    """Start a collection with some kinds of model and many others; return the address of its page."""
    visitor.post("/collections/", {"faction": f"{game}:{faction}"})
    found = re.search(rb'href="(/collections/[\w-]{22}/)"', visitor.get("/collections/")[1])
    assert found is not None
    page = found.group(1).decode()
    kinds = [*names, *(f"Kind {number}" for number in range(or_least(KINDS, 3) - len(names)))]
    rows = [f"{name},{OF_EACH},{STATES[number % len(STATES)]}" for number, name in enumerate(kinds)]
    assert visitor.post(f"{page}import/", {"text": "\n".join(rows)})[0] == 303
    return page


@benchmark("collection")
def open_collection() -> Iterator[Figure]:
    with serve_app() as address:
        visitor = Visitor(address)
        builder = Builder(visitor)
        builder.look()
        for units in DETACHMENTS:
            detachment = builder.add_detachment()
            for unit in units:
                builder.edit(do="add-unit", node=detachment, entry=unit)
        page = fill_collection(visitor, GAME, FACTION)
        assert visitor.post(page, {"do": "lists", "list": builder.address.strip("/").rpartition("/")[2]})[0] == 303

        def look() -> None:
            status, body = visitor.get(page)
            assert status == 200
            assert b"Kind 2" in body

        times = measure(look, times=40)
        yield Figure(f"a collection of {KINDS * OF_EACH:,} models, compared with a list", times, at_most=15)


@benchmark("owned")
def edit_with_owned_units() -> Iterator[Figure]:
    """In a browser: the same list of an owner who sees only owned units, and of one without a collection, in turns."""
    game, faction, detachment = or_least(LARGEST, (GAME, FACTION, "standard"))
    with serve_app() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        pages = []
        for owns in (True, False):
            builder = Builder(Visitor(address), game, faction, "2000")
            node = builder.add_detachment(detachment)
            offered = PRICED.findall(builder.look().decode())
            for entry, _name in offered[: or_least(UNITS, 1)]:
                builder.edit(do="add-unit", node=node, entry=entry)
            offered = PRICED.findall(builder.look().decode())
            if owns:
                names = [html.unescape(name) for _entry, name in offered[len(offered) // 2 :]]
                fill_collection(builder.visitor, game, faction, names)
            pages.append(_open(browser, builder, only_owned=owns))
        entry = offered[-1][0]
        taken: list[list[float]] = [[], []]
        for number in range(or_least(40, 1)):
            for turn in (0, 1) if number % 2 else (1, 0):
                pages[turn].bring_to_front()
                taken[turn].append(pages[turn].evaluate(PRESS, entry)[1])
                pages[turn].evaluate(TAKE_BACK)
        browser.close()
    with_owned, without = (Times(tuple(sorted(seconds))) for seconds in taken)
    yardstick = Yardstick("edits without it", without.p50)
    yield Figure(f"an edit that shows only owned units, {KINDS * OF_EACH:,} models", with_owned, 1.05, yardstick)


def _open(browser: Browser, builder: Builder, *, only_owned: bool) -> Page:
    site = f"http://{builder.visitor.connection.host}:{builder.visitor.connection.port}"
    context = browser.new_context(base_url=site, viewport={"width": 1280, "height": 900}, service_workers="block")
    cookies = builder.visitor.cookies.items()
    context.add_cookies([{"name": name, "value": value, "url": site} for name, value in cookies])
    kept = "; localStorage.setItem('only-owned', 'yes')" if only_owned else ""
    context.add_init_script(f"localStorage.setItem('tour', 'yes'){kept}")
    page = context.new_page()
    page.goto(builder.address)
    page.wait_for_load_state("networkidle")
    if only_owned:
        page.locator("#offers [data-owned]").first.wait_for(state="attached")
    return page
