"""How a list can be completed: proposals of the model that the validator has judged."""

from collections import Counter
from typing import NamedTuple

from catalogue.graph.ruleset import Ruleset
from roster.engine.completion.look_ahead import SECONDS, Outlook
from roster.engine.completion.proposals import Proposal
from roster.engine.completion.prospects import PlaceKey
from roster.engine.completion.solver import Possibility, can_be_modelled
from roster.engine.evaluate import evaluate
from roster.engine.new_selections import IdSource, generate_id
from roster.engine.report import Verdict
from roster.engine.tree import RosterTree

MOST_REFINEMENTS = 6
"""How often a proposal that the validator turns down is made anew."""


class Completion(NamedTuple):
    """Whether a list can be completed, and then one way to do it, which the validator has judged legal."""

    answer: Possibility
    roster: RosterTree | None = None


def complete(
    ruleset: Ruleset, roster: RosterTree, *, seconds: float = SECONDS, ids: IdSource = generate_id
) -> Completion:
    """Find a way to complete a list with few picks; one without further forces, if there is any."""
    if not can_be_modelled(ruleset):
        return Completion(Possibility.UNKNOWN)
    narrow = _complete(ruleset, roster, seconds, ids, new_forces=False)
    return narrow if narrow.answer is Possibility.YES else _complete(ruleset, roster, seconds, ids, new_forces=True)


def _complete(ruleset: Ruleset, roster: RosterTree, seconds: float, ids: IdSource, *, new_forces: bool) -> Completion:
    """Find a way to complete a list, with or without further forces.

    A solution of the model is a proposal. Where the validator turns it down, the units in it are looked at one by one
    instead of as a sum; so the model becomes exact where it matters, and stays small.
    """
    singles: Counter[PlaceKey] = Counter()
    for _ in range(MOST_REFINEMENTS):
        outlook = Outlook(ruleset, roster, seconds=seconds, new_forces=new_forces, singles=singles)
        solution = outlook.propose()
        if solution.answer is not Possibility.YES:
            return Completion(solution.answer)
        proposal = Proposal(outlook.prospects, solution.values, ids)
        completed = proposal.build_roster()
        if evaluate(ruleset, completed, tree=False).verdict is Verdict.LEGAL:
            return Completion(Possibility.YES, completed)
        units = outlook.count_units(proposal)
        if all(singles[key] >= number for key, number in units.items()):
            break
        singles |= units
    return Completion(Possibility.UNKNOWN)
