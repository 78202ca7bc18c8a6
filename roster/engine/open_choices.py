"""Open choices of a detachment that no rule requires, such as a battle formation."""

from collections.abc import Iterator

from catalogue.definitions.entries import EntryType
from catalogue.definitions.queries import Bound
from catalogue.graph.compiled_entry import CompiledGroup
from roster.engine.checks import Check, measure_check
from roster.engine.evaluation import Evaluation
from roster.engine.nodes import GroupNode, SelectionNode
from roster.engine.report import Location
from roster.engine.violation_location import locate_selection


def list_open_choices(evaluation: Evaluation) -> tuple[Location, ...]:
    """List detachments' settings with a free option but no choice.

    A setting is a selection directly in a force that costs nothing and is not a unit. Missing required choices are
    violations.
    """
    return tuple(
        locate_selection(evaluation, setting)
        for force in evaluation.roster.all_forces
        for setting in force.members
        if _is_setting(evaluation, setting) and _is_open(evaluation, setting)
    )


def _is_setting(evaluation: Evaluation, node: SelectionNode) -> bool:
    for part in node.walk():
        # An unknown entry might be a unit.
        if part.option is None or part.option.entry.target.type is not EntryType.UPGRADE:
            return False
        if any(evaluation.costs.get_unit_costs(part).values()):
            return False
    return not evaluation.values.is_hidden(node)


def _is_open(evaluation: Evaluation, setting: SelectionNode) -> bool:
    if setting.contents is None or any(member.option and member.option.group for member in setting.members):
        return False
    outermost = (group for group in setting.contents.groups if len(group.groups) == 1)
    return any(_is_free(evaluation, setting, group) for group in outermost)


def _is_free(evaluation: Evaluation, setting: SelectionNode, group: CompiledGroup) -> bool:
    node = evaluation.values.get_group(group, setting)
    if evaluation.values.is_group_hidden(node) or _is_required(evaluation, node):
        return False
    return any(_costs_nothing(evaluation, option) for option in _list_options_with_room(evaluation, setting, group))


def _is_required(evaluation: Evaluation, group: GroupNode) -> bool:
    checks = (measure_check(evaluation, Check(compiled, group)) for compiled in group.group.entry.constraints.minimums)
    return any(check.allowed > 0 for check in checks if check)


def _list_options_with_room(
    evaluation: Evaluation, setting: SelectionNode, group: CompiledGroup
) -> Iterator[SelectionNode]:
    for option in group.options:
        node = evaluation.preview_selection(setting, option)
        if not evaluation.is_open(setting, option) or evaluation.values.is_hidden(node):
            continue
        places = [Check(compiled, node) for compiled in option.entry.constraints.by_bound.get(Bound.MAX, ())]
        for outer in option.groups:
            around = evaluation.values.get_group(outer, setting)
            places += [Check(compiled, around) for compiled in outer.entry.constraints.by_bound.get(Bound.MAX, ())]
        measured = (measure_check(evaluation, place) for place in places)
        if all(check.measured < check.allowed for check in measured if check):
            yield node


def _costs_nothing(evaluation: Evaluation, node: SelectionNode) -> bool:
    return all(cost <= 0 for cost in evaluation.costs.get_unit_costs(node).values())
