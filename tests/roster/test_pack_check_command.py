"""`manage.py check_packs`."""

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from catalogue.formats.packs.load import SHIPPED
from tests.catalogue.pack_files import PACK, UNITS, read_files


def check(*paths: Path) -> tuple[str, str]:
    out, err = StringIO(), StringIO()
    call_command("check_packs", *map(str, paths), stdout=out, stderr=err, no_color=True)
    return out.getvalue(), err.getvalue()


def test_sound_packs(tmp_path: Path) -> None:
    read_files(tmp_path / "a", {})
    read_files(tmp_path / "b", {})
    out, err = check(tmp_path)
    assert "2 packs checked" in out
    assert err == ""


def test_a_shipped_pack() -> None:
    assert "Reeds and Rust" in check(SHIPPED / "reeds_and_rust")[0]


def test_a_broken_pack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read_files(tmp_path / "pond", {"units.yaml": UNITS.replace("points: 5", "pints: 5")})
    monkeypatch.chdir(tmp_path)
    err = StringIO()
    with pytest.raises(CommandError, match=r"1 mistake in 1 of 1 pack\."):
        call_command("check_packs", str(tmp_path), stdout=StringIO(), stderr=err, no_color=True)
    (line,) = err.getvalue().splitlines()
    assert line.startswith("pond/units.yaml:6: ")
    assert "points" in line


def test_a_warning_is_not_a_mistake(tmp_path: Path) -> None:
    read_files(tmp_path, {"units.yaml": UNITS + "  options: [Nothing]\n"})
    out, err = check(tmp_path)
    assert "1 pack checked" in out
    assert "units.yaml:8" in err


def test_a_flaw_is_a_mistake_though_the_pack_can_be_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    objectives = "cite: book, p. 1\nmaps:\n- {map: Banks, roll: 1}\n- {map: Fens, roll: 3}\n"
    reading = read_files(tmp_path, {"play.yaml": objectives})
    assert reading.data is not None
    monkeypatch.chdir(tmp_path)
    err = StringIO()
    with pytest.raises(CommandError, match="2 mistakes in 1 of 1 pack"):
        call_command("check_packs", str(tmp_path), stdout=StringIO(), stderr=err, no_color=True)
    assert [line.split(": ")[0] for line in err.getvalue().splitlines()] == ["play.yaml:3", "play.yaml:4"]


LIST = """\
list: 1
game: pond
faction: frogs
expect: legal
detachments: [{detachment: pond, units: [toad]}]
"""


@pytest.mark.parametrize("folder", ["lists", "proofs"])
@pytest.mark.parametrize(
    ("text", "line", "hint"),
    [
        (LIST.replace("units", "unitz"), 5, "units"),
        (LIST.replace("[toad]", "[tode]"), 5, "toad"),
        (LIST + "total: 7\n", 1, "total: 5"),
        (LIST.replace("legal", "illegal\nbreaks: [p-size-min]"), 1, "expect: legal"),
    ],
)
def test_a_list_that_does_not_come_out_as_it_says(tmp_path: Path, folder: str, text: str, line: int, hint: str) -> None:
    read_files(tmp_path, {f"{folder}/one.yaml": text, "proofs/units/newts.yaml": UNITS.replace("Toad", "Newt")})
    err = StringIO()
    with pytest.raises(CommandError, match="1 mistake"):
        call_command("check_packs", str(tmp_path), stdout=StringIO(), stderr=err, no_color=True)
    (said,) = err.getvalue().splitlines()
    assert f"{folder}/one.yaml:{line}: " in said
    assert hint in said


def test_a_list_that_comes_out_as_it_says(tmp_path: Path) -> None:
    read_files(tmp_path, {"lists/one.yaml": LIST + "total: 5\n"})
    assert "1 pack checked" in check(tmp_path)[0]


INVENTORY = """\
inventory:
{rules}
- rule: p-marsh
  name: Marsh
  text: Toads stay in the marsh.
  cite: {{book: book, page: 1}}
  clauses: {{toads: Toads stay., newts: {newts}}}
"""


def findings(path: Path, newts: str, worked: str, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the findings of check_packs on a pack with a clause that nothing shows."""
    data = read_files(path, {}).data
    assert data is not None
    rules = "\n".join(f"- {{rule: {rule.id}, kind: show}}" for rule in data.game_system.rulebook)
    inventory = INVENTORY.format(rules=rules, newts=newts)
    read_files(path, {"rules.yaml": inventory, "lists/one.yaml": worked})
    monkeypatch.chdir(path)
    err = StringIO()
    with pytest.raises(CommandError):
        call_command("check_packs", str(path), stdout=StringIO(), stderr=err, no_color=True)
    return err.getvalue().splitlines()


def test_a_clause_without_lists_is_named_where_it_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = findings(tmp_path, "Newts too.", LIST + "keeps: [p-marsh/newts]\n", monkeypatch)
    assert [line.split(": ")[0].split(":")[0] for line in lines] == ["rules.yaml", "rules.yaml"]
    assert "`breaks: [p-marsh/toads]` and `keeps: [p-marsh/toads]`" in lines[0]
    assert "`breaks: [p-marsh/newts]`" in lines[1]


def test_a_clause_said_to_be_open_needs_no_list(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    worked = LIST + "keeps: [p-marsh/toads]\n"
    (line,) = findings(tmp_path, "{text: Newts too., open: Not yet.}", worked, monkeypatch)
    assert "p-marsh/toads" in line


def test_a_list_that_shows_nothing(tmp_path: Path) -> None:
    read_files(tmp_path, {"lists/one.yaml": LIST})
    err = StringIO()
    with pytest.raises(CommandError, match="1 mistake"):
        call_command("check_packs", str(tmp_path), stdout=StringIO(), stderr=err, no_color=True)
    assert "lists/one.yaml:1: " in err.getvalue()


@pytest.mark.parametrize("claim", ["p-marsh/toad", "p-mash", "p-marsh/"])
def test_a_claim_of_what_the_pack_does_not_have(tmp_path: Path, claim: str, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = findings(tmp_path, "Newts too.", LIST + f"keeps: [{claim}]\n", monkeypatch)
    assert any(line.startswith("lists/one.yaml:1: ") and claim in line for line in lines)


def test_no_pack_there(tmp_path: Path) -> None:
    with pytest.raises(CommandError):
        check(tmp_path)


def test_a_pack_beside_a_broken_one_is_checked_too(tmp_path: Path) -> None:
    read_files(tmp_path / "a", {"pack.yaml": PACK.replace("Pond Book", "Pond: Book")})
    read_files(tmp_path / "b", {})
    out = StringIO()
    with pytest.raises(CommandError, match="1 of 2 packs"):
        call_command("check_packs", str(tmp_path), stdout=out, stderr=StringIO(), no_color=True)
    assert "Pond 1: 1 faction, 1 entry, 0 lists" in out.getvalue()
