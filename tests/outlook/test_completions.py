"""A completion leaves existing units as they are, if the points allow it."""

import pytest

from roster.engine.compare import compare_rosters
from roster.engine.completion.complete import complete
from roster.engine.completion.solver import Possibility
from roster.engine.evaluate import evaluate
from roster.engine.evaluation import Evaluation
from roster.engine.report import Verdict
from roster.services.limits import WAYS
from roster.wording.comparison import describe_difference
from tests.outlook.answers import COMPLETIONS, read_case

CHANGES = {
    "drones-200": ["+1 Spider Drones"],
    "scarecrow-200": ["+2 Spider Drones"],
    # The cheapest drones cost 26 with their commander; his Overdrive saves the two missing points.
    "scarecrow-24": ["+2 Spider Drones", "+1 Overdrive instead of Rapid Fire (Command Scarecrow)"],
    "scarecrow-26": ["+2 Spider Drones"],
    "warrior-prime-120": ["+1 Militus Warrior"],
}


def test_every_list_has_its_completion() -> None:
    assert {path.stem for path in COMPLETIONS.glob("*.yaml")} == {*CHANGES, "scarecrow-23"}


@pytest.mark.parametrize("name", CHANGES)
def test_what_is_there_changes_only_if_the_points_force_it(name: str) -> None:
    ruleset, roster = read_case(name, COMPLETIONS)
    completion = complete(ruleset, roster, effort=WAYS)
    assert completion.roster
    assert completion.is_best
    assert evaluate(ruleset, completion.roster, tree=False).verdict is Verdict.LEGAL
    assert [describe_difference(one, {}) for one in compare_rosters(roster, completion.roster)] == CHANGES[name]
    (limit,) = roster.limits
    if limit.value < 26:
        assert Evaluation(ruleset, completion.roster).totals[limit.type_id] == limit.value


def test_one_point_less_leaves_no_way() -> None:
    ruleset, roster = read_case("scarecrow-23", COMPLETIONS)
    assert complete(ruleset, roster, effort=WAYS).answer is Possibility.NO
