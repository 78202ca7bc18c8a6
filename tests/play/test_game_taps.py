"""Taps of two phones: each can be taken back to exactly the state before, late ones never throw the game back."""

import json
import random
import re
from collections.abc import Iterator
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from msgspec.structs import replace

from roster.models import Roster
from roster.play.game_state import SideState, TableStep
from roster.play.models import Game, GameInvitation
from roster.play.services.game_board import build_game_board, describe_page_state, describe_state
from roster.play.services.game_log import list_log
from roster.play.services.game_rules import load_fold, load_rules, make_course
from roster.play.services.game_taps import HELD, HELD_LETTERS, UNDOS, list_operations
from roster.play.services.game_units import load_table_list
from roster.play.services.games import describe_side, list_confirmations
from tests.extent import sample
from tests.markup import markup
from tests.play.games import DAWNFALL, EDGE, NINTH, WARZONE, begin, join, load_army, make_tap, tap

pytestmark = pytest.mark.django_db

AGAIN = 1
"""A seed whose second round draws an objective of the first again."""


@pytest.fixture
def army(db: None) -> Roster:
    return load_army(NINTH, "necrons-incursion")


def go(start: object, end: str) -> object:
    return make_tap("step", "step", text=f"{start} {end}", side=None)


def tick(key: str, start: int, end: int) -> object:
    return make_tap("tick", key, text=f"{start} {end}")


def undo(operation: object) -> object:
    return make_tap("undo", operation.uid, side=None)


def hand(act: str, **fields: str) -> object:
    return make_tap("hand", "hand", text=json.dumps({"act": act, "fields": fields}))


def make_random_taps(game: Game, dice: random.Random) -> Iterator[object]:
    """Yield taps of every kind, in an order that differs from seed to seed."""
    phases = [phase.id for phase in load_rules(game).phases]
    makers = [
        lambda: go(game.now.step, f"{dice.randint(1, 5)}:{dice.randint(0, 1)}:{dice.choice(phases)}"),
        # A step from where the game is not any more.
        lambda: go("4:1:morale", f"1:0:{phases[0]}"),
        lambda: tick(f"w:u{dice.randint(1, 3)}:0.0", dice.randint(0, 3), dice.randint(0, 5)),
        lambda: make_tap("count", f"w:u1:{dice.choice(('0.0', '1.0'))}", dice.choice((-1, 1, 40))),
        lambda: make_tap("count", "res:command-points", dice.choice((-1, -20, 1))),
        lambda: make_tap("count", f"score:points:{dice.randint(1, 3)}", dice.choice((5, -3))),
        lambda: make_tap("set", "at:u1", text=dice.choice(("reserve", "dead=2", ""))),
        lambda: make_tap("set", f"done:1.0.{phases[0]}.0", text=dice.choice(("1", ""))),
        lambda: make_tap("set", f"mark:u1:{dice.choice(('done.1.0', 'free-1'))}", text=dice.choice(("1", ""))),
        lambda: make_tap("set", f"setup:{dice.randint(1, 3)}", text="1", side=None),
        lambda: make_tap(
            "step", "first", text=f"{game.now.shared.texts['first']} 1:{dice.randint(0, 1)}:{phases[0]}", side=None
        ),
        # What a phase brings, counted once.
        lambda: make_tap("count", "res:command-points", 1, text="done:1.0.command.gain-0"),
        lambda: make_tap("shuffle", "d0", amount=25),
        lambda: make_tap("draw", "d0", amount=dice.randint(1, 3)),
        lambda: make_tap("discard", "d0", text=str(dice.randint(0, 9))),
        lambda: make_tap("return", "d0", text=str(dice.randint(0, 9))),
        lambda: hand("choose", group="raid eradication brought-low"),
        lambda: hand("begin"),
        lambda: hand("score", place="0"),
    ]
    rest = [dice.choice(makers) for _more in range(15)]
    mixed = makers + rest
    dice.shuffle(mixed)
    for maker in mixed:
        yield maker()


@pytest.mark.parametrize("seed", sample(range(4), 1))
@pytest.mark.parametrize("pack", ["ninth", "dawnfall"])
def test_every_tap_from_the_first_on_is_taken_back_to_the_state_before(client: Client, seed: int, pack: str) -> None:
    if pack == "ninth":
        army = load_army(NINTH, "necrons-incursion")
        game = begin(client, army, mission="never-surrender", size="incursion", first=str(seed % 2))
    else:
        game = begin(client, load_army(DAWNFALL, "army-hunger-without-a-face"), first=str(seed % 2))
    changed = 0
    for operation in make_random_taps(game, random.Random(seed)):
        before = game.now
        if tap(game, 0, operation).refused:
            # Objectives are drawn in their time, and the second turn has no phase in which they are.
            assert game.now == before
            continue
        after = game.now
        taken_back = undo(operation)
        tap(game, 0, taken_back)
        assert game.now == before, operation
        tap(game, 0, undo(taken_back))
        assert game.now == after, operation
        changed += before != after
    assert changed > 6


@pytest.mark.parametrize("seed", sample(range(6), 2))
def test_undoing_every_tap_from_the_first_one_on_gives_the_beginning(client: Client, army: Roster, seed: int) -> None:
    game = begin(client, army, mission="never-surrender", size="incursion", first=str(seed % 2))
    beginning = game.now
    for operation in make_random_taps(game, random.Random(seed)):
        tap(game, 0, operation)
    lines = [line for line in list_log(game, 0)[::-1] if line.can_undo]
    assert len(lines) > UNDOS
    while lines:
        tap(game, 0, make_tap("undo", lines[0].id, side=None))
        # Steps come one by one: each of them is offered once the later ones are undone.
        lines = [line for line in list_log(game, 0)[::-1] if line.can_undo and not line.takes_back]
    assert game.now == beginning


def test_the_log_undoes_what_is_older_than_the_page_s_undo(client: Client, army: Roster) -> None:
    game = begin(client, army)
    other = join(game, Client(), inviter=client)
    address = reverse("play:game-log", args=[game.link_id])
    first, step = make_tap("count", "score:points:1", 5), go(game.now.step, "1:0:morale")
    tap(game, 0, first, step)
    tap(game, 0, *(make_tap("set", f"done:1.0.fight.{number}", text="1") for number in range(UNDOS + 1)))
    assert first.uid not in [one["id"] for one in describe_state(game, 0)["undos"]]
    for page in (address, reverse("play:game", args=[game.public_id])):
        assert f'value="undo - {first.uid}"' in markup(client.get(page))
        for reader in (other, Client()):
            assert first.uid not in markup(reader.get(page)).partition('id="state"')[0]
    # The step is no longer among the page's undos. Without it, later steps would not fit.
    assert step.uid not in markup(client.get(address))
    for stranger in (other, Client()):
        assert stranger.post(address, {"op": f"undo - {first.uid}"}).status_code in (404, 422)
    assert client.post(address, {"op": "undo"}).status_code == 400
    assert client.post(address, {"op": f"undo - {first.uid}", "form_id": uuid4()}).status_code == 303
    game.refresh_from_db()
    assert game.now.sides[0].counts == {}
    # What was undone comes back in the same way.
    taken_back = list_log(game, 0)[0]
    assert f'value="undo - {taken_back.id}"' in markup(client.get(address))
    client.post(address, {"op": f"undo - {taken_back.id}", "form_id": uuid4()})
    game.refresh_from_db()
    assert game.now.sides[0].counts == {"score:points:1": 5}
    assert client.post(reverse("play:game-end", args=[game.public_id]), {"do": "end"}).status_code == 303
    assert 'value="undo' not in markup(client.get(address))


def test_the_first_undo_leaves_phase_and_turn(client: Client, army: Roster) -> None:
    game = begin(client, army, first="1")
    address = reverse("play:game", args=[game.public_id])
    assert client.post(address, {"op": "count 0 score:points:1 1"}).status_code == 303
    game.refresh_from_db()
    uid = describe_state(game, 0)["undos"][0]["id"]
    assert client.post(address, {"op": f"undo - {uid}"}).status_code == 303
    game.refresh_from_db()
    assert game.now.step == TableStep(round=1, turn=1, phase="command")
    shown = markup(client.get(address))
    assert 'value="step - step 1:1:command 1:1:movement" data-next-step' in shown
    assert describe_state(game, 0)["undos"] == []


def test_the_beginning_can_neither_be_sent_nor_taken_back(client: Client, army: Roster) -> None:
    game = begin(client, army)
    beginning = list_operations(game)[0]
    assert (beginning.number, beginning.kind, beginning.text) == (0, "begin", "1:0:command")
    again = make_tap("begin", "game", text="3:0:command", side=None)
    assert set(tap(game, 0, again, undo(beginning)).refused) != set()
    assert (game.last, game.now.step) == (0, TableStep(phase="command"))


def test_a_phone_that_was_away_never_throws_the_game_back(client: Client, army: Roster) -> None:
    game = begin(client, army)
    join(game, Client(), inviter=client)
    late = go("1:0:command", "1:0:movement")
    for end in ("1:0:movement", "1:0:psychic", "2:0:command", "2:0:psychic"):
        assert not tap(game, 0, go(game.now.step, end)).refused
    receipt = tap(game, 1, late)
    assert list(receipt.numbers) == [late.uid]
    assert str(game.now.step) == "2:0:psychic"
    # Nor does its Undo, or another one's.
    tap(game, 1, undo(late))
    assert str(game.now.step) == "2:0:psychic"


def test_a_tap_by_both_at_once_goes_one_step(client: Client, army: Roster) -> None:
    game = begin(client, army)
    join(game, Client(), inviter=client)
    for place in (0, 1):
        tap(game, place, go("1:0:command", "1:0:movement"))
    assert str(game.now.step) == "1:0:movement"
    lines = list_log(game, 0)
    assert [line.stands for line in lines] == [False, True, True]
    assert "the game had gone on" in lines[0].text


def test_undo_offers_no_step_that_the_game_has_left(client: Client, army: Roster) -> None:
    game = begin(client, army)
    join(game, Client(), inviter=client)
    wound = tick("w:u1:0.0", 0, 1)
    first, second = go("1:0:command", "1:0:movement"), go("1:0:movement", "1:0:psychic")
    tap(game, 0, wound, first, second)
    undos = describe_state(game, 0)["undos"]
    assert [one["id"] for one in undos] == [second.uid, first.uid, wound.uid]
    assert [(one["kind"], one["text"], one["before"]) for one in undos[:2]] == [
        ("set", "1:0:psychic", "1:0:movement"),
        ("set", "1:0:movement", "1:0:command"),
    ]
    assert (undos[2]["kind"], undos[2]["amount"]) == ("count", 1)
    tap(game, 1, go("1:0:psychic", "1:0:shooting"))
    assert [one["id"] for one in describe_state(game, 0)["undos"]] == [wound.uid]
    tap(game, 0, undo(second))
    assert str(game.now.step) == "1:0:shooting"


@pytest.mark.parametrize(
    "text",
    [
        *("", "1:0:command", "1:0:command 9999:0:command", "1:0:command 6:0:command", "1:0:command 1:7:fight"),
        *("1:0:command 1:0:nonsense", "1:0:command 1:1:objectives", "x 1:0:fight", "1:0:command 0:0:fight"),
    ],
)
def test_a_step_to_nowhere_is_refused(client: Client, army: Roster, text: str) -> None:
    game = begin(client, army, mission="territorial-control")
    operation = make_tap("step", "step", text=text, side=None)
    assert list(tap(game, 0, operation).refused) == [operation.uid]
    assert game.now.step == TableStep(phase="objectives")


@pytest.mark.parametrize(
    ("sent", "step"),
    [
        (["1:0:movement"], "1:0:movement"),
        (["1:0:movement", "1:0:psychic", "2:1:fight"], "2:1:fight"),
        # What waited on a phone that was away comes after the game has gone on.
        (["2:0:fight", "1:0:movement"], "2:0:fight"),
        (["1:1:command", "1:0:morale"], "1:1:command"),
        (["9999:0:control"], "1:0:command"),
        (["nonsense", ""], "1:0:command"),
    ],
)
def test_steps_of_the_version_before_lead_on_and_never_back(
    client: Client, army: Roster, sent: list[str], step: str
) -> None:
    game = begin(client, army)
    for text in sent:
        operation = make_tap("set", "step", text=text, side=None)
        assert list(tap(game, 0, operation).numbers) == [operation.uid]
    assert str(game.now.step) == step
    assert all(line.text for line in list_log(game, 0))


def begin_as_before(client: Client, army: Roster) -> Game:
    """Return a game of the version before: its beginning is no operation, and its state lost it at the first undo."""
    game = begin(client, army, first="1")
    game.operations.all().delete()
    Game.objects.filter(pk=game.pk).update(state='{"sides":[{"counts":{"w:u1:0.0":-2}},{}]}')
    game.refresh_from_db()
    return game


def test_a_game_that_began_before_goes_on_with_its_beginning(client: Client, army: Roster) -> None:
    game = begin_as_before(client, army)
    assert client.get(reverse("play:game", args=[game.public_id])).status_code == 200
    wound = tick("w:u1:0.0", 0, 1)
    assert list(tap(game, 0, wound).numbers.values()) == [1]
    assert str(game.now.step) == "1:1:command"
    assert game.now.sides[0].counts == {"w:u1:0.0": 1}
    tap(game, 0, undo(wound))
    assert str(game.now.step) == "1:1:command"
    assert [operation.number for operation in list_operations(game)] == [0, 1, 2]


def test_taps_that_waited_for_a_new_version_count(client: Client, army: Roster) -> None:
    game = begin_as_before(client, army)
    waiting = [make_tap("count", "w:u1:0.0", 1), make_tap("set", "step", text="1:1:movement", side=None)]
    assert len(tap(game, 0, *waiting, undo(waiting[0])).numbers) == 3
    assert str(game.now.step) == "1:1:movement"
    assert game.now.sides[0] == SideState()


@pytest.mark.parametrize(
    ("ticks", "left"),
    [
        ([(0, 1), (1, 2), (0, 1), (1, 2)], 2),
        # A phone that was away ticks fewer, later.
        ([(0, 5), (0, 2)], 5),
        ([(0, 3), (3, 2), (3, 2)], 2),
        ([(0, 3), (1, 0)], 2),
        ([(0, 500)], 5),
    ],
)
def test_two_devices_that_tick_the_same_box_tick_it_once(
    client: Client, army: Roster, ticks: list[tuple[int, int]], left: int
) -> None:
    game = begin(client, army)
    most = load_fold(game, load_rules(game)).ends[0]["w:u1:0.0"][1]
    tap(game, 0, *(tick("w:u1:0.0", start, end) for start, end in ticks))
    assert game.now.sides[0].counts["w:u1:0.0"] == min(left, most)


def test_sums_have_ends(client: Client, army: Roster) -> None:
    game = begin(client, army, mission="territorial-control", size="incursion")
    low, _high = load_fold(game, load_rules(game)).ends[0]["res:command-points"]
    assert low < 0
    tap(game, 0, *(make_tap("count", "res:command-points", -1) for _time in range(8 - low)))
    assert game.now.sides[0].counts == {"res:command-points": low}
    tap(game, 0, make_tap("count", "score:points:1", -3), make_tap("count", "w:u1:0.0", -3))
    assert game.now.sides[0].counts == {"res:command-points": low}
    tap(game, 0, make_tap("count", "w:u1:0.0", 500), make_tap("count", "w:u1:0.0", -1))
    assert game.now.sides[0].counts["w:u1:0.0"] == load_fold(game, load_rules(game)).ends[0]["w:u1:0.0"][1] - 1
    # Points of an earlier round can be taken back later, but no more than there are.
    tap(game, 0, make_tap("count", "score:points:1", 5), make_tap("count", "score:points:2", -9))
    assert describe_state(game, 0)["sides"][0]["score"]["total"] == 0
    page = json.loads(json.dumps(describe_page_state(game, 0)))
    assert page["sides"][0]["counts"]["score:points:2"] == -5


@pytest.mark.parametrize("text", ["", "1", "1 2 3", "-1 2", "a b", "1 99999"])
def test_a_tick_that_makes_no_sense_is_refused(client: Client, army: Roster, text: str) -> None:
    game = begin(client, army)
    assert tap(game, 0, make_tap("tick", "w:u1:0.0", text=text)).refused
    assert tap(game, 0, make_tap("tick", "w:u1:0.0", text="0 1", side=None)).refused


def test_a_page_names_the_taps_that_its_state_contains(client: Client, army: Roster) -> None:
    game = begin(client, army)
    join(game, Client(), inviter=client)
    wound = make_tap("count", "a", 1)
    tap(game, 0, wound, undo(wound))
    other = make_tap("count", "a", 1, side=1)
    tap(game, 1, other)
    for describe in (describe_page_state, describe_state):
        newest, *_others, oldest = describe(game, 0)["held"].split(" ")
        assert (newest, oldest) == (other.uid[:HELD_LETTERS], wound.uid[:HELD_LETTERS])
        assert describe(game, None)["held"] == ""


def test_a_device_that_heard_taps_by_code_asks_for_all_that_the_server_has(client: Client, army: Roster) -> None:
    game = begin(client, army)
    taps = [make_tap("count", "a", 1) for _number in range(HELD + 1)]
    for start in (0, HELD):
        tap(game, 0, *taps[start : start + HELD])
    named = describe_state(game, 0)["held"].split(" ")
    assert len(named) == HELD
    assert taps[0].uid[:HELD_LETTERS] not in named
    answer = client.get(
        reverse("play:game-taps", args=[game.public_id]), {"since": HELD + 1, "joined": 1, "all": 1}
    ).json()
    assert "state" not in answer
    assert answer["all"] == [one.uid[:HELD_LETTERS] for one in reversed(taps)]


def test_the_round_is_a_list_and_the_last_step_ends_the_game(client: Client, army: Roster) -> None:
    game = begin(client, army, mission="territorial-control")
    address = reverse("play:game", args=[game.public_id])
    shown = markup(client.get(address))
    assert all(f'value="step - step 1:0:objectives {number}:0:objectives"' in shown for number in range(1, 6))
    assert "6:0:objectives" not in shown
    # Objectives are drawn once in a round, before the turns.
    assert 'value="step - step 1:0:objectives 1:1:command" data-go-turn="1"' in shown
    assert client.post(address, {"op": "step - step 1:0:objectives 5:1:morale", "form_id": uuid4()}).status_code == 303
    shown = markup(client.get(address))
    last = shown.partition("data-last-step")[2].partition(">")[0]
    following = shown.partition("data-next-step")[2].partition(">")[0]
    assert "hidden" not in last
    assert "hidden" in following
    assert "Round 6" not in shown


def test_an_onlooker_goes_nowhere(client: Client, army: Roster) -> None:
    game = begin(client, army)
    shown = markup(Client().get(reverse("play:game-link", args=[game.link_id])))
    assert "data-go=" not in shown
    assert "data-go-turn" not in shown


def test_decks_begin_shuffled(client: Client, db: None) -> None:
    army = load_army(DAWNFALL, "army-hunger-without-a-face")
    game = begin(client, army)
    pile = game.now.sides[0].piles["d0"]
    assert (sorted(pile.draw), pile.hand) == (list(range(25)), [])
    assert pile.draw != sorted(pile.draw)
    assert describe_state(game, 0)["undos"] == []
    dealt = list_operations(game)[1]
    assert tap(game, 0, undo(dealt)).refused
    assert tap(game, 0, make_tap("deal", "d0", text="0,1")).refused
    # The cards stay secret.
    assert describe_state(game, None)["sides"][0]["piles"]["d0"]["draw"] == 25
    assert dealt.text not in str([line.text for line in list_log(game, None)])
    # A list that is brought by the other player brings its deck.
    assert client.post(reverse("play:game-invite", args=[game.public_id]), {"do": "opponent"}).status_code == 303
    code = GameInvitation.objects.latest("pk").code
    other = Client()
    form = {"link": f"/r/{army.link_id}/", "player": "Ben"}
    assert other.post(reverse("play:game-join", args=[code]), form).status_code == 303
    game.refresh_from_db()
    assert len(game.now.sides[1].piles["d0"].draw) == 25
    assert describe_side(game.sides.get(place=1)) == "Ben"
    assert [line.text for line in list_log(game, None)].count("dealt the deck") == 2


@pytest.mark.parametrize("player", ["x" * 41, "x" * 400])
def test_a_name_that_is_too_long_joins_nobody(client: Client, army: Roster, player: str) -> None:
    game = begin(client, army)
    assert client.post(reverse("play:game-invite", args=[game.public_id]), {"do": "opponent"}).status_code == 303
    address = reverse("play:game-join", args=[GameInvitation.objects.latest("pk").code])
    refused = Client().post(address, {"player": player})
    assert refused.status_code == 422
    assert 'role="alert"' in markup(refused)
    assert not game.sides.get(place=1).player
    assert not GameInvitation.objects.get().used


def test_the_log_says_what_was_drawn_scored_and_undone(client: Client, army: Roster) -> None:
    game = begin(client, army, mission="never-surrender", size="incursion")
    points, scored = make_tap("count", "score:battle-ready:1", 10), hand("score", place="0")
    tap(game, 0, points, hand("choose", group="raid eradication brought-low"), hand("begin"))
    tap(game, 0, make_tap("step", "step", text="1:0:objectives 1:1:morale", side=None), scored)
    rules = load_rules(game).fold.hand
    names = [rules.find_objective(drawn.objective_id).name for drawn in game.now.sides[0].hand.now.drawn]
    texts = [line.text for line in list_log(game, 0)]
    assert texts[2] == f"drew the objectives of the round: {', '.join(names)}"
    assert texts[0].startswith(f"scored an objective: {names[0]} (+")
    taken_back = undo(points)
    tap(game, 0, taken_back, undo(taken_back))
    texts = [line.text for line in list_log(game, None)]
    assert texts[:2] == ["redid: +10 points: Battle ready", "undid: +10 points: Battle ready"]
    # A tap that is taken back is described without what it would have done.
    tap(game, 0, undo(scored))
    assert list_log(game, 0)[0].text == "undid: scored an objective"


def test_the_log_says_what_was_named_and_drawn_again(client: Client, army: Roster) -> None:
    game = begin(client, army, mission="ambitious-surge", size="incursion")
    Game.objects.filter(pk=game.pk).update(seed=f"{AGAIN:064x}")
    game.refresh_from_db()
    other = join(game, Client(), inviter=client)
    for place in (1, 0):
        tap(game, place, replace(hand("choose", group="raid eradication brought-low"), side=place))
    for place in (1, 0):
        tap(game, place, replace(hand("begin"), side=place))
    rules = load_rules(game).fold.hand
    names = [rules.find_objective(drawn.objective_id).name for drawn in game.now.sides[0].hand.now.drawn]
    tap(game, 1, hand("name", place="1"))
    for reader in (0, 1, None):
        assert list_log(game, reader)[0].text == f"named an objective: {names[1]}"
    tap(game, 0, make_tap("step", "step", text="1:0:objectives 1:1:morale", side=None))
    tap(game, 0, *(hand("score", place=str(place)) for place in range(2)))
    # The other phone sees which of them are scored, and so does everybody after the game.
    assert show(other, game).partition('data-hand="0"')[2].partition("</section>")[0].count("Scored") == 2
    assert markup(Client().get(reverse("play:game-link", args=[game.link_id]))).count("Scored") == 2
    tap(game, 0, hand("score", place="2"))
    tap(game, 0, make_tap("step", "step", text="1:1:morale 2:0:objectives", side=None), hand("begin"))
    again = [rules.find_objective(drawn.objective_id).name for drawn in game.now.sides[0].hand.now.drawn]
    assert set(again) & set(names)
    assert list_log(game, 1)[0].text == f"drew the objectives of the round: {', '.join(again)}"


def test_the_log_names_cards_to_their_owner_alone(client: Client, db: None) -> None:
    game = begin(client, load_army(DAWNFALL, "army-hunger-without-a-face"))
    tap(game, 0, make_tap("draw", "d0", amount=2))
    line, hidden = list_log(game, 0)[0].text, list_log(game, 1)[0].text
    assert line.startswith("drew 2 cards: ")
    assert hidden == "used cards or objectives"


def test_both_players_confirm_the_result(client: Client, army: Roster) -> None:
    game = begin(client, army, opponent="Ben")
    other = join(game, Client(), inviter=client)
    end = reverse("play:game-end", args=[game.public_id])
    # There is nothing to confirm before the end.
    assert client.post(end, {"do": "confirm"}).status_code == 422
    tap(game, 0, make_tap("count", "score:points:1", 5))
    assert client.post(end, {"do": "end"}).status_code == 303
    assert "Ben: not confirmed yet" in markup(client.get(end))
    assert other.post(end, {"do": "confirm"}).status_code == 303
    shown = markup(client.get(end))
    assert "Ben: confirmed" in shown
    assert 'value="confirm"' in shown
    assert client.post(end, {"do": "confirm"}).status_code == 303
    assert 'value="confirm"' not in markup(client.get(end))
    game.refresh_from_db()
    assert [one.confirmed for one in list_confirmations(game)] == [True, True]
    # A tap that was late changes the result, so both are asked again.
    tap(game, 0, make_tap("count", "score:points:1", 2))
    assert [(one.confirmed, one.old) for one in list_confirmations(game)] == [(False, "5 : 0"), (False, "5 : 0")]
    assert "Ben: confirmed 5 : 0, which has changed since" in markup(client.get(end))
    assert "confirmed the result: 5 : 0" in [line.text for line in list_log(game, None)]


def show(client: Client, game: Game) -> str:
    return markup(client.get(reverse("play:game", args=[game.public_id])))


def press(client: Client, game: Game, op: str) -> None:
    address = reverse("play:game", args=[game.public_id])
    assert client.post(address, {"op": op, "form_id": uuid4()}).status_code == 303
    game.refresh_from_db()


def test_what_a_phase_brings_is_counted_once_in_a_turn(client: Client, army: Roster) -> None:
    game = begin(client, army, mission="territorial-control", size="incursion")
    op = "count 0 res:command-points 1 done:1.0.command.gain-0"
    assert f'value="{op}"' not in show(client, game), "its phase comes later"
    press(client, game, f"step - step {game.now.step} 1:0:command")
    assert f'value="{op}"' in show(client, game)
    press(client, game, op)
    # Another device of the same player taps it, too.
    press(client, game, op)
    assert game.now.sides[0].counts["res:command-points"] == 1
    taken = show(client, game).partition('data-gain="0 command.gain-0"')[2].partition(">")[0]
    assert "disabled" in taken
    press(client, game, f"step - step {game.now.step} 2:0:command")
    assert 'value="count 0 res:command-points 1 done:2.0.command.gain-0"' in show(client, game)


def test_what_a_phase_brings_follows_the_round_and_the_list(client: Client, db: None) -> None:
    game = begin(client, load_army(EDGE, "army-hazard-pay"))
    commands = load_table_list(game.sides.get(place=0)).figures["Command total"]
    for number in (1, 3):
        press(client, game, f"step - step {game.now.step} {number}:0:command")
        amount = number + int(commands)
        assert f"count 0 res:command-points {amount} done:{number}.0.command.gain-0" in show(client, game)


def test_marks_end_with_their_round(client: Client, db: None) -> None:
    game = begin(client, load_army(WARZONE, "army-winter-wolves"), mission="mission-1")
    shown = markup(client.get(reverse("play:game-units", args=[game.public_id])))
    assert all(f">{word}<" in shown.replace(" ", "").replace("\n", "") for word in ("Pinned", "Activated", "Marker1"))
    press(client, game, "set 0 mark:u1:activated.1 1")
    press(client, game, "set 0 mark:u1:pinned 1")
    marks = {mark.mark.id: mark.on for mark in build_game_board(game, 0).mine.units[0].marks}
    assert marks["activated"]
    assert marks["pinned"]
    press(client, game, f"step - step {game.now.step} 2:0:control")
    marks = {mark.mark.id: mark.on for mark in build_game_board(game, 0).mine.units[0].marks}
    assert not marks["activated"]
    assert marks["pinned"]
    press(client, game, "set 0 mark:u1:pinned ")
    texts = [line.text for line in list_log(game, 1)]
    name = build_game_board(game, 0).mine.units[0].unit.sheet.name
    assert texts[0] == f"{name}: no longer Pinned"
    assert texts[3] == f"{name}: Activated"


def test_squads_have_endurance_tokens_beside_their_models(client: Client, db: None) -> None:
    game = begin(client, load_army(DAWNFALL, "army-hunger-without-a-face"))
    unit = build_game_board(game, 0).mine.units[0]
    run = unit.rows[-1].run
    endurance = unit.unit.sheet.profile.rows[0].cells[unit.unit.sheet.profile.heads.index("END")]
    assert (run.label, run.size, run.beside) == ("Endurance tokens", int(endurance), True)
    tap(game, 0, tick(run.key, 0, run.size))
    after = build_game_board(game, 0).mine.units[0]
    assert (after.left, after.rows[-1].left) == (unit.left, 0)
    assert list_log(game, 0)[0].text == f"{unit.unit.sheet.name}: Endurance tokens, {run.size} ticked"


def test_the_set_up_is_walked_through_and_says_who_goes_first(client: Client, army: Roster) -> None:
    game = begin(client, army, mission="territorial-control")
    other = join(game, Client(), inviter=client)
    shown = show(client, game)
    assert "Deploy in turn" in shown
    press(client, game, "set - setup:1 1")
    assert 'aria-pressed="true" data-shared="setup:1"' in show(other, game)
    press(other, game, "step - first 1:0:objectives 1:1:objectives")
    assert str(game.now.step) == "1:1:objectives"
    # After the turn of the other side it is the first side's turn, and then the round is over.
    press(client, game, "step - step 1:1:objectives 1:1:morale")
    assert 'value="step - step 1:1:morale 1:0:command" data-next-step' in show(client, game)
    press(client, game, "step - step 1:1:morale 2:1:objectives")
    assert "data-setup" not in show(client, game)
    assert [line.text for line in list_log(game, None)][-3:-1] == ["Opponent goes first", "set-up, step 1: done"]


@pytest.mark.parametrize("text", ["", "1", "2:0:command", "1:0:fight", "x"])
def test_nobody_goes_first_by_a_text_that_is_no_beginning(client: Client, army: Roster, text: str) -> None:
    game = begin(client, army)
    assert tap(game, 0, make_tap("set", "first", text=text, side=None)).refused
    assert tap(game, 0, make_tap("step", "first", text=f"1:0:command {text}", side=None)).refused


def go_first(game: Game, place: int) -> object:
    return make_tap("step", "first", text=f"{game.now.step} 1:{place}:command", side=None)


@pytest.mark.parametrize("kind", ["step", "set"])
def test_who_goes_first_is_settled_with_the_first_step(client: Client, army: Roster, kind: str) -> None:
    game = begin(client, army)
    shown = show(client, game)
    assert re.search(r'data-goes-first aria-pressed="false" *>', shown)
    late = go_first(game, 1) if kind == "step" else make_tap("set", "first", text="1:1:command", side=None)
    tap(game, 0, go("1:0:command", "1:0:movement"))
    assert len(re.findall(r"data-goes-first[^>]* disabled", show(client, game))) == 2
    # Another phone says it too late, perhaps with the version before.
    before = game.now
    assert list(tap(game, 0, late).numbers) == [late.uid]
    assert game.now == before
    assert list_log(game, 0)[0].text == "Opponent goes first: not counted, the game had gone on"
    assert late.uid not in [one["id"] for one in describe_state(game, 0)["undos"]]
    # Each side has its turn in round 1.
    course = make_course(game, load_rules(game))
    assert course.find_next(course.start_turn(1, 0)) is not None
    assert course.list_order(1) == (0, 1)


@pytest.mark.parametrize("kind", ["step", "set"])
def test_until_the_first_step_either_side_may_go_first(client: Client, army: Roster, kind: str) -> None:
    game = begin(client, army)
    beginning = game.now
    first = go_first(game, 1) if kind == "step" else make_tap("set", "first", text="1:1:command", side=None)
    tap(game, 0, first)
    assert (str(game.now.step), make_course(game, load_rules(game)).list_order(2)) == ("1:1:command", (1, 0))
    assert describe_state(game, 0)["undos"][0]["key"] == "first"
    # The step that follows is undone first.
    step = go(game.now.step, "1:1:movement")
    tap(game, 0, step)
    late = undo(first)
    assert tap(game, 0, late).refused[late.uid].code == "nothing-to-undo"
    tap(game, 0, undo(step), undo(first))
    assert game.now == beginning


def test_a_game_that_changed_who_goes_first_in_its_course_goes_on(client: Client, army: Roster) -> None:
    game = begin(client, army)
    changed = make_tap("set", "setup:1", text="1", side=None)
    tap(game, 0, go("1:0:command", "1:0:movement"), changed)
    # The text of an older version.
    game.operations.filter(uid=changed.uid).update(key="first", text="1:1:command")
    score = make_tap("count", "score:points:1", 1)
    tap(game, 0, score, undo(score))
    assert (str(game.now.step), game.now.shared.texts["first"]) == ("1:0:movement", "1:1:command")
    assert [line.text for line in list_log(game, 0) if "goes first" in line.text] == ["Opponent goes first"]
    assert 'value="step - step 1:0:movement' in show(client, game)
