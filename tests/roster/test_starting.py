"""Starting a list: find games, recent ones first, factions in groups."""

import re

import pytest
from django.test import Client

from catalogue.models import Faction, GameSystem
from roster.services.starting import group_factions
from tests.catalogue.battlescribe_files import game_files, packed
from tests.catalogue.import_bytes import import_bytes
from tests.markup import markup
from tests.roster.views_cast import HTMX, started

pytestmark = pytest.mark.django_db

NEW = "/rosters/new/"
FORCES = '<forceEntries><forceEntry id="flock" name="Flock" hidden="false"/></forceEntries>'


def add_game(number: int, name: str = "") -> None:
    files = game_files("", FORCES)
    name = name or f"Game {number}"
    changed = {
        path: str(text)
        .replace('"sys"', f'"sys{number}"')
        .replace("Ducks and Drakes", name)
        .replace('"pond"', f'"p{number}"')
        for path, text in files.items()
    }
    assert import_bytes("ducks.zip", packed(dict(changed))).version


def ask(client: Client, **query: str) -> str:
    answer = client.get(NEW, query)
    assert answer.status_code == 200
    return markup(answer)


def test_a_game_is_found_by_its_name_and_by_its_factions(client: Client) -> None:
    for number in range(3):
        add_game(number)
    GameSystem.objects.filter(name="Game 1").update(name="Otters")
    Faction.objects.filter(version__game__name="Game 2").update(name="Herons of the Weir")
    assert ">Otters<" in ask(client, q="otter")
    assert "Game 2" not in ask(client, q="otter")
    assert "Game 2" in ask(client, q="heron weir")
    nothing = ask(client, q="nothing\0 of the kind")
    assert "No game or faction has that name." in nothing
    assert "No game is installed yet" not in nothing
    answer = client.get(NEW, {"q": "otter"}, headers=HTMX)
    assert b"<html" not in answer.content
    assert b"Otters" in answer.content


@pytest.mark.parametrize(
    ("text", "shown"),
    [("40k", ["Otters 40,000 10th Edition", "Otters 40.000: Kill Otters"]), ("10e", ["Otters 40,000 10th Edition"])]
    + [(text, ["The Old Otters"]) for text in ("too", "TOO", "the old")]
    + [("o", ["Otters 40,000 10th Edition", "Otters 40.000: Kill Otters", "The Old Otters"]), ("ooo", [])],
)
def test_a_game_is_found_by_what_players_call_it(client: Client, text: str, shown: list[str]) -> None:
    names = ["Otters 40,000 10th Edition", "Otters 40.000: Kill Otters", "The Old Otters"]
    for number, name in enumerate(names):
        add_game(number, name)
    page = ask(client, q=text)
    assert [name for name in names if f">{name}<" in page] == shown


def test_games_that_are_called_so_come_before_those_with_such_a_faction(client: Client) -> None:
    add_game(1, "Beavers")
    add_game(2, "The Old Otters")
    Faction.objects.filter(version__game__name="Beavers").update(name="Tattoos")
    page = ask(client, q="too")
    assert page.index(">The Old Otters<") < page.index(">Beavers<")


def test_a_faction_that_was_searched_for_is_chosen_on_the_form(client: Client) -> None:
    add_game(1, "Otters 40,000")
    other = Faction.objects.get()
    add_game(2, "Beavers")
    meant = Faction.objects.create(version=other.version, faction_id="weir", slug="weir", name="Herons", position=1)
    assert f"game={other.version.game.slug}&amp;faction=weir" in ask(client, q="40k heron")
    assert "faction=" not in ask(client, q="otter")
    form = ask(client, game=other.version.game.slug, faction=meant.faction_id)
    assert re.findall(
        r'name="faction" value="([^"]*)" data-called="[^"]*" required checked', " ".join(form.split())
    ) == ["weir"]


def test_games_played_last_come_first(client: Client) -> None:
    add_game(1, "A game before all others")
    add_game(2, "B")
    assert "Last played" not in ask(client)
    game = started(client).roster.version.game
    page = ask(client)
    assert page.index("Last played") < page.index(game.heading) < page.index("All games") < page.index("A game before")
    assert "Last played" not in ask(Client())


def test_games_of_one_name_are_told_apart(client: Client) -> None:
    add_game(1, "Otters")
    add_game(2, "Otters")
    add_game(3, "Beavers")
    page = ask(client)
    slugs = GameSystem.objects.filter(name="Otters").values_list("slug", flat=True)
    assert len(slugs) == 2
    for slug in slugs:
        assert f"revision 3, {slug}" in page
    assert page.count("revision 3, ") == 2


def test_the_front_page_shows_some_games_and_leads_to_all(client: Client) -> None:
    for number in range(14):
        add_game(number)
    front = markup(client.get("/"))
    assert front.count('class="tile hue') == 12
    assert "All 14 games" in front
    assert ask(client).count('class="tile hue') == 14
    # The last tile leads to the gallery.
    assert front.count('class="tile more"') == ask(client).count('class="tile more"') == 1


def test_it_asks_the_same_at_one_and_three_games(client: Client, django_assert_num_queries) -> None:
    add_game(1)
    add_game(2)
    with django_assert_num_queries(6):
        ask(client)
    add_game(3)
    add_game(4)
    with django_assert_num_queries(6):
        ask(client)
    # Nothing changed, so nothing is written. The gallery's games are counted.
    with django_assert_num_queries(3):
        ask(client)


def test_factions_stand_in_groups() -> None:
    names = (
        "Seraphon - Star Host",
        "Seraphon",
        "Realms of Men - Exiles",
        "Order - Knights",
        "Order - Knights of the Moon - Silver Lodge",
        "   IV - Iron Guard",
        "Bonesplitters [LEGENDS]",
        "Seraphon - Old Host [LEGENDS]",
        "Troupe (Legends)",
        "Marsh",
    )
    groups = group_factions([Faction(name=name) for name in names])
    assert [(group.title, [(one.name, one.about) for one in group.choices]) for group in groups] == [
        ("", [("Seraphon", ""), ("Star Host", "Seraphon"), ("Exiles", ""), ("Iron Guard", ""), ("Marsh", "")]),
        ("Order", [("Knights", ""), ("Silver Lodge", "")]),
        ("Legends", [("Bonesplitters", ""), ("Old Host", "Seraphon"), ("Troupe", "")]),
    ]
    assert [one.name for one in groups[0].factions[0].renown] == ["Star Host"]
    assert group_factions([]) == []


def test_the_form_shows_the_groups(client: Client) -> None:
    add_game(1)
    row = Faction.objects.get()
    row.name = "Pond [LEGENDS]"
    row.save()
    page = ask(client, game=row.version.game.slug)
    assert "Legends" in page
    assert "<b>Pond</b>" in page


@pytest.mark.parametrize("address", ["/", NEW])
def test_a_page_says_at_once_what_a_game_is_called_now(client: Client, address: str) -> None:
    add_game(1, "Otters")
    add_game(2, "Herons")
    assert ">Otters<" in markup(client.get(address))
    GameSystem.objects.filter(name="Otters").update(name="Beavers")
    page = markup(client.get(address))
    assert ">Beavers<" in page
    assert "Otters" not in page
