"""Look-ahead is limited by steps, never by time: a list has the same verdict under any load."""

import json
import os
import subprocess
import sys
import time
from itertools import chain

import pytest

from roster.engine.completion.complete import complete, fill
from roster.engine.completion.effort import Budget, Effort, UnfinishedError, Work
from roster.engine.completion.repair import repair
from roster.engine.completion.solver import Possibility
from roster.engine.evaluate import evaluate
from roster.engine.evaluation import OverdueError
from roster.engine.report import Verdict
from roster.services.limits import LOOKING_SECONDS, WAYS
from tests.extent import COMPLETE, sample
from tests.outlook.answers import LISTS, answer_case, judge_case, read_case

VERDICTS = {
    "dead-end-of-a-scarecrow": "illegal",
    "dead-end-of-one-squad": "illegal",
    "dead-end-of-three-detachments": "illegal",
    "dead-end-without-a-commander": "illegal",
    "legal-with-points-left": "legal",
    "nobody-commands": "incomplete",
    "one-squad-of-two": "incomplete",
    "one-squad-with-a-point-more": "incomplete",
    "scarecrow-with-a-point-more": "incomplete",
    "three-detachments-with-a-point-more": "incomplete",
    "three-troops-of-four": "incomplete",
    "two-troops-of-three": "incomplete",
    "unit-outside-every-detachment": "illegal",
    "without-a-commander-with-a-point-more": "incomplete",
}
PAIRS = (
    ("dead-end-of-three-detachments", "three-detachments-with-a-point-more"),
    ("dead-end-without-a-commander", "without-a-commander-with-a-point-more"),
    ("dead-end-of-a-scarecrow", "scarecrow-with-a-point-more"),
    ("dead-end-of-one-squad", "one-squad-with-a-point-more"),
)
"""Lists that cannot be completed, and the same with one more point, which can."""
INCOMPLETE = [name for name, verdict in VERDICTS.items() if verdict == "incomplete"]
LOST = [name for name in VERDICTS if name.startswith("dead-end")]
GIVEN_UP = Effort(WAYS.steps, -1.0)
COMPARED = tuple(chain(*PAIRS)) if COMPLETE else PAIRS[0][:1]
"""The lists that processes under load answer completely: all pairs take some minutes."""
FASTER = 100


def test_every_list_has_its_verdict() -> None:
    assert {path.stem for path in LISTS.glob("*.yaml")} == VERDICTS.keys()
    for name, verdict in sample(VERDICTS.items(), 4):
        judged = judge_case(name, LOOKING_SECONDS)
        assert (judged["verdict"], judged["finished"]) == (verdict, True), name


@pytest.mark.parametrize("name", sample(INCOMPLETE, 2))
def test_what_is_incomplete_is_completed(name: str) -> None:
    ruleset, roster = read_case(name)
    completion = complete(ruleset, roster, effort=WAYS)
    assert completion.roster
    assert evaluate(ruleset, completion.roster, tree=False).verdict is Verdict.LEGAL


def test_a_legal_list_with_points_left_is_filled() -> None:
    ruleset, roster = read_case("legal-with-points-left")
    filled = fill(ruleset, roster, effort=WAYS)
    assert filled.roster
    assert evaluate(ruleset, filled.roster, tree=False).verdict is Verdict.LEGAL
    assert filled.roster != roster


@pytest.mark.complete
def test_processes_that_wait_for_one_core_say_the_same() -> None:
    """The processes share a core, so each is interrupted many times; their hashes differ, too."""
    core = min(os.sched_getaffinity(0))
    environment = os.environ | {"DJANGO_SETTINGS_MODULE": "armybuilder.settings.test"}
    asked = [
        subprocess.Popen(
            [sys.executable, "-m", "tests.outlook.answers", *COMPARED],
            stdout=subprocess.PIPE,
            env=environment | {"PYTHONHASHSEED": seed},
            preexec_fn=lambda: os.sched_setaffinity(0, {core}),
        )
        for seed in ("1", "2")
    ]
    answers = [process.communicate()[0].splitlines() for process in asked]
    here = [json.loads(json.dumps({name: answer_case(name)})) for name in COMPARED]
    assert [list(map(json.loads, lines)) for lines in answers] == [here, here]
    assert {name: answer["verdict"] for told in here for name, answer in told.items()} == {
        name: VERDICTS[name] for name in COMPARED
    }


@pytest.mark.parametrize("seconds", [LOOKING_SECONDS, 1.0])
@pytest.mark.parametrize("name", sample(["dead-end-of-three-detachments", "one-squad-of-two"], 1))
def test_a_clock_that_runs_faster_changes_no_verdict(
    name: str, seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = judge_case(name, LOOKING_SECONDS)
    read_clock = time.thread_time
    monkeypatch.setattr(time, "thread_time", lambda: read_clock() * FASTER)
    hurried = judge_case(name, seconds)
    if hurried["finished"]:
        assert hurried == usual
    else:
        assert hurried["verdict"] == "incomplete"


@pytest.mark.parametrize("name", LOST)
def test_a_list_whose_end_was_not_seen_is_never_called_lost(name: str) -> None:
    assert judge_case(name, -1.0)["verdict"] == "incomplete"
    assert not judge_case(name, -1.0)["finished"]


def test_what_the_clock_ended_says_so() -> None:
    ruleset, roster = read_case("one-squad-of-two")
    completion = complete(ruleset, roster, effort=GIVEN_UP)
    assert (completion.answer, completion.roster, completion.is_finished) == (Possibility.UNFINISHED, None, False)
    filled = fill(ruleset, roster, effort=GIVEN_UP)
    assert (filled.answer, filled.is_finished) == (Possibility.UNFINISHED, False)
    assert repair(ruleset, roster, effort=GIVEN_UP) == (Possibility.UNFINISHED, (), False)


def test_steps_that_run_out_are_told_apart_from_the_clock() -> None:
    ruleset, roster = read_case("one-squad-of-two")
    completion = complete(ruleset, roster, effort=Effort(10))
    assert (completion.answer, completion.is_finished) == (Possibility.UNKNOWN, True)


def test_what_a_share_spends_is_spent_of_the_whole() -> None:
    whole = Effort(100).start()
    half = whole.share(0.5)
    half.spend(50)
    assert (whole.left, half.left) == (50, 0)
    with pytest.raises(OverdueError):
        half.spend()
    assert whole.left == 49
    with pytest.raises(UnfinishedError):
        Budget(Work(-1.0), 100).spend()
