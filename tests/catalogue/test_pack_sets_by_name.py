"""Sets of units that are made from names."""

from pathlib import Path

import pytest

from tests.catalogue.pack_files import PACK, broken, pond

MORE = """\
- {unit: Newt, type: crew, points: 3, cite: p. 5, keywords: [Wet]}
- {unit: Great Newt, type: crew, points: 4, cite: p. 5, keywords: [Loud]}
- unit: Tadpole
  type: crew
  points: 1
  cite: p. 5
  models: [{choose: one, from: [{model: Toad, count: 0-1}, {model: Newt, count: 0-1}]}]
"""
ONE_OF_EACH = """\
sets:
- {set: Kin, %s}
rules:
- {rule: p-kin, name: Kin, text: One of its kin., cite: p. 1, in: roster, for each: [Kin], count: each, at most: 1%s}
"""


@pytest.mark.parametrize(
    ("kin", "more", "units", "rules"),
    [
        ("called: [Toad, Newt]", "", "[toad, great newt]", []),
        ("called: [Toad, Newt]", "", "[toad, newt]", ["p-kin"]),
        ("called: [Toad, Newt]", "", "[toad, toad]", ["p-kin"]),
        ("called: [Toad, Newt]", ", mixed: yes", "[toad, toad]", []),
        ("called: [Toad, Newt]", ", mixed: yes", "[toad, newt]", ["p-kin"]),
        ("called: [Heron]", "", "[toad, toad]", []),
        ("alike: {of: Loud, to: Wet, strike: [Great]}", "", "[newt, great newt]", ["p-kin"]),
        ("alike: {of: Loud, to: Wet}", "", "[newt, great newt]", []),
    ],
)
def test_units_count_together_by_name(tmp_path: Path, kin: str, more: str, units: str, rules: list[str]) -> None:
    assert broken(pond(tmp_path, MORE, PACK + ONE_OF_EACH % (kin, more)), units) == rules


def test_a_unit_that_stands_for_one_of_several_counts_as_that(tmp_path: Path) -> None:
    reading = pond(tmp_path, MORE, PACK + ONE_OF_EACH % ("called: [Toad], also in: [Tadpole]", ""))
    as_toad = "{unit: tadpole, options: [toad]}"
    as_newt = "{unit: tadpole, options: [newt]}"
    assert broken(reading, f"[toad, {as_newt}]") == []
    assert broken(reading, f"[toad, {as_toad}]") == ["p-kin"]
