"""The choice of colours and row height, and the colours of games."""

import json
import re
from collections import Counter
from pathlib import Path

import pytest
from django.conf import settings
from django.urls import reverse

from catalogue.definitions.identity import EMBLEMS, identify
from catalogue.models import GameSystem
from catalogue.templatetags.emblems import make_hue_class, render_base, render_emblem, render_tape
from tests.roster.small_game import installed

pytestmark = pytest.mark.django_db

LOOK, COLOURS = reverse("roster:look"), reverse("roster:colours")


def test_choice_is_kept_and_shown(client):
    answer = client.post(LOOK, {"theme": "dark", "density": "compact", "back": "/rosters/"})
    assert (answer.status_code, answer["Location"]) == (303, "/rosters/")
    page = client.get("/rosters/").content.decode()
    assert 'data-theme="dark"' in page
    assert 'data-density="compact"' in page


@pytest.mark.parametrize("back", ["https://elsewhere.example/", "//elsewhere.example/", "javascript:alert(1)", ""])
def test_leads_nowhere_else(client, back):
    assert client.post(LOOK, {"theme": "dark", "back": back})["Location"] == "/"


def test_tampered_choice(client):
    answer = client.post(LOOK, {"theme": '"><script>', "density": "none"})
    assert not answer.cookies
    client.cookies["theme"] = '"><script>'
    page = client.get("/rosters/").content.decode()
    assert 'data-theme="auto"' in page


def test_a_bad_choice_leaves_the_others(client):
    answer = client.post(LOOK, {"theme": "dark", "density": "none", "language": "xx"})
    assert {name: cookie.value for name, cookie in answer.cookies.items()} == {"theme": "dark"}
    answer = client.post(LOOK, {"theme": "none", "language": "de"})
    assert {name: cookie.value for name, cookie in answer.cookies.items()} == {settings.LANGUAGE_COOKIE_NAME: "de"}


def test_wrong_method(client):
    assert client.get(LOOK).status_code == 405
    assert client.post(COLOURS).status_code == 405


def test_colours_of_games(client):
    installed()
    GameSystem.objects.update(accent="#4d6b2f", accent_dark="#93b56a")
    answer = client.get(COLOURS)
    assert answer["Content-Type"] == "text/css; charset=utf-8"
    colours = "{ --f1: #4d6b2f; --f2: #93b56a; }"
    assert f".hue-4d6b2f-93b56a {colours}" in answer.content.decode()
    assert f".hue-chosen:has(.hue-4d6b2f-93b56a > :checked) {colours}" in answer.content.decode()


@pytest.mark.parametrize("colour", ["red;} body{display:none", "url(https://x.example)", "#12", "blue", ""])
def test_a_game_without_a_colour_gets_one_of_ours(client, colour):
    installed()
    GameSystem.objects.update(accent=colour, accent_dark="")
    game = GameSystem.objects.get()
    light, dark = game.accents
    assert (light, dark) == (identify(game.name).dark, identify(game.name).light)
    assert f".{make_hue_class(game)} {{ --f1: {light}; --f2: {dark}; }}" in client.get(COLOURS).content.decode()


def test_emblem_stands_on_its_base_with_a_count():
    drawn = render_base("heron", "s", 10)
    assert drawn.startswith('<span class="base s"><svg')
    assert 'icons/emblems.svg#heron"' in drawn
    assert drawn.endswith('<span class="n">10</span></span>')


@pytest.mark.parametrize("name", ["", "no-such", "../heron", '"><script>'])
def test_unknown_emblem_is_an_empty_base(name):
    assert render_emblem(name) == ""
    assert render_base(name) == '<span class="base"></span>'


@pytest.mark.parametrize(
    ("spent", "limit", "width"), [("715", "1000", "72%"), (0, 90, "0%"), ("-3", "10", "0%"), ("12.5", "25", "50%")]
)
def test_tape_shows_how_much_is_spent(spent, limit, width):
    assert f'<rect width="{width}"' in render_tape(spent, limit)
    assert "over" not in render_tape(spent, limit)


def test_tape_says_what_is_over():
    assert 'class="tape thin over"' in render_tape("105", "100", "thin")


@pytest.mark.parametrize(("spent", "limit"), [("1", ""), ("", "10"), ("1", None), ("1", 0), ("NaN", "1"), ("x", "y")])
def test_no_tape_without_a_limit(spent, limit):
    assert render_tape(spent, limit) == ""


def test_each_emblem_that_data_may_name_is_there_and_credited():
    folder = Path(settings.BASE_DIR) / "static" / "icons" / "emblems"
    lines = (folder / "CREDITS.md").read_text(encoding="utf-8").splitlines()
    credited = [name.strip() for line in lines if line.startswith("- ") for name in line.split(": ")[1].split(",")]
    assert {path.stem for path in folder.glob("*.svg")} == EMBLEMS == set(credited)
    assert len(credited) == len(EMBLEMS)
    sheet = (folder.parent / "emblems.svg").read_text(encoding="utf-8")
    assert Counter(re.findall(r'<symbol id="([^"]+)"', sheet)) == Counter(EMBLEMS)
    assert sheet.count("<path ") == sum(
        path.read_text(encoding="utf-8").count("<path ") for path in folder.glob("*.svg")
    )


def test_site_can_be_installed(client):
    manifest = client.get("/manifest.webmanifest")
    assert manifest["Content-Type"] == "application/manifest+json"
    read = json.loads(manifest.content)
    assert {icon["sizes"] for icon in read["icons"]} == {"192x192", "512x512"}
    for shortcut in read["shortcuts"]:
        assert client.get(shortcut["url"]).status_code == 200
    assert 'rel="manifest"' in client.get("/rosters/").content.decode()


def test_credits_name_the_artists(client):
    page = client.get("/credits/").content.decode()
    for name in ("Lorc", "Delapouite", "CC BY 3.0", "Fira Sans", "Lucide"):
        assert name in page
