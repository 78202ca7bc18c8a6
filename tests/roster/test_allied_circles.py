"""Evaluation of circular data and lists of several catalogues ends, reports what is undecided, and loses nothing."""

import pytest

from catalogue.definitions.rule_codes import RuleCode
from catalogue.models import PackVersion
from roster.engine.completion.solver import is_solver_installed
from roster.engine.tree import Force, copy_with, count_forces
from roster.models import Roster
from roster.services.board import build_board
from roster.services.board.allies import list_allied_factions
from roster.services.changes import AddDetachment, AddUnit
from roster.services.deeds import propose_deeds
from roster.services.edits import edit_roster
from roster.services.evaluation import evaluate_list, evaluate_roster
from roster.services.exchange import ImportedList, RosterFormat, export_list, read_list_file
from roster.services.outcomes import SavedEdit
from roster.services.outlooks import look_ahead
from roster.services.owners import Visitor
from roster.services.rosters import start_roster
from roster.services.ways import WayKind, find_ways
from tests.catalogue.battlescribe_files import packed
from tests.catalogue.import_bytes import import_bytes
from tests.roster.allied_game import SLOT, game_files

pytestmark = pytest.mark.django_db


def install(kinds: str) -> PackVersion:
    files = game_files()
    files["ducks.gst"] = str(files["ducks.gst"]).replace("<forceEntries>", f"<forceEntries>{kinds}", 1)
    version = import_bytes("ducks.zip", packed(files)).version
    assert version is not None
    return version


def start(version: PackVersion) -> Roster:
    started = start_roster(Visitor(key="owner"), version, "pond", "Mill pond")
    assert isinstance(started, Roster)
    return started


def add(roster: Roster, entry: str, catalogue: str = "", node: str = "") -> str:
    outcome = edit_roster(roster, roster.head, AddDetachment(entry=entry, catalogue=catalogue, node=node))
    assert isinstance(outcome, SavedEdit), outcome
    return outcome.created[0]


def ask_everything(roster: Roster) -> None:
    judged = evaluate_roster(roster)
    board = build_board(roster, judged)
    for row in board.detachments:
        list_allied_factions(roster, row.id)
    list_allied_factions(roster)
    propose_deeds(judged)
    if is_solver_installed():
        look_ahead(judged)
        for kind in WayKind:
            find_ways(judged, kind, seed=1)


FOREVER = f"""<forceEntry id="nest" name="Nest" hidden="false">{SLOT.format(id="nest")}
 <forceEntryLinks><forceEntryLink id="nest-again" name="Nest" targetId="nest" hidden="false"/></forceEntryLinks>
</forceEntry>"""
IN_TURN = f"""<forceEntry id="day" name="Day" hidden="false">{SLOT.format(id="day")}
 <forceEntryLinks><forceEntryLink id="to-night" name="Night" targetId="night" hidden="false"/></forceEntryLinks>
</forceEntry>
<forceEntry id="night" name="Night" hidden="false">{SLOT.format(id="night")}
 <forceEntryLinks><forceEntryLink id="to-day" name="Day" targetId="day" hidden="false"/></forceEntryLinks>
</forceEntry>"""


@pytest.mark.parametrize(("kinds", "entry"), [(FOREVER, "nest"), (IN_TURN, "day")])
def test_kinds_of_force_that_hold_each_other_without_end_are_read_and_offered(kinds: str, entry: str) -> None:
    roster = start(install(kinds))
    place = ""
    for catalogue in ("", "heath", "river"):
        if place:
            (row,) = (row for row in build_board(roster).detachments if row.id == place)
            if not row.inside:
                break
            entry = row.inside[0].entry_id
        place = add(roster, entry, catalogue, place)
        ask_everything(roster)
    assert count_forces(roster.tree) >= 1


def test_forces_that_hide_each_other_are_breaches_of_both() -> None:
    def hidden_beside(other: str) -> str:
        return f"""<modifiers><modifier type="set" field="hidden" value="true"><conditions>
          <condition type="atLeast" value="1" field="forces" scope="roster" childId="{other}" shared="true"/>
          </conditions></modifier></modifiers>"""

    kinds = "".join(
        f'<forceEntry id="{own}" name="{own.title()}" hidden="false">{hidden_beside(other)}'
        f"{SLOT.format(id=own)}</forceEntry>"
        for own, other in (("sun", "moon"), ("moon", "sun"))
    )
    roster = start(install(kinds))
    sun = add(roster, "sun")
    assert [force.entry_id for force in build_board(roster).forces if force.entry_id in ("sun", "moon")] == ["sun"]
    moon = add(roster, "moon", "heath")
    for place, unit in ((sun, "duck"), (moon, "grouse")):
        assert isinstance(edit_roster(roster, roster.head, AddUnit(node=place, entry=unit)), SavedEdit)
    broken = evaluate_roster(roster).report.violations
    assert [(one.code, one.on.id) for one in broken] == [(RuleCode.HIDDEN, sun), (RuleCode.HIDDEN, moon)]
    ask_everything(roster)


def test_a_kind_of_force_that_asks_for_one_that_asks_for_it_is_judged() -> None:
    asked = """<constraints><constraint id="{id}" type="min" value="1" field="forces" scope="roster" shared="true">
      </constraint></constraints>"""
    kinds = "".join(
        f"""<forceEntry id="{own}" name="{own.title()}" hidden="false">{asked.format(id=own + "-1")}
        {SLOT.format(id=own)}</forceEntry>"""
        for own in ("egg", "hen")
    )
    roster = start(install(kinds))
    missing = {one.counted for one in evaluate_roster(roster).report.violations}
    assert missing == {"Egg", "Hen"}
    ask_everything(roster)


def nest(force: Force, depth: int) -> Force:
    nested = force
    for number in range(depth):
        nested = copy_with(force, id=f"{force.id}{number}", forces=(nested,))
    return nested


@pytest.mark.parametrize("kind", [RosterFormat.JSON, RosterFormat.ROSZ])
def test_allies_of_allies_of_allies_are_judged_and_kept(kind: RosterFormat) -> None:
    version = install(FOREVER)
    roster = start(version)
    flock = add(roster, "flock")
    guests = add(roster, "guests", "heath", flock)
    strays = add(roster, "strays", "river", guests)
    for place, unit in ((flock, "duck"), (guests, "grouse"), (strays, "heron")):
        assert isinstance(edit_roster(roster, roster.head, AddUnit(node=place, entry=unit)), SavedEdit)
    ask_everything(roster)
    read = read_list_file(export_list(roster, kind))
    assert isinstance(read, ImportedList)
    (outer,) = read.evaluated_list.tree.forces
    catalogues = [outer.catalogue_id, outer.forces[0].catalogue_id, outer.forces[0].forces[0].catalogue_id]
    assert catalogues == ["pond", "heath", "river"]
    assert [cost.value for cost in read.evaluated_list.report.costs] == [55]


def test_forces_deeper_than_any_game_has_them_are_kept_and_judged_as_far_as_they_are_looked_at() -> None:
    version = install(FOREVER)
    roster = start(version)
    add(roster, "nest", "heath")
    tree = roster.tree
    deep = copy_with(tree, forces=(nest(copy_with(tree.forces[0], entry_id="unheard-of"), 90),))
    judged = evaluate_list(version, "pond", deep)
    assert {one.code for one in judged.report.violations} == {RuleCode.UNKNOWN_FORCE}
    assert count_forces(judged.tree) == 91
    propose_deeds(judged)
    if is_solver_installed():
        for kind in WayKind:
            find_ways(judged, kind, seed=1)
