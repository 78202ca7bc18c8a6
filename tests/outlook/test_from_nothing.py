"""Every shipped faction has a legal list from an empty detachment of each kind, or provably none."""

from collections.abc import Iterator
from typing import NamedTuple

import pytest

from catalogue.definitions.catalogues import CatalogueKind
from catalogue.formats.packs.load import SHIPPED
from roster.engine import edits
from roster.engine.completion.solver import Possibility, is_solver_installed
from roster.engine.edits import EditedRoster
from roster.engine.report import Verdict
from roster.engine.tree import copy_with
from roster.services.evaluation import EvaluatedList, evaluate_with
from roster.services.ways import WayKind, find_ways
from tests.extent import draw_cases, sample
from tests.shipped_packs import read_ruleset

PACKS = {
    "wh40k/ninth": 3000,
    "maelstroms_edge/second": 200,
    "maelstroms_edge/first": 200,
    "edge_dawnfall/dawnfall": None,
    "reeds_and_rust/first": 200,
    "warzone/resurrection": 3000,
}
"""The points of a list, by pack."""
MOST_CASES = 40
"""A case takes up to ten seconds, so a complete run tries some."""
PREVIEW = "preview-2015"
"""A kind of detachment for two units without points, which are there to be read."""
IMPOSSIBLE = {
    "wh40k/ninth-leagues-of-votann-supreme-command",
    "wh40k/ninth-leagues-of-votann-super-heavy",
    "wh40k/ninth-leagues-of-votann-super-heavy-auxiliary",
    "wh40k/ninth-leagues-of-votann-fortification-network",
    "wh40k/ninth-tyranids-supreme-command",
    "warzone/resurrection-dark-legion-semai-gargantuan",
}
"""The faction has no unit that this detachment requires."""

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not is_solver_installed(), reason="no solver is installed")]


class Beginning(NamedTuple):
    pack: str
    faction: str
    kind: str

    def __str__(self) -> str:
        return "-".join(self)

    def start(self) -> EvaluatedList:
        ruleset = read_ruleset(SHIPPED / self.pack)
        limit = PACKS[self.pack]
        limits = {ruleset.points_type.id: limit} if ruleset.points_type and limit else {}
        roster = copy_with(edits.create_roster(ruleset, "Army", limits=limits).roster, faction=self.faction)
        edited = edits.add_force(ruleset, roster, self.kind, self.faction)
        assert isinstance(edited, EditedRoster)
        return evaluate_with(ruleset, edited.roster, tree=False)


def list_beginnings() -> Iterator[Beginning]:
    for pack in PACKS:
        ruleset = read_ruleset(SHIPPED / pack)
        for catalogue in ruleset.data.catalogues:
            compiled = ruleset.find_catalogue(catalogue.id)
            if catalogue.kind is CatalogueKind.FACTION and compiled:
                yield from (
                    Beginning(pack, catalogue.id, kind.id) for kind in compiled.force_entries if kind.id != PREVIEW
                )


@pytest.mark.parametrize("beginning", sample(draw_cases(list(list_beginnings()), MOST_CASES), 2), ids=str)
def test_an_empty_detachment_is_completed(beginning: Beginning) -> None:
    empty = beginning.start()
    search = find_ways(empty, WayKind.COMPLETE)
    if str(beginning) in IMPOSSIBLE:
        assert not search.ways
    elif search.answer is not Possibility.NO:
        assert search.ways[0].evaluated_list.verdict is Verdict.LEGAL
