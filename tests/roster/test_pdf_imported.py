"""Sheets of imported games: every archive, in the sizes that players and organisers print."""

import time
from collections.abc import Iterator
from functools import cache
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
from roster.pdf.pages import FOOT, MARGIN, PAPERS
from roster.pdf.render import write_pdf
from roster.pdf.shapes import Imprint, ListSheet
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


def imported_sheet(path: Path, units: int) -> ListSheet:
    """Build the sheet of a list of an archive's largest faction: of all its units so many, again if there are fewer."""
    ruleset = read_archive(path)
    factions = [one for one in ruleset.data.catalogues if one.kind is CatalogueKind.FACTION]
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
        ids = [one.entry_id for one in list_offers(evaluation, added.created[0]).options if not one.hidden]
        if len(ids) > len(most):
            most, roster, force_id = ids, added.roster, added.created[0]
    for entry_id in islice(cycle(most), units):
        taken = select(ruleset, roster, force_id, entry_id)
        roster = taken.roster if isinstance(taken, EditedRoster) else roster
    imprint = Imprint(game=ruleset.data.game_system.name)
    return build_sheet_model(evaluate(ruleset, roster), imprint, title="All units", cite=lambda place: place.page)


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
    document = lay_out_sheet(sheet, options)
    assert len(document.pages) == len(pages), "a page runs over"
    width, height = PAPERS[PaperSize.A4]
    for number, words in enumerate(words_in(write_pdf(document, document.pages)), 1):
        assert words, number
        assert min(word[0] for word in words) >= MARGIN - 0.5, number
        assert max(word[2] for word in words) <= width - MARGIN + 0.5, number
        *_, last = words
        assert last[4] == str(len(pages)), number
        foot = height - FOOT + 0.5
        assert all(word[3] <= foot or word[1] >= foot for word in words), (number, "text runs into the foot")
