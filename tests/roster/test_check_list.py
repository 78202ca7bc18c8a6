"""The command judges a list with status, verdict and reasons, and locates errors in a document."""

import io
import json
import os
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest
from django.core.management import call_command
from django.db import DatabaseError

from catalogue.formats.packs.load import SHIPPED
from catalogue.models import PackVersion
from catalogue.services.releases import publish_version
from roster.management.commands import check_list
from roster.services import list_check
from roster.services.evaluation import evaluate_with
from tests.roster.small_game import installed
from tests.roster.small_game_update import later
from tests.shipped_packs import install_shipped

HEAD = "list: 1\ngame: fenland\nfaction: marsh\nname: Low water\n"
LEGAL = (
    HEAD
    + "detachments: [{detachment: column, units: [warden, {unit: cutters, options: [{option: cutter, count: 6}]}]}]\n"
)
ILLEGAL = HEAD + "limits: {points: 30}\ndetachments: [{detachment: column, units: [warden, cutters, giants]}]\n"
INCOMPLETE = HEAD + "detachments: [{detachment: column, name: First, units: [warden, giants]}]\n"


DECK = ", ".join(
    f"{{option: {card}, count: {count}}}"
    for card, count in {
        "Dodge / Shoot": 8,
        "Dodge / Leap": 5,
        "Combat / Storm of Blades": 5,
        "Defense / Guardian Angel": 4,
        "Charging / Trap": 3,
    }.items()
)


class Ran(NamedTuple):
    status: int
    out: str
    err: str


@pytest.fixture
def ran(db: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    installed()

    def run(text: str | bytes, *options: str, name: str = "list.yaml") -> Ran:
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        with pytest.raises(SystemExit) as ended:
            call_command("check_list", str(path), *options)
        return Ran(ended.value.code, *capsys.readouterr())

    return run


def test_a_list_that_takes_too_long_is_given_up(ran, settings) -> None:
    settings.ARMYBUILDER = {**settings.ARMYBUILDER, "JUDGING_SECONDS": {"guest": 0, "account": 0}}
    answer = ran(LEGAL, "--json")
    assert (answer.status, json.loads(answer.out)["unreadable"]["code"]) == (2, "too-slow")


def test_a_version_that_waits_to_be_published_is_not_there(ran) -> None:
    new = later(hold=True)
    asked = LEGAL.replace("faction:", f"version: {new.short_hash}\nfaction:")
    assert ran(asked).status == 2
    publish_version(new)
    assert ran(asked).status != 2


def test_an_unknown_version_is_told_which_there_are(ran) -> None:
    later()
    said = ran(LEGAL.replace("faction:", "version: tomorrow\nfaction:")).err
    assert "2.0" in said
    assert said.index("2.0") < said.index("1.0")


@pytest.mark.parametrize(("text", "status"), [(LEGAL, 0), (ILLEGAL, 1), (INCOMPLETE, 3), ("", 2)])
def test_the_status_is_the_verdict(ran, text: str, status: int) -> None:
    assert ran(text).status == status
    assert ran(text, "--json").status == status


def test_a_legal_list_is_told_with_its_totals(ran) -> None:
    out = ran(LEGAL).out
    for part in ("Low water", "Fenland", "Marsh Folk", "32", "100", "points", "The weather.", "Fen Book", "p. 50"):
        assert part in out


def test_each_breach_is_told_with_rule_book_and_figures(ran) -> None:
    out = ran(INCOMPLETE).out
    for part in (
        "Columns",
        "No more hammer units than core ones.",
        "[fen-columns]",
        "Fen Book",
        "p. 4",
        "Hammer",
        "1",
        "0",
    ):
        assert part in out
    over = ran(ILLEGAL).out
    for part in ("51", "30"):
        assert part in over


def test_json_is_what_the_api_answers(ran) -> None:
    found = json.loads(ran(INCOMPLETE, "--json").out)
    assert (found["verdict"], found["legal"], found["game"], found["name"]) == (
        "incomplete",
        False,
        "fenland",
        "Low water",
    )
    (violation,) = found["violations"]
    assert (violation["code"], violation["rule"], violation["measured"], violation["allowed"]) == (
        "maximum",
        "fen-columns",
        "1",
        "0",
    )
    assert violation["citation"] == {"text": "Fen Book, p. 4", "book": "Fen Book", "section": "", "page": "4"}
    assert found["costs"] == [{"type": "points", "name": "points", "value": "41", "limit": "100"}]
    assert [note["code"] for note in found["unchecked"]] == ["weather"]


@pytest.mark.parametrize(
    ("text", "line", "part"),
    [
        (LEGAL.replace("warden", "wardn"), 5, "warden"),
        (HEAD + "detachments: [\n", 6, ""),
        (HEAD + "nmae: x\n", 5, "name"),
        (HEAD.replace("fenland", "fenlnd"), 2, "manage.py load_packs"),
        (HEAD.replace("marsh", "mrash"), 3, "marsh"),
        (HEAD + "version: '9.9'\n", 5, ""),
        ("list: 1\ngame: fenland\n", 1, "weir"),
        (HEAD + "name: again\n", 5, "name"),
        (HEAD + "notes: !!python/name:os.system x\n", 5, ""),
    ],
)
def test_an_unreadable_list_is_told_with_line_and_reason(ran, text: str, line: int, part: str) -> None:
    status, out, err = ran(text)
    assert (status, out) == (2, "")
    assert f"list.yaml:{line}" in err
    assert part in err
    status, out, err = ran(text, "--json")
    found = json.loads(out)["unreadable"]
    assert (status, found["line"], bool(found["reason"])) == (2, line, True)


def test_a_file_that_is_not_there(db: None, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("/nowhere/list.yaml", "/"):
        with pytest.raises(SystemExit) as ended:
            call_command("check_list", name)
        assert ended.value.code == 2
        assert name in capsys.readouterr().err


def test_json_by_its_name_and_by_its_look(ran) -> None:
    text = json.dumps({"list": 1, "game": "Fenland", "faction": "Marsh Folk", "version": "1.0", "detachments": []})
    assert ran(text, name="list.json").status == 3  # nothing is taken yet
    assert ran(text, name="list").status == 3
    assert ran(text.replace("}", ",}"), name="list.json").status == 2


def test_standard_input(db: None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    installed()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(LEGAL.encode())))
    with pytest.raises(SystemExit) as ended:
        call_command("check_list", "-")
    assert ended.value.code == 0


def test_names_cannot_paint_the_terminal(ran) -> None:
    out = ran(json.dumps({"list": 1, "game": "fenland", "faction": "marsh", "name": "\x1b[31mred"}), name="a.json").out
    assert "\x1b" not in out
    assert "red" in out


def test_a_database_without_tables_is_told(ran, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*args: object, **options: object) -> None:
        raise DatabaseError("no such table")

    monkeypatch.setattr(check_list, "read_list_file", broken)
    status, _, err = ran(LEGAL)
    assert status == 2
    assert "manage.py load_packs" in err


def test_the_sheet_goes_into_a_file(ran, tmp_path: Path) -> None:
    out = tmp_path / "sheet.pdf"
    assert ran(LEGAL, "--pdf", str(out)).status == 0
    assert out.read_bytes().startswith(b"%PDF-")


def test_a_sheet_that_cannot_be_written_is_told_after_the_verdict(ran) -> None:
    status, out, err = ran(LEGAL, "--pdf", "/nowhere/sheet.pdf")
    assert status == 4
    assert "Low water" in out
    assert "/nowhere/sheet.pdf" in err


def test_a_game_without_points_has_no_total(ran) -> None:
    install_shipped(SHIPPED / "edge_dawnfall" / "dawnfall")
    six = "angel-of-death, holy-knight, holy-knight, holy-knight, ranger, pilgrim, chapter-banner, sanctuary"
    answer = ran(
        "list: 1\ngame: edge-dawnfall\nfaction: chapter\ndetachments:\n"
        f"- detachment: two-player\n  units: [{six}, {{unit: chapter-deck, options: [{DECK}]}}]\n",
        "--repair",
    )
    assert "→ Make it legal: −1 Holy Knight\n" in answer.out
    assert "points" not in answer.out
    assert not any(line.isspace() for line in answer.out.splitlines())


def test_a_legal_list_has_nothing_to_repair(ran) -> None:
    answer = ran(LEGAL, "--repair", "--json")
    found = json.loads(answer.out)["found"]
    assert (answer.status, found["answer"], found["finished"]) == (0, "yes", True)
    assert [way["changes"] for way in found["ways"]] == [[]]
    assert found["text"]
    assert "→" not in ran(LEGAL, "--repair").out


def test_who_is_patient_goes_on_where_the_clock_ended_looking_ahead(ran, monkeypatch: pytest.MonkeyPatch) -> None:
    lost = HEAD + "limits: {points: 30}\ndetachments: [{detachment: column, units: [cutters]}]\n"
    finished = ran(lost, "--json")
    monkeypatch.setattr(list_check, "evaluate_with", partial(evaluate_with, seconds=-1.0))
    given_up = ran(lost, "--json")
    assert [json.loads(answer.out)["finished"] for answer in (finished, given_up)] == [True, False]
    assert "--patient" in ran(lost).out
    assert ran(lost, "--json", "--patient").out == finished.out
    assert "--patient" not in ran(lost, "--patient").out


def test_of_community_data_only_who_is_patient_hears_that_nothing_completes_a_list(
    ran, monkeypatch: pytest.MonkeyPatch
) -> None:
    lost = HEAD + "detachments: [{detachment: column, units: [cutters, cutters, crew, crew]}]\n"
    monkeypatch.setattr(PackVersion, "is_community", True)
    answers = ran(lost, "--json"), ran(lost, "--json", "--patient")
    assert [json.loads(answer.out)["verdict"] for answer in answers] == ["incomplete", "illegal"]


NOT_ASKED_FOR = (
    "weasyprint",
    "pydyf",
    "fontTools",
    "ortools",
    "rapidfuzz",
    "pypdf",
    "rest_framework.views",
    "rest_framework.serializers",
    "drf_spectacular.generators",
    "allauth.account.forms",
    "armybuilder.urls",
    "roster.urls",
    "roster.views",
    "roster.pdf",
    "roster.formats.text.parse",
    "roster.events.services.bulk_checks",
    "roster.events.services.judging",
    "catalogue.views",
    "catalogue.formats.packs.compile",
    "catalogue.formats.battlescribe.reader",
)
"""Slow imports that judging does not need: printing, pages, the API, solving, reading packs."""
CHECK = f"""
import sys
from django.core.management import execute_from_command_line
try:
    execute_from_command_line(["manage.py", "check_list", sys.argv[1]])
finally:
    print(*sorted(name for name in {NOT_ASKED_FOR} if name in sys.modules))
"""


@pytest.mark.slow
def test_a_verdict_does_not_wait_for_what_nobody_asked_for(tmp_path: Path) -> None:
    env = {**os.environ, "DJANGO_SETTINGS_MODULE": "armybuilder.settings.test"}
    env["DATABASE_URL"] = f"sqlite:///{tmp_path}/empty.sqlite3"
    file = tmp_path / "list.yaml"
    file.write_text(LEGAL)
    done = subprocess.run([sys.executable, "-c", CHECK, str(file)], env=env, capture_output=True, text=True)
    # It gets as far as looking up the game.
    assert "manage.py migrate" in done.stderr
    assert (done.returncode, done.stdout.split()) == (2, [])
