"""Chromium on pages of the running app. One browser for all tests of a process, a fresh context for each."""

import faulthandler
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Playwright, expect, sync_playwright

from tests.browser.builder import Builder, settle
from tests.extent import QUICK
from tests.roster.small_game import installed

CHROMIUM = "/usr/bin/chromium"
WITHOUT_WINDOWS = shutil.which("chromium-headless-shell") or CHROMIUM
"""Takes a third less time, but counts other shifts of the layout."""
QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
PATIENCE = 20_000
"""Milliseconds: a busy machine is not a bug."""
LONGEST_END = 300
"""Seconds in which all pages of a test are closed."""
DESK = {"width": 1280, "height": 900}
PHONE = {"width": 390, "height": 844}

collect_ignore_glob = ["test_*.py"] if QUICK else []


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session")
def driver() -> Iterator[Playwright]:
    with sync_playwright() as playwright:
        expect.set_options(timeout=PATIENCE)
        yield playwright


@pytest.fixture(scope="session")
def browser(driver: Playwright) -> Iterator[Browser]:
    with driver.chromium.launch(executable_path=WITHOUT_WINDOWS, args=QUIET) as started:
        yield started


@pytest.fixture
def visit(browser: Browser, live_server: Any) -> Iterator[Callable[..., Page]]:
    """Opens pages in a fresh browser; fails the test that leaves an error in its console."""
    contexts, complaints = [], []

    def opened(**options: Any) -> Page:
        options = {"viewport": DESK, "base_url": live_server.url, "reduced_motion": "reduce"} | options
        # Tests of anything else see what the server answers, not what a worker kept.
        options = {"service_workers": "block"} | options
        tour, cut_off = options.pop("tour", False), options.pop("cut_off", False)
        contexts.append(browser.new_context(**options))
        if not tour:
            contexts[-1].add_init_script("localStorage.setItem('tour', 'yes')")
        page = contexts[-1].new_page()
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        # Without a network the browser names each address that it did not reach.
        if not cut_off:
            page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
        return page

    yield opened
    # After a failure pytest no longer limits how long a test takes, and a browser may never close a page.
    faulthandler.dump_traceback_later(LONGEST_END, exit=True)
    for page in (page for context in contexts for page in context.pages):
        # An answer under way would write into a database that the next test begins with.
        settle(page)
    expected = "the server responded with a status of 4"
    wrong = [text for text in complaints if expected not in text]
    for context in contexts:
        for page in context.pages:
            page.unroute_all(behavior="ignoreErrors")
        context.close()
    assert not wrong


@pytest.fixture
def builder(visit: Callable[..., Page], transactional_db: None) -> Builder:
    """A list of Fenland's Marsh Folk with one detachment, on a wide screen."""
    installed()
    return Builder(visit()).start()
