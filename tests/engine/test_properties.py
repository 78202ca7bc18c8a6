"""Properties of all lists: judging is repeatable, order is irrelevant, edits can be undone."""

from collections import Counter

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from roster.engine import edits
from roster.engine.edits import EditedRoster
from roster.engine.evaluate import evaluate
from roster.engine.evaluation import Evaluation
from roster.engine.offers import list_offers
from roster.engine.report import Report
from roster.engine.tree import Force, Limit, RosterTree, Selection, copy_with, find_path
from tests.engine.games import WORKSHOP, counting_ids, done, game, started
from tests.engine.spec_reader import read_spec, spec_names

pytestmark = pytest.mark.slow

RULESET = game(WORKSHOP)
ENTRIES = [
    "captain",
    "squad",
    "trooper",
    "sergeant",
    "pistol",
    "l-sword",
    "axe",
    "l-shield",
    "guard",
    "secret",
    "general",
]
LASTING = {"maximum", "exactly", "hidden", "cost-limit"}
"""Codes of violations that no pick can mend, so offers must warn of them."""

steps = st.lists(st.tuples(st.integers(0, 20), st.sampled_from(ENTRIES), st.integers(0, 4)), max_size=12)


def built(choices: list[tuple[int, str, int]]) -> RosterTree:
    """Draw a roster made by edits: each takes an entry in a node or sets its number."""
    ids = counting_ids()
    roster, _ = started(RULESET, ids)
    for where, entry_id, number in choices:
        nodes = node_ids(roster)
        node_id = nodes[where % len(nodes)]
        edited = edits.select(RULESET, roster, node_id, entry_id, ids=ids)
        if number > 1 and isinstance(edited, EditedRoster):
            edited = edits.set_number(RULESET, edited.roster, edited.created[0], number)
        roster = edited.roster if isinstance(edited, EditedRoster) else roster
    return roster


def node_ids(roster: RosterTree) -> list[str]:
    pending: list[Force | Selection] = list(roster.forces)
    for node in pending:
        pending.extend(node.selections)
    return [node.id for node in pending]


def figures(report: Report) -> Counter[tuple[object, ...]]:
    """Return the violations, without which of several equal units is to blame."""
    return Counter(
        (v.code, v.on.kind, v.on.entry_id, v.owner_id, v.constraint_id, v.measured, v.allowed, len(v.cause))
        for v in report.violations
    )


@given(steps)
def test_judging_twice_gives_the_same(choices: list[tuple[int, str, int]]) -> None:
    roster = built(choices)
    assert evaluate(RULESET, roster) == evaluate(RULESET, roster)
    assert evaluate(RULESET, roster, tree=False).violations == evaluate(RULESET, roster).violations


@given(steps)
def test_a_roster_survives_json(choices: list[tuple[int, str, int]]) -> None:
    roster = built(choices)
    assert msgspec.json.decode(msgspec.json.encode(roster), type=RosterTree) == roster


@given(steps, st.randoms(use_true_random=False))
def test_order_never_changes_the_verdict(choices: list[tuple[int, str, int]], random: object) -> None:
    roster = built(choices)
    (force,) = roster.forces
    row = list(force.selections)
    random.shuffle(row)
    shuffled = copy_with(roster, forces=(copy_with(force, selections=tuple(row)),))
    before, after = evaluate(RULESET, roster), evaluate(RULESET, shuffled)
    assert figures(before) == figures(after)
    assert (before.verdict, before.costs) == (after.verdict, after.costs)


@given(steps, st.sampled_from(["captain", "squad", "guard", "secret"]))
def test_taking_and_removing_restores_the_verdict(choices: list[tuple[int, str, int]], entry_id: str) -> None:
    roster = built(choices)
    edited = done(edits.select(RULESET, roster, roster.forces[0].id, entry_id))
    restored = done(edits.remove_one(edited.roster, edited.created[0])).roster
    assert restored.forces == roster.forces
    assert evaluate(RULESET, restored, tree=False).violations == evaluate(RULESET, roster, tree=False).violations


@given(steps)
def test_no_edit_touches_the_old_roster(choices: list[tuple[int, str, int]]) -> None:
    roster = built(choices)
    document = msgspec.json.encode(roster)
    for node_id in node_ids(roster):
        edits.remove_one(roster, node_id)
        edits.duplicate_selection(RULESET, roster, node_id)
        edits.move(roster, node_id, 0)
    assert msgspec.json.encode(roster) == document


@given(steps, st.integers(0, 20))
def test_an_offer_comes_true_when_it_is_taken(choices: list[tuple[int, str, int]], where: int) -> None:
    roster = built(choices)
    nodes = node_ids(roster)
    inside = nodes[where % len(nodes)]
    before = evaluate(RULESET, roster, tree=False)
    options = list_offers(Evaluation(RULESET, roster), inside).options
    assert options or inside not in {force.id for force in roster.forces}
    for option in options:
        after = evaluate(RULESET, done(edits.select(RULESET, roster, inside, option.entry_id)).roster, tree=False)
        broken = lasting(after)
        if option.blocked is None:
            assert not broken - lasting(before), option.entry_id
        else:
            assert (option.blocked.code, option.blocked.owner_id, option.blocked.constraint_id) in broken
        added = {cost.type_id: cost.value for cost in option.costs if cost.value}
        assert added == spent(after, before), option.entry_id


def lasting(report: Report) -> Counter[tuple[str, str, str]]:
    return Counter((v.code, v.owner_id, v.constraint_id) for v in report.errors if v.code in LASTING)


def spent(after: Report, before: Report) -> dict[str, object]:
    old = {cost.type_id: cost.value for cost in before.costs}
    return {c.type_id: c.value - old.get(c.type_id, 0) for c in after.costs if c.value != old.get(c.type_id, 0)}


# ---- documents from anywhere -------------------------------------------------------------------------------------

ids = st.sampled_from(["", "::", "captain", "squad::", "l-sword::sword", "arms", "trooper", "nobody", "patrol", "army"])
selections = st.recursive(
    st.builds(Selection, id=ids, entry_id=ids, group_id=ids, number=st.integers(-3, 10**12)),
    lambda inner: st.builds(
        Selection, id=ids, entry_id=ids, number=st.integers(0, 9), selections=st.lists(inner, max_size=3).map(tuple)
    ),
    max_leaves=12,
)
forces = st.recursive(
    st.builds(Force, id=ids, entry_id=ids, catalogue_id=ids, selections=st.lists(selections, max_size=4).map(tuple)),
    lambda inner: st.builds(
        Force, id=ids, entry_id=ids, catalogue_id=ids, forces=st.lists(inner, max_size=2).map(tuple)
    ),
    max_leaves=4,
)
limits = st.builds(Limit, type_id=st.sampled_from(["pts", "gold", ""]), value=st.decimals(-10, 10**9, places=2))
rosters = st.builds(
    RosterTree,
    id=ids,
    limits=st.lists(limits, max_size=2).map(tuple),
    cost_types=st.lists(ids, max_size=3).map(tuple),
    forces=st.lists(forces, max_size=3).map(tuple),
)


@given(rosters, ids)
def test_any_document_is_judged_and_edited(roster: RosterTree, node_id: str) -> None:
    evaluate(RULESET, roster)
    list_offers(Evaluation(RULESET, roster), node_id)
    edits.select(RULESET, roster, node_id, "trooper")
    edits.remove_one(roster, node_id)
    edits.duplicate_force(RULESET, roster, node_id)
    edits.change_force(RULESET, roster, node_id, "patrol")


@given(rosters, st.sampled_from(spec_names()))
def test_any_document_is_judged_by_any_game(roster: RosterTree, name: str) -> None:
    evaluate(read_spec(name).ruleset, roster)


@pytest.mark.parametrize("depth", [150, 5000])
def test_a_document_however_deep_is_judged(depth: int) -> None:
    selection = Selection(id="s", entry_id="squad")
    force = Force(id="f", entry_id="patrol", catalogue_id="army")
    for _ in range(depth):
        selection = Selection(id="s", entry_id="squad", selections=(selection,))
        force = Force(id="f", entry_id="patrol", catalogue_id="army", forces=(force,))
    deep = copy_with(force, selections=(selection,))
    report = evaluate(RULESET, RosterTree(id="r", forces=(deep,)))
    assert report.forces
    assert find_path(RosterTree(id="r", forces=(deep,)), "nobody") == ()
