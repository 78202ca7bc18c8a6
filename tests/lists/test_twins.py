"""Units of one name: the text tells by contents, slot, points and what may be taken; else the user is asked."""

import pytest
from msgspec import structs

from catalogue.definitions.catalogues import CatalogueKind, DataSet
from catalogue.definitions.entries import Entry
from catalogue.definitions.queries import Operator
from catalogue.services.game_info import GameInfo
from catalogue.services.install_version import install_version
from roster.formats.text.foreign import TextLayout
from roster.formats.text.foreign_reader import describe_content
from roster.formats.text.pasted import Reading
from roster.services.pasted_lists import ReadPaste, read_pasted_text
from roster.services.texts import TextForm, write_judged_text
from tests.lists.mangling import drop_foot
from tests.lists.test_unsaid import ask, hide
from tests.roster.small_game import COLUMN, CUTTERS, FENLAND, WARDEN, group, option, unit

pytestmark = pytest.mark.django_db
HEAD = "Mine (40 points)\n\nMarsh Folk\n\nCOMMAND\n\nWärden (20 pts)\n• Sabre\n\n"
BARE = {category: unit(f"barge-{category}", "Barge", category, 20) for category in ("core", "hammer")}


def armed(key: str, *names: str) -> Entry:
    return unit(key, "Barge", "core", 20, group(f"{key}-arms", "Arms", *(option(f"{key}-{one}", one) for one in names)))


def install_twins(*twins: Entry) -> None:
    catalogues = [
        structs.replace(one, entries=(WARDEN, CUTTERS, *twins)) if one.id == "marsh" else one
        for one in FENLAND.catalogues
    ]
    assert catalogues[0].kind is CatalogueKind.GAME_SYSTEM
    install_version(GameInfo(slug="fenland", name="Fenland", label="1.0"), DataSet(catalogues=tuple(catalogues)))


def read_barge(rows: str, **known: dict[str, str]) -> tuple[ReadPaste, str, Reading]:
    """Read a list with one barge; return what it was resolved to, and how surely."""
    read = read_pasted_text(HEAD + rows, tree=True, **known)
    assert isinstance(read, list)
    (one,) = read
    assert one.checked is not None
    ids = [unit.entry_id for unit in one.checked.evaluated_list.tree.forces[0].selections]
    (name,) = [name for name in one.names or () if name.written == "Barge"]
    return one, ids[-1], name.reading


@pytest.mark.parametrize("category", BARE)
def test_the_heading_above_a_unit_is_its_slot(category: str) -> None:
    install_twins(*BARE.values())
    for heading in (category.upper(), f"{category.capitalize()} units:", f"++ {category.capitalize()} ++"):
        _one, barge, reading = read_barge(f"{heading}\n\nBarge (20 pts)\n")
        assert (barge, reading) == (f"barge-{category}", Reading.UNDERSTOOD)


def test_twins_that_nothing_tells_apart_are_asked_with_their_slots() -> None:
    install_twins(*BARE.values(), unit("barge-second", "Barge", "core", 20))
    one, barge, reading = read_barge("OTHER\n\nBarge (20 pts)\n")
    assert (barge, reading, one.verdict) == ("barge-core", Reading.GUESSED, "as-read")
    (name,) = one.open_names
    labels = dict(name.choices)
    assert labels["barge-hammer"] == "Barge (Hammer, 20)"
    assert (labels["barge-core"], labels["barge-second"]) == ("Barge (Core, 20) #1", "Barge (Core, 20) #2")
    # The answer decides.
    answered, barge, reading = read_barge("OTHER\n\nBarge (20 pts)\n", choices={name.key: "barge-second"})
    assert (barge, reading, answered.verdict) == ("barge-second", Reading.UNDERSTOOD, "legal")


def test_contents_tell_twins_apart_before_slot_and_points() -> None:
    install_twins(BARE["hammer"], armed("barge-guns", "Swivel gun", "Ram"), armed("barge-nets", "Drag nets"))
    for row, expected in (("Swivel gun", "barge-guns"), ("Drag nets", "barge-nets"), ("Ram", "barge-guns")):
        _one, barge, reading = read_barge(f"HAMMER\n\nBarge (20 pts)\n• {row}\n")
        assert (barge, reading) == (expected, Reading.UNDERSTOOD)


def test_contents_inside_models_tell_twins_apart() -> None:
    """Both have a model of that name, and only one arms it so."""
    twins = [
        unit(f"barge-{arms}", "Barge", "core", 20, structs.replace(inside, id=f"crew-{arms}"))
        for arms, inside in (
            ("hook", CUTTERS.entries[0]),
            ("bow", structs.replace(CUTTERS.entries[0], entries=(option("bow", "Bow"),))),
        )
    ]
    install_twins(*twins)
    _one, barge, reading = read_barge("CORE\n\nBarge (30 pts)\n• 5x Cutter\n    • 5x Bow\n")
    assert (barge, reading) == ("barge-bow", Reading.UNDERSTOOD)


def test_all_units_of_a_name_are_compared() -> None:
    """Community data has eighteen `Inductii Squad` in one army."""
    install_twins(*(armed(f"barge-{number}", f"Engine {letter}") for number, letter in enumerate("ABCDEFGHI")))
    for number, letter in ((0, "A"), (5, "F"), (8, "I")):
        _one, barge, reading = read_barge(f"CORE\n\nBarge (20 pts)\n• Engine {letter}\n")
        assert (barge, reading) == (f"barge-{number}", Reading.UNDERSTOOD)


def test_points_tell_twins_apart() -> None:
    install_twins(BARE["core"], unit("barge-dear", "Barge", "core", 35))
    assert [read_barge(f"CORE\n\nBarge ({points} pts)\n")[1:] for points in (35, 20)] == [
        ("barge-dear", Reading.UNDERSTOOD),
        ("barge-core", Reading.UNDERSTOOD),
    ]


def test_a_twin_that_the_list_hides_gives_way_to_the_one_that_may_be_taken() -> None:
    """Only the whole list tells which: here the Warden excludes the first."""
    barred = structs.replace(BARE["core"], modifiers=hide(ask("warden", Operator.AT_LEAST)))
    install_twins(barred, BARE["hammer"])
    one, barge, reading = read_barge("CORE\n\nCutters (10 pts)\n\nOTHER\n\nBarge (20 pts)\n")
    assert (barge, reading) == ("barge-hammer", Reading.UNDERSTOOD)
    assert one.checked is not None
    assert not one.checked.evaluated_list.report.errors


def test_a_hidden_unit_without_a_better_twin_stays_and_is_reported() -> None:
    """Without the twin the list breaks no rule less."""
    hidden = hide(ask("warden", Operator.AT_LEAST))
    install_twins(*(structs.replace(one, modifiers=hidden) for one in BARE.values()))
    one, barge, _reading = read_barge("CORE\n\nBarge (20 pts)\n")
    assert (barge, one.verdict) == ("barge-core", "illegal")


@pytest.mark.parametrize("layout", TextLayout)
@pytest.mark.parametrize("category", BARE)
def test_our_texts_tell_twins_apart_in_every_layout(layout: TextLayout, category: str) -> None:
    install_twins(*BARE.values())
    one, barge, _reading = read_barge(f"{category.upper()}\n\nBarge (20 pts)\n\nCORE\n\nCutters (10 pts)\n")
    assert one.checked is not None
    checked = one.checked
    text = write_judged_text(
        checked.evaluated_list, checked.version, checked.faction.faction_id, TextForm(layout=layout)
    )
    (again,) = read_pasted_text(text, tree=True)
    assert again.checked is not None
    assert describe_content(again.checked.evaluated_list.tree) == describe_content(checked.evaluated_list.tree)
    # Without our last line, a layout with slots tells as well, and another asks.
    (bare,) = read_pasted_text(drop_foot(text), tree=True)
    assert bare.checked is not None
    taken = [unit.entry_id for unit in bare.checked.evaluated_list.tree.forces[0].selections]
    assert barge in taken or any(name.written == "Barge" for name in bare.open_names)
    assert barge in taken or layout is TextLayout.WTC


@pytest.mark.parametrize(
    "heading", ["++ Column Detachment -2CP (Marsh Folk) [40pts] ++", "# ++ Column Detachment -2CP ++ [40 pts]"]
)
def test_the_heading_of_the_list_is_not_a_force_inside_it(heading: str) -> None:
    """Community data calls an inner force almost like the outer one."""
    inner = structs.replace(COLUMN.forces[0], name="Column Detachment")
    outer = structs.replace(COLUMN, name="Column Detachment -2CP", forces=(inner,))
    system, *factions = FENLAND.catalogues
    data = DataSet(catalogues=(structs.replace(system, forces=(outer,)), *factions))
    install_version(GameInfo(slug="fenland", name="Fenland", label="1.0"), data)
    units = "+ Command +\n\nWärden [20pts]: Sabre\n\n+ Core +\n\nCrew [4pts]\n"
    for inside, expected in (
        ("", 0),
        ("\n++ Column Detachment (Marsh Folk) [4pts] ++\n\n+ Core +\n\nCrew [4pts]\n", 1),
    ):
        (one,) = read_pasted_text(f"{heading}\n\n{units}{inside}", tree=True, game="fenland", faction="marsh-folk")
        assert one.checked is not None
        (force,) = one.checked.evaluated_list.tree.forces
        assert [one.name for one in force.selections] == ["Wärden", "Crew"]
        assert [len(one.selections) for one in force.forces] == [1] * expected
