"""Games whose sides take turns and decide in each round who goes first."""

import itertools
import random
import re

import pytest
from django.test import Client
from django.urls import reverse

from roster.models import Roster
from roster.play.game_course import GameCourse
from roster.play.game_state import TableStep
from roster.play.models import Game
from roster.play.services.game_log import list_log
from roster.play.services.game_rules import find_initiative, load_rules, make_course
from roster.play.services.game_taps import list_operations
from tests.extent import sample
from tests.markup import markup
from tests.play.games import REEDS, begin, join, load_army, make_tap, tap

pytestmark = pytest.mark.django_db

ROUNDS = 4
ORDERS = list(itertools.product((0, 1), repeat=ROUNDS))


@pytest.fixture
def army(db: None) -> Roster:
    return load_army(REEDS, "army-steam-at-the-sluice")


@pytest.fixture
def game(client: Client, army: Roster) -> Game:
    return begin(client, army)


def go(game: Game, end: str) -> object:
    return make_tap("step", "step", text=f"{game.now.step} {end}", side=None)


def hand_over(game: Game, place: int) -> object:
    """Return the tap by which a side takes the first turn of the current round."""
    step = game.now.step
    return make_tap("step", f"initiative:{step.round}", text=f"{step} {step.round}:{place}:{step.phase}", side=None)


def undo(operation: object) -> object:
    return make_tap("undo", operation.uid, side=None)


def read_page(client: Client, game: Game) -> str:
    return " ".join(markup(client.get(reverse("play:game", args=[game.public_id]))).split())


def read_next(page: str) -> str | None:
    """Return what the button for the next step sends; None after the last step."""
    match = re.search(r'value="(step - step [^"]*)" data-next-step( hidden)?', page)
    return match[1] if match and not match[2] else None


def press(client: Client, game: Game, op: str) -> None:
    assert client.post(reverse("play:game", args=[game.public_id]), {"op": op}).status_code == 303
    game.refresh_from_db()


# ---- the order of turns ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sides", [2, 3, 4])
def test_each_side_has_one_turn_in_each_round_whoever_goes_first(sides: int) -> None:
    orders = list(itertools.product(range(sides), repeat=3))
    assert len(orders) == sides**3
    for places in orders:
        firsts = dict(enumerate(places, 1))
        course = GameCourse(("open", "move", "fight"), rounds=3, turns=True, firsts=firsts, openings=1, sides=sides)
        steps = list[TableStep]()
        step: TableStep | None = course.beginning
        while step is not None:
            steps.append(step)
            assert course.has(step)
            step = course.find_next(step)
        expected = [(number, (first + more) % sides) for number, first in firsts.items() for more in range(sides)]
        assert [turn for turn, _steps in itertools.groupby((step.round, step.turn) for step in steps)] == expected
        assert len(steps) == 3 * (2 * sides + 1), "the opening phase comes once in a round"
        assert steps == sorted(steps, key=course.measure)
        assert [step for step in steps if course.is_opening(step)] == [course.start_round(number) for number in firsts]
        assert [step.turn for step in steps if course.is_closing(step)] == [
            (first + sides - 1) % sides for first in firsts.values()
        ]


@pytest.mark.parametrize("firsts", sample(ORDERS, 1))
def test_the_page_leads_through_all_turns(client: Client, army: Roster, firsts: tuple[int, ...]) -> None:
    game = begin(client, army, first=str(firsts[0]))
    other = join(game, Client(), inviter=client)
    turns = [(1, firsts[0])]
    while True:
        step = game.now.step
        if step.round > 1 and (step.round, 0) not in turns and (step.round, 1) not in turns:
            # One of the phones says who goes first in the new round.
            handed = hand_over(game, firsts[step.round - 1])
            press(client if step.round % 2 else other, game, f"step - {handed.key} {handed.text}")
            step = game.now.step
        if turns[-1] != (step.round, step.turn):
            turns.append((step.round, step.turn))
        following = read_next(read_page(client, game))
        assert following == read_next(read_page(other, game))
        if following is None:
            break
        press(client, game, following)
    assert turns == [(number, place) for number, first in enumerate(firsts, 1) for place in (first, 1 - first)]
    rules = load_rules(game)
    assert tuple(find_initiative(game, rules, number) for number in range(1, ROUNDS + 1)) == firsts


def test_the_page_says_who_goes_first_until_the_first_turn_is_over(client: Client, game: Game) -> None:
    assert re.search(r'data-initiative="2" hidden', read_page(client, game)), "the set-up says it in round 1"
    tap(game, 0, go(game, "2:0:flood"), hand := make_tap("step", "initiative:2", text="2:0:flood 2:1:flood", side=None))
    page = read_page(client, game)
    assert 'value="step - initiative:2 2:1:flood 2:0:flood" data-has-initiative="0" aria-pressed="false">' in page
    line = list_log(game, 0)[0]
    assert (line.text, line.id, line.can_undo) == ("Initiative: Opponent", hand.uid, True)
    turns = re.findall(r'data-go-turn="(\d)"', page)
    assert turns == ["1", "0"]
    tap(game, 0, go(game, "2:1:ebb"))
    tap(game, 0, go(game, read_next(read_page(client, game)).split()[-1]))
    assert str(game.now.step).startswith("2:0:")
    page = read_page(client, game)
    assert 'data-has-initiative="0" aria-pressed="false" disabled' in page
    assert 'value="step - step 2:0:flood 2:1:flood" data-go-turn="1"' in page
    # The next round begins as the game did.
    tap(game, 0, go(game, "2:0:ebb"))
    assert read_next(read_page(client, game)) == "step - step 2:0:ebb 3:0:flood"
    assert [line.text for line in list_log(game, 0) if line.can_undo and line.id == hand.uid] == []


# ---- undo -----------------------------------------------------------------------------------------------------------


def make_random_tap(game: Game, dice: random.Random) -> object:
    course = make_course(game, load_rules(game))
    following = course.find_next(game.now.step)
    makers = [
        lambda: hand_over(game, dice.randint(0, 1)),
        lambda: go(game, str(following or course.start_round(dice.randint(1, ROUNDS)))),
        lambda: go(game, str(course.start_round(dice.randint(1, ROUNDS)))),
        lambda: make_tap("count", "score:locks-held:1", 1),
        lambda: make_tap("set", f"initiative:{dice.randint(1, ROUNDS)}", text=str(dice.randint(0, 1)), side=None),
        # From where the game is not any more.
        lambda: make_tap("step", "initiative:3", text="3:0:flood 3:1:flood", side=None),
    ]
    return dice.choice(makers)()


@pytest.mark.parametrize("seed", sample(range(8), 2))
def test_every_tap_is_taken_back_to_the_state_before(game: Game, seed: int) -> None:
    beginning, dice, handed = game.now, random.Random(seed), 0
    for _more in range(40):
        before, operation = game.now, make_random_tap(game, dice)
        assert not tap(game, 0, operation).refused
        after = game.now
        handed += before.firsts != after.firsts
        taken_back = undo(operation)
        tap(game, 0, taken_back)
        assert game.now == before, operation
        tap(game, 0, undo(taken_back))
        assert game.now == after, operation
        # The page offers the same.
        course = make_course(game, load_rules(game))
        assert game.now.step.turn in course.list_order(game.now.step.round)
    assert handed > 4
    lines = [line for line in list_log(game, 0)[::-1] if line.can_undo and not line.takes_back]
    while lines:
        assert not tap(game, 0, make_tap("undo", lines[-1].id, side=None)).refused
        lines = [line for line in list_log(game, 0)[::-1] if line.can_undo and not line.takes_back]
    # Taps that changed nothing may be left.
    assert game.now.step == beginning.step
    assert game.now.firsts == {}


def test_a_step_after_an_undo_of_the_same_batch_counts(game: Game) -> None:
    first = make_tap("step", "step", text="1:0:flood 1:0:ebb", side=None)
    again = make_tap("step", "step", text="1:0:flood 1:0:ebb", side=None)
    tap(game, 0, first, undo(first), again)
    assert str(game.now.step) == "1:0:ebb"
    assert list_operations(game)[-1].amount == 1


# ---- two phones -----------------------------------------------------------------------------------------------------


def test_a_late_phone_hands_no_turn_over(client: Client, game: Game) -> None:
    join(game, Client(), inviter=client)
    tap(game, 0, go(game, "2:0:flood"))
    late = hand_over(game, 1)
    tap(game, 0, go(game, "2:0:ebb"))
    before = game.now
    assert list(tap(game, 1, late).numbers) == [late.uid]
    assert game.now == before
    assert list_log(game, 0)[0].text == "Initiative: Opponent: not counted, the game had gone on"
    # Nor in the other turn of the round.
    tap(game, 0, go(game, "2:1:flood"))
    before = game.now
    tap(game, 1, hand_over(game, 0))
    assert game.now == before


def test_both_phones_may_say_it(client: Client, game: Game) -> None:
    join(game, Client(), inviter=client)
    tap(game, 0, go(game, "2:0:flood"))
    same = [hand_over(game, 1), hand_over(game, 1)]
    for place, operation in enumerate(same):
        tap(game, place, operation)
    assert (str(game.now.step), game.now.firsts) == ("2:1:flood", {2: 1})


def test_an_undo_or_redo_comes_too_late_once_the_game_has_gone_on(client: Client, game: Game) -> None:
    join(game, Client(), inviter=client)
    tap(game, 0, go(game, "2:0:flood"))
    handed = hand_over(game, 1)
    tap(game, 0, handed)
    tap(game, 1, go(game, "2:1:ebb"))
    late = undo(handed)
    assert tap(game, 0, late).refused[late.uid].code == "nothing-to-undo"
    assert (str(game.now.step), game.now.firsts) == ("2:1:ebb", {2: 1})
    # Once the other phone has taken its step back, it can be undone.
    tap(game, 1, make_tap("undo", list_operations(game)[-1].uid, side=None))
    taken_back = undo(handed)
    assert not tap(game, 0, taken_back).refused
    assert (str(game.now.step), game.now.firsts) == ("2:0:flood", {})
    tap(game, 1, go(game, "2:0:ebb"))
    redo = undo(taken_back)
    assert tap(game, 0, redo).refused[redo.uid].code == "nothing-to-undo"
    assert (str(game.now.step), game.now.firsts) == ("2:0:ebb", {})


def test_an_undo_fits_after_another_of_the_same_batch(game: Game) -> None:
    tap(game, 0, go(game, "2:0:flood"))
    handed = hand_over(game, 1)
    tap(game, 0, handed)
    step = go(game, "2:1:ebb")
    tap(game, 0, step)
    assert not tap(game, 0, undo(step), undo(handed)).refused
    assert (str(game.now.step), game.now.firsts) == ("2:0:flood", {})


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("initiative:2", ""),
        ("initiative:2", "1"),
        ("initiative:2", "2:1:flood"),
        ("initiative:2", "2:0:flood 2:2:flood"),
        ("initiative:2", "2:0:flood 2:1:ebb"),
        ("initiative:2", "2:0:flood 3:1:flood"),
        ("initiative:3", "2:0:flood 2:1:flood"),
        ("initiative:", "2:0:flood 2:1:flood"),
        ("initiative", "2:0:flood 2:1:flood"),
        ("first", "2:0:flood 2:1:flood"),
    ],
)
def test_what_hands_no_turn_over_is_refused(game: Game, key: str, text: str) -> None:
    tap(game, 0, go(game, "2:0:flood"))
    before = game.now
    operation = make_tap("step", key, text=text, side=None)
    assert tap(game, 0, operation).refused[operation.uid].code == "bad-change"
    assert game.now == before


@pytest.mark.parametrize("key", ["initiative:", "initiative:x", "initiative:-1"])
def test_initiative_has_a_round(game: Game, key: str) -> None:
    operation = make_tap("set", key, text="1", side=None)
    assert tap(game, 0, operation).refused[operation.uid].code == "bad-change"


# ---- games that began before ----------------------------------------------------------------------------------------


def test_a_device_of_the_version_before_hands_the_turn_over(game: Game) -> None:
    tap(game, 0, make_tap("set", "initiative:3", text="1", side=None), go(game, "2:0:flood"))
    tap(game, 0, make_tap("set", "initiative:2", text="1", side=None))
    assert (str(game.now.step), game.now.firsts) == ("2:1:flood", {2: 1, 3: 1})
    tap(game, 0, go(game, "2:0:flood"), make_tap("set", "initiative:2", text="0", side=None))
    assert str(game.now.step) == "2:0:flood"
    assert game.now.firsts == {2: 1, 3: 1}, "the first turn of the round is over"


def test_a_game_that_noted_initiative_before_goes_on(client: Client, game: Game) -> None:
    noted = make_tap("set", "setup:1", text="1", side=None)
    tap(game, 0, go(game, "2:0:flood"))
    tap(game, 0, noted, go(game, "2:0:ebb"))
    # The note of an older version, which left the turn alone.
    game.operations.filter(uid=noted.uid).update(key="initiative:2")
    score = make_tap("count", "score:locks-held:2", 1)
    tap(game, 0, score)
    tap(game, 0, undo(score))
    assert (str(game.now.step), game.now.firsts) == ("2:0:ebb", {2: 1})
    assert all(line.text for line in list_log(game, 0))
    while following := read_next(read_page(client, game)):
        press(client, game, following)
    assert game.now.step.round == ROUNDS
