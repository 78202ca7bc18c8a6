"""What taps come to: counters go up and down, a tap that is taken back never was, cards stay the same cards."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalogue.definitions.score_lines import ScoreLine
from roster.play.game_score import ScoreRules, name_counter, score_side
from roster.play.game_state import (
    GameState,
    Kind,
    Operation,
    SideState,
    check_operation,
    decode_state,
    encode_state,
    fold_operations,
    list_standing,
)
from roster.play.services.game_taps import is_uid

UIDS = [f"00000000-0000-4000-8000-{number:012}" for number in range(60)]


def done(*words: str) -> list[Operation]:
    """Return operations as `count key 1`, `set key text`, `undo 3` with the place of what is taken back."""
    operations = []
    for number, line in enumerate(words):
        kind, key, *rest = line.split(" ", 2)
        key = UIDS[int(key)] if kind == Kind.UNDO else key
        amount = int(rest[0]) if kind in (Kind.COUNT, Kind.DRAW) else 0
        text = rest[0] if rest and not amount else ""
        operations.append(Operation(uid=UIDS[number], kind=kind, key=key, amount=amount, text=text, side=0))
    return operations


def test_counters_and_texts() -> None:
    state = fold_operations(
        done("count w:u1:0 2", "count w:u1:0 -1", "set at:u1 reserve", "set at:u2 dead", "set at:u2 ")
    )
    assert state.sides[0].counts == {"w:u1:0": 1}
    assert state.sides[0].texts == {"at:u1": "reserve"}
    assert state.sides[1] == SideState()
    assert decode_state(encode_state(state)) == state


def test_undo_gives_what_was_before_and_can_be_undone() -> None:
    words = ["set at:u1 reserve", "set at:u1 table", "undo 1"]
    assert fold_operations(done(*words)).sides[0].texts == {"at:u1": "reserve"}
    assert fold_operations(done(*words, "undo 2")).sides[0].texts == {"at:u1": "table"}
    assert list_standing(done(*words)) == done(*words)[:1]
    assert list_standing(done("count a 1", "undo 0")) == []


def test_cards_are_drawn_laid_away_and_come_back() -> None:
    words = ["shuffle d0 3,1,0,2", "draw d0 2", "discard d0 1", "return d0 3", "draw d0 9", "discard d0 7"]
    pile = fold_operations(done(*words)).sides[0].piles["d0"]
    assert (pile.draw, pile.hand, pile.discard) == ([], [0, 2, 3], [1])
    pile = fold_operations(done(*words, "shuffle d0 1")).sides[0].piles["d0"]
    assert (pile.draw, pile.hand, pile.discard) == ([1], [0, 2, 3], [])


@given(
    st.lists(
        st.sampled_from(
            ["count a 1", "count a -1", "set b x", "set b ", "shuffle d 2,0,1", "draw d 1", "discard d 0", "return d 2"]
        ),
        max_size=20,
    ),
    st.integers(0, 19),
)
def test_taking_back_any_tap_is_as_if_it_had_never_been(words: list[str], place: int) -> None:
    operations = done(*words)
    if place >= len(operations):
        return
    undo = Operation(uid=UIDS[-1], kind=Kind.UNDO, key=operations[place].uid, side=0)
    without = [operation for operation in operations if operation is not operations[place]]
    assert fold_operations([*operations, undo]) == fold_operations(without)


@pytest.mark.parametrize(
    "operation",
    [
        Operation(uid=UIDS[0], kind="fly", key="a", side=0),
        Operation(uid=UIDS[0], kind="count", key="", side=0),
        Operation(uid=UIDS[0], kind="count", key="a b", side=0),
        Operation(uid=UIDS[0], kind="count", key="a" * 161, side=0),
        Operation(uid=UIDS[0], kind="count", key="a", amount=1001, side=0),
        Operation(uid=UIDS[0], kind="count", key="a", side=2),
        Operation(uid=UIDS[0], kind="set", key="a", text="x" * 601, side=0),
        Operation(uid=UIDS[0], kind="draw", key="a", amount=1),
        Operation(uid=UIDS[0], kind="discard", key="a", text="x", side=0),
        Operation(uid=UIDS[0], kind="hand", key="hand", text="{", side=0),
    ],
)
def test_what_makes_no_sense_is_refused(operation: Operation) -> None:
    assert check_operation(operation) is not None


@pytest.mark.parametrize(
    "text", ["", "x", "{00000000-0000-4000-8000-000000000000}", "00000000-0000-4000-8000-00000000000g"]
)
def test_an_id_of_a_device_is_a_uuid(text: str) -> None:
    assert not is_uid(text)
    assert is_uid(UIDS[0])


def test_caps_count_round_by_round() -> None:
    rules = ScoreRules(lines=(ScoreLine(id="a", name="A", most=12, most_round=5), ScoreLine(id="b", name="B")), most=15)
    side = SideState(counts={name_counter("a", n): 6 for n in (1, 2, 3)} | {name_counter("b", 3): 4, "res:cp": 9})
    score = score_side(rules, side)
    assert (score.total, score.by_round, score.by_item) == (15, {1: 5, 2: 5, 3: 6}, {"a": 12, "b": 4})
    assert score.lost == 7


def test_a_state_that_was_never_touched_is_the_same_for_everybody() -> None:
    first, second = GameState(), GameState()
    first.sides[0].counts["a"] = 1
    assert second == GameState()
    assert second.sides[0].counts == {}
