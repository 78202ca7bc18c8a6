"""The command completes, fills and mends a list, and says what may be added, to a list or within a limit."""

import json
from pathlib import Path
from typing import NamedTuple

import pytest
from django.core.management import CommandError, call_command

from tests.roster.small_game import installed
from tests.roster.test_check_list import HEAD, LEGAL

INCOMPLETE = HEAD + "detachments: [{detachment: column, units: [crew]}]\n"
BROKEN = HEAD + "detachments: [{detachment: column, units: [warden, crew, crew, crew, crew]}]\n"
LOST = HEAD + "detachments: [{detachment: column, units: [crew, crew, crew, crew]}]\n"


class Ran(NamedTuple):
    status: int
    out: str
    err: str


class Terminal:
    """Runs commands on a list."""

    def __init__(self, path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self._path, self._capsys = path, capsys

    def __call__(self, command: str, *options: str) -> Ran:
        status = 0
        try:
            call_command(command, *options)
        except SystemExit as ended:
            status = int(str(ended.code or 0))
        return Ran(status, *self._capsys.readouterr())

    def check(self, text: str, *options: str) -> Ran:
        self._path.write_text(text, encoding="utf-8")
        return self("check_list", str(self._path), *options)


@pytest.fixture
def run(db: None, flat_fenland: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Terminal:
    installed()
    return Terminal(tmp_path / "list.yaml", capsys)


@pytest.mark.parametrize(
    ("text", "option", "status", "words"),
    [
        (INCOMPLETE, "--complete", 3, "Complete it: +1 Wärden"),
        (INCOMPLETE, "--fill", 3, "Fill with what fits: "),
        (BROKEN, "--repair", 1, "Make it legal: −1 Crew"),
    ],
)
def test_a_way_is_told_after_the_verdict(run: Terminal, text: str, option: str, status: int, words: str) -> None:
    told = run.check(text, option)
    assert told.status == status
    assert words in told.out
    found = json.loads(run.check(text, option, "--json").out)
    assert found["verdict"] in ("incomplete", "illegal")
    assert found["found"]["answer"] == "yes"
    assert all(way["legal"] for way in found["found"]["ways"])


def test_a_way_is_written_to_a_file_that_is_legal(run: Terminal, tmp_path: Path) -> None:
    out = tmp_path / "legal.yaml"
    assert run.check(BROKEN, "--repair", "--out", str(out)).status == 1
    assert run("check_list", str(out)).status == 0
    told = run.check(BROKEN, "--repair", "--out", str(tmp_path / "nowhere" / "legal.yaml"))
    assert (told.status, "legal.yaml" in told.err) == (4, True)


def test_where_there_is_no_way_it_says_so(run: Terminal) -> None:
    told = run.check(LOST, "--complete")
    assert (told.status, "No addition can make this list legal" in told.out) == (1, True)


def test_where_no_change_makes_it_legal_it_says_so(run: Terminal) -> None:
    hopeless = LOST + "limits: {points: 3}\n"
    told = run.check(hopeless, "--repair")
    assert (told.status, "Nothing you could add or remove" in told.out) == (1, True)
    assert json.loads(run.check(hopeless, "--repair", "--json").out)["found"]["answer"] == "no"


def test_the_same_seed_fills_alike(run: Terminal) -> None:
    once, again = (run.check(INCOMPLETE, "--fill", "--seed", "5").out for _ in range(2))
    assert once == again


def test_what_may_be_added_is_told_best_first(run: Terminal) -> None:
    told = run.check(INCOMPLETE, "--addable")
    lines = told.out[told.out.index("Units you can add") :].splitlines()[1:]
    assert "Wärden · needed" in lines[0]
    found = json.loads(run.check(INCOMPLETE, "--addable", "--json").out)
    assert found["addable"][0]["name"] == "Wärden"


@pytest.mark.parametrize("options", [("--fill", "--seed", "soon"), ("--fill", "--seed", "-1"), ("--fill", "--repair")])
def test_bad_options_are_refused(run: Terminal, options: tuple[str, ...]) -> None:
    with pytest.raises(CommandError):
        run.check(LEGAL, *options)


def test_an_unreadable_list_has_no_way(run: Terminal) -> None:
    assert run.check("list: 1\ngame: nowhere\n", "--repair").status == 2


@pytest.mark.usefixtures("without_solver")
@pytest.mark.parametrize("option", ["--complete", "--fill", "--repair", "--addable"])
def test_without_a_solver_it_says_so(run: Terminal, option: str) -> None:
    told = run.check(INCOMPLETE, option)
    assert (told.status, "no solver" in told.err) == (2, True)
    assert run.check(INCOMPLETE).status == 3
    told = run("list_takeable", "fenland", "marsh", "100")
    assert (told.status, "no solver" in told.err) == (2, True)


def test_what_can_be_taken_within_a_limit(run: Terminal) -> None:
    told = run("list_takeable", "fenland", "marsh", "40")
    assert told.status == 0
    assert "Giants · leaves no legal list" in told.out
    found = json.loads(run("list_takeable", "fenland", "marsh", "100", "--json").out)
    assert {one["unit"]: one["answer"] for one in found}["giants"] == "yes"


@pytest.mark.parametrize(
    ("game", "faction", "limit", "word"),
    [
        ("nowhere", "marsh", "100", "fenland"),
        ("fenland", "otters", "100", "marsh"),
        ("fenland", "marsh", "many", "how many points"),
        ("fenland", "marsh", "", "how many points"),
    ],
)
def test_bad_questions_are_answered_in_words(run: Terminal, game: str, faction: str, limit: str, word: str) -> None:
    told = run("list_takeable", game, faction, limit)
    assert (told.status, told.out, word in told.err) == (2, "", True)
