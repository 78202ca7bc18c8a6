"""The smallest changes that make a list legal, each judged by the validator before it is told."""

from typing import NamedTuple

from catalogue.graph.ruleset import Ruleset
from roster.engine.compare import Difference, compare_rosters
from roster.engine.completion.linear import Linear, add_all
from roster.engine.completion.look_ahead import SECONDS
from roster.engine.completion.prospects import View
from roster.engine.completion.search import Outlook, Search
from roster.engine.completion.solver import can_be_modelled
from roster.engine.new_selections import IdSource, generate_id
from roster.engine.nodes import SelectionNode
from roster.engine.tree import RosterTree

MOST_REPAIRS = 3
"""How many ways out are looked for."""
CHANGE = 1000
"""What one change weighs beside one thing that comes along inside something new."""


class Repair(NamedTuple):
    """A legal list near one that is not: the whole list, what is different in it, and how many changes that takes.

    Whatever stays keeps its id. `is_smallest`: it is proved that no smaller change does.
    """

    roster: RosterTree
    differences: tuple[Difference, ...]
    size: int
    is_smallest: bool


def repair(
    ruleset: Ruleset, roster: RosterTree, *, seconds: float = SECONDS, ids: IdSource = generate_id
) -> tuple[Repair, ...]:
    """List up to three smallest changes that make a list legal, smallest first; none where none is found in time."""
    if not can_be_modelled(ruleset):
        return ()
    search = Search(ruleset, roster, seconds=seconds, ids=ids, view=View(new_forces=False, removable=True))
    found = search.find(weigh_changes)
    if found.roster is None:
        return ()
    differences = compare_rosters(roster, found.roster)
    return (Repair(found.roster, differences, len(differences), found.is_best),)


def weigh_changes(outlook: Outlook) -> Linear:
    """Return how much a solution changes; what comes along inside new things weighs little."""
    prospects = outlook.prospects
    existing = frozenset(prospects.existing)
    removed = [_count_removed(outlook, node) for node in prospects.existing if isinstance(node, SelectionNode)]
    gone = [Linear(1) - prospects.get_total(node) for node in prospects.existing if not isinstance(node, SelectionNode)]
    added = [
        prospects.get_total(node) * (CHANGE if node.container in existing else 1) for node in prospects.new_selections
    ]
    new = [prospects.get_total(force) * CHANGE for force in prospects.new_forces]
    return add_all([*(part * CHANGE for part in (*removed, *gone)), *added, *new])


def _count_removed(outlook: Outlook, node: SelectionNode) -> Linear:
    """Return how many of a selection are taken out of what stays."""
    prospects, model = outlook.prospects, outlook.model
    before = prospects.get_total(node.container) * node.number
    removed = model.add_variable(0, int(model.find_range(before)[1]))
    model.require(removed + prospects.get_total(node) - before, lower=0)
    return removed
