"""The choices inside an opened unit."""

from collections.abc import Iterator
from dataclasses import dataclass

from catalogue.graph.ids import SEPARATOR
from roster.engine.evaluation import Evaluation
from roster.engine.offers import OfferedGroup, OfferedOption, Offers, offers
from roster.engine.report import EffectiveForce, EffectiveSelection
from roster.services.board.shapes import Choice, ChoiceGroup, Control, Opened, Stray
from roster.services.evaluation import EvaluatedList, get_cost_value

_Items = tuple[OfferedOption | OfferedGroup, ...]
_Around = tuple[OfferedGroup, ...]
"""The groups that something is in, outermost first."""


@dataclass(frozen=True, slots=True)
class _Opener:
    """What choices are made with. `evaluation` tells what has choices at all, without working them out."""

    evaluation: Evaluation
    type_id: str


def opened_unit(judged: EvaluatedList, selection_id: str) -> Opened | None:
    """A selection with everything that can be chosen in it, however deep; None where the list has no such selection."""
    selection = _find(judged.report.forces, selection_id)
    opener = _Opener(judged.evaluation, judged.points.type_id if judged.points else "")
    return _open(opener, selection) if selection else None


def _open(opener: _Opener, selection: EffectiveSelection) -> Opened:
    children = {child.id: child for child in selection.selections}
    offered = offers(opener.evaluation, selection.id)
    return Opened(
        node_id=selection.id,
        name=selection.custom_name or selection.name,
        number=selection.number,
        items=_items(opener, offered.items, children, selection.id, ()),
        strays=tuple(_strays(opener, offered, selection)),
        profiles=selection.profiles,
        rules=selection.rules,
    )


def _strays(opener: _Opener, offered: Offers, selection: EffectiveSelection) -> Iterator[Stray]:
    taken = {selection_id for option in offered.options for selection_id in option.selection_ids}
    for child in selection.selections:
        if child.id not in taken:
            yield Stray(
                node_id=child.id,
                name=child.custom_name or child.name,
                number=child.number,
                points=get_cost_value(child.totals, opener.type_id),
            )


def _items(
    opener: _Opener,
    items: _Items,
    children: dict[str, EffectiveSelection],
    node_id: str,
    around: _Around,
) -> tuple[Choice | ChoiceGroup, ...]:
    """Choices and groups of them, without the hidden ones and the groups in which there is nothing to choose."""
    made = (
        _choice(opener, item, children, node_id, around)
        if isinstance(item, OfferedOption)
        else _group(opener, item, children, node_id, around)
        for item in items
        if not item.hidden or _count(item)
    )
    return tuple(item for item in made if isinstance(item, Choice) or item.items)


def _count(item: OfferedOption | OfferedGroup) -> int:
    return item.number if isinstance(item, OfferedOption) else int(item.count)


def _group(
    opener: _Opener,
    group: OfferedGroup,
    children: dict[str, EffectiveSelection],
    node_id: str,
    around: _Around,
) -> ChoiceGroup:
    return ChoiceGroup(
        node_id=node_id,
        group_id=group.group_id,
        name=group.name,
        count=group.count,
        min=group.min,
        max=group.max,
        one_of=_one_of(group),
        none=_one_of(group) and group.min <= 0,
        note=group.note,
        items=_items(opener, group.items, children, node_id, (*around, group)),
        citation=group.citation,
    )


def _one_of(group: OfferedGroup) -> bool:
    """Whether the group is a matter of radio buttons: at most one, of several, none of them in a group of its own."""
    return group.max == 1 and len(group.items) > 1 and all(isinstance(i, OfferedOption) for i in group.items)


def _choice(
    opener: _Opener,
    option: OfferedOption,
    children: dict[str, EffectiveSelection],
    node_id: str,
    around: _Around,
) -> Choice:
    group = around[-1] if around else None
    return Choice(
        node_id=node_id,
        entry_id=option.entry_id,
        name=option.name,
        control=_control(option, group),
        points=get_cost_value(option.costs, opener.type_id),
        costs=tuple(cost for cost in option.costs if not cost.hidden),
        number=option.number,
        min=option.min,
        max=option.max,
        group_id=group.group_id if group else "",
        note=option.note,
        blocked=None if _gives_way(option, around) else option.blocked,
        inside=tuple(_inside(opener, option, children)),
        citation=option.citation,
    )


def _gives_way(option: OfferedOption, around: _Around) -> bool:
    """Whether what is chosen now makes room for a radio button: it is all that the groups around both are full of."""
    blocked = option.blocked
    if blocked is None or not around or not _one_of(around[-1]):
        return False
    groups = {group.group_id.rpartition(SEPARATOR)[2] for group in around}
    return blocked.counted_id in groups and blocked.measured - around[-1].count <= blocked.allowed


def _inside(opener: _Opener, option: OfferedOption, children: dict[str, EffectiveSelection]) -> list[Opened]:
    taken = [children[i] for i in option.selection_ids if i in children and _holds_any(opener.evaluation, i)]
    found = (_open(opener, selection) for selection in taken)
    return [opened for opened in found if opened.items or opened.strays]


def _holds_any(evaluation: Evaluation, selection_id: str) -> bool:
    """Whether a selection has choices, or holds anything that is none of them."""
    container = evaluation.container(selection_id)
    if container is None or container.layout is None:
        return False
    return bool(container.layout.options or container.members)


def _control(option: OfferedOption, group: OfferedGroup | None) -> Control:
    if group is not None and _one_of(group):
        return "radio"
    if option.max and option.min == option.max == option.number:
        return "fixed"
    at_most_one = option.max in (0, 1) or (group is not None and group.max in (0, 1))
    return "tick" if at_most_one and option.number <= 1 else "number"


def _find(forces: tuple[EffectiveForce, ...], selection_id: str) -> EffectiveSelection | None:
    stack: list[EffectiveForce | EffectiveSelection] = list(forces)
    while stack:
        node = stack.pop()
        if node.id == selection_id and isinstance(node, EffectiveSelection):
            return node
        stack.extend(node.selections)
        if isinstance(node, EffectiveForce):
            stack.extend(node.forces)
    return None
