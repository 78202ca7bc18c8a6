"""A roster as a value: what was chosen and how many, nothing that the data says, and paths through it."""

from collections.abc import Callable, Iterator, Set
from enum import StrEnum
from typing import TypeAlias, TypeVar, cast

import msgspec

from catalogue.definitions.base import Definition
from catalogue.definitions.numbers import Number


class Value(Definition):
    """Base of the engine's values: immutable, and the same as plain JSON."""


class Attachment(Value):
    """A selection that this one is attached to: the id of the association by which, and of that selection."""

    association_id: str
    to_id: str


class Selection(Value):
    """One entry taken, at one place.

    `entry_id` is the path of link ids and the target's id, joined by `::`; `group_id` the same for the innermost group.
    `number` counts per one of the parent. `name` is what the entry was called when it was taken: it names a placeholder
    when the data no longer has the entry. `attachments` say whom it leads, or what else it goes with.
    One that is `automatic` came along with its force, and nobody has chosen it or anything in it since.
    """

    id: str
    entry_id: str
    group_id: str = ""
    number: int = 1
    name: str = ""
    custom_name: str = ""
    notes: str = ""
    attachments: tuple[Attachment, ...] = ()
    automatic: bool = False
    selections: tuple["Selection", ...] = ()


class CategoryNote(Value):
    """What a user wrote on a category of a force."""

    category_id: str
    custom_name: str = ""
    notes: str = ""


OUTSIDE = ""
"""The force entry of what is outside every detachment: lists that come from elsewhere have such selections."""


class Force(Value):
    """A force or detachment: the selections made in it and the forces inside it.

    `leader_id` is the id of the selection that the player declared to lead it, blank where none was;
    `also_leading` those of others that a list from elsewhere declares as well, which is for its rules to judge. A force
    whose `entry_id` is `OUTSIDE` is none, but holds what a list has outside every detachment.
    """

    id: str
    entry_id: str
    catalogue_id: str
    name: str = ""
    custom_name: str = ""
    notes: str = ""
    leader_id: str = ""
    also_leading: tuple[str, ...] = ()
    category_notes: tuple[CategoryNote, ...] = ()
    selections: tuple[Selection, ...] = ()
    forces: tuple["Force", ...] = ()

    @property
    def leading(self) -> tuple[str, ...]:
        """The ids of all selections that are declared to lead it."""
        return (self.leader_id, *self.also_leading) if self.leader_id else ()


class Limit(Value):
    """How much of a cost type the roster may spend. Below zero: no limit."""

    type_id: str
    value: Number


class Origin(StrEnum):
    """The program whose counting a list follows where programs differ; blank: the meaning of the data's authors."""

    HERE = ""
    BATTLESCRIBE = "battlescribe"


class RosterTree(Value):
    """A whole list. `cost_types` keeps every cost type ever seen in it, in order of appearance.

    `unshown` is what its written form leaves out, where it came from one: ids as the game names them, such as
    `options`. `player` and `event` are on paper. `overlay` names rules of another pack that the list is judged by
    besides, as `pack@beginning of the version's hash`; blank for none. `faction` is the id of the list's own faction,
    whatever its detachments are of; blank where nobody says it: then that of its first detachment is meant. It is known
    beside the stored document, never in it. `origin` is the program that a list comes from whose counting differs:
    BattleScribe finds nothing by the id of a link to a group.
    """

    id: str
    name: str = ""
    player: str = ""
    event: str = ""
    notes: str = ""
    limits: tuple[Limit, ...] = ()
    cost_types: tuple[str, ...] = ()
    unshown: tuple[str, ...] = ()
    overlay: str = ""
    origin: Origin = Origin.HERE
    faction: str = ""
    forces: tuple[Force, ...] = ()

    @property
    def of(self) -> str:
        """The id of the faction that the list is of; blank for an empty list of which nobody says it."""
        return self.faction or next((force.catalogue_id for force in self.forces), "")

    def find_limit(self, type_id: str) -> Number | None:
        """Return how much of a cost type may be spent; None where nobody agreed on a limit."""
        return next((one.value for one in self.limits if one.type_id == type_id and one.value >= 0), None)


ValueT = TypeVar("ValueT", bound=msgspec.Struct)


def copy_with(value: ValueT, /, **fields: object) -> ValueT:
    """Copy `value` with `fields` replaced.

    >>> copy_with(Selection(id="a", entry_id="x"), number=3).number
    3
    """
    return msgspec.structs.replace(value, **fields)


# ---- paths -------------------------------------------------------------------------------------------------


DocumentNode: TypeAlias = RosterTree | Force | Selection
Path: TypeAlias = tuple[DocumentNode, ...]
"""From the roster down to a node."""


def find_path(roster: RosterTree, node_id: str) -> Path:
    """Return the path to the force or selection of that id, the roster first; empty where there is none."""
    # Each node with the way to it, of which only the last one has to be walked back.
    pending: list[_Way] = [(roster, None)]
    while pending:
        way = pending.pop()
        for child in get_children(way[0]):
            if child.id == node_id:
                path: list[DocumentNode] = [child]
                step: _Way | None = way
                while step:
                    node, step = step
                    path.append(node)
                return tuple(reversed(path))
            # Most hold nothing, and are not looked into.
            if child.selections or isinstance(child, Force):
                pending.append((child, way))
    return ()


_Way: TypeAlias = tuple[DocumentNode, "_Way | None"]
"""A node, and the way to what it is in."""


def get_children(node: DocumentNode) -> tuple[Force | Selection, ...]:
    """Return what is directly inside a node."""
    if isinstance(node, Selection):
        return node.selections
    return node.forces if isinstance(node, RosterTree) else (*node.forces, *node.selections)


def count_nodes(roster: RosterTree) -> int:
    """Return how many forces and selections a list has."""
    pending: list[DocumentNode] = [roster]
    for node in pending:
        pending.extend(get_children(node))
    return len(pending) - 1


def walk_forces(roster: RosterTree) -> Iterator[Force]:
    """Walk all forces of a list, outer ones first."""
    pending = list(roster.forces)
    for force in pending:  # grows while it is walked
        yield force
        pending += force.forces


def count_forces(roster: RosterTree) -> int:
    """Return how many forces a list has, nested ones included."""
    return sum(1 for _ in walk_forces(roster))


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


def prune_attachments(roster: RosterTree) -> RosterTree:
    """Return the roster without attachments to what is not in it any more."""
    selections = list_selections(roster)
    known_ids = {selection.id for selection in selections}
    for selection in selections:
        left = _list_attachments_to(known_ids, selection)
        if len(left) < len(selection.attachments):
            path = find_path(roster, selection.id)
            roster = replace_node(path, copy_with(path[-1], attachments=left))
    return roster


def _list_attachments_to(known_ids: Set[str], selection: Selection) -> tuple[Attachment, ...]:
    return tuple(attachment for attachment in selection.attachments if attachment.to_id in known_ids)


def list_selections(roster: RosterTree) -> list[Selection]:
    """List every selection of a roster."""
    pending: list[DocumentNode] = [roster]
    for node in pending:  # grows while it is walked
        pending.extend(get_children(node))
    return [node for node in pending if isinstance(node, Selection)]


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


Part = Force | Selection


def find_node(roster: RosterTree, node_id: str) -> Part | None:
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


def change_selections(roster: RosterTree, change: Callable[[Selection], Selection]) -> RosterTree:
    """Return the roster with every selection changed, what is inside of one before itself."""

    def change_one(selection: Selection) -> Selection:
        return change(copy_with(selection, selections=tuple(map(change_one, selection.selections))))

    def change_force(force: Force) -> Force:
        return copy_with(
            force, selections=tuple(map(change_one, force.selections)), forces=tuple(map(change_force, force.forces))
        )

    return copy_with(roster, forces=tuple(map(change_force, roster.forces)))


def find_name(roster: RosterTree, node_id: str) -> str:
    """Return the user's name for a part, else the data's; blank if there is no such part."""
    node = find_node(roster, node_id)
    return (node.custom_name or node.name) if node else ""
