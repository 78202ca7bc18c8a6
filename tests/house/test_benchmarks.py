"""Every benchmark runs once on the least data; its figures do not matter here."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.bench.__main__ import load_benchmarks
from tests.bench.benchmark import BENCHMARKS, ONCE
from tests.bench.databases import ROOT

pytestmark = pytest.mark.slow

load_benchmarks()
OF_THE_COMMUNITY = {"archives", "clicks", "current", "heresy", "importing", "pasted", "reading", "room", "shelves"}


@pytest.fixture(autouse=True)
def once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ONCE, "1")


@pytest.mark.parametrize("name", sorted(BENCHMARKS))
@pytest.mark.complete
def test_benchmark_ends(name: str, request: pytest.FixtureRequest) -> None:
    if name in OF_THE_COMMUNITY:
        request.getfixturevalue("shared")
    # Benchmarks that drive Chromium need a thread without the event loop of the browser tests.
    with ThreadPoolExecutor(max_workers=1) as pool:
        assert pool.submit(lambda: list(BENCHMARKS[name]())).result()


def test_command_prints_a_figure_beside_the_bare_view() -> None:
    command = [sys.executable, "-m", "tests.bench", "--once", "validation"]
    done = subprocess.run(command, cwd=ROOT, env={**os.environ}, check=True, capture_output=True, text=True)
    assert "bare views" in done.stdout
