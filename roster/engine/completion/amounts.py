"""Amounts of a completed list as expressions of what could still be added: four parts that read each other."""

from roster.engine.completion.costs import CostSums
from roster.engine.completion.counts import Counts
from roster.engine.completion.memberships import Memberships
from roster.engine.completion.prospects import Prospects
from roster.engine.completion.statements import Statements


class Amounts:
    """The parts of one model: of which categories selections are, how many there are, what they cost, what holds."""

    def __init__(self, prospects: Prospects) -> None:
        self.prospects = prospects
        self.memberships = Memberships(prospects)
        self.counts = Counts(prospects, self.memberships)
        self.costs = CostSums(prospects, self.memberships, self.counts)
        self.statements = Statements(prospects, self.memberships, self.counts, self.costs)
        # Only now: these parts read queries, and queries read these parts.
        self.memberships.bind(self.statements)
        self.costs.bind(self.statements)

    def __del__(self) -> None:
        """Take apart what knows each other, so that all of it is freed at once."""
        for part in ("memberships", "costs"):
            if part in vars(self):
                vars(vars(self)[part]).clear()
