"""Can a list still be completed, what would end every way, and which rules collide."""

from collections import Counter
from collections.abc import Callable, Mapping
from functools import cached_property

from catalogue.graph.compiled_entry import CompiledOption
from catalogue.graph.ruleset import Ruleset
from roster.engine.completion.amounts import Amounts
from roster.engine.completion.linear import Linear, Literal, Model, add_all
from roster.engine.completion.proposals import Proposal
from roster.engine.completion.prospects import NOTHING, PlaceKey, Prospects, get_place_key
from roster.engine.completion.rules import BindingRule, RuleRows
from roster.engine.completion.solver import Possibility, Solution, Solver, can_be_modelled
from roster.engine.nodes import ForceNode
from roster.engine.tree import RosterTree

SECONDS = 1.0
"""How long one question may take."""
LEFTOVER = 50
"""How many picks of its own something weighs that could have been looked at by itself."""


class LookAhead:
    """All ways to complete one list, as a model that is built once and asked about many picks.

    Ways without further forces are looked at first, because most lists have one: the model of all ways, which is larger
    several times over, is built only for what they do not answer. `without` is a category of which nothing is added;
    `undemanding`: what is added demands no further units itself.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        roster: RosterTree,
        *,
        seconds: float = SECONDS,
        without: str = "",
        undemanding: bool = False,
    ) -> None:
        self._ruleset = ruleset
        self._roster = roster
        self._seconds = seconds
        self._without = without
        self._undemanding = undemanding
        self._outlooks: dict[bool, Outlook] = {}

    def judge(self) -> Possibility:
        """Return whether the list can be completed: NO is proved, YES means that nothing known stands in the way."""
        return self._ask(Outlook.judge)

    def judge_pick(self, force_id: str, option: CompiledOption) -> Possibility:
        """Return whether the list can be completed with one more of an option in a force."""
        return self._ask(lambda outlook: outlook.judge_pick(force_id, option))

    def judge_units(self) -> dict[str, Possibility]:
        """Return of each unit that could be added, by its id in a force, whether the list can be completed with it."""
        if not can_be_modelled(self._ruleset):
            return {}
        return self.get_outlook(new_forces=True).judge_units()

    def _ask(self, question: Callable[["Outlook"], Possibility]) -> Possibility:
        if not can_be_modelled(self._ruleset):
            return Possibility.UNKNOWN
        answer = question(self.get_outlook(new_forces=False))
        return answer if answer is Possibility.YES else question(self.get_outlook(new_forces=True))

    def get_outlook(self, *, new_forces: bool) -> "Outlook":
        """Return the model of all ways, or of those without further forces."""
        outlook = self._outlooks.get(new_forces)
        if outlook is None:
            outlook = self._outlooks[new_forces] = Outlook(
                self._ruleset,
                self._roster,
                seconds=self._seconds,
                new_forces=new_forces,
                without=self._without,
                undemanding=self._undemanding,
            )
        return outlook

    def find_collision(self) -> tuple[BindingRule, ...]:
        """Return a smallest set of rules that cannot all be kept any more; none where that is not known in time."""
        return self.get_outlook(new_forces=True).find_collision() if can_be_modelled(self._ruleset) else ()


class Outlook:
    """One model of a list, with the solver that is asked about it."""

    def __init__(
        self,
        ruleset: Ruleset,
        roster: RosterTree,
        *,
        seconds: float,
        new_forces: bool,
        singles: Mapping[PlaceKey, int] = NOTHING,
        without: str = "",
        undemanding: bool = False,
        removable: bool = False,
    ) -> None:
        self.model = Model()
        self._seconds = seconds
        self.prospects = Prospects(
            ruleset, roster, self.model, singles, new_forces=new_forces, without=without, removable=removable
        )
        self.amounts = Amounts(self.prospects, undemanding=undemanding)
        RuleRows(self.amounts).add_all()

    @cached_property
    def _solver(self) -> Solver:
        return Solver(self.model, seconds=self._seconds).load()

    def judge(self) -> Possibility:
        """Return whether the model has a solution."""
        return self._believe(self._solver.solve()).answer

    def judge_pick(self, force_id: str, option: CompiledOption) -> Possibility:
        """Return whether the model has a solution with one more of an option in a force."""
        for node in self.prospects.new_selections:
            document = node.container.document
            if node.option is option and document and document.id == force_id:
                (variable,) = self.prospects.get_total(node).terms
                return self._believe(self._solver.solve({variable: 1})).answer
        return Possibility.NO

    def judge_units(self) -> dict[str, Possibility]:
        """Return of each unit that could be added whether the model has a solution with it."""
        totals: dict[str, list[Linear]] = {}
        for node in self.prospects.new_selections:
            if isinstance(node.container, ForceNode) and node.option:
                totals.setdefault(node.option.local_id, []).append(self.prospects.get_total(node))
        return self._judge_each({unit_id: add_all(parts) for unit_id, parts in totals.items()})

    def _judge_each(self, amounts: dict[str, Linear]) -> dict[str, Possibility]:
        """Return of each amount whether it can be more than nothing: solutions with many of them at once tell most."""
        flags = {key: self.model.state_at_least(amount, 1) for key, amount in amounts.items()}
        open_flags = {key: flag for key, flag in flags.items() if isinstance(flag, Literal)}
        answers = dict.fromkeys(flags, Possibility.UNKNOWN)
        while open_flags:
            solution = self.propose(add_all(self.model.as_number(flag) * -1 for flag in open_flags.values()))
            reached = [key for key, flag in open_flags.items() if solution.values and solution.values[flag.variable]]
            if not reached:
                is_proved = solution.is_best or solution.answer is Possibility.NO
                rest = Possibility.NO if is_proved and not self.prospects.is_cut_short else Possibility.UNKNOWN
                return answers | dict.fromkeys(open_flags, rest)
            answers |= dict.fromkeys(reached, Possibility.YES)
            for key in reached:
                del open_flags[key]
        return answers

    def propose(self, aim: Linear) -> Solution:
        """Return the solution in which an expression is least."""
        solver = Solver(self.model, seconds=self._seconds).load()
        solver.minimize(aim)
        return self._believe(solver.solve())

    def _believe(self, solution: Solution) -> Solution:
        """Return a solution; what was looked at in part only proves nothing."""
        if solution.answer is Possibility.NO and self.prospects.is_cut_short:
            return Solution(Possibility.UNKNOWN)
        return solution

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
        solver = Solver(self.model, seconds=self._seconds).load(switched=True)
        return tuple(label for label in solver.find_collision() if isinstance(label, BindingRule))

    def count_units(self, proposal: Proposal) -> Counter[PlaceKey]:
        """Count the units of each option in each force that a proposal adds."""
        units: Counter[PlaceKey] = Counter()
        for node in self.prospects.new_selections:
            number = proposal.read_total(node)
            if number and isinstance(node.container, ForceNode) and node.option:
                units[get_place_key(node.container, node.option)] += number
        return units
