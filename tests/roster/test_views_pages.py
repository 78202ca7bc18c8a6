"""The front page, my lists, and starting a list."""

import pytest
from django.test import Client
from django.urls import reverse

from catalogue.formats.packs.load import SHIPPED
from roster.models import Roster
from roster.services.rosters import find_roster, load_example
from tests.roster.deck_owner import DAWNFALL, decker
from tests.roster.small_game import installed
from tests.roster.views_cast import SCRIPT, started

pytestmark = pytest.mark.django_db

FRONT, ROSTERS, NEW = reverse("roster:front"), reverse("roster:rosters"), reverse("roster:new")
FORM = {"game": "fenland", "faction": "marsh", "limit": "75.5", "name": "Low water"}


@pytest.mark.parametrize("address", [FRONT, ROSTERS, NEW])
def test_works(client, address):
    installed()
    assert client.get(address).status_code == 200


@pytest.mark.parametrize("address", [FRONT, ROSTERS, NEW])
def test_works_without_any_game(client, address):
    assert client.get(address).status_code == 200


@pytest.mark.parametrize("address", [FRONT, ROSTERS])
def test_wrong_method(client, address):
    answer = client.post(address)
    assert (answer.status_code, answer["Allow"]) == (405, "GET, HEAD")
    assert b"<h1>" in answer.content


def test_front_page_leads_to_the_games(client):
    installed()
    page = client.get(FRONT).content.decode()
    assert f'href="{NEW}?game=fenland"' in page
    assert 'class="base"' in page


def test_who_comes_back_goes_on_with_the_last_list(client):
    first, last = started(client, name="Low water"), started(client, name="High water")
    page = client.get(FRONT).content.decode()
    assert page.index("Continue") < page.index("High water") < page.index("Recent lists") < page.index("Low water")
    assert first.url() in page
    assert last.url() in page
    assert "Continue" not in Client().get(FRONT).content.decode()


def test_header_says_who_is_signed_in(client, django_user_model):
    assert "Sign in" in client.get(FRONT).content.decode()
    user = django_user_model.objects.create_user("ada", "ada.low@example.org", "only in a test 1")
    client.force_login(user)
    page = client.get(FRONT).content.decode()
    assert "Sign in" not in page
    assert "ada.low" in page
    assert "ada.low@example.org" not in page


def test_front_page_asks_the_same_at_one_and_three_lists(client, django_assert_num_queries):
    started(client)
    client.get(FRONT)  # caches the games
    with django_assert_num_queries(6):
        client.get(FRONT)
    for _ in range(2):
        started(client)
    with django_assert_num_queries(6):
        client.get(FRONT)


def test_my_lists_ask_the_same_at_one_and_three_lists(client, django_assert_num_queries):
    started(client)
    client.get(ROSTERS)  # stores the day's first visit
    with django_assert_num_queries(8):
        client.get(ROSTERS)
    for _ in range(2):
        started(client)
    with django_assert_num_queries(8):
        client.get(ROSTERS)


def test_my_lists_are_nobody_elses(client):
    owner = started(client, name="Low water column")
    assert owner.public_id in client.get(ROSTERS).content.decode()
    assert owner.public_id not in Client().get(ROSTERS).content.decode()
    assert b"No lists yet" in Client().get(ROSTERS).content


def test_start_leads_straight_into_the_builder(client):
    installed()
    answer = client.post(NEW, FORM)
    roster = Roster.objects.get()
    assert (answer.status_code, answer["Location"]) == (303, reverse("roster:builder", args=[roster.public_id]))
    assert (roster.name, roster.tree.limits[0].value) == ("Low water", pytest.approx(75.5))
    assert client.get(answer["Location"]).status_code == 200


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("game", "no-such-game"),
        ("game", ""),
        ("faction", "no-such-faction"),
        ("faction", ""),
        ("way", "no-such-size"),
        ("limit", "-5"),
        ("limit", "1e9"),
        ("limit", "٣"),
        ("name", "x" * 101),
    ],
)
def test_tampered_form(client, field, value):
    installed()
    answer = client.post(NEW, FORM | {field: value})
    assert answer.status_code == 422
    assert b'class="wrong"' in answer.content
    assert not Roster.objects.exists()


def test_text_of_users_is_never_markup(client):
    owner = started(client, name=SCRIPT)
    for address in (FRONT, ROSTERS, owner.url(), owner.url("delete"), owner.url("link")):
        page = client.get(address).content.decode()
        assert "&lt;script&gt;alert" in page
        assert "<script>" not in page


def test_wrong_start_keeps_what_was_typed(client):
    installed()
    page = client.post(NEW, FORM | {"limit": "many", "name": SCRIPT}).content.decode()
    assert 'value="many"' in page
    assert "&lt;script&gt;alert" in page


def test_lists_that_are_ready_are_a_click_away():
    owner = decker()
    load_example(DAWNFALL / "lists" / "army-vow-of-the-angels.yaml", SHIPPED)
    text = owner.client.get(NEW, {"game": "edge-dawnfall"}).content.decode()
    example = Roster.objects.get(name="Vow of the angels")
    address = reverse("roster:copy", args=[example.link_id])
    assert f'formaction="{address}"' in text
    assert address not in owner.client.get(NEW, {"game": "nothing"}).content.decode().split("ready-h")[0]
    answer = owner.client.post(address, {"game": "edge-dawnfall", "faction": "demons", "name": ""})
    copied = find_roster(answer["Location"].strip("/").split("/")[-1])
    assert (copied.verdict, copied.name, copied.pk != example.pk) == ("legal", example.name, True)


def test_formats_of_a_game_without_points_say_what_they_are():
    text = decker().client.get(NEW, {"game": "edge-dawnfall"}).content.decode()
    for expected in ("Format", "Two players, shorter", "Five squads and 20 cards.", "Three or four players"):
        assert expected in text
