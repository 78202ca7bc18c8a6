"""Locations: where in a list the nodes and checks are that a violation names."""

from collections.abc import Iterable, Iterator
from itertools import islice

from catalogue.definitions.link_index import Binding
from catalogue.definitions.queries import ANY, KNOWN, Field, Query
from roster.engine.checks import Check, get_owner_key
from roster.engine.evaluation import Evaluation
from roster.engine.nodes import ForceNode, GroupNode, Node, SelectionNode, SlotNode
from roster.engine.plan import name_known_value
from roster.engine.queries import list_members
from roster.engine.report import Location, PlaceKind

MOST_CAUSES = 50
"""How many places a violation points at."""


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
    """Return the location of a selection; one that could be made has no id."""
    document = node.written
    return Location(
        kind=PlaceKind.SELECTION,
        id=document.id,
        entry_id=node.target_id,
        name=document.custom_name or evaluation.values.get_name(node),
    )


def locate_node(evaluation: Evaluation, node: Node) -> Location:
    """Return the location of a node; a group stands for what it is in."""
    if isinstance(node, SelectionNode):
        return locate_selection(evaluation, node)
    if isinstance(node, ForceNode):
        return locate_force(evaluation, node)
    if isinstance(node, SlotNode) and node.force:
        return locate_category(evaluation, node.force, node.id)
    if isinstance(node, GroupNode):
        return locate_node(evaluation, node.container)
    return locate_roster(evaluation)


def find_name(evaluation: Evaluation, wanted: str) -> str:
    """Return what the data calls an id; the id itself where it has no such thing."""
    binding = evaluation.ruleset.binding
    known = _find_known_name(binding, wanted)
    if known is None and binding.catalogues:
        return _find_entry_name(binding, wanted)
    return wanted if known is None else known


def _find_known_name(binding: Binding, wanted: str) -> str | None:
    """Return what a category, a type of cost or a catalogue is called; None where it is none of these."""
    named = binding.categories.get(wanted) or binding.cost_types.get(wanted) or binding.by_id.get(wanted)
    return named.name if named else None


def _find_entry_name(binding: Binding, wanted: str) -> str:
    """Return what an entry or a kind of force is called, as the first catalogue knows it."""
    # Only a name is wanted, and an entry has the same one wherever it is seen from.
    home = binding.catalogues[0]
    located = binding.find_entry(wanted, home)
    if located:
        return located.entry.name
    force_entry = binding.find_force_entry(wanted, home)
    return force_entry.name if force_entry else wanted


def describe_counted(evaluation: Evaluation, check: Check) -> tuple[str, str]:
    """Return the id and name of what a check counts."""
    query = check.constraint.query
    counts_things = query.field in (Field.SELECTIONS, Field.FORCES) or check.compiled.shared_limit
    if not counts_things:
        return query.field, name_counted(evaluation, query)
    if query.child_id is not None:
        return query.child_id, name_counted(evaluation, query)
    return _describe_owner(evaluation, check)


def _describe_owner(evaluation: Evaluation, check: Check) -> tuple[str, str]:
    """Return the id and name of the owner of a constraint, as it is called at its place."""
    node = check.node
    if isinstance(node, SelectionNode):
        return node.target_id, evaluation.values.get_name(node)
    if isinstance(node, GroupNode):
        return node.group.entry.target.id, evaluation.values.get_group_name(node)
    if isinstance(node, SlotNode):
        return node.id, find_name(evaluation, node.id)
    return check.compiled.owner_id, check.compiled.owner_name


def name_counted(evaluation: Evaluation, query: Query) -> str:
    """Return the name of what a query counts; blank where only its owner says what that is."""
    if KNOWN not in query.field:
        counts_things = query.field in (Field.SELECTIONS, Field.FORCES)
        return _name_child(evaluation, query) if counts_things else find_name(evaluation, query.field)
    # A share of a limit counts something bought, whose name says more than that of the limit.
    return _name_child(evaluation, query) if query.percent else name_known_value(evaluation.ruleset, query.field)


def _name_child(evaluation: Evaluation, query: Query) -> str:
    return find_name(evaluation, query.child_id) if query.child_id is not None else ""


def list_causes(evaluation: Evaluation, check: Check, queries: Iterable[Query]) -> tuple[Location, ...]:
    """List the selections that `queries` of a check counted; of a cost, those that have any of it."""
    nodes = (node for query in queries for node in _list_counted(evaluation, check, query))
    # A limit on models may be broken by hundreds of selections; nobody reads that many names.
    return tuple(locate_selection(evaluation, node) for node in islice(nodes, MOST_CAUSES))


def _list_counted(evaluation: Evaluation, check: Check, query: Query) -> Iterator[SelectionNode]:
    key = get_owner_key(check) if query.child_id is None else query.child_id
    type_id = check.compiled.shared_limit or query.field
    if key is None or not _counts_selections(query, type_id):
        return
    for member in _list_members_in_scope(evaluation, check, query):
        if _is_counted(evaluation, member, key) and _has_any(evaluation, member, query, type_id):
            yield member


def _counts_selections(query: Query, type_id: str) -> bool:
    """Return whether a query counts selections, or sums what they cost."""
    return query.field != Field.FORCES and KNOWN not in type_id


def _list_members_in_scope(evaluation: Evaluation, check: Check, query: Query) -> Iterator[SelectionNode]:
    for place in evaluation.scopes.list_places(query, check.node) or ():
        for member, _ in list_members(place, deep=query.deep):
            yield member


def _has_any(evaluation: Evaluation, node: SelectionNode, query: Query, type_id: str) -> bool:
    """Return whether a selection adds to the figure: each does where selections are counted."""
    return query.field == Field.SELECTIONS or bool(evaluation.costs.get_whole_cost(node, type_id))


def _is_counted(evaluation: Evaluation, node: SelectionNode, key: object) -> bool:
    return (
        key == ANY or key in node.keys or key == node.entry_id or key in evaluation.categories.get_membership(node).ids
    )
