"""Fill a list as a player would: one unit after another, each with what it needs.

The validator judges each step, so this works even if the solver's models are too large or too vague.
"""

from collections.abc import Iterable, Iterator
from itertools import islice
from math import inf
from random import Random

from catalogue.definitions.numbers import Number
from roster.engine.completion.effort import Budget
from roster.engine.completion.search import STEPS_OF_A_JUDGEMENT
from roster.engine.evaluation import OverdueError
from roster.engine.nodes import ForceNode
from roster.engine.offers import OfferedOption, list_offered_forces, list_offers
from roster.engine.report import Verdict
from roster.engine.tree import count_nodes
from roster.services import changes
from roster.services.apply import AppliedChange, apply_change
from roster.services.deeds import complete_by_deeds
from roster.services.evaluation import EvaluatedList, evaluate_with, get_cost_value

FULL = 0.9
"""The share of its limit from which a list counts as full: then no more options are taken."""
FINISH = 0.3
"""From this share of the limit on, the dearest unit that fits comes first."""
MOST_UNITS, MOST_DETACHMENTS, MOST_OPTIONS = 16, 8, 16
"""How many changes of each kind to try in one step."""

Priced = list[tuple[float, changes.Change]]


def is_full(evaluated_list: EvaluatedList) -> bool:
    limit = _find_limit(evaluated_list)
    return limit is None or _find_spent(evaluated_list) >= FULL * float(limit)


def fill_by_deeds(evaluated_list: EvaluatedList, budget: Budget, seed: int) -> EvaluatedList | None:
    """Add parts until nothing fits; return the fullest legal list, if any.

    Nothing is removed. Each `seed` picks other units. Raises UnfinishedError if time runs out.
    """
    filler = _ArmyFiller(budget, Random(seed))  # noqa: S311 - a matter of taste
    best = evaluated_list if evaluated_list.verdict is Verdict.LEGAL else None
    try:
        for fuller in filler.list_fuller(evaluated_list):
            best = fuller
    except OverdueError:
        return best
    return best


class _ArmyFiller:
    def __init__(self, budget: Budget, dice: Random) -> None:
        self._budget = budget
        self._dice = dice

    def list_fuller(self, evaluated_list: EvaluatedList) -> Iterator[EvaluatedList]:
        """Yield legal lists, each fuller than the one before. Without a limit, the first is enough."""
        fuller = next(self._list_next(evaluated_list), None)
        while fuller:
            yield fuller
            fuller = next(self._list_next(fuller), None) if _find_room(fuller) < inf else None

    def _list_next(self, evaluated_list: EvaluatedList) -> Iterator[EvaluatedList]:
        yield from self._list_legal(evaluated_list, islice(self._list_units(evaluated_list), MOST_UNITS))
        yield from self._list_legal(evaluated_list, islice(self._list_detachments(evaluated_list), MOST_DETACHMENTS))
        if not is_full(evaluated_list):
            yield from self._list_legal(evaluated_list, islice(self._list_options(evaluated_list), MOST_OPTIONS))

    def _list_legal(self, evaluated_list: EvaluatedList, steps: Iterable[changes.Change]) -> Iterator[EvaluatedList]:
        for step in steps:
            applied = apply_change(evaluated_list.ruleset, evaluated_list.tree, step, evaluated_list.tree.faction)
            if not isinstance(applied, AppliedChange):
                continue
            self._budget.spend(STEPS_OF_A_JUDGEMENT + count_nodes(applied.tree))
            grown = evaluate_with(
                evaluated_list.ruleset, applied.tree, tree=False, before=evaluated_list, begun=applied.evaluation
            )
            completed = complete_by_deeds(grown, self._budget)
            if completed and not completed.is_empty and _find_spent(completed) > _find_spent(evaluated_list):
                yield completed

    def _list_units(self, evaluated_list: EvaluatedList) -> Iterator[changes.Change]:
        priced: Priced = [
            (price, changes.AddUnit(node=force.document.id, entry=option.entry_id))
            for force in evaluated_list.evaluation.roster.all_forces
            for price, option in _list_fitting(evaluated_list, force.document.id)
        ]
        return self._order(evaluated_list, priced)

    def _list_options(self, evaluated_list: EvaluatedList) -> Iterator[changes.Change]:
        priced: Priced = [
            (price, changes.SetNumber(node=node.written.id, entry=option.entry_id, number=option.number + 1))
            for node in evaluated_list.evaluation.roster.selections
            for price, option in _list_fitting(evaluated_list, node.written.id)
        ]
        return self._order(evaluated_list, priced)

    def _order(self, evaluated_list: EvaluatedList, priced: Priced) -> Iterator[changes.Change]:
        self._dice.shuffle(priced)
        if _find_room(evaluated_list) < FINISH * float(_find_limit(evaluated_list) or 0):
            priced.sort(key=lambda pair: -pair[0])
        return (change for _price, change in priced)

    def _list_detachments(self, evaluated_list: EvaluatedList) -> Iterator[changes.Change]:
        forces = [*evaluated_list.evaluation.roster.all_forces]
        for force in self._dice.sample(forces, len(forces)):
            yield from self._list_inside(evaluated_list, force)
        faction_id = evaluated_list.tree.of
        catalogue = evaluated_list.ruleset.find_catalogue(faction_id)
        kinds = list_offered_forces(evaluated_list.evaluation, catalogue.force_entries, faction_id) if catalogue else ()
        for kind in self._dice.sample(kinds, len(kinds)):
            yield changes.AddDetachment(entry=kind.id, catalogue=faction_id)

    def _list_inside(self, evaluated_list: EvaluatedList, force: ForceNode) -> Iterator[changes.Change]:
        catalogue_id, force_id = force.document.catalogue_id, force.document.id
        for kind in list_offered_forces(evaluated_list.evaluation, force.inner_entries, catalogue_id, force_id):
            yield changes.AddDetachment(entry=kind.id, catalogue=catalogue_id, node=force_id)


def _list_fitting(evaluated_list: EvaluatedList, container_id: str) -> Iterator[tuple[float, OfferedOption]]:
    room = _find_room(evaluated_list)
    for option in list_offers(evaluated_list.evaluation, container_id).options:
        if option.hidden or option.blocked:
            continue
        price = float(get_cost_value(option.costs, evaluated_list.points_id) or 0)
        if price <= room and (price > 0 or not evaluated_list.points_id):
            yield price, option


def _find_limit(evaluated_list: EvaluatedList) -> Number | None:
    return evaluated_list.tree.find_limit(evaluated_list.points_id)


def _find_room(evaluated_list: EvaluatedList) -> float:
    limit = _find_limit(evaluated_list)
    return inf if limit is None else float(limit) - _find_spent(evaluated_list)


def _find_spent(evaluated_list: EvaluatedList) -> float:
    """Return points, or units if the game has no points."""
    if evaluated_list.points:
        return float(evaluated_list.points.value)
    return sum(len(force.document.selections) for force in evaluated_list.evaluation.roster.all_forces)
