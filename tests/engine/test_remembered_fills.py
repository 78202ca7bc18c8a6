"""What units come with is remembered from list to list: that comes to the same as working it out for each list."""

import pytest

from catalogue.graph.ruleset import Ruleset
from roster.engine import edits, pick_preview, remembered_fills
from roster.engine.evaluation import Evaluation
from roster.engine.new_selections import fill_selection
from roster.engine.nodes import SelectionNode
from roster.engine.offers import list_offers
from roster.engine.tree import RosterTree
from tests.engine.games import counting_ids, done, started
from tests.engine.spec_reader import ruleset_of
from tests.engine.test_hidden_widely import STEPS, play
from tests.extent import sample


@pytest.mark.parametrize("seed", sample(range(200, 500), 40))
def test_remembering_comes_to_the_same_as_working_it_out(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    quick = play(seed)
    monkeypatch.setattr(pick_preview, "fill_offered", fill_selection)
    assert play(seed) == quick
    assert len(quick) > 2 * STEPS


ARMED = {"operator": "atLeast", "value": 1, "query": {"scope": "force", "child_id": "armoury"}}
"""A condition of the whole force."""


def make_game(condition: dict[str, object], scope: str = "parent") -> Ruleset:
    """A squad that comes with a lamp, and with two where a condition is met; and an armoury beside it."""
    lamps = {"change": "set", "field": "lamps", "value": "2", "guard": {"conditions": [condition]}}
    least = {"id": "lamps", "bound": "min", "value": 1, "query": {"scope": scope}}
    lamp = {"id": "lamp", "name": "Lamp", "constraints": [least], "modifiers": [lamps]}
    core = [{"id": "c", "target_id": "core", "primary": True}]
    units = [
        {"id": "squad", "name": "Squad", "categories": core, "entries": [lamp]},
        {"id": "armoury", "name": "Armoury", "categories": core},
    ]
    forces = [{"id": "patrol", "name": "Patrol", "categories": [{"id": "s", "target_id": "core"}]}]
    game = {"categories": [{"id": "core", "name": "Core"}], "forces": forces}
    return ruleset_of({"game": game, "army": {"entries": units}})


def count_lamps(ruleset: Ruleset, roster: RosterTree, monkeypatch: pytest.MonkeyPatch) -> tuple[int, bool]:
    """Return how many lamps a squad on offer comes with, and whether that was worked out for it."""
    filled: list[str] = []

    def fill(evaluation: Evaluation, node: SelectionNode) -> None:
        filled.append(node.entry_id)
        fill_selection(evaluation, node)

    monkeypatch.setattr(remembered_fills, "fill_selection", fill)
    evaluation = Evaluation(ruleset, roster)
    list_offers(evaluation, roster.forces[0].id)
    force = evaluation.roster.forces[0]
    assert force.contents
    squad = evaluation.preview_selection(force, next(o for o in force.contents.options if o.local_id == "squad"))
    lamps = [node for node in squad.walk() if node.target_id == "lamp"]
    return sum(lamp.number for lamp in lamps), "squad" in filled


def test_a_unit_is_filled_again_only_where_an_answer_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    ruleset, ids = make_game(ARMED), counting_ids()
    bare, _ = started(ruleset, ids)
    armed = done(edits.select(ruleset, bare, bare.forces[0].id, "armoury", ids=ids)).roster
    assert count_lamps(ruleset, bare, monkeypatch) == (1, True)
    assert count_lamps(ruleset, bare, monkeypatch) == (1, False)
    assert count_lamps(ruleset, armed, monkeypatch) == (2, True)
    assert count_lamps(ruleset, armed, monkeypatch) == (2, False)
    assert count_lamps(ruleset, bare, monkeypatch) == (1, True)


def test_a_unit_is_filled_again_if_what_is_in_it_is_of_another_category(monkeypatch: pytest.MonkeyPatch) -> None:
    """The squad is asked the same and is the same; the sergeant in it becomes a veteran, who has two lamps."""
    is_veteran = {"operator": "instanceOf", "query": {"scope": "parent", "child_id": "veteran"}}
    lamps = {"change": "set", "field": "lamps", "value": "2", "guard": {"conditions": [is_veteran]}}
    promoted = {"change": "add", "field": "category", "value": "veteran", "guard": {"conditions": [ARMED]}}
    lamp = {"id": "lamp", "name": "Lamp", "constraints": [least_of_one("lamps")], "modifiers": [lamps]}
    sergeant = {
        "id": "sergeant",
        "name": "Sergeant",
        "constraints": [least_of_one("sergeants")],
        "modifiers": [promoted],
        "entries": [lamp],
    }
    units = [{"id": "squad", "name": "Squad", "entries": [sergeant]}, {"id": "armoury", "name": "Armoury"}]
    game = {"categories": [{"id": "veteran", "name": "Veterans"}], "forces": [{"id": "patrol", "name": "Patrol"}]}
    ruleset, ids = ruleset_of({"game": game, "army": {"entries": units}}), counting_ids()
    bare, _ = started(ruleset, ids)
    armed = done(edits.select(ruleset, bare, bare.forces[0].id, "armoury", ids=ids)).roster
    assert count_lamps(ruleset, bare, monkeypatch) == (1, True)
    assert count_lamps(ruleset, bare, monkeypatch) == (1, False)
    assert count_lamps(ruleset, armed, monkeypatch) == (2, True)
    assert count_lamps(ruleset, bare, monkeypatch) == (1, True)


def least_of_one(constraint_id: str) -> dict[str, object]:
    return {"id": constraint_id, "bound": "min", "value": 1, "query": {"scope": "parent"}}


@pytest.mark.parametrize(
    ("condition", "scope"),
    [
        (ARMED, "roster"),
        (ARMED | {"query": {"scope": "core", "child_id": "any"}}, "parent"),
        (ARMED | {"query": {"scope": "parent", "child_id": "any", "field": "points"}}, "parent"),
    ],
    ids=["counted in the list", "asked of a slot", "asked for costs"],
)
def test_what_asks_afar_is_worked_out_each_time(
    condition: dict[str, object], scope: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ruleset, ids = make_game(condition, scope), counting_ids()
    roster, _ = started(ruleset, ids)
    assert count_lamps(ruleset, roster, monkeypatch)[1]
    assert count_lamps(ruleset, roster, monkeypatch)[1]
