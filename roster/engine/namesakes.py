"""Replace unknown entries by namesakes in the same place: community updates change ids."""

from collections.abc import Iterator, Mapping
from functools import partial

from catalogue.graph.compiled_entry import CompiledOption
from catalogue.graph.ids import compose_id, strip_link_prefix
from catalogue.graph.ruleset import Ruleset
from roster.engine.evaluation import Evaluation
from roster.engine.nodes import RosterNode, SelectionNode, is_within_itself
from roster.engine.tree import RosterTree, Selection, Value, change_selections, copy_with

MOST_ROUNDS = 8
"""Replaced entries may have unknown contents: units, models, weapons and their parts."""


class Namesake(Value):
    """An unknown selection, and the entry of its name in its place. `unit` is its container's name, or ""."""

    selection_id: str
    entry_id: str
    group_id: str
    was: str
    name: str
    unit: str = ""


def take_namesakes(
    ruleset: Ruleset, roster: RosterTree, selection_id: str = ""
) -> tuple[RosterTree, tuple[Namesake, ...]]:
    """Replace unknown selections, or only `selection_id` and its contents."""
    taken: dict[str, Namesake] = {}
    for _ in range(MOST_ROUNDS):
        evaluation = Evaluation(ruleset, roster)
        fresh = {namesake.selection_id: namesake for namesake in find_namesakes(evaluation.roster, selection_id)}
        if not fresh:
            break
        taken |= fresh
        roster = change_selections(roster, partial(_replace_selection, namesakes=fresh))
    return roster, tuple(taken.values())


def find_namesakes(roster: RosterNode, selection_id: str = "") -> Iterator[Namesake]:
    met: set[tuple[int, CompiledOption]] = set()
    for node in roster.selections:
        option = _find_option(node) if not selection_id or _is_inside(node, selection_id) else None
        # Two unknown selections must not become the same entry.
        if option is None or (id(node.container), option) in met:
            continue
        if not option.entry.is_instanced:
            met.add((id(node.container), option))
        container = node.container
        yield Namesake(
            selection_id=node.written.id,
            entry_id=compose_id(container.start, option),
            group_id=compose_id(container.start, option.group) if option.group else "",
            was=node.written.name,
            name=option.name,
            unit=container.written.name if isinstance(container, SelectionNode) else "",
        )


def _is_inside(node: SelectionNode, selection_id: str) -> bool:
    place: object = node
    while isinstance(place, SelectionNode):
        if place.document is not None and place.document.id == selection_id:
            return True
        place = place.container
    return False


def _find_option(node: SelectionNode) -> CompiledOption | None:
    document, container = node.document, node.container
    if not node.is_unknown or document is None or container.contents is None:
        return None
    name = _fold_name(document.name)
    called = [option for option in container.contents.options if _fold_name(option.name) == name]
    options = [option for option in called if _is_free(node, option)]
    group_id = strip_link_prefix(container.start, document.group_id)
    near = [option for option in options if option.group and option.group.local_id == group_id] or options
    return near[0] if len(near) == 1 else None


def _fold_name(name: str) -> str:
    return " ".join(name.casefold().split())


def _is_free(node: SelectionNode, option: CompiledOption) -> bool:
    if option.hidden or is_within_itself(node.container, option):
        return False
    return option.entry.is_instanced or all(member.option is not option for member in node.container.members)


def _replace_selection(selection: Selection, namesakes: Mapping[str, Namesake]) -> Selection:
    namesake = namesakes.get(selection.id)
    if namesake is None:
        return selection
    return copy_with(selection, entry_id=namesake.entry_id, group_id=namesake.group_id, name=namesake.name)
