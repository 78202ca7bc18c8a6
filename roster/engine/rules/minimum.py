"""At least this many.

**Demands** that the amount a constraint counts reaches its bound.

**Why:** the requirements of a rulebook: "1+ HQ", "a squad has at least five models", "a model has one weapon", "at
least as many core units as others".

**Measured** like a maximum. An entry's own minimum binds in every force with a slot for it, and in every selection that
offers it. A category's minimum binds in every force whose catalogue knows the category, even without a slot. A kind of
force demands its own number wherever the list or a force may hold it, even if there is none yet. A minimum that counts
something else binds at each selection of its owner. Reported in the place of the missing selection or force: the
category, the force, the selection around it, or the roster. Further picks can fix it, so without other errors the list
is incomplete, not illegal.

**Broken by** a force without its one required leader.
"""

from collections.abc import Iterator

from catalogue.definitions.queries import Bound
from catalogue.definitions.rule_codes import RuleCode
from roster.engine.evaluation import Evaluation
from roster.engine.report import Violation
from roster.engine.rule import build_check_violation, list_broken_checks


def check(evaluation: Evaluation) -> Iterator[Violation]:
    for failed in list_broken_checks(evaluation, Bound.MIN, lambda check: check.measured < check.allowed):
        yield build_check_violation(evaluation, RuleCode.MINIMUM, failed)
