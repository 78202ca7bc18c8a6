"""The choices inside an opened unit."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from catalogue.definitions.constraints import Severity
from catalogue.graph.ids import get_target_id, split_id
from roster.engine.attachments import list_associations, list_attachment_offers
from roster.engine.evaluation import Evaluation
from roster.engine.nodes import Container, SelectionNode
from roster.engine.offers import OfferedGroup, OfferedOption, Offers, list_offers
from roster.engine.report import EffectiveForce, EffectiveSelection, PlaceKind, Violation
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

    def is_needed(self, option: OfferedOption) -> bool:
        """Whether taking an option gives the list something that it lacks."""
        is_open = not option.number and option.blocked is None
        return is_open and not self.needed.isdisjoint((*split_id(option.entry_id), *option.category_ids))


def open_unit(judged: EvaluatedList, selection_id: str) -> OpenedUnit | None:
    """Return a selection with all its choices, however deep; None if the list has no such selection."""
    selection = _find_selection(judged.report.forces, selection_id)
    needed = frozenset(_list_lacking(judged.report.violations))
    context = _ChoiceContext(judged.evaluation, judged.points_id, needed)
    return _open_selection(context, selection) if selection else None


def _list_lacking(violations: Iterable[Violation]) -> Iterator[str]:
    """List the ids of what is missing from the list or a detachment; what a unit lacks is said at its options."""
    for violation in violations:
        is_missing = violation.mendable and violation.measured < violation.allowed
        if is_missing and violation.severity is Severity.ERROR and violation.on.kind is not PlaceKind.SELECTION:
            yield from map(get_target_id, violation.mended_by or (violation.counted_id,))


def _open_selection(context: _ChoiceContext, selection: EffectiveSelection) -> OpenedUnit:
    children = {child.id: child for child in selection.selections}
    # The engine says what one more of anything would break, without making the pick.
    offered = list_offers(context.evaluation, selection.id)
    return OpenedUnit(
        node_id=selection.id,
        name=selection.custom_name or selection.name,
        number=selection.number,
        items=_build_items(context, offered.items, children, selection.id, ()),
        strays=tuple(_list_strays(context, offered, selection)),
        attachments=tuple(_list_attachment_controls(context, selection)),
    )


def _list_attachment_controls(context: _ChoiceContext, selection: EffectiveSelection) -> Iterator[AttachmentControl]:
    """List what a selection may be attached to, or is; nothing where nothing is there for it."""
    for offer in list_attachment_offers(context.evaluation, selection.id):
        taken = {attachment.to.id: attachment.to.name for attachment in selection.attachments}
        taken = {node_id: name for node_id, name in taken.items() if node_id in offer.attached_to}
        fitting = {place.id: place.name for place in offer.choices}
        names = _number_names({**fitting, **taken})
        choices = tuple(
            AttachmentChoice(id=node_id, name=name, taken=node_id in offer.attached_to, fits=node_id in fitting)
            for node_id, name in names.items()
        )
        if choices:
            yield AttachmentControl(
                node_id=selection.id,
                association_id=offer.association_id,
                name=offer.name,
                most=offer.most,
                choices=choices,
            )


def _number_names(names: dict[str, str]) -> dict[str, str]:
    """Add numbers to those of one name, in their order."""
    total = Counter(names.values())
    used: Counter[str] = Counter()
    numbered = {}
    for node_id, name in names.items():
        used[name] += 1
        numbered[node_id] = f"{name} ({used[name]})" if total[name] > 1 else name
    return numbered


def _list_strays(context: _ChoiceContext, offered: Offers, selection: EffectiveSelection) -> Iterator[Stray]:
    taken = {selection_id for option in offered.options for selection_id in option.selection_ids}
    for child in selection.selections:
        if child.id not in taken:
            yield Stray(
                node_id=child.id,
                name=child.custom_name or child.name,
                number=child.number,
                points=get_cost_value(child.totals, context.type_id),
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
        if not item.hidden or _count_taken(item)
    )
    # A group in which everything is hidden has nothing to choose.
    return tuple(item for item in choices if isinstance(item, OptionChoice) or item.items)


def _count_taken(item: OfferedOption | OfferedGroup) -> int:
    return item.number if isinstance(item, OfferedOption) else int(item.count)


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
        needed=context.is_needed(option),
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
    for selection_id in option.selection_ids:
        if selection_id in children and _has_contents(context.evaluation, selection_id):
            opened = _open_selection(context, children[selection_id])
            if opened.items or opened.strays or opened.attachments:
                yield opened


def _has_contents(evaluation: Evaluation, selection_id: str) -> bool:
    """Return whether a selection has choices, or holds anything else."""
    container = evaluation.find_container(selection_id)
    if container is None or container.contents is None:
        return False
    return bool(container.contents.options or container.members or _may_be_attached(container))


def _may_be_attached(container: Container) -> bool:
    return isinstance(container, SelectionNode) and bool(list_associations(container))


def _choose_control(option: OfferedOption, group: OfferedGroup | None) -> Control:
    if group is not None and _is_one_of(group):
        return "radio"
    # Nothing to choose: as many as there have to be and may be.
    if option.max and option.min == option.max == option.number:
        return "fixed"
    # A maximum of 0 comes from a modifier that forbids the option now: it stays a tick, greyed out.
    at_most_one = option.max in (0, 1) or (group is not None and group.max in (0, 1))
    return "tick" if at_most_one and option.number <= 1 else "number"


def _find_selection(forces: tuple[EffectiveForce, ...], selection_id: str) -> EffectiveSelection | None:
    for force in forces:
        for inner in force.walk_forces():
            for unit in inner.selections:
                for selection in unit.walk():
                    if selection.id == selection_id:
                        return selection
    return None
