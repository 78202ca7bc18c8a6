"""Export then import is the identity, on random rosters of every available game."""

import os
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from catalogue.definitions.rule_codes import RuleCode
from catalogue.formats.packs.load import find_packs
from catalogue.graph.ruleset import Ruleset, compile_ruleset
from roster.engine.evaluate import evaluate
from roster.engine.report import EffectiveForce, EffectiveSelection, Report
from roster.engine.tree import Force, RosterTree, Selection, copy_with
from roster.formats.ros import read_ros, write_ros, write_rosz
from tests.extent import sample
from tests.read_archives import read_archive
from tests.roster.generated import Wanderer, rosters
from tests.shipped_packs import read_ruleset

pytestmark = pytest.mark.slow

STEPS = 12
SHARED = Path(os.environ.get("ARMYBUILDER_SHARED", "absent"), "bsdata")
GAMES = {path.as_posix().split("/packs/")[-1]: path for path in find_packs()}
GAMES |= {path.name: path for path in sorted(SHARED.glob("*.zip")) if "9e-v9" not in path.name}


@cache
def ruleset(game: str) -> Ruleset:
    path = GAMES[game]
    if path.suffix != ".zip":
        return read_ruleset(path)
    data = read_archive(path).data
    if data is None:
        pytest.skip("the data cannot be read; its own tests say why")
    return compile_ruleset(data)


@pytest.mark.parametrize("game", sample(GAMES, 3))
@settings(max_examples=15, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(st.data())
def test_export_then_import_is_the_identity(game: str, data: st.DataObject) -> None:
    rules = ruleset(game)
    check_identity(rules, data.draw(rosters(rules)))


@pytest.mark.parametrize("game", sample(GAMES, 3))
def test_export_then_import_is_the_identity_for_large_rosters_of_every_catalogue(game: str) -> None:
    rules = ruleset(game)
    found = [rules.find_catalogue(catalogue.id) for catalogue in rules.data.catalogues]
    books = [book for book in found if book and book.force_entries]
    assert books
    for book in sample(books, 8):
        check_identity(rules, Wanderer(rules, book).wander(STEPS))


def check_identity(rules: Ruleset, roster: RosterTree) -> None:
    report = evaluate(rules, roster)
    assert not [found for found in report.violations if found.code in (RuleCode.UNKNOWN_ENTRY, RuleCode.UNKNOWN_FORCE)]
    written = write_ros(roster, report, rules.data)
    read = read_ros("r.ros", written)
    assert read.roster == named(roster, report)
    assert read.uneven == ()
    assert {c.type_id: c.value for c in read.costs if c.value} == {c.type_id: c.value for c in report.costs if c.value}
    again = evaluate(rules, read.roster)
    assert again == report
    assert write_ros(read.roster, again, rules.data) == written
    assert read_ros("r.rosz", write_rosz(roster, report, rules.data)) == read


def named(roster: RosterTree, report: Report) -> RosterTree:
    """Return `roster` with current names, the only thing that a file changes."""
    names: dict[str, str] = {}
    pending: list[EffectiveForce | EffectiveSelection] = [*report.forces]
    while pending:
        node = pending.pop()
        names[node.id] = node.name
        pending += node.selections
        if isinstance(node, EffectiveForce):
            pending += node.forces

    def renamed(selection: Selection) -> Selection:
        inside = tuple(renamed(inner) for inner in selection.selections)
        # A file does not record whether a choice was automatic.
        return copy_with(selection, name=names[selection.id], automatic=False, selections=inside)

    def renamed_force(force: Force) -> Force:
        return copy_with(
            force,
            name=names[force.id],
            selections=tuple(renamed(s) for s in force.selections),
            forces=tuple(renamed_force(f) for f in force.forces),
        )

    return copy_with(roster, forces=tuple(renamed_force(f) for f in roster.forces))
