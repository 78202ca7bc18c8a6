"""From the front page to "Legal" in each game, in as few clicks as a first list may cost, on a desk and on a phone."""

import os
import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from catalogue.formats.packs.load import SHIPPED
from roster.services.rosters import load_example
from tests.browser.builder import settle
from tests.browser.conftest import DESK, PHONE
from tests.catalogue.battlescribe_files import game_files, packed, unit
from tests.catalogue.import_bytes import import_bytes
from tests.roster.deck_owner import DAWNFALL
from tests.shipped_packs import install_shipped

GAMES = {
    "maelstroms-edge-1e": ("maelstroms_edge/first", ("Militus Warrior Prime", "Militus Warrior"), 4),
    "maelstroms-edge-2e": ("maelstroms_edge/second", ("Militus Warrior Prime", "Militus Warrior"), 4),
    "reeds-and-rust": ("reeds_and_rust/first", ("Lock Warden", "Reed Cutters"), 4),
    "warzone-resurrection": ("warzone/resurrection", ("Venusian Kapitan", "Hussars", "Hussars"), 5),
    "maelstrom-of-war-9e": ("wh40k/ninth", ("Overlord", "Lord", "Immortals", "Immortals", "Immortals"), 9),
}
"""The folder of each pack, what the first faction begins with, and how many clicks are enough on a desk."""
ONE_FORCE = '<forceEntries><forceEntry id="flock" name="Flock" hidden="false"/></forceEntries>'
WIDTHS = [pytest.param(DESK, id="desk"), pytest.param(PHONE, id="phone", marks=pytest.mark.complete)]

MOST_MENDS = 30
"""Clicks that a list may need at the very most."""


class Hand:
    """Somebody who clicks, and how often."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.clicks = 0
        self.is_phone = page.viewport_size == PHONE
        page.goto("/")

    def click(self, target: Locator) -> None:
        target.click()
        self.clicks += 1
        settle(self.page)

    def start(self, game: str) -> None:
        self.click(self.page.locator(f".tile[href$='game={game}']"))
        self.click(self.page.get_by_role("button", name="Build list"))

    def take(self, *names: str) -> None:
        """Take units; on a phone what may be taken comes up from below."""
        if self.is_phone:
            self.click(self.page.locator("#dock-add"))
        for name in names:
            exactly = self.page.locator(".nm", has_text=re.compile(f"^{name}$"))
            self.edit(self.page.locator("#offers li").filter(has=exactly).first.locator(".add"))

    def edit(self, target: Locator) -> None:
        """Click on what makes a step of the list, and wait for it."""
        state = self.page.locator("#state")
        revision = str(state.get_attribute("data-revision"))
        self.click(target)
        expect(state).not_to_have_attribute("data-revision", revision)

    def mend(self) -> None:
        """Do what the page offers first until the list is legal."""
        if self.is_legal:
            return
        if self.is_phone:
            self.click(self.page.locator("#dock .done"))
        deeds = self.page.locator("#strip form button" if self.is_phone else "#verdict .do form button")
        for _ in range(MOST_MENDS):
            if self.is_legal:
                return
            self.edit(deeds.first)

    @property
    def is_legal(self) -> bool:
        return "Legal" in str(self.page.locator("#verdict h2").text_content())


@pytest.mark.parametrize("viewport", WIDTHS)
@pytest.mark.parametrize("game", GAMES)
def test_a_first_list_is_legal_soon(visit, transactional_db, game: str, viewport: dict[str, int]) -> None:
    folder, units, most = GAMES[game]
    install_shipped(SHIPPED / folder)
    hand = Hand(visit(viewport=viewport, tour=True))
    hand.start(game)
    hand.take(*units)
    hand.mend()
    # A phone opens what may be taken.
    assert hand.clicks <= most + hand.is_phone


@pytest.mark.parametrize("viewport", WIDTHS)
def test_a_deck_is_filled_from_a_ready_one(visit, transactional_db, viewport: dict[str, int]) -> None:
    install_shipped(DAWNFALL)
    load_example(DAWNFALL / "lists" / "chapter-first-deck.yaml", SHIPPED)
    hand = Hand(visit(viewport=viewport, tour=True))
    hand.start("edge-dawnfall")
    page = hand.page
    hand.take("Angel of Death")
    if hand.is_phone:
        hand.click(page.locator("#dock .done"))
        hand.click(page.locator("#dock-why"))
    hand.click(page.get_by_role("link", name="Open deck"))
    hand.click(page.get_by_role("button", name="Fill from First deck of the Chapter"))
    expect(page.locator("#deck-verdict")).to_contain_text("25/ 25 cards")
    expect(page.locator("#deck-verdict .fix .mark.legal")).to_be_visible()
    assert hand.clicks <= 10
    if not hand.is_phone:
        page.get_by_role("button", name="Draw 3").click()
        expect(page.locator("#hand .face")).to_have_count(3)


KILL_TEAM = Path(os.environ.get("ARMYBUILDER_SHARED", "absent"), "bsdata", "wh40k-killteam-v1.4.16.zip")


@pytest.mark.skipif(not KILL_TEAM.exists(), reason="ARMYBUILDER_SHARED has no community data")
@pytest.mark.parametrize("viewport", WIDTHS)
def test_a_list_of_community_data_is_legal_soon(visit, transactional_db, viewport: dict[str, int]) -> None:
    assert import_bytes(KILL_TEAM.name, KILL_TEAM.read_bytes()).version
    hand = Hand(visit(viewport=viewport, tour=True))
    hand.start("warhammer-40000-kill-team-2018")
    expect(hand.page.locator("#verdict h2")).to_contain_text("Empty")
    hand.take("Sister Repentia")
    hand.mend()
    # The data asks for somebody of each kind that a kill team has to have.
    assert hand.clicks <= 7 + hand.is_phone


@pytest.mark.parametrize("viewport", WIDTHS)
def test_a_list_of_an_imported_game_is_legal_soon(visit, transactional_db, viewport: dict[str, int]) -> None:
    at_least_one = '<constraint id="least" type="min" field="selections" scope="roster" value="1"/>'
    files = game_files(unit(f"<constraints>{at_least_one}</constraints>"), ONE_FORCE)
    assert import_bytes("ducks.zip", packed(files)).version
    hand = Hand(visit(viewport=viewport, tour=True))
    hand.start("ducks-and-drakes")
    hand.take("Duck")
    hand.mend()
    assert hand.clicks <= 5
