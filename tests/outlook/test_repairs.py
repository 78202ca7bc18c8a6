"""Repairs are what a club mate would say: the smallest change of models, cards and points, with the same limit."""

from fractions import Fraction

import pytest

from catalogue.formats.packs.load import SHIPPED
from catalogue.graph.ruleset import Ruleset
from roster.engine.compare import DifferenceKind, DifferencePart, compare_rosters
from roster.engine.completion.changes import UNIT
from roster.engine.completion.repair import Repair, repair
from roster.engine.evaluate import evaluate
from roster.engine.report import Verdict
from roster.engine.tree import OUTSIDE, RosterTree
from roster.services.limits import WAYS
from roster.wording.comparison import describe_difference
from tests.extent import sample
from tests.outlook.answers import REPAIRS, read_case
from tests.outlook.small_changes import SmallChanges

FIRST = {
    "all-outside": [
        "+1 Standard detachment",
        "Kaddar Nova moved to Standard detachment",
        "Karist Troopers moved to Standard detachment",
        "Angel Minnow Pack moved to Standard detachment",
    ],
    "mine-too-many": ["−1 Cybel Mines (Shadow Walkers)"],
    "other-commander": ["Big Bob Watts leads Standard"],
    "outside-without-room": ["−1 Mature Angel"],
    "three-walkers": ["−2 Shadow Walkers (Shadow Walkers)"],
    "two-initiates": ["−1 Mark of the Initiate (Militus Warrior)"],
    "two-outside": [
        "Mature Angel moved to Standard detachment",
        "Karist Troopers moved to Standard detachment",
        "−2 Karist Trooper (Karist Troopers)",
    ],
    "wrong-commander-five-troops": ["−1 Light Infantry", "General Samantha 'Fireball' Michaelson leads Standard"],
    "wrong-commander": ["General Samantha 'Fireball' Michaelson leads Standard"],
    "unit-outside": ["Mature Angel moved to Standard detachment"],
}


def list_repairs(name: str) -> tuple[Repair, ...]:
    ruleset, roster = read_case(name, REPAIRS)
    found = repair(ruleset, roster, effort=WAYS)
    assert found.is_finished
    for one in found.repairs:
        assert evaluate(ruleset, one.roster, tree=False).verdict is Verdict.LEGAL
        assert one.differences == compare_rosters(roster, one.roster)
    return found.repairs


def describe(one: Repair) -> list[str]:
    return [describe_difference(difference, {}) for difference in one.differences]


def test_every_list_has_its_repair() -> None:
    assert {path.stem for path in REPAIRS.glob("*.yaml")} == {*FIRST, "deck-of-25-in-multiplayer", "two-commanders"}


@pytest.mark.parametrize("name", sample(FIRST, 3))
def test_the_smallest_change_comes_first(name: str) -> None:
    first, *others = list_repairs(name)
    assert describe(first) == FIRST[name]
    assert first.is_smallest
    # No other is called smallest.
    assert all(one.weight > first.weight and not one.is_smallest for one in others)


def test_of_25_cards_ten_go_and_none_comes() -> None:
    repairs = list_repairs("deck-of-25-in-multiplayer")
    assert len(repairs) == 3
    for one in repairs:
        assert {difference.kind for difference in one.differences} == {DifferenceKind.REMOVED}
        assert sum(difference.number for difference in one.differences) == 10


def test_the_agreed_limit_is_left_alone_as_long_as_anything_else_mends() -> None:
    for name in ("mine-too-many", "outside-without-room"):
        assert all(one.kind is not DifferenceKind.LIMIT for way in list_repairs(name) for one in way.differences)


def test_a_unit_that_is_moved_keeps_its_id_and_all_that_is_in_it() -> None:
    _, roster = read_case("unit-outside", REPAIRS)
    outside = next(force for force in roster.forces if force.entry_id == OUTSIDE)
    mended = list_repairs("unit-outside")[0].roster
    (detachment,) = mended.forces
    assert detachment.selections[-1] == outside.selections[0]
    assert [one.what for one in compare_rosters(roster, mended)] == [DifferencePart.UNIT]


PROVED = ("bad-deck", "barred-company", "cooked-books", "crane-too-early")


@pytest.mark.parametrize("name", sample(PROVED, 2))
def test_no_plain_changes_mend_a_shipped_list_with_less(name: str) -> None:
    check_smallest(*read_case(name, SHIPPED / "reeds_and_rust" / "first" / "lists"))


def check_smallest(ruleset: Ruleset, roster: RosterTree) -> None:
    found = repair(ruleset, roster, effort=WAYS)
    assert found.is_finished
    small = SmallChanges(ruleset, roster)
    lighter = small.find_legal(Fraction(found.repairs[0].weight // UNIT))
    assert lighter is None, [describe_difference(one, {}) for one in compare_rosters(roster, lighter)]


def test_either_of_two_commanders_may_stay() -> None:
    repairs = list_repairs("two-commanders")
    assert [describe(one) for one in repairs][:2] == [
        ["Big Bob Watts leads Standard"],
        ["Captain Henry Thomas leads Standard"],
    ]
    assert [one.roster.forces[0].also_leading for one in repairs][:2] == [(), ()]
