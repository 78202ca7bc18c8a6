"""Find out whether a list can still be completed, and what prevents it, with models from small to large."""

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
"""The default effort for one question."""
SHARE = 0.5
"""The share of the remaining steps for a model if a larger one follows."""
MOST_INSIDE = 3_000
"""The most options inside possible additions for a complete model to be tried early."""
GOOD_ENOUGH = 0.5
"""How far from the fewest picks a completion may be if only its existence matters."""


class UnitAnswers(NamedTuple):
    """Whether a list can be completed with each of some units, and with units that no model contains."""

    known: Mapping[str, Possibility]
    others: Possibility = Possibility.UNKNOWN

    def find(self, unit_id: str) -> Possibility:
        """Return the answer about a unit of the list. For existing units, missing from all models proves nothing."""
        others = Possibility.UNKNOWN if self.others is Possibility.NO else self.others
        return self.known.get(unit_id, others)


class LookAhead:
    """All ways to complete one list, as models that are built once and solved for many questions.

    Small models come first: those without further forces, because most lists can be completed without, and shallow
    ones, which often prove that there is no way. `view` restricts all models. Questions raise UnfinishedError if the
    budget's time is up, except questions about many units.
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
        """Return whether the list can be completed. NO is proved; for YES the validator accepted a list."""
        is_hopeless_alone = False
        for view, attempts in self._list_attempts():
            # A larger model has all constraints of a smaller one.
            if is_hopeless_alone and not view.new_forces:
                continue
            answer = self._search(view, attempts)
            if answer is Possibility.YES:
                self._answer = answer
                return answer
            # A further force may still complete the list.
            has_all_forces = view.new_forces or self._stays
            if answer is Possibility.NO and has_all_forces:
                return answer
            is_hopeless_alone |= answer is Possibility.NO
        return Possibility.UNKNOWN

    def _list_attempts(self) -> Iterator[tuple[Horizon, int]]:
        """Yield the models for proposals, small ones first, with the number of attempts.

        If the validator rejects proposals, a model with unit contents follows. If that model is small, it comes first.
        """
        if not self._is_possible:
            return
        shallow, whole = self._view._replace(shallow=True), self._view._replace(shallow=False)
        alone, all_alone = shallow._replace(new_forces=False), whole._replace(new_forces=False)
        # The possible additions to the forces with all their contents, once per faction.
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
        """Use this budget for further questions.

        Reused models count as if they were built again, so that answers do not depend on earlier questions.
        """
        self._budget = budget
        self._counted.clear()

    def ask_model(self) -> Possibility:
        """Return whether the model has a solution. NO is proved; YES means that no known rule prevents it."""
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
        """Return for each unit that could be added whether the list can be completed with it.

        Units have their ids in a force. `force_id` restricts the question to one force, `unit_ids` to these units.
        """
        if not self._is_possible:
            return UnitAnswers({})
        answers: dict[str, Possibility] = {}
        others = Possibility.UNKNOWN
        question = UnitQuestion(force_id, unit_ids)
        smallest, *larger = self._list_views()
        # Most units fit, and the model without further forces is the smallest that can show it.
        for view in (larger[0], smallest, *larger[1:]):
            # If the question is about all forces, models with further forces may contain further units.
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
            # The largest model contains everything that could be added.
            if _is_whole(view) and not outlook.prospects.is_cut_short:
                others = Possibility.NO
        return UnitAnswers(answers, others)

    def _list_views(self) -> Iterator[Horizon]:
        """Yield the models to solve, small ones first."""
        yield self._view._replace(shallow=True)
        if not self._stays:
            yield self._view._replace(shallow=False, new_forces=False)
        yield self._view._replace(shallow=False)

    def _get_outlook(self, view: Horizon, budget: Budget) -> "Outlook":
        """Return the model of a view, built if necessary, with a budget."""
        # If no force can be added, models with and without further forces are equal.
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
        """Whether no force can be added to the list."""
        return not (self._view.new_forces and may_grow_forces(self._ruleset, self._roster))

    def find_collision(self) -> tuple[BindingRule, ...]:
        """Return a minimal set of rules that cannot all be fulfilled any more; empty if the budget does not suffice."""
        if not self._is_possible:
            return ()
        views = (self._view._replace(shallow=True), self._view)
        try:
            # The larger model is built only if the small one finds nothing.
            return next(filter(None, (self._get_outlook(view, self._budget).find_collision() for view in views)), ())
        except OverdueError:
            return ()


def get_look_ahead(evaluation: Evaluation, budget: Budget) -> LookAhead:
    """Return the look-ahead of an evaluation, existing or new, with a budget for further questions."""
    look_ahead: LookAhead | None = evaluation.memo.get(LookAhead)
    if look_ahead is None:
        look_ahead = LookAhead(evaluation.ruleset, evaluation.roster.document, budget)
        evaluation.memo[LookAhead] = look_ahead
    else:
        look_ahead.allow(budget)
    return look_ahead


def _is_decisive(view: Horizon, answer: Possibility) -> bool:
    """Return whether no larger model could give another answer.

    A NO of a shallow model is final, and so is a YES of a complete model.
    """
    return answer is Possibility.NO if view.shallow else answer is Possibility.YES


def _choose_share(view: Horizon) -> float:
    """Return the share of the remaining steps for a model: all if it is the last."""
    return 1 if _is_whole(view) else SHARE


def _is_whole(view: Horizon) -> bool:
    """Return whether a view leaves nothing out."""
    return view.new_forces and not view.shallow
