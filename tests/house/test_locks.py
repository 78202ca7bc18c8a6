"""The locks have each package that a supported Python needs, at one version, with hashes and without URLs."""

import re
import tomllib
from importlib.metadata import PackageNotFoundError, distribution
from itertools import product
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
RUN, S3, DEV, AUDIT, MUTANTS = (f".ci/requirements{kind}.txt" for kind in ("", "-s3", "-dev", "-audit", "-mutants"))
PYTHONS = ["3.11.0", "3.11.2", "3.11.3", "3.12.0", "3.13.0", "3.14.0"]
MACHINES = ["x86_64", "aarch64"]
ENVIRONMENTS = [
    {
        "implementation_name": "cpython",
        "os_name": "posix",
        "platform_machine": machine,
        "platform_python_implementation": "CPython",
        "platform_system": "Linux",
        "python_full_version": python,
        "python_version": python.rpartition(".")[0],
        "sys_platform": "linux",
    }
    for python, machine in product(PYTHONS, MACHINES)
]
each_environment = pytest.mark.parametrize(
    "environment", ENVIRONMENTS, ids=lambda asked: f"{asked['python_full_version']}-{asked['platform_machine']}"
)


def read_requirements(name: str, environment: dict[str, str]) -> dict[str, Requirement]:
    """Return the requirements by name that apply in an environment, from a lock or its source."""
    text = (ROOT / name).read_text(encoding="utf-8").replace("\\\n", "")
    lines = [re.sub(r"\s+--hash=\S+", "", line) for line in text.splitlines() if re.match(r"[A-Za-z0-9]", line)]
    requirements = [Requirement(line) for line in lines]
    applying = [found for found in requirements if found.marker is None or found.marker.evaluate(environment)]
    by_name = {canonicalize_name(found.name): found for found in applying}
    assert len(by_name) == len(applying), "a package is locked twice"
    return by_name


@pytest.mark.parametrize("name", [RUN, S3, DEV, AUDIT, MUTANTS, "static/package-lock.json"])
def test_locks_carry_no_address(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    address = re.compile(r".*(?:https?:|file:/|--index|--extra-index|--find-links|--trusted-host|\"resolved\").*")
    assert address.findall(text) == []


@pytest.mark.parametrize("name", [RUN, S3, DEV, AUDIT, MUTANTS])
def test_every_locked_package_has_hashes(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    blocks = re.split(r"\n(?=\S)", text.replace("\\\n", ""))
    packages = [block for block in blocks if re.match(r"[a-z0-9]", block)]
    assert packages
    assert [block for block in packages if "==" not in block or "--hash=sha256:" not in block] == []


def test_pythons_that_are_tried_are_those_that_are_admitted():
    admitted = SpecifierSet(
        tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["requires-python"]
    )
    assert all(admitted.contains(python) for python in PYTHONS)
    assert not admitted.contains("3.10.99")


@each_environment
@pytest.mark.parametrize("lock", [S3, DEV])
def test_locks_agree(lock, environment):
    run, other = read_requirements(RUN, environment), read_requirements(lock, environment)
    common = run.keys() & other.keys()
    assert common
    assert {name for name in common if run[name].specifier != other[name].specifier} == set()


@each_environment
@pytest.mark.parametrize("lock", [RUN, S3, DEV])
def test_everything_that_is_needed_is_locked(lock, environment):
    """Follow requirements from the `.in` file through the installed packages: each has a matching pin."""
    pins = read_requirements(lock, environment)
    waiting = list(read_requirements(lock.replace(".txt", ".in"), environment).values())
    seen, missing = set(), []
    while waiting:
        wanted = waiting.pop()
        name = canonicalize_name(wanted.name)
        if name not in pins:
            missing.append(str(wanted))
            continue
        version = next(iter(pins[name].specifier)).version
        if not wanted.specifier.contains(version, prereleases=True):
            missing.append(f"{wanted}, but {version} is locked")
        try:
            package = distribution(name)
        except PackageNotFoundError:
            continue
        if package.version != version:
            continue
        for extra in {"", *wanted.extras}:
            if (name, extra) in seen:
                continue
            seen.add((name, extra))
            needed = [Requirement(line) for line in package.requires or []]
            waiting += [
                each for each in needed if each.marker is None or each.marker.evaluate({**environment, "extra": extra})
            ]
    assert seen
    assert missing == []
