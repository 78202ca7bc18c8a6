"""Sheets of imported games: every archive, in the sizes that players and organisers print."""

import time
from collections.abc import Iterator
from functools import cache
from html import unescape
from itertools import cycle, islice, product
from pathlib import Path

import pytest

from catalogue.definitions.catalogues import Catalogue, CatalogueKind
from catalogue.formats.battlescribe.reader import read_path
from catalogue.graph.ruleset import Ruleset, compile_ruleset
from roster.engine.edits import EditedRoster, add_force, create_roster, select
from roster.engine.evaluate import evaluate
from roster.engine.evaluation import Evaluation
from roster.engine.offers import list_offered_forces, list_offers
from roster.pdf.common_rules import find_shared_rules
from roster.pdf.pages import FOOT, MARGIN, PAPERS
from roster.pdf.paper_text import format_count
from roster.pdf.render import write_pdf
from roster.pdf.shapes import Datasheet, Imprint, ListSheet
from roster.pdf.sheet_job import lay_out_sheet
from roster.pdf.sheet_model import build_sheet_model
from roster.pdf.sheet_options import PaperSize, SheetOptions, Style
from roster.pdf.sheet_pages import build_sheet_pages, make_look
from roster.pdf.weasyprint_hooks import limit_time
from tests.extent import sample
from tests.roster.paper_tools import words_in

pytestmark = pytest.mark.slow

ARCHIVES = (
    "age-of-sigmar-4th",
    "battlegroup",
    "bloodbowl-season-3",
    "dropzone-commander",
    "grimdark-future",
    "heavy-gear-blitz",
    "horus-heresy-3rd-2025-11",
    "konflikt47",
    "legions-imperialis",
    "maelstroms-edge-1e",
    "middle-earth",
    "team-yankee",
    "the-9th-age",
    "the-old-world",
    "trench-crusade-b47df59",
    "warzone-resurrection",
    "wh40k-10e-v10.6.0",
    "wh40k-11e-json",
    "wh40k-9e-v9.2.13",
    "wh40k-killteam-v1.4.16",
)
UNITS = (15, 40, 120)
SECONDS = 240


@cache
def read_archive(path: Path) -> Ruleset:
    if not path.is_file():
        pytest.skip(f"ARMYBUILDER_SHARED has no bsdata/{path.name}")
    data = read_path(path).data
    assert data
    return compile_ruleset(data)


def count_offers(ruleset: Ruleset, faction: Catalogue) -> int:
    book = ruleset.find_catalogue(faction.id)
    return len(book.root_options.options) if book else 0


def imported_sheet(path: Path, units: int, name: str = "", names: tuple[str, ...] = ()) -> ListSheet:
    """Build the sheet of a list of an archive's largest faction, or of a named one.

    It has a number of all units, repeated if necessary, or of the units in `names`.
    """
    ruleset = read_archive(path)
    factions = [one for one in ruleset.data.catalogues if one.kind is CatalogueKind.FACTION and name in one.name]
    faction = max(factions, key=lambda one: count_offers(ruleset, one))
    book = ruleset.find_catalogue(faction.id)
    assert book
    bare = create_roster(ruleset).roster
    most: list[str] = []
    for force in list_offered_forces(Evaluation(ruleset, bare), book.force_entries, faction.id):
        added = add_force(ruleset, bare, force.id, faction.id)
        if not isinstance(added, EditedRoster):
            continue
        evaluation = Evaluation(ruleset, added.roster)
        offers = [one for one in list_offers(evaluation, added.created[0]).options if not one.hidden]
        ids = [one.entry_id for one in offers if one.name in names or not names]
        if len(ids) > len(most):
            most, roster, force_id = ids, added.roster, added.created[0]
    for entry_id in islice(cycle(most), units):
        taken = select(ruleset, roster, force_id, entry_id)
        roster = taken.roster if isinstance(taken, EditedRoster) else roster
    imprint = Imprint(game=ruleset.data.game_system.name)
    return build_sheet_model(
        evaluate(ruleset, roster),
        imprint,
        title="All units",
        cite=lambda place: place.page,
        shared=find_shared_rules(ruleset.data),
    )


@pytest.fixture(autouse=True)
def _in_time() -> Iterator[None]:
    with limit_time(time.monotonic() + SECONDS):
        yield


@pytest.mark.parametrize(
    ("archive", "units", "style"), sample(product(ARCHIVES, UNITS, (Style.FULL, Style.OPPONENT)), 3)
)
def test_each_page_is_where_it_is_counted_and_inside_its_margins(
    archive: str, units: int, style: Style, shared: Path
) -> None:
    sheet, options = imported_sheet(shared / "bsdata" / f"{archive}.zip", units), SheetOptions(style=style)
    pages = build_sheet_pages(sheet, options, make_look(sheet, options))
    content = unescape("".join(page.content for page in pages))
    if style is Style.FULL:
        shown = [format_count(unit.count, unit.name).strip() for unit in sheet.datasheets if unit.profile]
        assert [name for name in shown if f">{name}" not in content] == []
    document = lay_out_sheet(sheet, options)
    assert len(document.pages) == len(pages), "a page runs over"
    width, height = PAPERS[PaperSize.A4]
    for number, words in enumerate(words_in(write_pdf(document, document.pages)), 1):
        assert words, number
        assert min(word[0] for word in words) >= MARGIN - 0.5, number
        assert max(word[2] for word in words) <= width - MARGIN + 0.5, number
        *_, last = words
        assert last[4] == str(len(pages)), number
        assert not any(mark in word[4] for word in words for mark in ("**", "^^", "[[")), number
        foot = height - FOOT + 0.5
        assert all(word[3] <= foot or word[1] >= foot for word in words), (number, "text runs into the foot")


PICKED = {
    "craftworlds": ("wh40k-10e-v10.6.0", "Aeldari", ("Asurmen", "Avatar of Khaine", "Rangers", "Howling Banshees")),
    "angmar": ("middle-earth", "Angmar", ("The Witch-king of Angmar",)),
    "hives": ("grimdark-future", "Alien Hives", ("Hive Lord", "Assault Grunts")),
    "bretonnia": ("the-old-world", "Bretonnia", ("Damsel", "Knights Errant", "Mounted Knights of the Realm")),
}


@pytest.fixture(scope="module", params=PICKED)
def units(request: pytest.FixtureRequest, shared: Path) -> dict[str, Datasheet]:
    archive, faction, names = PICKED[request.param]
    sheet = imported_sheet(shared / "bsdata" / f"{archive}.zip", len(names), faction, names)
    return {unit.name: unit for unit in sheet.datasheets}


def read_figures(unit: Datasheet) -> dict[str, str]:
    assert unit.profile
    return dict(zip(unit.profile.heads, unit.profile.rows[0].cells, strict=True))


@pytest.mark.parametrize("units", ["craftworlds"], indirect=True)
def test_a_save_that_the_data_has_in_words_is_in_the_profile(units: dict[str, Datasheet]) -> None:
    assert read_figures(units["Asurmen"])["Inv"] == "4++"
    assert not any("Invulnerable" in ability.name for ability in units["Asurmen"].abilities)
    # A value against some attacks only has a star, explained below.
    assert read_figures(units["Rangers"])["Inv"] == "5++*"
    assert any("ranged attacks" in ability.text for ability in units["Rangers"].abilities)
    assert read_figures(units["Howling Banshees"])["Inv"] == "5++"
    assert any("improved to 4+" in ability.text for ability in units["Howling Banshees"].abilities)


@pytest.mark.parametrize("units", ["craftworlds"], indirect=True)
def test_rules_of_the_game_are_named_and_those_of_the_unit_told(units: dict[str, Datasheet]) -> None:
    asurmen = units["Asurmen"]
    lines = dict(asurmen.lines)
    assert "Leader" in lines["Core"]
    assert lines["Faction"] == ("Battle Focus",)
    assert "Hand of Asuryan" in {ability.name for ability in asurmen.abilities}
    assert not {"Leader", "Battle Focus", "Pistol"} & {
        ability.name for ability in asurmen.abilities if len(ability.text) > 300
    }
    assert "Pistol" not in lines["Core"], "the row of the weapon says it"


@pytest.mark.parametrize("units", ["angmar"], indirect=True)
def test_an_entry_that_wraps_a_model_is_a_unit_with_its_stores(units: dict[str, Datasheet]) -> None:
    king = units["The Witch-king of Angmar"]
    assert read_figures(king)["Fight"] == "5/4+"
    assert [(track.label, sum(track.groups)) for track in king.stores] == [("Will", 10)]
    assert [(track.life, track.groups) for track in king.tracks] == [("Wounds", (1,))]
    assert "Ringwraith" in " ".join(king.keywords)


@pytest.mark.parametrize("units", ["hives"], indirect=True)
def test_boxes_follow_what_the_game_calls_life(units: dict[str, Datasheet]) -> None:
    assert [(track.life, track.groups) for track in units["Hive Lord"].tracks] == [("Tough", (12,))]
    assert [(track.models, track.groups) for track in units["Assault Grunts"].tracks] == [(True, (5, 5))]
    assert units["Assault Grunts"].options == ()


@pytest.mark.parametrize("units", ["bretonnia"], indirect=True)
def test_facts_of_one_name_that_differ_stand_with_their_units(units: dict[str, Datasheet]) -> None:
    bases = {name: dict(unit.lines)["Base Size"] for name, unit in units.items()}
    bases.pop("Paladin", None)  # automatic in every list
    assert bases == {"Damsel": ("25x25",), "Knights Errant": ("30x60",), "Mounted Knights of the Realm": ("30x60",)}
