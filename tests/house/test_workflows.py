"""The forge's workflows only call Makefile targets, so that everything can be run locally."""

import re
from pathlib import Path
from typing import Any

import pytest

from tests.plain_yaml import load_yaml_file

ROOT = Path(__file__).parents[2]
WORKFLOWS = {path.stem: path for path in sorted((ROOT / ".github" / "workflows").glob("*.yml"))}
TARGETS = set(re.findall(r"^([a-z][a-z-]*):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
MAKE = re.compile(r"(?:^|sudo |&& )make ([a-z][a-z-]*)", re.MULTILINE)


def read_workflow(name: str) -> dict[str, Any]:
    return load_yaml_file(WORKFLOWS[name])


def list_commands(job: dict[str, Any]) -> list[str]:
    return [step["run"] for step in job["steps"] if "run" in step]


@pytest.mark.parametrize("name", WORKFLOWS)
def test_each_job_calls_a_target_of_the_makefile(name: str) -> None:
    workflow = read_workflow(name)
    called = {job: MAKE.findall("\n".join(list_commands(steps))) for job, steps in workflow["jobs"].items()}
    assert called
    assert {job for job, targets in called.items() if not targets} == set()
    assert {target for targets in called.values() for target in targets} <= TARGETS


@pytest.mark.parametrize("name", WORKFLOWS)
def test_jobs_may_only_read_and_come_to_an_end(name: str) -> None:
    workflow = read_workflow(name)
    assert workflow["permissions"] == {"contents": "read"}
    assert all(job["timeout-minutes"] > 0 for job in workflow["jobs"].values())


def test_three_jobs_try_each_commit() -> None:
    jobs = read_workflow("ci")["jobs"]
    targets = {job: MAKE.findall("\n".join(list_commands(steps))) for job, steps in jobs.items()}
    assert {job: called[-1] for job, called in targets.items()} == {
        "lint": "lint",
        "quick": "quick",
        "complete": "complete",
    }


@pytest.mark.parametrize("name", ["ci", "mutants"])
def test_a_job_keeps_packages_as_long_as_their_locks(name: str) -> None:
    workflow = read_workflow(name)
    assert workflow["concurrency"]["group"]
    for job in workflow["jobs"].values():
        caches = [
            step["with"].get("cache-dependency-path") or step["with"].get("key", "")
            for step in job["steps"]
            if step.get("uses", "").startswith(("actions/setup-python@", "actions/cache@"))
        ]
        assert len(caches) == 1
        assert ".ci/requirements*.txt" in caches[0]
    assert workflow["jobs"]
