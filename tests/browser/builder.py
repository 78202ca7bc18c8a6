"""What somebody does at the builder, in their words."""

import re
from collections.abc import Callable
from typing import Any, Self

from playwright.sync_api import Locator, Page, Route, expect

from roster.play.models import Game


def settle(page: Page) -> None:
    """Wait until the page and its scripts are there, and no answer to what was done before is under way."""
    page.wait_for_load_state("load")
    expect(page.locator(".htmx-request, [aria-busy=true]")).to_have_count(0)


def intercept(
    page: Page, address: str | re.Pattern[str], handle: Callable[[Route], Any], times: int | None = None
) -> None:
    """Handle the page's requests to an address from now on.

    For a moment after `route` returns, Chromium may still send requests past it, so a request that nobody else makes is
    repeated until it is caught.
    """
    probe = "/intercepted/"
    page.route(f"**{probe}", lambda route: route.fulfill(body=""))
    page.evaluate(
        """async (probe) => {
            while (!(await fetch(probe, { method: "POST" })).ok) await new Promise((done) => setTimeout(done, 20));
        }""",
        probe,
    )
    page.route(address, handle, times=times)
    page.unroute(f"**{probe}")


class Builder:
    """The builder in a browser."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def start(self, name: str = "Low water", limit: str = "", detachment: str = "Column") -> Self:
        page = self.page
        page.goto("/rosters/new/?game=fenland")
        page.get_by_role("radio", name=re.compile("Marsh Folk")).check()
        page.get_by_label("Name").fill(name)
        page.locator("#limit").fill(limit)
        page.get_by_role("button", name="Build list").click()
        settle(page)
        page.get_by_role("button", name=f"Add: {detachment}").click()
        expect(page.get_by_role("heading", name=detachment)).to_be_visible()
        settle(page)
        return self

    def offer(self, name: str) -> Locator:
        return self.page.locator("#offers li", has_text=name)

    def take(self, name: str) -> None:
        """Take one more of what is on offer, also where the page advises against it."""
        settle(self.page)
        rows = self.rows.count()
        self.offer(name).first.locator(".add").click()
        # Whether the page advises against it may have become known after the last answer.
        anyway = self.page.get_by_role("button", name="Add anyway")
        expect(anyway.or_(self.rows.nth(rows)).first).to_be_visible()
        if anyway.is_visible():
            anyway.click()
        expect(self.rows).to_have_count(rows + 1)

    def into(self, which: int) -> Locator:
        """Add to that detachment, still empty, from here on."""
        detachment = self.page.locator(".det").nth(which)
        self.page.locator(".into > a").nth(which).click()
        expect(self.page.locator(".into > a").nth(which)).to_have_attribute("aria-current", "true")
        return detachment

    @property
    def rows(self) -> Locator:
        return self.page.locator(".unit")

    def row(self, name: str, which: int = 0) -> Locator:
        heading = self.page.locator(".name", has_text=re.compile(f"^{re.escape(name)}$"))
        return self.rows.filter(has=heading).nth(which)

    def open(self, name: str, which: int = 0) -> Locator:
        settle(self.page)
        row = self.row(name, which)
        row.locator(".name").click()
        expect(row.locator(".opts")).to_be_visible()
        return row

    def menu(self, name: str, act: str, which: int = 0) -> None:
        settle(self.page)
        row = self.row(name, which)
        row.locator(".menu > summary").click()
        row.locator(".menu").get_by_role("button", name=act).click()

    def verdict_is(self, word: str) -> None:
        expect(self.page.locator("#verdict h2")).to_have_text(re.compile(word))

    def points_are(self, points: str) -> None:
        expect(self.page.locator("#verdict .total")).to_have_text(re.compile(rf"^\s*{re.escape(points)}\b"))

    def names_are(self, *names: str) -> None:
        expect(self.page.locator(".unit .name")).to_have_text(names)


def play(page: Page, link: str) -> list[str]:
    """Begin a game with the list of a link; return the addresses of its pages."""
    page.goto(link.replace("/r/", "/play/new/"))
    new = page.url
    page.locator("main form .btn.main").click()
    page.locator("#taps").wait_for()
    game, watched = page.url.split("?")[0], f"/g/{Game.objects.latest('pk').link_id}/"
    of_game = [game, f"{game}units/", f"{game}invite/", f"{game}end/", watched, f"{watched}units/", f"{watched}log/"]
    return [new, *of_game, "/play/record/", "/play/by-hand/"]
