"""The choices inside an opened unit."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from catalogue.definitions.constraints import Severity
from catalogue.graph.ids import get_target_id, split_id
from roster.engine.attachments import list_associations, list_attachment_offers
from roster.engine.evaluation import Evaluation
from roster.engine.nodes import SelectionNode
from roster.engine.offers import OfferedGroup, OfferedOption, list_offers
from roster.engine.report import EffectiveSelection, PlaceKind
from roster.services.board.shapes import (
    AttachmentChoice,
    AttachmentControl,
    ChoiceGroup,
    Control,
    OpenedUnit,
    OptionChoice,
    Stray,
)
from roster.services.evaluation import EvaluatedList, get_cost_value

_Items = tuple[OfferedOption | OfferedGroup, ...]
_Around = tuple[OfferedGroup, ...]
"""The groups that something is in, outermost first."""


@dataclass(frozen=True, slots=True)
class _ChoiceContext:
    """What choices are made with. `evaluation` tells what has choices at all, without working them out.

    `needed` are the ids of what the list as a whole, or one of its detachments, still lacks.
    """

    evaluation: Evaluation
    type_id: str
    needed: frozenset[str]


def open_unit(judged: EvaluatedList, selection_id: str) -> OpenedUnit | None:
    """Return a selection with all its choices, however deep; None if the list has no such selection."""
    units = (unit for force in judged.report.walk_forces() for unit in force.selections)
    selection = next((node for unit in units for node in unit.walk() if node.id == selection_id), None)
    if selection is None:
        return None
    needed: set[str] = set()
    for violation in judged.report.violations:
        is_missing = violation.mendable and violation.measured < violation.allowed
        # What a unit lacks is said at its options.
        if is_missing and violation.severity is Severity.ERROR and violation.on.kind is not PlaceKind.SELECTION:
            needed.update(map(get_target_id, violation.mended_by or (violation.counted_id,)))
    return _open_selection(_ChoiceContext(judged.evaluation, judged.points_id, frozenset(needed)), selection)


def _open_selection(context: _ChoiceContext, selection: EffectiveSelection) -> OpenedUnit:
    children = {child.id: child for child in selection.selections}
    # The engine says what one more of anything would break, without making the pick.
    offered = list_offers(context.evaluation, selection.id)
    taken = {selection_id for option in offered.options for selection_id in option.selection_ids}
    strays = (
        Stray(
            node_id=child.id,
            name=child.custom_name or child.name,
            number=child.number,
            points=get_cost_value(child.totals, context.type_id),
        )
        for child in selection.selections
        if child.id not in taken
    )
    return OpenedUnit(
        node_id=selection.id,
        name=selection.custom_name or selection.name,
        number=selection.number,
        items=_build_items(context, offered.items, children, selection.id, ()),
        strays=tuple(strays),
        attachments=tuple(_list_attachment_controls(context, selection)),
    )


def _list_attachment_controls(context: _ChoiceContext, selection: EffectiveSelection) -> Iterator[AttachmentControl]:
    """List what a selection may be attached to, or is; nothing if there is nothing to be attached to."""
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
    context: _ChoiceContext, items: _Items, children: dict[str, EffectiveSelection], node_id: str, around: _Around
) -> tuple[OptionChoice | ChoiceGroup, ...]:
    """Build choices and groups, without hidden ones and without groups that offer nothing."""
    choices = (
        _build_choice(context, item, children, node_id, around)
        if isinstance(item, OfferedOption)
        else _build_group(context, item, children, node_id, around)
        for item in items
        # What was taken stays in view though it is hidden by now: a rule says so, and here it is taken out.
        if not item.hidden or (item.number if isinstance(item, OfferedOption) else int(item.count))
    )
    # A group in which everything is hidden has nothing to choose.
    return tuple(item for item in choices if isinstance(item, OptionChoice) or item.items)


def _build_group(
    context: _ChoiceContext, group: OfferedGroup, children: dict[str, EffectiveSelection], node_id: str, around: _Around
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
        items=_build_items(context, group.items, children, node_id, (*around, group)),
        citation=group.citation,
    )


def _is_one_of(group: OfferedGroup) -> bool:
    """Return whether the group is shown as radio buttons: at most one of several, none in a group of its own."""
    # With a group inside, one of its options is not beside the others.
    return group.max == 1 and len(group.items) > 1 and all(isinstance(i, OfferedOption) for i in group.items)


def _build_choice(
    context: _ChoiceContext,
    option: OfferedOption,
    children: dict[str, EffectiveSelection],
    node_id: str,
    around: _Around,
) -> OptionChoice:
    group = around[-1] if around else None
    # Whether taking it gives the list something that it lacks.
    is_open = not option.number and option.blocked is None
    is_needed = is_open and not context.needed.isdisjoint((*split_id(option.entry_id), *option.category_ids))
    return OptionChoice(
        node_id=node_id,
        entry_id=option.entry_id,
        name=option.name,
        control=_choose_control(option, group),
        points=get_cost_value(option.costs, context.type_id),
        costs=tuple(cost for cost in option.costs if not cost.hidden),
        number=option.number,
        min=option.min,
        max=option.max,
        step=option.step,
        group_id=group.group_id if group else "",
        note=option.note,
        blocked=None if _can_replace_current(option, around) else option.blocked,
        needed=is_needed,
        inside=tuple(_open_taken(context, option, children)),
        citation=option.citation,
    )


def _can_replace_current(option: OfferedOption, around: _Around) -> bool:
    """Return whether a radio button can take the place of what is chosen now."""
    blocked = option.blocked
    if blocked is None or not around or not _is_one_of(around[-1]):
        return False
    # The violation names the group by its own id, the offer by the path to it.
    groups = {get_target_id(group.group_id) for group in around}
    return blocked.counted_id in groups and blocked.measured - around[-1].count <= blocked.allowed


def _open_taken(
    context: _ChoiceContext, option: OfferedOption, children: dict[str, EffectiveSelection]
) -> Iterator[OpenedUnit]:
    """Open what was taken of an option and has choices, holds anything, or can be attached to something."""
    ruleset = context.evaluation.ruleset
    for selection_id in option.selection_ids:
        container = context.evaluation.find_container(selection_id) if selection_id in children else None
        if container is None or container.contents is None:
            continue
        has_contents = bool(container.contents.options or container.members)
        if has_contents or (isinstance(container, SelectionNode) and list_associations(ruleset, container)):
            opened = _open_selection(context, children[selection_id])
            if opened.items or opened.strays or opened.attachments:
                yield opened


def _choose_control(option: OfferedOption, group: OfferedGroup | None) -> Control:
    if group is not None and _is_one_of(group):
        return "radio"
    # Nothing to choose: as many as there have to be and may be.
    if option.max and option.min == option.max == option.number:
        return "fixed"
    # A maximum of 0 comes from a modifier that forbids the option now: it stays a tick, greyed out.
    at_most_one = option.max in (0, 1) or (group is not None and group.max in (0, 1))
    return "tick" if at_most_one and option.number <= 1 else "number"
