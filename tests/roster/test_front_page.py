"""The front page of a returning user: the last list, running games, coming events."""

import pytest
from django.test import Client
from django.urls import reverse

from roster.models import Roster
from roster.play.models import Game
from roster.services.accounts import set_player_name
from tests.events.cast import opened
from tests.markup import markup
from tests.play.games import begin
from tests.roster.deck_owner import decker
from tests.roster.views_cast import started

pytestmark = pytest.mark.django_db

FRONT, MINE, NEW = reverse("roster:front"), reverse("roster:rosters"), reverse("roster:new")


def read_front(client: Client) -> str:
    answer = client.get(FRONT)
    assert answer.status_code == 200
    return markup(answer)


def test_an_empty_list_is_opened_and_not_played(client: Client) -> None:
    owner = started(client)
    play = reverse("play:game-new", args=[owner.roster.link_id])
    page = read_front(client)
    assert owner.url("builder") in page
    assert play not in page
    assert "to do" not in page


def test_the_last_list_says_how_much_is_to_do_and_can_be_played(client: Client) -> None:
    owner = started(client)
    owner.unit("cutters")
    page = read_front(client)
    assert owner.roster.verdict == "incomplete"
    assert f"Incomplete: {owner.roster.violations} to do" in page
    assert reverse("play:game-new", args=[owner.roster.link_id]) in page
    owner.unit("warden")
    assert owner.roster.verdict == "legal"
    assert "to do" not in read_front(client)


def test_all_lists_are_counted(client: Client) -> None:
    for number in range(1, 8):
        started(client, name=f"List {number}")
        assert f"All {number}</a>" in read_front(client) or number == 1
    started(Client())
    assert "All 7</a>" in read_front(client)


def test_games_in_progress_are_resumed_until_they_end(client: Client) -> None:
    owner = started(client)
    owner.unit("warden")
    game = begin(client, owner.roster)
    address = reverse("play:game", args=[game.public_id])
    assert address in read_front(client)
    stranger = Client()
    started(stranger)
    assert address not in read_front(stranger)
    client.post(reverse("play:game-end", args=[game.public_id]), {"do": "end"})
    assert Game.objects.get().ended
    assert address not in read_front(client)


def test_events_ask_their_players_for_a_list_until_they_are_closed() -> None:
    bench = opened("ann")
    entry = bench.entry("ann")
    submit = reverse("events:submit", args=[bench.event.public_id, entry.public_id])
    for name in ("ann", "ora", "sue"):
        started(bench.client(name))
    assert submit in read_front(bench.client("ann"))
    runs = read_front(bench.client("ora"))
    assert bench.event.get_absolute_url() in runs
    assert submit not in runs
    assert bench.event.get_absolute_url() not in read_front(bench.client("sue"))
    bench.submit("ann")
    page = read_front(bench.client("ann"))
    assert bench.event.get_absolute_url() in page
    assert submit not in page
    type(bench.event).objects.update(status="closed")
    assert bench.event.get_absolute_url() not in read_front(bench.client("ann"))


def test_a_list_of_a_game_without_costs_shows_its_cards() -> None:
    owner = decker("angel-of-death")
    client = owner.client
    roster = Roster.objects.get(public_id=owner.public_id)
    assert roster.points == "0"
    assert roster.cards_needed == 25
    assert roster.cards is not None
    assert roster.cards < roster.cards_needed
    for page in (markup(client.get(MINE)), read_front(client)):
        assert "25 cards" in page
    points = started(client)
    assert points.roster.cards is None
    assert points.roster.cards_needed is None


def test_public_lists_are_found_by_their_players() -> None:
    bench = opened("ann", "bob")
    for name in ("ann", "bob"):
        owner = started(bench.client(name), name=f"Of {name}")
        owner.roster.__class__.objects.filter(public_id=owner.public_id).update(visibility="public")
    set_player_name(bench.people["ann"], "tin_dice")
    answer = Client().get(reverse("roster:public"), {"q": "TIN_d"})
    assert [row.roster.name for row in answer.context["rows"]] == ["Of ann"]
