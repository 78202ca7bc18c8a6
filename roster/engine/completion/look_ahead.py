"""Whether a list can still be completed, and what stands in the way: models of it, asked from small to large."""

import time
from collections.abc import Callable, Iterator, Mapping

from catalogue.graph.compiled_entry import CompiledOption
from catalogue.graph.ruleset import Ruleset
from roster.engine.completion.prospects import WHOLE, Horizon
from roster.engine.completion.rules import BindingRule
from roster.engine.completion.search import Outlook, Search
from roster.engine.completion.solver import Possibility, load_solver
from roster.engine.evaluation import Evaluation, OverdueError
from roster.engine.new_selections import generate_id
from roster.engine.tree import RosterTree

SECONDS = 1.0
"""How long one question may take."""
SHARE = 0.5
"""How much of the time that is left a model may take while a larger one can still be asked."""
GOOD_ENOUGH = 0.5
"""How far from the fewest picks a way to complete a list may be, where only whether there is one is asked."""


class LookAhead:
    """All ways to complete one list, as models that are built once and asked about many picks.

    Small models are asked first: ways without further forces, because most lists have one, and models that leave open
    what is inside of what is added, which often prove already that there is no way. `view` narrows all of them.
    """

    def __init__(
        self, ruleset: Ruleset, roster: RosterTree, *, seconds: float = SECONDS, view: Horizon = WHOLE
    ) -> None:
        self._ruleset = ruleset
        self._roster = roster
        self._is_possible = load_solver() is not None  # before the clock starts: loading the solver takes a while
        self._end = time.monotonic() + seconds
        self._view = view
        self._outlooks: dict[Horizon, Outlook] = {}
        self._answer = Possibility.UNKNOWN

    def judge(self) -> Possibility:
        """Return whether the list can be completed: NO is proved, and for YES the validator has seen a legal list."""
        if not self._is_possible:
            return Possibility.UNKNOWN
        for view in (self._view._replace(shallow=True, new_forces=False), *self._list_views()):
            is_last = not view.shallow and view.new_forces
            seconds = self._count_seconds() * (1 if is_last else SHARE)
            search = Search(
                self._ruleset, self._roster, seconds=seconds, ids=generate_id, view=view, first=self._outlooks.get(view)
            )
            answer = search.find(Outlook.weigh_picks, GOOD_ENOUGH).answer
            if answer is Possibility.YES or (answer is Possibility.NO and view.new_forces):
                return answer
        return Possibility.UNKNOWN

    def allow(self, seconds: float) -> None:
        """Allow so much time from now on."""
        self._end = time.monotonic() + seconds

    def ask_model(self) -> Possibility:
        """Return whether the model has a solution: NO is proved, YES means that nothing known stands in the way."""
        if self._answer is Possibility.UNKNOWN:
            self._answer = self._ask(Outlook.judge)
        return self._answer

    def judge_pick(self, force_id: str, option: CompiledOption) -> Possibility:
        """Return whether the list can be completed with one more of an option in a force."""
        return self._ask(lambda outlook: outlook.judge_pick(force_id, option))

    def judge_units(self, force_id: str = "") -> dict[str, Possibility]:
        """Return of each unit that could be added whether the list can be completed with it.

        Units are known by their ids in a force; with a `force_id` those in that force are meant, else those in any.
        """
        answers: dict[str, Possibility] = {}
        if not self._is_possible:
            return answers
        shallow, staying, whole = self._list_views()
        # Most units fit: a model without further forces is the smallest in which a way with them is seen.
        for view in (staying, shallow, whole):
            if force_id and answers and Possibility.UNKNOWN not in answers.values():
                break
            try:
                known = self.get_outlook(view, 1 if view is whole else SHARE).judge_units(force_id, answers)
            except OverdueError:
                continue
            answers |= _weigh_answers(view, known)
        return answers

    def _ask(self, question: Callable[["Outlook"], Possibility]) -> Possibility:
        if not self._is_possible:
            return Possibility.UNKNOWN
        for view in self._list_views():
            try:
                answer = question(self.get_outlook(view))
            except OverdueError:
                return Possibility.UNKNOWN
            if _is_decisive(view, answer):
                return answer
        return answer

    def _list_views(self) -> Iterator[Horizon]:
        """List the models to ask, small ones first."""
        for shallow, new_forces in ((True, True), (False, False), (False, True)):
            yield self._view._replace(shallow=shallow, new_forces=new_forces)

    def get_outlook(self, view: Horizon, share: float = 1) -> "Outlook":
        """Return the model of so many ways, to be built and asked in such a share of the time that is left."""
        seconds = self._count_seconds() * share
        outlook = self._outlooks.get(view)
        if outlook is None:
            outlook = self._outlooks[view] = Outlook(self._ruleset, self._roster, seconds=seconds, view=view)
        else:
            outlook.allow(seconds)
        return outlook

    def _count_seconds(self) -> float:
        return max(0.0, self._end - time.monotonic())

    def find_collision(self) -> tuple[BindingRule, ...]:
        """Return a smallest set of rules that cannot all be kept any more; none where that is not known in time."""
        if not self._is_possible:
            return ()
        for view in (self._view._replace(shallow=True), self._view):
            try:
                collision = self.get_outlook(view).find_collision()
            except OverdueError:
                return ()
            if collision:
                return collision
        return ()


def get_look_ahead(evaluation: Evaluation, seconds: float) -> LookAhead:
    """Return the models of a list that is judged, those that were asked before, with so much time from now on."""
    look_ahead: LookAhead | None = evaluation.memo.get(LookAhead)
    if look_ahead is None:
        look_ahead = LookAhead(evaluation.ruleset, evaluation.roster.document, seconds=seconds)
        evaluation.memo[LookAhead] = look_ahead
    else:
        look_ahead.allow(seconds)
    return look_ahead


def _is_decisive(view: Horizon, answer: Possibility) -> bool:
    """Return whether no larger model could answer otherwise.

    What a small model allows, a larger one may forbid; what one without further forces forbids, one with them allows.
    """
    return answer is Possibility.NO if view.shallow else answer is Possibility.YES


def _weigh_answers(view: Horizon, answers: Mapping[str, Possibility]) -> dict[str, Possibility]:
    """Return what answers of one model are worth for those that are asked after it."""
    last = not view.shallow and view.new_forces
    return {
        key: answer if last or _is_decisive(view, answer) else Possibility.UNKNOWN for key, answer in answers.items()
    }
