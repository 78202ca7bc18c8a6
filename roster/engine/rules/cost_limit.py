"""No more than the game's size.

**Demands** that what the roster costs stays within its limit for each cost type that has one.

**Why:** a game is agreed on by its size: 2000 points, 12 command points.

**Measured** by the sum over all forces and selections, unit cost after modifiers times number. A limit below zero is
none. Rule, text and citation are those of the cost type.

**Broken by** a list of 2005 points for a game of 2000.
"""

from collections.abc import Iterator

from roster.engine.evaluation import Evaluation
from roster.engine.report import Violation
from roster.engine.rule import build_limit_violation


def check(evaluation: Evaluation) -> Iterator[Violation]:
    """Find each limit that is exceeded."""
    totals = evaluation.totals
    for limit in evaluation.roster.document.limits:
        spent = totals.get(limit.type_id, 0)
        if 0 <= limit.value < spent:
            yield build_limit_violation(evaluation, limit.type_id, spent, limit.value)
