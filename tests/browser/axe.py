"""What axe says about a page, in the light and in the dark."""

from pathlib import Path
from typing import Any

from playwright.sync_api import Page

AXE = Path(__file__).parents[1] / "vendor" / "axe.min.js"
SEVERE = {"moderate", "serious", "critical"}
# Nothing but colours differs in the dark.
LOOKS = {"dark": {"runOnly": ["color-contrast"]}, "light": {}}


def findings(page: Page) -> list[str]:
    """What axe finds, as one line each. Leaves the page in the light."""
    page.add_script_tag(path=AXE)
    found = []
    for look, options in LOOKS.items():
        page.emulate_media(color_scheme=look)
        said: dict[str, Any] = page.evaluate(
            "(options) => axe.run(document, {resultTypes: ['violations'], ...options})", options
        )
        found += [
            f"{page.url} ({look}) {broken['id']}: {node['html'][:200]}"
            for broken in said["violations"]
            if broken["impact"] in SEVERE
            for node in broken["nodes"]
        ]
    return found


def look_at(page: Page, addresses: list[str]) -> list[str]:
    found = []
    for address in addresses:
        page.goto(address)
        found += findings(page)
    return found
