"""The units of a side at the table, of data that has more among its units than units."""

import pytest

from roster.models import Roster
from roster.play.models import Game, GameSide
from roster.play.services.game_units import load_table_list
from roster.services.changes import AddDetachment, AddUnit
from roster.services.edits import edit_roster
from roster.services.outcomes import SavedEdit
from roster.services.owners import Visitor
from roster.services.rosters import start_roster
from tests.catalogue.battlescribe_files import packed
from tests.catalogue.import_bytes import import_bytes
from tests.roster.allied_game import game_files

pytestmark = pytest.mark.django_db


def edit(roster: Roster, change: AddDetachment | AddUnit) -> SavedEdit:
    outcome = edit_roster(roster, roster.head, change)
    assert isinstance(outcome, SavedEdit), outcome
    return outcome


def play(files: dict[str, str | bytes], *entries: str, table: str = "") -> GameSide:
    version = import_bytes("ducks.zip", packed(files)).version
    assert version is not None
    roster = start_roster(Visitor(key="owner"), version, "pond", "Mill pond")
    assert isinstance(roster, Roster)
    flight = edit(roster, AddDetachment(entry="flight")).created[0]
    for entry in entries:
        edit(roster, AddUnit(node=flight, entry=entry))
    game = Game.objects.create(name="Game", version=version, owner_key="owner", table=table)
    return GameSide(game=game, place=0, version=version, faction_id="pond", document=roster.document)


def test_a_reference_is_no_unit() -> None:
    files = game_files()
    pond = str(files["pond.cat"])
    duck = pond[pond.index("<selectionEntry ") : pond.index("</selectionEntries>")]
    reference = duck.replace("duck", "calls").replace("Duck", "Calls of ducks").replace('type="unit"', 'type="upgrade"')
    calls = """<profiles><profile id="call" name="Call" hidden="false" typeId="call-type" typeName="Call">
      <characteristics><characteristic name="Sound" typeId="sound">Quack</characteristic></characteristics></profile>
      </profiles>"""
    types = """<profileTypes><profileType id="call-type" name="Call"><characteristicTypes>
      <characteristicType id="sound" name="Sound"/></characteristicTypes></profileType></profileTypes>"""
    reference = reference.replace("<categoryLinks>", f"{calls}<categoryLinks>", 1)
    files["ducks.gst"] = str(files["ducks.gst"]).replace("<forceEntries>", f"{types}<forceEntries>", 1)
    files["pond.cat"] = pond.replace("</selectionEntries>", f"{reference}</selectionEntries>")
    side = play(files, "duck", "calls")
    assert [unit.sheet.name for unit in load_table_list(side).units] == ["Duck"]


def write_winged_ducks() -> dict[str, str | bytes]:
    """Ducks with a profile, M and W, and a lore of the pond without one."""
    files = game_files()
    pond = str(files["pond.cat"])
    duck = pond[pond.index("<selectionEntry ") : pond.index("</selectionEntries>")]
    lore = duck.replace("duck", "lore").replace("Duck", "Lore of the pond")
    profile = """<profiles><profile id="wings" name="Duck" hidden="false" typeId="bird-type" typeName="Unit">
      <characteristics><characteristic name="M" typeId="m">6"</characteristic>
      <characteristic name="W" typeId="w">2</characteristic></characteristics></profile>
      </profiles>"""
    types = """<profileTypes><profileType id="bird-type" name="Unit"><characteristicTypes>
      <characteristicType id="m" name="M"/><characteristicType id="w" name="W"/>
      </characteristicTypes></profileType></profileTypes>"""
    winged = duck.replace("<categoryLinks>", f"{profile}<categoryLinks>", 1)
    files["ducks.gst"] = str(files["ducks.gst"]).replace("<forceEntries>", f"{types}<forceEntries>", 1)
    files["pond.cat"] = pond.replace(duck, f"{winged}{lore}")
    return files


def test_what_has_no_profile_among_units_that_have_one_is_no_unit() -> None:
    side = play(write_winged_ducks(), "lore", "duck")
    assert sorted(unit.sheet.name for unit in load_table_list(side).units) == ["Duck"]


def test_characteristics_that_units_spend_have_boxes() -> None:
    side = play(write_winged_ducks(), "duck", table="table: 1\nboxes: [W, M, Unknown, W]")
    (duck,) = load_table_list(side).units
    # M is no number.
    assert [(run.label, run.size) for run in duck.runs if run.beside] == [("W", 2)]
