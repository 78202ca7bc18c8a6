"""Complete a current list that is too large for the search of the whole: an ally, a choice of each detachment open."""

import pytest

from catalogue.models import PackVersion
from roster.engine.completion.solver import Possibility, is_solver_installed
from roster.engine.report import Verdict
from roster.engine.tree import list_selections
from roster.services.ways import WayKind, find_ways
from tests.current.building import begin_list
from tests.current.test_current_lists import games
from tests.current.written import WrittenList

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.slow,
    pytest.mark.skipif(not is_solver_installed(), reason="no solver is installed"),
]

WRITTEN = WrittenList(
    archive="horus-heresy-3rd-2025-11.zip",
    system="Horus Heresy 3rd Edition",
    faction="XVI - Sons of Horus",
    name="Two legions",
    known_for="an ally that is begun",
    limit=3000,
    steps=[
        {"force": "Crusade Force Organization Chart", "as": "crusade"},
        {"force": "Crusade Primary Detachment", "in": "crusade", "as": "primary"},
        {"unit": "Praetor in Saturnine Terminator Armour", "in": "primary"},
        {"unit": "Tactical Squad", "in": "primary"},
        {"force": "Allied Detachment and its Auxiliary", "of": "XII - World Eaters", "as": "allies"},
        {"force": "Allied Detachment ", "in": "allies", "as": "allied"},
        {"unit": "Centurion in Terminator Armour", "in": "allied"},
        {"unit": "Tactical Squad", "in": "allied"},
    ],
    costs={},
    breaks=[],
)

__all__ = ["games"]


@pytest.mark.parametrize("games", [WRITTEN.archive], indirect=True)
def test_the_open_choices_of_a_list_with_an_ally_are_made(games: dict[str, PackVersion]) -> None:
    builder = begin_list(games[WRITTEN.system], WRITTEN)
    for step in WRITTEN.steps:
        builder.carry_out(step)
    judged = builder.evaluated_list
    assert judged.verdict is Verdict.INCOMPLETE
    search = find_ways(judged, WayKind.COMPLETE, games[WRITTEN.system])
    assert search.answer is Possibility.YES
    (way,) = search.ways
    assert (way.evaluated_list.verdict, way.points) == (Verdict.LEGAL, 0)
    added = sorted((one.kind.value, one.name, one.unit) for one in way.differences)
    assert added == [
        ("added", "Cataphractii", "Centurion in Terminator Armour"),
        ("added", "Legiones Astartes Sons of Horus", "Rite of War"),
    ]
    kept = {selection.id: selection.entry_id for selection in list_selections(way.evaluated_list.tree)}
    assert all(kept.get(one.id) == one.entry_id for one in list_selections(judged.tree))
