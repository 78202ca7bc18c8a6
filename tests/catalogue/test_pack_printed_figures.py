"""Figures that units print and rules sum."""

from pathlib import Path

import pytest

from tests.catalogue.pack_files import PACK, broken, pond

SUMMED = (
    PACK.replace("costs: [points]", "costs:\n- points\n- {cost: speed, %s}")
    + """\
rules:
- {rule: p-speed, name: Speed, text: Not too fast., cite: p. 1, in: roster, count: speed, at most: 6}
"""
)
SWIMMERS = """\
- {unit: Newt, type: boss, points: 3, cite: p. 5, profile: [3, 1], abilities: [Leap (5)]}
- unit: Eft
  type: boss
  points: 3
  cite: p. 5
  profile: [4, 1]
  models: [{model: Adult, count: 1}, {model: Young, count: 1, profile: [2, 1]}]
"""


@pytest.mark.parametrize(
    ("figure", "units", "rules"),
    [
        ("column: MV", "[newt, newt]", []),
        ("column: MV", "[newt, newt, newt]", ["p-speed"]),
        ("column: MV", "[eft]", []),
        ("column: MV", "[eft, newt]", ["p-speed"]),
        ("column: MV, plus: 1", "[newt, newt]", ["p-speed"]),
        ("column: MV, plus: -3, at least: 2", "[newt, newt, newt]", []),
        ("column: MV, plus: -3, at least: 2", "[newt, newt, newt, newt]", ["p-speed"]),
        ("abilities: [Leap]", "[newt]", []),
        ("abilities: [Leap]", "[newt, newt]", ["p-speed"]),
    ],
)
def test_what_units_print_is_summed(tmp_path: Path, figure: str, units: str, rules: list[str]) -> None:
    assert broken(pond(tmp_path, SWIMMERS, SUMMED % figure), units) == rules
