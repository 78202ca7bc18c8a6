"""Resolve conflicts between contents that a text names and automatic contents."""

from collections.abc import Callable, Container, Iterator
from itertools import chain, islice

from catalogue.definitions.entries import EntryType
from catalogue.definitions.rule_codes import RuleCode
from catalogue.graph.compiled_constraints import iterate_queries
from catalogue.graph.compiled_entry import CompiledOption
from catalogue.graph.ids import compose_id
from roster.engine import edits
from roster.engine.effects import HIDDEN
from roster.engine.nodes import ForceNode, SelectionNode
from roster.engine.report import PlaceKind, Violation
from roster.engine.tree import RosterTree
from roster.formats.text.names import make_key
from roster.services.evaluation import EvaluatedList

MOST_TRIED = 12
EXCLUDED = (RuleCode.HIDDEN, RuleCode.MAXIMUM)
"""Violations of these kinds concern surplus contents."""
Judge = Callable[[RosterTree], EvaluatedList]


def yield_to_named(evaluated_list: EvaluatedList, named: Container[str], judge: Judge) -> EvaluatedList:
    """Drop automatic contents that conflict with named ones, if that breaks fewer rules.

    Selections with `named` ids stay. Unnamed units with points and excluded contents are dropped, defaults are
    replaced, and hidden units get a setting.
    """
    lean = _drop_units(evaluated_list, named)
    if lean is not evaluated_list.tree:
        without = judge(lean)
        evaluated_list = without if len(without.report.errors) <= len(evaluated_list.report.errors) else evaluated_list
    for roster in islice(_list_ways(evaluated_list, named), MOST_TRIED):
        changed = judge(roster)
        if len(changed.report.errors) < len(evaluated_list.report.errors):
            return changed
    return evaluated_list


def _list_ways(evaluated_list: EvaluatedList, named: Container[str]) -> Iterator[RosterTree]:
    excluded = _drop_excluded(evaluated_list, named)
    if excluded is not evaluated_list.tree:
        yield excluded
    in_units = [
        one for one in evaluated_list.report.errors if one.code in EXCLUDED and one.on.kind is PlaceKind.SELECTION
    ]
    for violation in in_units:
        yield from _take_twin(evaluated_list, violation)
    for violation in in_units:
        yield from _move_excluded(evaluated_list, violation, named)
    for violation in in_units:
        yield from _show_unit(evaluated_list, violation)
    for violation in in_units:
        yield from _change_defaults(evaluated_list, violation, named)


def _drop_units(evaluated_list: EvaluatedList, named: Container[str]) -> RosterTree:
    roster = evaluated_list.tree
    for force in evaluated_list.evaluation.roster.all_forces:
        for unit in force.members:
            is_named = unit.written.id in named
            if (
                not is_named
                and evaluated_list.evaluation.costs.sum_selection(unit).get(evaluated_list.points_id, 0) > 0
            ):
                roster = _set_number(evaluated_list, roster, unit, 0)
    return roster


def _drop_excluded(evaluated_list: EvaluatedList, named: Container[str]) -> RosterTree:
    roster = evaluated_list.tree
    nodes = {node.written.id: node for node in evaluated_list.evaluation.roster.selections}
    for violation in evaluated_list.report.errors:
        if violation.code not in EXCLUDED:
            continue
        excess = int(violation.measured - violation.allowed)
        for place in reversed(violation.cause):
            node = nodes.get(place.id)
            if node is None or place.id in named or excess <= 0:
                continue
            dropped = min(excess, node.number)
            roster = _set_number(evaluated_list, roster, node, node.number - dropped)
            excess -= dropped
    return roster


def _take_twin(evaluated_list: EvaluatedList, violation: Violation) -> Iterator[RosterTree]:
    """Replace a hidden option by its namesake at the same place: a claw in another weapon group."""
    node = evaluated_list.evaluation.find_container(violation.on.id)
    if violation.code != RuleCode.HIDDEN or not isinstance(node, SelectionNode) or node.option is None:
        return
    place = node.container.option if isinstance(node.container, SelectionNode) else None
    for option in place.entry.contents.options if place else ():
        if option is not node.option and make_key(option.name) == make_key(node.option.name):
            yield from _select(
                evaluated_list,
                _set_number(evaluated_list, evaluated_list.tree, node, 0),
                node.container,
                option,
                node.number,
            )


def _move_excluded(evaluated_list: EvaluatedList, violation: Violation, named: Container[str]) -> Iterator[RosterTree]:
    node = evaluated_list.evaluation.find_container(violation.on.id)
    if not isinstance(node, SelectionNode) or node.option is None or node.written.id in named:
        return
    without = _set_number(evaluated_list, evaluated_list.tree, node, 0)
    for force in evaluated_list.evaluation.roster.all_forces:
        for unit in force.members:
            option = edits.find_option(unit, node.option.entry.target.id)
            if option is not None and unit is not node.container:
                yield from _select(evaluated_list, without, unit, option)


def _show_unit(evaluated_list: EvaluatedList, violation: Violation) -> Iterator[RosterTree]:
    """Add a setting that shows a hidden unit, such as units of older books."""
    node = evaluated_list.evaluation.find_container(violation.on.id)
    if not isinstance(node, SelectionNode) or node.option is None:
        return
    modifiers = chain.from_iterable(entry.modifiers.get(HIDDEN, ()) for entry in node.option.merged_entries)
    counted_ids = {query.child_id for modifier in modifiers for query in iterate_queries(modifier)}
    for force in evaluated_list.evaluation.roster.forces:
        settings = filter(_is_free, force.contents.options if force.contents else ())
        for setting in settings:
            if not counted_ids.isdisjoint(setting.keys):
                yield from _select(evaluated_list, evaluated_list.tree, force, setting)
            taken = next((member for member in force.members if member.option is setting), None)
            for option in setting.entry.contents.options if taken else ():
                if taken and _is_free(option) and not counted_ids.isdisjoint(option.keys):
                    yield from _select(evaluated_list, evaluated_list.tree, taken, option)


def _is_free(option: CompiledOption) -> bool:
    is_upgrade = option.entry.target.type is EntryType.UPGRADE and not any(option.entry.costs.values())
    return is_upgrade and not any(group.entry.constraints.minimums for group in option.groups)


def _change_defaults(
    evaluated_list: EvaluatedList, violation: Violation, named: Container[str]
) -> Iterator[RosterTree]:
    """Replace a unit's default, trying options of similar cost first."""
    unit = evaluated_list.evaluation.find_container(violation.on.id)
    while isinstance(unit, SelectionNode) and isinstance(unit.container, SelectionNode):
        unit = unit.container
    for node in unit.members if isinstance(unit, SelectionNode) else ():
        if node.option is None or node.option.group is None or node.written.id in named:
            continue
        cost = _get_cost(evaluated_list, node.option)
        others = [other for other in node.option.group.options if other is not node.option and not other.hidden]
        for other in sorted(others, key=lambda one: abs(_get_cost(evaluated_list, one) - cost)):
            without = _set_number(evaluated_list, evaluated_list.tree, node, 0)
            yield from _select(evaluated_list, without, node.container, other, node.number)


def _get_cost(evaluated_list: EvaluatedList, option: CompiledOption) -> float:
    return float(option.entry.costs.get(evaluated_list.points_id, 0))


def _set_number(evaluated_list: EvaluatedList, roster: RosterTree, node: SelectionNode, number: int) -> RosterTree:
    outcome = edits.set_number(evaluated_list.ruleset, roster, node.written.id, number)
    # Its container may already be gone.
    return roster if isinstance(outcome, edits.Refused) else outcome.roster


def _select(
    evaluated_list: EvaluatedList,
    roster: RosterTree,
    container: ForceNode | SelectionNode,
    option: CompiledOption,
    number: int = 1,
) -> Iterator[RosterTree]:
    place = container.document.id if container.document else ""
    for _ in range(number):
        outcome = edits.select(evaluated_list.ruleset, roster, place, compose_id(container.start, option))
        if isinstance(outcome, edits.Refused):
            return
        roster = outcome.roster
    yield roster
