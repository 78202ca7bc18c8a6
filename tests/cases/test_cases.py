"""The runner: it knows no rule, and the cases beside the project and our own pass."""

import re
from pathlib import Path

import pytest

from tests.cases.__main__ import main
from tests.cases.running import run

HERE = Path(__file__).parent
OWN = sorted(path for path in (HERE / "own").glob("*.yaml") if path.stem != "fixtures")
RULE_ID = re.compile(r"\b(me1|me2|ed|mow|wz)-")
SYSTEMS = (
    "maelstroms-edge-2e",
    "maelstroms-edge-1e",
    "edge-dawnfall",
    "maelstrom-of-war-9e",
    "warzone-resurrection",
)


def test_the_runner_names_no_rule() -> None:
    sources = [path for path in HERE.glob("*.py") if path != Path(__file__)]
    assert [path.name for path in sources if RULE_ID.search(path.read_text(encoding="utf-8"))] == []


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_cases_of_a_system(shared: Path, system: str) -> None:
    outcomes = list(run(shared / "rules" / "cases.yaml", system=system, skipped=["pick"]))
    assert {o.name: o.troubles for o in outcomes if o.troubles} == {}
    assert [o.name for o in outcomes if o.skipped and "pick" not in o.skipped] == []
    assert any(not o.skipped for o in outcomes)


@pytest.mark.parametrize("file", OWN, ids=lambda path: path.stem)
def test_our_own_cases(file: Path) -> None:
    outcomes = list(run(file))
    assert {o.name: (o.troubles, o.skipped) for o in outcomes if o.troubles or o.skipped} == {}


def test_it_closes_with_its_tally(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(OWN[0]), "--system", "nothing-of-the-kind"]) == 0
    assert capsys.readouterr().out.splitlines() == ["0 passed, 0 failed, 0 skipped"]
    assert main([str(OWN[0]), "--skip-mode", "list", "--skip-mode", "setup", "--skip-mode", "match"]) == 0
    assert re.fullmatch(r"0 passed, 0 failed, \d+ skipped", capsys.readouterr().out.splitlines()[-1])


def test_a_failing_case_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "fixtures.yaml").write_text((HERE / "own" / "fixtures.yaml").read_text(encoding="utf-8"))
    wrong = "{id: x, system: maelstroms-edge-2e, title: x, list: {faction: north, detachments: []},"
    (tmp_path / "wrong.yaml").write_text(f"cases:\n- {wrong} expected: legal, violates: [], total: 3}}\n")
    assert main([str(tmp_path / "wrong.yaml")]) == 1
    told = capsys.readouterr().out.splitlines()
    assert told[0].startswith("FAILED x: expected [], found [")
    assert "total: expected 3, found 0" in told[0]
    assert told[-1] == "0 passed, 1 failed, 0 skipped"
