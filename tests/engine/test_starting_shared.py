"""The automatic content of new lists from real data, with archives of the shared folder."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from catalogue.definitions.catalogues import Catalogue, CatalogueKind
from catalogue.definitions.rule_codes import RuleCode
from catalogue.graph.ruleset import Ruleset
from roster.engine import edits
from roster.engine.edits import EditedRoster
from roster.engine.evaluate import evaluate
from roster.engine.evaluation import Evaluation
from roster.engine.offers import list_offered_forces, list_offers
from tests.engine.games import done
from tests.extent import sample
from tests.read_archives import read_rules

pytestmark = pytest.mark.slow


def begin_lists(ruleset: Ruleset, faction: Catalogue, points: int) -> Iterator[tuple[str, EditedRoster]]:
    """Begin a list with each kind of force of a faction; yield the kind's name and the list."""
    compiled = ruleset.find_catalogue(faction.id)
    assert compiled
    assert ruleset.points_type
    bare = edits.create_roster(ruleset, limits={ruleset.points_type.id: points}).roster
    for force in list_offered_forces(Evaluation(ruleset, bare), compiled.force_entries, faction.id):
        yield force.name, done(edits.add_force(ruleset, bare, force.id, faction.id))


def test_one_of_several_that_make_each_other_needless_comes_along(shared: Path) -> None:
    ruleset = read_rules(shared / "bsdata" / "the-old-world.zip")
    (kings,) = [faction for faction in ruleset.data.catalogues if faction.name == "Tomb Kings of Khemri"]
    (begun,) = [begun.roster for name, begun in begin_lists(ruleset, kings, 2000) if "2. Combined Arms" in name]
    # A core unit, a possible commander, and a unit that raises the dead.
    assert [unit.name for unit in begun.forces[0].selections] == ["Skeleton Archers", "Tomb King", "Mortuary Priest"]


@pytest.mark.parametrize("name", sample(["battlegroup", "konflikt47", "heavy-gear-blitz"], 1))
def test_nothing_that_comes_along_is_hidden(shared: Path, name: str) -> None:
    ruleset = read_rules(shared / "bsdata" / f"{name}.zip")
    hidden = set()
    for faction in ruleset.data.catalogues:
        if faction.kind is not CatalogueKind.FACTION:
            continue
        for _, begun in begin_lists(ruleset, faction, 1000):
            evaluation = Evaluation(ruleset, begun.roster)
            lists = [begun.roster]
            for option in list_offers(evaluation, begun.created[0]).options:
                if not option.hidden and option.blocked is None:
                    lists.append(done(edits.select(ruleset, begun.roster, begun.created[0], option.entry_id)).roster)
            for roster in lists:
                broken = evaluate(ruleset, roster, tree=False).violations
                hidden.update((faction.name, breach.on.name) for breach in broken if breach.code is RuleCode.HIDDEN)
    assert hidden == set()
