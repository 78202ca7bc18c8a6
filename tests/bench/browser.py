"""Measure the builder in a phone's browser with an empty cache: slow 4G, a quarter of the processor."""

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

from tests.bench.benchmark import Figure, Times, Yardstick, benchmark, measure, or_least
from tests.bench.builder_edit import ANY_OFFERED, Builder
from tests.bench.fifteen_units import FACTION, GAME
from tests.bench.offline_tap import SLOWER
from tests.bench.paper import CHROMIUM
from tests.bench.serving import Visitor, serve_app

PHONE = {"width": 390, "height": 844}
SLOW_4G = {"offline": False, "latency": 562.5, "downloadThroughput": 180_000, "uploadThroughput": 84_375}
"""As Chromium's developer tools slow a page down: latency in milliseconds, bytes per second."""
KILOBYTE, MILLISECOND = 1000, 0.001
FIRST_PAINT, HEARD, TOTAL = 2500, 100, 1200
REQUESTS, WEIGHT = 20, 150
LARGEST = ("maelstrom-of-war-9e", "necrons", "battalion")
"""Game, faction and detachment of the packs with the largest pages."""
UNITS = 12

PAINT = """() => new Promise((answer) => new PerformanceObserver((list) => {
  const paint = list.getEntriesByName("first-contentful-paint")[0];
  if (paint) answer(paint.startTime / 1000);
}).observe({ type: "paint", buffered: true }))"""
PRESS = """async (entry) => {
  const points = () => document.querySelector("#dock-why .big").textContent;
  const button = document.querySelector(`#offers .add[value="${entry}"]`);
  const base = button.querySelector(".base"), before = points(), begin = performance.now();
  const painted = () => new Promise((done) => { requestAnimationFrame(() => setTimeout(done)); });
  button.click();
  do await painted(); while (!base.dataset.heard && performance.now() - begin < 20_000);
  const heard = performance.now() - begin;
  while (points() === before && performance.now() - begin < 20_000) await painted();
  return [heard / 1000, (performance.now() - begin) / 1000];
}"""


class ColdVisit(NamedTuple):
    """A first visit: times in seconds, and bytes of compressed bodies, without headers."""

    requests: int
    bytes: int
    first_paint: float
    heard: float
    total: float


def slow_down(page: Page) -> CDPSession:
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", SLOW_4G)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    return session


def visit_cold(browser: Browser, builder: Builder, entry: str) -> ColdVisit:
    """Open the builder and add a unit to its list, in a browser that has only the player's cookies."""
    site = f"http://{builder.visitor.connection.host}:{builder.visitor.connection.port}"
    cookies = builder.visitor.cookies.items()
    # The worker loads what pages need without a network, after the page and not slowed down.
    context = browser.new_context(viewport=PHONE, service_workers="block")
    context.add_cookies([{"name": name, "value": value, "url": site} for name, value in cookies])
    context.add_init_script("localStorage.setItem('tour', 'yes')")
    page = context.new_page()
    session = slow_down(page)
    addresses: set[str] = set()
    bodies: list[int] = []
    session.on("Network.requestWillBeSent", lambda event: addresses.add(event["request"]["url"]))
    session.on("Network.dataReceived", lambda event: bodies.append(int(event["encodedDataLength"])))
    page.goto(site + builder.address, timeout=60_000)
    first_paint = float(page.evaluate(PAINT))
    page.evaluate("() => document.fonts.ready.then(() => true)")
    page.wait_for_load_state("networkidle")
    requests, weight = len(addresses), sum(bodies)
    heard, total = page.evaluate(PRESS, entry)
    context.close()
    return ColdVisit(requests, weight, first_paint, heard, total)


@benchmark("browser")
def open_builder_cold() -> Iterator[Figure]:
    with serve_app(collected=True) as address, sync_playwright() as playwright:
        game, faction, detachment = or_least(LARGEST, (GAME, FACTION, "standard"))
        builder = Builder(Visitor(address), game, faction, "2000")
        node = builder.add_detachment(detachment)
        for unit in list(dict.fromkeys(ANY_OFFERED.findall(builder.look())))[: or_least(UNITS, 1)]:
            builder.edit(do="add-unit", node=node, entry=unit.decode())
        entry = ANY_OFFERED.findall(builder.look())[-1].decode()
        add = partial(builder.edit, do="add-unit", node=node, entry=entry)
        take_back = partial(builder.edit, do="undo")
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        visits = []
        for _ in range(or_least(5, 1)):
            visits.append(visit_cold(browser, builder, entry))
            builder.look()
            take_back()
        browser.close()
        answer = measure(add, times=20, prepare=take_back).p50
    for name, unit, values, at_most in (
        ("requests of the builder, cold", "requests", [one.requests for one in visits], REQUESTS),
        ("bytes of the builder, cold", "kB", [one.bytes / KILOBYTE for one in visits], WEIGHT),
    ):
        yield Figure(name, Times(tuple(sorted(values))), at_most, Yardstick(unit, 1), unit)
    for name, seconds, at_most in (
        ("its first paint, slow 4G, processor / 4", [one.first_paint for one in visits], FIRST_PAINT),
        ("a press until it is seen", [one.heard for one in visits], HEARD),
        ("a press until its total, without the server's time", [one.total - answer for one in visits], TOTAL),
    ):
        yield Figure(name, Times(tuple(sorted(seconds))), at_most, Yardstick("ms", MILLISECOND))
