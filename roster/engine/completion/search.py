"""Search for legal lists: a model proposes them, the validator accepts or rejects them."""

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping
from typing import NamedTuple

from catalogue.definitions.queries import Bound
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
from roster.engine.plan import GamePlan
from roster.engine.report import Verdict
from roster.engine.tree import RosterTree, count_nodes

LEFTOVER = 50
"""The weight, in picks, of a unit known only in a sum."""
MOST_ATTEMPTS = 6
STEPS_OF_A_JUDGEMENT = 20
"""Steps for each validation, plus one for each part of the list."""


class UnitQuestion(NamedTuple):
    force_id: str = ""
    unit_ids: Collection[str] | None = None

    def covers(self, force: ForceNode, option: CompiledOption) -> bool:
        is_meant = self.unit_ids is None or option.local_id in self.unit_ids
        return is_meant and self.force_id in ("", force.document.id)


class Outlook:
    """One model of a list, with its solver. `steps` is the number of steps that building it took.

    Raises OverdueError if no steps are left, UnfinishedError if the time is up.
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
        game: GamePlan | None = None,
    ) -> None:
        self.model = Model()
        self.budget = budget
        before = budget.work.steps
        self.prospects = Prospects(ruleset, roster, self.model, budget, singles, view, opened, game)
        self.amounts = Amounts(self.prospects)
        rows = RuleRows(self.amounts)
        rows.add_all()
        self._broken_advice = rows.broken
        self.steps = budget.work.steps - before

    def judge(self) -> Possibility:
        solver = Solver(self.model.trim()).load()
        return self._believe(solver.solve(self.budget)).answer

    def judge_units(self, question: "UnitQuestion", answers: Mapping[str, Possibility]) -> dict[str, Possibility]:
        totals: dict[str, list[Linear]] = {}
        for node, force, option in self._list_new_units():
            if question.covers(force, option):
                totals.setdefault(option.local_id, []).append(self.prospects.get_total(node))
        return self._judge_each(
            {
                unit_id: add_all(parts)
                for unit_id, parts in totals.items()
                if answers.get(unit_id, Possibility.UNKNOWN) is Possibility.UNKNOWN
            }
        )

    def _list_new_units(self) -> Iterator[tuple[SelectionNode, ForceNode, CompiledOption]]:
        for node in self.prospects.new_selections:
            if isinstance(node.container, ForceNode) and node.option:
                yield node, node.container, node.option

    def _judge_each(self, amounts: Mapping[str, Linear]) -> dict[str, Possibility]:
        answers = dict.fromkeys(amounts, Possibility.UNKNOWN)
        model = self.model.branch()
        flags = {key: model.state_at_least(amount, 1) for key, amount in amounts.items()}
        pending = {key: flag.variable for key, flag in flags.items() if isinstance(flag, Literal)}
        solver = Solver(model.trim(pending.values())).load()
        while pending:
            try:
                solution = self._believe(solver.reach(pending.values(), self.budget))
            except UnfinishedError:
                solution = Solution(Possibility.UNFINISHED)
            if not solution.values:
                return answers | dict.fromkeys(pending, solution.answer)
            reached = {key for key, variable in pending.items() if solution.values[variable]}
            answers |= dict.fromkeys(reached, Possibility.YES)
            pending = {key: variable for key, variable in pending.items() if key not in reached}
        return answers

    def propose(self, aim: Linear, gap: float = 0.0) -> Solution:
        solver = Solver(self.model).load()
        solver.minimize(aim)
        return self._believe(solver.solve(self.budget, gap=gap))

    def build_proposal(self, solution: Solution, ids: IdSource) -> Proposal:
        return Proposal(self.prospects, solution.values, ids, self.amounts.memberships.command)

    def _believe(self, solution: Solution) -> Solution:
        if solution.answer is Possibility.NO and self.prospects.is_cut_short:
            return Solution(Possibility.UNKNOWN)
        return solution

    def keep_something(self) -> None:
        units = (node for node in self.prospects.roster.selections if isinstance(node.container, ForceNode))
        self.model.require(add_all(map(self.prospects.get_total, units)), lower=1)

    def count_broken_advice(self, *bounds: Bound) -> Linear:
        return add_all(is_broken for bound, is_broken in self._broken_advice if bound in bounds)

    def weigh_picks(self) -> Linear:
        prospects = self.prospects
        weights = [
            (node, LEFTOVER if node in prospects.leftovers else 1)
            for node in (*prospects.new_selections, *prospects.new_forces)
        ]
        return add_all(Linear(0, dict.fromkeys(prospects.get_total(node).terms, w)) for node, w in weights)

    def find_collision(self) -> tuple[BindingRule, ...]:
        if self.prospects.is_cut_short:
            return ()
        solver = Solver(self.model).load(switched=True)
        return tuple(label for label in solver.find_collision(self.budget) if isinstance(label, BindingRule))

    def count_units(self, proposal: Proposal) -> Counter[PlaceKey]:
        units: Counter[PlaceKey] = Counter()
        for node, force, option in self._list_new_units():
            units[get_place_key(force, option)] += proposal.read_total(node)
        # Drop zeros.
        return +units


Aim = Callable[[Outlook], Linear]


ChangeLister = Callable[[Outlook], Mapping[Hashable, tuple[Linear, int]]]
"""Lists possible changes, with the number in the solution and before."""
Footprint = dict[Hashable, int]
"""The changed numbers of a solution."""


class Completion(NamedTuple):
    """The best legal list found, with its minimized `weight`. `is_finished` means that more time would find nothing
    else.
    """

    answer: Possibility
    roster: RosterTree | None = None
    is_best: bool = False
    weight: int = 0
    is_finished: bool = True

    def is_better_than(self, other: "Completion") -> bool:
        return self.roster is not None and (other.roster is None or self.weight < other.weight)

    def is_exact(self, expected: int) -> bool:
        return self.roster is not None and self.weight <= expected

    def mark_unfinished(self) -> "Completion":
        answer = self.answer if self.roster else Possibility.UNFINISHED
        return self._replace(answer=answer, is_best=False, is_finished=False)


class Search:
    """Searches for legal lists around a roster, with an optional `first` model.

    A rejected proposal's units get separate nodes instead of sums: models become exact where necessary and stay small.
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
        game: GamePlan | None = None,
    ) -> None:
        self._ruleset = ruleset
        self._roster = roster
        self._game = game
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
        """Find the legal list that minimizes `aim` within a relative gap, preferably no heavier than the model
        expected.
        """
        best = Completion(Possibility.UNKNOWN)
        for _ in range(self._attempts):
            try:
                outlook = self._look()
                weighed = aim(outlook)
                solution = outlook.propose(weighed, gap)
                if solution.answer is not Possibility.YES:
                    leaves_ways_out = best.roster or self._is_guessing or self._view.estimated
                    return best if leaves_ways_out else Completion(solution.answer)
                proposal = outlook.build_proposal(solution, self._ids)
                expected = int(proposal.read(weighed))
                completion = self._judge(outlook, proposal, expected)
            except OverdueError:
                break
            is_exact = completion.is_exact(expected)
            if completion.is_better_than(best):
                is_proved = solution.is_best and not (
                    gap or self._is_guessing or self._view.copies or outlook.prospects.closed
                )
                best = completion._replace(is_best=is_exact and is_proved)
            if is_exact:
                break
            if self._refine(outlook.count_units(proposal)):
                continue
            # Guess: more of the same changes might be legal.
            self._is_guessing = True
            self._forbidden.append(self._last)
            if not self._last:
                break
        return best

    def _judge(self, outlook: Outlook, proposal: Proposal, expected: int) -> Completion:
        proposed = proposal.build_roster()
        self._budget.spend(STEPS_OF_A_JUDGEMENT + count_nodes(proposed))
        changes = self._list_changes(outlook) if self._list_changes else {}
        numbers = {key: (int(proposal.read(total)), before) for key, (total, before) in changes.items()}
        self._last = {key: now for key, (now, before) in numbers.items() if now != before}
        if not is_legal(self._ruleset, proposed, self._game):
            return Completion(Possibility.UNKNOWN)
        return Completion(Possibility.YES, proposed, weight=self._measure(proposed) if self._measure else expected)

    def forbid_last(self) -> None:
        self._forbidden.append(self._last)

    def _look(self) -> Outlook:
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
            game=self._game,
        )
        if self._view.removable:
            outlook.keep_something()
        changes = self._list_changes(outlook) if self._list_changes and self._forbidden else {}
        for footprint in self._forbidden:
            if changes.keys() >= footprint.keys():
                truths = [_state_change(outlook, changes[key], number) for key, number in footprint.items()]
                outlook.model.deny(outlook.model.state_all(truths))
        return outlook

    def _refine(self, units: Counter[PlaceKey]) -> bool:
        """Open the units' contents, or model open units separately. Returns False if both are already done."""
        if self._view.shallow and not self._opened.issuperset(units):
            self._opened.update(units)
            return True
        if all(self._singles[key] >= number for key, number in units.items()):
            return False
        self._singles |= units
        return True


def _state_change(outlook: Outlook, change: tuple[Linear, int], number: int) -> Truth:
    total, before = change
    if number > before:
        return outlook.model.state_at_least(total, number)
    return negate(outlook.model.state_at_least(total, number + 1))


def is_legal(ruleset: Ruleset, roster: RosterTree, game: GamePlan | None = None) -> bool:
    # Avoids an import cycle: a rule kind looks ahead.
    from roster.engine.evaluate import evaluate

    return evaluate(ruleset, roster, game, tree=False).verdict is Verdict.LEGAL
