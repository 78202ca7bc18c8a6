"""Every spec in `specs/`: the violations found are exactly those expected; silence means legal."""

import pytest

from roster.engine.evaluate import evaluate
from tests.engine.spec_reader import read_spec, spec_names, told

CASES = [(name, case.it) for name in spec_names() for case in read_spec(name).cases]


@pytest.mark.parametrize(("name", "it"), CASES)
def test_spec(name: str, it: str) -> None:
    spec = read_spec(name)
    case = next(case for case in spec.cases if case.it == it)
    report = evaluate(spec.ruleset, case.roster, case.plan)
    assert told(report) == sorted(case.wrong)
    if case.verdict:
        assert report.verdict == case.verdict
    costs = {cost.type_id: str(cost.value) for cost in report.costs}
    assert {key: costs.get(key, "none") for key in case.costs} == case.costs


@pytest.mark.parametrize("name", spec_names())
def test_spec_is_small(name: str) -> None:
    spec = read_spec(name)
    assert spec.behaviour.endswith(".")
    assert len({case.it for case in spec.cases}) == len(spec.cases)
