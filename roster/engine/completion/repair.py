"""Find the smallest changes that make a list legal. The validator checks each."""

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from catalogue.definitions.numbers import Number
from catalogue.definitions.rule_codes import RuleCode
from catalogue.graph.ruleset import Ruleset
from roster.engine import edits
from roster.engine.commander import CommanderSearch
from roster.engine.compare import Difference, compare_rosters
from roster.engine.completion.changes import ChangeScale
from roster.engine.completion.effort import Budget, Effort, UnfinishedError
from roster.engine.completion.look_ahead import USUAL
from roster.engine.completion.prospects import Horizon
from roster.engine.completion.relocations import Relocations
from roster.engine.completion.search import Search, is_legal
from roster.engine.completion.solver import Possibility, load_solver
from roster.engine.edits import EditedRoster
from roster.engine.evaluate import find_violations
from roster.engine.evaluation import Evaluation
from roster.engine.new_selections import IdSource, generate_id
from roster.engine.nodes import SelectionNode
from roster.engine.scopes import walk_outward
from roster.engine.tree import RosterTree, walk_forces

MOST_REPAIRS = 3
MOST_ASKED = 4
"""The most repairs to find. Some look equal."""
MOST_SIZES = 2
"""The most larger game sizes to try."""


class Repair(NamedTuple):
    """A legal list near an illegal one, with the weight of `ChangeScale`. Remaining parts keep their ids.

    Changed limits weigh nothing but come last. `is_smallest` means that no lighter repair within the limits exists.
    """

    roster: RosterTree
    differences: tuple[Difference, ...]
    weight: int
    is_smallest: bool = False


class FoundRepairs(NamedTuple):
    """NO is proved for the list's limits. `is_finished` means that more time would find nothing else."""

    answer: Possibility
    repairs: tuple[Repair, ...] = ()
    is_finished: bool = True


def repair(
    ruleset: Ruleset, roster: RosterTree, *, effort: Effort = USUAL, ids: IdSource = generate_id
) -> FoundRepairs:
    """Find up to three different small changes that make a list legal, smallest first.

    Another commander comes first, because nothing is added or removed; another limit last: players agreed on it.
    """
    # These are fast and need no solver.
    command = Evaluation(ruleset, roster).command
    commanded = [*_let_others_command(command, roster)] if command and command.declared else []
    legal = [one for one in commanded if is_legal(ruleset, one)]
    repairs = [Repair(one, compare_rosters(roster, one), 0, is_smallest=True) for one in legal]
    # The solver keeps the declared commander, so a wrong one is replaced before.
    is_misled = command is not None and set(command.highest).isdisjoint(command.declared)
    start = commanded[0] if commanded and is_misled and not legal else roster
    other_limits = [*_change_limits(ruleset, roster)]
    answer, is_finished = Possibility.UNKNOWN, True
    if load_solver() is not None:
        repairing = _Repairing(ruleset, start, effort.start(), ids)
        try:
            for one in repairing.list_repairs():
                differences = compare_rosters(roster, one.roster)
                repairs.append(Repair(one.roster, differences, one.weight, one.is_smallest and not legal))
            answer = Possibility.NO if repairing.is_hopeless and start is roster else answer
            if not repairs and not other_limits:
                # A missing leader may cost more than this size allows.
                other_limits = repairing.list_at_larger_size()
        except UnfinishedError:
            answer, is_finished = Possibility.UNFINISHED, False
    nearest = [*sorted(repairs, key=lambda one: one.weight), *other_limits][:MOST_REPAIRS]
    return FoundRepairs(Possibility.YES if nearest else answer, tuple(nearest), is_finished)


def _let_others_command(command: CommanderSearch, roster: RosterTree) -> Iterator[RosterTree]:
    for candidate in command.highest:
        unit = [node for node in walk_outward(candidate) if isinstance(node, SelectionNode)][-1]
        changed = roster
        for force in walk_forces(roster):
            holds_unit = unit.written in force.selections
            if holds_unit or force.leading:
                declared = edits.declare_leader(changed, force.id, unit.written.id if holds_unit else "")
                changed = declared.roster if isinstance(declared, EditedRoster) else changed
        if changed != roster:
            yield changed


def _change_limits(ruleset: Ruleset, roster: RosterTree) -> Iterator[Repair]:
    evaluation = Evaluation(ruleset, roster)
    limits: dict[tuple[str, Number], None] = {}
    for violation in find_violations(evaluation):
        spent = evaluation.totals.get(violation.counted_id, 0)
        limits |= dict.fromkeys((violation.counted_id, value) for value in violation.choices if value >= spent)
        if violation.code == RuleCode.COST_LIMIT:
            limits[violation.counted_id, spent] = None
    for type_id, value in limits:
        changed = edits.set_limit(ruleset, roster, type_id, value)
        if isinstance(changed, EditedRoster) and is_legal(ruleset, changed.roster):
            yield Repair(changed.roster, compare_rosters(roster, changed.roster), 0)


def _enlarge_limits(ruleset: Ruleset, roster: RosterTree) -> Iterator[RosterTree]:
    for limit in roster.limits:
        cost_type = ruleset.binding.cost_types.get(limit.type_id)
        presets = cost_type.presets if cost_type else ()
        for value in sorted(value for value in presets if value > limit.value >= 0)[:MOST_SIZES]:
            changed = edits.set_limit(ruleset, roster, limit.type_id, value)
            if isinstance(changed, EditedRoster):
                yield changed.roster


class _Repairing:
    """Finds repairs with different changes. `is_hopeless` means that provably none exists."""

    def __init__(self, ruleset: Ruleset, roster: RosterTree, budget: Budget, ids: IdSource) -> None:
        self._ruleset = ruleset
        self._roster = roster
        self._budget = budget
        self._ids = ids
        self.is_hopeless = False

    def list_repairs(self) -> Iterator[Repair]:
        """Yield repairs without further forces or, if there are none, with them."""
        present = Evaluation(self._ruleset, self._roster)
        for new_forces in (False, True):
            relocations = Relocations(self._ruleset, self._roster, self._ids, new_forces=new_forces)
            scale = ChangeScale(present, relocations)
            known_differences: set[tuple[Difference, ...]] = set()
            search = Search(
                self._ruleset,
                relocations.roster,
                budget=self._budget,
                ids=self._ids,
                view=Horizon(new_forces=new_forces, removable=True),
                list_changes=scale.list_changes,
            )
            for one in islice(self._list_repairs(search, scale, relocations), MOST_ASKED):
                if one.differences not in known_differences:
                    known_differences.add(one.differences)
                    yield one
            if known_differences:
                return

    def list_at_larger_size(self) -> list[Repair]:
        for enlarged in _enlarge_limits(self._ruleset, self._roster):
            repairs = [*_Repairing(self._ruleset, enlarged, self._budget, self._ids).list_repairs()]
            if repairs:
                return [Repair(r.roster, compare_rosters(self._roster, r.roster), r.weight) for r in repairs]
        return []

    def _list_repairs(self, search: Search, scale: ChangeScale, relocations: Relocations) -> Iterator[Repair]:
        smallest: int | None = None
        while True:
            completion = search.find(scale.weigh)
            # The last search includes further forces, so only its NO counts.
            self.is_hopeless = completion.answer is Possibility.NO
            if completion.roster is None:
                return
            mended = relocations.settle(completion.roster)
            smallest = completion.weight if smallest is None else smallest
            is_smallest = completion.is_best and completion.weight == smallest
            yield Repair(mended, compare_rosters(self._roster, mended), completion.weight, is_smallest)
            if not completion.weight:
                return
            search.forbid_last()
