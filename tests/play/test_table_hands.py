"""Maelstrom of War at the table: one clock, one purse, open hands, and each rule at its border."""

import hashlib
import hmac
import json
import re
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from roster.models import Roster
from roster.play.game_course import GameCourse
from roster.play.game_state import HandNote, Operation, fold_operations, read_hand_note, read_step, write_hand_note
from roster.play.models import Game
from roster.play.objective_hand import Hand
from roster.play.services.game_board import describe_state
from roster.play.services.game_rules import load_rules, make_course
from roster.play.services.game_taps import list_operations
from tests.markup import markup
from tests.play.games import NINTH, begin, join, load_army, make_tap, tap

pytestmark = pytest.mark.django_db

GROUPS = "raid eradication brought-low"
OPENING, LATER = "objectives", "fight"
SEED = "98c3".zfill(64)
"""With it each side draws from all of its categories in rounds 1 and 2, and no roll is a 1 or a 6."""


@pytest.fixture
def army(db: None) -> Roster:
    return load_army(NINTH, "necrons-incursion")


def start(
    client: Client, army: Roster, mission: str = "never-surrender", *, joined: bool = False, seed: str = SEED
) -> Game:
    game = begin(client, army, mission=mission, size="incursion")
    assert len(game.seed) == 64
    Game.objects.filter(pk=game.pk).update(seed=seed)
    game.refresh_from_db()
    if joined:
        join(game, Client(), inviter=client)
    return game


def make_act(act: str, side: int = 0, **fields: str) -> Operation:
    return make_tap("hand", "hand", text=write_hand_note(HandNote(act=act, fields=fields)), side=side)


def do(game: Game, act: str, side: int = 0, by: int | None = None, **fields: str) -> str:
    """Do an act on the hand of a side; return "" or why it was refused. What scores does so at the end of its round."""
    operation, actor, now = make_act(act, side, **fields), side if by is None else by, game.now.step
    end = f"{now.round}:1:morale"
    there, back = (make_tap("step", "step", text=text, side=None) for text in (f"{now} {end}", f"{end} {now}"))
    around = act == "score" and str(now) != end
    receipt = tap(game, actor, there, operation, back) if around else tap(game, actor, operation)
    return receipt.refused[operation.uid].code if operation.uid in receipt.refused else ""


def go_to(game: Game, number: int, turn: int = 0, phase: str = OPENING) -> None:
    tap(game, 0, make_tap("set", "step", text=f"{number}:{turn}:{phase}", side=None))


def choose_all(game: Game, by: tuple[int, int] = (0, 1), **fields: str) -> None:
    assert do(game, "choose", 0, by[0], group=GROUPS, **fields) == ""
    assert do(game, "choose", 1, by[1], group=GROUPS, **fields) == ""


def get_hand(game: Game, side: int = 0) -> Hand:
    hand = game.now.sides[side].hand
    assert hand is not None
    return hand


def get_points(game: Game, side: int = 0) -> int:
    return describe_state(game, 0)["sides"][side]["score"]["total"]


def undo(game: Game, by: int = 0) -> None:
    tap(game, by, make_tap("undo", describe_state(game, by)["undos"][0]["id"]))


# ---- one clock ------------------------------------------------------------------------------------------------------


def test_objectives_are_drawn_once_in_the_round_that_is_played(client: Client, army: Roster) -> None:
    game = start(client, army)
    choose_all(game)
    assert do(game, "begin") == ""
    assert do(game, "begin") == "drawn-already"
    go_to(game, 2)
    assert do(game, "begin") == ""
    assert do(game, "score", place="0") == ""
    assert describe_state(game, 0)["sides"][0]["score"]["rounds"] == {2: get_points(game)}


def test_a_round_without_a_draw_takes_no_points_of_another(client: Client, army: Roster) -> None:
    game = start(client, army)
    choose_all(game)
    go_to(game, 3)
    assert do(game, "begin") == ""
    assert do(game, "score", place="1") == ""
    assert [len(played.drawn) for played in get_hand(game).rounds] == [0, 0, 3]
    assert list(describe_state(game, 0)["sides"][0]["score"]["rounds"]) == [3]


def test_the_fifth_round_is_the_last_to_draw(client: Client, army: Roster) -> None:
    game = start(client, army, "chaotic-engagement")
    for number in range(1, 6):
        go_to(game, number)
        assert do(game, "begin") == ""
    go_to(game, 6)
    assert do(game, "begin") == "drawn-already"
    assert game.now.step.round == len(get_hand(game).rounds) == 5


def test_a_button_says_what_the_cap_of_all_objectives_leaves(client: Client, army: Roster) -> None:
    game = start(client, army, "ambitious-surge")
    choose_all(game)
    for number in range(1, 6):
        go_to(game, number)
        do(game, "begin")
        do(game, "begin", 1)
        assert do(game, "name", 0, 1, place="0") == "", "it counts double"
        for place in range(len(get_hand(game).now.drawn)):
            before = get_points(game)
            go_to(game, number, 1, "morale")
            page = markup(client.get(reverse("play:game", args=[game.public_id])))
            (words,) = re.findall(rf'value="hand 0 hand score {place}"[^>]*>\s*Score (\d+)', page)
            assert do(game, "score", place=str(place)) == ""
            assert get_points(game) - before == int(words), (number, place)
    assert get_points(game) == 90, "the cap was reached"


def test_who_concedes_scores_nothing(client: Client, army: Roster) -> None:
    game = start(client, army)
    choose_all(game)
    assert do(game, "begin") == ""
    assert do(game, "score", place="0") == ""
    scored = get_points(game)
    assert scored > 0
    address = reverse("play:game-end", args=[game.public_id])
    assert "Concede" in markup(client.get(address))
    client.post(address, {"do": "concede 0"})
    game.refresh_from_db()
    assert list(game.sides.order_by("place").values_list("score", "rank")) == [(0, 2), (0, 1)]
    assert get_points(game) == 0
    client.post(address, {"do": "reopen"})
    game.refresh_from_db()
    assert get_points(game) == scored, "what was scored comes back with the game"


def test_the_first_step_of_a_round_is_the_draw_and_the_second_turn_has_none(client: Client, army: Roster) -> None:
    game = start(client, army)
    course = make_course(game, load_rules(game))
    steps = [course.beginning]
    while (following := course.find_next(steps[-1])) is not None:
        steps.append(following)
    assert [step.round for step in steps if step.phase == OPENING] == [1, 2, 3, 4, 5]
    assert all(step.turn == 0 for step in steps if step.phase == OPENING)
    assert len(steps) == 5 * (1 + 7 + 7)
    shown = markup(client.get(reverse("play:game", args=[game.public_id])))
    assert "Draw 3 objectives" not in shown, "before categories are chosen"
    do(game, "choose", group=GROUPS)
    assert "Draw 3 objectives" in markup(client.get(reverse("play:game", args=[game.public_id])))
    # A game in which nothing is drawn has no such phase.
    assert OPENING not in [phase.id for phase in load_rules(begin(client, army)).phases]


def test_what_is_drawn_is_taken_back_by_undo_alone(client: Client, army: Roster) -> None:
    game = start(client, army, "chaotic-engagement")
    do(game, "begin")
    assert do(game, "back") == "bad-change"
    undo(game)
    assert game.now.sides[0].hand is None


@pytest.mark.parametrize(
    ("text", "opening", "closing"),
    [("0:move", True, False), ("0:fight", False, False), ("1:move", False, False), ("1:fight", False, True)],
)
def test_a_round_opens_in_the_first_step_and_closes_in_the_last(text: str, opening: bool, closing: bool) -> None:
    step = read_step(f"2:{text}")
    course = GameCourse(("move", "fight"), rounds=5, turns=True)
    assert (course.is_opening(step), course.is_closing(step)) == (opening, closing)


# ---- the extra objective --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("mine", "theirs", "number"), [(0, 1, 4), (1, 1, 3), (1, 0, 3)])
def test_never_surrender_gives_a_fourth_to_the_side_with_fewer_points(
    client: Client, army: Roster, mine: int, theirs: int, number: int
) -> None:
    game = start(client, army)
    choose_all(game)
    for side, points in enumerate((mine, theirs)):
        tap(game, side, make_tap("count", "score:points:1", points, side=side))
    # Not in the first round, whatever a device sends.
    assert do(game, "begin", extra="on") == ""
    assert len(get_hand(game).now.drawn) == 3
    go_to(game, 2)
    assert do(game, "begin", extra="on") == ""
    assert len(get_hand(game).now.drawn) == number


def test_points_of_the_round_itself_give_nobody_a_fourth(client: Client, army: Roster) -> None:
    game = start(client, army)
    choose_all(game)
    go_to(game, 2)
    tap(game, 1, make_tap("count", "score:points:2", 5, side=1))
    assert do(game, "begin") == ""
    assert len(get_hand(game).now.drawn) == 3


def test_territorial_control_gives_a_fourth_to_one_side(client: Client, army: Roster) -> None:
    game = start(client, army, "territorial-control")
    choose_all(game)
    assert do(game, "begin", extra="on") == ""
    assert len(get_hand(game).now.drawn) == 3
    go_to(game, 2)
    assert do(game, "begin", extra="on") == ""
    assert len(get_hand(game).now.drawn) == 4
    assert do(game, "begin", 1, extra="on") == "other-extra"
    assert do(game, "begin", 1) == ""


@pytest.mark.parametrize("mission", ["ambitious-surge", "chaotic-engagement"])
def test_other_missions_give_no_fourth(client: Client, army: Roster, mission: str) -> None:
    game = start(client, army, mission)
    if mission != "chaotic-engagement":
        choose_all(game)
    tap(game, 1, make_tap("count", "score:points:1", 9, side=1))
    go_to(game, 2)
    assert do(game, "begin", extra="on") == ""
    assert len(get_hand(game).now.drawn) == 3


# ---- stratagems -----------------------------------------------------------------------------------------------------


def has(client: Client, game: Game, side: int = 0) -> int:
    """Return the command points that the page shows in the bar or beside the other side's name."""
    shown = markup(client.get(reverse("play:game", args=[game.public_id])))
    found = shown.split(f'data-count="{side} res:command-points"')[1].split(">")[1]
    return int(found.split("<")[0])


def test_stratagems_are_paid_from_the_purse_of_the_game_and_come_back_with_undo(client: Client, army: Roster) -> None:
    game = start(client, army)
    choose_all(game)
    do(game, "begin")
    begun = has(client, game)
    # The page has no second button that pays for a stratagem of the hand.
    shown = markup(client.get(reverse("play:game", args=[game.public_id])))
    assert shown.count('value="count 0 res:command-points -1"') == 1
    changed = next((word for word in ("up", "down") if do(game, word, place="0") == ""), "")
    assert changed
    assert has(client, game) == begun - 1
    undo(game)
    assert has(client, game) == begun


def test_a_stratagem_without_points_is_refused_with_the_reason(client: Client, army: Roster) -> None:
    game = start(client, army)
    choose_all(game)
    do(game, "begin")
    left = has(client, game)
    tap(game, 0, make_tap("count", "res:command-points", -left))
    act = make_act("up", place="0")
    taps = [{"id": act.uid, "kind": "hand", "side": 0, "key": "hand", "text": act.text}]
    address = reverse("play:game-taps", args=[game.public_id])
    answer = client.post(address, json.dumps({"taps": taps}), content_type="application/json").json()
    assert answer["refused"] == {act.uid: "That costs 1, and 0 are left."}
    assert "0 are left" in markup(client.get(reverse("play:game", args=[game.public_id])))
    tap(game, 0, make_tap("count", "res:command-points", 1))
    assert "" in {do(game, "up", place="0"), do(game, "down", place="0")}
    assert has(client, game) == 0


@pytest.mark.parametrize(
    ("number", "turn", "phase", "code"),
    [
        (1, 0, OPENING, ""),
        (1, 0, "movement", "not-opening"),
        (1, 1, "command", "not-opening"),
        (1, 0, "command", "not-opening"),
        (2, 0, OPENING, "not-drawn"),
    ],
)
def test_rolls_are_changed_at_the_start_of_their_round(
    client: Client, army: Roster, number: int, turn: int, phase: str, code: str
) -> None:
    game = start(client, army)
    choose_all(game)
    do(game, "begin")
    go_to(game, number, turn, phase)
    refused = {do(game, act, place="0") for act in ("up", "down")}
    assert (code in refused) if not code else refused == {code}


def test_rolls_are_not_changed_once_an_objective_is_scored(client: Client, army: Roster) -> None:
    game = start(client, army)
    choose_all(game)
    do(game, "begin")
    do(game, "begin", 1)
    do(game, "score", 1, place="0")
    assert do(game, "one", place="0") == "draw-over"
    do(game, "unscore", 1, place="0")
    assert do(game, "one", place="0") in ("", "roll-taken")


def test_each_change_of_a_roll_is_used_once_in_a_round(client: Client, army: Roster) -> None:
    game = start(client, army)
    choose_all(game)
    do(game, "begin")
    assert "" in {do(game, act, place="0") for act in ("up", "down")}
    assert {do(game, act, place="1") for act in ("up", "down")} == {"used-already"}
    go_to(game, 2)
    do(game, "begin")
    assert "" in {do(game, act, place="1") for act in ("up", "down")}


@pytest.mark.parametrize(("phase", "code"), [(OPENING, ""), (LATER, "not-opening")])
def test_an_objective_is_kept_at_the_start_of_the_next_round(
    client: Client, army: Roster, phase: str, code: str
) -> None:
    game = start(client, army)
    choose_all(game)
    do(game, "begin")
    begun, kept = has(client, game), get_hand(game).now.drawn[1].objective_id
    go_to(game, 2, phase=phase)
    assert do(game, "begin", keep=kept) == code
    assert has(client, game) == begun - (not code)
    # Who forgot to draw draws later, without keeping anything.
    assert do(game, "begin") == ("drawn-already" if not code else "")


def test_what_was_scored_or_drawn_two_rounds_ago_is_not_kept(client: Client, army: Roster) -> None:
    game = start(client, army)
    choose_all(game)
    do(game, "begin")
    first, second, _ = (drawn.objective_id for drawn in get_hand(game).now.drawn)
    do(game, "score", place="0")
    go_to(game, 2)
    assert do(game, "begin", keep=first) == "bad-change"
    go_to(game, 3)
    assert do(game, "begin", keep=second) == "bad-change"


def test_chaotic_engagement_keeps_for_nothing(client: Client, army: Roster) -> None:
    game = start(client, army, "chaotic-engagement")
    do(game, "begin")
    tap(game, 0, make_tap("count", "res:command-points", -has(client, game)))
    go_to(game, 2)
    assert do(game, "begin", keep=get_hand(game).now.drawn[0].objective_id) == ""


@pytest.mark.parametrize(
    ("turn", "phase", "code"), [(1, "morale", ""), (1, "fight", "not-closing"), (0, "morale", "not-closing")]
)
def test_a_category_is_given_up_at_the_end_of_a_round(
    client: Client, army: Roster, turn: int, phase: str, code: str
) -> None:
    game = start(client, army)
    choose_all(game)
    do(game, "begin")
    begun = has(client, game)
    go_to(game, 1, turn, phase)
    assert do(game, "category", old="raid", new="heroic-deeds") == code
    assert has(client, game) == begun - (not code)
    go_to(game, 2, 1, "morale")
    again = do(game, "category", old="eradication", new="territory-seizure")
    assert again == ("used-already" if not code else "")


# ---- what the opponent names ----------------------------------------------------------------------------------------


def test_the_opponent_names_and_nobody_else(client: Client, army: Roster) -> None:
    game = start(client, army, "ambitious-surge", joined=True)
    choose_all(game)
    do(game, "begin")
    assert do(game, "name", 0, by=1, place="0") == "not-drawn", "the opponent has not drawn yet"
    do(game, "begin", 1)
    assert do(game, "name", 0, by=0, place="0") == "opponent-names"
    assert do(game, "name", 0, by=1, place="0") == ""
    assert do(game, "score", 0, by=1, place="0") == "other-side"
    worth = get_hand(game).now.drawn[0]
    assert do(game, "score", 0, place="0") == ""
    assert get_points(game) in (10, 16)
    assert worth.named


def test_naming_ends_with_the_first_score(client: Client, army: Roster) -> None:
    game = start(client, army, "ambitious-surge", joined=True)
    choose_all(game)
    do(game, "begin")
    do(game, "begin", 1)
    assert do(game, "name", 0, by=1, place="0") == ""
    assert do(game, "name", 0, by=1, place="2") == "", "another one, as long as nothing is scored"
    assert [drawn.named for drawn in get_hand(game).now.drawn] == [False, False, True]
    do(game, "score", 0, place="1")
    assert do(game, "name", 0, by=1, place="1") == "naming-over"
    # Undo of the score opens it again.
    acts = [operation for operation in list_operations(game) if operation.kind == "hand"]
    tap(game, 0, make_tap("undo", acts[-1].uid))
    assert do(game, "name", 0, by=1, place="1") == ""


def test_what_is_named_is_not_shifted(client: Client, army: Roster) -> None:
    game = start(client, army, "ambitious-surge", joined=True)
    choose_all(game)
    do(game, "begin")
    do(game, "begin", 1)
    do(game, "name", 0, by=1, place="0")
    assert {do(game, act, place="0") for act in ("up", "down", "one")} == {"draw-over"}


def test_what_is_barred_is_not_scored(client: Client, army: Roster) -> None:
    game = start(client, army, "subterfuge-and-interference", joined=True)
    choose_all(game)
    do(game, "begin")
    do(game, "begin", 1)
    do(game, "name", 0, by=1, place="3")
    assert do(game, "score", place="3") == "barred"
    assert do(game, "score", place="2") == ""


def test_a_mission_in_which_nothing_is_named_refuses_names(client: Client, army: Roster) -> None:
    game = start(client, army, joined=True)
    choose_all(game)
    do(game, "begin")
    do(game, "begin", 1)
    assert do(game, "name", 0, by=1, place="0") == "bad-change"


# ---- open and secret ------------------------------------------------------------------------------------------------


def see(game: Game, by: int | None, side: int) -> dict[str, object]:
    return describe_state(game, by)["sides"][side].get("hand", {})


def test_categories_are_open_once_both_have_chosen(client: Client, army: Roster) -> None:
    game = start(client, army, joined=True)
    do(game, "choose", 0, group=GROUPS)
    assert see(game, 0, 0)["groups"] == tuple(GROUPS.split())
    assert see(game, 1, 0)["groups"] == see(game, None, 0)["groups"] == ()
    assert do(game, "begin") == "other-chooses"
    do(game, "choose", 1, group=GROUPS)
    assert see(game, 1, 0)["groups"] == tuple(GROUPS.split())
    assert do(game, "begin") == ""


def test_drawn_objectives_are_open_and_the_noted_category_is_not(client: Client, army: Roster) -> None:
    game = start(client, army, "complex-front", joined=True)
    choose_all(game, secret="raid")
    do(game, "begin")
    assert len(see(game, 1, 0)["drawn"]) == 3
    assert (see(game, 0, 0)["secret"], see(game, 1, 0)["secret"]) == ("raid", "")
    do(game, "score", place="1")
    assert see(game, 1, 0)["secret"] == "", "another category says nothing"
    do(game, "score", place="0")
    assert see(game, 1, 0)["secret"] == see(game, None, 0)["secret"] == "raid"


def test_both_phones_show_the_objectives_of_both(client: Client, army: Roster) -> None:
    game = begin(client, army, mission="ambitious-surge", size="incursion")
    other = join(game, Client(), inviter=client)
    choose_all(game)
    do(game, "begin")
    do(game, "begin", 1)
    mine, theirs = (markup(phone.get(reverse("play:game", args=[game.public_id]))) for phone in (client, other))
    for side in (0, 1):
        for place in range(3):
            assert f'data-held="{side} {place}"' in mine
            assert f'data-held="{side} {place}"' in theirs
    assert 'value="hand 1 hand name 0"' in mine
    assert 'value="hand 0 hand name 0"' not in mine
    assert 'value="hand 0 hand name 0"' in theirs
    assert 'value="hand 1 hand score 0"' not in mine
    watched = markup(Client().get(reverse("play:game-link", args=[game.link_id])))
    assert 'data-held="1 2"' in watched
    assert 'value="hand ' not in watched


def test_a_side_that_nobody_plays_is_kept_by_the_other(client: Client, army: Roster) -> None:
    game = start(client, army, "subterfuge-and-interference")
    choose_all(game, by=(0, 0))
    assert do(game, "begin", 0) == do(game, "begin", 1, by=0) == ""
    assert do(game, "name", 0, by=0, place="0") == do(game, "name", 1, by=0, place="1") == ""
    shown = markup(client.get(reverse("play:game", args=[game.public_id])))
    for button in ("hand 1 hand score 0", "hand 0 hand score 1", "hand 1 hand name 0"):
        assert f'value="{button}"' in shown
    assert do(game, "score", 1, by=0, place="0") == ""
    assert get_points(game, 1) in (5, 8)
    # Once the other player is there, that side is theirs.
    join(game, Client(), inviter=client)
    assert do(game, "score", 1, by=0, place="2") == "other-side"


def test_a_side_that_nobody_plays_and_nobody_keeps_is_not_waited_for(client: Client, army: Roster) -> None:
    game = start(client, army, "ambitious-surge")
    do(game, "choose", 0, group=GROUPS)
    assert do(game, "begin") == ""
    assert do(game, "name", 0, by=0, place="0") == ""


# ---- chance ---------------------------------------------------------------------------------------------------------


def test_undo_rolls_nothing_anew(client: Client, army: Roster) -> None:
    game = start(client, army)
    choose_all(game)
    hands = []
    for _ in range(4):
        do(game, "begin")
        hands.append(get_hand(game).now)
        undo(game)
    assert hands == hands[:1] * 4
    # In one message of a device, too.
    first = make_act("begin")
    tap(game, 0, first, make_tap("undo", first.uid), again := make_act("begin"))
    assert again.uid in {operation.uid for operation in list_operations(game)}
    assert get_hand(game).now == hands[0]


def test_another_side_another_round_and_another_game_have_other_dice(client: Client, army: Roster) -> None:
    drawn = []
    for seed in (SEED, SEED[::-1]):
        game = start(client, army, "chaotic-engagement", seed=seed)
        for number in range(1, 6):
            go_to(game, number)
            do(game, "begin", 0)
            do(game, "begin", 1)
        drawn += [hand.rounds[number].dice for hand in (get_hand(game, 0), get_hand(game, 1)) for number in range(5)]
    assert len(set(drawn)) > 15


def test_dice_can_be_worked_out_afterwards(client: Client, army: Roster) -> None:
    game = start(client, army, "chaotic-engagement")
    go_to(game, 2)
    do(game, "begin", 1)
    shown = []
    for name in ("category 1", "category 2", "category 3", "objective 1 1"):
        digest = hmac.digest(game.seed.encode(), f"side 1 round 2 {name}".encode(), "sha256")
        shown.append(int.from_bytes(digest[:8], "big") % 6 + 1)
    assert [result for _sides, result in get_hand(game, 1).now.dice[:4]] == shown


def test_what_a_device_says_of_dice_counts_for_nothing(client: Client, army: Roster) -> None:
    game = start(client, army, "chaotic-engagement")
    note = HandNote(act="begin", fields={"round": "4", "extra": "on"}, rolls=(6, 6, 6, 6, 6, 6))
    tap(game, 0, make_tap("hand", "hand", text=write_hand_note(note)))
    cheated = get_hand(game)
    undo(game)
    do(game, "begin")
    assert get_hand(game) == cheated
    assert len(cheated.rounds) == 1


def test_dice_stand_in_the_operations(client: Client, army: Roster) -> None:
    game = start(client, army)
    choose_all(game)
    do(game, "begin")
    assert fold_operations(list_operations(game), load_rules(game).fold).sides == game.now.sides
    note = read_hand_note(list_operations(game)[-1].text)
    assert note is not None
    assert len(note.rolls) == len(get_hand(game).now.dice) >= 6


def test_a_game_from_before_seeds_gets_one_with_its_next_act(client: Client, army: Roster) -> None:
    game = start(client, army, "chaotic-engagement")
    Game.objects.filter(pk=game.pk).update(seed="")
    game.refresh_from_db()
    do(game, "begin")
    assert len(game.seed) == 64
    seed = game.seed
    do(game, "begin", 1)
    assert game.seed == seed


def test_the_record_shows_the_seal_first_and_the_seed_at_the_end(client: Client, army: Roster) -> None:
    game = start(client, army, "chaotic-engagement")
    do(game, "begin")
    address = reverse("play:game-log", args=[game.link_id])
    seal = hashlib.sha256(game.seed.encode()).hexdigest()
    before = markup(Client().get(address))
    assert seal in before
    assert game.seed not in before
    client.post(reverse("play:game-end", args=[game.public_id]), {"do": "end", "notes": ""})
    assert game.seed in markup(Client().get(address))


# ---- bad input ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "fields", [{}, {"place": "9"}, {"place": "-1"}, {"place": "²"}, {"place": "0" * 80}, {"place": "x"}]
)
@pytest.mark.parametrize("act", ["score", "unscore", "up", "one", "replace", "fly"])
def test_senseless_acts_are_refused_and_change_nothing(
    client: Client, army: Roster, act: str, fields: dict[str, str]
) -> None:
    game = start(client, army)
    choose_all(game)
    do(game, "begin")
    before = game.now
    assert do(game, act, **fields) == "bad-change"
    assert game.now == before


def test_a_game_without_draws_refuses_acts_on_hands(client: Client, army: Roster) -> None:
    game = begin(client, army)
    assert do(game, "begin") == "bad-change"
    assert "data-held" not in markup(client.get(reverse("play:game", args=[game.public_id])))
    assert tap(game, 0, make_tap("hand", "hand", text="{", uid=str(uuid4()))).refused
