"""Warhammer 40,000, 9th edition: each unit of three factions costs and counts what the facts in the shared folder
say.
"""

import os
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from catalogue.definitions.catalogues import Catalogue, DataSet
from catalogue.definitions.entries import Entry, EntryType
from catalogue.definitions.queries import Bound, Change
from catalogue.formats.packs.load import SHIPPED
from catalogue.formats.packs.syntax.scalars import make_id
from catalogue.graph.ruleset import Ruleset
from roster.engine import edits
from roster.engine.edits import EditedRoster
from roster.engine.evaluate import evaluate
from roster.engine.report import Report
from tests.catalogue.wh40k_facts import FACTIONS, Fact, facts, priced_options
from tests.extent import sample
from tests.shipped_packs import read_ruleset

SHARED = os.environ.get("ARMYBUILDER_SHARED", "")
needs_facts = pytest.mark.skipif(not SHARED, reason="ARMYBUILDER_SHARED does not point at the facts of these units")

ENTRIES = {"necrons": 69, "leagues-of-votann": 19, "tyranids": 56}


def data() -> DataSet:
    return rules().data


def rules() -> Ruleset:
    return read_ruleset(SHIPPED / "wh40k" / "ninth")


def catalogue(faction: str) -> Catalogue:
    return next(each for each in data().catalogues if each.id == faction)


@cache
def units() -> dict[tuple[str, str, str], Entry]:
    return {
        (faction, make_id(entry.name), type_of(entry)): entry
        for faction in FACTIONS
        for entry in catalogue(faction).entries
        if entry.type is EntryType.UNIT and type_of(entry) != "spending"
    }


def type_of(entry: Entry) -> str:
    return next((link.target_id for link in entry.categories if link.primary), "")


def every_fact() -> tuple[Fact, ...]:
    return facts(Path(SHARED)) if SHARED else ()


def alone(fact: Fact) -> Report:
    empty = edits.create_roster(rules(), limits={"points": 3000}).roster
    with_force = edits.add_force(rules(), empty, "other", fact.faction)
    assert isinstance(with_force, EditedRoster), with_force
    force = with_force.roster.forces[0].id
    with_unit = edits.select(rules(), with_force.roster, force, entry_of(fact).id)
    assert isinstance(with_unit, EditedRoster), with_unit
    return evaluate(rules(), with_unit.roster)


def entry_of(fact: Fact) -> Entry:
    return units()[fact.faction, fact.name, fact.type]


def cost(report: Report, type_id: str) -> int:
    return int(next((cost.value for cost in report.costs if cost.type_id == type_id), 0))


def every(entry: Entry) -> Iterator[Entry]:
    yield entry
    for child in entry.entries:
        shared = rules().binding.find_entry(child.target_id, catalogue("necrons")) if child.target_id else None
        yield from every(shared.entry if shared else child)


@needs_facts
def test_every_datasheet_is_there_and_no_other() -> None:
    there = Counter(faction for faction, _, _ in units())
    assert there == ENTRIES
    assert set(units()) == {(fact.faction, fact.name, fact.type) for fact in every_fact()}


@needs_facts
@pytest.mark.parametrize("fact", sample(every_fact(), 80), ids=str)
def test_a_unit_as_it_is_taken(fact: Fact) -> None:
    report = alone(fact)
    assert (cost(report, "points"), cost(report, "models")) == (fact.points, fact.fewest)


@needs_facts
@pytest.mark.parametrize("fact", sample(every_fact(), 80), ids=str)
def test_the_largest_unit(fact: Fact) -> None:
    assert most_models(entry_of(fact)) == fact.most


def most_models(unit: Entry) -> int:
    inside = [child for child in unit.entries if holds_models(child)]
    return sum(most_of(child) for child in inside) if inside else 1


def most_of(part: Entry) -> int:
    own = [c.value for c in part.constraints if c.bound is Bound.MAX and not c.when and c.id.endswith("#max")]
    inner = [child for child in part.entries if holds_models(child)]
    bounds = [int(bound) for bound in own]
    if part.type is not EntryType.MODEL and inner and all(most_bounded(child) for child in inner):
        bounds.append(sum(most_of(child) for child in inner))
    return min(bounds)


def most_bounded(part: Entry) -> bool:
    return any(c.bound is Bound.MAX and c.id.endswith("#max") for c in part.constraints)


def holds_models(part: Entry) -> bool:
    return part.type is EntryType.MODEL or any(holds_models(child) for child in part.entries)


@needs_facts
@pytest.mark.parametrize("fact", sample(every_fact(), 80), ids=str)
def test_options_cost_what_the_facts_say(fact: Fact) -> None:
    prices = {(make_id(entry.name), *price) for entry in every(entry_of(fact)) for price in prices_of(entry)}
    assert set(priced_options(fact)) <= prices


def prices_of(entry: Entry) -> Iterator[tuple[int, bool]]:
    for cost in entry.costs:
        if cost.type_id == "points" and cost.value:
            yield int(cost.value), False
    for modifier in entry.modifiers:
        if modifier.field == "points" and modifier.change is Change.INCREMENT and modifier.repeats:
            yield int(modifier.value), True
