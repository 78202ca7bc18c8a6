"""What counts as a unit follows profiles of models, whatever the type of the entry."""

from pathlib import Path

import pytest

from roster.engine.edits import EditedRoster, add_force, create_roster, select
from roster.engine.evaluate import evaluate
from roster.engine.evaluation import Evaluation
from roster.engine.model_profiles import has_models, holds_models, is_unit_entry, is_unit_node
from roster.engine.offers import list_offered_forces, list_offers
from roster.services.plan_shapes import list_units
from tests.read_archives import read_rules

UNITS = {"middle-earth": ("Angmar", "The Witch-king of Angmar"), "grimdark-future": ("Alien Hives", "Hive Lord")}


@pytest.mark.slow
@pytest.mark.parametrize("archive", UNITS)
def test_an_upgrade_that_wraps_a_model_is_a_unit_everywhere(archive: str, shared: Path) -> None:
    ruleset = read_rules(shared / "bsdata" / f"{archive}.zip")
    faction_name, unit_name = UNITS[archive]
    faction = next(one for one in ruleset.data.catalogues if faction_name in one.name)
    book = ruleset.find_catalogue(faction.id)
    assert book
    roster = create_roster(ruleset).roster
    force_entry = list_offered_forces(Evaluation(ruleset, roster), book.force_entries, faction.id)[0]
    added = add_force(ruleset, roster, force_entry.id, faction.id)
    assert isinstance(added, EditedRoster)
    offers = list_offers(Evaluation(ruleset, added.roster), added.created[0]).options
    offer = next(one for one in offers if one.name == unit_name)
    taken = select(ruleset, added.roster, added.created[0], offer.entry_id)
    assert isinstance(taken, EditedRoster)

    evaluation = Evaluation(ruleset, taken.roster)
    node = next(one for one in evaluation.roster.selections if one.document and one.document.name == unit_name)
    assert is_unit_node(ruleset, node)
    assert node.option
    assert is_unit_entry(ruleset, node.option.entry)
    report = evaluate(ruleset, taken.roster)
    effective = next(one for force in report.walk_forces() for one in force.selections if one.name == unit_name)
    assert has_models(effective)
    assert holds_models(effective)
    assert unit_name in {unit.selection.name for unit in list_units(report.forces)}
    members = [member for force in evaluation.roster.all_forces for member in force.members]
    units = [one.document.name for one in members if one.document and is_unit_node(ruleset, one)]
    assert units == [unit_name]
