"""Forces of other catalogues: offered as the data allows, added, judged, continued and kept."""

import pytest
from django.test import Client
from django.urls import reverse

from catalogue.models import PackVersion
from roster.engine.report import Verdict
from roster.models import Roster
from roster.services.board import build_board
from roster.services.board.allies import list_allied_factions, search_forces
from roster.services.changes import AddDetachment, AddUnit
from roster.services.edits import edit_roster
from roster.services.evaluation import evaluate_roster
from roster.services.exchange import ImportedList, RosterFormat, export_list, read_list_file
from roster.services.outcomes import Refused, SavedEdit
from roster.services.owners import Visitor
from roster.services.rosters import start_roster
from tests.roster.allied_game import install
from tests.roster.small_game import installed

pytestmark = pytest.mark.django_db


def start(version: PackVersion | None = None) -> Roster:
    made = start_roster(Visitor(key="owner"), version or install(), "pond", "Mill pond")
    assert isinstance(made, Roster)
    return made


def add(roster: Roster, entry: str, catalogue: str = "", node: str = "") -> str:
    outcome = edit_roster(roster, roster.head, AddDetachment(entry=entry, catalogue=catalogue, node=node))
    assert isinstance(outcome, SavedEdit), outcome
    return outcome.created[0]


def offered(roster: Roster, node: str = "") -> dict[str, list[tuple[str, bool]]]:
    """The forces offered at a place, and whether each is free to take, by the ids of their catalogues."""
    return {
        faction.catalogue_id: [(force.entry_id, force.blocked is None) for force in faction.forces]
        for faction in list_allied_factions(roster, node)
    }


@pytest.fixture
def roster() -> Roster:
    return start()


@pytest.fixture
def flock(roster: Roster) -> str:
    return add(roster, "flock")


def test_every_faction_but_no_library_offers_its_forces_at_the_top(roster: Roster) -> None:
    assert offered(roster) == {
        "heath": [("flock", True), ("flight", True)],
        "river": [("shoal", True), ("flock", True), ("flight", True)],
    }


def test_limits_on_forces_count_those_of_all_catalogues(roster: Roster, flock: str) -> None:
    assert offered(roster)["heath"] == [("flock", False), ("flight", True)]


def test_what_the_data_hides_for_a_catalogue_is_not_offered(roster: Roster, flock: str) -> None:
    assert offered(roster, flock) == {"heath": [("guests", True)]}
    board = build_board(roster)
    assert [(row.inside, row.holds_forces) for row in board.detachments] == [((), True)]
    assert board.has_allies


def test_a_force_of_another_catalogue_takes_that_catalogues_units_and_is_judged(roster: Roster, flock: str) -> None:
    guests = add(roster, "guests", "heath", flock)
    board = build_board(roster, into=guests)
    assert [unit.name for group in board.offered for unit in group.units] == ["Grouse", "Snipe"]
    assert [row.faction for row in board.detachments] == ["", "The Heath"]
    outcome = edit_roster(roster, roster.head, AddUnit(node=guests, entry="grouse"))
    assert isinstance(outcome, SavedEdit)
    assert (outcome.judged.points and outcome.judged.points.value, outcome.judged.verdict) == (15, Verdict.LEGAL)
    assert offered(roster, flock) == {"heath": [("guests", False)]}


def test_one_force_too_many_of_another_catalogue_is_a_breach(roster: Roster, flock: str) -> None:
    add(roster, "flock", "heath")
    broken = evaluate_roster(roster).report.violations
    assert {(violation.measured, violation.allowed) for violation in broken} == {(2, 1)}


def test_allies_of_allies_are_offered_by_the_force_around_them(roster: Roster, flock: str) -> None:
    guests = add(roster, "guests", "heath", flock)
    assert offered(roster, guests) == {"pond": [("strays", True)], "river": [("strays", True)]}
    strays = add(roster, "strays", "river", guests)
    assert offered(roster, strays) == {}
    board = build_board(roster, into=strays)
    assert [unit.name for group in board.offered for unit in group.units] == ["Heron"]


def test_a_search_looks_for_faction_and_force(roster: Roster) -> None:
    factions = list_allied_factions(roster)

    def find(text: str) -> list[tuple[str, list[str]]]:
        return [(f.catalogue_id, [force.entry_id for force in f.forces]) for f in search_forces(factions, text)]

    assert find("shoal") == [("river", ["shoal"])]
    assert find("HEATH fl") == [("heath", ["flock", "flight"])]
    assert find("owl") == []


@pytest.mark.parametrize("node", ["nothing", "../..", "x" * 500])
def test_a_place_that_is_not_in_the_list_offers_nothing(roster: Roster, node: str) -> None:
    assert list_allied_factions(roster, node) == ()


def test_a_unit_is_no_place_for_forces(roster: Roster, flock: str) -> None:
    outcome = edit_roster(roster, roster.head, AddUnit(node=flock, entry="duck"))
    assert isinstance(outcome, SavedEdit)
    assert list_allied_factions(roster, outcome.created[0]) == ()


def test_packs_say_themselves_what_a_list_may_take_from_elsewhere() -> None:
    roster = start_roster(Visitor(key="owner"), installed(), "marsh", "Low water")
    assert isinstance(roster, Roster)
    assert list_allied_factions(roster) == ()
    assert not build_board(roster).has_allies


def test_an_unknown_catalogue_is_refused_and_nothing_changes(roster: Roster, flock: str) -> None:
    before = roster.document
    change = AddDetachment(entry="guests", catalogue="moor", node=flock)
    assert edit_roster(roster, roster.head, change) == Refused(code="unknown-catalogue", subject_id="moor")
    assert roster.document == before


# ---- pages -----------------------------------------------------------------------------------------------------------


class Player:
    """Somebody at the builder, without script."""

    def __init__(self) -> None:
        install()
        self.client = Client()
        fields = {"game": "ducks-and-drakes", "faction": "pond", "name": "Mill pond"}
        answer = self.client.post(reverse("roster:new"), fields)
        assert answer.status_code == 303, answer.content
        self.address = answer["Location"]

    @property
    def roster(self) -> Roster:
        return Roster.objects.get()

    def look(self, **query: str) -> str:
        answer = self.client.get(self.address + "allies/", query)
        assert answer.status_code == 200
        return answer.content.decode()

    def do(self, **fields: str) -> str:
        answer = self.client.post(self.address + "edits/", {"revision": str(self.roster.head), **fields})
        assert answer.status_code == 303, answer.content.decode()
        return self.client.get(answer["Location"].partition("#")[0]).content.decode()


def test_the_page_leads_from_faction_to_force_without_script() -> None:
    player = Player()
    page = player.do(do="add-detachment", entry="flock")
    flock = player.roster.tree.forces[0].id
    assert f'allies/?node={flock}"' in page
    factions = player.look(node=flock)
    assert "faction=heath" in factions
    assert "faction=river" not in factions
    forces = player.look(node=flock, faction="heath")
    assert ('value="guests"' in forces, 'name="catalogue"' in forces, 'value="heath"' in forces) == (True, True, True)
    page = player.do(do="add-detachment", entry="guests", catalogue="heath", node=flock)
    assert "The Heath" in page
    assert "Grouse" in page
    assert "disabled" in player.look(node=flock, faction="heath").partition('value="guests"')[2].partition(">")[0]


def test_a_search_shows_forces_at_once() -> None:
    player = Player()
    player.do(do="add-detachment", entry="flight")
    found = player.look(q="shoal")
    assert 'value="shoal"' in found
    assert 'value="flock"' not in found
    assert 'name="entry"' not in player.look(q="zzz")


def test_a_fragment_is_answered_to_script_and_an_edit_holds_no_other_faction() -> None:
    player = Player()
    player.do(do="add-detachment", entry="flight")
    fragment = player.client.get(player.address + "allies/", headers={"HX-Request": "true"}).content.decode()
    assert "<html" not in fragment
    assert "faction=heath" in fragment
    flight = player.roster.tree.forces[0].id
    fields = {"revision": str(player.roster.head), "do": "add-unit", "node": flight, "entry": "duck"}
    answer = player.client.post(player.address + "edits/", fields, headers={"HX-Request": "true"})
    assert "Heath" not in answer.content.decode()


def test_nobody_else_sees_what_a_list_may_take() -> None:
    player = Player()
    assert Client().get(player.address + "allies/").status_code == 404


# ---- files, and data that goes ---------------------------------------------------------------------------------------


def build_with_guests(roster: Roster) -> Roster:
    flock = add(roster, "flock")
    guests = add(roster, "guests", "heath", flock)
    assert isinstance(edit_roster(roster, roster.head, AddUnit(node=guests, entry="grouse")), SavedEdit)
    return roster


FILES = [kind for kind in RosterFormat if kind not in (RosterFormat.TEXT, RosterFormat.TABLE)]


@pytest.mark.parametrize("kind", FILES)
def test_every_file_brings_a_force_of_another_catalogue_back(roster: Roster, kind: RosterFormat) -> None:
    build_with_guests(roster)
    read = read_list_file(export_list(roster, kind))
    assert isinstance(read, ImportedList)
    (flock,) = read.judged.tree.forces
    (guests,) = flock.forces
    assert (guests.catalogue_id, guests.entry_id, [unit.name for unit in guests.selections]) == (
        "heath",
        "guests",
        ["Grouse"],
    )
    assert read.judged.verdict is Verdict.LEGAL
