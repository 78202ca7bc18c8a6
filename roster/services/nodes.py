"""Finding parts of a list by their id."""

from collections.abc import Iterator

from roster.engine.tree import Force, Roster, Selection

Node = Force | Selection


def walk(roster: Roster) -> Iterator[Node]:
    """Every force and selection, parents before children."""
    stack: list[Node] = list(reversed(roster.forces))
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(node.selections))
        if isinstance(node, Force):
            stack.extend(reversed(node.forces))


def find_node(roster: Roster, node_id: str) -> Node | None:
    """The force or selection with this id."""
    return next((node for node in walk(roster) if node.id == node_id), None) if node_id else None


def name_of(roster: Roster, node_id: str) -> str:
    """What a part is called: the user's name for it, else the data's; blank where there is no such part."""
    node = find_node(roster, node_id)
    return (node.custom_name or node.name) if node else ""
