"""Forces of other catalogues: offered, added, judged, continued and stored."""

import zipfile
from pathlib import Path
from xml.etree import ElementTree

import pytest
from django.test import Client
from django.urls import reverse

from catalogue.definitions.rule_codes import RuleCode
from catalogue.models import PackVersion
from roster.engine.completion.solver import is_solver_installed
from roster.engine.report import OTHER_FACTIONS, Verdict
from roster.formats.list_document import Unreadable
from roster.models import Roster
from roster.services.board import build_board
from roster.services.board.allies import list_allied_factions, search_forces
from roster.services.changes import AddDetachment, AddUnit
from roster.services.edits import edit_roster
from roster.services.evaluation import encode_outlook, evaluate_list, evaluate_roster, forget_outlook, recall_outlook
from roster.services.exchange import ImportedList, RosterFormat, export_list, read_list_file
from roster.services.outcomes import Refused, SavedEdit
from roster.services.outlooks import look_ahead
from roster.services.owners import Visitor
from roster.services.pasted_lists import read_pasted_text
from roster.services.rosters import start_roster
from roster.services.upgrade_data import upgrade_list
from tests.catalogue.battlescribe_files import packed
from tests.catalogue.import_bytes import import_bytes
from tests.extent import sample
from tests.read_archives import import_archive
from tests.roster.allied_game import game_files, install
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
    """Return the forces offered at a place by the ids of their catalogues, each with whether it is free to take."""
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
    assert [(row.inside, row.holds_allies) for row in board.detachments] == [((), True)]
    assert board.has_allies


def test_a_force_of_another_catalogue_takes_that_catalogues_units_and_is_judged(roster: Roster, flock: str) -> None:
    guests = add(roster, "guests", "heath", flock)
    board = build_board(roster, into=guests)
    assert [unit.name for group in board.offered for unit in group.units] == ["Grouse", "Snipe"]
    assert [row.faction for row in board.detachments] == ["", "The Heath"]
    outcome = edit_roster(roster, roster.head, AddUnit(node=guests, entry="grouse"))
    assert isinstance(outcome, SavedEdit)
    assert (outcome.evaluated_list.points and outcome.evaluated_list.points.value, outcome.evaluated_list.verdict) == (
        15,
        Verdict.LEGAL,
    )
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
    """A player at the builder without script."""

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
    (flock,) = read.evaluated_list.tree.forces
    (guests,) = flock.forces
    assert (guests.catalogue_id, guests.entry_id, [unit.name for unit in guests.selections]) == (
        "heath",
        "guests",
        ["Grouse"],
    )
    assert read.evaluated_list.verdict is Verdict.LEGAL


@pytest.mark.parametrize("kind", FILES)
def test_a_force_whose_catalogue_is_gone_is_named_and_kept(roster: Roster, kind: RosterFormat) -> None:
    build_with_guests(roster)
    before = roster.tree
    roster = Roster.objects.get()
    moved = upgrade_list(roster, roster.head, install(without="heath"))
    assert isinstance(moved, SavedEdit)
    assert [v.code for v in moved.evaluated_list.report.violations] == [RuleCode.UNKNOWN_FORCE]
    assert moved.roster.tree.forces == before.forces
    board = build_board(moved.roster)
    assert [row.holds_allies for row in board.detachments] == [False, False]
    (flock, guests) = board.detachments
    assert list_allied_factions(moved.roster, guests.id) == ()
    assert list_allied_factions(moved.roster, flock.id) == ()

    read = read_list_file(export_list(moved.roster, kind))
    assert isinstance(read, ImportedList)
    (inner,) = read.evaluated_list.tree.forces[0].forces
    assert (inner.entry_id, inner.catalogue_id) == ("guests", "heath")
    assert [unit.entry_id for unit in inner.selections] == ["grouse"]
    # Files of other programs name no version: the version with all of their catalogues is taken.
    gone = [RuleCode.UNKNOWN_FORCE] if kind in (RosterFormat.YAML, RosterFormat.JSON) else []
    assert [v.code for v in read.evaluated_list.report.violations] == gone


def test_a_document_written_by_hand_names_the_faction_that_there_is_not() -> None:
    install()
    text = b"list: 1\ngame: ducks-and-drakes\nfaction: pond\ndetachments: [{detachment: flight, catalogue: heth}]\n"
    unread = read_list_file(text)
    assert isinstance(unread, Unreadable)
    assert (unread.code, "heath" in unread.suggestions) == ("unknown-faction", True)


@pytest.mark.parametrize("named", ["heath", "The Heath", "the-heath"])
def test_a_document_names_the_faction_of_a_force(named: str) -> None:
    install()
    text = (
        f"list: 1\ngame: ducks-and-drakes\nfaction: pond\ndetachments: [{{detachment: flight, catalogue: {named}}}]\n"
    )
    read = read_list_file(text.encode())
    assert isinstance(read, ImportedList)
    assert [force.catalogue_id for force in read.evaluated_list.tree.forces] == ["heath"]


# ---- programs --------------------------------------------------------------------------------------------------------


def test_programs_ask_which_forces_of_other_factions_there_are(roster: Roster, flock: str) -> None:
    address = reverse("roster_api:roster-allies", args=[roster.link_id])
    client = Client()
    inside = client.get(address, {"node": flock}).json()
    assert inside == [
        {
            "catalogue": "heath",
            "name": "The Heath",
            "detachments": [{"detachment": "guests", "name": "Guests", "costs": [], "free": True, "reason": ""}],
        }
    ]
    (heath,) = client.get(address, {"q": "heath flock"}).json()
    assert [(one["detachment"], one["free"], bool(one["reason"])) for one in heath["detachments"]] == [
        ("flock", False, True)
    ]
    assert client.get(address, {"node": "nothing"}).json() == []


# ---- pasted texts ----------------------------------------------------------------------------------------------------


def read_forces(text: str) -> list[tuple[str, str, list[str], list[tuple[str, str, list[str]]]]]:
    """Return a pasted list's forces with inner forces: entry, catalogue and names of units."""
    install()
    (one,) = read_pasted_text(text, game="ducks-and-drakes")
    assert one.checked is not None
    return [
        (
            force.entry_id,
            force.catalogue_id,
            [unit.name for unit in force.selections],
            [(inner.entry_id, inner.catalogue_id, [unit.name for unit in inner.selections]) for inner in force.forces],
        )
        for force in one.checked.evaluated_list.tree.forces
    ]


OLD_WORLD = """===
Mill pond [40 pts]
Ducks and Drakes, The Pond, Flock
===

++ Birds [25 pts] ++

Duck [10 pts]

++ Guests [15 pts] ++

{faction}Grouse [15 pts]

---
Created with "Old World Builder"
"""


@pytest.mark.parametrize("faction", ["++ The Heath [15 pts] ++\n\n", ""], ids=["named", "unnamed"])
def test_a_heading_of_allies_is_a_force_of_their_faction(faction: str) -> None:
    forces = read_forces(OLD_WORLD.format(faction=faction))
    assert forces == [("flock", "pond", ["Duck"], [("guests", "heath", ["Grouse"])])]


def test_a_faction_as_a_heading_holds_forces_by_their_names() -> None:
    text = """Mill pond 25/40 pts
-----
The Pond | Old reeds
Flock
Drops: 2
-----
Birds
Duck (10)
-----
The Heath
Guests (15)
Snipe (5)
-----
Created with Warhammer Age of Sigmar: The App
"""
    assert read_forces(text) == [("flock", "pond", ["Duck"], [("guests", "heath", ["Snipe"])])]


# ---- look-ahead ------------------------------------------------------------------------------------------------------

SLOT = '<categoryLink id="flight-slot" name="Bird" targetId="bird" hidden="false"/>'
DEMANDING_SLOT = """<categoryLink id="flight-slot" name="Bird" targetId="bird" hidden="false"><constraints>
  <constraint id="flight-3" type="min" value="3" field="selections" scope="parent" shared="true"/>
 </constraints></categoryLink>"""


@pytest.mark.skipif(not is_solver_installed(), reason="no solver is installed")
def test_looking_ahead_says_that_it_tried_the_lists_own_factions_alone() -> None:
    files = game_files()
    system = str(files["ducks.gst"])
    assert SLOT in system
    files["ducks.gst"] = system.replace(SLOT, DEMANDING_SLOT)
    version = import_bytes("ducks.zip", packed(files)).version
    assert version is not None
    text = """list: 1
game: ducks-and-drakes
faction: pond
limits: {pts: 20}
detachments: [{detachment: flight, units: [duck]}]
"""
    read = read_list_file(text.encode())
    assert isinstance(read, ImportedList)
    lost = look_ahead(read.evaluated_list).evaluated_list
    assert RuleCode.NO_COMPLETION in [violation.code for violation in lost.report.violations]
    assert [note.code for note in lost.report.unchecked] == [OTHER_FACTIONS]

    # The note is repeated for a stored list, whatever was found before.
    recalled = recall_outlook(evaluate_list(version, "pond", read.evaluated_list.tree), encode_outlook(lost))
    assert [note.code for note in recalled.report.unchecked] == [OTHER_FACTIONS]
    assert forget_outlook(recalled).report.unchecked == ()

    read = read_list_file(text.replace("20", "40").encode())
    assert isinstance(read, ImportedList)
    assert look_ahead(read.evaluated_list).evaluated_list.report.unchecked == ()


# ---- the data of real games ------------------------------------------------------------------------------------------


def start_shared(folder: Path, archive: str, faction: str, kind: str) -> tuple[Roster, str]:
    """Start a list of a shared game with one detachment; return both."""
    version = import_archive(folder / "bsdata" / f"{archive}.zip").version
    assert version is not None
    row = next(row for row in version.factions.all() if row.heading == faction)
    roster = start_roster(Visitor(key="owner"), version, row.faction_id, "A list", {version.points_id: 2000})
    assert isinstance(roster, Roster)
    return roster, add(roster, next(force.entry_id for force in build_board(roster).forces if kind in force.name))


RENOWN = "1ed8-2e23-1563-c119"


def read_renown(archive: Path, faction_id: str, handbook: str) -> set[str]:
    """Return the names of the forces in the XML that a faction's handbook force shows, if they are in RENOWN."""
    with zipfile.ZipFile(archive) as packed:
        system = ElementTree.fromstring(packed.read("Age of Sigmar 4.0.gst"))
    name_space = "{" + system.tag[1:].partition("}")[0] + "}"
    kinds = {kind.get("id"): kind for kind in system.iter(f"{name_space}forceEntry")}
    (outer,) = (kind for kind in kinds.values() if handbook in kind.get("name", ""))
    named = set()
    for link in outer.iter(f"{name_space}forceEntryLink"):
        kind = kinds[link.get("targetId")]
        asked = {(one.get("scope"), one.get("childId")) for one in kind.iter(f"{name_space}condition")}
        if {("parent", faction_id), ("primary-catalogue", RENOWN)} <= asked:
            named.add(kind.get("name", ""))
    return named


@pytest.mark.parametrize("faction", sample(["Cities of Sigmar", "Skaven", "Nighthaunt"], 1))
def test_regiments_of_renown_are_those_that_the_data_shows_for_a_faction(shared: Path, faction: str) -> None:
    roster, handbook = start_shared(shared, "age-of-sigmar-4th", faction, "2026-27")
    right = read_renown(shared / "bsdata" / "age-of-sigmar-4th.zip", roster.faction_id, "2026-27")
    (renown,) = list_allied_factions(roster, handbook)
    assert (renown.catalogue_id, {force.name for force in renown.forces}) == (RENOWN, right)
    assert right
    # The first one can be taken with its automatic units, but not twice if the data limits it.
    add(roster, renown.forces[0].entry_id, RENOWN, handbook)
    inner = evaluate_roster(roster).report.forces[0].forces[0]
    assert inner.selections


def test_old_world_allies_are_of_the_factions_that_the_data_allows(shared: Path) -> None:
    roster, army = start_shared(shared, "the-old-world", "Tomb Kings of Khemri", "2. Combined Arms")
    allowed = {"eaaf-1e11-a32d-ab11", "bb5-4152-4695-83a5", "c997-9d47-72ad-c5f1", "708f-d597-bd5f-a586"}
    offers = list_allied_factions(roster, army)
    assert allowed < {faction.catalogue_id for faction in offers}
    assert {force.name for faction in offers for force in faction.forces} == {"Allies"}
    add(roster, offers[0].forces[0].entry_id, offers[0].catalogue_id, army)
    # A single one, of any faction.
    assert not any(faction.open_forces for faction in list_allied_factions(roster, army))


def test_an_allied_detachment_of_another_legion_holds_what_that_legion_has(shared: Path) -> None:
    roster, _crusade = start_shared(shared, "horus-heresy-3rd-2025-11", "Sons of Horus", "Crusade")
    (allied,) = search_forces(list_allied_factions(roster), "world eaters allied detachment")
    outer = add(roster, allied.forces[0].entry_id, allied.catalogue_id)
    (row,) = (row for row in build_board(roster).detachments if row.id == outer)
    assert row.faction == "World Eaters"
    assert "Allied Detachment" in [force.name.strip() for force in row.inside]


# ---- links of the page -----------------------------------------------------------------------------------------------


def test_the_page_leads_to_other_factions_only_where_the_data_may_show_some(roster: Roster, flock: str) -> None:
    guests = add(roster, "guests", "heath", flock)
    strays = add(roster, "strays", "river", guests)
    flight = add(roster, "flight")
    board = build_board(roster)
    assert {row.id: row.holds_allies for row in board.detachments} == {
        flock: True,
        guests: True,
        strays: False,
        flight: False,
    }
    # Only the Pond has guests.
    other = add(roster, "flock", "heath")
    assert {row.id: row.holds_allies for row in build_board(roster).detachments}[other] is False


def test_no_page_leads_to_other_factions_if_none_is_shown_at_the_top() -> None:
    files = game_files()
    own = """<modifiers><modifier type="set" field="hidden" value="false"><conditions>
      <condition type="instanceOf" value="1" field="selections" scope="primary-catalogue" childId="pond" shared="true"/>
      </conditions></modifier></modifiers>"""
    system = str(files["ducks.gst"])
    for kind in ("flock", "flight"):
        shown = f'<forceEntry id="{kind}" name="{kind.title()}" hidden="false">'
        assert shown in system
        system = system.replace(shown, shown.replace("false", "true") + own)
    files["ducks.gst"] = system
    version = import_bytes("ducks.zip", packed(files)).version
    # The River has its own kind of force, defined in its catalogue.
    assert build_board(start(version)).has_allies
    del files["river.cat"]
    version = import_bytes("ducks.zip", packed(files)).version
    board = build_board(start(version))
    assert (board.has_allies, [force.entry_id for force in board.forces]) == (False, ["flock", "flight"])
    assert list_allied_factions(start(version)) == ()
