"""Roster files of other programs: what is read, and what is refused."""

import io
import zipfile

import pytest

from roster.engine.tree import CategoryNote, Limit, Selection
from roster.formats.ros import ReadError, RosterFile, read_ros

ROSTER = """<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<roster id="r" name="Ducks in a row" battleScribeVersion="2.03" gameSystemId="sys" gameSystemName="Ducks"
        gameSystemRevision="3" xmlns="http://www.battlescribe.net/schema/rosterSchema">
  <costs><cost name="crumbs" typeId="pts" value="12.5"/></costs>
  <costLimits><costLimit name="crumbs" typeId="pts" value="20.0"/>
    <costLimit name="x" typeId="x" value="-1.0"/></costLimits>
  <forces><force id="f" name="Flock" entryId="flock" catalogueId="pond" catalogueRevision="7" catalogueName="The Pond"
      customName="My flock">
%s
    <categories>
      <category id="c1" name="Bird" entryId="bird" primary="false" customName="Beaks">
        <customNotes>loud</customNotes></category>
      <category id="c2" name="Egg" entryId="egg" primary="false"/>
    </categories>
    <customNotes>wet</customNotes>
    <forces><force id="w" name="Wing" entryId="wing" catalogueId="pond" catalogueName="The Pond"
      catalogueRevision="7"/></forces>
  </force></forces>
  <customNotes>for Sunday</customNotes>
</roster>"""


def selection(ident: str, number: int, inside: str = "", more: str = "") -> str:
    return (
        f'<selection id="{ident}" name="{ident.title()}" entryId="l::{ident}" number="{number}" type="model" {more}>'
        f"<selections>{inside}</selections></selection>"
    )


def read(selections: str = "") -> RosterFile:
    return read_ros("ducks.ros", (ROSTER % f"<selections>{selections}</selections>").encode())


def chosen(selections: str) -> tuple[Selection, ...]:
    return read(selections).roster.forces[0].selections


def shape(selections: tuple[Selection, ...]) -> list[object]:
    return [(s.id, s.number, shape(s.selections)) if s.selections else (s.id, s.number) for s in selections]


def error(data: str | bytes, name: str = "ducks.ros") -> ReadError:
    with pytest.raises(ReadError) as caught:
        read_ros(name, data.encode() if isinstance(data, str) else data)
    return caught.value


def test_the_roster_and_what_it_was_made_with() -> None:
    file = read()
    assert (file.roster.id, file.roster.name, file.roster.notes) == ("r", "Ducks in a row", "for Sunday")
    assert file.roster.limits == (Limit(type_id="pts", value=20),)
    assert file.roster.cost_types == ("pts",)
    assert (file.game_system.id, file.game_system.revision) == ("sys", "3")
    assert [(c.id, c.name, c.revision) for c in file.catalogues] == [("pond", "The Pond", "7")]
    assert [str(c.value) for c in file.costs] == ["12.5"]


@pytest.mark.parametrize(("program", "kept"), [("", False), ("https://newrecruit.eu", False), ("armybuilder", True)])
def test_other_programs_write_a_limit_of_zero_for_none(program: str, kept: bool) -> None:
    text = (ROSTER % "").replace('value="20.0"', 'value="0"').replace("<roster ", f'<roster generatedBy="{program}" ')
    limits = read_ros("ducks.ros", text.encode()).roster.limits
    assert limits == ((Limit(type_id="pts", value=0),) if kept else ())


def test_forces_with_names_and_notes() -> None:
    (force,) = read().roster.forces
    assert (force.entry_id, force.catalogue_id, force.custom_name, force.notes) == ("flock", "pond", "My flock", "wet")
    assert force.category_notes == (CategoryNote(category_id="bird", custom_name="Beaks", notes="loud"),)
    assert [inner.entry_id for inner in force.forces] == ["wing"]


def test_selections_with_all_they_say() -> None:
    more = 'entryGroupId="l::g" customName="Donald"'
    (duck,) = chosen(
        selection("duck", 2, more=more).replace("<selections></selections>", "<customNotes>x</customNotes>")
    )
    assert duck == Selection(
        id="duck", entry_id="l::duck", group_id="l::g", number=2, name="Duck", custom_name="Donald", notes="x"
    )


def test_numbers_become_amounts_per_parent() -> None:
    beaks = selection("beak", 10, selection("tooth", 30))
    assert shape(chosen(selection("duck", 5, beaks))) == [("duck", 5, [("beak", 2, [("tooth", 3)])])]


def test_what_does_not_divide_is_taken_apart() -> None:
    file = read(selection("duck", 3, selection("spear", 2) + selection("hat", 3)))
    assert shape(file.roster.forces[0].selections) == [
        ("duck", 1, [("spear", 1), ("hat", 1)]),
        ("duck-2", 1, [("spear-2", 1), ("hat-2", 1)]),
        ("duck-3", 1, [("hat-3", 1)]),
    ]
    assert file.uneven == ("Duck",)


def test_uneven_far_down() -> None:
    file = read(selection("duck", 2, selection("spear", 4, selection("tip", 3))))
    assert shape(file.roster.forces[0].selections) == [
        ("duck", 1, [("spear", 1, [("tip", 1)]), ("spear-2", 1, [("tip-2", 1)])]),
        ("duck-2", 1, [("spear-3", 1, [("tip-3", 1)]), ("spear-4", 1)]),
    ]


def test_what_is_chosen_zero_times_is_not_kept() -> None:
    assert chosen(selection("duck", 0)) == ()


def test_ids_given_twice_are_told_apart() -> None:
    assert shape(chosen(selection("duck", 1) + selection("duck", 1))) == [("duck", 1), ("duck-2", 1)]


def test_before_2_01_selections_stand_in_categories() -> None:
    old = ROSTER.replace("2.03", "2.00") % ""
    inside = f"<selections>{selection('duck', 2)}</selections>"
    read_then = read_ros(
        "ducks.ros", old.replace("</customNotes></category>", f"</customNotes>{inside}</category>").encode()
    )
    assert shape(read_then.roster.forces[0].selections) == [("duck", 2)]


def test_packed_rosters() -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("Any name.ros", ROSTER % "")
    assert read_ros("ducks.rosz", buffer.getvalue()) == read_ros("ducks.ros", (ROSTER % "").encode())


BAD = {
    "empty": ("", "ducks.ros", "empty-file"),
    "data": ('<gameSystem id="x"/>', "ducks.ros", "wrong-root"),
    "doctype": ("<!DOCTYPE x><roster/>", "ducks.ros", "doctype"),
    "text": ("quack", "ducks.ros", "malformed-xml"),
    "other-file": ("quack", "ducks.txt", "unknown-file-type"),
    "too-old": ('<roster battleScribeVersion="1.15"/>', "ducks.ros", "old-format"),
    "cut-short": (b"PK\x03\x04 and no more", "ducks.rosz", "broken-archive"),
    "bad-cost": ('<roster><costs><cost value="dear"/></costs></roster>', "ducks.ros", "bad-number"),
    "bad-amount": (ROSTER % f"<selections>{selection('duck', -1)}</selections>", "ducks.ros", "bad-number"),
    "part-of-one": (ROSTER % '<selections><selection id="a" number="1.5"/></selections>', "ducks.ros", "bad-number"),
    "too-deep": ("<roster>" + "<forces><force>" * 5000, "ducks.ros", "too-deep"),
}


@pytest.mark.parametrize(("data", "name", "code"), BAD.values(), ids=BAD)
def test_bad_files(data: str | bytes, name: str, code: str) -> None:
    found = error(data, name)
    assert (found.code, found.file) == (code, name)


def test_the_place_of_a_mistake() -> None:
    assert error(ROSTER % f"<selections>\n{selection('duck', -1)}</selections>").line == 10


def test_deeply_nested_selections() -> None:
    nested = ""
    for number in range(100):
        nested = selection(f"s{number}", 1, nested)
    assert error(ROSTER % f"<selections>{nested}</selections>").code == "too-deep"


def test_a_roster_that_names_no_program_comes_from_battlescribe() -> None:
    assert read().roster.origin == "battlescribe"
    for program in ("https://newrecruit.eu", "armybuilder"):
        named = (ROSTER % "").replace("<roster ", f'<roster generatedBy="{program}" ', 1)
        assert read_ros("ducks.ros", named.encode()).roster.origin == ""
