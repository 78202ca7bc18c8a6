"""At most so many.

**Demands** that what a constraint counts stays at or below its bound.

**Why:** slots of a detachment, "0-1 per army", "one weapon per model", "hammer units at most as many as core units":
most of what a rulebook limits.

**Measured** by the constraint's query in its scope, against its value after modifiers plus its terms, or that
percentage of everything in the scope. Without terms, a value of -1 is no limit, and any other below zero leaves as much
as 0. What is hidden demands nothing. A scope is reported once, on the thing there is too much of; for entries inside a
selection, on that selection.

**Broken by** a third selection of an entry with a maximum of 2 in its force.
"""

from collections.abc import Iterator

from catalogue.definitions.queries import Bound
from catalogue.definitions.rule_codes import RuleCode
from roster.engine.evaluation import Evaluation
from roster.engine.report import Violation
from roster.engine.rule import build_check_violation, list_broken_checks


def check(evaluation: Evaluation) -> Iterator[Violation]:
    """Find each constraint that is exceeded."""
    for failed in list_broken_checks(evaluation, Bound.MAX, lambda check: check.measured > check.allowed):
        yield build_check_violation(evaluation, RuleCode.MAXIMUM, failed)
