"""Exactly this many.

**Demands** that the amount a constraint counts equals its bound.

**Why:** "a unit of exactly three", "each bodyguard belongs to one leader". One sentence in the rulebook should be one
in the verdict.

**Measured** like a maximum and a minimum, and reported like the broken bound. Further picks can fix it only if the
amount is too small and the data does not exclude that.

**Broken by** two or four crew in a boat for three.
"""

from collections.abc import Iterator

from catalogue.definitions.queries import Bound
from catalogue.definitions.rule_codes import RuleCode
from roster.engine.evaluation import Evaluation
from roster.engine.report import Violation
from roster.engine.rule import build_check_violation, list_broken_checks


def check(evaluation: Evaluation) -> Iterator[Violation]:
    for failed in list_broken_checks(evaluation, Bound.EXACTLY, lambda check: check.measured != check.allowed):
        yield build_check_violation(evaluation, RuleCode.EXACTLY, failed)
