"""The runner knows no rule, and all cases in the shared folder and our own pass."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.cases.__main__ import main
from tests.cases.case_runner import run
from tests.plain_yaml import load_yaml, load_yaml_file

pytestmark = pytest.mark.slow

Change = Callable[[dict[str, Any]], None]
HERE = Path(__file__).parent
OWN = sorted(path for path in (HERE / "own").glob("*.yaml") if path.stem != "fixtures")
RULE_ID = re.compile(r"\b(me1|me2|ed|mow|wz)-")
SYSTEMS = ("maelstroms-edge-2e", "maelstroms-edge-1e", "edge-dawnfall", "maelstrom-of-war-9e", "warzone-resurrection")


def test_the_runner_names_no_rule() -> None:
    sources = [path for path in HERE.glob("*.py") if path != Path(__file__)]
    assert [path.name for path in sources if RULE_ID.search(path.read_text(encoding="utf-8"))] == []


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_cases_of_a_system(shared: Path, system: str) -> None:
    outcomes = list(run(shared / "rules" / "cases.yaml", system=system))
    assert {o.name: o.troubles for o in outcomes if o.troubles} == {}
    assert [o.name for o in outcomes if o.skipped] == []
    assert any(not o.skipped for o in outcomes)


@pytest.mark.parametrize("file", OWN, ids=lambda path: path.stem)
def test_our_own_cases(file: Path) -> None:
    outcomes = list(run(file))
    assert {o.name: (o.troubles, o.skipped) for o in outcomes if o.troubles or o.skipped} == {}


def test_the_last_line_is_the_tally(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(OWN[0]), "--system", "nothing-of-the-kind"]) == 0
    assert capsys.readouterr().out.splitlines() == ["0 passed, 0 failed, 0 skipped"]
    assert main([str(OWN[0]), "--skip-mode", "list", "--skip-mode", "setup", "--skip-mode", "match"]) == 0
    assert re.fullmatch(r"0 passed, 0 failed, \d+ skipped", capsys.readouterr().out.splitlines()[-1])


def test_a_failing_case_is_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "fixtures.yaml").write_text((HERE / "own" / "fixtures.yaml").read_text(encoding="utf-8"))
    wrong = "{id: x, system: maelstroms-edge-2e, title: x, list: {faction: north, detachments: []},"
    (tmp_path / "wrong.yaml").write_text(f"cases:\n- {wrong} expected: legal, violates: [], total: 3}}\n")
    assert main([str(tmp_path / "wrong.yaml")]) == 1
    told = capsys.readouterr().out.splitlines()
    assert told[0].startswith("FAILED x: expected [], found [")
    assert "total: expected 3, found 0" in told[0]
    assert told[-1] == "0 passed, 1 failed, 0 skipped"


PLAIN = """
id: x
system: maelstroms-edge-2e
title: x
list: {faction: north, detachments: [{name: A, selections: [{unit: duke}, {unit: squad}]}]}
expected: legal
violates: []
"""
ARMY = """
id: x
system: maelstrom-of-war-9e
title: x
mode: setup
context: {size: incursion}
list: {warlord: 1, detachments: [{name: A, units: [{ds: chief}]}]}
expected: legal
violates: []
"""


def told_of(case: str, changes: Change, tmp_path: Path) -> str:
    made = load_yaml(case)
    changes(made)
    own = "maelstrom-of-war.yaml" if case == ARMY else "fixtures.yaml"
    fixtures = load_yaml_file(HERE / "own" / own)["fixtures"]
    path = tmp_path / "case.yaml"
    path.write_text(yaml.safe_dump({"fixtures": fixtures, "cases": [made]}), encoding="utf-8")
    (outcome,) = run(path)
    return "; ".join(outcome.troubles)


@pytest.mark.parametrize(
    ("case", "changes", "told"),
    [
        (PLAIN, lambda case: None, ""),
        (PLAIN, lambda case: case.update(mode="guess"), "not understood: mode guess"),
        (PLAIN, lambda case: case.update(grand_total=3), "not understood: grand_total"),
        (PLAIN, lambda case: case["list"].update(colour="red"), "not understood: list.colour"),
        (PLAIN, lambda case: case.update(context={"moon": 1}), "not understood: context.moon"),
        (
            PLAIN,
            lambda case: case["list"]["detachments"][0]["selections"][1].update(hats=2),
            "not understood: list.detachments.1.selections.2.hats",
        ),
        (
            PLAIN,
            lambda case: case["list"].update(roster={"shows_hats": False}),
            "cannot be read: UnknownWordError: roster.shows_hats",
        ),
        (PLAIN, lambda case: case["list"].update(detachments=[{}]), "cannot be read: KeyError: 'name'"),
        (ARMY, lambda case: None, ""),
        (
            ARMY,
            lambda case: case["list"]["detachments"][0]["units"][0].update(status="asleep"),
            "cannot be read: UnknownWordError: status: asleep",
        ),
    ],
)
def test_a_word_of_a_case_that_nothing_reads_is_reported(case: str, changes: Change, told: str, tmp_path: Path) -> None:
    assert told_of(case, changes, tmp_path) == told
