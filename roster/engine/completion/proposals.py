"""Turn solutions of a model into lists: what it adds is added to a roster, so that the validator can judge it."""

from collections.abc import Iterable, Iterator, Sequence

from roster.engine.completion.command import CommandChoice
from roster.engine.completion.linear import Linear
from roster.engine.completion.prospects import Prospects
from roster.engine.evaluation import OverdueError
from roster.engine.new_selections import IdSource, build_document, fill_selection, is_instanced
from roster.engine.nodes import Container, ForceNode, SelectionNode
from roster.engine.tree import Force, RosterTree, Selection, copy_with, prune_attachments

MOST_CREATED = 5_000
"""How many selections a proposal may add: minimums inside minimums multiply, and no list is so long."""


class Proposal:
    """One solution of a model, as additions to the roster that the model was made for."""

    def __init__(
        self, prospects: Prospects, values: Sequence[int], ids: IdSource, command: CommandChoice | None = None
    ) -> None:
        self._prospects = prospects
        self._values = values
        self._ids = ids
        self._command = command
        self._created = 0
        self._first_ids: dict[SelectionNode, str] = {}

    def build_roster(self) -> RosterTree:
        """Build the roster with all that the solution adds; sums over several units are dealt out evenly.

        Raises OverdueError where that is more than any list holds.
        """
        roster = self._prospects.roster
        forces = self._grow_forces(roster.forces)
        # Whom the owner has declared stays so.
        if not any(force.document.leading for force in roster.all_forces):
            forces = self._declare_commander(forces)
        return prune_attachments(copy_with(roster.document, forces=forces))

    def _declare_commander(self, forces: tuple[Force, ...]) -> tuple[Force, ...]:
        """Return forces in which the commander of the solution is declared, where it has to be."""
        # Where several of the highest rank stand, nobody commands until one is declared.
        declared = self._command.find_declared(self.read) if self._command else None
        if declared is None:
            return forces
        leader_id = self._find_unit_id(declared)
        return tuple(_declare_leader(force, leader_id) for force in forces)

    def _find_unit_id(self, node: SelectionNode) -> str:
        """Return the id that the unit of a selection has in the list, of several new ones the first."""
        while isinstance(node.container, SelectionNode):
            node = node.container
        return node.document.id if node.document else self._first_ids.get(node, "")

    def read_total(self, node: SelectionNode | ForceNode) -> int:
        """Return how many of a node the solution has in all."""
        return self.read(self._prospects.get_total(node))

    def read(self, expression: Linear) -> int:
        """Return what an expression comes to in the solution."""
        return int(expression.constant + sum(c * self._values[v] for v, c in expression.terms.items()))

    # ---- what is there already -----------------------------------------------------------------------------------

    def _grow_forces(self, forces: Sequence[ForceNode]) -> tuple[Force, ...]:
        """Return the forces of a roster or force that stay, grown inside, with those that are added."""
        grown: list[Force] = []
        added: list[Force] = []
        for force in forces:
            if force in self._prospects.new_forces:
                added += self._create_forces(force)
            elif self.read_total(force):
                grown.append(self._grow_force(force))
        return (*grown, *added)

    def _grow_force(self, force: ForceNode) -> Force:
        return copy_with(
            force.document,
            selections=self._grow_members(force, force.document.selections),
            forces=self._grow_forces(force.forces),
        )

    def _grow_members(self, container: Container, documents: tuple[Selection, ...]) -> tuple[Selection, ...]:
        """Return the members of a container that is there, grown inside, with those that are added."""
        grown = self._grow_staying(container, documents)
        for member in container.members:
            if member.document is None:
                self._add_to(grown, container, member)
        return tuple(grown)

    def _grow_selection(self, node: SelectionNode, document: Selection) -> Selection:
        selections = self._grow_members(node, document.selections)
        return copy_with(document, number=self._read_number(node), selections=selections)

    def _read_number(self, node: SelectionNode) -> int:
        """Return how many of a node there are in each of its container."""
        return self.read_total(node) // self._count_copies(node.container)

    def _count_copies(self, container: Container) -> int:
        return max(1, self.read_total(container)) if isinstance(container, SelectionNode) else 1

    def _grow_staying(self, container: Container, documents: tuple[Selection, ...]) -> list[Selection]:
        """Return what stays of the members of a container, each grown inside."""
        nodes = {member.document.id: member for member in container.members if member.document}
        return [
            self._grow_selection(nodes[document.id], document)
            for document in documents
            if self._read_number(nodes[document.id])
        ]

    def _add_to(self, grown: list[Selection], container: Container, prospect: SelectionNode) -> None:
        """Add a prospect of a container, of which there are so many, to what each of them holds."""
        number = self.read_total(prospect) // self._count_copies(container)
        if number < 1:
            return
        same = _find_same(grown, prospect) if _is_stacked(container, prospect) else None
        if same:
            grown[grown.index(same)] = copy_with(same, number=same.number + number)
        else:
            grown.extend(self._create_selections(prospect, number, container))

    # ---- what is new ---------------------------------------------------------------------------------------------

    def _create_forces(self, force: ForceNode) -> Iterator[Force]:
        number = self.read_total(force)
        for copy in range(number):
            selections: list[Selection] = []
            for member in force.members:
                share = _deal(self.read_total(member), number, copy)
                selections.extend(self._create_selections(member, share, force))
            # What is inside a kind of force is a sum over all of them: the first has it.
            inner = self._grow_forces(force.forces) if not copy else ()
            yield copy_with(force.document, id=self._ids(), selections=tuple(selections), forces=inner)

    def _create_selections(self, prospect: SelectionNode, number: int, container: Container) -> Iterator[Selection]:
        """Create so many of a prospect: as selections of their own, or as one with that number."""
        if number < 1 or prospect.option is None:
            return
        total = max(number, self.read_total(prospect))
        if _is_stacked(container, prospect):
            yield self._create_selection(prospect, number, 0, total, number)
            return
        for copy in range(number):
            yield self._create_selection(prospect, 1, copy, total, 1)

    def _create_selection(self, prospect: SelectionNode, number: int, copy: int, total: int, weight: int) -> Selection:
        """Create one selection of a prospect, with its share of what all `total` of them hold."""
        self._count_created(1)
        if prospect in self._prospects.closed:
            filled = self._create_filled(prospect, number)
            self._first_ids.setdefault(prospect, filled.id)
            return filled
        selections = tuple(self._create_inside(prospect, copy, total // weight, weight))
        selection_id = self._ids()
        self._first_ids.setdefault(prospect, selection_id)
        return Selection(
            id=selection_id,
            entry_id=prospect.entry_id,
            group_id=prospect.group_id,
            number=number,
            name=prospect.option.name if prospect.option else "",
            selections=selections,
        )

    def _create_inside(self, prospect: SelectionNode, copy: int, hands: int, weight: int) -> Iterator[Selection]:
        """Create what one of so many of a prospect gets of what all of them hold."""
        for member in prospect.members:
            share = _deal(self.read_total(member), hands, copy)
            yield from self._create_selections(member, share // weight, prospect)

    def _count_created(self, number: int) -> None:
        self._created += number
        # Nine in nine in nine of something would take a gibibyte.
        if self._created > MOST_CREATED:
            raise OverdueError

    def _create_filled(self, prospect: SelectionNode, number: int) -> Selection:
        """Create a selection of something whose inside the model leaves open, with what comes along by itself."""
        evaluation = self._prospects.placing
        fresh = SelectionNode(prospect.container, prospect.option, prospect.entry_id)
        fill_selection(evaluation, fresh)
        self._count_created(sum(1 for _ in fresh.walk()))
        return copy_with(build_document(evaluation, fresh, self._ids), number=number)


def _declare_leader(force: Force, leader_id: str) -> Force:
    """Return a force that is led by a selection if it has that selection, and so for the forces in it."""
    inner = tuple(_declare_leader(one, leader_id) for one in force.forces)
    leads = any(selection.id == leader_id for selection in force.selections)
    return copy_with(force, leader_id=leader_id if leads else force.leader_id, forces=inner)


def _deal(amount: int, hands: int, hand: int) -> int:
    """Return how many one of several gets when they are dealt out evenly.

    >>> [_deal(5, 3, hand) for hand in range(3)]
    [2, 2, 1]
    """
    return amount // hands + (hand < amount % hands)


def _is_stacked(container: Container, prospect: SelectionNode) -> bool:
    """Return whether several of a prospect are one selection with a number."""
    if prospect.option is None or not isinstance(container, SelectionNode):
        return False
    return not is_instanced(prospect.option.entry)


def _find_same(selections: Iterable[Selection], prospect: SelectionNode) -> Selection | None:
    return next((selection for selection in selections if selection.entry_id == prospect.entry_id), None)
