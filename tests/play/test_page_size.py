"""The bytes of a large game's page before compression: as it begins, in its last step, and ended."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from roster.models import Roster
from roster.play.game_state import HandNote, Operation, TableStep, write_hand_note
from roster.play.models import Game
from roster.play.services.game_board import build_game_board
from roster.play.services.game_rules import load_rules, make_course
from roster.play.views.game_page import build_game_context
from tests.current.building import begin_list
from tests.current.written import HERE, read_list
from tests.markup import markup
from tests.play.games import NINTH, begin, join, load_army, make_tap, tap
from tests.read_archives import import_archive

pytestmark = pytest.mark.django_db

MOST_BYTES = 60_000
DIGEST = len(".0123456789ab")
"""What served files have in their names and tests do not."""
SEED = f"{55:064x}"
"""Its draws made the heaviest page of 16 games. The lightest was 1,400 bytes smaller."""
GROUPS = "raid eradication brought-low"


def weigh(game: Game, *readers: Client) -> int:
    """Return the bytes of the largest page of a game, among those of its players and of an onlooker."""
    addresses = [(one, reverse("play:game", args=[game.public_id])) for one in readers]
    addresses.append((Client(), reverse("play:game-link", args=[game.link_id])))
    pages = [client.get(address).content for client, address in addresses]
    return max(len(page) + DIGEST * page.count(settings.STATIC_URL.encode()) for page in pages)


def play_to_the_end(game: Game) -> Iterator[int]:
    """Do what a page offers in each step: tick off, mark and wound units, take gains, draw, score. Yield each round."""
    step: TableStep | None = game.now.step
    course = make_course(game, load_rules(game))
    if load_rules(game).fold.hand:
        for place in (0, 1):
            tap(game, place, act(place, "choose", group=GROUPS))
    while step is not None:
        if step == course.start_round(step.round):
            for place in (0, 1):
                tap(game, place, act(place, "begin"))
            yield step.round
        for place in (0, 1):
            tap(game, place, *list_taps(game, place))
        following = course.find_next(step)
        if following:
            tap(game, 0, make_tap("step", "step", text=f"{step} {following}", side=None))
        step = following


def act(side: int, name: str, **fields: str) -> Operation:
    return make_tap("hand", "hand", text=write_hand_note(HandNote(act=name, fields=fields)), side=side)


def list_taps(game: Game, place: int) -> list[Operation]:
    context = build_game_context(build_game_board(game, place))
    step, units = game.now.step, context["board"].mine.units
    done = [one.key for one in context["reminders"] if one.phase == step.phase]
    taps = [make_tap("set", key, text="1", side=place) for key in done]
    gains = [gain for gain in context["gains"] if gain.phase == step.phase]
    taps += [make_tap("count", gain.counter, 1, gain.key, side=place) for gain in gains]
    if place == step.turn and step == make_course(game, load_rules(game)).start_turn(step.round, place):
        taps += [make_tap("set", unit.marks[0].key, text="1", side=place) for unit in units]
        taps += [make_tap("count", unit.rows[0].run.key, 1, side=place) for unit in units]
        taps.append(make_tap("set", f"at:{units[0].unit.key}", text="reserve", side=place))
        taps.append(make_tap("count", f"score:points:{step.round}", 1, side=place))
    if step.turn:
        taps += [act(place, "score", place=str(number)) for number in range(4)]
    return taps


def weigh_game(client: Client, game: Game) -> list[int]:
    """Return the weights at the beginning of each round, in the last step, and after the end."""
    other = join(game, Client(), inviter=client)
    weights = [weigh(game, client, other) for _round in play_to_the_end(game)]
    weights.append(weigh(game, client, other))
    assert client.post(reverse("play:game-end", args=[game.public_id]), {"do": "end", "notes": ""}).status_code == 303
    return [*weights, weigh(game, client, other)]


@pytest.mark.complete
@pytest.mark.parametrize("mission", ["territorial-control", "never-surrender"])
def test_a_page_of_maelstrom_of_war_is_small(client: Client, mission: str) -> None:
    army = load_army(NINTH, "tyranids-strike-force")
    game = begin(client, army, mission=mission, size="strike-force", opponent_link=army.link_id)
    Game.objects.filter(pk=game.pk).update(seed=SEED)
    game.refresh_from_db()
    weights = weigh_game(client, game)
    assert game.now.step.round == 5
    assert max(weights) <= MOST_BYTES, weights


@pytest.mark.complete
def test_a_page_of_imported_data_is_small(client: Client, shared: Path) -> None:
    written = read_list(HERE / "wh40k-10e" / "ultramarines.yaml")
    imported = import_archive(shared / "bsdata" / written.archive)
    version = next(one.version for one in imported.games if one.version.game.name == written.system)
    builder = begin_list(version, written)
    for step in written.steps:
        builder.carry_out(step)
    Roster.objects.update(owner_key="")
    army = Roster.objects.get()
    game = begin(client, army, opponent_link=army.link_id, table="wh40k-10e")
    weights = weigh_game(client, game)
    assert max(weights) <= MOST_BYTES, weights


def test_what_is_in_the_units_is_a_page_that_works_without_scripts(client: Client) -> None:
    army = load_army(NINTH, "necrons-incursion")
    game = begin(client, army, opponent_link=army.link_id)
    address = reverse("play:game-units", args=[game.public_id])
    shown = markup(client.get(reverse("play:game", args=[game.public_id])))
    assert 'href="units/#s0u1"' in shown
    assert '<table class="arms">' not in shown.split("Score by round")[0]
    units = markup(client.get(address))
    assert '<table class="arms">' in units
    assert 'value="tick 0 w:u1:0.0 0 2"' in units
    answer = client.post(address, {"op": "tick 0 w:u1:0.0 0 2"})
    assert (answer.status_code, answer["Location"]) == (303, address)
    game.refresh_from_db()
    assert game.now.sides[0].counts["w:u1:0.0"] == 2
    assert client.post(address, {"op": "fly 0 w:u1:0.0 0 2"}).status_code == 400
    refused = client.post(address, {"op": "tick 0 w:u1:0.0 0 2", "at": "x"})
    assert refused["Location"] == f"{address}#x"
    assert Client().get(address).status_code == 404
    watched = markup(Client().get(reverse("play:game-link-units", args=[game.link_id])))
    assert '<table class="arms">' in watched
    assert "tick 0 w:u1:0.0 2 1" in watched
