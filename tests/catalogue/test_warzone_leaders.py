"""Warzone Resurrection: each Leader ability gives exactly the leave that it prints."""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from catalogue.formats.packs.load import SHIPPED
from catalogue.formats.packs.syntax.scalars import make_id
from roster.engine.evaluate import evaluate
from roster.engine.report import Verdict
from roster.formats.list_document import Unreadable, build_list, read_list
from tests.extent import sample
from tests.plain_yaml import load_yaml_file
from tests.shipped_packs import read_ruleset

PACK = SHIPPED / "warzone" / "resurrection"
LEADER = re.compile(r"Leader \((\d+)/(.+)\)")


class Leader(NamedTuple):
    """A unit that may command, the number of squads that it gives leave to, and which."""

    faction: str
    unit: str
    number: int
    squad: str


def list_leaders() -> Iterator[Leader]:
    for path in sorted((PACK / "units").glob("*.yaml")):
        document = load_yaml_file(path)
        for unit in document.get("units", ()):
            for holder in (unit, *unit.get("models", ())):
                yield from read_leaders(document, unit, holder)


def read_leaders(document: Any, unit: Any, holder: Any) -> Iterator[Leader]:
    for ability in holder.get("abilities", ()):
        match = LEADER.fullmatch(ability) if isinstance(ability, str) else None
        if match:
            faction = document.get("faction") or unit["also in"][0]
            yield Leader(faction, unit.get("id") or make_id(unit["unit"]), int(match[1]), make_id(match[2]))


LEADERS = [*list_leaders()]
SQUADS = {leader: "light-infantry-in-ilian" for leader in LEADERS if leader.unit == "supreme-commander-balkazar"}
"""Squads that are always troops, but only available under this commander."""


LIMITED = {"As Troops", "Light Infantry"}


def find_broken(leader: Leader, squads: int) -> set[str]:
    """Return the violations about leaders and entries by a number of squads as troops under the commander."""
    squad = SQUADS.get(leader, f"{{unit: {leader.squad}, options: [as-troops]}}")
    units = [f"{{unit: {leader.unit}, leads: yes}}"] + [squad] * squads
    text = f"list: 1\ngame: warzone-resurrection\nfaction: {leader.faction}\ndetachments:\n"
    text += f"- detachment: standard\n  units: [{', '.join(units)}]\n"
    ruleset = read_ruleset(PACK)
    document = read_list(text.encode())
    assert not isinstance(document, Unreadable), document
    roster = build_list(ruleset, document, leader.faction)
    assert not isinstance(roster, Unreadable), roster
    # Powers that squads and commander have to choose are left open; they do not concern the leader.
    violations = evaluate(ruleset, *roster).violations
    return {each.rule for each in violations if each.rule.startswith("wz-leader") or each.counted in LIMITED}


def test_units_and_models_have_the_ability() -> None:
    assert len(LEADERS) > 20


@pytest.mark.parametrize("leader", sample(LEADERS, 8), ids=lambda leader: leader.unit)
def test_a_commander_gives_the_leave_that_is_printed(leader: Leader) -> None:
    assert find_broken(leader, leader.number) == set()
    assert find_broken(leader, leader.number + 1) in ({"wz-leader-limit"}, {"wz-data-options"})


FIRST_TROOPS = """list: 1
game: warzone-resurrection
faction: capitol
limits: {{points: {points}}}
detachments:
- detachment: standard
  units: [{{unit: sea-lions, options: [as-troops]}}{others}]
"""


@pytest.mark.parametrize(
    ("points", "others", "verdict"),
    [
        # Colonel Mitch Hunter may still come and command.
        (1000, "", Verdict.INCOMPLETE),
        (1000, ", big-bob-watts", Verdict.INCOMPLETE),
        # He stays the commander, and does not lead Sea Lions.
        (1000, ", {unit: big-bob-watts, leads: yes}", Verdict.ILLEGAL),
        # Two may be troops, not three.
        (1000, ", {unit: sea-lions, options: [as-troops]}", Verdict.INCOMPLETE),
        (1000, ", {unit: sea-lions, options: [as-troops]}" * 2, Verdict.ILLEGAL),
        # There are no points for him.
        (200, "", Verdict.ILLEGAL),
    ],
)
def test_squads_may_be_taken_before_who_gives_them_leave(points: int, others: str, verdict: Verdict) -> None:
    ruleset = read_ruleset(PACK)
    document = read_list(FIRST_TROOPS.format(points=points, others=others).encode())
    assert not isinstance(document, Unreadable), document
    roster = build_list(ruleset, document, "capitol")
    assert not isinstance(roster, Unreadable), roster
    report = evaluate(ruleset, *roster, tree=False, look_ahead=True)
    assert "wz-leader-ability" in {error.rule for error in report.errors}
    assert report.verdict is verdict
