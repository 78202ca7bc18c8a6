"""A unit's page shows the price that the builder charges in a new list."""

from itertools import islice
from pathlib import Path

import pytest

from catalogue.definitions.catalogues import CatalogueKind
from catalogue.formats.packs.load import find_packs
from catalogue.graph.ruleset import CompiledCatalogue, Ruleset, find_points_type
from roster.engine import edits
from roster.engine.evaluation import Evaluation
from roster.engine.offers import list_offers
from tests.shipped_packs import read_ruleset

FORCES = 3
"""The offers of this many kinds of force of a faction are checked."""


def prices_in_builder(ruleset: Ruleset, catalogue: CompiledCatalogue, points_id: str) -> dict[str, object]:
    prices: dict[str, object] = {}
    empty = edits.create_roster(ruleset).roster
    for force in islice(catalogue.force_entries, FORCES):
        added = edits.add_force(ruleset, empty, force.id, catalogue.catalogue.id)
        assert isinstance(added, edits.EditedRoster)
        for option in list_offers(Evaluation(ruleset, added.roster), added.created[0]).options:
            # Hidden options are never shown, so they have no price.
            if option.hidden:
                continue
            cost = next((cost.value for cost in option.costs if cost.type_id == points_id), 0)
            prices.setdefault(option.entry_id, cost)
    return prices


@pytest.mark.parametrize("path", find_packs(), ids=lambda path: "-".join(path.parts[-2:]))
def test_points_on_pages_are_those_of_the_builder(path: Path) -> None:
    ruleset = read_ruleset(path)
    data = ruleset.data
    points = find_points_type(data)
    points_id = points.id if points else ""
    seen = 0
    for faction in (c for c in data.catalogues if c.kind is CatalogueKind.FACTION):
        catalogue = ruleset.compile_catalogue(faction)
        roots = {root.local_id: root.entry for root in catalogue.distinct_roots}
        in_builder = prices_in_builder(ruleset, catalogue, points_id)
        on_page = {key: ruleset.smallest.sum_costs(roots[key]).get(points_id, 0) for key in in_builder}
        assert on_page == in_builder
        seen += len(in_builder)
    assert seen > 0
