"""The runner itself, on the rosters that lie beside the project."""

from pathlib import Path

from tests.rosters.__main__ import run
from tests.rosters.strip import without_costs


def test_all_rosters_come_to_what_they_say(shared: Path) -> None:
    outcomes = list(run(shared / "rosters" / "manifest.json"))
    assert [(o.name, o.troubles) for o in outcomes if o.troubles] == []
    assert len(outcomes) == 20


def test_costs_are_struck_out() -> None:
    text = b'<roster><costs><cost value="3"/></costs><a><b/><costs/></a></roster>'
    assert b"cost" not in without_costs(text)
    assert b"<b/>" in without_costs(text)
