"""A roster's document combined with the compiled data."""

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
"""The document of selections that are not in the list."""


def force_names(entry_id: str) -> frozenset[str]:
    """Return the ids that mean a force of this entry.

    >>> sorted(force_names("link::patrol"))
    ['link', 'link::patrol', 'patrol']
    """
    return frozenset((entry_id, *split_id(entry_id)))


class Node:
    """Something that selections are counted in, with its direct `members`.

    A unit shares its `footprint` with its contents, a force with its groups and slots.
    """

    __slots__ = ("footprint", "force", "members", "parent")

    def __init__(self, parent: "Node | None", force: "ForceNode | None") -> None:
        self.parent = parent
        self.force = force
        self.footprint: Footprint | None = parent.footprint if parent else None
        self.members: list[SelectionNode] = []

    @property
    def token(self) -> Hashable:
        """An identifier that other evaluations share, if force ids are unique."""
        return None

    def let_go(self) -> None:
        """Break reference cycles."""
        for member in self.members:
            member.let_go()
        self.force = None
        self.members = []


class RosterNode(Node):
    """The roster. Its outer forces' members are its members."""

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
        for force in self.forces:
            yield from force.with_nested


class ForceNode(Node):
    """A force. Its compiled parts are None if the data lacks it."""

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
        return self.compiled_force.entry.forces if self.compiled_force else ()

    @property
    def growth(self) -> LeaderReach | None:
        return self.compiled_force.entry.growth if self.compiled_force else None

    @property
    def common(self) -> CommonCategory | None:
        return self.compiled_force.entry.common if self.compiled_force else None

    @property
    def with_nested(self) -> "Iterator[ForceNode]":
        yield self
        for force in self.forces:
            yield from force.with_nested

    @property
    def is_outside(self) -> bool:
        return self.document.entry_id == OUTSIDE

    @property
    def contents(self) -> ContainerOptions | None:
        if self.compiled_catalogue is None or not (self.compiled_force or self.is_outside):
            return None
        return self.compiled_catalogue.root_options

    @property
    def start(self) -> str:
        return ""


class SelectionNode(Node):
    """A selection of the list or, without `document`, a possible selection.

    `number` counts per parent, `total` in the whole force. `option` is None for an unknown entry. `keys` are what it
    counts as when links are shared. `start`, the links on the path, prefixes its members' ids. If `misplaced`, the data
    offers its entry only elsewhere. `owners` are the other factions with the entry.
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
        # The same entry behind two links stays apart.
        self.start = get_link_prefix(entry_id)
        self.target_id = entry_id.removeprefix(self.start)
        # Limits on unknown entries still hold after a data update.
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
        return self.document or UNWRITTEN

    @property
    def is_unknown(self) -> bool:
        return self.option is None and not self.owners

    def walk(self) -> "Iterator[SelectionNode]":
        """Yield this selection and its contents, outer ones first."""
        pending = [self]
        while pending:
            node = pending.pop()
            yield node
            pending.extend(reversed(node.members))

    @property
    def group_id(self) -> str:
        if self.option is None:
            return self.document.group_id if self.document else ""
        return compose_id(self.container.start, self.option.group) if self.option.group else ""


class GroupNode(Node):
    __slots__ = ("container", "group")

    def __init__(self, group: CompiledGroup, container: "ForceNode | SelectionNode") -> None:
        super().__init__(container, container.force)
        self.container = container
        self.group = group
        self.members = [m for m in container.members if m.option and group in m.option.groups]


class TextNode(Node):
    """A profile or rule as its modifiers see it: inside its owner, with the owner's members."""

    __slots__ = ()

    def __init__(self, owner: SelectionNode) -> None:
        super().__init__(owner, owner.force)
        self.members = owner.members


class SlotNode(Node):
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
    outer: object = container
    while isinstance(outer, SelectionNode):
        if outer.option and outer.option.entry.target is option.entry.target:
            return True
        outer = outer.parent
    return False


def build_nodes(ruleset: Ruleset, roster: RosterTree) -> RosterNode:
    root = RosterNode(roster)
    # Imported documents may be nested deeper than Python's recursion limit.
    pending: list[tuple[Force, RosterNode | ForceNode, int]] = [(f, root, 0) for f in reversed(roster.forces)]
    while pending:
        document, parent, depth = pending.pop()
        force = lay_force(ruleset, parent, document)
        root.selections.extend(lay_selections(ruleset, force, document.selections))
        # By default, nested forces do not count in the roster.
        if isinstance(parent, RosterNode):
            root.members.extend(force.members)
        if depth < MAX_DEPTH:
            pending.extend((f, force, depth + 1) for f in reversed(document.forces))
    return root


def lay_force(ruleset: Ruleset, parent: RosterNode | ForceNode, document: Force) -> ForceNode:
    compiled_catalogue = ruleset.find_catalogue(document.catalogue_id)
    compiled_force = compiled_catalogue.find_force(document.entry_id) if compiled_catalogue else None
    force = ForceNode(document, parent, compiled_catalogue, compiled_force)
    parent.forces.append(force)
    return force


def lay_selections(
    ruleset: Ruleset, container: Container, documents: Iterable[Selection], depth: int = 0
) -> list[SelectionNode]:
    """Add nodes to a container at `depth` in its force, outer ones first."""
    nodes: list[SelectionNode] = []
    pending = [(document, container, depth) for document in reversed(tuple(documents))]
    while pending:
        document, parent, depth = pending.pop()
        offered = _find_option(parent.contents, parent.start, document)
        # A rule reports a known option in the wrong place.
        option = offered or _find_stray_option(ruleset, parent, document)
        node = SelectionNode(parent, option, document.entry_id, document.number, document)
        node.misplaced = option is not offered
        compiled_catalogue = parent.force.compiled_catalogue if parent.force else None
        if offered is None and parent.contents is not None and compiled_catalogue:
            target_id = get_target_id(node.target_id)
            # The `foreign_entry` rule names the owners.
            node.owners = ruleset.find_other_owners(target_id, compiled_catalogue)
            # An option of other units of the faction, even if the data has no words for it.
            in_unit = isinstance(parent, SelectionNode)
            node.misplaced |= in_unit and target_id in ruleset.index_faction_entries(compiled_catalogue.catalogue)
        parent.members.append(node)
        nodes.append(node)
        if depth < MAX_DEPTH:
            pending.extend((inner, node, depth + 1) for inner in reversed(document.selections))
    return nodes


def _find_option(contents: ContainerOptions | None, start: str, document: Selection) -> CompiledOption | None:
    """Try the exact place, then the link, then the target: updated data may have moved the option."""
    if contents is None:
        return None
    entry_id = strip_link_prefix(start, document.entry_id)
    group_id = strip_link_prefix(start, document.group_id)
    *_, link_id, target_id = ["", *split_id(entry_id)]
    return (
        contents.find_at(entry_id, group_id)
        or contents.find_by_link(link_id, target_id)
        or contents.find_option(target_id)
    )


def _find_stray_option(ruleset: Ruleset, parent: Container, document: Selection) -> CompiledOption | None:
    if parent.contents is None:
        return None
    if isinstance(parent, ForceNode) and parent.compiled_catalogue:
        grouped = _find_option(parent.compiled_catalogue.root_group_options, parent.start, document)
        if grouped:
            return grouped
    return ruleset.find_misplaced_option(get_target_id(document.entry_id))
