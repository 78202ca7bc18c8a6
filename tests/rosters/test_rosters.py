"""The runner itself, on the rosters that lie beside the project."""

from pathlib import Path

import pytest

from roster.engine.report import CostTotal, Report
from roster.formats.ros import read_ros
from tests.rosters.__main__ import differences, run
from tests.rosters.strip import without_costs


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
