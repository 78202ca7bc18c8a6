"""Amounts in a completed list, as linear expressions."""

from roster.engine.completion.costs import CostSums
from roster.engine.completion.counts import Counts
from roster.engine.completion.memberships import Memberships
from roster.engine.completion.prospects import Prospects
from roster.engine.completion.statements import Statements


class Amounts:
    def __init__(self, prospects: Prospects) -> None:
        self.prospects = prospects
        self.memberships = Memberships(prospects)
        self.counts = Counts(prospects, self.memberships)
        self.costs = CostSums(prospects, self.memberships, self.counts)
        self.statements = Statements(prospects, self.memberships, self.counts, self.costs)
        self.memberships.bind(self.statements)
        self.costs.bind(self.statements)

    def __del__(self) -> None:
        # Break reference cycles, so that memory is freed at once.
        for part in ("memberships", "costs"):
            if part in vars(self):
                vars(vars(self)[part]).clear()
