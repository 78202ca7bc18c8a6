"""Datasheets on paper: figures, texts next to names, boxes with damage steps."""

import re
from pathlib import Path

import pytest

from catalogue.formats.packs.load import SHIPPED
from roster.pdf.datasheet_parts import build_profile_parts
from roster.pdf.pages import PageLook
from roster.pdf.shapes import Datasheet, ProfileRow, ProfileTable
from roster.pdf.sheet_options import SheetOptions
from roster.pdf.sheet_pages import build_sheet_pages, make_look
from roster.pdf.stock import A6, MINI, POKER
from tests.full_lists import full_sheet
from tests.roster import paper_fixture
from tests.roster.paper_fixture import force, node, profile, report
from tests.roster.test_pdf_deck_lists import sheet_of

LISTS = {
    "necrons": SHIPPED / "wh40k" / "ninth" / "lists" / "necrons-incursion.yaml",
    "tyranids": SHIPPED / "wh40k" / "ninth" / "lists" / "tyranids-strike-force.yaml",
    "bauhaus": SHIPPED / "warzone" / "resurrection" / "lists" / "two-grizzlies.yaml",
    "marshal": SHIPPED / "warzone" / "resurrection" / "lists" / "marshals-column.yaml",
    "secdef": SHIPPED / "maelstroms_edge" / "first" / "lists" / "secdef-platoon.yaml",
}


def units_of(path: Path) -> dict[str, Datasheet]:
    return {unit.name: unit for unit in sheet_of(path).datasheets}


def test_an_invulnerable_save_stands_in_the_profile_and_not_among_the_rules() -> None:
    overlord = units_of(LISTS["necrons"])["Overlord"]
    assert overlord.profile is not None
    assert overlord.profile.heads[-1] == "Inv"
    assert overlord.profile.rows[0].cells[-1] == "4++"
    assert "Phase Shifter" not in {ability.name for ability in overlord.abilities}


def test_damage_steps_stand_below_the_profile_and_at_the_boxes() -> None:
    tyrant = units_of(LISTS["tyranids"])["Hive Tyrant"]
    assert tyrant.profile is not None
    wounds = tyrant.profile.heads.index("W")
    assert [row.cells[wounds] for row in tyrant.profile.rows] == ["12–7", "6–4", "3–1"]
    assert [row.is_step for row in tyrant.profile.rows] == [False, True, True]
    (track,) = tyrant.tracks
    assert (track.tops, track.groups) == ((12, 6, 3), (6, 3, 3))


def test_type_and_abilities_stand_beside_the_name_of_a_weapon() -> None:
    immortals = units_of(LISTS["necrons"])["Immortals"]
    (table,) = immortals.weapons
    assert table.heads == ("Range", "S", "AP", "D")
    assert [(row.name, row.beside) for row in table.rows] == [("Gauss Blaster", "Rapid Fire 1")]


def test_models_with_several_wounds_have_a_box_for_each() -> None:
    lychguard = units_of(LISTS["necrons"])["Lychguard"]
    (track,) = lychguard.tracks
    assert track.groups == (2,) * lychguard.models
    assert track.models


def test_armour_and_structure_of_a_vehicle_are_ticked_off_and_a_skill_is_not() -> None:
    (tank,) = [unit for unit in units_of(LISTS["bauhaus"]).values() if "Grizzly" in unit.name]
    assert [track.label for track in tank.tracks] == ["HULL", "WPNS", "MOV", "ENG"]
    assert all(sum(track.groups) > 0 for track in tank.tracks)
    people = units_of(LISTS["marshal"])["Blitzers"]
    assert [track.label for track in people.tracks] == [""]
    assert people.profile is not None
    assert "CC" in people.profile.heads


def test_abilities_stand_in_the_order_of_phases() -> None:
    phases = [ability.phase for ability in units_of(LISTS["secdef"])["SecDef Lieutenant"].abilities]
    order = ["command", "movement", "psychic", "shooting", "charge", "fight", "morale", "any", "destroyed", ""]
    assert len(set(phases)) > 1
    assert phases == sorted(phases, key=order.index)


@pytest.mark.parametrize("path", LISTS.values(), ids=LISTS)
def test_nothing_is_asked_for_that_only_matters_while_a_list_is_made(path: Path) -> None:
    units = units_of(path)
    assert units
    for unit in units.values():
        assert "list" not in {ability.phase for ability in unit.abilities}
        assert not any("see the unit card" in ability.text.casefold() for ability in unit.abilities)
        assert not any(keyword.startswith("<") for keyword in unit.keywords)


def test_the_title_of_a_table_is_whole_and_its_lines_are_counted() -> None:
    title = "Models of the first edition, as the beta has them"
    row = ProfileRow(label="", cells=("5", "2"), changed=(False, False))
    for stock in (MINI, POKER, A6):
        heights = []
        for words in ("Model", title):
            sheet = Datasheet(name="Scarecrow", profile=ProfileTable(words, ("MV", "EVS"), (row,)))
            (part,) = build_profile_parts(sheet, stock, 38)
            shown = re.search(r'<th class="l c\d+">(.*?)</th>', part.render())
            assert shown is not None
            assert re.sub(r"<[^>]*>", " ", shown[1]).split() == words.split()
            heights.append(part.height)
        assert heights[1] > heights[0]


def test_a_choice_for_the_whole_army_has_no_block() -> None:
    sheet = full_sheet(SHIPPED / "warzone" / "resurrection", 12)
    options = SheetOptions()
    first, *others = build_sheet_pages(sheet, options, make_look(sheet, options))
    assert "Line Battalion" in first.content
    assert others
    assert not any("Line Battalion" in page.content for page in others)


@pytest.mark.parametrize(
    ("heads", "expected"),
    [
        (("M", "WS", "T", "W", "Save"), "Sv"),
        (("Move", "Health", "Save", "Control"), "Save"),
        (("Health", "Save"), "Save"),
        (("APL", "Move", "Save", "Wounds"), "Save"),
    ],
)
def test_save_is_short_only_among_initials(heads: tuple[str, ...], expected: str) -> None:
    unit = node("Heron", "model", profiles=(profile("Heron", "|".join("4" * len(heads)), heads),))
    (sheet,) = paper_fixture.sheet(report(force("First detachment", unit))).datasheets
    assert sheet.profile is not None
    assert expected in sheet.profile.heads


def test_points_are_readable_in_a_game_without_colours() -> None:
    look = PageLook()
    assert (look.dark, look.light) == ("#111", "#fff")
    assert PageLook(saves_ink=True).light == "#111"


def test_damage_tables_of_community_data_are_steps_of_the_profile() -> None:
    heads = ("M", "WS", "BS", "S", "T", "W", "A", "Ld", "Save")
    columns = ("Remaining W", "WS", "BS", "Attacks")
    steps = ("7-12+|4+|4+|3", "4-6|4+|5+|D3", "1-3|5+|5+|1")
    tables = [
        profile(f"Exocrine ({number})", step, columns, "Stat Damage - WS, BS & A")
        for number, step in enumerate(steps, 1)
    ]
    beast = profile("Exocrine", '6"|*|*|7|8|12|*|6|3+', heads)
    unit = node("Exocrine", "model", cost=170, slot="Hammer", profiles=(beast, *tables))
    (sheet,) = paper_fixture.sheet(report(force("First detachment", unit), limit=500)).datasheets
    assert sheet.weapons == ()
    assert sheet.profile is not None
    assert [row.cells for row in sheet.profile.rows] == [
        ('6"', "4+", "4+", "7", "8", "12–7", "3", "6", "3+"),
        ('6"', "4+", "5+", "7", "8", "6–4", "D3", "6", "3+"),
        ('6"', "5+", "5+", "7", "8", "3–1", "1", "6", "3+"),
    ]
    assert [sum(row.changed) for row in sheet.profile.rows] == [0, 3, 4]
    (track,) = sheet.tracks
    assert (track.tops, track.groups) == ((12, 6, 3), (6, 3, 3))


def test_a_damage_table_may_name_its_columns_in_a_row_of_its_own() -> None:
    heads = ("M", "BS", "S", "T", "W", "A", "Save")
    columns = ("Remaining W", "Characteristic 1", "Characteristic 2", "Characteristic 3")
    rows = {"Baal Predator": "|M|BS|A", "Baal Predator 1": '6-11+|12"|3+|3', "Baal Predator 2": '1-5|6"|4+|D3'}
    tables = [profile(name, cells, columns, "Wound Track") for name, cells in rows.items()]
    tank = profile("Baal Predator", "*|*|6|7|11|*|3+", heads)
    unit = node("Baal Predator", "model", cost=115, slot="Hammer", profiles=(tank, *tables))
    (sheet,) = paper_fixture.sheet(report(force("First detachment", unit), limit=500)).datasheets
    assert sheet.weapons == ()
    assert sheet.profile is not None
    assert [row.cells for row in sheet.profile.rows] == [
        ('12"', "3+", "6", "7", "11–6", "3", "3+"),
        ('6"', "4+", "6", "7", "5–1", "D3", "3+"),
    ]
    (track,) = sheet.tracks
    assert (track.tops, track.groups) == ((11, 5), (6, 5))


def test_a_mount_without_wounds_is_no_model() -> None:
    heads = ("M", "WS", "W")
    rider = node("Glade Rider", "model", number=5, profiles=(profile("Glade Riders", "-|4|1", heads),))
    steed = node("Elven Steed", "model", number=5, profiles=(profile("Elven Steed", "9|3|-", heads),))
    unit = node("Glade Riders", "unit", rider, steed, slot="Core")
    (sheet,) = paper_fixture.sheet(report(force("First detachment", unit), limit=500)).datasheets
    assert sheet.models == 5
    (track,) = sheet.tracks
    assert (track.label, track.groups) == ("", (5,))


def test_a_mount_adds_its_wounds_to_those_of_its_rider() -> None:
    heads = ("M", "WS", "W")
    beast = node("Griffon", "model", profiles=(profile("Griffon", "6|5|(+4)", heads),))
    rider = profile("Glade Captain", "-|6|2", heads)
    unit = node("Glade Captain", "model", beast, slot="Characters", profiles=(rider,))
    (sheet,) = paper_fixture.sheet(report(force("First detachment", unit), limit=500)).datasheets
    assert sheet.models == 1
    assert [sum(track.groups) for track in sheet.tracks] == [6]


def test_an_ability_that_holds_at_few_wounds_is_a_step_at_the_boxes() -> None:
    tank = profile("Land Raider", "10|16|2+", ("M", "W", "Sv"))
    damaged = profile("Damaged: 1-5 wounds remaining", "Subtract 1 from the Hit roll.", ("Description",), "Abilities")
    unit = node("Land Raider", "model", cost=240, slot="Hammer", profiles=(tank, damaged))
    (sheet,) = paper_fixture.sheet(report(force("First detachment", unit), limit=500)).datasheets
    (track,) = sheet.tracks
    assert (track.tops, track.groups) == ((16, 5), (11, 5))
    assert [ability.name for ability in sheet.abilities] == ["Damaged: 1-5 wounds remaining"]


def test_a_damage_table_without_ranges_stays_a_table() -> None:
    beast = profile("Titan", "4|9", ("S", "W"))
    table = profile("Falcon 1.", "-|16", ("Remaining W", "Characteristic 1"), "Wound Track")
    unit = node("Titan", "model", cost=170, slot="Hammer", profiles=(beast, table))
    (sheet,) = paper_fixture.sheet(report(force("First detachment", unit), limit=500)).datasheets
    assert sheet.profile is not None
    assert len(sheet.profile.rows) == 1
    assert [row.name for row in sheet.weapons[0].rows] == ["Falcon 1."]
