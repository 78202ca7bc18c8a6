"""Decide whether a list can still be completed, and what prevents it."""

from collections.abc import Collection, Iterator, Mapping
from functools import cached_property
from typing import NamedTuple

from catalogue.graph.ruleset import Ruleset
from roster.engine.completion.effort import Budget, Effort, UnfinishedError
from roster.engine.completion.prospects import WHOLE, Horizon, has_few_parts, may_grow_forces
from roster.engine.completion.rules import BindingRule
from roster.engine.completion.search import MOST_ATTEMPTS, Outlook, Search, UnitQuestion
from roster.engine.completion.solver import Possibility, load_solver
from roster.engine.evaluation import Evaluation, OverdueError
from roster.engine.new_selections import generate_id
from roster.engine.plan import GamePlan
from roster.engine.tree import RosterTree

USUAL = Effort(30_000)
SHARE = 0.5
GOOD_ENOUGH = 0.5
"""The relative gap if any completion will do."""


class UnitAnswers(NamedTuple):
    """Whether a list can be completed with each unit. `others` answers for units in no model."""

    by_unit: Mapping[str, Possibility]
    others: Possibility = Possibility.UNKNOWN

    def find(self, unit_id: str) -> Possibility:
        """Answer "unknown", not "no", for units in no model."""
        others = Possibility.UNKNOWN if self.others is Possibility.NO else self.others
        return self.by_unit.get(unit_id, others)


class LookAhead:
    """All ways to complete one list, as models for many questions.

    Small models come first: without further forces, which most lists do not need, and shallow, which often prove a dead
    end. `view` restricts all models. A `game` plan's rules bind, too. Questions raise UnfinishedError if the time is
    up, except those about many units.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        roster: RosterTree,
        budget: Budget | None = None,
        *,
        view: Horizon = WHOLE,
        game: GamePlan | None = None,
    ) -> None:
        self._ruleset = ruleset
        self._roster = roster
        self._is_possible = load_solver() is not None
        self._budget = budget or USUAL.start()
        self._view = view
        self._game = game
        self._outlooks: dict[Horizon, Outlook] = {}
        self._counted: set[Horizon] = set()
        self._answer = Possibility.UNKNOWN

    def judge(self) -> Possibility:
        """Return whether the list can be completed. NO is proved; for YES a legal list was found."""
        is_hopeless_alone = False
        for view, attempts in self._list_attempts():
            if is_hopeless_alone and not view.new_forces:
                continue
            answer = self._search(view, attempts)
            if answer is Possibility.YES:
                self._answer = answer
                return answer
            has_all_forces = view.new_forces or self._stays
            if answer is Possibility.NO and has_all_forces:
                return answer
            is_hopeless_alone |= answer is Possibility.NO
        return Possibility.UNKNOWN

    def _list_attempts(self) -> Iterator[tuple[Horizon, int]]:
        """Yield models for proposals, small ones first, with the number of attempts.

        After a rejection only a model of unit contents helps, so a small one comes first.
        """
        if not self._is_possible:
            return
        shallow, whole = self._view._replace(shallow=True), self._view._replace(shallow=False)
        alone, all_alone = shallow._replace(new_forces=False), whole._replace(new_forces=False)
        is_small = has_few_parts(self._ruleset, self._roster)
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
            self._ruleset,
            self._roster,
            budget=budget,
            ids=generate_id,
            view=view,
            first=first,
            attempts=attempts,
            game=self._game,
        )
        return search.find(Outlook.weigh_picks, GOOD_ENOUGH).answer

    def allow(self, budget: Budget) -> None:
        """Use this budget for further questions.

        Reused models count as rebuilt: answers must not depend on earlier questions.
        """
        self._budget = budget
        self._counted.clear()

    def ask_model(self) -> Possibility:
        """Return whether the model has a solution. Only NO is proved."""
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
        if not self._is_possible:
            return UnitAnswers({})
        answers: dict[str, Possibility] = {}
        others = Possibility.UNKNOWN
        question = UnitQuestion(force_id, unit_ids)
        smallest, *larger = self._list_views()
        # Most units fit, and this is the smallest model that can show it.
        for view in (larger[0], smallest, *larger[1:]):
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
            if _is_whole(view) and not outlook.prospects.is_cut_short:
                others = Possibility.NO
        return UnitAnswers(answers, others)

    def _list_views(self) -> Iterator[Horizon]:
        yield self._view._replace(shallow=True)
        if not self._stays:
            yield self._view._replace(shallow=False, new_forces=False)
        yield self._view._replace(shallow=False)

    def _get_outlook(self, view: Horizon, budget: Budget) -> "Outlook":
        view = view._replace(new_forces=view.new_forces and not self._stays)
        outlook = self._outlooks.get(view)
        if outlook is None:
            outlook = self._outlooks[view] = Outlook(
                self._ruleset, self._roster, budget=budget, view=view, game=self._game
            )
        else:
            outlook.budget = budget
            if view not in self._counted:
                budget.spend(outlook.steps)
        self._counted.add(view)
        return outlook

    @cached_property
    def _stays(self) -> bool:
        return not (self._view.new_forces and may_grow_forces(self._ruleset, self._roster))

    def find_collision(self) -> tuple[BindingRule, ...]:
        """Return a minimal set of contradicting rules, if known."""
        if not self._is_possible:
            return ()
        views = (self._view._replace(shallow=True), self._view)
        try:
            return next(filter(None, (self._get_outlook(view, self._budget).find_collision() for view in views)), ())
        except OverdueError:
            return ()


def get_look_ahead(evaluation: Evaluation, budget: Budget) -> LookAhead:
    look_ahead: LookAhead | None = evaluation.memo.get(LookAhead)
    if look_ahead is None:
        look_ahead = LookAhead(evaluation.ruleset, evaluation.roster.document, budget)
        evaluation.memo[LookAhead] = look_ahead
    else:
        look_ahead.allow(budget)
    return look_ahead


def _is_decisive(view: Horizon, answer: Possibility) -> bool:
    """Return whether larger models must agree: with a shallow model's NO, or a YES with all contents."""
    return answer is Possibility.NO if view.shallow else answer is Possibility.YES


def _choose_share(view: Horizon) -> float:
    return 1 if _is_whole(view) else SHARE


def _is_whole(view: Horizon) -> bool:
    return view.new_forces and not view.shallow
