"""Units that several factions may take."""

from pathlib import Path

from tests.catalogue.pack_files import PACK, judged, read_files

TWO = PACK.replace("factions: [Frogs]", "factions: [Frogs, Newts, Carps]").replace(
    "keywords:", "one faction: {rule: p-one-faction, name: One, text: One., cite: p. 1}\nkeywords:"
)
HERON = """\
faction: frogs
cite: book
units:
- unit: Toad
  type: crew
  points: 5
  cite: p. 4
- unit: Heron
  type: crew
  also in: [newts]
  points: 9
  unique: yes
  cite: p. 4
  options:
  - Leaf: +2
"""
SWIMMER = """\
faction: newts
cite: book
units:
- {unit: Swimmer, type: crew, points: 3, cite: p. 4}
"""


def verdict(folder: Path, faction: str, units: str) -> tuple[list[str], object]:
    reading = read_files(folder, {"pack.yaml": TWO, "units.yaml": HERON, "newts.yaml": SWIMMER})
    report = judged(reading, units, faction=faction)
    total = next(cost.value for cost in report.costs if cost.type_id == "points")
    return sorted(violation.rule for violation in report.violations), total


def test_each_of_its_factions_takes_it_as_its_own(tmp_path: Path) -> None:
    assert verdict(tmp_path, "frogs", "[toad, {unit: heron, options: [leaf]}]") == ([], 16)
    assert verdict(tmp_path, "newts", "[swimmer, heron]") == ([], 12)


def test_its_limits_hold_in_each(tmp_path: Path) -> None:
    assert verdict(tmp_path, "newts", "[swimmer, heron, heron]") == (["p-unique"], 21)


def test_a_faction_that_does_not_exist_is_reported(tmp_path: Path) -> None:
    reading = read_files(tmp_path, {"units.yaml": HERON.replace("[newts]", "[newt]"), "pack.yaml": TWO})
    assert [found.code for found in reading.diagnostics] == ["unknown-name"]
