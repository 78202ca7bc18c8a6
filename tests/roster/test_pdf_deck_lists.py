"""Decks on paper: cards with copies, figures and required unit; the opponent's copy has only a number."""

import re
from html import unescape
from pathlib import Path

import pytest

from catalogue.formats.packs.load import SHIPPED
from catalogue.graph.ruleset import Ruleset
from roster.engine.evaluate import evaluate
from roster.formats.list_document import BuiltList, ListDocument, Media, build_list, read_list
from roster.pdf.redact import redact_sheet
from roster.pdf.shapes import Imprint, ListSheet
from roster.pdf.sheet_model import build_sheet_model
from roster.pdf.sheet_options import SheetOptions, Style
from roster.pdf.sheet_pages import build_sheet_pages, make_look
from roster.services.deck_board import list_card_needs
from tests.shipped_packs import read_ruleset

pytestmark = pytest.mark.slow

FIRST_DECK = SHIPPED / "edge_dawnfall" / "dawnfall" / "lists" / "chapter-first-deck.yaml"
KEPT_BOOKS = SHIPPED / "reeds_and_rust" / "first" / "lists" / "kept-books.yaml"


def ruleset_of(path: Path) -> Ruleset:
    return read_ruleset(path.parents[1])


def sheet_of(path: Path) -> ListSheet:
    ruleset = ruleset_of(path)
    document = read_list(path.read_bytes(), Media.YAML)
    assert isinstance(document, ListDocument)
    built = build_list(ruleset, document, document.faction.value)
    assert isinstance(built, BuiltList)
    return build_sheet_model(
        evaluate(ruleset, *built),
        Imprint(game="A game"),
        title="A list",
        cite=lambda place: place.page,
        cards=list_card_needs(ruleset),
    )


def page(sheet: ListSheet, style: Style) -> str:
    options = SheetOptions(style=style)
    pages = build_sheet_pages(sheet, options, make_look(sheet, options))
    return unescape(re.sub(r"<[^>]*>", "", "".join(page.content for page in pages)))


def test_the_deck_of_a_list() -> None:
    (deck,) = sheet_of(FIRST_DECK).decks
    assert (deck.name, deck.count, deck.columns, deck.bound) == (
        "Chapter action deck",
        25,
        ("Upper", "Lower", "Paid in"),
        True,
    )
    lines = {line.name: line for line in deck.lines}
    shoot = lines["Dodge / Shoot"]
    assert (shoot.count, shoot.needs, shoot.figures, shoot.keywords) == (4, "Ranger", ("2", "0", "crystal"), ())
    assert lines["Combat / Tactic"].keywords == ("Enhancement",)
    assert [line.needs for line in deck.lines] == sorted(line.needs for line in deck.lines)


def test_cards_that_were_named() -> None:
    (deck,) = sheet_of(KEPT_BOOKS).decks
    fires = next(line for line in deck.lines if line.name == "Bank the fires")
    assert (fires.count, fires.kind, fires.figures, deck.bound) == (2, "Standing order", ("1", "Order"), False)


def test_the_ledger_tells_how_many_cards_there_are() -> None:
    sheet = sheet_of(FIRST_DECK)
    line = next(line for block in sheet.blocks for line in block.lines if line.name == "Chapter action deck")
    assert line.cards == 25


@pytest.mark.parametrize(("style", "told"), [(Style.FULL, True), (Style.SUMMARY, False), (Style.OPPONENT, False)])
def test_the_deck_stands_on_the_whole_sheet_alone(style: Style, told: bool) -> None:
    text = page(sheet_of(FIRST_DECK), style)
    assert "25 cards" in text
    assert ("Dodge / Shoot" in text) is told


def test_no_price_stands_on_the_cards_of_a_game_without_prices() -> None:
    assert {card.cost for card in sheet_of(FIRST_DECK).cards} == {""}


def test_the_modes_of_several_units_are_told_apart_on_one_page() -> None:
    text = page(sheet_of(FIRST_DECK), Style.FULL)
    assert "Flight" in text
    assert "Basic" in text


def test_a_secret_list_tells_nothing_of_its_deck() -> None:
    hidden = redact_sheet(sheet_of(FIRST_DECK))
    assert hidden.decks == ()
    assert {line.cards for block in hidden.blocks for line in block.lines} == {0}
    assert "Dodge / Shoot" not in page(hidden, Style.FULL)
