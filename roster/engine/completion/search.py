"""Lists that a model proposes and the validator judges: each search asks until one is legal, or time is up."""

import time
from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

from catalogue.graph.ruleset import Ruleset
from roster.engine.completion.linear import Linear
from roster.engine.completion.look_ahead import Outlook
from roster.engine.completion.proposals import Proposal
from roster.engine.completion.prospects import PlaceKey
from roster.engine.completion.solver import Possibility
from roster.engine.evaluate import evaluate
from roster.engine.new_selections import IdSource
from roster.engine.report import Verdict
from roster.engine.tree import RosterTree

MOST_REFINEMENTS = 6
"""How often a proposal that the validator turns down is made anew."""

Aim = Callable[[Outlook], Linear]
"""What a search wants as little of as possible."""


class Found(NamedTuple):
    """Whether there is a legal list, and then one that the validator has judged; `is_best`: no other is better."""

    answer: Possibility
    roster: RosterTree | None = None
    is_best: bool = False


class Search:
    """Looks for legal lists around one.

    A solution of the model is a proposal. Where the validator turns it down, the units in it are looked at one by one
    instead of as a sum; so the model becomes exact where it matters, and stays small.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        roster: RosterTree,
        *,
        seconds: float,
        ids: IdSource,
        new_forces: bool,
        removable: bool = False,
    ) -> None:
        self._ruleset = ruleset
        self._roster = roster
        self._ids = ids
        self._new_forces = new_forces
        self._removable = removable
        self._end = time.monotonic() + seconds
        self._singles: Counter[PlaceKey] = Counter()

    def find(self, aim: Aim) -> Found:
        """Find the legal list of which `aim` is least."""
        for _ in range(MOST_REFINEMENTS):
            left = self._end - time.monotonic()
            if left <= 0:
                break
            outlook = self._look(left)
            solution = outlook.propose(aim(outlook))
            if solution.answer is not Possibility.YES:
                return Found(solution.answer)
            proposal = Proposal(outlook.prospects, solution.values, self._ids)
            proposed = proposal.build_roster()
            if evaluate(self._ruleset, proposed, tree=False).verdict is Verdict.LEGAL:
                return Found(Possibility.YES, proposed, solution.is_best)
            if not self._refine(outlook.count_units(proposal)):
                break
        return Found(Possibility.UNKNOWN)

    def _look(self, seconds: float) -> Outlook:
        return Outlook(
            self._ruleset,
            self._roster,
            seconds=seconds,
            new_forces=self._new_forces,
            singles=self._singles,
            removable=self._removable,
        )

    def _refine(self, units: Counter[PlaceKey]) -> bool:
        """Have these units looked at one by one; False where they are already."""
        if all(self._singles[key] >= number for key, number in units.items()):
            return False
        self._singles |= units
        return True
