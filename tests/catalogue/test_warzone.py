"""Warzone Resurrection: each squad and character costs and counts what the facts in the shared folder say."""

import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from catalogue.definitions.catalogues import Catalogue, DataSet
from catalogue.definitions.entries import Entry, EntryType
from catalogue.definitions.numbers import Number
from catalogue.definitions.queries import Bound, Change
from catalogue.formats.packs.load import SHIPPED
from catalogue.formats.packs.syntax.scalars import make_id
from catalogue.graph.ruleset import Ruleset
from roster.engine import edits
from roster.engine.edits import EditedRoster
from roster.engine.evaluate import evaluate
from roster.engine.report import Report
from tests.catalogue.warzone_facts import Fact, advisors, facts, most_models, priced_options
from tests.extent import sample
from tests.shipped_packs import read_ruleset

pytestmark = pytest.mark.slow

SHARED = os.environ.get("ARMYBUILDER_SHARED", "")
needs_facts = pytest.mark.skipif(not SHARED, reason="ARMYBUILDER_SHARED does not point at the facts of these squads")
PACK = SHIPPED / "warzone" / "resurrection"

NAMES = 271
"""The number of names in the facts; one is a misspelling of another."""


def data() -> DataSet:
    return rules().data


def rules() -> Ruleset:
    return read_ruleset(PACK)


def catalogue(faction: str) -> Catalogue:
    return next(each for each in data().catalogues if each.id == faction)


@cache
def offered(faction: str) -> dict[str, tuple[str, Entry]]:
    """Return what a faction may take by name: the id to take it by, and the entry."""
    found = {}
    for root in rules().binding.list_root_entries(catalogue(faction)):
        entry = root.entry
        shared = rules().binding.find_entry(entry.target_id, root.home) if entry.target_id else None
        own = f"{entry.id}::{shared.entry.id}" if shared else entry.id
        named = shared.entry if shared else entry
        assert make_id(named.name) not in found, f"{faction} has two units called {named.name}"
        found[make_id(named.name)] = (own, named)
    return found


def every_fact() -> tuple[Fact, ...]:
    return facts(Path(SHARED)) if SHARED else ()


def compared() -> tuple[Fact, ...]:
    return tuple(fact for fact in every_fact() if fact.name != "doomtrooper-pair")


def entry_of(fact: Fact) -> Entry:
    return offered(fact.faction)[fact.name][1]


def alone(fact: Fact) -> Report:
    """Return a list of only the unit, in the slot of the fact if that changes its cost."""
    empty = edits.create_roster(rules(), limits={"points": 3000}).roster
    with_force = edits.add_force(rules(), empty, "gargantuan", fact.faction)
    assert isinstance(with_force, EditedRoster), with_force
    force = with_force.roster.forces[0].id
    own, _ = offered(fact.faction)[fact.name]
    with_unit = edits.select(rules(), with_force.roster, force, own)
    assert isinstance(with_unit, EditedRoster), with_unit
    return evaluate(rules(), with_unit.roster)


def cost(report: Report, type_id: str) -> int:
    return int(next((cost.value for cost in report.costs if cost.type_id == type_id), 0))


def every(entry: Entry) -> Iterator[Entry]:
    yield entry
    for child in entry.entries:
        shared = rules().binding.find_entry(child.target_id, data().game_system) if child.target_id else None
        yield from every(shared.entry if shared else child)


@pytest.mark.parametrize(("chart", "brought"), [("skirmish", 3), ("standard", 8)])
def test_the_commander_brings_resources_and_nobody_brings_none(chart: str, brought: int) -> None:
    empty = edits.add_force(rules(), edits.create_roster(rules()).roster, chart, "bauhaus")
    assert isinstance(empty, EditedRoster)
    own, _ = offered("bauhaus")["venusian-marshal"]
    led = edits.select(rules(), empty.roster, empty.roster.forces[0].id, own)
    assert isinstance(led, EditedRoster)
    reports = (evaluate(rules(), edited.roster) for edited in (empty, led))
    assert [figure(report, "resources") for report in reports] == [0, brought]


@pytest.mark.parametrize(
    ("taken", "brought"),
    [(["venusian-marshal", "angelika-drachen", "blitzers"], 9), (["sturmblitzers", "sturmblitzers"], 0)],
)
def test_resources_while_it_is_open_who_commands(taken: list[str], brought: int) -> None:
    edited = edits.add_force(rules(), edits.create_roster(rules()).roster, "standard", "bauhaus")
    assert isinstance(edited, EditedRoster)
    for name in taken:
        own, _ = offered("bauhaus")[name]
        edited = edits.select(rules(), edited.roster, edited.roster.forces[0].id, own)
        assert isinstance(edited, EditedRoster)
    assert figure(evaluate(rules(), edited.roster), "resources") == brought


def figure(report: Report, own: str) -> Number | None:
    return next((found.value for found in report.figures if found.id == own), None)


@needs_facts
def test_every_name_is_there() -> None:
    assert len({fact.node["name"] for fact in every_fact()}) == NAMES
    assert [str(fact) for fact in every_fact() if fact.name not in offered(fact.faction)] == []


@needs_facts
@pytest.mark.parametrize("fact", sample(compared(), 150), ids=str)
def test_a_unit_as_it_is_taken(fact: Fact) -> None:
    report = alone(fact)
    assert (cost(report, "points") + move_price(fact), cost(report, "models")) == (fact.points, fact.fewest)


def move_price(fact: Fact) -> int:
    """Return what the unit costs more in the slot of the fact, if that is not its own."""
    words = {"light-vehicle": "light-vehicle", "heavy-vehicle": "heavy-vehicle", "transport-vehicle": "transport"}
    moved = f"as-{words.get(fact.type, fact.type)}"
    found = [entry for entry in entry_of(fact).entries if entry.id.endswith(f"/{moved}")]
    return next((price for entry in found for price, each in prices_of(entry) if not each), 0)


@needs_facts
@pytest.mark.parametrize("fact", sample(compared(), 150), ids=str)
def test_the_largest_unit(fact: Fact) -> None:
    assert largest(entry_of(fact)) == most_models(fact, Path(SHARED))


def largest(unit: Entry) -> int | None:
    inside = [child for child in unit.entries if child.type is EntryType.MODEL and not child.is_link]
    if not inside:
        return 1
    bounds = [
        next((int(c.value) for c in child.constraints if c.bound is Bound.MAX and c.id.endswith("#max")), None)
        for child in inside
    ]
    return None if None in bounds else sum(bound for bound in bounds if bound is not None)


@needs_facts
@pytest.mark.parametrize("fact", sample(compared(), 150), ids=str)
def test_options_cost_what_the_facts_say(fact: Fact) -> None:
    prices = {(make_id(entry.name), *price) for entry in every(entry_of(fact)) for price in prices_of(entry)}
    assert set(priced_options(fact)) - prices == set()


@needs_facts
@pytest.mark.parametrize("fact", sample([fact for fact in compared() if [*advisors(fact)]], 150), ids=str)
def test_advisors_join_at_the_price_of_the_facts(fact: Fact) -> None:
    found = set(joined_in(entry_of(fact)))
    assert set(advisors(fact)) - found == set()


def joined_in(unit: Entry) -> Iterator[tuple[str, int]]:
    for link in unit.entries:
        shared = rules().binding.find_entry(link.target_id, data().game_system) if link.target_id else None
        if shared:
            models = [child for child in shared.entry.entries if child.type is EntryType.MODEL and child.costs]
            prices = [price for entry in (shared.entry, *models) for price, each in prices_of(entry) if not each]
            yield make_id(shared.entry.name), sum(prices)


def prices_of(entry: Entry) -> Iterator[tuple[int, bool]]:
    for cost in entry.costs:
        if cost.type_id == "points" and cost.value:
            yield int(cost.value), False
    for modifier in entry.modifiers:
        if modifier.field == "points" and modifier.change is Change.INCREMENT and modifier.repeats:
            yield int(modifier.value), True
