"""A hand of objectives: what each mission of Maelstrom of War asks, with dice that are known."""

from collections.abc import Iterator

import pytest

from catalogue.definitions.missions import Draw, ObjectiveDefinition
from catalogue.formats.packs.load import SHIPPED
from roster.engine.edits import Refused
from roster.play import objective_hand as engine
from roster.play.objective_hand import Hand, HandRules, Roll
from tests.shipped_packs import read_shipped

LETTERS = ("raid", "eradication", "brought-low")


def rules(mission_id: str) -> HandRules:
    data = read_shipped(SHIPPED / "wh40k" / "ninth").data
    assert data is not None
    play, missions = data.game_system.play, data.game_system.missions
    draw = next(mission.draw for mission in missions if mission.id == mission_id)
    assert draw is not None
    return HandRules(
        draw=draw,
        objectives={g.id: [o for o in play.objectives if o.group == g.id] for g in play.groups},
        stratagems={s.act: s for s in play.stratagems},
    )


def dice(*rolls: int) -> Roll:
    left: Iterator[int] = iter(rolls)
    return lambda sides, name: next(left)


def begun(mission_id: str, *rolls: int, secret: str = "", **more: object) -> tuple[HandRules, Hand]:
    found = rules(mission_id)
    hand = Hand(mission_id=mission_id, size_id="incursion")
    if found.draw.choose:
        hand = ok(engine.choose_categories(found, hand, LETTERS, secret))
    return found, ok(engine.start_round(found, hand, dice(*rolls), **more))


def ok(made: Hand | Refused) -> Hand:
    assert isinstance(made, Hand), made
    return made


def held(hand: Hand) -> list[str]:
    return [drawn.objective_id for drawn in hand.now.drawn]


def test_a_die_for_the_letter_and_one_for_the_objective() -> None:
    _, hand = begun("territorial-control", 1, 2, 3, 1, 4, 2)
    # All letters first, then the objectives: Alpha 1, Gamma 4, Beta 2.
    _, hand = begun("territorial-control", 1, 3, 2, 1, 4, 2)
    assert [drawn.letter for drawn in hand.now.drawn] == ["Alpha", "Gamma", "Beta"]
    assert held(hand) == ["overwhelming-assault", "overwhelm", "cut-the-head-from-the-serpent"]


def test_an_objective_drawn_twice_is_drawn_again() -> None:
    _, hand = begun("territorial-control", 1, 1, 1, 5, 5, 5, 6, 1)
    assert held(hand) == ["storm-the-line", "take-and-hold", "overwhelming-assault"]


def test_one_more_from_round_two_on() -> None:
    found, hand = begun("never-surrender", 1, 1, 1, 1, 2, 3)
    assert engine.start_round(found, Hand(mission_id="x", groups=LETTERS), dice(), extra=True) == Refused(
        code="bad-change"
    )
    hand = ok(engine.start_round(found, hand, dice(1, 1, 1, 1, 1, 2, 3, 4), extra=True))
    assert len(hand.now.drawn) == 4


def test_complex_front_draws_one_of_each_and_the_secret_one_scores_more() -> None:
    found, hand = begun("complex-front", 2, 2, 2, secret="raid")
    assert [drawn.group_id for drawn in hand.now.drawn] == list(LETTERS)
    hand = ok(engine.score_objective(found, hand, 0, True))
    assert engine.sum_points(found, hand) == 10
    without = engine.choose_categories(found, Hand(mission_id="complex-front"), LETTERS)
    assert without == Refused(code="no-secret")


def test_kept_takes_the_place_of_its_category_in_complex_front() -> None:
    found, hand = begun("complex-front", 2, 2, 2, secret="raid")
    hand = ok(engine.start_round(found, hand, dice(1, 1), keep=["driving-rush"]))
    assert held(hand) == ["driving-rush", "hit-them-hard", "tear-down-their-heroes"]
    assert hand.spent == 1


def test_named_is_worth_double() -> None:
    found, hand = begun("ambitious-surge", 1, 2, 3, 1, 1, 1)
    hand = ok(engine.name_objective(found, hand, 1))
    hand = ok(engine.score_objective(found, hand, 1, True))
    assert engine.sum_points(found, hand) == 16
    hand = ok(engine.name_objective(found, hand, 0))
    assert engine.sum_points(found, hand) == 8


def test_named_cannot_be_scored() -> None:
    found, hand = begun("subterfuge-and-interference", 1, 2, 3, 1, 1, 1, 1, 2)
    assert len(hand.now.drawn) == 4
    hand = ok(engine.score_objective(found, hand, 1, True))
    hand = ok(engine.name_objective(found, hand, 1))
    assert engine.sum_points(found, hand) == 0
    assert engine.score_objective(found, hand, 1, True) == Refused(code="bad-change")


def test_chaotic_engagement_uses_all_categories_and_keeps_for_nothing() -> None:
    found, hand = begun("chaotic-engagement", 1, 2, 6, 1, 1, 1)
    assert [drawn.group_id for drawn in hand.now.drawn] == ["holding-the-line", "raid", "heroic-deeds"]
    hand = ok(engine.start_round(found, hand, dice(1, 1, 2, 3), keep=["targets-held"]))
    assert hand.spent == 0


@pytest.mark.parametrize(("act", "step", "rolled"), [(engine.SHIFT, 1, 5), (engine.SHIFT, -1, 3), (engine.ONE, 0, 1)])
def test_stratagems_change_a_roll_once_a_round(act: str, step: int, rolled: int) -> None:
    found, hand = begun("territorial-control", 1, 2, 3, 4, 4, 4)
    hand = ok(engine.change_roll(found, hand, 0, act, step))
    assert hand.now.drawn[0].roll == rolled
    assert hand.spent == 1
    assert engine.change_roll(found, hand, 1, act, step) == Refused(code="used-already")


def test_a_roll_ends_at_one_and_six_and_takes_nothing_that_is_held() -> None:
    found, hand = begun("territorial-control", 1, 1, 2, 6, 5, 1)
    assert engine.change_roll(found, hand, 0, engine.SHIFT, 1) == Refused(code="roll-taken")
    assert engine.change_roll(found, hand, 0, engine.SHIFT, -1) == Refused(code="roll-taken")
    assert engine.change_roll(found, hand, 2, engine.SHIFT, -1) == Refused(code="roll-taken")


def test_what_cannot_be_achieved_is_replaced() -> None:
    found, hand = begun("territorial-control", 1, 2, 3, 1, 3, 1)
    picked = ok(engine.replace_objective(found, hand, 1, "decimation", dice()))
    assert held(picked)[1] == "decimation"
    assert picked.now.drawn[1].replaced == "expunge-the-witch"
    assert engine.replace_objective(found, hand, 1, "raid", dice()) == Refused(code="bad-change")
    assert engine.replace_objective(found, hand, 1, "driving-rush", dice()) == Refused(code="bad-change")
    # Selected, not rolled for: no stratagem changes its roll.
    assert engine.change_roll(found, picked, 1, engine.SHIFT, 1) == Refused(code="bad-change")


def test_another_is_drawn_only_for_an_objective_that_says_so() -> None:
    found, hand = begun("territorial-control", 1, 2, 3, 1, 5, 3)
    assert held(hand) == ["overwhelming-assault", "decimation", "crippling-blow"]
    drawn = ok(engine.replace_objective(found, hand, 1, "", dice(5, 3)))
    assert held(drawn)[1] == "expunge-the-witch"
    assert drawn.now.dice[-2:] == ((6, 5), (6, 3))
    # It does not come back, however often another is drawn.
    for _ in range(5):
        again = engine.replace_objective(found, drawn, 2, "", dice(3, 3, 3, 3, 3, 3, 3, 3, 1))
        drawn = again if isinstance(again, Hand) else drawn
    assert held(drawn).count("crippling-blow") == 0


@pytest.mark.parametrize(("place", "objective"), [(0, "driving-rush"), (0, ""), (1, "")])
def test_an_objective_that_can_be_achieved_stays(place: int, objective: str) -> None:
    found, hand = begun("territorial-control", 1, 2, 3, 1, 3, 1)
    assert held(hand)[:2] == ["overwhelming-assault", "expunge-the-witch"]
    assert engine.replace_objective(found, hand, place, objective, dice(2)) == Refused(code="achievable")


def test_a_category_without_another_objective_replaces_nothing() -> None:
    one = ObjectiveDefinition(id="one", name="", group="raid", roll=1, replace="Nobody is there.")
    found = HandRules(draw=Draw(number=1, die=1, table=("raid",)), objectives={"raid": [one]}, stratagems={})
    hand = ok(engine.start_round(found, Hand(mission_id="x"), dice(1, 1)))
    assert engine.replace_objective(found, hand, 0, "", dice()) == Refused(code="none-left")


def test_rounds_without_a_draw_stay_empty() -> None:
    found, hand = begun("territorial-control", 1, 2, 3, 1, 2, 3)
    later = ok(engine.start_round(found, hand, dice(1, 1, 1, 1, 2, 3), number=3))
    assert [len(played.drawn) for played in later.rounds] == [3, 0, 3]
    # What was drawn two rounds ago cannot be kept any more.
    kept = engine.start_round(found, hand, dice(), number=3, keep=held(hand)[:1])
    assert kept == Refused(code="bad-change")
    assert ok(engine.start_round(found, hand, dice(1, 1, 1, 1, 2, 3), number=5)).rounds[4].drawn
    assert engine.start_round(found, hand, dice(), number=6) == Refused(code="game-over")


def test_what_is_barred_stays_so_when_another_is_drawn_or_chosen_for_it() -> None:
    found, hand = begun("subterfuge-and-interference", 1, 2, 3, 1, 1, 5, 1, 2)
    hand = ok(engine.name_objective(found, hand, 1))
    witch = ok(engine.replace_objective(found, hand, 1, "", dice(3)))
    for other in (witch, engine.replace_objective(found, witch, 1, "break-their-will", dice())):
        assert [drawn.named for drawn in ok(other).now.drawn] == [False, True, False, False]
        assert engine.score_objective(found, ok(other), 1, True) == Refused(code="bad-change")


def test_a_draw_comes_to_an_end_whatever_the_dice_say() -> None:
    found = rules("territorial-control")
    hand = ok(engine.choose_categories(found, Hand(mission_id="territorial-control"), LETTERS))
    drawn = ok(engine.start_round(found, hand, lambda sides, name: 1))
    assert len(set(held(drawn))) == 3, "the same face each time, and yet no objective twice"


@pytest.mark.parametrize("rolls", [(None, 2, 3), (9, 2, 3), (2, 2, 3), (None, None, None)])
def test_results_that_do_not_fit_the_die_are_passed_over(rolls: tuple[int | None, ...]) -> None:
    objectives = [
        ObjectiveDefinition(id=str(place), name="", group="raid", roll=roll) for place, roll in enumerate(rolls)
    ]
    found = HandRules(draw=Draw(number=3, die=3, table=("raid",)), objectives={"raid": objectives}, stratagems={})
    drawn = ok(engine.start_round(found, Hand(mission_id="x"), lambda sides, name: min(2, sides)))
    reachable = {str(place) for place, roll in enumerate(rolls) if roll in (2, 3)}
    assert set(held(drawn)) <= reachable
    assert bool(held(drawn)) is bool(reachable)


def test_a_category_that_is_not_there_is_not_drawn_from() -> None:
    found = HandRules(draw=Draw(number=2, die=6, table=("raid",)), objectives={"raid": []}, stratagems={})
    assert held(ok(engine.start_round(found, Hand(mission_id="x"), lambda sides, name: sides))) == []


def test_what_was_drawn_and_changed_does_not_come_again_in_the_round() -> None:
    found, hand = begun("territorial-control", 1, 1, 2, 1, 4, 6)
    hand = ok(engine.change_roll(found, hand, 0, engine.SHIFT, 1))
    # A 1 was rolled in the category, so no other roll of it may be made one.
    assert engine.change_roll(found, hand, 1, engine.ONE) == Refused(code="roll-taken")
    assert engine.replace_objective(found, hand, 1, "overwhelming-assault", dice()) == Refused(code="bad-change")
    hand = ok(engine.start_round(found, hand, dice(1, 1, 2, 1, 4, 6)))
    assert held(hand)[0] == "overwhelming-assault"


def test_several_are_kept_each_for_its_price() -> None:
    found, hand = begun("territorial-control", 1, 2, 3, 1, 2, 3)
    first, second, third = held(hand)
    kept = ok(engine.start_round(found, hand, dice(1, 4), keep=[first, third]))
    assert [drawn.carried_over for drawn in kept.now.drawn] == [True, True, False]
    assert (held(kept)[:2], kept.spent, len(kept.now.used)) == ([first, third], 2, 2)
    scored = ok(engine.score_objective(found, hand, 0, True))
    for bad in ([first], [second, second], ["no-objective"], [first, second, third, "take-it-back"]):
        assert engine.start_round(found, scored, dice(), keep=bad) == Refused(code="bad-change")


def test_a_category_is_changed_once_in_the_battle() -> None:
    found, hand = begun("territorial-control", 1, 1, 1, 1, 2, 3)
    hand = ok(engine.swap_category(found, hand, "raid", "heroic-deeds"))
    assert hand.groups == ("heroic-deeds", "eradication", "brought-low")
    hand = ok(engine.start_round(found, hand, dice(1, 1, 1, 1, 2, 3)))
    assert hand.now.drawn[0].group_id == "heroic-deeds"
    assert engine.swap_category(found, hand, "eradication", "raid") == Refused(code="used-already")


def test_giving_up_the_secret_category_takes_no_points_away() -> None:
    found, hand = begun("complex-front", 1, 1, 1, secret="raid")
    hand = ok(engine.score_objective(found, hand, 0, True))
    before = engine.sum_points(found, hand)
    hand = ok(engine.swap_category(found, hand, "raid", "heroic-deeds"))
    assert engine.sum_points(found, hand) == before
    assert hand.secret == "raid"


@pytest.mark.parametrize("mission", ["territorial-control", "chaotic-engagement"])
def test_a_round_taken_back_leaves_what_was_before_it(mission: str) -> None:
    found, first = begun(mission, 1, 2, 3, 1, 1, 1)
    hand = ok(engine.start_round(found, first, dice(2, 3, 4, 4), keep=held(first)[:1]))
    hand = ok(engine.change_roll(found, hand, 1, engine.SHIFT, 1))
    hand = ok(engine.score_objective(found, hand, 2, True))
    if hand.groups:
        hand = ok(engine.swap_category(found, hand, "raid", "heroic-deeds"))
    assert engine.take_round_back(found, hand) == first
    start = ok(engine.take_round_back(found, first))
    assert start.rounds == ()
    assert engine.take_round_back(found, start) == Refused(code="bad-change")


def test_points_end_at_ninety_and_rounds_at_five() -> None:
    found, hand = begun("complex-front", 1, 1, 1, secret="raid")
    for _ in range(4):
        for place in range(3):
            hand = ok(engine.score_objective(found, hand, place, True))
        hand = ok(engine.start_round(found, hand, dice(1, 1, 1)))
    for place in range(3):
        hand = ok(engine.score_objective(found, hand, place, True))
    assert engine.sum_points(found, hand) == engine.CAP
    assert engine.start_round(found, hand, dice()) == Refused(code="game-over")


@pytest.mark.parametrize(
    ("groups", "code"),
    [
        (["raid"], "wrong-categories"),
        (["raid", "raid", "eradication"], "wrong-categories"),
        (["raid", "eradication", "dragons"], "bad-change"),
    ],
)
def test_categories_are_chosen_well(groups: list[str], code: str) -> None:
    made = engine.choose_categories(rules("never-surrender"), Hand(mission_id="never-surrender"), groups)
    assert isinstance(made, Refused)
    assert made.code == code


def test_nothing_is_drawn_before_categories_are_chosen() -> None:
    made = engine.start_round(rules("never-surrender"), Hand(mission_id="never-surrender"), dice())
    assert isinstance(made, Refused)


def test_a_hand_survives_its_document() -> None:
    _, hand = begun("territorial-control", 1, 2, 3, 1, 1, 1)
    assert engine.decode_hand(engine.encode_hand(hand)) == hand
