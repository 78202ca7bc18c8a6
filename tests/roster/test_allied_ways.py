"""Complete, fill and repair lists with forces of other catalogues; report what only an ally can mend."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from catalogue.definitions.rule_codes import RuleCode
from catalogue.models import PackVersion
from roster.engine.completion.solver import Possibility, is_solver_installed
from roster.engine.report import Verdict
from roster.models import Roster
from roster.services.changes import AddDetachment, AddUnit, Change, RemoveDetachment, SetLimit
from roster.services.deeds import propose_deeds
from roster.services.edits import edit_roster
from roster.services.evaluation import evaluate_roster
from roster.services.outcomes import SavedEdit
from roster.services.outlooks import look_ahead
from roster.services.owners import Visitor
from roster.services.rosters import start_roster
from roster.services.upgrade_data import upgrade_list
from roster.services.ways import WayKind, find_ways, take_way
from roster.wording.ways import explain_search
from tests.catalogue.battlescribe_files import packed
from tests.catalogue.import_bytes import import_bytes
from tests.roster.allied_game import game_files, install

pytestmark = [pytest.mark.django_db, pytest.mark.skipif(not is_solver_installed(), reason="no solver is installed")]

ASKED = '<constraint id="{id}" type="min" value="{value}" field="{field}" scope="parent" shared="true"/>'


def install_with(pattern: str, replacement: str) -> PackVersion:
    files = game_files()
    system, times = re.subn(pattern, replacement, str(files["ducks.gst"]))
    assert times == 1
    files["ducks.gst"] = system
    version = import_bytes("ducks.zip", packed(files)).version
    assert version is not None
    return version


def install_demanding() -> PackVersion:
    """A Pond flock that requires guests, which only the Heath has."""
    asked = ASKED.format(id="guests-needed", value=1, field="forces")
    return install_with(r'(<constraint id="guests-1"[^>]*/>)', rf"\1{asked}")


class Builder:
    """A list of the Pond with a limit of 60 crumbs, edited by names."""

    def __init__(self, version: PackVersion) -> None:
        started = start_roster(Visitor(key="owner"), version, "pond", "Mill pond")
        assert isinstance(started, Roster)
        self.roster = started
        self.do(SetLimit(type="pts", value="60"))

    def do(self, change: Change) -> str:
        outcome = edit_roster(self.roster, self.roster.head, change)
        assert isinstance(outcome, SavedEdit), outcome
        self.roster = outcome.roster
        return outcome.created[0] if outcome.created else ""

    def add(self, entry: str, catalogue: str = "", node: str = "", units: str = "") -> str:
        force = self.do(AddDetachment(entry=entry, catalogue=catalogue, node=node))
        for unit in units.split():
            self.do(AddUnit(node=force, entry=unit))
        return force

    def find(self, kind: WayKind) -> list[list[tuple[str, str, int]]]:
        ways = find_ways(evaluate_roster(self.roster), kind, seed=3).ways
        assert all(way.evaluated_list.verdict is Verdict.LEGAL for way in ways)
        return [[(one.kind.value, one.name, one.number) for one in way.differences] for way in ways]


def test_units_of_allies_complete_and_fill_a_list() -> None:
    slot = re.escape('<categoryLink id="guests-slot" name="Bird" targetId="bird" hidden="false"/>')
    two = ASKED.format(id="two-guests", value=2, field="selections")
    version = install_with(
        slot,
        '<categoryLink id="guests-slot" name="Bird" targetId="bird" hidden="false">'
        f"<constraints>{two}</constraints></categoryLink>",
    )
    builder = Builder(version)
    guests = builder.add("guests", "heath", builder.add("flock"))
    builder.add("strays", "river", guests)
    # Only inner forces have units or can take some.
    assert builder.find(WayKind.COMPLETE) == [[("added", "Snipe", 2)]]
    (filled,) = builder.find(WayKind.FILL)
    assert {name for _, name, _ in filled} >= {"Snipe", "Heron"}
    deeds = propose_deeds(evaluate_roster(builder.roster))
    assert [deed.name for offered in deeds.values() for deed in offered] == ["Snipe", "Grouse"]
    # Both birds cost the same.
    assert builder.find(WayKind.REPAIR)[0] in ([("added", "Grouse", 2)], [("added", "Snipe", 2)])


def test_allies_that_a_force_needs_are_missed() -> None:
    builder = Builder(install_demanding())
    flock = builder.add("flock", units="duck")
    judged = evaluate_roster(builder.roster)
    assert judged.verdict is Verdict.INCOMPLETE
    (missing,) = judged.report.violations
    found = (missing.code, missing.on.id, missing.counted, missing.measured, missing.allowed)
    assert found == (RuleCode.MINIMUM, flock, "Guests", 0, 1)
    # A flock of the Heath cannot have guests and needs none.
    other = Builder(builder.roster.version)
    other.add("flock", "heath", units="grouse")
    assert evaluate_roster(other.roster).verdict is Verdict.LEGAL

    builder.add("guests", "heath", flock)
    assert evaluate_roster(builder.roster).verdict is Verdict.LEGAL


def test_a_list_that_lacks_allies_is_not_lost_and_says_where_they_are() -> None:
    builder = Builder(install_demanding())
    builder.add("flock", units="duck")
    judged = evaluate_roster(builder.roster)
    # No model covers the Heath, so nothing is proved.
    assert look_ahead(judged).evaluated_list.verdict is Verdict.INCOMPLETE
    for kind in (WayKind.COMPLETE, WayKind.FILL):
        search = find_ways(judged, kind, seed=3)
        assert (search.answer, search.ways, search.lacks_allies) == (Possibility.UNKNOWN, (), True)
        assert "another faction" in explain_search(kind, search)
    assert propose_deeds(judged) == {}


def test_completing_loads_the_allies_that_a_list_needs() -> None:
    version = install_demanding()
    builder = Builder(version)
    flock = builder.add("flock", units="duck")
    judged = evaluate_roster(builder.roster)
    assert judged.ruleset.find_catalogue("heath") is None
    for kind in (WayKind.COMPLETE, WayKind.FILL, WayKind.REPAIR):
        search = find_ways(judged, kind, version, seed=3)
        assert not search.lacks_allies
        way = search.ways[0]
        assert way.evaluated_list.verdict is Verdict.LEGAL
        (guests,) = way.evaluated_list.tree.forces[0].forces
        assert (guests.entry_id, guests.catalogue_id) == ("guests", "heath")
    taken = take_way(builder.roster, builder.roster.head, WayKind.COMPLETE)
    assert isinstance(taken, SavedEdit)
    judged = evaluate_roster(taken.roster)
    assert (judged.verdict, judged.tree.forces[0].id) == (Verdict.LEGAL, flock)


def test_allies_that_do_not_fit_into_the_limit_are_still_missed() -> None:
    files = game_files()
    demanding = str(files["ducks.gst"]).replace(
        '<categoryLink id="guests-slot" name="Bird" targetId="bird" hidden="false"/>',
        '<categoryLink id="guests-slot" name="Bird" targetId="bird" hidden="false"><constraints>'
        + ASKED.format(id="many-guests", value=9, field="selections")
        + "</constraints></categoryLink>",
    )
    asked = ASKED.format(id="guests-needed", value=1, field="forces")
    files["ducks.gst"] = re.sub(r'(<constraint id="guests-1"[^>]*/>)', rf"\1{asked}", demanding)
    version = import_bytes("ducks.zip", packed(files)).version
    assert version is not None
    builder = Builder(version)
    builder.do(SetLimit(type="pts", value="40"))
    builder.add("flock", units="duck")
    search = find_ways(evaluate_roster(builder.roster), WayKind.COMPLETE, version)
    assert (search.ways, search.lacks_allies) == ((), True)
    assert "another faction" in explain_search(WayKind.COMPLETE, search)


def test_the_page_leads_to_the_faction_that_a_force_needs() -> None:
    install_demanding()
    client = Client()
    fields = {"game": "ducks-and-drakes", "faction": "pond", "name": "Mill pond"}
    address = client.post(reverse("roster:new"), fields)["Location"]
    roster = Roster.objects.get()
    fields = {"revision": str(roster.head), "do": "add-detachment", "entry": "flock"}
    client.post(f"{address}edits/", fields)
    flock = Roster.objects.get().tree.forces[0].id
    fields = {"revision": str(Roster.objects.get().head), "do": "add-unit", "node": flock, "entry": "duck"}
    client.post(f"{address}edits/", fields)
    page = client.get(address).content.decode()
    verdict = page.partition('id="verdict"')[2] or page
    assert f"allies/?node={flock}" in verdict


def test_a_faction_at_hand_is_taken_where_allies_are_needed() -> None:
    builder = Builder(install_demanding())
    builder.add("flight", "heath", units="grouse")
    builder.add("flock", units="duck")
    (completed,) = find_ways(evaluate_roster(builder.roster), WayKind.COMPLETE).ways
    assert [(one.kind.value, one.name) for one in completed.differences] == [("added", "Guests")]
    (_, flock) = completed.evaluated_list.tree.forces
    assert [force.catalogue_id for force in flock.forces] == ["heath"]


def test_filling_adds_no_detachments_that_hold_nothing() -> None:
    builder = Builder(install_demanding())
    builder.add("flight", "heath")
    builder.add("flock")
    (filled,) = builder.find(WayKind.FILL)
    assert all(name not in ("Flight", "Flock") for _, name, _ in filled)


def test_a_force_whose_catalogue_is_gone_can_be_taken_out() -> None:
    builder = Builder(install())
    flock = builder.add("flock", units="duck")
    guests = builder.add("guests", "heath", flock, units="grouse")
    moved = upgrade_list(builder.roster, builder.roster.head, install(without="heath"))
    assert isinstance(moved, SavedEdit)
    judged = evaluate_roster(moved.roster)
    ((deed,),) = propose_deeds(judged).values()
    assert deed.change == RemoveDetachment(node=guests)
    builder.roster = moved.roster
    assert ("removed", "Guests", 1) in builder.find(WayKind.REPAIR)[0]
    search = find_ways(judged, WayKind.COMPLETE)
    assert (search.ways, search.answer is Possibility.YES) == ((), False)
