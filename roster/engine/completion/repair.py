"""The smallest changes that make a list legal, each judged by the validator before it is offered."""

from collections.abc import Hashable, Iterator
from itertools import islice
from typing import NamedTuple

from catalogue.definitions.numbers import Number
from catalogue.definitions.rule_codes import RuleCode
from catalogue.graph.ruleset import Ruleset
from roster.engine import edits
from roster.engine.compare import Difference, compare_rosters
from roster.engine.completion.effort import Budget, Effort, UnfinishedError
from roster.engine.completion.linear import Linear, add_all
from roster.engine.completion.look_ahead import USUAL
from roster.engine.completion.prospects import Horizon
from roster.engine.completion.search import Outlook, Search, is_legal
from roster.engine.completion.solver import Possibility, load_solver
from roster.engine.edits import EditedRoster
from roster.engine.evaluate import find_violations
from roster.engine.evaluation import Evaluation
from roster.engine.new_selections import IdSource, generate_id
from roster.engine.nodes import ForceNode, SelectionNode
from roster.engine.tree import RosterTree

MOST_REPAIRS = 3
"""How many ways out are told."""
MOST_ASKED = 4
"""How many are looked for: some are told alike."""
MOST_SIZES = 2
"""How many larger sizes of the game are tried where nothing makes a list legal at its own."""
CHANGE = 1000
"""What one change weighs beside one thing that comes along inside something new."""


class Repair(NamedTuple):
    """A legal list near one that is not: the whole list, what is different in it, and how many changes that takes.

    A unit that goes or comes counts once with all that is in it; so do a detachment, an option and a limit. Whatever
    stays keeps its id. `is_smallest`: it is proved that fewer changes do not suffice.
    """

    roster: RosterTree
    differences: tuple[Difference, ...]
    size: int
    is_smallest: bool = False


class FoundRepairs(NamedTuple):
    """The result of a search for repairs. NO is proved: nothing makes the list legal within its limits.

    `is_finished`: a faster machine finds no others.
    """

    answer: Possibility
    repairs: tuple[Repair, ...] = ()
    is_finished: bool = True


def repair(
    ruleset: Ruleset, roster: RosterTree, *, effort: Effort = USUAL, ids: IdSource = generate_id
) -> FoundRepairs:
    """Find up to three different smallest changes that make a list legal, smallest first.

    There are fewer if the effort suffices for no more; each was judged legal.
    """
    # Found at once, and without a solver.
    repairs = [*_change_limits(ruleset, roster)]
    answer, is_finished = Possibility.UNKNOWN, True
    if load_solver() is not None:
        repairing = _Repairing(ruleset, roster, effort.start(), ids)
        try:
            for one in repairing.list_repairs():
                repairs.append(one)
            answer = Possibility.NO if repairing.is_hopeless else answer
            # What is missing, as a leader, may cost more than a list of this size has.
            repairs = repairs or repairing.list_at_larger_size()
        except UnfinishedError:
            answer, is_finished = Possibility.UNFINISHED, False
    if not repairs:
        return FoundRepairs(answer, is_finished=is_finished)
    nearest = sorted(repairs, key=lambda one: one.size)[:MOST_REPAIRS]
    return FoundRepairs(Possibility.YES, tuple(nearest), is_finished)


def _change_limits(ruleset: Ruleset, roster: RosterTree) -> Iterator[Repair]:
    """Yield the other limits that alone make a list legal."""
    evaluation = Evaluation(ruleset, roster)
    # Sizes of the game that would do, and what has been spent.
    limits: dict[tuple[str, Number], None] = {}
    for violation in find_violations(evaluation):
        spent = evaluation.totals.get(violation.counted_id, 0)
        limits |= dict.fromkeys((violation.counted_id, value) for value in violation.choices if value >= spent)
        if violation.code == RuleCode.COST_LIMIT:
            limits[violation.counted_id, spent] = None
    for type_id, value in limits:
        changed = edits.set_limit(ruleset, roster, type_id, value)
        if isinstance(changed, EditedRoster) and is_legal(ruleset, changed.roster):
            yield Repair(changed.roster, compare_rosters(roster, changed.roster), 1, is_smallest=True)


def _enlarge_limits(ruleset: Ruleset, roster: RosterTree) -> Iterator[RosterTree]:
    """Yield a list at the next larger sizes that the game offers."""
    for limit in roster.limits:
        cost_type = ruleset.binding.cost_types.get(limit.type_id)
        presets = cost_type.presets if cost_type else ()
        for value in sorted(value for value in presets if value > limit.value >= 0)[:MOST_SIZES]:
            changed = edits.set_limit(ruleset, roster, limit.type_id, value)
            if isinstance(changed, EditedRoster):
                yield changed.roster


class _Repairing:
    """Finds one repair after the other, each of other changes than those before it.

    `is_hopeless`: it is proved that there is none, whatever goes or comes.
    """

    def __init__(self, ruleset: Ruleset, roster: RosterTree, budget: Budget, ids: IdSource) -> None:
        self._ruleset = ruleset
        self._roster = roster
        self._budget = budget
        self._ids = ids
        self.is_hopeless = False

    def list_repairs(self) -> Iterator[Repair]:
        """Yield repairs without further forces; if there are none, those with them.

        Of repairs that differ in nothing that is told, the first is meant.
        """
        for new_forces in (False, True):
            known_differences: set[tuple[Difference, ...]] = set()
            search = Search(
                self._ruleset,
                self._roster,
                budget=self._budget,
                ids=self._ids,
                view=Horizon(new_forces=new_forces, removable=True),
                list_changes=list_changes,
            )
            for one in islice(self._list_repairs(search), MOST_ASKED):
                if one.differences not in known_differences:
                    known_differences.add(one.differences)
                    yield one
            if known_differences:
                return

    def list_at_larger_size(self) -> list[Repair]:
        """List what makes the list legal at the next larger size that the game offers, if anything does."""
        for enlarged in _enlarge_limits(self._ruleset, self._roster):
            repairs = [*_Repairing(self._ruleset, enlarged, self._budget, self._ids).list_repairs()]
            if repairs:
                return [Repair(r.roster, compare_rosters(self._roster, r.roster), r.size + 1) for r in repairs]
        return []

    def _list_repairs(self, search: Search) -> Iterator[Repair]:
        while True:
            judged = search.find(weigh_changes)
            # Of the last search that finds nothing at all: that with further forces, after which none is left to ask.
            self.is_hopeless = judged.answer is Possibility.NO
            if judged.roster is None:
                return
            size = judged.weight // CHANGE
            yield Repair(judged.roster, compare_rosters(self._roster, judged.roster), size, judged.is_best)
            # Nothing has to change: other changes are not asked for.
            if not size:
                return
            search.forbid_last()


# ---- what a change is ------------------------------------------------------------------------------------------------


def weigh_changes(outlook: Outlook) -> Linear:
    """Return how much a solution changes; what comes along inside new things weighs little."""
    prospects = outlook.prospects
    removed = [_count_removed(outlook, node) * CHANGE for node in prospects.existing]
    added = [
        prospects.get_total(node) * (CHANGE if node.container in prospects.existing else 1)
        for node in prospects.new_selections
    ]
    new = [prospects.get_total(force) * CHANGE for force in prospects.new_forces]
    return add_all([*removed, *added, *new])


def _count_removed(outlook: Outlook, node: ForceNode | SelectionNode) -> Linear:
    """Return how many of something are taken out of what stays."""
    prospects, model = outlook.prospects, outlook.model
    if isinstance(node, ForceNode):
        return Linear(1) - prospects.get_total(node)
    outer = node.container
    # Units go one by one, even with their detachment; what is inside a unit goes along with it.
    before = Linear(node.number) if isinstance(outer, ForceNode) else prospects.get_total(outer) * node.number
    removed = model.add_variable(0, int(model.find_range(before)[1]))
    model.require(removed + prospects.get_total(node) - before, lower=0)
    return removed


Changes = dict[Hashable, tuple[Linear, int]]
"""How many there are of everything that a repair may change, and how many there were, by what names it."""


def list_changes(outlook: Outlook) -> Changes:
    """List what a repair may change. Of units of one kind it is the same which one goes."""
    prospects = outlook.prospects
    changes: Changes = {}
    for node in prospects.existing:
        # A force differs from all others, a unit only from units of other kinds in the same force.
        if isinstance(node, SelectionNode):
            kind, before = node.entry_id, node.total
        else:
            kind, before = node.document.id, 1
        _add_change(changes, ("there", _get_id(node.parent), kind), prospects.get_total(node), before)
    for new in prospects.new_selections:
        if new.container in prospects.existing:
            _add_change(changes, ("new", _get_id(new.container), new.entry_id), prospects.get_total(new), 0)
    for force in prospects.new_forces:
        _add_change(changes, ("new", "", force.document.entry_id), prospects.get_total(force), 0)
    return changes


def _add_change(changes: Changes, key: Hashable, total: Linear, before: int) -> None:
    known, known_before = changes.get(key, (Linear(), 0))
    changes[key] = known + total, known_before + before


def _get_id(node: object) -> str:
    return node.document.id if isinstance(node, ForceNode | SelectionNode) and node.document else ""
