"""Find units that fit into a list or a size."""

from collections.abc import Iterable
from dataclasses import dataclass

from catalogue.definitions.numbers import Number
from catalogue.models import PackVersion, UnitEntry
from roster.engine.completion.candidates import judge_units, list_candidates
from roster.engine.completion.solver import Possibility, is_solver_installed
from roster.services.evaluation import EvaluatedList, get_cost_value
from roster.services.limits import PATIENT, TAKEABLE, WAYS
from roster.services.rulesets import load_ruleset

_HOPE = (Possibility.NO, Possibility.UNKNOWN, Possibility.UNFINISHED, Possibility.YES)


@dataclass(frozen=True, slots=True, kw_only=True)
class Addition:
    """A unit to add. `answer` is whether the list can then be completed. `force_id` is "" without a list."""

    entry_id: str
    name: str
    points: Number
    answer: Possibility
    force_id: str = ""
    needed: bool = False


def list_additions(evaluated_list: EvaluatedList, *, is_patient: bool = False) -> tuple[Addition, ...] | None:
    """List units to add, best first; None without a solver."""
    if not is_solver_installed():
        return None
    points_id = evaluated_list.points_id
    return tuple(
        Addition(
            entry_id=one.entry_id,
            name=one.name,
            points=get_cost_value(one.offer.costs, points_id) or 0,
            answer=one.answer,
            force_id=one.force_id,
            needed=one.needed,
        )
        for one in list_candidates(evaluated_list.ruleset, evaluated_list.tree, effort=PATIENT if is_patient else WAYS)
    )


def list_takeable(
    version: PackVersion, faction_id: str, limit: Number, *, is_patient: bool = False
) -> tuple[Addition, ...] | None:
    """List a faction's units and whether a legal list within `limit` can contain them; None without a solver."""
    if not is_solver_installed():
        return None
    ruleset = load_ruleset(version, faction_id)
    limits = {version.points_id: limit} if version.points_id else {}
    answers = judge_units(ruleset, faction_id, limits, effort=PATIENT if is_patient else TAKEABLE)
    rows = UnitEntry.objects.filter(faction__version=version, faction__faction_id=faction_id)
    # A unit that no detachment takes cannot be in any list.
    return _merge_twins(_build_addition(row, answers.by_unit.get(row.entry_id, answers.others)) for row in rows)


def _build_addition(row: UnitEntry, answer: Possibility) -> Addition:
    return Addition(entry_id=row.entry_id, name=row.name, points=row.points or 0, answer=answer)


def _merge_twins(additions: Iterable[Addition]) -> tuple[Addition, ...]:
    takeable: dict[tuple[str, Number], Addition] = {}
    for addition in additions:
        existing = takeable.setdefault((addition.name, addition.points), addition)
        if _HOPE.index(addition.answer) > _HOPE.index(existing.answer):
            takeable[addition.name, addition.points] = addition
    return tuple(takeable.values())
