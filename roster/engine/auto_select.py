"""What comes along by itself: required entries and the defaults of required groups."""

from math import ceil

from catalogue.graph.compiled_entry import MAX_AUTOMATIC, CompiledEntry, CompiledOption, ContainerOptions
from catalogue.graph.ids import compose_id
from roster.engine.checks import Check, is_suppressed, measure_check
from roster.engine.evaluation import Evaluation
from roster.engine.nodes import ForceNode, GroupNode, SelectionNode


def is_instanced(entry: CompiledEntry) -> bool:
    """Return whether each one taken is a selection of its own.

    So it is for entries with a visible descendant that is not collective: each one can then be equipped differently;
    for those that stand for things that their owner names; and for those that the data keeps apart.
    """
    if entry.instanced is None:
        target = entry.target
        entry.instanced = target.apart or target.copies is not None or _has_individual_choice(entry)
    return entry.instanced


def _has_individual_choice(entry: CompiledEntry) -> bool:
    seen = {id(entry)}
    pending = [entry]
    for outer in pending:
        for option in outer.contents.options:
            inner = option.entry
            if option.hidden:
                continue
            if not inner.collective:
                return True
            if id(inner) not in seen:
                seen.add(id(inner))
                pending.append(inner)
    return False


def list_root_minimums(evaluation: Evaluation, force: ForceNode) -> list[tuple[CompiledOption, int]]:
    """List the root entries that a new force comes with, and how many of each.

    The declared minimum counts even where a modifier lowers it, because data is written that way; entries that a
    modifier hides stay out, those hidden by declaration do not.
    """
    wanted: list[tuple[CompiledOption, int]] = []
    for option in force.contents.automatic_options if force.contents else ():
        node = evaluation.preview_selection(force, option)
        hidden = not option.entry.hidden and evaluation.values.is_hidden(node)
        if evaluation.is_open(force, option) and not hidden:
            asked = max(_count_missing(evaluation, node, declared=True), option.entry.default_amount)
            wanted.append((option, _cap_by_maximums(evaluation, node, asked)))
    return [(option, number) for option, number in wanted if number > 0]


def fill_selection(evaluation: Evaluation, selection: SelectionNode) -> None:
    """Give a fresh selection its required entries and defaults, level by level.

    A minimum is met whatever maximums say: one unit's duty does not end where another has used up what all may have.
    Defaults and declared amounts stop at their own maximum.
    """
    budget = MAX_AUTOMATIC
    pending = [selection]
    for container in pending:
        contents = container.contents
        if contents is None or budget < 0:
            return
        picks = contents.fixed_picks
        if picks is None:
            _fill_by_need(evaluation, container, contents)
        else:
            for option, number in picks:
                if evaluation.is_open(container, option):
                    _add_option(container, option, number)
            evaluation.queries.forget(container)
        budget -= len(container.members)
        pending.extend(container.members)


def _fill_by_need(evaluation: Evaluation, container: SelectionNode, contents: ContainerOptions) -> None:
    for option in contents.automatic_options:
        node = evaluation.preview_selection(container, option)
        amount = _cap_by_maximums(evaluation, node, option.entry.default_amount)
        _put_option(evaluation, container, node, max(_count_missing(evaluation, node), amount))
    for group, option in contents.default_choices:
        node = evaluation.preview_selection(container, option)
        missing = _count_missing_in_group(evaluation, GroupNode(group, container))
        _put_option(evaluation, container, node, _cap_by_maximums(evaluation, node, missing))


def _put_option(
    evaluation: Evaluation, container: SelectionNode, prospect: SelectionNode, wanted: int
) -> None:
    """Add so many of an option, if it may stand here at all."""
    option = prospect.option
    if (
        option is None
        or wanted < 1
        or not evaluation.is_open(container, option)
        or evaluation.values.is_hidden(prospect)
    ):
        return
    _add_option(container, option, min(wanted, MAX_AUTOMATIC))
    evaluation.queries.forget(container)


def _add_option(container: SelectionNode, option: CompiledOption, number: int) -> None:
    """Add a number of an option: as so many selections, or as one with that number."""
    entry_id = compose_id(container.start, option)
    same = next((m for m in container.members if m.option is option), None)
    if is_instanced(option.entry):
        container.members.extend(SelectionNode(container, option, entry_id) for _ in range(number))
    elif same:
        same.number += max(0, number)
    elif number > 0:
        container.members.append(SelectionNode(container, option, entry_id, number))


def _count_missing(evaluation: Evaluation, node: SelectionNode, *, declared: bool = False) -> int:
    """Return how many of an entry are missing where `node` would stand.

    With `declared`, by the unchanged minimum if that asks for more.
    """
    missing = 0
    for compiled in node.option.entry.constraints.minimums if node.option else ():
        check = measure_check(evaluation, Check(compiled, node))
        if check:
            asked = max(check.allowed, compiled.constraint.value) if declared else check.allowed
            missing = max(missing, ceil(asked - check.measured))
    return missing


def _count_missing_in_group(evaluation: Evaluation, node: GroupNode) -> int:
    missing = 0
    for compiled in node.group.entry.constraints.minimums:
        check = Check(compiled, node)
        measured = measure_check(evaluation, check)
        if measured and measured.measured < measured.allowed and not is_suppressed(evaluation, check):
            missing = max(missing, ceil(measured.allowed - measured.measured))
    return missing


def _cap_by_maximums(evaluation: Evaluation, node: SelectionNode, wanted: int) -> int:
    """Return `wanted`, or as many as the entry's own maximums allow more of where `node` would stand."""
    for compiled in node.option.entry.constraints.maximums if node.option and wanted > 0 else ():
        check = measure_check(evaluation, Check(compiled, node))
        if check:
            wanted = min(wanted, int(check.allowed - check.measured))
    return min(wanted, MAX_AUTOMATIC)
