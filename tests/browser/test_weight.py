"""What the builder weighs on the wire, and how little of it moves when a fragment arrives."""

import gzip

from playwright.sync_api import Response, expect

from tests.browser.builder import Builder, settle

MOST_BYTES = 100_000
"""Without fonts, packed. The aim is 120 kB for the largest game, whose page is 20 kB heavier than this one."""
MOST_SHIFT = 0.02
"""The buttons that mend a list push what is below them in the verdict: 0.011 of the screen; a tenth is called bad."""
WATCH = """
window.shifts = [];
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) {
    if (entry.hadRecentInput) continue;
    const names = entry.sources.map(({ node }) => node?.id || node?.className || node?.nodeName);
    window.shifts.push([entry.value, names.join(" ")]);
  }
}).observe({ type: "layout-shift", buffered: true });
"""


def begin(builder: Builder) -> None:
    """Break the list, so that buttons which mend it arrive after the page."""
    for name in ("Wärden", "Giants", "Giants"):
        builder.take(name)
    settle(builder.page)


def test_the_builder_is_light(builder: Builder) -> None:
    begin(builder)
    answers: list[Response] = []
    address = builder.page.url
    builder.page.goto("/credits/")
    settle(builder.page)
    builder.page.on("response", lambda answer: answers.append(answer))
    builder.page.goto(address)
    settle(builder.page)
    weights = {
        answer.url: len(gzip.compress(answer.body()))
        for answer in answers
        if answer.status == 200 and not answer.url.endswith(".woff2")
    }
    assert any(".css" in url for url in weights)
    assert sum(weights.values()) < MOST_BYTES, sorted(weights.items(), key=lambda item: -item[1])


def test_hardly_anything_moves_when_fragments_arrive(builder: Builder) -> None:
    begin(builder)
    page = builder.page
    page.add_init_script(WATCH)
    page.reload()
    expect(page.locator("#verdict .fix form button").first).to_be_visible()
    settle(page)
    page.wait_for_timeout(600)
    shifts = page.evaluate("window.shifts")
    assert sum(value for value, _ in shifts) < MOST_SHIFT, shifts
