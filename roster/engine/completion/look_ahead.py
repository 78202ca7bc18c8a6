"""Can a list still be completed, what would end every way, and which rules collide."""

from collections import Counter
from collections.abc import Callable, Mapping
from functools import cached_property

from catalogue.graph.compiled_entry import CompiledOption
from catalogue.graph.ruleset import Ruleset
from roster.engine.completion.amounts import Amounts
from roster.engine.completion.linear import Linear, Model, add_all
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
    ) -> None:
        self._model = Model()
        self._seconds = seconds
        self.prospects = Prospects(ruleset, roster, self._model, singles, new_forces=new_forces, without=without)
        self.rules = RuleRows(Amounts(self.prospects, undemanding=undemanding))
        self.rules.add_all()

    @cached_property
    def _solver(self) -> Solver:
        return Solver(self._model, seconds=self._seconds).load()

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

    def propose(self) -> Solution:
        """Return the solution that adds least."""
        solver = Solver(self._model, seconds=self._seconds).load()
        solver.minimize(self._weigh_picks())
        return self._believe(solver.solve())

    def _believe(self, solution: Solution) -> Solution:
        """Return a solution; what was looked at in part only proves nothing."""
        if solution.answer is Possibility.NO and self.prospects.is_cut_short:
            return Solution(Possibility.UNKNOWN)
        return solution

    def _weigh_picks(self) -> Linear:
        """Return how many things are added; those that the model knows only as a sum weigh more."""
        prospects = self.prospects
        weights = [
            (node, LEFTOVER if node in prospects.leftovers else 1)
            for node in (*prospects.new_selections, *prospects.new_forces)
        ]
        return add_all(Linear(0, dict.fromkeys(prospects.get_total(node).terms, w)) for node, w in weights)

    def find_collision(self) -> tuple[BindingRule, ...]:
        """Return a smallest set of rules that cannot all be kept any more."""
        solver = Solver(self._model, seconds=self._seconds).load(switched=True)
        return tuple(label for label in solver.find_collision() if isinstance(label, BindingRule))

    def count_units(self, proposal: Proposal) -> Counter[PlaceKey]:
        """Count the units of each option in each force that a proposal adds."""
        units: Counter[PlaceKey] = Counter()
        for node in self.prospects.new_selections:
            number = proposal.read_total(node)
            if number and isinstance(node.container, ForceNode) and node.option:
                units[get_place_key(node.container, node.option)] += number
        return units
