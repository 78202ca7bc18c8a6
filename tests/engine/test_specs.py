"""Every spec in `specs/`: the violations are exactly the expected ones; without any the list is legal."""

import pytest

from roster.engine.evaluation import Evaluation
from tests.engine.spec_reader import read_spec, shown, spec_names, told, told_forces, told_offers

CASES = [(name, case.it) for name in spec_names() for case in read_spec(name).cases]


@pytest.mark.parametrize(("name", "it"), CASES)
def test_spec(name: str, it: str) -> None:
    spec = read_spec(name)
    case = next(case for case in spec.cases if case.it == it)
    report = spec.judge(case)
    assert told(report) == sorted(case.wrong)
    if case.verdict:
        assert report.verdict == case.verdict
    costs = {cost.type_id: str(cost.value) for cost in report.costs}
    assert {key: costs.get(key, "none") for key in case.costs} == case.costs
    if case.texts is not None:
        assert sorted(violation.text for violation in report.violations) == sorted(case.texts)
    if case.unchecked is not None:
        assert [remark.code for remark in report.unchecked] == case.unchecked
    nodes = shown(report)
    for node_id, expected in case.show.items():
        assert {key: nodes[node_id].get(key) for key in expected} == expected
    for container_id, expected in case.offers.items():
        offered = told_offers(Evaluation(spec.ruleset, case.roster, case.plan), container_id)
        assert {entry: offered.get(entry, "none") for entry in expected} == expected
    for force_id, kinds in case.forces.items():
        assert told_forces(Evaluation(spec.ruleset, case.roster), force_id) == kinds
    if case.shown_costs is not None:
        assert [cost.type_id for cost in report.costs if not cost.hidden] == case.shown_costs
    held = {force.id: [root.entry_id for root in force.selections] for force in case.roster.forces}
    assert {force_id: held.get(force_id) for force_id in case.holds} == case.holds


@pytest.mark.parametrize("name", spec_names())
def test_spec_is_small(name: str) -> None:
    spec = read_spec(name)
    assert spec.behaviour.endswith(".")
    assert len({case.it for case in spec.cases}) == len(spec.cases)


def test_a_cost_type_that_something_may_show_is_not_for_rules_only() -> None:
    kinds = read_spec("shown-costs").ruleset.binding.cost_types
    assert [kinds[type_id].is_never_shown for type_id in ("pts", "spite")] == [False, True]
