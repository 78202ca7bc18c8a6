"""The game pack: set-up, mission with score sheet, and lists in one file; who may get it."""

import io
import re

import pytest
from django.conf import settings
from django.test import Client
from msgspec.structs import replace
from pypdf import PdfReader

from catalogue.formats.packs.load import SHIPPED
from roster.engine.tree import copy_with
from roster.models import Roster
from roster.services.evaluation import encode_tree
from roster.services.owners import NOBODY
from roster.services.rosters import start_roster
from tests.markup import markup
from tests.roster.test_pdf_tags import check_accessible, kinds
from tests.shipped_packs import install_shipped

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def started(pack: str, faction: str, name: str) -> Roster:
    version = install_shipped(SHIPPED / pack)
    assert version is not None
    made = start_roster(NOBODY, version, faction, name)
    assert isinstance(made, Roster)
    return made


@pytest.fixture
def mine(db: None) -> Roster:
    return started("reeds_and_rust/first", "marsh-compact", "Mine <b>")


@pytest.fixture
def theirs(mine: Roster) -> Roster:
    return started("reeds_and_rust/first", "iron-weir", "Theirs")


def packed(client: Client, roster: Roster, **given: str) -> PdfReader:
    answer = client.get(f"/r/{roster.link_id}/pack.pdf", given)
    assert answer.status_code == 200, answer.content.decode()
    return PdfReader(io.BytesIO(answer.content))


def bookmarks(pdf: PdfReader) -> list[tuple[str, int]]:
    return [
        (str(mark.title), (pdf.get_destination_page_number(mark) or 0) + 1)
        for mark in pdf.outline
        if not isinstance(mark, list)
    ]


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_everything_is_in_it_and_the_bookmarks_say_where(
    client: Client, mine: Roster, theirs: Roster, paper: str
) -> None:
    pdf = packed(client, mine, mission="night-crossing", opponent=f"http://x/r/{theirs.link_id}/", paper=paper)
    marks = bookmarks(pdf)
    assert [title for title, _page in marks] == [
        "Game: Mine <b>, Theirs",
        "Night crossing",
        "Score sheet",
        "Mine <b>",
        "Theirs",
    ]
    texts = [page.extract_text() for page in pdf.pages]
    for title, page in marks:
        assert title in texts[page - 1].splitlines()
    where = dict(marks)
    assert where["Score sheet"] == where["Night crossing"] + 1
    assert "Turn of the tide" in texts[0]
    for word in ("Over before dawn.", "Both banks", "Attacker"):
        assert word in texts[where["Night crossing"] - 1]


def test_setting_up_has_a_place_for_both_players(client: Client, mine: Roster, theirs: Roster) -> None:
    pdf = packed(client, mine, mission="night-crossing", opponent=theirs.link_id)
    text = pdf.pages[0].extract_text()
    assert "Mine <b>" in text
    assert "Theirs" in text
    assert text.count("First turn ☐") == 2


def test_the_pack_can_be_read_out(client: Client, mine: Roster, theirs: Roster) -> None:
    pdf = packed(client, mine, mission="night-crossing", opponent=theirs.link_id)
    check_accessible(pdf)
    found = kinds(pdf)
    assert found["/H1"] == len(pdf.pages)
    assert found["/Table"] > len(pdf.pages) / 2


def test_every_page_has_its_number(client: Client, mine: Roster, theirs: Roster) -> None:
    pdf = packed(client, mine, mission="night-crossing", opponent=theirs.link_id, paper="letter")
    assert len(pdf.pages) > 1
    for number, page in enumerate(pdf.pages, 1):
        lines = page.extract_text().splitlines()
        assert any(line.startswith(f"{number} / {len(pdf.pages)}") for line in lines)


def test_with_no_opponent_it_holds_one_list(client: Client, mine: Roster) -> None:
    marks = bookmarks(packed(client, mine, mission="high-water"))
    assert [title for title, _page in marks] == ["High water", "Score sheet", "Mine <b>"]


def test_the_same_pack_is_the_same_bytes(client: Client, mine: Roster) -> None:
    address = f"/r/{mine.link_id}/pack.pdf"
    first = client.get(address, {"mission": "the-toll"})
    for file in settings.ARMYBUILDER["PDF_CACHE_DIR"].glob("??/*.pdf"):
        file.unlink()
    assert client.get(address, {"mission": "the-toll"}).content == first.content


@pytest.mark.parametrize(
    ("given", "word"),
    [
        ({}, "mission"),
        ({"mission": "no-mission"}, "no-mission"),
        ({"mission": "the-toll", "opponent": "nonsense"}, "nonsense"),
        ({"mission": "the-toll", "opponent": "x" * 22}, "xxx"),
        ({"mission": "the-toll", "battle": "huge"}, "huge"),
        ({"mission": "the-toll", "paper": "a3"}, "a3"),
        ({"mission": "the-toll", "opponent": "<script>"}, "&lt;script&gt;"),
    ],
)
def test_bad_input_says_why_and_keeps_the_form(client: Client, mine: Roster, given: dict[str, str], word: str) -> None:
    answer = client.get(f"/r/{mine.link_id}/pack.pdf", given)
    assert answer.status_code == 422
    page = answer.content.decode()
    assert word in page
    assert "<form" in page


def test_what_was_chosen_stays_where_the_form_comes_back(client: Client, db: None) -> None:
    roster = started("wh40k/ninth", "necrons", "Tomb")
    given = {"mission": "never-surrender", "battle": "incursion", "paper": "letter", "ink": "saver"}
    answer = client.get(f"/r/{roster.link_id}/pack.pdf", given | {"opponent": "nonsense"})
    assert answer.status_code == 422
    form = markup(answer).split('id="mission"')[1].split("</form>")[0]
    assert set(re.findall(r'value="([^"]*)" (?:selected|checked)', form)) == set(given.values())
    assert 'value="nonsense"' in form


def test_letters_that_no_font_has_are_named_of_both_lists(client: Client, mine: Roster, theirs: Roster) -> None:
    named = encode_tree(copy_with(theirs.tree, name="Theirs 鷺"))
    Roster.objects.filter(pk=theirs.pk).update(name="Theirs 鷺", document=named)
    given = {"mission": "night-crossing", "opponent": theirs.link_id}
    page = client.get(f"/r/{mine.link_id}/pack.pdf", given)
    assert page["Content-Type"].startswith("text/html")
    assert "鷺" in page.content.decode()
    assert packed(client, mine, letters="1", **given).pages


def test_a_list_of_another_game_is_no_opponent(client: Client, mine: Roster) -> None:
    other = started("wh40k/ninth", "necrons", "Tomb")
    answer = client.get(f"/r/{mine.link_id}/pack.pdf", {"mission": "the-toll", "opponent": other.link_id})
    assert answer.status_code == 422


def test_a_list_that_may_not_be_seen_is_no_opponent(client: Client, mine: Roster, theirs: Roster) -> None:
    Roster.objects.filter(pk=theirs.pk).update(visibility="private", owner_key="k" * 64)
    answer = client.get(f"/r/{mine.link_id}/pack.pdf", {"mission": "the-toll", "opponent": theirs.link_id})
    assert answer.status_code == 422
    assert client.get(f"/r/{theirs.link_id}/pack/").status_code == 404
    assert client.get(f"/r/{theirs.link_id}/pack.pdf").status_code == 404


def test_the_form_offers_all_missions(client: Client, mine: Roster) -> None:
    page = client.get(f"/r/{mine.link_id}/pack/").content.decode()
    assert page.count("<option") >= 3
    assert client.post(f"/r/{mine.link_id}/pack/").status_code == 405


def test_a_mission_that_draws_has_columns_for_what_is_drawn(client: Client, db: None) -> None:
    roster = started("wh40k/ninth", "necrons", "Tomb")
    text = " ".join(
        page.extract_text() for page in packed(client, roster, mission="never-surrender", battle="onslaught").pages
    )
    assert "Objective 4" in text
    assert "Fixed Determination" in text


def test_a_pack_has_the_battle_size_of_its_lists(client: Client, db: None) -> None:
    mine, theirs = (started("wh40k/ninth", "necrons", name) for name in ("Tomb", "Dust"))
    sizes = ("Incursion", "Strike Force", "Onslaught")

    def list_sizes() -> list[str]:
        pages = packed(client, mine, mission="never-surrender", opponent=theirs.link_id).pages
        said = " ".join(page.extract_text() for page in pages)
        return [size for size in sizes if size in said]

    assert list_sizes() == ["Strike Force"]
    # Lists of different sizes leave it open.
    limits = tuple(replace(limit, value=1000) if limit.type_id == "points" else limit for limit in theirs.tree.limits)
    Roster.objects.filter(pk=theirs.pk).update(document=encode_tree(copy_with(theirs.tree, limits=limits)))
    assert list_sizes() == list(sizes)


def test_the_score_sheet_knows_who_plays(client: Client, mine: Roster, theirs: Roster) -> None:
    tree = copy_with(mine.tree, player="Ann Otter")
    Roster.objects.filter(pk=mine.pk).update(document=encode_tree(tree))
    pdf = packed(client, mine, mission="the-toll", opponent=theirs.link_id)
    page = next(page for page in pdf.pages if "Player 2" in page.extract_text())
    text = " ".join(page.extract_text().split())
    assert "Ann Otter Mine <b>" in text
    assert "Player 2 · Theirs" in text


def test_a_secret_list_has_no_unit_cards_for_others(client: Client, mine: Roster) -> None:
    Roster.objects.filter(pk=mine.pk).update(is_secret=True, owner_key="k" * 64)
    assert client.get(f"/r/{mine.link_id}/cards.pdf").status_code == 404


def test_a_pack_says_which_lists_the_mission_is_not_for(client: Client, db: None) -> None:
    karist = started("maelstroms_edge/first", "karist-enclave", "Dawn")
    broken = started("maelstroms_edge/first", "broken", "Dusk")
    text = packed(client, karist, mission="secret-cache", opponent=broken.link_id).pages[0].extract_text()
    text = " ".join(text.split())
    assert "“Secret Cache” is for Karist Enclave. “Dusk” is a list of Broken." in text
    assert "“Dawn” is a list" not in text

    form = markup(client.get(f"/r/{karist.link_id}/pack/"))
    unsuited = re.findall(r'<option value="([^"]*)"[^>]*>[^<]*not for this faction', form)
    assert set(unsuited) == {
        *("automated-uplink-relay", "master-of-machines", "now-you-see-me", "moral-high-ground"),
        *("favor-of-the-crowd", "epic-hero", "the-great-hunt"),
    }
