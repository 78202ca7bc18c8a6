"""Units that change how many units a slot of their detachment takes."""

from pathlib import Path

import pytest

from tests.catalogue.pack_files import PACK, broken, judged, pond

UNITS = """\
- {unit: Giant, type: crew, points: 1, cite: p. 5}
- {unit: Drummer, type: boss, points: 1, cite: p. 5}
"""
CHART = """\
- detachment: Chart
  cite: p. 6
  slots:
    boss: any
    Crew:
      of: crew
      units: 2-3
      exceptions:
      - {units: 1, when: giant in detachment}
      - {units: 2-4, when: drummer in detachment}
  slot rule: p-slots
"""


@pytest.mark.parametrize(
    ("units", "expected"),
    [
        ("[toad]", ["p-slots"]),
        ("[toad, toad]", []),
        ("[toad, toad, toad]", []),
        ("[toad, toad, toad, toad]", ["p-slots"]),
        ("[drummer, toad]", ["p-slots"]),
        ("[drummer, toad, toad, toad, toad]", []),
        ("[drummer, toad, toad, toad, toad, toad]", ["p-slots"]),
        ("[giant]", []),
        ("[giant, toad]", ["p-slots"]),
        ("[drummer, giant]", []),
        ("[drummer, giant, toad]", ["p-slots"]),
    ],
)
def test_the_first_exception_that_holds_is_what_a_slot_takes(tmp_path: Path, units: str, expected: list[str]) -> None:
    assert broken(pond(tmp_path, UNITS, PACK + CHART), units, "chart") == expected


@pytest.mark.parametrize(
    ("reach", "mendable"),
    [("", True), (", within reach while: army of frogs", True), (", within reach while: no army of frogs", False)],
)
def test_too_many_are_mendable_while_an_exception_is_within_reach(tmp_path: Path, reach: str, mendable: bool) -> None:
    chart = CHART.replace("when: drummer in detachment", f"when: drummer in detachment{reach}")
    report = judged(pond(tmp_path, UNITS, PACK + chart), "[toad, toad, toad, toad]", "chart")
    assert [violation.mendable for violation in report.violations] == [mendable]


def test_more_than_any_exception_takes_is_not_mendable(tmp_path: Path) -> None:
    report = judged(pond(tmp_path, UNITS, PACK + CHART), "[drummer, toad, toad, toad, toad, toad]", "chart")
    assert [violation.mendable for violation in report.violations] == [False]


def test_an_exception_without_its_condition_is_reported(tmp_path: Path) -> None:
    reading = pond(tmp_path, UNITS, PACK + CHART.replace("{units: 1, when: giant in detachment}", "{units: 1}"))
    assert [problem.code for problem in reading.errors] == ["missing-key"]
