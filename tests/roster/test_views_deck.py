"""The deck page: with and without script, refused, in conflict, tampered with."""

import re

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from tests.markup import markup
from tests.roster.deck_owner import decker, weir
from tests.roster.views_cast import HTMX, SCRIPT, started, swapped

pytestmark = pytest.mark.django_db

TRAP = "chapter-deck/charging-trap"


def test_works() -> None:
    text = decker("angel-of-death", "chapter-deck").page()
    said = "Chapter action deck|Charging / Trap|/ 3|Needs Ranger|Add Ranger|/ 25 cards|Banner"
    for expected in (*said.split("|"), "These units leave too few cards"):
        assert expected in text


def test_it_is_linked_from_the_builder() -> None:
    owner = decker()
    assert owner.url() in markup(owner.client.get(owner.url("builder")))
    other = started()
    assert "/deck/" not in markup(other.page())
    assert "No decks in this game" in markup(other.client.get(other.url("deck")))


def test_the_deck_is_begun_from_the_page() -> None:
    owner = decker()
    assert "Begin: Chapter action deck" in owner.page()
    owner.take("chapter-deck")
    assert "Begin:" not in owner.page()


def test_strangers_get_404() -> None:
    owner = decker("chapter-deck")
    stranger = Client()
    assert stranger.get(owner.url()).status_code == 404
    assert stranger.post(owner.url(), {"do": "undo", "revision": "1"}).status_code == 404


def test_wrong_method_and_bad_id() -> None:
    owner = decker()
    assert owner.client.put(owner.url()).status_code == 405
    assert owner.client.get("/rosters/nothing/deck/").status_code == 404


def test_without_script_a_form_leads_back_to_its_card() -> None:
    owner = decker("angel-of-death", "chapter-deck")
    answer = owner.send(do="set-number", node=owner.deck, entry=TRAP, number=2, q="trap", show="mine", deck=owner.deck)
    assert answer.status_code == 303
    assert answer["Location"].startswith(f"{owner.url()}?deck=")
    assert "q=trap&show=mine#c-" in answer["Location"]
    text = markup(owner.client.get(answer["Location"]))
    assert owner.card("Charging / Trap").number == 2
    assert text.count("hidden>") >= 20


def test_a_search_without_a_find_says_so_without_script() -> None:
    owner = decker("angel-of-death", "chapter-deck")
    said = 'id="nomatch" hidden'
    assert said in owner.page()
    assert said in owner.page(q="charging")
    for looking in ({"q": "zeppelin"}, {"show": "mine"}):
        text = owner.page(**looking)
        assert said not in text
        assert not re.search(r'<section class="cardgroup[^>]*(?<!hidden)>', text)


def test_with_script_the_heading_takes_the_name_of_a_deck_that_is_begun() -> None:
    owner = decker()
    answer = owner.send(headers=HTMX, do="add-unit", node=owner.force, entry="chapter-deck")
    assert {"deck-name", "deck"} <= swapped(answer)
    heading = re.search(r'<h1[^>]*id="deck-name"[^>]*>(.*?)</h1>', markup(answer), re.DOTALL)
    assert heading
    assert heading.group(1).strip() == owner.board.decks[0].name


def test_with_script_the_deck_comes_back() -> None:
    owner = decker("angel-of-death", "chapter-deck")
    answer = owner.send(headers=HTMX, do="set-number", node=owner.deck, entry=TRAP, number=1)
    assert answer.status_code == 200
    assert {"deck"} <= swapped(answer)
    assert b"<html" not in answer.content
    assert "HX-Request" in answer["Vary"]
    assert f'data-revision="{owner.roster.head}"' in markup(answer)


@pytest.mark.parametrize(
    ("fields", "status", "said"),
    [
        ({"do": "nonsense"}, 400, "We couldn’t read this form."),
        ({"do": "set-number", "node": "nobody", "entry": TRAP, "number": 1}, 422, "no longer exists"),
        ({"do": "set-number", "entry": TRAP, "number": 99_999}, 422, "not a number from 0"),
        ({"do": "set-number", "entry": TRAP, "number": "many"}, 400, "We couldn’t read this form."),
        ({"do": "set-number", "entry": "nothing", "number": 1}, 422, "cannot be taken here"),
        ({"do": "write-card", "entry": TRAP, "text": "Ambush"}, 422, "cannot be taken here"),
        ({"do": "add-unit", "entry": "ranger", "instead": "nobody"}, 422, "no longer exists"),
        ({"do": "set-number", "entry": TRAP, "number": 1, "revision": "x"}, 400, "We couldn’t read this form."),
    ],
)
@pytest.mark.parametrize("headers", [{}, HTMX], ids=["page", "part"])
def test_bad_forms_change_nothing(headers: dict[str, str], fields: dict[str, str], status: int, said: str) -> None:
    owner = decker("angel-of-death", "chapter-deck")
    head = owner.roster.head
    answer = owner.send(headers=headers, **({"node": owner.deck} | fields))
    assert (answer.status_code, owner.roster.head) == (status, head)
    assert said in markup(answer)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"text": ""}, "Write the name"),
        ({"text": "   "}, "Write the name"),
        ({"text": "x" * 101}, "at most 100 fit"),
        ({"text": "Ambush", "number": "0"}, "not a number from 0"),
        ({"text": "Ambush", "entry": "order-book/nothing"}, "cannot be taken here"),
    ],
)
def test_names_that_cannot_be(fields: dict[str, str], said: str) -> None:
    owner = weir("weir-mistress", "order-book")
    form = {"do": "write-card", "node": owner.deck, "entry": "order-book/standing-order"} | fields
    answer = owner.send(**form)
    assert answer.status_code == 422
    assert said in markup(answer)


@pytest.mark.parametrize("headers", [{}, HTMX], ids=["page", "part"])
def test_a_stale_form_overwrites_nothing(headers: dict[str, str]) -> None:
    owner = decker("angel-of-death", "chapter-deck")
    owner.put("charging-trap", 1)
    answer = owner.send(
        headers=headers, do="set-number", node=owner.deck, entry=TRAP, number=3, revision=str(owner.roster.head - 1)
    )
    assert answer.status_code == 409
    assert owner.card("Charging / Trap").number == 1


def test_undo_and_redo() -> None:
    owner = decker("angel-of-death", "chapter-deck")
    owner.put("charging-trap", 2)
    owner.done(do="undo", deck=owner.deck)
    assert owner.card("Charging / Trap").number == 0
    owner.done(do="redo", deck=owner.deck)
    assert owner.card("Charging / Trap").number == 2


def test_the_number_field_ends_where_the_copies_do() -> None:
    owner = decker("angel-of-death", "chapter-deck")
    field = re.search(r'<input type="number"[^>]*aria-label="Copies of Charging / Trap"', owner.page())
    assert field
    assert 'max="3"' in field.group()


def test_script_in_names_stays_text() -> None:
    owner = weir("weir-mistress", "order-book")
    owner.done(do="write-card", node=owner.deck, entry="order-book/debt", text=SCRIPT)
    assert SCRIPT not in owner.page(q='"><script>') + owner.page()


@pytest.mark.parametrize("query", [{"q": "\x00"}, {"q": "x" * 5000}, {"show": "everything"}, {"deck": "nothing"}])
def test_odd_questions_are_answered(query: dict[str, str]) -> None:
    owner = decker("angel-of-death", "chapter-deck")
    assert owner.client.get(owner.url(), query).status_code == 200


@pytest.mark.parametrize("cards", [1, 3])
def test_query_count(cards: int, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    owner = decker("angel-of-death", "chapter-deck")
    for card in ("charging-trap", "combat-judgment", "combat-storm-of-blades")[:cards]:
        owner.put(card, 1)
    owner.page()
    with django_assert_num_queries(4):
        owner.page()


def test_the_order_book_is_named_and_found() -> None:
    owner = weir("weir-mistress", "order-book")
    owner.done(do="write-card", node=owner.deck, entry="order-book/debt", text="Eels for a winter", number=2)
    text = owner.page(q="eels")
    for expected in ("Eels for a winter", "/ 2", "Name of a card", "/ 6+ cards"):
        assert expected in text


def test_a_pick_says_what_it_would_need() -> None:
    owner = weir()
    assert "Then needs 1 Core" in markup(owner.client.get(owner.url("builder")))
