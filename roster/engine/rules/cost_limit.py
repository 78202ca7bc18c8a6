"""No more than the game's size.

**Demands** that the roster's total in each cost type is within its limit, if any.

**Why:** players agree on the size of a game: 2000 points, 12 command points.

**Measured** by the sum over all forces and selections: unit cost after modifiers times number. A negative limit means
no limit. The cost type has the rule, text and citation.

**Broken by** a list of 2005 points for a game of 2000.
"""

from collections.abc import Iterator

from roster.engine.evaluation import Evaluation
from roster.engine.report import Violation
from roster.engine.rule import build_limit_violation


def check(evaluation: Evaluation) -> Iterator[Violation]:
    totals = evaluation.totals
    for limit in evaluation.roster.document.limits:
        spent = totals.get(limit.type_id, 0)
        if 0 <= limit.value < spent:
            yield build_limit_violation(evaluation, limit.type_id, spent, limit.value)
