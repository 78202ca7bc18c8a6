"""If several constraints of a rule fail by the same figures, the gravest is reported."""

from itertools import permutations

import pytest

from catalogue.definitions.constraints import Severity
from roster.engine.evaluate import dedupe_violations
from roster.engine.report import Location, PlaceKind, Violation
from roster.engine.tree import copy_with

ON_LIST = Location(kind=PlaceKind.ROSTER)
MILD = Violation(code="minimum", on=ON_LIST, rule="commander", mendable=True, constraint_id="there")
GRAVE = copy_with(MILD, mendable=False, constraint_id="named")
WARNING = copy_with(MILD, severity=Severity.WARNING, mendable=False, constraint_id="warned")


@pytest.mark.parametrize("violations", list(permutations([MILD, GRAVE, WARNING])))
def test_the_gravest_of_one_rule_counts(violations: tuple[Violation, ...]) -> None:
    assert dedupe_violations(violations) == [GRAVE]


def test_constraints_without_a_rule_are_told_apart_by_what_they_mean() -> None:
    violations = [copy_with(violation, rule="") for violation in (MILD, GRAVE, WARNING)]
    assert dedupe_violations(violations) == violations
