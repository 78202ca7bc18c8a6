"""Fill a roster from a document in place: copying it for each edit is too slow.

Methods have the results of their namesakes in `roster.engine.edits`, including ids.
"""

from collections.abc import Iterable, Sequence

from catalogue.graph.compiled_entry import MAX_DEPTH, CompiledOption
from catalogue.graph.ruleset import Ruleset
from roster.engine import edits
from roster.engine.categories import LastingCategories
from roster.engine.edits import Refused
from roster.engine.evaluation import Deadline, Evaluation, expire_never
from roster.engine.new_selections import (
    IdSource,
    add_cost_types,
    complete_selection,
    create_bare_selection,
    fill_force,
    list_cost_types,
    list_hidden_picks,
    may_hide_root,
)
from roster.engine.nodes import Container, ForceNode, Node, RosterNode, SelectionNode, lay_force, lay_selections
from roster.engine.scopes import walk_outward
from roster.engine.tree import CategoryNote, Force, RosterTree, Selection, copy_with


class Draft:
    """A roster filled step by step.

    `parts` counts forces and selections. Each change returns the node's id, or why it was refused.
    """

    def __init__(self, ruleset: Ruleset, roster: RosterTree, ids: IdSource, deadline: Deadline = expire_never) -> None:
        self._ruleset = ruleset
        self._ids = ids
        self._deadline = deadline
        self._root = RosterNode(roster)
        self._nodes: dict[str, Container] = {}
        self._categories = LastingCategories(ruleset)
        # Automatic selections that later selections may hide.
        self._hideable: dict[SelectionNode, None] = {}
        self.parts = 0

    def __del__(self) -> None:
        # Break reference cycles, so that memory is freed at once.
        self._root.let_go()

    def build_roster(self) -> RosterTree:
        return copy_with(self._root.document, forces=_build_forces(self._root.forces))

    def get_children(self, container_id: str) -> list[Selection]:
        """Return the members of a force or selection. Their contents may be outdated."""
        return [node.document for node in self._nodes[container_id].members if node.document]

    def get_number(self, selection_id: str) -> int:
        node = self._nodes[selection_id]
        return node.number if isinstance(node, SelectionNode) else 1

    # ---- forces --------------------------------------------------------------------------------------------------

    def add_force(self, force_entry_id: str, catalogue_id: str, parent_id: str = "") -> str | Refused:
        compiled_force = edits.find_force_kind(self._ruleset, catalogue_id, force_entry_id)
        if isinstance(compiled_force, Refused):
            return compiled_force
        parent = self._nodes.get(parent_id) if parent_id else self._root
        if not isinstance(parent, RosterNode | ForceNode):
            return Refused(code="unknown-node", subject_id=parent_id)
        if (depth := _get_depth(parent)) >= MAX_DEPTH:
            return Refused(code="too-deep", subject_id=parent_id, measured=depth, allowed=MAX_DEPTH)
        document = Force(
            id=self._ids(), entry_id=force_entry_id, catalogue_id=catalogue_id, name=compiled_force.entry.name
        )
        force = self.put_force(document, parent)
        self._note_cost_types(self._create_evaluation().costs.get_declared_costs(force))
        fill_force(
            lambda: (self._create_evaluation(), force),
            lambda option: self._insert_option(force, option, automatic=True),
        )
        # As in `edits.drop_hidden_picks`.
        while self._hideable and (hidden := list_hidden_picks(self._create_evaluation(), self._hideable)):
            for node in hidden:
                self._remove_node(node)
        return document.id

    def put_force(self, document: Force, parent: RosterNode | ForceNode | None = None) -> ForceNode:
        force = lay_force(self._ruleset, parent or self._root, document)
        self._nodes[document.id] = force
        self.parts += 1
        return force

    def note_category(self, force_id: str, note: CategoryNote) -> None:
        force = self._nodes[force_id]
        if isinstance(force, ForceNode):
            force.document = edits.set_category_note(force.document, note)

    def declare_leader(self, force_id: str, selection_id: str) -> str | Refused:
        force = self._nodes[force_id]
        if not isinstance(force, ForceNode):
            return Refused(code="unknown-node", subject_id=force_id)
        leading = (*force.document.leading, selection_id)
        force.document = copy_with(force.document, leader_id=leading[0], also_leading=leading[1:])
        return selection_id

    # ---- selections ----------------------------------------------------------------------------------------------

    def select(self, parent_id: str, entry_id: str) -> str | Refused:
        container = self._nodes[parent_id]
        if (depth := _get_depth(container)) >= MAX_DEPTH:
            return Refused(code="too-deep", subject_id=parent_id, measured=depth, allowed=MAX_DEPTH)
        option = edits.find_option(container, entry_id)
        if option is None:
            return Refused(code="unknown-entry", subject_id=entry_id)
        same = edits.find_stack(container, option)
        if same:
            return self.set_number(same.written.id, same.number + 1)
        created = self._insert_option(container, option)
        self._claim_pick(container)
        return created

    def insert_option(self, parent_id: str, option: CompiledOption) -> str:
        return self._insert_option(self._nodes[parent_id], option)

    def put_selection(self, parent_id: str, document: Selection) -> None:
        self._lay_selection(self._nodes[parent_id], document)

    def set_number(self, selection_id: str, number: int) -> str | Refused:
        node = self._nodes[selection_id]
        if not isinstance(node, SelectionNode) or node.document is None:
            return Refused(code="unknown-node", subject_id=selection_id)
        if not 0 <= number <= edits.MOST:
            return Refused(code="bad-number", subject_id=selection_id, measured=number, allowed=edits.MOST)
        if number == 0:
            self._remove_node(node)
            return selection_id
        node.document = copy_with(node.document, number=number)
        node.number = number
        for inner in node.walk():
            container = inner.container
            inner.total = inner.number * (container.total if isinstance(container, SelectionNode) else 1)
        self._forget_categories(node)
        self._claim_pick(node)
        return selection_id

    def set_texts(self, node_id: str, *, custom_name: str, notes: str) -> None:
        node = self._nodes[node_id]
        if node.document:
            node.document = copy_with(node.document, custom_name=custom_name, notes=notes)
            self._claim_pick(node)

    # ---- how the tree grows --------------------------------------------------------------------------------------

    def _insert_option(self, container: Container, option: CompiledOption, *, automatic: bool = False) -> str:
        node = self._lay_selection(container, create_bare_selection(container.start, option, self._ids))
        place = self._end_of(node)
        self._deadline()
        filled = complete_selection(self._create_evaluation(), node, self._ids)
        self._note_cost_types(list_cost_types(node))
        node.document = filled = copy_with(filled, automatic=automatic)
        compiled_force = node.force.compiled_force if node.force else None
        if automatic and may_hide_root(self._ruleset, compiled_force, option):
            self._hideable[node] = None
        for member in node.members:
            member.let_go()
        node.members.clear()
        self._forget_categories(node)
        self._add_nodes(
            lay_selections(self._ruleset, node, filled.selections, _get_depth(node) - _get_depth(node.force)), place
        )
        return filled.id

    def _claim_pick(self, container: Container) -> None:
        for outer in walk_outward(container):
            if isinstance(outer, SelectionNode) and outer.document and outer.document.automatic:
                outer.document = copy_with(outer.document, automatic=False)
                self._hideable.pop(outer, None)

    def _create_evaluation(self) -> Evaluation:
        return Evaluation(self._ruleset, self._root, lasting=self._categories)

    def _forget_categories(self, container: Container) -> None:
        for outer in walk_outward(container):
            if isinstance(outer, SelectionNode):
                self._categories.forget(outer)

    def _lay_selection(self, container: Container, document: Selection) -> SelectionNode:
        place = self._end_of(container)
        self._forget_categories(container)
        nodes = lay_selections(
            self._ruleset, container, (document,), _get_depth(container) - _get_depth(container.force)
        )
        if container.parent is self._root:
            self._root.members.append(nodes[0])
        self._add_nodes(nodes, place)
        return nodes[0]

    def _add_nodes(self, nodes: Sequence[SelectionNode], index: int) -> None:
        self._root.selections[index:index] = nodes
        self._nodes.update((node.document.id, node) for node in nodes if node.document)
        self.parts += len(nodes)

    def _end_of(self, container: Container) -> int:
        row = self._root.selections
        if not row or container in walk_outward(row[-1]):
            return len(row)
        last = container
        while last.members:
            last = last.members[-1]
        return row.index(last) + 1 if isinstance(last, SelectionNode) else len(row)

    def _remove_node(self, node: SelectionNode) -> None:
        gone = [node]
        for outer in gone:
            gone.extend(outer.members)
            self._hideable.pop(outer, None)
            if outer.document:
                del self._nodes[outer.document.id]
        self._forget_categories(node)
        node.container.members.remove(node)
        if node.container.parent is self._root:
            self._root.members.remove(node)
        first = self._root.selections.index(node)
        del self._root.selections[first : first + len(gone)]
        self.parts -= len(gone)
        node.let_go()

    def _note_cost_types(self, type_ids: Iterable[str]) -> None:
        self._root.document = add_cost_types(self._root.document, type_ids)


def _get_depth(node: Node | None) -> int:
    return sum(1 for _ in walk_outward(node)) if node else 0


def _build_forces(nodes: Iterable[ForceNode]) -> tuple[Force, ...]:
    return tuple(
        copy_with(node.document, selections=_build_selections(node.members), forces=_build_forces(node.forces))
        for node in nodes
    )


def _build_selections(nodes: Iterable[SelectionNode]) -> tuple[Selection, ...]:
    return tuple(
        copy_with(node.document, selections=_build_selections(node.members)) for node in nodes if node.document
    )
