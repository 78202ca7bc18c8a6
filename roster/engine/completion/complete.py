"""How a list can be completed, filled and begun: proposals of the model that the validator has judged."""

from random import Random

from catalogue.graph.ruleset import Ruleset
from roster.engine.completion.linear import Linear, add_all
from roster.engine.completion.look_ahead import SECONDS
from roster.engine.completion.prospects import View
from roster.engine.completion.search import Aim, Found, Outlook, Search
from roster.engine.completion.solver import Possibility, load_solver
from roster.engine.new_selections import IdSource, generate_id
from roster.engine.tree import RosterTree

Completion = Found
"""Whether a list can be completed, and then one way to do it, which the validator has judged legal."""

DEAR = 10_000
"""What one point weighs beside one pick."""


def complete(
    ruleset: Ruleset, roster: RosterTree, *, seconds: float = SECONDS, ids: IdSource = generate_id
) -> Completion:
    """Find the cheapest way to complete a list: least points, then fewest picks; no further forces, if it can do."""
    return _search(ruleset, roster, _weigh_cheapest, seconds, ids)


def fill(
    ruleset: Ruleset, roster: RosterTree, *, seed: int = 0, seconds: float = SECONDS, ids: IdSource = generate_id
) -> Completion:
    """Fill a list up to its limits, as close as possible, to a legal one; another `seed`, another list.

    A roster without forces becomes a whole starting force.
    """
    return _search(ruleset, roster, lambda outlook: _weigh_fullest(outlook, Random(seed)), seconds, ids)  # noqa: S311 - a matter of taste


def _search(ruleset: Ruleset, roster: RosterTree, aim: Aim, seconds: float, ids: IdSource) -> Completion:
    if load_solver() is None:
        return Completion(Possibility.UNKNOWN)
    found = Search(ruleset, roster, seconds=seconds, ids=ids, view=View(new_forces=False)).find(aim)
    if found.answer is Possibility.YES and roster.forces:
        return found
    return Search(ruleset, roster, seconds=seconds, ids=ids, view=View()).find(aim)


def _sum_limited(outlook: Outlook) -> Linear:
    """Return what the list costs of all that is limited."""
    limits = outlook.prospects.roster.document.limits
    return add_all(outlook.amounts.sum_type(limit.type_id) for limit in limits if limit.value >= 0)


def _weigh_cheapest(outlook: Outlook) -> Linear:
    return _sum_limited(outlook) * DEAR + outlook.weigh_picks()


def _weigh_fullest(outlook: Outlook, chance: Random) -> Linear:
    taste = [
        Linear(0, dict.fromkeys(outlook.prospects.get_total(node).terms, chance.randrange(100)))
        for node in outlook.prospects.new_selections
    ]
    return add_all([_sum_limited(outlook) * -DEAR, *taste])
