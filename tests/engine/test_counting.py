"""Queries answer from indexes what a walk through the list counts."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catalogue.definitions.queries import Query
from roster.engine import edits
from roster.engine.edits import EditedRoster
from roster.engine.evaluation import Evaluation
from roster.engine.tree import Force, RosterTree, Selection
from tests.engine.games import counting_ids, done, started
from tests.engine.plain_count import RULESET, everything, forces_of, recounted
from tests.extent import QUICK

TAKEN = ["boat", "l-pilot", "l-crew", "l-arm", "l-gun", "rope", "lamp", "horn"]
SCOPES = [
    "self",
    "parent",
    "force",
    "roster",
    "ancestor",
    "primary-category",
    "patrol",
    "big",
    "boat",
    "crew",
    "l-crew",
]
COUNTED = [*TAKEN, "any", "unit", "model", "upgrade", "big", "loud", "crew", "gun", "box", "deck", "stern", "l-box"]
COMPOSITE = ["l-crew::crew", "l-crew::l-arm::gun", "l-pilot::l-box::l-gun::gun", "l-crew::l-box::box"]


START = [(0, "boat", 1), (3, "l-crew", 2), (1, "boat", 1), (2, "l-pilot", 2), (4, "l-arm", 2), (5, "l-gun", 3)]
further = st.lists(st.tuples(st.integers(0, 20), st.sampled_from(TAKEN), st.integers(1, 3)), max_size=12)
flags = st.tuples(st.booleans(), st.booleans(), st.booleans())


def built(choices: list[tuple[int, str, int]]) -> RosterTree:
    ids = counting_ids()
    roster, first = started(RULESET, ids)
    roster = done(edits.add_force(RULESET, roster, "wing", "army", first, ids=ids)).roster
    roster = done(edits.add_force(RULESET, roster, "patrol", "army", ids=ids)).roster
    for where, entry_id, number in choices:
        nodes = [*forces_of(roster.forces), *(seen.selection for seen in everything(roster))]
        edited = edits.select(RULESET, roster, nodes[where % len(nodes)].id, entry_id, ids=ids)
        if isinstance(edited, EditedRoster):
            edited = edits.set_number(RULESET, edited.roster, edited.created[0], number)
        roster = edited.roster if isinstance(edited, EditedRoster) else roster
    return roster


@settings(max_examples=10 if QUICK else 40)
@given(further, st.sampled_from(["selections", "pts"]), flags)
def test_counting_again_gives_the_same(
    choices: list[tuple[int, str, int]], field: str, told: tuple[bool, bool, bool]
) -> None:
    roster = built([*START, *choices])
    evaluation = Evaluation(RULESET, roster)
    shared, deep, nested = told
    chosen = list(everything(roster))
    assert chosen
    for scope, child_id in product(SCOPES, [*COUNTED, *COMPOSITE]):
        query = Query(field, scope, child_id, shared, deep, nested)
        for seen in chosen:
            node = evaluation.find_container(seen.selection.id)
            assert node is not None
            assert evaluation.queries.compute_amount(query, node) == recounted(query, seen, roster), (
                seen.selection,
                query,
            )


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        (Query(scope="roster", child_id="gun", deep=True), 12),
        (Query(scope="roster", child_id="gun", deep=True, shared=False), 0),
        (Query(scope="roster", child_id="l-crew::l-arm::gun", deep=True, shared=False), 12),
        (Query(scope="boat", child_id="crew"), 3),
        (Query(scope="parent", child_id="gun"), 4),
        (Query(scope="force", field="pts", child_id="any", deep=True), 72),
        (Query(scope="force", field="pts", child_id="any"), 72),
        (Query(scope="force", field="pts", child_id="crew", deep=True), 42),
        (Query(scope="force", field="pts", child_id="gun", deep=True), 30),
        (Query(scope="force", field="pts", child_id="crew"), 0),
    ],
)
def test_plain_counting_is_right(query: Query, expected: int) -> None:
    gun = Selection(id="g", entry_id="l-crew::l-arm::gun", number=4)
    crew = Selection(id="c", entry_id="l-crew::crew", number=3, selections=(gun,))
    boat = Selection(id="b", entry_id="boat", selections=(crew,))
    roster = RosterTree(id="r", forces=(Force(id="f", entry_id="patrol", catalogue_id="army", selections=(boat,)),))
    seen = next(s for s in everything(roster) if s.selection is gun)
    assert recounted(query, seen, roster) == expected
