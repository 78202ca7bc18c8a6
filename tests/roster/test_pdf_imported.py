"""Sheets of imported games: every archive, in the sizes that players and organisers print."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import cycle, islice, product
from pathlib import Path

import pytest

from catalogue.definitions.catalogues import Catalogue, CatalogueKind
from catalogue.graph.ruleset import Ruleset
from roster.engine.edits import EditedRoster, add_force, create_roster, select
from roster.engine.evaluate import evaluate
from roster.engine.evaluation import Evaluation
from roster.engine.model_profiles import is_unit_entry
from roster.engine.offers import list_offered_forces, list_offers
from roster.engine.report import Report
from roster.engine.tree import RosterTree
from roster.pdf.common_rules import find_shared_rules
from roster.pdf.imposition.card_format import CardSize, get_format
from roster.pdf.imposition.print_cards import CardOptions
from roster.pdf.shapes import Datasheet, Imprint, ListSheet
from roster.pdf.sheet_model import build_sheet_model
from roster.pdf.sheet_options import SheetOptions, Style
from roster.pdf.weasyprint_hooks import limit_time
from tests.extent import sample
from tests.read_archives import read_rules
from tests.roster.paper_promises import find_card_faults, find_missing_units, find_shared_twice, print_sheet

pytestmark = pytest.mark.slow

ARCHIVES = (
    "age-of-sigmar-4th",
    "battlegroup",
    "bloodbowl-season-3",
    "bloodbowl-third-season",
    "dropzone-commander",
    "edge-dawnfall",
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
    "wh40k-9e",
    "wh40k-9e-v9.2.13",
    "wh40k-killteam-three-systems@0",
    "wh40k-killteam-three-systems@1",
    "wh40k-killteam-three-systems@2",
    "wh40k-killteam-v1.4.16",
)
"""An archive with several games is followed by the number of the game."""
UNITS = (15, 40, 120)
BARE = {"dropzone-commander"}
"""Archives of which some units come without models: squads of battlegroups are chosen one by one."""
SECONDS = 240


@lru_cache(maxsize=1)
def read_game(path: Path) -> Ruleset:
    stem, _, number = path.stem.partition("@")
    path = path.with_name(f"{stem}{path.suffix}")
    if not path.is_file():
        pytest.skip(f"ARMYBUILDER_SHARED has no bsdata/{path.name}")
    return read_rules(path, int(number or 0))


def count_units(ruleset: Ruleset, faction: Catalogue) -> int:
    book = ruleset.find_catalogue(faction.id)
    return sum(is_unit_entry(ruleset, option.entry) for option in book.root_options.options) if book else 0


def rank_factions(ruleset: Ruleset, name: str) -> list[Catalogue]:
    """Return the factions of an archive with a name that contains `name`, those with the most units first."""
    factions = [one for one in ruleset.data.catalogues if one.kind is CatalogueKind.FACTION and name in one.name]
    return sorted(factions, key=lambda one: -count_units(ruleset, one))


@dataclass(frozen=True, slots=True, kw_only=True)
class BegunList:
    """A list with one force, and what that force offers."""

    roster: RosterTree
    force_id: str
    entry_ids: tuple[str, ...]


def begin_list(ruleset: Ruleset, faction: Catalogue, names: tuple[str, ...]) -> BegunList | None:
    """Begin a list with the force that offers the most units, or the most of the units in `names`."""
    book = ruleset.find_catalogue(faction.id)
    assert book
    units = {option.local_id for option in book.root_options.options if is_unit_entry(ruleset, option.entry)}
    bare = create_roster(ruleset).roster
    begun: list[tuple[int, BegunList]] = []
    for force in list_offered_forces(Evaluation(ruleset, bare), book.force_entries, faction.id):
        added = add_force(ruleset, bare, force.id, faction.id)
        if not isinstance(added, EditedRoster):
            continue
        offers = list_offers(Evaluation(ruleset, added.roster), added.created[0]).options
        ids = [one.entry_id for one in offers if not one.hidden and (one.name in names or not names)]
        found = BegunList(roster=added.roster, force_id=added.created[0], entry_ids=tuple(ids))
        begun.append((len(ids) if names else len(units.intersection(ids)), found))
    most, found = max(begun, key=lambda one: one[0], default=(0, None))
    return found if most else None


def evaluate_imported(path: Path, units: int, name: str = "", names: tuple[str, ...] = (), rank: int = 0) -> Report:
    """Evaluate a list of an archive's largest faction, or of a named one; `rank` selects smaller ones.

    It has a number of all units, repeated if necessary, or of the units in `names`.
    """
    ruleset = read_game(path)
    begun = filter(None, (begin_list(ruleset, faction, names) for faction in rank_factions(ruleset, name)))
    found = list(islice(begun, rank + 1))[-1]
    roster = found.roster
    for entry_id in islice(cycle(found.entry_ids), units):
        taken = select(ruleset, roster, found.force_id, entry_id)
        roster = taken.roster if isinstance(taken, EditedRoster) else roster
    return evaluate(ruleset, roster)


def build_imported_sheet(path: Path, report: Report) -> ListSheet:
    data = read_game(path).data
    return build_sheet_model(
        report,
        Imprint(game=data.game_system.name),
        title="All units",
        cite=lambda place: place.page,
        shared=find_shared_rules(data),
    )


@pytest.fixture(autouse=True)
def _in_time() -> Iterator[None]:
    with limit_time(time.monotonic() + SECONDS):
        yield


@pytest.mark.parametrize(
    ("archive", "units", "style"), sample(product(ARCHIVES, UNITS, (Style.FULL, Style.OPPONENT)), 2, complete=40)
)
def test_sheets_hold_what_paper_promises(archive: str, units: int, style: Style, shared: Path) -> None:
    path = shared / "bsdata" / f"{archive}.zip"
    # Lists of each size are of another faction.
    report = evaluate_imported(path, units, rank=UNITS.index(units))
    sheet = build_imported_sheet(path, report)
    assert sheet.datasheets or archive in BARE
    assert list(find_missing_units(report, sheet)) == []
    assert list(find_shared_twice(sheet)) == []
    _pdf, faults = print_sheet(sheet, SheetOptions(style=style))
    assert faults == []


@pytest.mark.parametrize(("archive", "size"), sample(product(ARCHIVES, (CardSize.POKER, CardSize.A6)), 1, complete=16))
def test_cards_hold_what_paper_promises(archive: str, size: CardSize, shared: Path) -> None:
    path = shared / "bsdata" / f"{archive}.zip"
    sheet = build_imported_sheet(path, evaluate_imported(path, UNITS[0]))
    if not sheet.datasheets:
        assert archive in BARE
        return
    assert list(find_card_faults(sheet, CardOptions(card_format=get_format(size)))) == []


PICKED = {
    "craftworlds": ("wh40k-10e-v10.6.0", "Aeldari", ("Asurmen", "Avatar of Khaine", "Rangers", "Howling Banshees")),
    "angmar": ("middle-earth", "Angmar", ("The Witch-king of Angmar",)),
    "hives": ("grimdark-future", "Alien Hives", ("Hive Lord", "Assault Grunts")),
    "bretonnia": ("the-old-world", "Bretonnia", ("Damsel", "Knights Errant", "Mounted Knights of the Realm")),
}


@pytest.fixture(scope="module", params=PICKED)
def units(request: pytest.FixtureRequest, shared: Path) -> dict[str, Datasheet]:
    archive, faction, names = PICKED[request.param]
    path = shared / "bsdata" / f"{archive}.zip"
    sheet = build_imported_sheet(path, evaluate_imported(path, len(names), faction, names))
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
