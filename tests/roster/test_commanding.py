"""The commander of a list is shown in the builder, on the read-only page and on the sheet."""

from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from catalogue.models import PackVersion
from catalogue.services.install_version import GameInfo, install_version
from roster.engine.report import CommanderInfo, FigureTotal, Location, PlaceKind, Report
from roster.models import Roster
from roster.pdf.shapes import Imprint
from roster.pdf.sheet_content import build_sheet
from roster.services.board import build_board
from roster.services.changes import read_change
from roster.services.edits import edit_roster
from roster.services.evaluation import evaluate_roster
from roster.services.outcomes import SavedEdit
from roster.services.owners import Visitor
from roster.services.rosters import start_roster
from roster.wording.figures import describe_facts
from tests.catalogue.pack_files import read_files
from tests.catalogue.test_pack_commander import CHOIR, FROGS, GAME, NEWTS

pytestmark = pytest.mark.django_db


@pytest.fixture
def pond(tmp_path: Path) -> PackVersion:
    files = {"pack.yaml": GAME, "units.yaml": FROGS, "newts.yaml": NEWTS, "choir.yaml": CHOIR}
    data = read_files(tmp_path, files).data
    assert data is not None
    return install_version(GameInfo(slug="pond", name="Pond", label="1"), data)


def listed(version: PackVersion, *units: str, leader: int | None = None) -> Roster:
    roster = start_roster(Visitor(key="owner"), version, "frogs", "Pond")
    assert isinstance(roster, Roster)
    made = [_do(roster, do="add-detachment", entry="pond")]
    made += [_do(roster, do="add-unit", node=made[0], entry=unit) for unit in units]
    if leader is not None:
        _do(roster, do="leader", node=made[leader + 1], on="true")
    return roster


def _do(roster: Roster, **fields: str) -> str:
    outcome = edit_roster(roster, roster.head, read_change(fields))
    assert isinstance(outcome, SavedEdit), outcome
    return next(iter(outcome.created), "")


def rows(roster: Roster) -> dict[str, tuple[bool | None, str]]:
    return {unit.name: (unit.leads, unit.commands) for d in build_board(roster).detachments for unit in d.units}


def test_the_row_says_who_commands(pond: PackVersion) -> None:
    assert rows(listed(pond, "bull", "elder", "toad")) == {
        "Bull": (False, ""),
        "Elder": (False, "Headfrog"),
        "Toad": (None, ""),
    }


def test_the_player_chooses_among_equals(pond: PackVersion) -> None:
    open_yet = listed(pond, "elder", "elder")
    assert set(rows(open_yet).values()) == {(False, "")}
    chosen = build_board(listed(pond, "elder", "elder", leader=1)).detachments[0].units
    assert sorted(unit.commands for unit in chosen) == ["", "Headfrog"]


def test_pages_and_paper_say_it(pond: PackVersion) -> None:
    roster = listed(pond, "elder", "toad")
    page = Client().get(reverse("roster:link", args=[roster.link_id])).content.decode()
    assert "rank 9, the only one who can command." in page
    assert build_sheet(evaluate_roster(roster), Imprint(game="Pond")).facts == (
        ("Headfrog", "Elder", "rank 9, the only one who can command"),
        ("Worth", "5", ""),
    )
    lines = {
        line.name: line.commands for line in build_sheet(evaluate_roster(roster), Imprint(game="Pond")).blocks[0].lines
    }
    assert lines == {"Elder": "Headfrog", "Toad": ""}


def test_a_detachment_tells_of_no_slots_that_it_has_not(pond: PackVersion) -> None:
    names = [slot.name for slot in build_board(listed(pond, "toad")).detachments[0].slots]
    assert names == ["Boss", "Crew"]


@pytest.mark.parametrize(
    ("found", "value", "text"),
    [
        ({"able": 0}, "nobody", "No character here can command."),
        (
            {"able": 2, "highest": 2, "rank": 9},
            "open",
            "2 characters have LD 9. Choose one of them in the menu of its row.",
        ),
        (
            {"able": 3, "highest": 1, "rank": 9, "commander": Location(kind=PlaceKind.SELECTION, name="Boss")},
            "Boss",
            "LD 9, of 3 who could command.",
        ),
    ],
)
def test_what_is_said(found: dict[str, object], value: str, text: str) -> None:
    command = CommanderInfo(id="commander", name="Commander", by="LD", **found)
    empty = FigureTotal(id="none", name="None", value=0)
    (said,) = describe_facts(Report(costs=(), violations=(), figures=(empty,), command=command))
    assert (said.name, said.value, said.text) == ("Commander", value, text)
