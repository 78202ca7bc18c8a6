"""A roster as a value, without the data, and paths through it."""

from collections.abc import Callable, Iterator, Set
from enum import StrEnum
from typing import TypeAlias, TypeVar, cast

import msgspec

from catalogue.definitions.base import Definition
from catalogue.definitions.numbers import Number


class Value(Definition):
    """Base of the engine's values: immutable plain JSON."""


class Attachment(Value):
    association_id: str
    to_id: str


class Selection(Value):
    """One entry taken at one place.

    `entry_id` joins the link ids on the path and the target's id by `::`; `group_id` likewise. `number` counts per
    parent. `name` is shown if the data lost the entry. An `automatic` selection came with its force, and the player has
    changed nothing in it.
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
    category_id: str
    custom_name: str = ""
    notes: str = ""


OUTSIDE = ""
"""The force entry of selections outside detachments, in imported lists."""


class Force(Value):
    """A force or detachment: its selections and inner forces.

    `leader_id` is the declared leader, or blank. Imported lists may have more in `also_leading`. If `entry_id` is
    `OUTSIDE`, it holds selections outside detachments.
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
        return (self.leader_id, *self.also_leading) if self.leader_id else ()


class Limit(Value):
    """How much of a cost type the roster may spend; negative for no limit."""

    type_id: str
    value: Number


class Origin(StrEnum):
    """The program whose counting a list follows. A blank origin follows the data's intent."""

    HERE = ""
    BATTLESCRIBE = "battlescribe"


class RosterTree(Value):
    """A whole list. `cost_types` keeps every cost type ever used in it.

    `unshown` are ids, such as `options`, of what the list's written form leaves out. `overlay` names a pack's
    additional rules as `pack@start of the version's hash`, `homebrew` a player's house rules as `id@number`. `faction`,
    by default the first detachment's, is stored outside the document. `vendor` is JSON that programs keep with the
    list, by program.
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
    homebrew: str = ""
    origin: Origin = Origin.HERE
    faction: str = ""
    vendor: str = ""
    forces: tuple[Force, ...] = ()

    @property
    def of(self) -> str:
        """The list's faction id; blank for an empty list without one."""
        return self.faction or next((force.catalogue_id for force in self.forces), "")

    @property
    def rules(self) -> str:
        """Everything laid over the data, as `load_ruleset` reads it; blank for nothing."""
        return f"{self.overlay} {self.homebrew}" if self.homebrew else self.overlay

    def find_limit(self, type_id: str) -> Number | None:
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
"""The nodes from the roster down to a node."""


def find_path(roster: RosterTree, node_id: str) -> Path:
    """Return the path to a node, starting with the roster, or ()."""
    # Nodes are linked to their parents, because only the match needs a path.
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
            if child.selections or isinstance(child, Force):
                pending.append((child, way))
    return ()


_Way: TypeAlias = tuple[DocumentNode, "_Way | None"]


def get_children(node: DocumentNode) -> tuple[Force | Selection, ...]:
    if isinstance(node, Selection):
        return node.selections
    return node.forces if isinstance(node, RosterTree) else (*node.forces, *node.selections)


def count_nodes(roster: RosterTree) -> int:
    pending: list[DocumentNode] = [roster]
    for node in pending:
        pending.extend(get_children(node))
    return len(pending) - 1


def walk_forces(roster: RosterTree) -> Iterator[Force]:
    pending = list(roster.forces)
    for force in pending:  # grows during the loop
        yield force
        pending += force.forces


def count_forces(roster: RosterTree) -> int:
    return sum(1 for _ in walk_forces(roster))


def prune_to_path(path: Path) -> RosterTree:
    """Keep only the nodes of a path, and the contents of a selection at its end."""
    node = path[-1]
    if isinstance(node, Force):
        node = copy_with(node, forces=(), selections=())
    for parent in path[-2::-1]:
        field = "forces" if isinstance(node, Force) else "selections"
        emptied = copy_with(parent, forces=(), selections=()) if isinstance(parent, Force) else parent
        node = copy_with(emptied, **{field: (node,)})
    return cast("RosterTree", node)  # every path starts with a roster


def prune_attachments(roster: RosterTree) -> RosterTree:
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
    pending: list[DocumentNode] = [roster]
    for node in pending:  # grows during the loop
        pending.extend(get_children(node))
    return [node for node in pending if isinstance(node, Selection)]


def get_siblings(path: Path) -> tuple[Force | Selection, ...]:
    """Include the last node itself."""
    parent, node = path[-2], path[-1]
    if isinstance(node, Force) and isinstance(parent, RosterTree | Force):
        return parent.forces
    return parent.selections if isinstance(parent, Force | Selection) else ()


def replace_siblings(path: Path, row: tuple[Force | Selection, ...]) -> RosterTree:
    parent, node = path[-2], path[-1]
    field = "forces" if isinstance(node, Force) else "selections"
    return replace_node(path[:-1], copy_with(parent, **{field: row}))


def replace_node(path: Path, new: DocumentNode) -> RosterTree:
    for parent, old in zip(path[-2::-1], path[:0:-1], strict=False):
        field = "forces" if isinstance(old, Force) else "selections"
        row = tuple(new if child is old else child for child in getattr(parent, field))
        new = copy_with(parent, **{field: row})
    return cast("RosterTree", new)  # every path starts with a roster


def append_selection(path: Path, selection: Selection) -> RosterTree:
    parent = path[-1]
    row = parent.selections if isinstance(parent, Force | Selection) else ()
    return replace_node(path, copy_with(parent, selections=(*row, selection)))


def remove_node(path: Path) -> RosterTree:
    return replace_siblings(path, tuple(node for node in get_siblings(path) if node is not path[-1]))


Part = Force | Selection


def find_node(roster: RosterTree, node_id: str) -> Part | None:
    path = find_path(roster, node_id) if node_id else ()
    return path[-1] if path and not isinstance(path[-1], RosterTree) else None


def index_names(roster: RosterTree) -> dict[str, str]:
    pending: list[DocumentNode] = list(roster.forces)
    names = {}
    for node in pending:
        pending.extend(get_children(node))
        if isinstance(node, Selection):
            names[node.id] = node.custom_name or node.name
    return names


def change_selections(roster: RosterTree, change: Callable[[Selection], Selection]) -> RosterTree:
    def change_one(selection: Selection) -> Selection:
        return change(copy_with(selection, selections=tuple(map(change_one, selection.selections))))

    def change_force(force: Force) -> Force:
        return copy_with(
            force, selections=tuple(map(change_one, force.selections)), forces=tuple(map(change_force, force.forces))
        )

    return copy_with(roster, forces=tuple(map(change_force, roster.forces)))


def find_name(roster: RosterTree, node_id: str) -> str:
    node = find_node(roster, node_id)
    return (node.custom_name or node.name) if node else ""
