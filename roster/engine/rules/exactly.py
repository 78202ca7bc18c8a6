"""Exactly so many.

**Demands** that what a constraint counts equals its bound.

**Why:** "a unit of exactly three", "each bodyguard belongs to one leader": a minimum and a maximum that are one
sentence in the book, and should be one in the verdict.

**Measured** as a maximum and a minimum are, whichever side is missed; reported like that one. Further picks mend it
only while there are too few, and not where the data says that none do.

**Broken by** two or four crew in a boat for three.
"""

from collections.abc import Iterator

from catalogue.definitions.queries import Bound
from catalogue.definitions.rule_codes import RuleCode
from roster.engine.evaluation import Evaluation
from roster.engine.report import Violation
from roster.engine.rule import build_check_violation, list_broken_checks


def check(evaluation: Evaluation) -> Iterator[Violation]:
    """Find each constraint that is missed, on either side."""
    for failed in list_broken_checks(evaluation, Bound.EXACTLY, lambda check: check.measured != check.allowed):
        yield build_check_violation(evaluation, RuleCode.EXACTLY, failed)
