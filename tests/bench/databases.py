"""Databases to measure on: prepared once per process, then copied into temporary folders."""

import atexit
import os
import shutil
import subprocess
import sys
import tempfile
import time
from functools import cache
from pathlib import Path

from catalogue.formats.packs.load import SHIPPED
from tests.bench.benchmark import or_least

ROOT = Path(__file__).resolve().parents[2]
FEW_PACKS = [str(SHIPPED / "reeds_and_rust"), str(SHIPPED / "maelstroms_edge" / "second")]


def environment_of(folder: Path | str) -> dict[str, str]:
    return {"ARMYBUILDER_VAR": str(folder), "DJANGO_SETTINGS_MODULE": "tests.bench.settings", "DATABASE_URL": ""}


def packs_to_load() -> list[str]:
    """Return the packs for `load_packs`: all shipped ones, or a few if ONCE is set."""
    return or_least([], FEW_PACKS)


def manage(folder: Path | str, *command: str) -> float:
    """Run a command of manage.py on the database in a folder and return its seconds. Warnings are only shown if it
    fails.
    """
    begin = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "manage.py", *command, "--verbosity=0"],
        cwd=ROOT,
        env={**os.environ, **environment_of(folder)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    if done.returncode:
        raise RuntimeError(f"manage.py {' '.join(command)} failed: {done.stderr}")
    return time.perf_counter() - begin


def empty_database(folder: Path | str) -> None:
    shutil.copytree(_migrated(), folder, dirs_exist_ok=True)


def full_database(folder: Path | str) -> None:
    shutil.copytree(_loaded(), folder, dirs_exist_ok=True)


@cache
def _migrated() -> Path:
    folder = _scratch()
    manage(folder, "migrate")
    return folder


@cache
def _loaded() -> Path:
    folder = _scratch()
    empty_database(folder)
    manage(folder, "load_packs", *packs_to_load())
    manage(folder, "load_examples")
    return folder


def _scratch() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="armybuilder-bench-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder
