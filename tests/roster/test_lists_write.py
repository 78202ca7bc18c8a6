"""Writing a list and reading it again gives the same list, except for ids."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalogue.graph.ruleset import Ruleset
from roster.engine import edits
from roster.engine.edits import EditedRoster
from roster.engine.tree import OUTSIDE, Force, RosterTree, Selection, copy_with
from roster.formats.list_document import (
    BuiltList,
    ListDocument,
    Media,
    build_document,
    build_list,
    format_json,
    format_yaml,
    read_list,
)
from tests.roster.small_game import compiled

RULESET: Ruleset = compiled()
NAMES = st.text(max_size=20).filter(lambda text: text.isprintable() and text == " ".join(text.split()))
ENTRIES = ("warden", "cutters", "crew", "giants")
INSIDE = ("lamp", "sabre", "pistol", "old-relic", "cutter", "nets", "sickles", "sailor", "hook")


def without_ids(value: Any) -> Any:
    if isinstance(value, tuple):
        return [without_ids(item) for item in value]
    if isinstance(value, RosterTree | Force) or hasattr(value, "__struct_fields__"):
        return {f: without_ids(getattr(value, f)) for f in value.__struct_fields__ if f != "id"}
    return value


@st.composite
def rosters(draw: st.DrawFn) -> RosterTree:
    roster = edits.create_roster(
        RULESET, draw(NAMES), limits=draw(st.sampled_from([{}, {"points": 70}, {"rations": 3}]))
    ).roster
    nodes: list[str] = []

    def do(outcome: Any) -> None:
        nonlocal roster
        if isinstance(outcome, EditedRoster):
            roster = outcome.roster
            nodes.extend(outcome.created)

    for _ in range(draw(st.integers(0, 2))):
        do(edits.add_force(RULESET, roster, "column", draw(st.sampled_from(["marsh", "weir"]))))
    for act, entry, number in draw(
        st.lists(st.tuples(st.integers(0, 5), st.sampled_from(ENTRIES + INSIDE), st.integers(0, 9)), max_size=12)
    ):
        if not nodes:
            break
        node = nodes[number % len(nodes)]
        if act < 3:
            do(edits.select(RULESET, roster, node, entry))
        elif act == 3:
            do(edits.set_number(RULESET, roster, node, number))
        elif act == 4:
            do(edits.set_texts(roster, node, custom_name=draw(NAMES), notes=draw(NAMES)))
        else:
            do(edits.add_force(RULESET, roster, "escort", "marsh", node))
    return roster


@given(rosters(), st.sampled_from([Media.JSON, Media.YAML]))
def test_the_round_trip_is_identity(roster: RosterTree, media: Media) -> None:
    document = build_document(RULESET, roster, game="fenland", faction_id="marsh")
    data = format_json(document) if media is Media.JSON else format_yaml(document)
    read = read_list(data, media)
    assert isinstance(read, ListDocument), read
    built = build_list(RULESET, read, "marsh")
    assert isinstance(built, BuiltList), built
    again = built.roster
    # A roster also remembers former cost types and their order, which a document does not.
    written = copy_with(roster, cost_types=(), faction="marsh")
    assert without_ids(copy_with(again, cost_types=())) == without_ids(written)
    assert build_document(RULESET, again, game="fenland", faction_id="marsh") == document


def test_a_document_says_no_more_than_needed() -> None:
    roster = edits.create_roster(RULESET, "Low water").roster
    added = edits.add_force(RULESET, roster, "column", "marsh")
    assert isinstance(added, EditedRoster)
    taken = edits.select(RULESET, added.roster, added.created[0], "giants")
    assert isinstance(taken, EditedRoster)
    assert build_document(RULESET, taken.roster, game="fenland", faction_id="marsh") == {
        "list": 1,
        "game": "fenland",
        "faction": "marsh",
        "name": "Low water",
        "exact": True,
        "limits": {"points": 100},
        "detachments": [{"detachment": "column", "units": ["giants"]}],
    }


def test_what_only_lists_from_elsewhere_have_is_kept() -> None:
    text = """\
list: 1
game: fenland
faction: marsh
exact: true
unshown: [options]
detachments:
- detachment: column
  units: [{unit: warden, leads: yes}, giants]
- detachment: none
  units: [giants]
"""
    for exact in (text, text.replace("exact: true\n", "")):
        read = read_list(exact.encode(), Media.YAML)
        assert isinstance(read, ListDocument), read
        built = build_list(RULESET, read, "marsh")
        assert isinstance(built, BuiltList), built
        roster = built.roster
        column, outside = roster.forces
        assert column.leader_id == column.selections[0].id
        assert (outside.entry_id, len(outside.selections)) == (OUTSIDE, 1)
        document = build_document(RULESET, roster, game="fenland", faction_id="marsh")
        assert document["unshown"] == ["options"]
        assert document["detachments"][0]["units"][0]["leads"] is True
        assert document["detachments"][1] == {"detachment": "none", "units": ["giants"]}


@pytest.mark.parametrize("exact", ["", "exact: true\n"])
def test_several_that_are_declared_to_lead_stay_so(exact: str) -> None:
    text = f"""\
list: 1
game: fenland
faction: marsh
{exact}detachments:
- detachment: column
  units: [{{unit: warden, leads: yes}}, giants, {{unit: warden, leads: yes}}]
"""
    read = read_list(text.encode(), Media.YAML)
    assert isinstance(read, ListDocument), read
    built = build_list(RULESET, read, "marsh")
    assert isinstance(built, BuiltList), built
    column = built.roster.forces[0]
    wardens = tuple(s.id for s in column.selections if s.entry_id == "warden")
    assert column.leading == wardens
    document = build_document(RULESET, built.roster, game="fenland", faction_id="marsh")
    leads = [unit for unit in document["detachments"][0]["units"] if isinstance(unit, dict) and "leads" in unit]
    assert len(leads) == len(wardens) == 2


def test_a_copied_detachment_is_led_by_the_copy() -> None:
    roster = RosterTree(
        id="r",
        forces=(
            Force(
                id="f",
                entry_id="column",
                catalogue_id="marsh",
                leader_id="s",
                also_leading=("t",),
                selections=(Selection(id="s", entry_id="warden"), Selection(id="t", entry_id="warden")),
            ),
        ),
    )
    copied = edits.duplicate_force(RULESET, roster, "f")
    assert isinstance(copied, EditedRoster)
    copy = copied.roster.forces[1]
    assert copy.leading == tuple(selection.id for selection in copy.selections) != ("s", "t")


def test_declaring_a_leader() -> None:
    roster = RosterTree(
        id="r",
        forces=(
            Force(id="f", entry_id="column", catalogue_id="marsh", selections=(Selection(id="s", entry_id="warden"),)),
        ),
    )
    declared = edits.declare_leader(roster, "f", "s")
    assert isinstance(declared, EditedRoster)
    assert declared.roster.forces[0].leader_id == "s"
    lifted = edits.declare_leader(declared.roster, "f", "")
    assert isinstance(lifted, EditedRoster)
    assert lifted.roster == roster
    assert edits.declare_leader(declared.roster, "f", "s") == declared
    for force_id, selection_id in (("f", "t"), ("g", "s"), ("s", "s")):
        assert edits.declare_leader(roster, force_id, selection_id).code == "unknown-node"
