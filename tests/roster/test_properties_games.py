"""Properties of all lists, checked on random lists of every installed game."""

from collections import Counter
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from catalogue.formats.packs.load import find_packs
from catalogue.graph.ruleset import Ruleset
from catalogue.models import PackVersion
from roster.engine import categories
from roster.engine.conditions import Questions
from roster.engine.edits import EditedRoster, add_force, remove_force, remove_one, select
from roster.engine.evaluate import build_report, evaluate
from roster.engine.evaluation import Evaluation
from roster.engine.nodes import build_nodes
from roster.engine.offers import Offers, list_offers
from roster.engine.report import Report
from roster.engine.tree import Force, RosterTree, Selection, copy_with
from roster.formats.list_document import Unreadable
from roster.formats.ros import ReadError
from roster.models import Roster as Stored
from roster.services.evaluation import evaluate_roster
from roster.services.exchange import RosterFormat, export_list, import_list, read_list_file
from roster.services.owners import Visitor
from roster.services.rosters import find_roster, store_roster
from tests.extent import COMPLETE, sample
from tests.roster.generated import rosters
from tests.shipped_packs import install_shipped, read_ruleset

pytestmark = pytest.mark.slow

GAMES = {path.as_posix().split("/packs/")[-1]: path for path in find_packs()}
SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.function_scoped_fixture]
EXAMPLES = 20 if COMPLETE else 8
GUEST = Visitor(key="a guest of these tests")

games = pytest.mark.parametrize("game", sample(GAMES, 3))


def ruleset(game: str) -> Ruleset:
    return read_ruleset(GAMES[game])


def figures(report: Report) -> Counter[tuple[object, ...]]:
    """Return the violations, without which of several equal units is to blame."""
    return Counter(
        (v.code, v.rule, v.on.kind, v.on.entry_id, v.owner_id, v.constraint_id, v.measured, v.allowed)
        for v in report.violations
    )


def verdict(report: Report) -> tuple[object, ...]:
    costs = {cost.type_id: cost.value for cost in report.costs if cost.value}
    return report.verdict, figures(report), costs


# ---- independence of earlier requests ----------------------------------------------------------------------------


@games
@settings(deadline=None, max_examples=EXAMPLES, suppress_health_check=SLOW)
@given(data=st.data())
def test_what_was_derived_for_other_lists_changes_no_report(game: str, data: st.DataObject) -> None:
    roster = data.draw(rosters(ruleset(game)))
    kept = evaluate(ruleset(game), roster)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Ruleset, "derive", lambda _, key, make: make())
        assert kept == evaluate(ruleset(game), roster)


@games
@settings(deadline=None, max_examples=EXAMPLES, suppress_health_check=SLOW)
@given(data=st.data())
def test_what_many_ask_is_answered_as_for_each_alone(game: str, data: st.DataObject) -> None:
    roster = data.draw(rosters(ruleset(game)))

    def judge() -> tuple[Report, list[Offers]]:
        evaluation = Evaluation(ruleset(game), roster)
        report = build_report(evaluation)
        places = (*evaluation.roster.all_forces, *evaluation.roster.selections)
        return report, [list_offers(evaluation, place.document.id) for place in places if place.document]

    at_once = judge()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Questions, "find_first", lambda *_: None)
        patch.setattr(Ruleset, "derive", lambda _, key, make: make())
        patch.setattr(categories, "needs_contents", lambda _: False)
        assert at_once == judge()


# ---- order is irrelevant -----------------------------------------------------------------------------------------


def shuffled(roster: RosterTree, random: Random) -> RosterTree:
    forces = _mixed([_force(force, random) for force in roster.forces], random)
    return copy_with(roster, faction=roster.of, forces=tuple(forces))


def _force(force: Force, random: Random) -> Force:
    units = _mixed([_selection(unit, random) for unit in force.selections], random)
    inner = _mixed([_force(each, random) for each in force.forces], random)
    return copy_with(force, selections=tuple(units), forces=tuple(inner))


def _selection(selection: Selection, random: Random) -> Selection:
    inside = _mixed([_selection(each, random) for each in selection.selections], random)
    return copy_with(selection, selections=tuple(inside))


def _mixed(nodes: list, random: Random) -> list:
    random.shuffle(nodes)
    return nodes


@games
@settings(max_examples=EXAMPLES, suppress_health_check=SLOW)
@given(st.data())
def test_the_order_of_units_never_changes_the_verdict(game: str, data: st.DataObject) -> None:
    rules = ruleset(game)
    roster = data.draw(rosters(rules, of_factions=True))
    random = data.draw(st.randoms(use_true_random=False))
    assert verdict(evaluate(rules, shuffled(roster, random), tree=False)) == verdict(
        evaluate(rules, roster, tree=False)
    )


# ---- adding, then removing ---------------------------------------------------------------------------------------


@games
@settings(max_examples=EXAMPLES, suppress_health_check=SLOW)
@given(st.data())
def test_adding_then_removing_restores_the_verdict(game: str, data: st.DataObject) -> None:
    rules = ruleset(game)
    roster = data.draw(rosters(rules, of_factions=True))
    before = evaluate(rules, roster, tree=False)
    root = build_nodes(rules, roster)
    places = [node for node in (*root.all_forces, *root.selections) if node.contents and node.contents.options]
    if places:
        place = data.draw(st.sampled_from(places))
        option = data.draw(st.sampled_from(place.contents.options))
        added = select(rules, roster, place.document.id, option.local_id)
        if isinstance(added, EditedRoster):
            taken_back = remove_one(added.roster, added.created[0])
            assert isinstance(taken_back, EditedRoster)
            restored = evaluate(rules, taken_back.roster, tree=False)
            assert restored.violations == before.violations
            assert verdict(restored) == verdict(before)
    force = roster.forces[0]
    added = add_force(rules, roster, force.entry_id, force.catalogue_id)
    assert isinstance(added, EditedRoster)
    taken_back = remove_force(added.roster, added.created[0])
    assert isinstance(taken_back, EditedRoster)
    assert verdict(evaluate(rules, taken_back.roster, tree=False)) == verdict(before)


# ---- the same list from anywhere ---------------------------------------------------------------------------------


@pytest.fixture
def version(game: str, db: None) -> PackVersion:
    found = install_shipped(GAMES[game])
    assert found is not None
    return found


DOCUMENTS = (RosterFormat.YAML, RosterFormat.JSON)
"""The formats that also ask whether the list can be completed."""


@pytest.mark.parametrize("game", sample(GAMES, 1))
@settings(max_examples=EXAMPLES // 8, suppress_health_check=SLOW)
@given(st.data())
def test_the_verdict_is_the_same_from_yaml_json_ros_and_the_database(
    game: str, version: PackVersion, data: st.DataObject
) -> None:
    Stored.objects.all().delete()  # guests may have a hundred lists
    rules = ruleset(game)
    roster = data.draw(rosters(rules, of_factions=True))
    expected = verdict(evaluate(rules, roster, tree=False))
    handed_in = verdict(evaluate(rules, roster, tree=False, look_ahead=True))
    stored = store_roster(GUEST, version, roster.forces[0].catalogue_id, roster)
    assert isinstance(stored, Stored)
    assert verdict(evaluate_roster(find_roster(stored.public_id)).report) == expected
    for form in (RosterFormat.ROS, RosterFormat.ROSZ, *DOCUMENTS):
        read = read_list_file(export_list(stored, form), f"list.{form.value}")
        assert not isinstance(read, Unreadable | ReadError), read
        assert verdict(read.evaluated_list.report) == (handed_in if form in DOCUMENTS else expected), form
        again = import_list(GUEST, read)
        assert isinstance(again, Stored), form
        # A document is judged on import, and the result is stored with the list.
        kept = handed_in if form in DOCUMENTS else expected
        assert verdict(evaluate_roster(find_roster(again.public_id)).report) == kept, form
