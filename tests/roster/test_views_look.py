"""The choice of colours and row height, and the colours that games bring along."""

import pytest
from django.urls import reverse

from catalogue.models import GameSystem
from catalogue.models.games import PALETTE
from roster.templatetags.theme import get_accent_class
from tests.roster.small_game import installed

pytestmark = pytest.mark.django_db

LOOK, COLOURS = reverse("roster:look"), reverse("roster:colours")


def test_choice_is_kept_and_shown(client):
    answer = client.post(LOOK, {"theme": "dark", "density": "compact", "back": "/rosters/"})
    assert (answer.status_code, answer["Location"]) == (303, "/rosters/")
    page = client.get("/rosters/").content.decode()
    assert 'data-theme="dark"' in page
    assert 'data-density="compact"' in page


@pytest.mark.parametrize(
    "back", ["https://elsewhere.example/", "//elsewhere.example/", "javascript:alert(1)", ""]
)
def test_leads_nowhere_else(client, back):
    assert client.post(LOOK, {"theme": "dark", "back": back})["Location"] == "/"


def test_tampered_choice(client):
    answer = client.post(LOOK, {"theme": '"><script>', "density": "none"})
    assert not answer.cookies
    client.cookies["theme"] = '"><script>'
    page = client.get("/rosters/").content.decode()
    assert 'data-theme="auto"' in page


def test_wrong_method(client):
    assert client.get(LOOK).status_code == 405
    assert client.post(COLOURS).status_code == 405


def test_colours_of_games(client):
    installed()
    GameSystem.objects.update(accent="#4d6b2f", accent_dark="#93b56a")
    answer = client.get(COLOURS)
    assert answer["Content-Type"] == "text/css; charset=utf-8"
    assert ".game-fenland { --accent: light-dark(#4d6b2f, #93b56a);" in answer.content.decode()


@pytest.mark.parametrize("colour", ["red;} body{display:none", "url(https://x.example)", "#12", "blue", ""])
def test_a_game_without_a_colour_gets_one_of_ours(client, colour):
    installed()
    GameSystem.objects.update(accent=colour, accent_dark="")
    game = GameSystem.objects.get()
    light, dark = game.accents
    assert (light, dark) in PALETTE
    assert game.accents == GameSystem(slug=game.slug).accents
    assert (
        client.get(COLOURS)
        .content.decode()
        .startswith(f".{get_accent_class(game)} {{ --accent: light-dark({light}, {dark});")
    )
