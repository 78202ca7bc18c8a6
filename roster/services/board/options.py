from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from catalogue.definitions.constraints import Severity
from catalogue.graph.ids import get_target_id, split_id
from roster.engine.attachments import list_associations, list_attachment_offers
from roster.engine.evaluation import Evaluation
from roster.engine.nodes import SelectionNode
from roster.engine.offers import OfferedGroup, OfferedOption, list_offers
from roster.engine.report import EffectiveSelection, PlaceKind
from roster.engine.stacks import Keys, group_equal, index_equal
from roster.engine.tree import copy_with, list_selections
from roster.services.board.shapes import (
    AttachmentChoice,
    AttachmentControl,
    ChoiceGroup,
    Control,
    NumberControl,
    OpenedUnit,
    OptionChoice,
    Stray,
    list_other_costs,
)
from roster.services.evaluation import EvaluatedList, get_cost_value

_Items = tuple[OfferedOption | OfferedGroup, ...]
_Around = tuple[OfferedGroup, ...]
"""Groups around an option, outermost first."""


@dataclass(frozen=True, slots=True)
class _ChoiceContext:
    """`needed` are entry ids that the list or a detachment lacks, `sizes` are of opened stacks by selection id."""

    evaluation: Evaluation
    type_id: str
    needed: frozenset[str]
    keys: Keys
    numbers: Mapping[str, int]
    sizes: dict[str, int] = field(default_factory=dict)


def open_unit(evaluated_list: EvaluatedList, selection_id: str, apart: str = "") -> OpenedUnit | None:
    """Open a selection with all its choices. Equal selections inside are shown as one, except `apart`."""
    units = (unit for force in evaluated_list.report.walk_forces() for unit in force.selections)
    selection = next((node for unit in units for node in unit.walk() if node.id == selection_id), None)
    if selection is None:
        return None
    needed: set[str] = set()
    for violation in evaluated_list.report.violations:
        is_missing = violation.mendable and violation.measured < violation.allowed
        # The options of a unit show what it lacks.
        if is_missing and violation.severity is Severity.ERROR and violation.on.kind is not PlaceKind.SELECTION:
            needed.update(map(get_target_id, violation.mended_by or (violation.counted_id,)))
    context = _ChoiceContext(
        evaluated_list.evaluation,
        evaluated_list.points_id,
        frozenset(needed),
        index_equal(evaluated_list.tree, apart),
        {selection.id: selection.number for selection in list_selections(evaluated_list.tree)},
    )
    return _open_selection(context, selection, selection.number, is_stack=False)


def _open_selection(
    context: _ChoiceContext, selection: EffectiveSelection, number: int, *, is_stack: bool
) -> OpenedUnit:
    children = {child.id: child for child in selection.selections}
    # The engine predicts what one more of anything would break, without making the pick.
    offered = list_offers(context.evaluation, selection.id, context.sizes)
    taken = {selection_id for option in offered.options for selection_id in option.selection_ids}
    strays = []
    for stack in group_equal((child for child in selection.selections if child.id not in taken), context.keys):
        points = [get_cost_value(child.totals, context.type_id) for child in stack]
        stray = Stray(
            node_id=stack[0].id,
            name=stack[0].custom_name or stack[0].name,
            number=sum(child.number for child in stack),
            points=sum(point or 0 for point in points) if any(point is not None for point in points) else None,
            is_stack=is_stack or len(stack) > 1,
        )
        strays.append(stray)
    return OpenedUnit(
        node_id=selection.id,
        name=selection.custom_name or selection.name,
        number=number,
        items=_build_items(context, offered.items, children, selection.id, (), is_stack=is_stack),
        strays=tuple(strays),
        attachments=tuple(_list_attachment_controls(context, selection)),
    )


def _list_attachment_controls(context: _ChoiceContext, selection: EffectiveSelection) -> Iterator[AttachmentControl]:
    for offer in list_attachment_offers(context.evaluation, selection.id):
        names = {place.id: place.name for place in offer.choices}
        fitting = frozenset(names)
        names |= {
            attachment.to.id: attachment.to.name
            for attachment in selection.attachments
            if attachment.to.id in offer.attached_to
        }
        total, used = Counter(names.values()), Counter[str]()
        choices = []
        for node_id, name in names.items():
            used[name] += 1
            choice = AttachmentChoice(
                id=node_id,
                name=f"{name} ({used[name]})" if total[name] > 1 else name,
                taken=node_id in offer.attached_to,
                fits=node_id in fitting,
            )
            choices.append(choice)
        if choices:
            yield AttachmentControl(
                node_id=selection.id,
                association_id=offer.association_id,
                name=offer.name,
                most=offer.most,
                choices=tuple(choices),
            )


def _build_items(
    context: _ChoiceContext,
    items: _Items,
    children: dict[str, EffectiveSelection],
    node_id: str,
    around: _Around,
    *,
    is_stack: bool,
) -> tuple[OptionChoice | ChoiceGroup, ...]:
    choices = (
        _build_choice(context, item, children, node_id, around, is_stack=is_stack)
        if isinstance(item, OfferedOption)
        else _build_group(context, item, children, node_id, around, is_stack=is_stack)
        for item in items
        # A hidden option that is taken breaks a rule and can be removed here.
        if not item.hidden or (item.number if isinstance(item, OfferedOption) else int(item.count))
    )
    return tuple(item for item in choices if isinstance(item, OptionChoice) or item.items)


def _build_group(
    context: _ChoiceContext,
    group: OfferedGroup,
    children: dict[str, EffectiveSelection],
    node_id: str,
    around: _Around,
    *,
    is_stack: bool,
) -> ChoiceGroup:
    return ChoiceGroup(
        node_id=node_id,
        group_id=group.group_id,
        name=group.name,
        count=group.count,
        min=group.min,
        max=group.max,
        one_of=_is_one_of(group),
        none=_is_one_of(group) and group.min <= 0,
        flat=group.flat,
        foldable=group.foldable,
        note=group.note,
        is_stack=is_stack,
        items=_build_items(context, group.items, children, node_id, (*around, group), is_stack=is_stack),
        citation=group.citation,
    )


def _is_one_of(group: OfferedGroup) -> bool:
    # Radio buttons in a nested group could not exclude the options around them.
    return group.max == 1 and len(group.items) > 1 and all(isinstance(i, OfferedOption) for i in group.items)


def _build_choice(
    context: _ChoiceContext,
    option: OfferedOption,
    children: dict[str, EffectiveSelection],
    node_id: str,
    around: _Around,
    *,
    is_stack: bool,
) -> OptionChoice:
    group = around[-1] if around else None
    control = _choose_control(option, group)
    is_open = not option.number and option.blocked is None
    is_needed = is_open and not context.needed.isdisjoint((*split_id(option.entry_id), *option.category_ids))
    return OptionChoice(
        node_id=node_id,
        entry_id=option.entry_id,
        name=option.name,
        control=control,
        points=get_cost_value(option.costs, context.type_id),
        costs=tuple(cost for cost in option.costs if not cost.hidden),
        other_costs=list_other_costs(option.costs, context.type_id),
        number=option.number,
        min=option.min,
        max=option.max,
        step=option.step,
        group_id=group.group_id if group else "",
        note=option.note,
        blocked=None if _can_replace_current(option, around) else option.blocked,
        needed=is_needed,
        is_stack=is_stack,
        inside=tuple(_open_taken(context, option, control, children, is_stack=is_stack)),
        citation=option.citation,
    )


def _can_replace_current(option: OfferedOption, around: _Around) -> bool:
    blocked = option.blocked
    if blocked is None or not around or not _is_one_of(around[-1]):
        return False
    # The violation names the group by its own id, the offer by its composite id.
    groups = {get_target_id(group.group_id) for group in around}
    return blocked.counted_id in groups and blocked.measured - around[-1].count <= blocked.allowed


def _open_taken(
    context: _ChoiceContext,
    option: OfferedOption,
    control: Control,
    children: dict[str, EffectiveSelection],
    *,
    is_stack: bool,
) -> Iterator[OpenedUnit]:
    taken = [children[selection_id] for selection_id in option.selection_ids if selection_id in children]
    for stack in group_equal(taken, context.keys):
        first = stack[0]
        node = context.evaluation.find_container(first.id)
        if not isinstance(node, SelectionNode) or node.option is None or node.contents is None:
            continue
        if not (node.contents.options or node.members or list_associations(context.evaluation.ruleset, node)):
            continue
        number = sum(context.numbers[selection.id] for selection in stack)
        # The engine already counts the number of the first selection.
        context.sizes[first.id] = max(1, number // node.number)
        opened = _open_selection(context, first, number, is_stack=is_stack or len(stack) > 1)
        if not (opened.items or opened.strays or opened.attachments):
            continue

        counter = None
        if control == "number":
            counter = NumberControl(
                node_id=first.id,
                entry_id="",
                name=opened.name,
                number=number,
                step=option.step,
                max=None if option.max is None else option.max - option.number + number,
                is_full=option.blocked is not None,
                is_stack=True,
            )
        # Selections inside a stack are split together with their parent.
        can_split = number > 1 and not is_stack and any(map(_has_choices, opened.items))
        yield copy_with(opened, counter=counter, can_split=can_split)


def _has_choices(item: OptionChoice | ChoiceGroup) -> bool:
    if isinstance(item, ChoiceGroup):
        return any(map(_has_choices, item.items))
    return item.control != "fixed" or any(_has_choices(inner) for opened in item.inside for inner in opened.items)


def _choose_control(option: OfferedOption, group: OfferedGroup | None) -> Control:
    if group is not None and _is_one_of(group):
        return "radio"
    if option.max and option.min == option.max == option.number:
        return "fixed"
    # A maximum of 0 comes from a modifier: show a disabled tick.
    at_most_one = option.max in (0, 1) or (group is not None and group.max in (0, 1))
    return "tick" if at_most_one and option.number <= 1 else "number"
