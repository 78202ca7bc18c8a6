"""Takes the pictures of the documentation from the running app: `make pictures`.

The app is started on an empty database with the packs it comes with; a browser then does what a player would. The
pictures go to docs/pictures/.
"""

import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
PICTURES = ROOT / "docs" / "pictures"
CHROMIUM = "/usr/bin/chromium"
QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-sync",
    "--no-first-run",
]
DESK = {"width": 1280, "height": 820}
PHONE = {"width": 390, "height": 780}
GAME = "reeds-and-rust"
UNITS = ["Lock Warden", "Reed Cutters", "Punt Crew", "Sluice Giants", "Pike Bailiffs", "Pike Bailiffs"]
SHEET_DPI = "60"


@contextmanager
def app() -> Iterator[str]:
    """The app on a database of its own; its address."""
    with tempfile.TemporaryDirectory(prefix="armybuilder-pictures-") as folder, socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        free.close()
        settings = {
            "ARMYBUILDER_VAR": folder,
            "DJANGO_SETTINGS_MODULE": "armybuilder.settings.local",
            "DEBUG": "1",
        }
        environment = {**os.environ, **settings}
        for command in (["migrate", "--verbosity=0"], ["load_packs"], ["load_examples"]):
            subprocess.run([sys.executable, "manage.py", *command], cwd=ROOT, env=environment, check=True)  # noqa: S603 - our own commands
        serve = [sys.executable, "manage.py", "runserver", "--noreload", f"127.0.0.1:{port}"]
        server = subprocess.Popen(serve, cwd=ROOT, env=environment, stderr=subprocess.DEVNULL)  # noqa: S603 - the same
        try:
            address = f"http://127.0.0.1:{port}"
            _wait_for(address)
            yield address
        finally:
            server.terminate()
            server.wait()


def _wait_for(address: str) -> None:
    for _ in range(100):
        try:
            urllib.request.urlopen(address, timeout=5).close()  # noqa: S310 - the server started above
        except OSError:
            time.sleep(0.2)
        else:
            return
    raise SystemExit(f"Nothing answers on {address}")


def open_page(browser: Browser, address: str, **options: object) -> Page:
    page = browser.new_context(base_url=address, reduced_motion="reduce", **options).new_page()
    page.goto("/")
    return page


def shoot(page: Page, name: str) -> None:
    page.mouse.move(0, 0)
    page.screenshot(path=PICTURES / f"{name}.png")


def build(page: Page) -> None:
    """A list with one hammer too many, its cutters open."""
    page.goto(f"/?game={GAME}")
    page.get_by_label("Name").fill("Low water column")
    page.get_by_text("Full game").click()
    page.get_by_role("button", name="Start building").click()
    for count, name in enumerate(UNITS):
        item = page.locator("#offers li", has_text=name)
        page.evaluate("() => { location.hash = '#picks' }")
        barred = item.locator(".anyway")
        (barred if barred.count() else item.locator(".take")).click()
        page.locator(".row").nth(count).wait_for()
    page.evaluate("() => { location.hash = '#roster' }")
    page.locator(".row", has_text="Reed Cutters").locator(".name").click()
    page.get_by_label("Net throwers").check()
    page.locator(".row.open > .what", has_text="Net throwers").wait_for()
    page.evaluate("() => { document.activeElement.blur(); scrollTo(0, 0) }")


def sheet(page: Page) -> None:
    """The first page of the printed sheet."""
    address = page.url.split("?")[0].split("#")[0].replace("/rosters/", "/r/") + "sheet.pdf"
    pdf = PICTURES / "sheet.pdf"
    pdf.write_bytes(page.request.get(address).body())
    shrink = ["pdftoppm", "-png", "-r", SHEET_DPI, "-singlefile", str(pdf), str(PICTURES / "sheet")]
    subprocess.run(shrink, check=True)  # noqa: S603 - poppler, on a file of our own
    pdf.unlink()


def main() -> None:
    PICTURES.mkdir(exist_ok=True)
    with app() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        light = open_page(browser, address, viewport=DESK)
        shoot(light, "front")
        build(light)
        shoot(light, "builder")
        sheet(light)
        dark = open_page(browser, address, viewport=DESK, color_scheme="dark")
        build(dark)
        shoot(dark, "builder-dark")
        phone = open_page(browser, address, viewport=PHONE, has_touch=True, is_mobile=True)
        build(phone)
        shoot(phone, "phone")
        browser.close()


if __name__ == "__main__":
    main()
