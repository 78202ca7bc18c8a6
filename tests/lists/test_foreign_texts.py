"""Lists in layouts of other programs read back with the same units and points, for packs and imported games."""

import os
from collections import Counter
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random

import pytest

from catalogue.definitions.catalogues import CatalogueKind
from catalogue.definitions.entries import EntryType
from catalogue.graph.ruleset import CompiledCatalogue, Ruleset
from roster.engine.draft import Draft
from roster.engine.edits import create_roster
from roster.engine.evaluate import evaluate
from roster.engine.new_selections import generate_id
from roster.engine.report import Report, Verdict
from roster.engine.tree import RosterTree, copy_with
from roster.formats.list_document import BuiltList, ListDocument, build_list, read_list
from roster.formats.text.csv_table import write_csv
from roster.formats.text.force_fit import choose_force_entry
from roster.formats.text.foreign import TextLayout, write_foreign_text
from roster.formats.text.own import WrittenHead
from roster.formats.text.parse import parse_text
from roster.formats.text.pasted import Reading
from roster.formats.text.resolve import ListResolver, ResolvedForce, build_resolved_document
from tests.extent import COMPLETE, SEED, sample
from tests.lists.test_own_text import GAMES, HOOKED, PLAIN, build_crew, load_community, load_rules
from tests.roster.small_game import compiled

LAYOUTS = [layout for layout in TextLayout if layout is not TextLayout.OWN]
IMPORTED = [
    "edge-dawnfall.zip",
    "maelstroms-edge-1e.zip",
    "warzone-resurrection.zip",
    "wh40k-killteam-v1.4.16.zip",
    "middle-earth.zip",
    "the-old-world.zip",
    "age-of-sigmar-4th.zip",
    "wh40k-10e-v10.6.0.zip",
]
UNITS = 8
Units = Counter[tuple[str, object]]


def read_back(rules: Ruleset, roster: RosterTree, layout: TextLayout) -> tuple[Units, Units, str]:
    """Return the units of a list with points, before and after writing and reading, and the text."""
    report = evaluate(rules, roster)
    points_id = next((cost.type_id for cost in report.costs if not cost.hidden), "")
    book = rules.find_catalogue(roster.of)
    assert book is not None
    head = WrittenHead(game="Game", faction=book.catalogue.name, points_id=points_id)
    text = write_foreign_text(layout, rules, roster, report, head)
    (pasted,) = parse_text(text).lists
    assert [line.text for line in pasted.lines if line.reading is not Reading.UNDERSTOOD] == [], text
    units = ListResolver(book).resolve_list(pasted)
    entry = choose_force_entry(book, pasted, units)
    assert entry is not None
    force = ResolvedForce(entry, roster.of, units)
    document = build_resolved_document(pasted, [force], game="game", version="", points_id=points_id)
    built = build_list(rules, document, roster.of)
    assert isinstance(built, BuiltList), (built, text)
    again = evaluate(rules, built.roster)
    return list_units(report, points_id, book), list_units(again, points_id, book), text


def list_units(report: Report, points_id: str, book: CompiledCatalogue) -> Units:
    """Count units by the name of their entry, because rules may change the displayed name."""
    names = {root.local_id: root.entry.target.name for root in book.distinct_roots}
    units: Units = Counter()
    for force in report.walk_forces():
        for unit in force.selections:
            cost = next((cost.value for cost in unit.totals if cost.type_id == points_id), 0)
            if cost:
                units[names[unit.entry_id], cost] += 1
    return units


def find_worked_lists(game: str) -> list[Path]:
    paths = sorted((GAMES[game] / "lists").rglob("*.yaml"))
    return [path for path in paths if "\nbreaks:" not in path.read_text(encoding="utf-8")]


def build_worked(rules: Ruleset, path: Path) -> RosterTree | None:
    document = read_list(path.read_bytes())
    if not isinstance(document, ListDocument) or len(document.detachments) != 1:
        return None
    faction = next((c.id for c in rules.data.catalogues if document.faction.value in (c.id, c.name)), "")
    built = build_list(rules, document, faction) if faction else None
    return built.roster if isinstance(built, BuiltList) else None


@pytest.mark.parametrize("game", GAMES)
def test_worked_lists_of_packs_come_back(game: str) -> None:
    rules = load_rules(game)
    tried = missed = 0
    built = (build_worked(rules, path) for path in find_worked_lists(game))
    legal = (roster for roster in built if roster and evaluate(rules, roster).verdict is Verdict.LEGAL)
    for roster in islice(legal, 100 if COMPLETE else 4):
        for layout in LAYOUTS:
            written, read, _text = read_back(rules, roster, layout)
            tried += written.total()
            missed += (written - read).total()
    if not tried:
        pytest.skip("each of its lists has several detachments")
    # These layouts cannot distinguish options of one name with different points.
    assert missed * 10 <= tried


# ---- imported games --------------------------------------------------------------------------------------------------


def take_units(rules: Ruleset, book: CompiledCatalogue, dice: Random) -> RosterTree:
    """Return a list of some units of a faction, with automatic parts, some with more models and another option."""
    started = create_roster(rules, "List", ids=generate_id)
    draft = Draft(rules, copy_with(started.roster, faction=book.catalogue.id), generate_id)
    force = max(book.force_entries, key=lambda entry: len(entry.categories))
    force_id = draft.add_force(force.id, book.catalogue.id, "")
    assert isinstance(force_id, str)
    roots = [
        root for root in book.distinct_roots if not root.hidden and root.entry.target.type is not EntryType.UPGRADE
    ]
    for root in dice.sample(roots, min(UNITS, len(roots))):
        draft.select(force_id, root.local_id)
    return draft.build_roster()


@cache
def list_books(file: str) -> list[CompiledCatalogue]:
    rules = load_community(file)
    found = (rules.find_catalogue(c.id) for c in rules.data.catalogues if c.kind is CatalogueKind.FACTION)
    return [book for book in found if book and book.force_entries and book.distinct_roots]


@pytest.mark.skipif(not os.environ.get("ARMYBUILDER_SHARED"), reason="ARMYBUILDER_SHARED is not set")
@pytest.mark.slow
@pytest.mark.parametrize("file", sample(IMPORTED, 1))
def test_units_of_imported_games_come_back(file: str) -> None:
    rules, dice = load_community(file), Random(SEED)
    books = list_books(file)
    tried = missed = 0
    for book in dice.sample(books, min(len(books), 12 if COMPLETE else 3)):
        roster = take_units(rules, book, dice)
        for layout in LAYOUTS:
            written, read, _text = read_back(rules, roster, layout)
            tried += written.total()
            missed += (written - read).total()
    if not tried:
        pytest.skip("none of its units has a cost by which it could be told")
    assert missed == 0


# ---- equal models ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("layout", "lines"),
    [
        (TextLayout.WTC, ["• 5x Sailor", "    2 with Hook"]),
        (TextLayout.NEW_RECRUIT, ["• 3x Sailor", "• 2x Sailor: Hook"]),
        (TextLayout.BATTLESCRIBE, [". 3x Sailor", ". 2x Sailor: 2x Hook"]),
    ],
)
def test_equal_models_are_counted_together(layout: TextLayout, lines: list[str]) -> None:
    rules, roster = compiled(), build_crew(PLAIN, HOOKED, PLAIN, HOOKED, PLAIN)
    written, read, text = read_back(rules, roster, layout)
    assert [line for line in text.splitlines() if "Sailor" in line or line.endswith("with Hook")] == lines
    assert written == read


def test_a_table_counts_equal_models() -> None:
    rules, roster = compiled(), build_crew(PLAIN, HOOKED, PLAIN, HOOKED, PLAIN)
    head = WrittenHead(game="Fenland", faction="Marsh Folk", points_id="points")
    table = write_csv(roster, evaluate(rules, roster), head)
    assert '"3x Sailor, 2x Sailor (Hook)"' in table
