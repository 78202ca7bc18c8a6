"""Every listing of the API is read page by page, and no page leaves out a row."""

import re
from base64 import urlsafe_b64encode
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from drf_spectacular.generators import SchemaGenerator

from catalogue.models import GameSystem
from roster.club.campaign_map import EXAMPLE_MAP
from roster.club.models import Club, Meeting, Season, SeasonPlayer
from roster.club.services.clubs import create_club, enter_members
from roster.events.models import Event, Pairing
from roster.models import HomebrewSet, Roster
from roster.models.ownership import Visibility
from roster.models.tokens import TokenScope
from roster.models.webhooks import Topic, Webhook, WebhookDelivery
from roster.play.models import Game, MissionDeck, MissionDraw, ObjectiveHand
from roster.play.services.games import GameSetup, start_game
from roster.services.changes import Rename
from roster.services.edits import edit_roster
from roster.services.homebrew import import_set
from roster.services.organize import move_to_bin
from roster.services.owners import Visitor
from roster.services.sharing import set_visibility
from roster.services.webhooks import create_webhook
from tests.events.cast import LIST, Bench, opened
from tests.play.games import make_tap, tap
from tests.roster.test_tokens import ask, make
from tests.roster.views_cast import started

pytestmark = pytest.mark.django_db


def list_listings() -> dict[str, list[str]]:
    """Return the parameters of each address of the schema that answers with rows."""
    schema = SchemaGenerator().get_schema(public=True)
    listings = {}
    for path, operations in schema["paths"].items():
        answer = operations.get("get", {}).get("responses", {}).get("200", {}).get("content", {})
        shape = next(iter(answer.values()), {}).get("schema", {})
        component = schema["components"]["schemas"].get(shape.get("$ref", "").split("/")[-1], {})
        if shape.get("type") == "array" or "results" in component.get("properties", {}):
            listings[path] = [one["name"] for one in operations["get"].get("parameters", [])]
    return listings


LISTINGS = list_listings()
ROWS = {path: "rows" if path.endswith("/takeable/") else "limit" for path in LISTINGS}
"""The parameter that says how many rows a page has: `limit` of takeable is in points."""
QUERIES = {"/api/v1/games/{game}/takeable/": {"faction": "marsh", "limit": "1000"}}
HOMEBREW = "homebrew: 1\nname: Sluice club rules\ngame: fenland\n"
CHANGES = "/api/v1/games/{game}/versions/{content_hash}/changes/"
FEW = (
    "/api/v1/games/",
    "/api/v1/games/{game}/factions/",
    "/api/v1/games/{game}/factions/{faction}/cards/",
    "/api/v1/games/{game}/factions/{faction}/deck-rules/",
    "/api/v1/games/{game}/rules/",
    "/api/v1/games/{game}/versions/",
    CHANGES,
    "/api/v1/rosters/{link_id}/allies/",
)
"""The small game has at most one row of these."""


@pytest.fixture(scope="module")
def bench(module_db: None) -> Bench:
    made = opened("ann", "bob")
    made.submit("ann", LIST)
    made.submit("bob", LIST)
    for round_number in (1, 2):
        Pairing.objects.create(
            event=made.event, round=round_number, table="1", first=made.entry("ann"), second=made.entry("bob")
        )
    other = Event.objects.create(name="Other", version=made.event.version, zone="UTC", status="open")
    other.roles.create(user=made.people["ora"], kind="judge")
    return made


@pytest.fixture(scope="module")
def values(bench: Bench) -> dict[str, str]:
    QUERIES[CHANGES] = {"since": bench.event.version.content_hash}
    rosters = [started(bench.client("ora")).roster for _ in range(2)]
    for roster in rosters:
        set_visibility(roster, "public")
        edit_roster(Roster.objects.get(pk=roster.pk), roster.head, Rename(text="Low water"))
    move_to_bin(Roster.objects.filter(pk__in=[started(bench.client("ora")).roster.pk for _ in range(2)]))
    visitor = Visitor(user_id=bench.people["ora"].pk)
    games = [start_game(visitor, roster, GameSetup(players=3)) for roster in rosters]
    game = games[0]
    assert isinstance(game, Game)
    assert isinstance(games[1], Game)
    tap(game, 0, make_tap("set", "setup:1", text="1", side=None), make_tap("set", "setup:2", text="1", side=None))
    webhooks = [
        create_webhook(bench.people["ora"], f"https://club.example/{number}", [Topic.DECIDED]) for number in (1, 2)
    ]
    for webhook in webhooks:
        assert isinstance(webhook, Webhook)
        for _ in range(2):
            WebhookDelivery.objects.create(webhook=webhook, topic=Topic.TEST, body="{}")
    clubs = [create_club(bench.people["ora"], "Tidal club") for _ in range(2)]
    assert isinstance(clubs[0], Club)
    season = Season.objects.create(
        club=clubs[0], name="Low tide", game_name="Fenland", format="challenge", map=EXAMPLE_MAP
    )
    members = enter_members(clubs[0], "Ada\nBen")
    first, second = (SeasonPlayer.objects.create(season=season, member=member) for member in members)
    Meeting.objects.bulk_create(Meeting(season=season, first=first, second=second) for _ in range(2))
    homebrew_sets = [import_set(bench.people["ora"], HOMEBREW.encode()) for _ in range(2)]
    for number in (1, 2):
        assert isinstance(homebrew_sets[0], HomebrewSet)
        homebrew_sets[0].versions.create(number=number, document=HOMEBREW, content_hash="0" * 64)
    ora = bench.people["ora"]
    decks = [MissionDeck.objects.create(owner=ora, name="Evening", visibility=Visibility.PUBLIC) for _ in range(2)]
    for number in (1, 2):
        MissionDraw.objects.create(deck=decks[0], number=number, version=bench.event.version, mission_id="raid")
        ObjectiveHand.objects.create(owner=ora, name="Raid", version=bench.event.version, document='{"mission_id": ""}')
    return {
        "public_id": bench.event.public_id,
        "deck": decks[0].public_id,
        "house_rules": homebrew_sets[0].public_id,
        "webhook": webhooks[0].public_id,
        "season": season.public_id,
        "played": game.public_id,
        "link_id": rosters[0].link_id,
        "game": "fenland",
        "faction": "marsh-folk",
        "content_hash": bench.event.version.content_hash,
    }


@pytest.fixture(scope="module")
def secret(bench: Bench) -> str:
    return make(bench.people["ora"], *TokenScope)


def fill(path: str, values: dict[str, str]) -> str:
    """Return the address of a listing; webhooks, house rules, decks, seasons and games have public ids of their own."""
    path = path.replace("decks/{public_id}", "decks/{deck}").replace("decks/by-link/{link_id}", "decks/by-link/{deck}")
    path = path.replace("webhooks/{public_id}", "webhooks/{webhook}")
    path = path.replace("house-rules/{public_id}", "house-rules/{house_rules}")
    path = path.replace("seasons/{public_id}", "seasons/{season}")
    return path.replace("played/{public_id}", "played/{played}").format(**values)


def find_next(answer: Any) -> str:
    link = re.fullmatch(r'<(.+)>; rel="next"', answer.get("Link", ""))
    return link.group(1) if link else ""


def read_rows(answer: Any) -> list[Any]:
    assert answer.status_code == 200, answer.content.decode()
    body = answer.json()
    if isinstance(body, list):
        return body
    assert (body["next"] or "") == find_next(answer), "the header says the same as the body"
    return list(body["results"])


def walk(secret: str, path: str, values: dict[str, str]) -> list[Any]:
    """Return all rows of a listing, read with one row a page."""
    cache.clear()
    query = QUERIES.get(path, {}) | {ROWS[path]: "1"}
    answer = ask(secret, fill(path, values), data=query)
    rows = read_rows(answer)
    while following := find_next(answer):
        assert len(rows) < 200, "pages without an end"
        answer = ask(secret, following)
        page = read_rows(answer)
        assert len(page) == 1, following
        rows += page
    return rows


def test_there_are_listings() -> None:
    assert {"/api/v1/events/", "/api/v1/rosters/", "/api/v1/games/", "/api/v1/problems/"} <= set(LISTINGS)


@pytest.mark.parametrize("path", LISTINGS)
def test_each_listing_says_how_it_is_paged(path: str) -> None:
    assert {ROWS[path], "cursor"} <= set(LISTINGS[path])


@pytest.mark.parametrize("path", LISTINGS)
def test_pages_of_one_row_have_every_row_once(path: str, values: dict[str, str], secret: str) -> None:
    cache.clear()
    whole = read_rows(ask(secret, fill(path, values), data=QUERIES.get(path, {})))
    assert len(whole) >= (0 if path in FEW else 2), "too few rows to see a page end"
    assert walk(secret, path, values) == whole


@pytest.mark.parametrize("path", LISTINGS)
@pytest.mark.parametrize("cursor", ["nonsense", "W10", urlsafe_b64encode(b'[1, "nowhere"]').decode(), "é", "9" * 2000])
def test_a_page_that_there_is_not_is_an_error(path: str, cursor: str, values: dict[str, str], secret: str) -> None:
    cache.clear()
    answer = ask(secret, fill(path, values), data=QUERIES.get(path, {}) | {"cursor": cursor})
    assert answer.status_code in (400, 404), answer.content.decode()
    assert answer["Content-Type"] == "application/problem+json"


def test_rows_that_come_or_go_meanwhile_leave_no_hole(bench: Bench, secret: str) -> None:
    address = f"/api/v1/events/{bench.event.public_id}/pairings/"
    first = ask(secret, address, data={"limit": "1"})
    earlier = Pairing.objects.create(event=bench.event, round=0, table="1", first=bench.entry("ann"))
    assert [row["round"] for row in read_rows(ask(secret, find_next(first)))] == [2]
    earlier.delete()
    Pairing.objects.filter(event=bench.event, round=1).update(round=3)
    assert read_rows(ask(secret, find_next(first))) == [], "the named row is the last one now"
    Pairing.objects.filter(event=bench.event, round=3).delete()
    answer = ask(secret, find_next(first))
    assert (answer.status_code, list(answer.json()["errors"])) == (400, ["cursor"])


def test_many_events_are_all_listed(bench: Bench, secret: str, django_assert_max_num_queries: Any) -> None:
    ora, version = bench.people["ora"], GameSystem.objects.get().current
    before = len(read_rows(ask(secret, "/api/v1/events/")))
    events = Event.objects.bulk_create(
        Event(name=f"Cup {number}", version=version, zone="UTC") for number in range(230)
    )
    for event in events:
        event.roles.create(user=ora, kind="organiser")
    with django_assert_max_num_queries(12):
        listed = read_rows(ask(secret, "/api/v1/events/"))
    assert len(listed) == before + 230
    assert {row["role"] for row in listed} == {"organiser", "judge"}


def test_a_page_has_a_size_that_is_a_number(bench: Bench, secret: str) -> None:
    for wrong in ("0", "-1", "201", "many", "1.5"):
        answer = ask(secret, "/api/v1/events/", data={"limit": wrong})
        assert (answer.status_code, list(answer.json()["errors"])) == (400, ["limit"])


def test_pages_by_number_of_rows_go_on_by_cursor(bench: Bench) -> None:
    answer = Client().get("/api/v1/games/fenland/factions/marsh-folk/units/", {"limit": "1", "offset": "1"})
    second = answer.json()
    assert "cursor=" in second["next"]
    assert "offset=" not in second["next"]
    back = Client().get(Client().get(second["next"]).json()["previous"]).json()
    assert back["results"] == second["results"]
