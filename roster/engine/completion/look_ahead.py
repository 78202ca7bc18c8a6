"""Whether a list can still be completed, and what prevents it: models of the list, asked from small to large."""

from collections.abc import Collection, Iterator, Mapping
from functools import cached_property
from itertools import chain
from typing import NamedTuple

from catalogue.graph.ruleset import Ruleset
from roster.engine.completion.effort import Budget, Effort, UnfinishedError
from roster.engine.completion.prospects import WHOLE, Horizon, may_grow_forces
from roster.engine.completion.rules import BindingRule
from roster.engine.completion.search import MOST_ATTEMPTS, Outlook, Search, UnitQuestion
from roster.engine.completion.solver import Possibility, load_solver
from roster.engine.evaluation import Evaluation, OverdueError
from roster.engine.new_selections import generate_id
from roster.engine.tree import RosterTree, walk_forces

USUAL = Effort(30_000)
"""How much one question may take."""
SHARE = 0.5
"""How much of what is left of that a model may take while a larger one can still be asked."""
MOST_INSIDE = 3_000
"""How many things may be inside of what could be added for a model that lays them out to be asked early."""
GOOD_ENOUGH = 0.5
"""How far from the fewest picks a way to complete a list may be, where only whether there is one is asked."""


class UnitAnswers(NamedTuple):
    """Whether a list can be completed with each of some units, and with units that no model has a place for."""

    known: Mapping[str, Possibility]
    others: Possibility = Possibility.UNKNOWN

    def find(self, unit_id: str) -> Possibility:
        """Find the answer about a unit of the list; that no model has a place for it proves nothing of it."""
        others = Possibility.UNKNOWN if self.others is Possibility.NO else self.others
        return self.known.get(unit_id, others)


class LookAhead:
    """All ways to complete one list, as models that are built once and asked about many picks.

    Small models are asked first: ways without further forces, because most lists have one, and models that leave open
    what is inside of what is added, which often prove already that there is no way. `view` narrows all of them.
    Questions raise UnfinishedError if the clock of the budget runs out, except those about many units.
    """

    def __init__(
        self, ruleset: Ruleset, roster: RosterTree, budget: Budget | None = None, *, view: Horizon = WHOLE
    ) -> None:
        self._ruleset = ruleset
        self._roster = roster
        self._is_possible = load_solver() is not None
        self._budget = budget or USUAL.start()
        self._view = view
        self._outlooks: dict[Horizon, Outlook] = {}
        self._counted: set[Horizon] = set()
        self._answer = Possibility.UNKNOWN

    def judge(self) -> Possibility:
        """Return whether the list can be completed: NO is proved, and for YES the validator has seen a legal list."""
        is_hopeless_alone = False
        for view, attempts in self._list_attempts():
            # A larger model forbids all that a smaller one does.
            if is_hopeless_alone and not view.new_forces:
                continue
            answer = self._search(view, attempts)
            if answer is Possibility.YES:
                self._answer = answer
                return answer
            # What no unit can complete, a further force still may.
            has_all_forces = view.new_forces or self._stays
            if answer is Possibility.NO and has_all_forces:
                return answer
            is_hopeless_alone |= answer is Possibility.NO
        return Possibility.UNKNOWN

    def _list_attempts(self) -> Iterator[tuple[Horizon, int]]:
        """List the models to have ways proposed by, small ones first, each with how often.

        What the validator turns down is left to a model that knows the inside of units; as long as that one is small,
        it is the first to be asked.
        """
        if not self._is_possible:
            return
        shallow, whole = self._view._replace(shallow=True), self._view._replace(shallow=False)
        alone, all_alone = shallow._replace(new_forces=False), whole._replace(new_forces=False)
        # What could be added to the forces of the list, once for each faction, and all that is inside.
        catalogue_ids = {force.catalogue_id for force in walk_forces(self._roster)}
        factions = filter(None, map(self._ruleset.find_catalogue, catalogue_ids))
        roots = chain.from_iterable(faction.distinct_roots for faction in factions)
        is_small = sum(len(option.entry.keys_inside) for option in roots) <= MOST_INSIDE
        yield (all_alone, MOST_ATTEMPTS) if is_small else (alone, 1)
        yield shallow, 1
        yield alone, MOST_ATTEMPTS
        yield shallow, MOST_ATTEMPTS
        if not is_small:
            yield all_alone, MOST_ATTEMPTS
        yield whole, MOST_ATTEMPTS

    def _search(self, view: Horizon, attempts: int) -> Possibility:
        budget = self._budget.share(_choose_share(view))
        try:
            first = self._get_outlook(view, budget)
        except OverdueError:
            return Possibility.UNKNOWN
        search = Search(
            self._ruleset, self._roster, budget=budget, ids=generate_id, view=view, first=first, attempts=attempts
        )
        return search.find(Outlook.weigh_picks, GOOD_ENOUGH).answer

    def allow(self, budget: Budget) -> None:
        """Have further questions spend this budget.

        What they use of the models that were built before counts as if it were built for them, so that no answer
        hangs on what was asked before.
        """
        self._budget = budget
        self._counted.clear()

    def ask_model(self) -> Possibility:
        """Return whether the model has a solution: NO is proved, YES means that nothing known is in the way."""
        if self._answer is Possibility.UNKNOWN and self._is_possible:
            self._answer = self._ask_model()
        return self._answer

    def _ask_model(self) -> Possibility:
        answer = Possibility.UNKNOWN
        for view in self._list_views():
            try:
                answer = self._get_outlook(view, self._budget).judge()
            except OverdueError:
                return Possibility.UNKNOWN
            if _is_decisive(view, answer):
                break
        return answer

    def judge_units(self, force_id: str = "", unit_ids: Collection[str] | None = None) -> UnitAnswers:
        """Return of each unit that could be added whether the list can be completed with it.

        Units are known by their ids in a force; with a `force_id` those in that force are meant, else those in any;
        with `unit_ids` only these.
        """
        if not self._is_possible:
            return UnitAnswers({})
        answers: dict[str, Possibility] = {}
        others = Possibility.UNKNOWN
        question = UnitQuestion(force_id, unit_ids)
        smallest, *larger = self._list_views()
        # Most units fit: a model without further forces is the smallest in which a way with them is seen.
        for view in (larger[0], smallest, *larger[1:]):
            # Where all forces are meant, a model with further ones may know units that are in none of these.
            if force_id and answers and Possibility.UNKNOWN not in answers.values():
                break
            try:
                outlook = self._get_outlook(view, self._budget.share(_choose_share(view)))
                fresh = outlook.judge_units(question, answers)
                for unit_id, answer in fresh.items():
                    is_final = _is_whole(view) or _is_decisive(view, answer)
                    answers[unit_id] = answer if is_final else Possibility.UNKNOWN
                if Possibility.UNFINISHED in fresh.values():
                    raise UnfinishedError
            except OverdueError:
                continue
            except UnfinishedError:
                open_ids = [unit_id for unit_id, answer in answers.items() if answer is Possibility.UNKNOWN]
                return UnitAnswers(answers | dict.fromkeys(open_ids, Possibility.UNFINISHED), Possibility.UNFINISHED)
            # The largest model has a place for everything that could be added.
            if _is_whole(view) and not outlook.prospects.is_cut_short:
                others = Possibility.NO
        return UnitAnswers(answers, others)

    def _list_views(self) -> Iterator[Horizon]:
        """List the models to ask, small ones first."""
        yield self._view._replace(shallow=True)
        if not self._stays:
            yield self._view._replace(shallow=False, new_forces=False)
        yield self._view._replace(shallow=False)

    def _get_outlook(self, view: Horizon, budget: Budget) -> "Outlook":
        """Return the model of so many ways, to be built and asked with a budget."""
        # Where no force could be added, a model with further ones is the same.
        view = view._replace(new_forces=view.new_forces and not self._stays)
        outlook = self._outlooks.get(view)
        if outlook is None:
            outlook = self._outlooks[view] = Outlook(self._ruleset, self._roster, budget=budget, view=view)
        else:
            outlook.budget = budget
            if view not in self._counted:
                budget.spend(outlook.steps)
        self._counted.add(view)
        return outlook

    @cached_property
    def _stays(self) -> bool:
        """Whether the list can get no further forces."""
        return not (self._view.new_forces and may_grow_forces(self._ruleset, self._roster))

    def find_collision(self) -> tuple[BindingRule, ...]:
        """Return a smallest set of rules that cannot all be kept any more; none if the budget does not tell."""
        if not self._is_possible:
            return ()
        views = (self._view._replace(shallow=True), self._view)
        try:
            # The larger model is built only where the small one has nothing to say.
            return next(filter(None, (self._get_outlook(view, self._budget).find_collision() for view in views)), ())
        except OverdueError:
            return ()


def get_look_ahead(evaluation: Evaluation, budget: Budget) -> LookAhead:
    """Return the models of a list that is judged, those that were asked before, with a budget for further questions."""
    look_ahead: LookAhead | None = evaluation.memo.get(LookAhead)
    if look_ahead is None:
        look_ahead = LookAhead(evaluation.ruleset, evaluation.roster.document, budget)
        evaluation.memo[LookAhead] = look_ahead
    else:
        look_ahead.allow(budget)
    return look_ahead


def _is_decisive(view: Horizon, answer: Possibility) -> bool:
    """Return whether no larger model could answer otherwise.

    What a small model allows, a larger one may forbid; what one without further forces forbids, one with them allows.
    """
    return answer is Possibility.NO if view.shallow else answer is Possibility.YES


def _choose_share(view: Horizon) -> float:
    """Return how much of what is left a model may take: all of it if no larger one is asked after it."""
    return 1 if _is_whole(view) else SHARE


def _is_whole(view: Horizon) -> bool:
    """Return whether a view leaves nothing out."""
    return view.new_forces and not view.shallow
