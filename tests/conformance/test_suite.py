"""Run the whole suite from the folder named by ARMYBUILDER_SHARED."""

from pathlib import Path

import pytest

from tests.conformance.spec_runner import run, specs_below
from tests.extent import shorten

SUITE = "conformance/battlescribe/roster"


def test_every_spec_passes(shared: Path) -> None:
    paths = list(specs_below(shared / SUITE))
    assert len(paths) > 200
    outcomes = [run(path) for path in shorten(paths, 40)]
    failed = {outcome.name: outcome.found for outcome in outcomes if outcome.was_run and outcome.found}
    assert failed == {}


def test_a_spec_without_its_data_is_not_run(shared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CONFORMANCE_DATA", raising=False)
    outcomes = [run(path) for path in specs_below(shared / SUITE / "real-world")]
    assert [outcome.was_run for outcome in outcomes] == [False]
