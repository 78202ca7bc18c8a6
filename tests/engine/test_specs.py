"""Every spec in `specs/`: the violations found are exactly those expected; silence means legal."""

import pytest

from roster.engine.evaluation import Evaluation
from tests.engine.spec_reader import read_spec, shown, spec_names, told, told_offers

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
    if case.unchecked is not None:
        assert [remark.code for remark in report.unchecked] == case.unchecked
    nodes = shown(report)
    for node_id, expected in case.show.items():
        assert {key: nodes[node_id].get(key) for key in expected} == expected
    for container_id, expected in case.offers.items():
        offered = told_offers(Evaluation(spec.ruleset, case.roster, case.plan), container_id)
        assert {entry: offered.get(entry, "none") for entry in expected} == expected


@pytest.mark.parametrize("name", spec_names())
def test_spec_is_small(name: str) -> None:
    spec = read_spec(name)
    assert spec.behaviour.endswith(".")
    assert len({case.it for case in spec.cases}) == len(spec.cases)
