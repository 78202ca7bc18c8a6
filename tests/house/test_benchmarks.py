"""Every benchmark runs once on the least data; its figures do not matter here."""

import math
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.bench.__main__ import load_benchmarks
from tests.bench.benchmark import BENCHMARKS, ONCE, do_nothing
from tests.bench.databases import ROOT
from tests.bench.game_day import EDIT, Fault, Request, Step, suffer
from tests.bench.load import Stretch, report_comparison

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


def test_a_game_day_tells_what_users_saw() -> None:
    """A whole one starts eight servers and takes minutes, like the load of people. Its report needs none."""
    reader, builder = {"replica1": 3, "default": 1}, {"default": 5}
    fault = Fault("nothing fails", do_nothing, do_nothing, bool)
    assert suffer(fault, [Request(True, "GET /games/", math.inf, math.inf, 200)], 0, calm=0).well < math.inf
    requests = [
        Request(True, "GET /games/", 11, 12, 200, queries=reader),
        Request(False, EDIT, 12, 14.5, 200, queries=builder),
        Request(False, EDIT, 19, 23, 502, "Bad gateway"),
        Request(False, EDIT, 23, 24, 200),
    ]
    step = Step("a node is killed", 10, 20, 21, requests)
    assert step.share == 0.75
    assert step.seconds_until_well == 3
    assert step.find_first_edit() == 24
    told = step.describe()
    assert "4 requests, 1 failed" in told
    assert f"longest wait 4.0 s: {EDIT} at 9.0 s" in told
    assert f"1 times  502 {EDIT}: Bad gateway" in told


def test_a_comparison_is_of_an_act_on_two_nodes() -> None:
    told = report_comparison([Stretch(1, 100, 1.0), Stretch(2, 100, 1.3), Stretch(2, 100, 1.1), Stretch(1, 200, 2.0)])
    assert "2 nodes: 100 acts, 13.0 ms each" in told
    assert told.endswith("an act on two nodes costs 1.20 times that on one")


def test_command_prints_a_figure_beside_the_bare_view() -> None:
    command = [sys.executable, "-m", "tests.bench", "--once", "validation"]
    done = subprocess.run(command, cwd=ROOT, env={**os.environ}, check=True, capture_output=True, text=True)
    assert "bare views" in done.stdout
