"""A database from before the apps were renamed migrates, opens everywhere, and keeps its verdicts.

`make_old_database.py` says how the database was made.
"""

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.complete]

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
CORRECTED: dict[str, str] = {}
"""Lists, by name, whose verdict a corrected reading of the book changed, with the current verdict."""


@pytest.fixture(scope="module")
def expected() -> list[dict[str, Any]]:
    return json.loads((HERE / "expected.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def visited(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("upgrade")
    database = folder / "old.sqlite3"
    database.write_bytes(gzip.decompress((HERE / "old.sqlite3.gz").read_bytes()))
    environment = {
        **os.environ,
        "DATABASE_URL": f"sqlite:///{database}",
        "DJANGO_SETTINGS_MODULE": "armybuilder.settings.test",
        "ARMYBUILDER_VAR": str(folder),
    }

    def run(*arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, *arguments], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr[-2000:]
        return done.stdout

    run("manage.py", "migrate", "--verbosity", "0")
    return json.loads(run("-m", "tests.upgrade.visit", str(HERE / "ada.backup")))


def test_every_list_is_there_with_its_history(expected: list[dict[str, Any]], visited: dict[str, Any]) -> None:
    assert {row["public_id"]: row["revisions"] for row in expected} == {
        public_id: row["revisions"] for public_id, row in visited["lists"].items()
    }


def test_every_list_opens(expected: list[dict[str, Any]], visited: dict[str, Any]) -> None:
    opened = [visited["lists"][row["public_id"]] for row in expected]
    assert {page["builder"] for page in opened} == {page["history"] for page in opened} == {200, None}
    assert {page["json"] for page in opened} == {200, None}


def test_printed_links_lead_to_shared_lists_alone(expected: list[dict[str, Any]], visited: dict[str, Any]) -> None:
    assert expected
    for row in expected:
        readable = row["visibility"] != "private" and not row["binned"]
        assert visited["lists"][row["public_id"]]["printed"] == (200 if readable else 404), row["name"]


def test_verdicts_are_as_they_were(expected: list[dict[str, Any]], visited: dict[str, Any]) -> None:
    assert expected
    for row in expected:
        verdict = CORRECTED.get(row["name"], row["verdict"])
        assert visited["lists"][row["public_id"]]["verdict"] == verdict, row["name"]


def test_an_owner_is_told_once_of_a_list_that_comes_out_otherwise(visited: dict[str, Any]) -> None:
    pages = [page for page in visited["lists"].values() if page["told"] is not None]
    assert pages
    assert [page["told"] for page in pages] == [page["stored"] != page["now"] for page in pages]
    assert {page["told_again"] for page in pages} == {False}
    corrected = visited["lists"][visited["corrected"]]
    assert corrected["told"]
    assert (corrected["stored"][1], corrected["now"][1]) == ("legal", "illegal")


def test_decks_and_hands_open(visited: dict[str, Any]) -> None:
    assert (visited["decks"], visited["hands"], visited["mine"]) == ([200], [200], 200)


def test_a_backup_of_then_restores(visited: dict[str, Any]) -> None:
    assert (visited["restored"], visited["still_there"]) == (3, 3)
