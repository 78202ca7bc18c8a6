"""At most this many.

**Demands** that the amount a constraint counts does not exceed its bound.

**Why:** most limits of a rulebook: slots of a detachment, "0-1 per army", "one weapon per model", "at most as many
hammer units as core units".

**Measured** by the constraint's query in its scope, against its value after modifiers plus its terms, or that
percentage of everything in the scope. Without terms, -1 means no limit, and other negative values equal 0. Reported
once per scope, on the last selection counted, or on the selection that is the scope.

**Broken by** a third selection of an entry with a maximum of 2 in its force.
"""

from collections.abc import Iterator

from catalogue.definitions.queries import Bound
from catalogue.definitions.rule_codes import RuleCode
from roster.engine.evaluation import Evaluation
from roster.engine.report import Violation
from roster.engine.rule import build_check_violation, list_broken_checks


def check(evaluation: Evaluation) -> Iterator[Violation]:
    for failed in list_broken_checks(evaluation, Bound.MAX, lambda check: check.measured > check.allowed):
        yield build_check_violation(evaluation, RuleCode.MAXIMUM, failed)
