"""Sums of costs: for one selection, a force, the roster."""

from collections.abc import Collection, Iterable, Mapping

from catalogue.definitions.numbers import Number, shorten_number
from roster.engine.evaluation import Evaluation
from roster.engine.nodes import ForceNode, SelectionNode
from roster.engine.report import CostTotal

Totals = dict[str, Number]


def get_selection_costs(evaluation: Evaluation, node: SelectionNode) -> Totals:
    """Return what a selection itself costs: unit cost times number in the force, by cost type declared."""
    return {type_id: value * node.total for type_id, value in evaluation.costs.get_unit_costs(node).items()}


def sum_selection(evaluation: Evaluation, node: SelectionNode) -> Totals:
    """Sum what a selection costs with everything inside it."""
    totals = get_selection_costs(evaluation, node)
    for member in node.members:
        add_totals(totals, sum_selection(evaluation, member))
    return totals


def sum_force(evaluation: Evaluation, force: ForceNode) -> Totals:
    """Sum what a force costs with its selections, without the forces inside it."""
    totals: Totals = {
        type_id: evaluation.costs.get_force_cost(force, type_id)
        for type_id in evaluation.costs.get_declared_costs(force)
    }
    for member in force.members:
        add_totals(totals, sum_selection(evaluation, member))
    return totals


def add_totals(totals: Totals, more: Totals) -> None:
    """Add `more` to `totals` in place."""
    for type_id, value in more.items():
        totals[type_id] = totals.get(type_id, 0) + value


def build_cost_lines(
    evaluation: Evaluation, totals: Mapping[str, Number], type_ids: Iterable[str] | None = None
) -> tuple[CostTotal, ...]:
    """Build totals as values, in the order of the data; of `type_ids` where given, else of all in `totals`."""
    wanted = totals.keys() if type_ids is None else dict.fromkeys(type_ids)
    ordered = _sort_types(wanted, evaluation.ruleset.binding.cost_types)
    return tuple(_build_cost_line(evaluation, type_id, totals.get(type_id, 0)) for type_id in ordered)


def _build_cost_line(evaluation: Evaluation, type_id: str, value: Number) -> CostTotal:
    """Build one total; a list has many that are the same, as its units cost the same."""
    key = (CostTotal, type_id, value)
    line: CostTotal | None = evaluation.memo.get(key)
    if line is None:
        cost_type = evaluation.ruleset.binding.cost_types.get(type_id)
        line = evaluation.memo[key] = CostTotal(
            type_id=type_id,
            name=cost_type.name if cost_type else type_id,
            value=shorten_number(value),
            limit=evaluation.limits.get(type_id),
            hidden=evaluation.is_cost_hidden(cost_type) if cost_type else False,
        )
    return line


def _sort_types(wanted: Collection[str], known: Iterable[str]) -> list[str]:
    """Sort types of cost as the data does; those that it does not know come last, by their ids."""
    # Nearly everything costs one thing or nothing.
    if len(wanted) < 2:
        return list(wanted)
    ordered = [type_id for type_id in known if type_id in wanted]
    if len(ordered) < len(wanted):
        ordered += sorted(set(wanted) - set(ordered))
    return ordered
