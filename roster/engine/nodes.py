"""A roster's document laid over the compiled data: each force and selection with its option, parent and members."""

from collections.abc import Hashable, Iterable, Iterator, Sequence

from catalogue.definitions.catalogues import Catalogue
from catalogue.definitions.constraints import CommonCategory, LeaderReach
from catalogue.definitions.entries import ForceEntry
from catalogue.definitions.queries import ANY
from catalogue.graph.compiled_entry import MAX_DEPTH, CompiledGroup, CompiledOption, ContainerOptions
from catalogue.graph.ids import compose_id, get_link_prefix, get_target_id, split_id, strip_link_prefix
from catalogue.graph.ruleset import CompiledCatalogue, CompiledForce, CompiledSlot, Ruleset
from roster.engine.footprints import Footprint
from roster.engine.tree import OUTSIDE, Force, RosterTree, Selection

UNWRITTEN = Selection(id="", entry_id="")
"""Stands for the document of a selection that is not in the list."""


def force_names(entry_id: str) -> frozenset[str]:
    """Return what a force of that entry answers to.

    >>> sorted(force_names("link::patrol"))
    ['link', 'link::patrol', 'patrol']
    """
    return frozenset((entry_id, *split_id(entry_id)))


class Node:
    """Something that selections are counted in. `members` are the selections directly inside.

    `footprint` is that of the unit which it is or is in, outside all units that of the force; None where none are kept.
    """

    __slots__ = ("footprint", "force", "members", "parent")

    def __init__(self, parent: "Node | None", force: "ForceNode | None") -> None:
        self.parent = parent
        self.force = force
        self.footprint: Footprint | None = parent.footprint if parent else None
        self.members: list[SelectionNode] = []

    @property
    def token(self) -> Hashable:
        """What it is known by in other evaluations, as long as no two forces have one id; None if by nothing."""
        return None

    def let_go(self) -> None:
        """Let go of what is inside, and of itself: what is left of a tree then leads upwards alone."""
        for member in self.members:
            member.let_go()
        self.force = None
        self.members = []


class RosterNode(Node):
    """The whole roster. Its members are the root selections of its top-level forces."""

    __slots__ = ("document", "forces", "selections")

    def __init__(self, document: RosterTree) -> None:
        super().__init__(None, None)
        self.document = document
        self.forces: list[ForceNode] = []
        self.selections: list[SelectionNode] = []

    @property
    def token(self) -> Hashable:
        return ""

    def let_go(self) -> None:
        for force in self.forces:
            force.let_go()
        super().let_go()
        self.forces, self.selections = [], []

    @property
    def all_forces(self) -> "Iterator[ForceNode]":
        """Every force, outer ones first."""
        for force in self.forces:
            yield from force.with_nested


class ForceNode(Node):
    """A force. What is compiled of it is None where the data does not have its force entry or its catalogue.

    `names` are what it answers to: its entry's id, which is a link's and its target's where it was linked, and both.
    One that `is_previewed` is not in the list, but as it would be in its place.
    """

    __slots__ = ("compiled_catalogue", "compiled_force", "document", "forces", "is_previewed", "names")

    def __init__(
        self,
        document: Force,
        parent: Node,
        compiled_catalogue: CompiledCatalogue | None,
        compiled_force: CompiledForce | None,
    ) -> None:
        super().__init__(parent, None)
        self.force = self
        self.document = document
        self.names = force_names(document.entry_id)
        self.compiled_catalogue = compiled_catalogue
        self.compiled_force = compiled_force
        self.is_previewed = False
        self.forces: list[ForceNode] = []

    @property
    def token(self) -> Hashable:
        return (self.document.id,)

    def let_go(self) -> None:
        for force in self.forces:
            force.let_go()
        super().let_go()
        self.forces = []

    @property
    def inner_entries(self) -> Sequence[ForceEntry]:
        """The kinds of force that may be inside it."""
        return self.compiled_force.entry.forces if self.compiled_force else ()

    @property
    def growth(self) -> LeaderReach | None:
        """How it grows from its leader, where it does."""
        return self.compiled_force.entry.growth if self.compiled_force else None

    @property
    def common(self) -> CommonCategory | None:
        """What its units must have in common, where they must."""
        return self.compiled_force.entry.common if self.compiled_force else None

    @property
    def with_nested(self) -> "Iterator[ForceNode]":
        """This force and all forces inside it."""
        yield self
        for force in self.forces:
            yield from force.with_nested

    @property
    def is_outside(self) -> bool:
        """Whether it holds what is outside every detachment."""
        return self.document.entry_id == OUTSIDE

    @property
    def contents(self) -> ContainerOptions | None:
        """What may be taken in it; None where it is unknown, and nothing in it is looked at."""
        if self.compiled_catalogue is None or not (self.compiled_force or self.is_outside):
            return None
        return self.compiled_catalogue.root_options

    @property
    def start(self) -> str:
        return ""


class SelectionNode(Node):
    """A selection that was made, or (without `document`) one that could be made.

    `number` counts per one of the parent, `total` in the whole force. `option` is None where the data does not have
    it. `keys` is what it is counted under where links are shared. `start` is what the composite ids of its members
    begin with: the links on the path. One is `misplaced` where the data has its entry, but offers it elsewhere only;
    `owners` are the factions that have it where the force's own has not.
    """

    __slots__ = (
        "container",
        "document",
        "entry_id",
        "keys",
        "misplaced",
        "number",
        "option",
        "owners",
        "start",
        "target_id",
        "total",
    )

    def __init__(
        self,
        parent: "ForceNode | SelectionNode",
        option: CompiledOption | None,
        entry_id: str,
        number: int = 1,
        document: Selection | None = None,
    ) -> None:
        super().__init__(parent, parent.force)
        self.container = parent
        self.option = option
        self.entry_id = entry_id
        # Members begin with the links that led here, so that the same entry behind two links stays apart.
        self.start = get_link_prefix(entry_id)
        self.target_id = entry_id.removeprefix(self.start)
        # What the data does not have is still counted by its id, so that limits on it hold after an update.
        self.keys: tuple[Hashable, ...] = option.keys if option else (self.target_id, ANY)
        self.misplaced = False
        self.owners: tuple[Catalogue, ...] = ()
        self.number = number
        self.document = document
        self.total: int = number * (parent.total if isinstance(parent, SelectionNode) else 1)

    @property
    def contents(self) -> ContainerOptions | None:
        return self.option.entry.contents if self.option else None

    @property
    def written(self) -> Selection:
        """Its document; of one that could be made, a blank one."""
        return self.document or UNWRITTEN

    @property
    def is_unknown(self) -> bool:
        """Whether no faction of the data has such an entry."""
        return self.option is None and not self.owners

    def walk(self) -> "Iterator[SelectionNode]":
        """Walk this selection and everything inside it, outer ones first."""
        pending = [self]
        while pending:
            node = pending.pop()
            yield node
            # Reversed, because a stack gives back the last first.
            pending.extend(reversed(node.members))

    @property
    def group_id(self) -> str:
        """The composite id of its innermost group, blank without one."""
        if self.option is None:
            return self.document.group_id if self.document else ""
        return compose_id(self.container.start, self.option.group) if self.option.group else ""


class GroupNode(Node):
    """A group inside a container; its members are those of the container's that are in it."""

    __slots__ = ("container", "group")

    def __init__(self, group: CompiledGroup, container: "ForceNode | SelectionNode") -> None:
        super().__init__(container, container.force)
        self.container = container
        self.group = group
        self.members = [m for m in container.members if m.option and group in m.option.groups]


class TextNode(Node):
    """A profile or rule of a selection, as its modifiers see it: around it is its owner, with all that is in it."""

    __slots__ = ()

    def __init__(self, owner: SelectionNode) -> None:
        super().__init__(owner, owner.force)
        self.members = owner.members


class SlotNode(Node):
    """A category of a force; its members are the root selections of that category."""

    __slots__ = ("id", "slot")

    def __init__(self, category_id: str, slot: CompiledSlot | None, force: ForceNode) -> None:
        super().__init__(force, force)
        self.id = category_id
        self.slot = slot

    @property
    def token(self) -> Hashable:
        return (self.force.document.id, self.id) if self.force else None


Container = ForceNode | SelectionNode


def is_within_itself(container: Container, option: CompiledOption) -> bool:
    """Return whether an option would be inside another selection of its own entry."""
    outer: object = container
    while isinstance(outer, SelectionNode):
        if outer.option and outer.option.entry.target is option.entry.target:
            return True
        outer = outer.parent
    return False


def build_nodes(ruleset: Ruleset, roster: RosterTree) -> RosterNode:
    """Lay `roster` over the data. What the data does not know stays in, without a template or option."""
    root = RosterNode(roster)
    # A stack in place of recursion: a document from elsewhere may be nested deeper than Python calls.
    pending: list[tuple[Force, RosterNode | ForceNode, int]] = [(f, root, 0) for f in reversed(roster.forces)]
    while pending:
        document, parent, depth = pending.pop()
        force = lay_force(ruleset, parent, document)
        root.selections.extend(lay_selections(ruleset, force, document.selections))
        # What forces inside forces hold is counted in those only where a query says so.
        if isinstance(parent, RosterNode):
            root.members.extend(force.members)
        if depth < MAX_DEPTH:
            pending.extend((f, force, depth + 1) for f in reversed(document.forces))
    return root


def lay_force(ruleset: Ruleset, parent: RosterNode | ForceNode, document: Force) -> ForceNode:
    """Lay a force over the data, beside those that its parent has; nothing in it yet."""
    compiled_catalogue = ruleset.find_catalogue(document.catalogue_id)
    compiled_force = compiled_catalogue.find_force(document.entry_id) if compiled_catalogue else None
    force = ForceNode(document, parent, compiled_catalogue, compiled_force)
    parent.forces.append(force)
    return force


def lay_selections(
    ruleset: Ruleset, container: Container, documents: Iterable[Selection], depth: int = 0
) -> list[SelectionNode]:
    """Lay selections over the data as members of a container that is so deep in its force; an outer one comes first."""
    nodes: list[SelectionNode] = []
    pending = [(document, container, depth) for document in reversed(tuple(documents))]
    while pending:
        document, parent, depth = pending.pop()
        # Options that are not on offer here may still be known, and a rule then says that they are out of place.
        offered = _find_option(parent.contents, parent.start, document)
        option = offered or _find_stray_option(ruleset, parent, document)
        node = SelectionNode(parent, option, document.entry_id, document.number, document)
        node.misplaced = option is not offered
        compiled_catalogue = parent.force.compiled_catalogue if parent.force else None
        # Whose it is matters only where this faction does not offer it: the rule about strangers names them.
        if offered is None and parent.contents is not None and compiled_catalogue:
            node.owners = ruleset.find_other_owners(get_target_id(node.target_id), compiled_catalogue)
        parent.members.append(node)
        nodes.append(node)
        if depth < MAX_DEPTH:
            pending.extend((inner, node, depth + 1) for inner in reversed(document.selections))
    return nodes


def _find_option(contents: ContainerOptions | None, start: str, document: Selection) -> CompiledOption | None:
    """Return the option that a selection was made from; by its own link or target where others have changed."""
    if contents is None:
        return None
    entry_id = strip_link_prefix(start, document.entry_id)
    group_id = strip_link_prefix(start, document.group_id)
    *_, link_id, target_id = ["", *split_id(entry_id)]
    return (
        # First the exact place; data that was updated may have put links or groups around the same entry.
        contents.find_at(entry_id, group_id)
        or contents.find_by_link(link_id, target_id)
        or contents.find_option(target_id)
    )


def _find_stray_option(ruleset: Ruleset, parent: Container, document: Selection) -> CompiledOption | None:
    """Return the option of a selection that stands where the data does not offer it."""
    if parent.contents is None:
        return None
    if isinstance(parent, ForceNode) and parent.compiled_catalogue:
        grouped = _find_option(parent.compiled_catalogue.root_group_options, parent.start, document)
        if grouped:
            return grouped
    return ruleset.find_misplaced_option(get_target_id(document.entry_id))
