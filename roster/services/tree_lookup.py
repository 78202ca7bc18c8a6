"""Finding parts of a list by their id."""

from roster.engine.tree import DocumentNode, Force, RosterTree, Selection, find_path, get_children

Node = Force | Selection


def find_node(roster: RosterTree, node_id: str) -> Node | None:
    """Return the force or selection with this id."""
    path = find_path(roster, node_id) if node_id else ()
    return path[-1] if path and not isinstance(path[-1], RosterTree) else None


def index_names(roster: RosterTree) -> dict[str, str]:
    """Return what every selection of a list is called, by id."""
    pending: list[DocumentNode] = list(roster.forces)
    names = {}
    for node in pending:
        pending.extend(get_children(node))
        if isinstance(node, Selection):
            names[node.id] = node.custom_name or node.name
    return names


def find_name(roster: RosterTree, node_id: str) -> str:
    """Return the user's name for a part, else the data's; blank if there is no such part."""
    node = find_node(roster, node_id)
    return (node.custom_name or node.name) if node else ""
