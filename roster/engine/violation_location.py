"""Locate the nodes and checks of a violation in the list."""

from collections.abc import Iterator
from itertools import islice

from catalogue.definitions.queries import ANY, KNOWN, Field, Query
from roster.engine.checks import Check, get_owner_key
from roster.engine.evaluation import Evaluation
from roster.engine.nodes import ForceNode, GroupNode, Node, SelectionNode, SlotNode
from roster.engine.plan import name_known_value
from roster.engine.queries import list_members
from roster.engine.report import Location, PlaceKind

MOST_CAUSES = 50


def locate_roster(evaluation: Evaluation) -> Location:
    return Location(kind=PlaceKind.ROSTER, name=evaluation.roster.document.name)


def locate_force(evaluation: Evaluation, force: ForceNode) -> Location:
    document = force.document
    name = force.compiled_force.entry.name if force.compiled_force else document.name
    ordinal = evaluation.ordinals.get(force)
    numbered = f"{name} {ordinal}" if ordinal else name
    return Location(
        kind=PlaceKind.FORCE, id=document.id, entry_id=document.entry_id, name=document.custom_name or numbered
    )


def locate_category(evaluation: Evaluation, force: ForceNode, category_id: str) -> Location:
    return Location(
        kind=PlaceKind.CATEGORY, id=force.document.id, entry_id=category_id, name=find_name(evaluation, category_id)
    )


def locate_selection(evaluation: Evaluation, node: SelectionNode) -> Location:
    document = node.written
    return Location(
        kind=PlaceKind.SELECTION,
        id=document.id,
        entry_id=node.target_id,
        name=document.custom_name or evaluation.values.get_name(node),
    )


def locate_node(evaluation: Evaluation, node: Node) -> Location:
    """Locate a group at its container."""
    if isinstance(node, SelectionNode):
        return locate_selection(evaluation, node)
    if isinstance(node, ForceNode):
        return locate_force(evaluation, node)
    if isinstance(node, SlotNode) and node.force:
        return locate_category(evaluation, node.force, node.id)
    if isinstance(node, GroupNode):
        return locate_node(evaluation, node.container)
    return locate_roster(evaluation)


def find_name(evaluation: Evaluation, subject_id: str) -> str:
    """Return the data's name for an id, or the id itself if it is unknown."""
    binding = evaluation.ruleset.binding
    definition = (
        binding.categories.get(subject_id) or binding.cost_types.get(subject_id) or binding.by_id.get(subject_id)
    )
    if definition:
        return definition.name
    if not binding.catalogues:
        return subject_id
    # Names do not depend on the catalogue.
    home = binding.catalogues[0]
    located = binding.find_entry(subject_id, home)
    if located:
        return located.entry.name
    force_entry = binding.find_force_entry(subject_id, home)
    return force_entry.name if force_entry else subject_id


def describe_counted(evaluation: Evaluation, check: Check) -> tuple[str, str]:
    query = check.constraint.query
    counts_things = query.field in (Field.SELECTIONS, Field.FORCES) or check.compiled.shared_limit
    if not counts_things:
        return query.field, name_counted(evaluation, query)
    if query.child_id is not None:
        return query.child_id, name_counted(evaluation, query)
    node = check.node
    if isinstance(node, SelectionNode):
        return node.target_id, evaluation.values.get_name(node)
    if isinstance(node, GroupNode):
        return node.group.entry.target.id, evaluation.values.get_group_name(node)
    if isinstance(node, SlotNode):
        return node.id, find_name(evaluation, node.id)
    return check.compiled.owner_id, check.compiled.owner_name


def name_counted(evaluation: Evaluation, query: Query) -> str:
    """Return the name of what a query counts, or "" if it counts its owner."""
    # For a percentage of a limit, name what is counted.
    is_known_value = KNOWN in query.field and not query.percent
    if is_known_value:
        return name_known_value(evaluation.ruleset, query.field)
    if KNOWN not in query.field and query.field not in (Field.SELECTIONS, Field.FORCES):
        return find_name(evaluation, query.field)
    return find_name(evaluation, query.child_id) if query.child_id is not None else ""


def list_causes(evaluation: Evaluation, check: Check, queries: tuple[Query, ...]) -> tuple[Location, ...]:
    # Picks that break the same check share its causes.
    key = list_causes, id(check.compiled), check.node, queries
    if key not in evaluation.memo:
        nodes = (node for query in queries for node in _list_counted(evaluation, check, query))
        evaluation.memo[key] = tuple(locate_selection(evaluation, node) for node in islice(nodes, MOST_CAUSES))
    causes: tuple[Location, ...] = evaluation.memo[key]
    return causes


def _list_counted(evaluation: Evaluation, check: Check, query: Query) -> Iterator[SelectionNode]:
    key = get_owner_key(check) if query.child_id is None else query.child_id
    type_id = check.compiled.shared_limit or query.field
    if key is None or query.field == Field.FORCES or KNOWN in type_id:
        return
    for place in evaluation.scopes.list_places(query, check.node) or ():
        for node, _ in list_members(place, deep=query.deep):
            is_counted = key in (ANY, node.entry_id) or key in node.keys
            if not is_counted and key not in evaluation.categories.get_membership(node).ids:
                continue
            if query.field == Field.SELECTIONS or evaluation.costs.get_whole_cost(node, type_id):
                yield node
