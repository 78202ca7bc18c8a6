"""At least so many.

**Demands** that what a constraint counts reaches its bound.

**Why:** "1+ HQ", "a squad has at least five models", "a model has one weapon", "at least as many core units as others":
what a rulebook requires.

**Measured** as a maximum is. An entry's own minimum binds where the entry could stand: in every force with a slot for
it, in every selection that holds it. A category's minimum binds in every force whose catalogue knows the category, with
or without a slot. A kind of force asks for its own number wherever the list or a force may hold it, even if there is
none of it. A minimum that counts something else binds where its owner was taken. Reported where the missing
selection or force would be added: the category, the force, the selection around it, or the roster. Further picks can
mend it, so that a list with nothing else wrong is incomplete, not illegal.

**Broken by** a force without its one required leader.
"""

from collections.abc import Iterator

from catalogue.definitions.queries import Bound
from catalogue.definitions.rule_codes import RuleCode
from roster.engine.evaluation import Evaluation
from roster.engine.report import Violation
from roster.engine.rule import build_check_violation, list_broken_checks


def check(evaluation: Evaluation) -> Iterator[Violation]:
    """Find each constraint that is not reached; further picks could mend it."""
    for failed in list_broken_checks(evaluation, Bound.MIN, lambda check: check.measured < check.allowed):
        yield build_check_violation(evaluation, RuleCode.MINIMUM, failed)
