"""New nodes of a roster's document: picks with all that comes along, and copies."""

import secrets
from collections.abc import Callable, Iterable

from catalogue.graph.compiled_entry import CompiledOption
from catalogue.graph.ids import compose_id, get_link_prefix
from catalogue.graph.ruleset import Ruleset
from roster.engine.auto_select import fill_selection
from roster.engine.document_paths import append_selection, find_path
from roster.engine.evaluation import Evaluation
from roster.engine.nodes import SelectionNode
from roster.engine.tree import Force, RosterTree, Selection, copy_with

IdSource = Callable[[], str]
"""Gives a fresh id for each new force or selection."""


def generate_id() -> str:
    """Generate a short id that cannot be guessed."""
    return secrets.token_urlsafe(9)


def insert_option(
    ruleset: Ruleset, roster: RosterTree, parent_id: str, option: CompiledOption, ids: IdSource
) -> tuple[RosterTree, str]:
    """Take one of an option, and return the roster with the id of the new selection.

    It is put in bare and judged in its place, so that what comes along by itself depends on the whole roster.
    """
    path = find_path(roster, parent_id)
    parent = path[-1]
    bare = create_bare_selection(
        get_link_prefix(parent.entry_id) if isinstance(parent, Selection) else "", option, ids
    )
    evaluation = Evaluation(ruleset, append_selection(path, bare))
    node = next(n for n in evaluation.roster.selections if n.document is bare)
    filled = complete_selection(evaluation, node, ids)
    return add_cost_types(append_selection(path, filled), list_cost_types(node)), bare.id


def create_bare_selection(start: str, option: CompiledOption, ids: IdSource) -> Selection:
    """Create one of an option with nothing in it; `start` is what ids inside its container begin with."""
    return Selection(
        id=ids(),
        entry_id=compose_id(start, option),
        group_id=compose_id(start, option.group) if option.group else "",
    )


def complete_selection(evaluation: Evaluation, bare: SelectionNode, ids: IdSource) -> Selection:
    """Complete a bare selection that stands in its place with all that comes along by itself."""
    fill_selection(evaluation, bare)
    document = build_document(evaluation, bare, ids)
    return copy_with(document, id=bare.document.id) if bare.document else document


def build_document(evaluation: Evaluation, node: SelectionNode, ids: IdSource) -> Selection:
    """Build the document of a selection that could be made, with all that comes along."""
    return Selection(
        id=ids(),
        entry_id=node.entry_id,
        group_id=node.group_id,
        number=node.number,
        name=evaluation.values.get_name(node),
        selections=tuple(build_document(evaluation, member, ids) for member in node.members),
    )


def list_cost_types(node: SelectionNode) -> list[str]:
    """List the cost types that a selection and what is in it carry."""
    inside = [type_id for member in node.members for type_id in list_cost_types(member)]
    return [*(node.option.entry.costs if node.option else ()), *inside]


def add_cost_types(roster: RosterTree, type_ids: Iterable[str]) -> RosterTree:
    """Add `type_ids` to the cost types ever seen in a roster."""
    seen = dict.fromkeys((*roster.cost_types, *type_ids))
    return roster if len(seen) == len(roster.cost_types) else copy_with(roster, cost_types=tuple(seen))


def register_cost_types(ruleset: Ruleset, roster: RosterTree) -> RosterTree:
    """Register the cost types that the parts of a roster from elsewhere carry."""
    evaluation = Evaluation(ruleset, roster)
    of_forces = (
        type_id
        for force in evaluation.roster.all_forces
        for type_id in evaluation.costs.get_declared_costs(force)
    )
    carried = (
        type_id for node in evaluation.roster.selections if node.option for type_id in node.option.entry.costs
    )
    return add_cost_types(roster, [*of_forces, *carried])


def copy_selection(selection: Selection, ids: IdSource) -> Selection:
    inside = tuple(copy_selection(inner, ids) for inner in selection.selections)
    return copy_with(selection, id=ids(), selections=inside)


def copy_force(force: Force, ids: IdSource) -> Force:
    force_id = ids()
    selections = tuple(copy_selection(selection, ids) for selection in force.selections)
    renewed = {old.id: new.id for old, new in zip(force.selections, selections, strict=True)}
    return copy_with(
        force,
        id=force_id,
        leader_id=renewed.get(force.leader_id, ""),
        also_leading=tuple(renewed[old] for old in force.also_leading if old in renewed),
        selections=selections,
        forces=tuple(copy_force(inner, ids) for inner in force.forces),
    )
