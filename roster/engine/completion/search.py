"""Search with a model of a list: the model proposes lists, the validator judges them."""

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping
from typing import NamedTuple

from catalogue.graph.compiled_entry import CompiledOption
from catalogue.graph.ruleset import Ruleset
from roster.engine.completion.amounts import Amounts
from roster.engine.completion.effort import Budget, UnfinishedError
from roster.engine.completion.linear import Linear, Literal, Model, Truth, add_all, negate
from roster.engine.completion.proposals import Proposal
from roster.engine.completion.prospects import NOTHING, Horizon, PlaceKey, Prospects, get_place_key
from roster.engine.completion.rules import BindingRule, RuleRows
from roster.engine.completion.solver import Possibility, Solution, Solver
from roster.engine.evaluation import OverdueError
from roster.engine.new_selections import IdSource
from roster.engine.nodes import ForceNode, SelectionNode
from roster.engine.report import Verdict
from roster.engine.tree import RosterTree, count_nodes

LEFTOVER = 50
"""How many picks of its own something weighs that could have been looked at by itself."""
MOST_ATTEMPTS = 6
"""How often something is proposed until the validator accepts it."""
STEPS_OF_A_JUDGEMENT = 20
"""How many steps the validator counts for each proposal, and one more for each of its parts."""


class UnitQuestion(NamedTuple):
    """Which units are asked about: those in one force or, without an id, in any; all, or those with some ids."""

    force_id: str = ""
    unit_ids: Collection[str] | None = None

    def covers(self, force: ForceNode, option: CompiledOption) -> bool:
        """Return whether an option of a force is asked about."""
        is_meant = self.unit_ids is None or option.local_id in self.unit_ids
        return is_meant and self.force_id in ("", force.document.id)


class Outlook:
    """One model of a list, with the solver that is asked about it.

    Building it, and asking it, raises OverdueError if the budget does not suffice, and UnfinishedError if the clock
    runs out. `steps` says how many steps it took to build.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        roster: RosterTree,
        *,
        budget: Budget,
        view: Horizon,
        singles: Mapping[PlaceKey, int] = NOTHING,
        opened: Collection[PlaceKey] = (),
    ) -> None:
        self.model = Model()
        self.budget = budget
        before = budget.work.steps
        self.prospects = Prospects(ruleset, roster, self.model, budget, singles, view, opened)
        self.amounts = Amounts(self.prospects)
        RuleRows(self.amounts).add_all()
        self.steps = budget.work.steps - before

    def judge(self) -> Possibility:
        """Return whether the model has a solution."""
        solver = Solver(self.model.trim()).load()
        return self._believe(solver.solve(self.budget)).answer

    def judge_units(self, question: "UnitQuestion", known: Mapping[str, Possibility]) -> dict[str, Possibility]:
        """Return of each unit that is asked about whether the model has a solution with it, where that is not known."""
        # How many there are of each unit, in each force that it could be added to.
        totals: dict[str, list[Linear]] = {}
        for node, force, option in self._list_new_units():
            if question.covers(force, option):
                totals.setdefault(option.local_id, []).append(self.prospects.get_total(node))
        return self._judge_each(
            {
                unit_id: add_all(parts)
                for unit_id, parts in totals.items()
                if known.get(unit_id, Possibility.UNKNOWN) is Possibility.UNKNOWN
            }
        )

    def _list_new_units(self) -> Iterator[tuple[SelectionNode, ForceNode, CompiledOption]]:
        """Yield what could be added to forces themselves, each with its force and its option there."""
        for node in self.prospects.new_selections:
            if isinstance(node.container, ForceNode) and node.option:
                yield node, node.container, node.option

    def _judge_each(self, amounts: Mapping[str, Linear]) -> dict[str, Possibility]:
        """Return of each amount whether it can be more than nothing; one solution tells of all that it has."""
        answers = dict.fromkeys(amounts, Possibility.UNKNOWN)
        # On a branch, so that no question makes the model another one for those after it.
        model = self.model.branch()
        flags = {key: model.state_at_least(amount, 1) for key, amount in amounts.items()}
        # Of an amount without a flag it is not open whether there is any.
        pending = {key: flag.variable for key, flag in flags.items() if isinstance(flag, Literal)}
        solver = Solver(model.trim(pending.values())).load()
        while pending:
            try:
                solution = self._believe(solver.reach(pending.values(), self.budget))
            except UnfinishedError:
                solution = Solution(Possibility.UNFINISHED)
            # No solution has any of those that are left, or nobody knows: one answer holds for all of them.
            if not solution.values:
                return answers | dict.fromkeys(pending, solution.answer)
            reached = {key for key, variable in pending.items() if solution.values[variable]}
            answers |= dict.fromkeys(reached, Possibility.YES)
            pending = {key: variable for key, variable in pending.items() if key not in reached}
        return answers

    def propose(self, aim: Linear, gap: float = 0.0) -> Solution:
        """Return the solution in which an expression is least, or may be missing such a share of that."""
        solver = Solver(self.model).load()
        solver.minimize(aim)
        return self._believe(solver.solve(self.budget, gap=gap))

    def build_proposal(self, solution: Solution, ids: IdSource) -> Proposal:
        """Build the list that a solution stands for."""
        return Proposal(self.prospects, solution.values, ids, self.amounts.memberships.command)

    def _believe(self, solution: Solution) -> Solution:
        """Return a solution; what was looked at in part only proves nothing."""
        if solution.answer is Possibility.NO and self.prospects.is_cut_short:
            return Solution(Possibility.UNKNOWN)
        return solution

    def keep_something(self) -> None:
        """Demand that something is taken: to take everything out mends nothing."""
        units = (node for node in self.prospects.roster.selections if isinstance(node.container, ForceNode))
        self.model.require(add_all(map(self.prospects.get_total, units)), lower=1)

    def weigh_picks(self) -> Linear:
        """Return how many things are added; those that the model knows only as a sum weigh more."""
        prospects = self.prospects
        weights = [
            (node, LEFTOVER if node in prospects.leftovers else 1)
            for node in (*prospects.new_selections, *prospects.new_forces)
        ]
        return add_all(Linear(0, dict.fromkeys(prospects.get_total(node).terms, w)) for node, w in weights)

    def find_collision(self) -> tuple[BindingRule, ...]:
        """Return a smallest set of rules that cannot all be kept any more."""
        if self.prospects.is_cut_short:
            return ()
        solver = Solver(self.model).load(switched=True)
        return tuple(label for label in solver.find_collision(self.budget) if isinstance(label, BindingRule))

    def count_units(self, proposal: Proposal) -> Counter[PlaceKey]:
        """Count the units of each option in each force that a proposal adds."""
        units: Counter[PlaceKey] = Counter()
        for node, force, option in self._list_new_units():
            units[get_place_key(force, option)] += proposal.read_total(node)
        # Without those of which there is none: they are not to be looked into.
        return +units


Aim = Callable[[Outlook], Linear]
"""What a search wants as little of as possible."""


ChangeLister = Callable[[Outlook], Mapping[Hashable, tuple[Linear, int]]]
"""Lists how many there are of everything that may change, and how many there were."""
Footprint = dict[Hashable, int]
"""How many there are in a solution of what it has otherwise than the list."""


class Completion(NamedTuple):
    """Whether there is a legal list, and one that the validator has judged legal. `is_best`: no other is better.

    `weight` is how much the list has of what the search minimizes. `is_finished`: a faster machine finds nothing else.
    """

    answer: Possibility
    roster: RosterTree | None = None
    is_best: bool = False
    weight: int = 0
    is_finished: bool = True

    def is_better_than(self, other: "Completion") -> bool:
        """Whether this is a list, and there is none yet or one that has more of what was to be little."""
        return self.roster is not None and (other.roster is None or self.weight < other.weight)

    def is_exact(self, expected: int) -> bool:
        """Whether this is a list that has no more of what was to be little than the model thought."""
        return self.roster is not None and self.weight <= expected

    def mark_unfinished(self) -> "Completion":
        """Return this as what was found until the clock ended the search."""
        answer = self.answer if self.roster else Possibility.UNFINISHED
        return self._replace(answer=answer, is_best=False, is_finished=False)


class Search:
    """Looks for legal lists around one.

    A solution of the model is a proposal. Where the validator turns it down, the units in it are looked at one by one
    instead of as a sum; so the model becomes exact where it matters, and stays small. `first` is the model to begin
    with, where there is one of that view already; `attempts` says how often something is proposed.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        roster: RosterTree,
        *,
        budget: Budget,
        ids: IdSource,
        view: Horizon,
        list_changes: ChangeLister | None = None,
        measure: Callable[[RosterTree], int] | None = None,
        first: Outlook | None = None,
        attempts: int = MOST_ATTEMPTS,
    ) -> None:
        self._ruleset = ruleset
        self._roster = roster
        self._ids = ids
        self._view = view
        self._list_changes = list_changes
        self._measure = measure
        self._first = first
        self._attempts = attempts
        self._forbidden: list[Footprint] = []
        self._last: Footprint = {}
        self._is_guessing = False
        self._opened: set[PlaceKey] = set()
        self._budget = budget
        self._singles: Counter[PlaceKey] = Counter()

    def find(self, aim: Aim, gap: float = 0.0) -> Completion:
        """Find the legal list of which `aim` is least, or may be missing such a share of that.

        Where lists are measured and one has more of it than the model thought, it is looked into as if it were turned
        down; it stands as long as nothing better is found.
        """
        best = Completion(Possibility.UNKNOWN)
        for _ in range(self._attempts):
            try:
                outlook = self._look()
                weighed = aim(outlook)
                solution = outlook.propose(weighed, gap)
                if solution.answer is not Possibility.YES:
                    # A model that left ways out says nothing new of the list.
                    leaves_ways_out = best.roster or self._is_guessing or self._view.estimated
                    return best if leaves_ways_out else Completion(solution.answer)
                proposal = outlook.build_proposal(solution, self._ids)
                expected = int(proposal.read(weighed))
                judged = self._judge(outlook, proposal, expected)
            except OverdueError:
                break
            is_exact = judged.is_exact(expected)
            if judged.is_better_than(best):
                # No list can be better than a solution of a model that leaves nothing open, and nothing out.
                is_proved = solution.is_best and not (gap or self._is_guessing or outlook.prospects.closed)
                best = judged._replace(is_best=is_exact and is_proved)
            if is_exact:
                break
            if self._refine(outlook.count_units(proposal)):
                continue
            # Look for something else than what was turned down, without knowing whether more of the same would do.
            self._is_guessing = True
            self._forbidden.append(self._last)
            if not self._last:
                break
        return best

    def _judge(self, outlook: Outlook, proposal: Proposal, expected: int) -> Completion:
        """Return the list of a proposal with what it has of what was to be little; none where it is not legal."""
        proposed = proposal.build_roster()
        self._budget.spend(STEPS_OF_A_JUDGEMENT + count_nodes(proposed))
        changes = self._list_changes(outlook) if self._list_changes else {}
        numbers = {key: (int(proposal.read(total)), before) for key, (total, before) in changes.items()}
        self._last = {key: now for key, (now, before) in numbers.items() if now != before}
        if not is_legal(self._ruleset, proposed):
            return Completion(Possibility.UNKNOWN)
        return Completion(Possibility.YES, proposed, weight=self._measure(proposed) if self._measure else expected)

    def forbid_last(self) -> None:
        """Look for other changes than those that were found last, and more."""
        self._forbidden.append(self._last)

    def _look(self) -> Outlook:
        """Return the model to ask next: the one that was there before, until something is to be looked into."""
        first, self._first = self._first, None
        if first:
            return first
        outlook = Outlook(
            self._ruleset,
            self._roster,
            budget=self._budget,
            view=self._view,
            singles=self._singles,
            opened=self._opened,
        )
        if self._view.removable:
            outlook.keep_something()
        changes = self._list_changes(outlook) if self._list_changes and self._forbidden else {}
        for footprint in self._forbidden:
            # What this model has no variable for cannot be proposed again by it.
            if changes.keys() >= footprint.keys():
                truths = [_state_change(outlook, changes[key], number) for key, number in footprint.items()]
                outlook.model.deny(outlook.model.state_all(truths))
        return outlook

    def _refine(self, units: Counter[PlaceKey]) -> bool:
        """Have these units looked into, and then one by one; False if they are already."""
        if self._view.shallow and not self._opened.issuperset(units):
            self._opened.update(units)
            return True
        if all(self._singles[key] >= number for key, number in units.items()):
            return False
        self._singles |= units
        return True


def _state_change(outlook: Outlook, change: tuple[Linear, int], number: int) -> Truth:
    """Return the statement that there are as many or more of what was added, as few or fewer of what was removed."""
    total, before = change
    if number > before:
        return outlook.model.state_at_least(total, number)
    return negate(outlook.model.state_at_least(total, number + 1))


def is_legal(ruleset: Ruleset, roster: RosterTree) -> bool:
    """Return whether the validator finds nothing wrong with a list."""
    # One of the rules that are evaluated looks ahead, and so needs this module.
    from roster.engine.evaluate import evaluate

    return evaluate(ruleset, roster, tree=False).verdict is Verdict.LEGAL
