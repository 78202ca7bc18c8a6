"""Measure a tap on an offline phone: the time until it is visible, with a processor slowed to a quarter."""

from collections.abc import Iterator

from playwright.sync_api import Page, sync_playwright

from tests.bench.benchmark import Figure, Times, Yardstick, benchmark, or_least
from tests.bench.game_taps import find_list
from tests.bench.paper import CHROMIUM
from tests.bench.serving import Visitor, serve_app

SLOWER = 4
TAP = """async (times) => {
  const taken = [], shown = document.querySelector("header [data-total='0']");
  const button = document.querySelector("[data-round-op][value$=' 1']");
  for (let at = 0; at < times; at += 1) {
    const before = shown.textContent, begin = performance.now();
    button.click();
    if (shown.textContent === before) throw new Error("a tap is not seen at once");
    await new Promise((done) => { requestAnimationFrame(() => setTimeout(done)); });
    taken.push((performance.now() - begin) / 1000);
  }
  return taken;
}"""


def begin_game(page: Page, link: str) -> None:
    page.goto("/credits/")
    page.wait_for_function("() => navigator.serviceWorker.controller?.state === 'activated'")
    page.goto(f"/play/new/{link}/")
    page.locator("main form button.main").last.click()
    page.locator("#taps").wait_for()
    while not page.evaluate("async () => Boolean(await caches.match(location.href))"):
        page.wait_for_timeout(50)
    page.context.set_offline(True)
    page.reload()
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})


@benchmark("offline")
def tap_without_network() -> Iterator[Figure]:
    with serve_app() as address, sync_playwright() as playwright:
        link = find_list(Visitor(address))
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        phone = {"width": 390, "height": 844}
        page = browser.new_context(base_url=f"http://{address[0]}:{address[1]}", viewport=phone).new_page()
        begin_game(page, link)
        taken = page.evaluate(TAP, or_least(100, 2))
        browser.close()
    times = Times(tuple(sorted(taken)))
    yield Figure(
        "p95 of a tap until it is seen, offline, processor / 4", times, 100, Yardstick("ms", 0.001), share=0.95
    )
