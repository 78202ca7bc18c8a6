"""Emblems and colours: declared in packs, checked, or derived from a name."""

from colorsys import rgb_to_hls
from itertools import pairwise
from pathlib import Path

import pytest
from django.conf import settings

from catalogue.definitions.catalogues import CatalogueKind, DataSet
from catalogue.definitions.identity import (
    EMBLEMS,
    FACTION_EMBLEMS,
    SLOT_EMBLEMS,
    Frame,
    Identity,
    choose_frame,
    find_low_contrast,
    find_slot_emblem,
    identify,
    list_seat_colours,
    measure_contrast,
    tell_seats_apart,
)
from catalogue.formats.packs.load import find_packs
from catalogue.graph.ruleset import compile_ruleset
from catalogue.models import Faction, GameSystem
from tests.catalogue.pack_files import PACK, pond
from tests.shipped_packs import read_shipped

NEWT = "- {unit: Newt, type: crew, points: 3, cite: p. 5, profile: [1, 2]%s}\n"


def read(folder: Path, pack: str = PACK, more: str = "") -> DataSet:
    reading = pond(folder, NEWT % more, pack)
    assert [str(found) for found in reading.diagnostics] == []
    assert reading.data
    return reading.data


def test_game_and_factions_have_the_identity_that_the_pack_says(tmp_path: Path) -> None:
    frogs = 'factions: {frogs: {name: Frogs, emblem: heron, colours: ["#33591F", "#c9e7a2"]}}\n'
    data = read(
        tmp_path, PACK.replace("factions: [Frogs]\n", f'{frogs}emblem: reed\ncolours: ["#3c5625", "#a9cb80"]\n')
    )
    assert data.game_system.identity == Identity(emblem="reed", dark="#3c5625", light="#a9cb80")
    faction = next(c for c in data.catalogues if c.kind is CatalogueKind.FACTION)
    assert faction.name == "Frogs"
    assert faction.identity == Identity(emblem="heron", dark="#33591f", light="#c9e7a2")


def test_a_pack_and_a_faction_choose_the_frame_of_cards(tmp_path: Path) -> None:
    frogs = "factions: {frogs: {name: Frogs, frame: arch}}\nframe: plate\n"
    data = read(tmp_path, PACK.replace("factions: [Frogs]\n", frogs))
    assert data.game_system.identity.frame is Frame.PLATE
    (faction,) = data.list_kind(CatalogueKind.FACTION)
    assert faction.identity.frame is Frame.ARCH


def test_games_without_a_frame_have_one_by_their_name() -> None:
    frames = [choose_frame(f"Game {number}") for number in range(40)]
    assert set(frames) == set(Frame)
    assert frames == [choose_frame(f"GAME {number}") for number in range(40)]


def test_units_have_an_emblem_of_their_own_or_that_of_their_type(tmp_path: Path) -> None:
    pack = PACK.replace("{boss: Boss, crew: Crew,", "{boss: Boss, crew: {name: Crew, emblem: run},")
    salamander = NEWT.replace("Newt", "Salamander") % ", emblem: hood"
    reading = pond(tmp_path, NEWT % "" + salamander, pack)
    assert reading.data
    ruleset = compile_ruleset(reading.data)
    roots = ruleset.find_catalogue("frogs").distinct_roots  # type: ignore[union-attr]  # it is there
    emblems = {root.entry.name: ruleset.choose_emblem(root) for root in roots}
    assert (emblems["Newt"], emblems["Salamander"]) == ("run", "hood")


def test_the_figures_that_sum_a_unit_up(tmp_path: Path) -> None:
    data = read(tmp_path, PACK.replace("columns: [MV, AV]", "columns: [MV, AV], glance: [AV]"))
    models = next(kind for kind in data.game_system.profile_types if kind.id == "models")
    names = {column.id: column.name for column in models.characteristic_types}
    assert [names[column] for column in models.glance] == ["AV"]


@pytest.mark.parametrize(
    ("old", "new", "code", "mend"),
    [
        ("factions:", "emblem: herron\nfactions:", "unknown-emblem", "heron"),
        ("factions:", "emblem: qqqqqqqq\nfactions:", "unknown-emblem", "schema"),
        ("factions:", "frame: arsch\nfactions:", "unknown-frame", "arch"),
        ("factions:", "frame: qqqqqqqq\nfactions:", "unknown-frame", "pennon"),
        ("factions: [Frogs]", "factions: {frogs: {name: Frogs, frame: [arch, bar]}}", "wrong-type", ""),
        ("factions:", 'colours: ["#33591f"]\nfactions:', "bad-colour", "dark one first"),
        ("factions:", 'colours: ["#33591f", green]\nfactions:', "bad-colour", "#"),
        ("factions:", 'colours: ["#33591f", "#3c5625"]\nfactions:', "low-contrast", "dark one first"),
        ("factions:", 'colours: ["#c9e7a2", "#33591f"]\nfactions:', "low-contrast", "dark one first"),
        ("factions: [Frogs]", "factions: {frogs: {name: Frogs, emblm: heron}}", "unknown-key", "emblem"),
        ("factions: [Frogs]", "factions: {frogs: {name: Frogs, emblem: [heron, reed]}}", "wrong-type", ""),
        ("crew: Crew", "crew: {name: Crew, emblem: ruun}", "unknown-emblem", "run"),
        ("[MV, AV]", "[MV, AV], glance: [MW]", "unknown-column", "MV"),
        ("[MV, AV]", "[MV, AV], glance: [MV, AV, MV, AV]", "too-many", "fewer"),
    ],
)
def test_mistakes_are_named(tmp_path: Path, old: str, new: str, code: str, mend: str) -> None:
    reading = pond(tmp_path, NEWT % "", PACK.replace(old, new, 1))
    assert [d.code for d in reading.errors if mend in d.mend and d.file.endswith("pack.yaml")] == [code]
    assert all(d.message and d.mend for d in reading.diagnostics)


def test_a_unit_names_an_emblem_that_there_is(tmp_path: Path) -> None:
    reading = pond(tmp_path, NEWT % ", emblem: hod")
    assert [(d.code, d.file.endswith("units.yaml")) for d in reading.errors] == [("unknown-emblem", True)]


def test_shipped_packs_say_all_of_it() -> None:
    count = 0
    for folder in find_packs():
        data = read_shipped(folder).data
        assert data
        for catalogue in data.catalogues:
            count += 1
            assert identify("other", catalogue.identity) == catalogue.identity, catalogue.name
        slots = {link.target_id for force in data.game_system.forces for link in force.categories}
        categories = {category.id: category for category in data.game_system.categories}
        assert slots
        assert all(categories[slot].emblem for slot in slots if not categories[slot].hidden), folder
        assert any(kind.glance for kind in data.game_system.profile_types), folder
    assert count > 30


def test_what_is_not_said_follows_from_the_name() -> None:
    identities = {identify(f"Faction {number}") for number in range(300)}
    assert len(identities) > 250
    assert {identity.emblem for identity in identities} == set(FACTION_EMBLEMS)
    assert not any(find_low_contrast(identity.dark, identity.light) for identity in identities)
    assert identify("NECRONS") == identify("necrons")
    assert identify("Necrons") == Identity(emblem="wolf-head", dark="#225f77", light="#acd6e7")


def test_slots_of_community_data_have_emblems_by_their_names() -> None:
    names = ("HQ", "Troops", "Dedicated Transport", "Lord of War", "Epic Hero", "Configuration", "")
    emblems = [find_slot_emblem(name) for name in names]
    assert emblems == ["rank-3", "spartan-helmet", "apc", "rank-3", "rank-3", "plain-circle", "plain-circle"]


def test_contrast_is_that_of_the_guidelines() -> None:
    assert measure_contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)
    assert measure_contrast("#ffffff", "#777777") == measure_contrast("#777777", "#ffffff")


def test_emblems_are_those_that_are_bundled() -> None:
    assert {*FACTION_EMBLEMS, *(emblem for _, emblem in SLOT_EMBLEMS)} <= EMBLEMS
    bundled = Path(settings.BASE_DIR) / "static" / "icons" / "emblems"
    assert {path.stem for path in bundled.glob("*.svg")} == EMBLEMS


@pytest.mark.parametrize("colour", ["red;} body{display:none", "url(https://x.example)", "#12", "blue", ""])
def test_a_row_without_a_colour_has_one_by_its_name(colour: str) -> None:
    for row in (GameSystem(name="Fenland", accent=colour), Faction(name="Fenland", accent=colour)):
        assert row.identity == identify("Fenland")
        assert row.accents == (row.identity.dark, row.identity.light)
    assert Faction(name="Fenland", accent="#33591f", accent_dark="#c9e7a2").accents == ("#33591f", "#c9e7a2")


def test_seats_are_told_apart() -> None:
    newts, reeds, blank = identify("Newts"), identify("Reeds"), Identity()
    assert tell_seats_apart([newts, reeds]) == [newts, reeds]
    for seats in (
        [newts, newts, newts, newts],
        [blank] * 4,
        [blank, reeds, blank, reeds],
        [reeds, blank, newts, newts],
    ):
        shown = tell_seats_apart(seats)
        assert len({seat.accents for seat in shown}) == 4
        assert [seat.emblem for seat in shown] == [seat.emblem for seat in seats]
        # The first seat in its own colours keeps them.
        assert all(seat in shown for seat in seats if seat.dark)
        hues = sorted(rgb_to_hls(*bytes.fromhex(seat.dark[1:]))[0] for seat in shown)
        assert newts in shown or all(later - hue > 1 / 12 for hue, later in pairwise(hues))
    assert [find_low_contrast(*colours) for colours in list_seat_colours()] == [None] * 8
