"""The rules of Maelstrom of War over the community's data of the game, for every faction."""

import os
from functools import cache
from pathlib import Path

import pytest

from catalogue.definitions.apply_overlay import UNITS, find_overlay, overlay_data
from catalogue.definitions.catalogues import Catalogue, CatalogueKind, DataSet
from catalogue.definitions.entries import Entry
from catalogue.definitions.link_index import LocatedEntry
from catalogue.formats.packs.load import SHIPPED
from catalogue.graph.ruleset import Ruleset, compile_ruleset
from roster.engine import edits
from roster.engine.edits import EditedRoster
from roster.engine.evaluate import evaluate
from roster.engine.tree import RosterTree
from tests.read_archives import read_archive
from tests.shipped_packs import read_shipped

SHARED = os.environ.get("ARMYBUILDER_SHARED", "")
NEEDS_DATA = pytest.mark.skipif(not SHARED, reason="ARMYBUILDER_SHARED does not point at the community's data")
pytestmark = [pytest.mark.slow, NEEDS_DATA]

BATTALION = "564e-55d5-79bc-a4d7"
NECRONS = "Necrons"
FACTIONS = 41


@cache
def book() -> Catalogue:
    data = read_shipped(SHIPPED / "wh40k" / "ninth").data
    assert data is not None
    return data.game_system


@cache
def laid() -> DataSet:
    data = read_archive(Path(SHARED) / "bsdata" / "wh40k-9e.zip").data
    assert data is not None
    found = find_overlay(data.game_system, book())
    assert found is not None
    return overlay_data(data, book(), found)


@cache
def rules() -> Ruleset:
    return compile_ruleset(laid())


def factions() -> list[Catalogue]:
    return [each for each in laid().catalogues if each.kind is CatalogueKind.FACTION]


def test_every_faction_has_units_that_its_rules_count() -> None:
    """Each faction has units, its own or a library's, of a type of the overlay."""
    without = {each.name for each in factions() if not any(_is_unit(found.entry) for found in _roots(each))}
    assert (len(factions()), without) == (FACTIONS, set())


def _roots(catalogue: Catalogue) -> list[LocatedEntry]:
    return list(rules().binding.list_root_entries(catalogue))


def _is_unit(entry: Entry) -> bool:
    return any(link.target_id == UNITS for link in entry.categories)


def test_what_counts_as_one_is_found_by_name() -> None:
    named = {own: c.name for own, c in rules().binding.categories.items() if own.startswith("set/")}
    assert set(named.values()) >= {"Army units", "Daemon Princes", "Einhyr Hearthguard", "Scout Sentinels"}


def army(catalogue: str, *units: tuple[str, int], points: int) -> RosterTree:
    found = next(each for each in laid().catalogues if each.name == catalogue)
    start = edits.create_roster(rules(), limits={"points": points})
    roster = _done(edits.add_force(rules(), start.roster, BATTALION, found.id))
    for name, times in units:
        for _ in range(times):
            layout = rules().find_catalogue(found.id)
            assert layout
            option = next(o for o in layout.root_options.options if o.entry.name == name)
            roster = _done(edits.select(rules(), roster, roster.forces[0].id, option.local_id))
    return roster


def _done(outcome: object) -> RosterTree:
    assert isinstance(outcome, EditedRoster), outcome
    return outcome.roster


def broken(roster: RosterTree) -> set[str]:
    return {violation.rule for violation in evaluate(rules(), roster).errors if violation.rule}


def test_necrons_of_the_community() -> None:
    """The data selects a Strike Force by default; an army of another size gets its own."""
    unled = {"mow-warlord"}
    assert broken(army(NECRONS, ("Lychguard", 2), ("Necron Warriors", 3), points=1000)) == unled
    assert broken(army(NECRONS, ("Lychguard", 3), points=1000)) == unled | {"mow-datasheet-limit"}
    assert broken(army(NECRONS, ("Lychguard", 3), points=2000)) == unled
    assert broken(army(NECRONS, ("Lychguard", 4), points=2000)) == unled | {"mow-datasheet-limit"}
    assert "mow-battle-size" in broken(army(NECRONS, ("Lychguard", 1), points=500))


@pytest.mark.parametrize(
    ("points", "size"), [(1000, "2. Incursion"), (2000, "3. Strike Force"), (3000, "4. Onslaught")]
)
def test_the_size_follows_the_limit(points: int, size: str) -> None:
    chosen = [
        part.name
        for root in army(NECRONS, points=points).forces[0].selections
        for part in root.selections
        if root.name == "Battle Size"
    ]
    assert [name.partition(" (")[0] for name in chosen] == [size]


def test_princes_of_three_books_are_one_excess() -> None:
    """The data has one prince, to whom three books link under names of their own."""
    roster = edits.create_roster(rules(), limits={"points": 1000}).roster
    for name, prince in (
        ("Chaos - Chaos Space Marines", "Heretic Astartes Daemon Prince"),
        ("Chaos - Death Guard", "Death Guard Daemon Prince"),
        ("Chaos - Thousand Sons", "Thousand Sons Daemon Prince"),
    ):
        faction = next(each for each in laid().catalogues if each.name == name)
        layout = rules().find_catalogue(faction.id)
        assert layout
        option = next(one for one in layout.root_options.options if one.entry.name == prince)
        roster = _done(edits.add_force(rules(), roster, BATTALION, faction.id))
        roster = _done(edits.select(rules(), roster, roster.forces[-1].id, option.local_id))
    princes = [error for error in evaluate(rules(), roster).errors if error.rule.startswith("mow-datasheet")]
    assert [(error.measured, error.allowed, len(error.cause)) for error in princes] == [(3, 2, 3)]


def test_crypteks_of_the_community_that_advise() -> None:
    """A Technomancer is chosen by default."""
    led = (("Overlord", 1), ("Plasmancer", 1))
    limit = "mow-datasheet-limit"
    assert limit not in broken(army(NECRONS, *led, ("Technomancer", 1), ("Dynastic Advisor", 1), points=1000))
    assert limit in broken(army(NECRONS, *led, ("Technomancer", 2), ("Dynastic Advisor", 1), points=1000))
    assert limit in broken(army(NECRONS, *led, ("Dynastic Advisor", 3), points=1000))
    assert limit not in broken(army(NECRONS, *led, ("Dynastic Advisor", 3), points=2000))


def test_an_advisor_is_no_datasheet() -> None:
    necrons = next(each for each in laid().catalogues if each.name == NECRONS)
    advisor = next(entry for entry in necrons.entries if entry.name == "Dynastic Advisor")
    assert _is_unit(advisor)
    assert advisor.target_id not in {constraint.query.child_id for constraint in advisor.constraints}
