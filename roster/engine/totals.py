"""Sums of costs: for one selection, a force, the roster."""

from collections.abc import Iterable

from catalogue.definitions.entries import Cost
from catalogue.definitions.numbers import Number
from roster.engine.case import Case
from roster.engine.report import CostTotal
from roster.engine.state import ForceNode, SelectionNode

Totals = dict[str, Number]


def selection_costs(case: Case, node: SelectionNode) -> Totals:
    """What a selection itself costs, all of it: unit cost times number in the force, by cost type declared."""
    return {type_id: case.costs.unit(node, type_id) * node.total for type_id in case.costs.types(node)}


def selection_totals(case: Case, node: SelectionNode) -> Totals:
    """What a selection costs with everything inside it."""
    totals = selection_costs(case, node)
    for member in node.members:
        add(totals, selection_totals(case, member))
    return totals


def force_totals(case: Case, force: ForceNode) -> Totals:
    """What a force costs with its selections, without the forces inside it."""
    totals = {cost.type_id: case.costs.of_force(force, cost.type_id) for cost in force_costs(case, force)}
    for member in force.members:
        add(totals, selection_totals(case, member))
    return totals


def force_costs(case: Case, force: ForceNode) -> tuple[Cost, ...]:
    """The costs that a force's entry declares."""
    known = case.ruleset.binding.cost_types
    return tuple(c for c in force.template.entry.costs if c.type_id in known) if force.template else ()


def roster_totals(case: Case) -> Totals:
    """What the whole roster costs, by every cost type declared in it."""
    totals: Totals = {}
    for force in case.roster.all_forces:
        for cost in force_costs(case, force):
            add(totals, {cost.type_id: case.costs.of_force(force, cost.type_id)})
    for node in case.roster.selections:
        for type_id in case.costs.types(node):
            totals[type_id] = totals.get(type_id, 0) + case.costs.unit(node, type_id) * node.total
    return totals


def add(totals: Totals, more: Totals) -> None:
    """Add `more` to `totals` in place."""
    for type_id, value in more.items():
        totals[type_id] = totals.get(type_id, 0) + value


def cost_lines(case: Case, totals: Totals, type_ids: Iterable[str] | None = None) -> tuple[CostTotal, ...]:
    """Totals as values, in the order of the data; of `type_ids` where given, of all in `totals` otherwise."""
    wanted = set(totals if type_ids is None else type_ids)
    known = case.ruleset.binding.cost_types
    limits = {limit.type_id: limit.value for limit in case.roster.document.limits if limit.value >= 0}
    lines = []
    for type_id in [*(t for t in known if t in wanted), *sorted(wanted - set(known))]:
        cost_type = known.get(type_id)
        lines.append(
            CostTotal(
                type_id=type_id,
                name=cost_type.name if cost_type else type_id,
                value=totals.get(type_id, 0),
                limit=limits.get(type_id),
                hidden=cost_type.hidden if cost_type else False,
            )
        )
    return tuple(lines)
