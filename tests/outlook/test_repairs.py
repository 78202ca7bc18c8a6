"""Repairs are what a club mate would say: the smallest change of models, cards and points, with the same limit."""

import os
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

from catalogue.definitions.catalogues import CatalogueKind
from catalogue.formats.packs.load import SHIPPED
from catalogue.graph.ruleset import Ruleset
from roster.engine import edits
from roster.engine.compare import DifferenceKind, DifferencePart, compare_rosters
from roster.engine.completion.changes import UNIT
from roster.engine.completion.repair import Repair, repair
from roster.engine.edits import EditedRoster
from roster.engine.evaluate import evaluate
from roster.engine.evaluation import Evaluation
from roster.engine.report import Verdict
from roster.engine.tree import OUTSIDE, Limit, RosterTree, copy_with
from roster.services.limits import WAYS
from roster.wording.comparison import describe_difference
from tests.extent import sample
from tests.outlook.answers import REPAIRS, read_case, read_file
from tests.outlook.small_changes import MOST_TRIED, SmallChanges
from tests.shipped_packs import read_ruleset

SHARED = Path(os.environ.get("ARMYBUILDER_SHARED", "absent"), "review", "cases")
REVIEWED = [
    path
    for path in (*sorted(SHARED.glob("refme/*.yaml")), *sorted(SHARED.glob("refwz/*.json")))
    # Imported data is no pack.
    if "warhammer-40000" not in path.read_text(encoding="utf-8")
]
MOST_LINES = 4
"""If no repair was proposed, changes of this many models or lines are tried all the same."""
MOST_TRIED_IN_LARGE_GAMES = 400

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


BROKEN = [
    path
    for path in sorted((SHIPPED / "reeds_and_rust" / "first" / "lists").glob("*.yaml"))
    if "expect: legal" not in path.read_text(encoding="utf-8")
]


@pytest.mark.slow
@pytest.mark.parametrize("path", sample(BROKEN, 1), ids=lambda path: path.stem)
def test_no_small_changes_mend_a_shipped_list_with_less(path: Path) -> None:
    check_smallest(*read_case(path.stem, path.parent))


@pytest.mark.slow
@pytest.mark.parametrize("seed", sample(range(24), 1, complete=14))
def test_no_small_changes_mend_a_random_list_with_less(seed: int) -> None:
    check_smallest(*break_list(seed))


@pytest.mark.slow
@pytest.mark.skipif(not REVIEWED, reason="ARMYBUILDER_SHARED does not point at lists of other games")
@pytest.mark.parametrize("path", sample(REVIEWED, 1, complete=20), ids=lambda path: path.stem)
def test_no_small_changes_mend_a_list_of_a_larger_game_with_less(path: Path) -> None:
    check_smallest(*read_file(path), most_tried=MOST_TRIED_IN_LARGE_GAMES)


def break_list(seed: int) -> tuple[Ruleset, RosterTree]:
    """Return a list of one to four random units whose limit is near its points."""
    chance, ruleset = Random(seed), read_ruleset(SHIPPED / "reeds_and_rust" / "first")
    faction = chance.choice([one for one in ruleset.data.catalogues if one.kind is CatalogueKind.FACTION])
    book = ruleset.find_catalogue(faction.id)
    points = ruleset.points_type
    assert book
    assert points
    begun = edits.create_roster(ruleset, "Broken", limits={points.id: 120}).roster
    added = edits.add_force(ruleset, copy_with(begun, faction=faction.id), book.force_entries[0].id, faction.id)
    assert isinstance(added, EditedRoster)
    roster, (force_id, *_) = added.roster, added.created
    options = [option for option in book.distinct_roots if not option.hidden]
    for option in chance.sample(options, chance.randrange(1, 5)):
        taken = edits.select(ruleset, roster, force_id, option.local_id)
        roster = taken.roster if isinstance(taken, EditedRoster) else roster
    spent = Evaluation(ruleset, roster).totals.get(points.id, 0)
    limit = Limit(type_id=points.id, value=max(1, spent + chance.choice((-1, -4, 10, 40))))
    return ruleset, copy_with(roster, limits=(limit,))


def check_smallest(ruleset: Ruleset, roster: RosterTree, most_tried: int = MOST_TRIED) -> None:
    if evaluate(ruleset, roster, tree=False).verdict is Verdict.LEGAL:
        return
    found = repair(ruleset, roster, effort=WAYS)
    assert found.is_finished
    small = SmallChanges(ruleset, roster, most_tried)
    # A repair that changes the limit, or names another commander, weighs nothing: then nothing else may mend at all.
    first = next(iter(found.repairs), None)
    bound = Fraction(first.weight // UNIT) if first and first.weight else Fraction(small.line * MOST_LINES)
    lighter = small.find_legal(bound)
    assert lighter is None, [describe_difference(one, {}) for one in compare_rosters(roster, lighter)]


def test_either_of_two_commanders_may_stay() -> None:
    repairs = list_repairs("two-commanders")
    assert [describe(one) for one in repairs][:2] == [
        ["Big Bob Watts leads Standard"],
        ["Captain Henry Thomas leads Standard"],
    ]
    assert [one.roster.forces[0].also_leading for one in repairs][:2] == [(), ()]
