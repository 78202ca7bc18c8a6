"""Finding and replacing nodes of a roster's document, without recursion: documents come from outside."""

from typing import TypeAlias, cast

from roster.engine.tree import Force, RosterTree, Selection, copy_with

DocumentNode: TypeAlias = RosterTree | Force | Selection
Path: TypeAlias = tuple[DocumentNode, ...]
"""From the roster down to a node."""


def find_path(roster: RosterTree, node_id: str) -> Path:
    """Return the path to the force or selection of that id, the roster first; empty where there is none."""
    pending: list[Path] = [(roster,)]
    while pending:
        path = pending.pop()
        node = path[-1]
        if not isinstance(node, RosterTree) and node.id == node_id:
            return path
        pending.extend((*path, child) for child in get_children(node))
    return ()


def get_children(node: DocumentNode) -> tuple[Force | Selection, ...]:
    """Return what is directly inside a node."""
    if isinstance(node, RosterTree):
        return node.forces
    return (*node.forces, *node.selections) if isinstance(node, Force) else node.selections


def count_nodes(roster: RosterTree) -> int:
    """Return how many forces and selections a list has."""
    pending: list[DocumentNode] = [roster]
    for node in pending:
        pending.extend(get_children(node))
    return len(pending) - 1


def prune_to_path(path: Path) -> RosterTree:
    """Return the roster with only the nodes of a path in it; the last, if a selection, with all inside it."""
    node = path[-1]
    if isinstance(node, Force):
        node = copy_with(node, forces=(), selections=())
    for parent in path[-2::-1]:
        field = "forces" if isinstance(node, Force) else "selections"
        emptied = copy_with(parent, forces=(), selections=()) if isinstance(parent, Force) else parent
        node = copy_with(emptied, **{field: (node,)})
    return cast("RosterTree", node)  # where every path begins


def get_siblings(path: Path) -> tuple[Force | Selection, ...]:
    """Return the nodes of one kind beside the last of a path, itself included."""
    parent, node = path[-2], path[-1]
    if isinstance(node, Force) and isinstance(parent, RosterTree | Force):
        return parent.forces
    return parent.selections if isinstance(parent, Force | Selection) else ()


def replace_siblings(path: Path, row: tuple[Force | Selection, ...]) -> RosterTree:
    """Replace the last node of a path and those of its kind beside it by `row`."""
    parent, node = path[-2], path[-1]
    field = "forces" if isinstance(node, Force) else "selections"
    return replace_node(path[:-1], copy_with(parent, **{field: row}))


def replace_node(path: Path, new: DocumentNode) -> RosterTree:
    """Replace the last node of a path."""
    for parent, old in zip(path[-2::-1], path[:0:-1], strict=False):
        field = "forces" if isinstance(old, Force) else "selections"
        row = tuple(new if child is old else child for child in getattr(parent, field))
        new = copy_with(parent, **{field: row})
    return cast("RosterTree", new)  # where every path begins


def append_selection(path: Path, selection: Selection) -> RosterTree:
    """Append a selection to the force or selection that a path leads to."""
    parent = path[-1]
    row = parent.selections if isinstance(parent, Force | Selection) else ()
    return replace_node(path, copy_with(parent, selections=(*row, selection)))


def remove_node(path: Path) -> RosterTree:
    """Remove the last node of a path."""
    return replace_siblings(path, tuple(node for node in get_siblings(path) if node is not path[-1]))
