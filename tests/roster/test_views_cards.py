"""Card PDFs of a game's missions, a faction's deck or a list. Bad input gets a reason and no file."""

import io

import pytest
from django.test import Client
from pypdf import PdfReader
from pytest_django import DjangoAssertNumQueries

from catalogue.formats.packs.load import SHIPPED
from roster.models import Roster
from roster.services.owners import NOBODY
from roster.services.rosters import start_roster
from tests.roster.deck_owner import decker
from tests.shipped_packs import install_shipped

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

CARDS = "/missions/reeds-and-rust/cards.pdf"


@pytest.fixture
def roster(db: None) -> Roster:
    version = install_shipped(SHIPPED / "reeds_and_rust" / "first")
    assert version is not None
    made = start_roster(NOBODY, version, "marsh-compact", "Mill <race>")
    assert isinstance(made, Roster)
    return made


def text_of(client: Client, address: str, **given: object) -> str:
    answer = client.get(address, given)
    assert answer.status_code == 200, answer.content.decode()
    assert answer["Content-Type"] == "application/pdf"
    return " ".join(page.extract_text() for page in PdfReader(io.BytesIO(answer.content)).pages)


def test_missions_are_printed_unless_told_otherwise(client: Client, roster: Roster) -> None:
    text = text_of(client, CARDS)
    assert "High water" in text
    assert "Hold the locks" in text
    assert text.count("Night crossing") == 2


def test_only_what_a_mission_needs(client: Client, roster: Roster) -> None:
    text = text_of(client, CARDS, mission="the-toll", what="missions")
    assert "The toll" in text
    assert "High water" not in text


@pytest.mark.parametrize(
    ("what", "word"),
    [
        ("objectives", "The far bank"),
        ("stratagems", "Low tide"),
        ("maps", "Both banks"),
        ("specials", "Fog"),
        ("reference", "Turn of the tide"),
        ("tokens", "Lock"),
    ],
)
def test_every_kind_is_printed(client: Client, roster: Roster, what: str, word: str) -> None:
    assert word in text_of(client, CARDS, what=what, size="a6", paper="letter", ink="saver", bleed="1")


def test_sheets_to_read(client: Client, roster: Roster) -> None:
    text = text_of(client, CARDS, what=["reference", "objectives"], size="sheet", paper="letter", copies="3")
    assert text.count("Turn of the tide") == 1
    assert "Hold the locks" in text


def test_thresholds_of_one_battle_size(client: Client, roster: Roster) -> None:
    text = text_of(client, CARDS, what="objectives", battle="delta")
    assert "Two units of yours" in " ".join(text.split())
    assert "A unit of yours" not in " ".join(text.split())


def test_copies_and_white_backs(client: Client, roster: Roster) -> None:
    text = text_of(client, CARDS, mission="the-toll", copies="3", backs="0")
    assert text.count("The toll") == 3
    assert "Unofficial" not in text


def test_cards_of_a_deck(client: Client, roster: Roster) -> None:
    assert text_of(client, "/games/reeds-and-rust/marsh-compact/cards.pdf")


@pytest.mark.parametrize(
    ("given", "word"),
    [
        ({"mission": "no-mission"}, "no-mission"),
        ({"what": "dragons"}, "dragons"),
        ({"battle": "huge"}, "huge"),
        ({"copies": "10000"}, "600"),
        ({"copies": "0"}, "copies"),
        ({"copies": "-1"}, "copies"),
        ({"copies": "many"}, "copies"),
        ({"copies": "9" * 40}, "copies"),
        ({"size": "huge"}, "poker"),
        ({"size": "300x300"}, "300"),
        ({"size": "10x10"}, "poker"),
        ({"paper": "a3"}, "a4"),
        ({"ink": "red"}, "saver"),
        ({"type": "huge"}, "large"),
        ({"press": "1", "size": "sheet"}, "card size"),
        ({"mission": "<script>"}, "&lt;script&gt;"),
    ],
)
def test_bad_input_says_why_and_makes_no_file(client: Client, roster: Roster, given: dict[str, str], word: str) -> None:
    answer = client.get(CARDS, given)
    assert answer.status_code == 422
    assert answer["Content-Type"].startswith("text/html")
    assert word in answer.content.decode()


def test_cards_of_the_decks_of_a_list(client: Client) -> None:
    deck = decker("ranger", "chapter-deck")
    deck.put("dodge-shoot", 2)
    address = f"/r/{deck.roster.link_id}/cards.pdf"
    text = text_of(deck.client, address, what="deck")
    assert text.count("Dodge\nupper half · ") == 2
    assert "Chapter action deck · " in text
    assert text.count("Shoot\nlower half · Needs Ranger") == 2
    both = text_of(deck.client, address, what=["units", "deck"], backs="0")
    assert both.count("Shoot\nlower half · Needs Ranger") == 2
    assert "The Edge: Dawnfall\nChapter action deck" not in both
    assert len(both) > len(text)
    assert deck.client.get(address, {"what": "dragons"}).status_code == 422


def test_backs_say_what_lies_in_the_pile(client: Client, roster: Roster) -> None:
    answer = client.get(CARDS, {"what": ["objectives", "stratagems"]})
    pages = [page.extract_text() for page in PdfReader(io.BytesIO(answer.content)).pages]
    assert pages[1].count("Objective") == pages[0].count("Objective ·")
    assert pages[1].count("Stratagem") == pages[0].count("Stratagem")


def test_every_print_has_a_button(client: Client, roster: Roster) -> None:
    for page, address in (
        ("/missions/reeds-and-rust/", CARDS),
        ("/missions/reeds-and-rust/the-toll/", CARDS),
        ("/games/reeds-and-rust/iron-weir/cards/", "/games/reeds-and-rust/iron-weir/cards.pdf"),
        (f"/r/{roster.link_id}/pack/", f"/r/{roster.link_id}/cards.pdf"),
        (f"/r/{roster.link_id}/", f"/r/{roster.link_id}/pack/#cards"),
    ):
        html = client.get(page).content.decode()
        assert f'"{address}"' in html, page
    assert 'value="deck"' in client.get(f"/r/{roster.link_id}/pack/").content.decode()


def test_an_empty_deck_says_so(client: Client, roster: Roster) -> None:
    roster.version.factions.get(slug="iron-weir").cards.all().delete()
    answer = client.get("/games/reeds-and-rust/iron-weir/cards.pdf")
    assert answer.status_code == 422


@pytest.mark.parametrize(
    "address", ["/missions/no-game/cards.pdf", "/games/reeds-and-rust/nobody/cards.pdf", f"/r/{'x' * 22}/cards.pdf"]
)
def test_unknown_is_404(client: Client, roster: Roster, address: str) -> None:
    assert client.get(address).status_code == 404


def test_a_private_list_is_404_to_strangers(client: Client, roster: Roster) -> None:
    Roster.objects.update(visibility="private", owner_key="k" * 64)
    assert client.get(f"/r/{roster.link_id}/cards.pdf").status_code == 404


def test_a_list_without_units_has_no_cards(client: Client, roster: Roster) -> None:
    assert client.get(f"/r/{roster.link_id}/cards.pdf").status_code == 422


def test_wrong_method(client: Client, roster: Roster) -> None:
    assert client.post(CARDS).status_code == 405


def test_the_same_print_is_the_same_bytes_and_known_again(client: Client, roster: Roster) -> None:
    first, second = client.get(CARDS), client.get(CARDS)
    assert first.content == second.content
    assert client.get(CARDS, headers={"If-None-Match": first["ETag"]}).status_code == 304


def test_query_count(client: Client, roster: Roster, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    client.get(CARDS)
    with django_assert_num_queries(2):
        client.get(CARDS)


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_a_printer_is_tried_with_a_sheet_for_both_sides(client: Client, db: None, paper: str) -> None:
    answer = client.get("/missions/test-sheet.pdf", {"paper": paper})
    assert answer["Content-Type"] == "application/pdf"
    pdf = PdfReader(io.BytesIO(answer.content))
    assert len(pdf.pages) == 2
    assert {"50", "100", "mm"} <= set(pdf.pages[0].extract_text().split())
    assert pdf.trailer["/Root"]["/ViewerPreferences"]["/PrintScaling"] == "/None"


def test_a_printer_is_not_tried_on_paper_that_nobody_has(client: Client, db: None) -> None:
    assert client.get("/missions/test-sheet.pdf", {"paper": "papyrus"}).status_code == 422
    assert client.post("/missions/test-sheet.pdf").status_code == 405
