"""Complete lists by deeds alone: what the list has stays, and the result is legal or there is none."""

from pathlib import Path

import pytest

from catalogue.graph.ruleset import Ruleset
from roster.engine import edits
from roster.engine.compare import compare_rosters
from roster.engine.completion.effort import Effort, UnfinishedError
from roster.engine.completion.search import Completion
from roster.engine.completion.solver import Possibility, is_solver_installed
from roster.engine.evaluation import OverdueError
from roster.engine.report import Verdict
from roster.engine.tree import RosterTree, list_selections
from roster.services import ways as ways_module
from roster.services.deeds import DeedKind, complete_by_deeds, propose_deeds
from roster.services.evaluation import EvaluatedList, evaluate_with
from roster.services.limits import WAYS
from roster.services.ways import WayKind, find_ways
from tests.engine.games import counting_ids, game, started
from tests.extent import sample
from tests.roster.test_deeds import BROKEN, judge

ENOUGH = Effort(5_000)

# A patrol needs a leader and two core units. A crew needs a flag, a band one of two horns.
PATROL = """
game:
  cost_types: [{id: pts, name: points}]
  categories: [{id: core, name: Core}, {id: chief, name: Chief}]
  forces:
    - id: patrol
      name: Patrol
      constraints:
        - {id: spears, bound: min, value: %(spears)s, query: {scope: self, child_id: spear, deep: true}}
      categories:
        - {id: cores, target_id: core, constraints: [{id: two, bound: min, value: 2, query: {scope: parent}}]}
        - {id: chiefs, target_id: chief, constraints: [{id: one, bound: min, value: 1, query: {scope: parent}}]}
army:
  entries:
    - id: captain
      name: Captain
      type: unit
      costs: [{type_id: pts, value: 10}]
      categories: [{id: captains, target_id: chief, primary: true}]
    - id: crew
      name: Crew
      type: unit
      costs: [{type_id: pts, value: 5}]
      categories: [{id: crews, target_id: core, primary: true}]
      entries:
        - {id: flag, name: Flag, constraints: [{id: some, bound: min, value: 1, query: {scope: parent}}]}
        - id: arms
          kind: group
          name: Arms
          default_id: bow
          constraints: [{id: least, bound: min, value: 1, query: {scope: parent}},
                        {id: most, bound: max, value: 1, query: {scope: parent}}]
          entries:
            - {id: bow, name: Bow}
            - {id: spear, name: Spear}
"""


def build(spears: int = 0, units: tuple[str, ...] = ()) -> EvaluatedList:
    ruleset = game(PATROL % {"spears": spears})
    ids = counting_ids()
    tree, force_id = started(ruleset, ids)
    for unit in units:
        edited = edits.select(ruleset, tree, force_id, unit, ids=ids)
        assert isinstance(edited, edits.EditedRoster)
        tree = edited.roster
    return evaluate_with(ruleset, tree, tree=False)


def limit(judged: EvaluatedList, points: int) -> EvaluatedList:
    limited = edits.set_limit(judged.ruleset, judged.tree, "pts", points)
    assert isinstance(limited, edits.EditedRoster)
    return evaluate_with(judged.ruleset, limited.roster, tree=False)


def list_changes(before: RosterTree, after: RosterTree | None) -> list[tuple[str, str, int]]:
    assert after is not None
    return sorted((one.kind.value, one.name, one.number) for one in compare_rosters(before, after))


def list_parts(tree: RosterTree) -> list[tuple[str, int]]:
    return [(selection.name, selection.number) for selection in list_selections(tree)]


def drop(ruleset: Ruleset, tree: RosterTree, name: str) -> EvaluatedList:
    node_id = next(selection.id for selection in list_selections(tree) if selection.name == name)
    edited = edits.set_number(ruleset, tree, node_id, 0)
    assert isinstance(edited, edits.EditedRoster)
    return evaluate_with(ruleset, edited.roster, tree=False)


def test_one_deed_after_another_completes_a_list() -> None:
    judged = build(units=("crew",))
    judged = drop(judged.ruleset, judged.tree, "Flag")
    assert judged.verdict is Verdict.INCOMPLETE
    completed = complete_by_deeds(judged, ENOUGH.start())
    assert completed is not None
    added = [("added", "Captain", 1), ("added", "Crew", 1), ("added", "Flag", 1)]
    assert list_changes(judged.tree, completed.tree) == added
    assert completed.verdict is Verdict.LEGAL
    again = complete_by_deeds(judged, ENOUGH.start())
    assert again is not None
    assert list_parts(again.tree) == list_parts(completed.tree)


def test_a_choice_of_the_player_is_not_replaced() -> None:
    judged = build(spears=1, units=("crew", "crew", "captain"))
    (deed,) = propose_deeds(judged)[judged.report.errors[0].key]
    assert (deed.kind, deed.name) == (DeedKind.TAKE, "Spear")
    assert complete_by_deeds(judged, ENOUGH.start()) is None
    # The arms of an added crew are nobody's choice yet.
    judged = build(spears=1, units=("crew", "captain"))
    completed = complete_by_deeds(judged, ENOUGH.start())
    assert completed is not None
    assert [s.name for s in list_selections(completed.tree) if s.name in ("Bow", "Spear")] == ["Bow", "Spear"]


@pytest.mark.parametrize(("points", "is_possible"), [(20, True), (19, False)])
def test_limits_are_not_exceeded(points: int, is_possible: bool) -> None:
    judged = limit(build(), points)
    assert (complete_by_deeds(judged, ENOUGH.start()) is not None) is is_possible


def test_the_work_is_counted_and_the_clock_protects_the_server() -> None:
    judged = build()
    with pytest.raises(OverdueError):
        complete_by_deeds(judged, Effort(60).start())
    with pytest.raises(UnfinishedError):
        complete_by_deeds(judged, Effort(5_000, -1.0).start())


@pytest.mark.parametrize("path", sample(BROKEN, 25), ids=str)
def test_lists_of_games_are_legal_afterwards_and_keep_what_they_have(path: Path) -> None:
    judged = judge(path)
    try:
        completed = complete_by_deeds(judged, ENOUGH.start())
    except OverdueError:
        return
    if completed is None:
        return
    assert completed.verdict is Verdict.LEGAL
    after = {selection.id: selection for selection in list_selections(completed.tree)}
    for before in list_selections(judged.tree):
        assert after[before.id].entry_id == before.entry_id
        assert after[before.id].number >= before.number


@pytest.mark.skipif(not is_solver_installed(), reason="no solver is installed")
class TestWays:
    """Completing a list takes deeds if the search answers neither yes nor no."""

    @pytest.fixture(autouse=True)
    def _search_nothing(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(ways_module, "complete", lambda *_, **__: Completion(Possibility.UNKNOWN))

    def test_the_way_is_legal_and_not_called_the_best(self) -> None:
        search = find_ways(build(units=("crew",)), WayKind.COMPLETE)
        (way,) = search.ways
        assert (search.answer, search.is_finished) == (Possibility.YES, True)
        assert (way.evaluated_list.verdict, way.is_best, way.points) == (Verdict.LEGAL, False, 15)

    def test_too_few_steps_leave_the_answer_open(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(ways_module, "WAYS", Effort(60))
        search = find_ways(build(), WayKind.COMPLETE)
        assert (search.answer, search.ways, search.is_finished) == (Possibility.UNKNOWN, (), True)

    def test_the_end_of_the_time_is_not_the_end_of_the_search(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(ways_module, "WAYS", Effort(WAYS.steps, -1.0))
        search = find_ways(build(), WayKind.COMPLETE)
        assert (search.answer, search.ways, search.is_finished) == (Possibility.UNFINISHED, (), False)


def test_a_proof_that_nothing_completes_a_list_is_believed() -> None:
    judged = limit(build(), 19)
    search = find_ways(judged, WayKind.COMPLETE)
    assert search.answer is (Possibility.NO if is_solver_installed() else Possibility.UNKNOWN)
    assert search.ways == ()
