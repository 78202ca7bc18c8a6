"""Stacks: equal selections inside one selection, which players count together, such as "10 x Warrior".

Each keeps its own id, because it could be equipped differently later. Equal selections have the same entry, group and
contents in any order, without names, notes or attachments. Units are never stacked.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Protocol, TypeVar

from catalogue.graph.ruleset import Ruleset
from roster.engine.edits import MOST, EditedRoster, Refused, claim_pick, drop_hidden_picks, set_number
from roster.engine.evaluation import Evaluation
from roster.engine.new_selections import IdSource, copy_selection, generate_id
from roster.engine.nodes import SelectionNode
from roster.engine.tree import (
    Force,
    Path,
    RosterTree,
    Selection,
    copy_with,
    find_path,
    get_children,
    list_selections,
    prune_attachments,
    prune_to_path,
    replace_node,
)

MAX_SEPARATE = 100
"""The most selections that one change may add, in case of typing errors."""
Keys = Mapping[str, Hashable]
"""By selection id. Equal selections have equal keys."""


class _HasId(Protocol):
    @property
    def id(self) -> str: ...


Item = TypeVar("Item", bound=_HasId)


def index_equal(roster: RosterTree, apart: str = "") -> Keys:
    """Treat the selection `apart` as equal to no other."""
    bound = {attachment.to_id for selection in list_selections(roster) for attachment in selection.attachments}
    bound.add(apart)
    numbers: dict[Hashable, int] = {}
    keys: dict[str, int] = {}

    def add_key(selection: Selection) -> int:
        inside = Counter[int]()
        for inner in selection.selections:
            inside[add_key(inner)] += inner.number
        is_single = selection.custom_name or selection.notes or selection.attachments or selection.id in bound
        single_id = selection.id if is_single else ""
        content = selection.entry_id, selection.group_id, frozenset(inside.items()), single_id
        # Numbers are cheaper to compare than nested contents.
        keys[selection.id] = numbers.setdefault(content, len(numbers))
        return keys[selection.id]

    forces = list(roster.forces)
    for force in forces:  # grows during the loop
        forces.extend(force.forces)
        for unit in force.selections:
            add_key(unit)
    return keys


def group_equal(items: Iterable[Item], keys: Keys) -> list[tuple[Item, ...]]:
    stacks: dict[Hashable, list[Item]] = {}
    for item in items:
        stacks.setdefault(keys[item.id], []).append(item)
    return [tuple(stack) for stack in stacks.values()]


def list_equal_places(roster: RosterTree, selection_id: str, keys: Keys) -> tuple[str, ...]:
    """List ids of equal selections inside equal parents in one unit, `selection_id` first."""
    path = [node for node in find_path(roster, selection_id) if isinstance(node, Selection)]
    places = path[:1]
    for node in path[1:]:
        places = [child for place in places for child in place.selections if keys[child.id] == keys[node.id]]
    ids = [place.id for place in places]
    return tuple(dict.fromkeys((selection_id, *ids))) if ids else ()


def repeat_edit(
    before: RosterTree,
    edited: EditedRoster,
    selection_id: str,
    places: Sequence[str],
    keys: Keys,
    ids: IdSource = generate_id,
) -> EditedRoster:
    """Repeat an edit of a selection's contents in all selections equal to it by the keys of `before`.

    Copying the result is much faster than repeating the edit. Unchanged contents keep their ids.
    """
    old, new = find_path(before, selection_id), find_path(edited.roster, selection_id)
    if not old or not new or not isinstance(old[-1], Selection) or not isinstance(new[-1], Selection):
        return edited
    roster = edited.roster
    for place in places:
        path = find_path(roster, place) if place != selection_id else ()
        if path and isinstance(path[-1], Selection):
            roster = replace_node(path, _repeat_inside(old[-1], new[-1], path[-1], keys, ids))
    return copy_with(edited, roster=roster)


def _repeat_inside(old: Selection, new: Selection, other: Selection, keys: Keys, ids: IdSource) -> Selection:
    waiting: dict[Hashable, list[Selection]] = {}
    for inner in other.selections:
        waiting.setdefault((keys[inner.id], inner.number), []).append(inner)
    pairs: dict[str, tuple[Selection, Selection]] = {}
    for inner in old.selections:
        partners = waiting.get((keys[inner.id], inner.number))
        if partners:
            pairs[inner.id] = inner, partners.pop(0)
    inside = []
    for inner in new.selections:
        if inner.id in pairs:
            was, partner = pairs[inner.id]
            inside.append(copy_with(_repeat_inside(was, inner, partner, keys, ids), number=inner.number))
        else:
            inside.append(copy_selection(inner, ids))
    return copy_with(other, selections=tuple(inside))


def set_stack_number(
    ruleset: Ruleset,
    roster: RosterTree,
    selection_id: str,
    number: int,
    apart: str = "",
    *,
    ids: IdSource = generate_id,
) -> EditedRoster | Refused:
    """Change a stack, and all equal stacks, to `number` per parent.

    The newest selections are removed first. The selection `apart` is in no stack.
    """
    path = find_path(roster, selection_id)
    if len(path) < 2 or not isinstance(path[-1], Selection) or not isinstance(path[-2], Selection):
        return set_number(ruleset, roster, selection_id, number)
    if not 0 <= number <= MOST:
        return Refused(code="bad-number", subject_id=selection_id, measured=number, allowed=MOST)
    keys, is_instanced = index_equal(roster, apart), _is_instanced(ruleset, path)
    places = list_equal_places(roster, path[-2].id, keys)
    there = sum(member.number for member in path[-2].selections if keys[member.id] == keys[selection_id])
    copies = (number - there) * len(places) if is_instanced else 0
    if copies > MAX_SEPARATE:
        return Refused(code="bad-number", subject_id=selection_id, measured=copies, allowed=MAX_SEPARATE)
    roster = claim_pick(roster, selection_id)
    for place in places:
        container_path = find_path(roster, place)
        container = container_path[-1]
        if isinstance(container, Selection):
            stack = [member for member in container.selections if keys[member.id] == keys[selection_id]]
            row = _resize_stack(container.selections, stack, number, ids, is_instanced=is_instanced)
            roster = replace_node(container_path, copy_with(container, selections=row))
    return drop_hidden_picks(ruleset, prune_attachments(roster), (selection_id,) if number else ())


def _resize_stack(
    row: Sequence[Selection], stack: Sequence[Selection], number: int, ids: IdSource, *, is_instanced: bool
) -> tuple[Selection, ...]:
    numbers = {member.id: member.number for member in stack}
    last, change = stack[-1], number - sum(numbers.values())
    copies: list[Selection] = []
    if change > 0 and is_instanced and last.number == 1:
        copies = [copy_selection(last, ids) for _ in range(change)]
    elif change > 0:
        numbers[last.id] += change
    for member in reversed(stack):
        if change < 0:
            less = min(-change, member.number)
            numbers[member.id] -= less
            change += less
    resized: list[Selection] = []
    for member in row:
        if numbers.get(member.id, member.number):
            resized.append(copy_with(member, number=numbers.get(member.id, member.number)))
        if member is last:
            resized += copies
    return tuple(resized)


def split_off(roster: RosterTree, selection_id: str, *, ids: IdSource = generate_id) -> EditedRoster | Refused:
    """Separate the last selection of a stack, to change it alone."""
    path = find_path(roster, selection_id)
    if len(path) < 2 or not isinstance(path[-1], Selection):
        return Refused(code="unknown-node", subject_id=selection_id)
    keys = index_equal(roster)
    parent = path[-2]
    row = [child for child in get_children(parent) if isinstance(child, Selection)]
    stack = [child for child in row if keys[child.id] == keys[selection_id]]
    if isinstance(parent, Force) or (len(stack) == 1 and stack[0].number == 1):
        return Refused(code="nothing-to-split", subject_id=selection_id)
    last = stack[-1]
    if last.number == 1:
        return EditedRoster(roster=roster, created=(last.id,))
    single = copy_with(copy_selection(last, ids), number=1)
    row[row.index(last) : row.index(last) + 1] = [copy_with(last, number=last.number - 1), single]
    changed = replace_node(path[:-1], copy_with(parent, selections=tuple(row)))
    return EditedRoster(roster=claim_pick(changed, single.id), created=(single.id,))


def _is_instanced(ruleset: Ruleset, path: Path) -> bool:
    node = Evaluation(ruleset, prune_to_path(path)).find_container(path[-1].id)
    return isinstance(node, SelectionNode) and node.option is not None and node.option.entry.is_instanced
