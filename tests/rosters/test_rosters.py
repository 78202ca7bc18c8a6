"""Test the runner itself on rosters of the shared folder."""

import json
import zipfile
from pathlib import Path

import pytest

from roster.engine.report import CostTotal, Report
from roster.formats.ros import read_ros
from tests.rosters.__main__ import differences, run
from tests.rosters.strip import without_costs

pytestmark = pytest.mark.slow


def test_all_rosters_come_to_what_they_say(shared: Path) -> None:
    outcomes = list(run(shared / "rosters" / "manifest.json"))
    assert [(o.name, o.troubles) for o in outcomes if o.troubles] == []
    assert len(outcomes) == 20


def test_costs_are_struck_out() -> None:
    text = b'<roster><costs><cost value="3"/></costs><a><b/><costs/></a></roster>'
    assert b"cost" not in without_costs(text)
    assert b"<b/>" in without_costs(text)


@pytest.mark.parametrize(("stored", "troubles"), [("2.0000000000000004", 0), ("2.001", 1)])
def test_sums_of_binary_fractions_are_not_quite_even(stored: str, troubles: int) -> None:
    roster = f"""<roster gameSystemId="s"><costs><cost name="pts" typeId="pts" value="{stored}"/></costs></roster>"""
    report = Report(costs=(CostTotal(type_id="pts", name="pts", value=2),), violations=())
    assert len(list(differences(read_ros("a.ros", roster.encode()), report))) == troubles


SYSTEM = '<gameSystem id="{id}" name="Ponds"><costTypes><costType id="pts" name="pts"/></costTypes>{force}</gameSystem>'
FORCE = '<forceEntries><forceEntry id="pond" name="Pond"/></forceEntries>'
DUCK = (
    '<selectionEntry id="duck" name="Duck" type="unit"><costs><cost name="pts" typeId="pts" value="{}"/></costs>'
    "</selectionEntry>"
)
BIRDS = '<catalogue id="birds" name="Birds" revision="{}" gameSystemId="sys">{}</catalogue>'
LINKING = '<catalogueLinks><catalogueLink id="l" targetId="lib" importRootEntries="true"/></catalogueLinks>'
LIBRARY = '<catalogue id="lib" library="true" gameSystemId="sys"><selectionEntries>{}</selectionEntries></catalogue>'
ROSTER = """<roster id="r" name="R" gameSystemId="sys"><costs><cost name="pts" typeId="pts" value="7"/></costs><forces>
<force id="f" entryId="pond" catalogueId="birds" catalogueRevision="2"><selections>
<selection id="s" name="Duck" entryId="duck" number="1" type="unit"/></selections></force></forces></roster>"""


def test_of_a_pile_of_data_only_what_a_roster_was_made_with_counts(tmp_path: Path) -> None:
    pile = {
        "game.gst": SYSTEM.format(id="sys", force=FORCE),
        "other.gst": SYSTEM.format(id="other", force=""),
        "birds.cat": BIRDS.format(2, LINKING),
        "older/birds.cat": BIRDS.format(1, ""),
        "library.cat": LIBRARY.format(DUCK.format(7)),
        "stale.cat": '<catalogue id="stale" name="Stale" gameSystemId="sys" battleScribeVersion="1.15b"/>',
        "torn.cat": "<catalogue",
        "__MACOSX/._birds.cat": "\0",
    }
    with zipfile.ZipFile(tmp_path / "pile.zip", "w") as packed:
        for name, text in pile.items():
            packed.writestr(name, text)
    (tmp_path / "ducks.ros").write_text(ROSTER)
    (tmp_path / "geese.ros").write_text(ROSTER.replace('entryId="duck"', 'entryId="goose"'))
    listed = [{"file": name, "data": "pile.zip"} for name in ("ducks.ros", "geese.ros")]
    (tmp_path / "manifest.json").write_text(json.dumps(listed))
    outcomes = {outcome.name: outcome.troubles for outcome in run(tmp_path / "manifest.json")}
    assert outcomes["ducks.ros"] == ()
    assert outcomes["geese.ros"] == ("placeholder: Duck (goose)", "pts: stored 7, recomputed 0")


def test_data_that_cannot_be_read_fails_its_roster(tmp_path: Path) -> None:
    (tmp_path / "torn.cat").write_text("<catalogue")
    (tmp_path / "ducks.ros").write_text(ROSTER)
    (tmp_path / "manifest.json").write_text(json.dumps([{"file": "ducks.ros", "data": "torn.cat"}]))
    (outcome,) = run(tmp_path / "manifest.json")
    assert "torn.cat:1" in outcome.troubles[0]


def test_data_is_read_once_for_all_its_rosters_and_one_bad_roster_spoils_no_other(tmp_path: Path) -> None:
    for name in ("pond", "lake"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "game.gst").write_text(SYSTEM.format(id="sys", force=FORCE))
        entries = f"<selectionEntries>{DUCK.format(7)}</selectionEntries>"
        (tmp_path / name / "birds.cat").write_text(BIRDS.format(2, entries))
    (tmp_path / "ducks.ros").write_text(ROSTER)
    (tmp_path / "geese.ros").write_bytes(b"PK torn")
    order = [("ducks.ros", "pond"), ("ducks.ros", "lake"), ("geese.ros", "pond"), ("gone.ros", "pond")]
    listed = [{"file": file, "data": data} for file, data in order]
    (tmp_path / "manifest.json").write_text(json.dumps(listed))
    outcomes = [(outcome.name, bool(outcome.troubles)) for outcome in run(tmp_path / "manifest.json")]
    assert outcomes == [("ducks.ros", False), ("geese.ros", True), ("gone.ros", True), ("ducks.ros", False)]
