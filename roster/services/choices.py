"""Choosing among what a container offers: radio buttons, ticks and numbers, each as one change of the list."""

from catalogue.graph.compiled_entry import CompiledGroup
from catalogue.graph.ids import compose_id, has_final_id
from catalogue.graph.ruleset import Ruleset
from roster.engine import edits as engine
from roster.engine.edits import EditedRoster, Refused
from roster.engine.nodes import Container, SelectionNode, build_nodes
from roster.engine.tree import RosterTree, Selection
from roster.services.tree_lookup import find_node

MAX_SEPARATE = 100
"""How many selections of their own one change may add: entries with choices inside are taken one by one."""


def list_selections(roster: RosterTree, container_id: str, entry_id: str) -> tuple[Selection, ...]:
    """Return the selections of an entry directly inside a container, in order."""
    container = find_node(roster, container_id)
    if container is None:
        return ()
    return tuple(s for s in container.selections if _is_selection_of(s, entry_id))


def _is_selection_of(selection: Selection, entry_id: str) -> bool:
    return has_final_id(selection.entry_id, entry_id)


def set_option_count(
    ruleset: Ruleset, roster: RosterTree, container_id: str, entry_id: str, number: int
) -> EditedRoster | Refused:
    """Take or drop selections of an entry until there are `number` of it in the container."""
    have = sum(s.number for s in list_selections(roster, container_id, entry_id))
    if number >= have:
        return _add_options(ruleset, roster, container_id, entry_id, number - have)
    return _remove_options(ruleset, roster, container_id, entry_id, have - number)


def _add_options(
    ruleset: Ruleset, roster: RosterTree, container_id: str, entry_id: str, missing: int
) -> EditedRoster | Refused:
    edited = EditedRoster(roster=roster)
    created: tuple[str, ...] = ()
    for step in range(missing):
        # Each separate selection is an edit of its own; a number typed by mistake must not start thousands.
        if step == MAX_SEPARATE:
            return Refused(code="bad-number", subject_id=entry_id, measured=missing, allowed=MAX_SEPARATE)
        # The engine adds to an equal selection where there is one: then the rest is one change of its number.
        before = {s.id: s.number for s in list_selections(edited.roster, container_id, entry_id)}
        outcome = engine.select(ruleset, edited.roster, container_id, entry_id)
        if isinstance(outcome, Refused):
            return outcome
        edited = outcome
        created += outcome.created
        grown = next(
            (
                s
                for s in list_selections(edited.roster, container_id, entry_id)
                if s.number > before.get(s.id, s.number)
            ),
            None,
        )
        if grown is not None:  # equal selections are one with a number: no need to add the rest one by one
            rest = engine.set_number(ruleset, edited.roster, grown.id, grown.number + missing - step - 1)
            return rest if isinstance(rest, Refused) else EditedRoster(roster=rest.roster, created=created)
    return EditedRoster(roster=edited.roster, created=created)


def _remove_options(
    ruleset: Ruleset, roster: RosterTree, container_id: str, entry_id: str, surplus: int
) -> EditedRoster | Refused:
    edited = EditedRoster(roster=roster)
    # The newest go first, so that what was configured first stays longest.
    for selection in reversed(list_selections(roster, container_id, entry_id)):
        less = min(surplus, selection.number)
        outcome = engine.set_number(ruleset, edited.roster, selection.id, selection.number - less)
        if isinstance(outcome, Refused):
            return outcome
        edited, surplus = outcome, surplus - less
        if not surplus:
            break
    return EditedRoster(roster=edited.roster)


def toggle_option(
    ruleset: Ruleset, roster: RosterTree, container_id: str, entry_id: str, on: bool | None
) -> EditedRoster | Refused:
    """Take an entry that is not taken, drop one that is; `on` says which of the two, and may find it done already."""
    here = list_selections(roster, container_id, entry_id)
    wanted = not here if on is None else on
    if not wanted:
        return (
            set_option_count(ruleset, roster, container_id, entry_id, 0)
            if here
            else _check_known(ruleset, roster, container_id, entry_id)
        )
    return EditedRoster(roster=roster) if here else engine.select(ruleset, roster, container_id, entry_id)


def _check_known(
    ruleset: Ruleset, roster: RosterTree, container_id: str, entry_id: str
) -> EditedRoster | Refused:
    """Return the list unchanged if the entry could be taken, else the engine's refusal."""
    # The engine is asked to take the entry only for its refusal; the result is thrown away.
    tried = engine.select(ruleset, roster, container_id, entry_id)
    return tried if isinstance(tried, Refused) else EditedRoster(roster=roster)


def choose_option(
    ruleset: Ruleset, roster: RosterTree, container_id: str, group_id: str, entry_id: str
) -> EditedRoster | Refused:
    """Take one entry of a group and drop whatever else is taken from it; a blank entry only drops."""
    container = _find_container(ruleset, roster, container_id)
    if container is None:
        return Refused(code="unknown-node", subject_id=container_id)
    group = _find_group(container, group_id)
    if group is None:
        return Refused(code="unknown-group", subject_id=group_id)
    options = (option for option in group.options if compose_id(container.start, option) == entry_id)
    chosen = next(options, None)
    if entry_id and chosen is None:
        return Refused(code="unknown-entry", subject_id=entry_id)
    members = [member for member in container.members if member.option and group in member.option.groups]
    # Drop first: the group may be full, and then nothing else could be selected.
    edited = _drop_selections(ruleset, roster, [member for member in members if member.option is not chosen])
    is_taken = any(member.option is chosen for member in members)
    if isinstance(edited, Refused) or chosen is None or is_taken:
        return edited
    return engine.select(ruleset, edited.roster, container_id, entry_id)


def _find_group(container: Container, group_id: str) -> CompiledGroup | None:
    groups = container.contents.groups if container.contents else ()
    return next((group for group in groups if compose_id(container.start, group) == group_id), None)


def _find_container(ruleset: Ruleset, roster: RosterTree, node_id: str) -> Container | None:
    root = build_nodes(ruleset, roster)
    nodes: tuple[Container, ...] = (*root.all_forces, *root.selections)
    return next((node for node in nodes if node.document and node.document.id == node_id), None)


def _drop_selections(
    ruleset: Ruleset, roster: RosterTree, nodes: list[SelectionNode]
) -> EditedRoster | Refused:
    edited = EditedRoster(roster=roster)
    for node in nodes:
        if node.document is None:
            continue
        outcome = engine.set_number(ruleset, edited.roster, node.document.id, 0)
        if isinstance(outcome, Refused):
            return outcome
        edited = outcome
    return EditedRoster(roster=edited.roster)
