"""Whole armies of imported games are legal and mostly nearly full, in the community's data."""

import os
from functools import cache
from pathlib import Path

import pytest

from catalogue.definitions.catalogues import Catalogue, CatalogueKind
from catalogue.graph.ruleset import Ruleset, compile_ruleset
from roster.engine import edits
from roster.engine.completion.solver import is_solver_installed
from roster.engine.report import Verdict
from roster.engine.tree import copy_with
from roster.services.army import is_full
from roster.services.evaluation import evaluate_with
from roster.services.ways import WayKind, find_ways
from tests.extent import draw_cases
from tests.read_archives import read_archive

SHARED = Path(os.environ.get("ARMYBUILDER_SHARED", "absent"), "bsdata")
GAMES = ("age-of-sigmar-4th.zip", "the-old-world.zip")
MOST_FACTIONS = 3
"""An army takes up to ten seconds, so a complete run tries some factions of each game."""
MOST_SHORT = 2
"""The units of some factions, such as a few giants or allies, do not add up to nine tenths of a limit."""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.complete,
    pytest.mark.skipif(not is_solver_installed(), reason="no solver is installed"),
    pytest.mark.skipif(not SHARED.exists(), reason="ARMYBUILDER_SHARED does not point at the community's data"),
]


@cache
def read_rules(game: str) -> Ruleset:
    data = read_archive(SHARED / game).data
    assert data is not None
    return compile_ruleset(data)


def list_factions(game: str) -> list[Catalogue]:
    catalogues = read_rules(game).data.catalogues
    return [one for one in catalogues if one.kind is CatalogueKind.FACTION and "LEGENDS" not in one.name]


@pytest.mark.parametrize("game", GAMES)
def test_armies_of_an_imported_game_are_legal_and_mostly_nearly_full(game: str) -> None:
    ruleset = read_rules(game)
    missing, short = [], []
    for faction in draw_cases(list_factions(game), MOST_FACTIONS):
        points = ruleset.points_type
        assert points
        roster = edits.create_roster(ruleset, "Army", limits={points.id: 2000}).roster
        empty = evaluate_with(ruleset, copy_with(roster, faction=faction.id), tree=False)
        ways = find_ways(empty, WayKind.FILL, seed=1).ways
        if not ways or ways[0].evaluated_list.verdict is not Verdict.LEGAL:
            missing.append(faction.name)
        elif not is_full(ways[0].evaluated_list):
            short.append((faction.name, ways[0].evaluated_list.points))
    assert missing == []
    assert len(short) <= MOST_SHORT, short
