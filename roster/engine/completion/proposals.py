"""Turn a model's solutions into rosters for the validator."""

from collections.abc import Iterator, Sequence

from roster.engine.completion.command import CommandChoice
from roster.engine.completion.linear import Linear
from roster.engine.completion.prospects import Prospects
from roster.engine.evaluation import OverdueError
from roster.engine.new_selections import IdSource, build_document, fill_selection
from roster.engine.nodes import Container, ForceNode, SelectionNode
from roster.engine.tree import Force, RosterTree, Selection, copy_with, prune_attachments

MOST_CREATED = 5_000
"""The most selections in a proposal. Nested minimums multiply."""


class Proposal:
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
        """Raise OverdueError if the roster would be larger than any list."""
        roster = self._prospects.roster
        forces = self._grow_forces(roster.forces)
        # Keep the owner's commander.
        if self._command and not any(force.document.leading for force in roster.all_forces):
            declared = self._command.find_declared(self.read)
            if declared:
                leader_id = self._find_unit_id(declared)
                forces = tuple(_declare_leader(force, leader_id) for force in forces)
        return prune_attachments(copy_with(roster.document, forces=forces))

    def _find_unit_id(self, node: SelectionNode) -> str:
        while isinstance(node.container, SelectionNode):
            node = node.container
        return node.document.id if node.document else self._first_ids.get(node, "")

    def read_total(self, node: SelectionNode | ForceNode) -> int:
        return self.read(self._prospects.get_total(node))

    def read(self, expression: Linear) -> int:
        return int(expression.constant + sum(c * self._values[v] for v, c in expression.terms.items()))

    # ---- what is there already -----------------------------------------------------------------------------------

    def _grow_forces(self, forces: Sequence[ForceNode]) -> tuple[Force, ...]:
        grown: list[Force] = []
        added: list[Force] = []
        for force in forces:
            if force in self._prospects.new_forces:
                added += self._create_forces(force)
            elif self.read_total(force):
                selections = self._grow_members(force, force.document.selections)
                inner = self._grow_forces(force.forces)
                grown.append(copy_with(force.document, selections=selections, forces=inner))
        return (*grown, *added)

    def _grow_members(self, container: Container, documents: tuple[Selection, ...]) -> tuple[Selection, ...]:
        copies = max(1, self.read_total(container)) if isinstance(container, SelectionNode) else 1
        nodes = {member.document.id: member for member in container.members if member.document}
        grown: list[Selection] = []
        for document in documents:
            node = nodes[document.id]
            number = self.read_total(node) // copies
            if number:
                selections = self._grow_members(node, document.selections)
                grown.append(copy_with(document, number=number, selections=selections))

        for prospect in container.members:
            number = 0 if prospect.document else self.read_total(prospect) // copies
            if number < 1:
                continue
            is_stacked = _is_stacked(container, prospect)
            same = [one for one in grown if one.entry_id == prospect.entry_id] if is_stacked else []
            if same:
                grown[grown.index(same[0])] = copy_with(same[0], number=same[0].number + number)
            else:
                grown.extend(self._create_selections(prospect, number, container))
        return tuple(grown)

    # ---- what is new ---------------------------------------------------------------------------------------------

    def _create_forces(self, force: ForceNode) -> Iterator[Force]:
        number = self.read_total(force)
        for copy in range(number):
            selections: list[Selection] = []
            for member in force.members:
                share = _deal(self.read_total(member), number, copy)
                selections.extend(self._create_selections(member, share, force))
            # Contents of inner forces are sums over a kind, so the first force gets them.
            inner = self._grow_forces(force.forces) if not copy else ()
            yield copy_with(force.document, id=self._ids(), selections=tuple(selections), forces=inner)

    def _create_selections(self, prospect: SelectionNode, number: int, container: Container) -> Iterator[Selection]:
        if number < 1 or prospect.option is None:
            return
        total = max(number, self.read_total(prospect))
        if _is_stacked(container, prospect):
            yield self._create_selection(prospect, number, 0, total, number)
            return
        for copy in range(number):
            yield self._create_selection(prospect, 1, copy, total, 1)

    def _create_selection(self, prospect: SelectionNode, number: int, copy: int, total: int, weight: int) -> Selection:
        self._count_created(1)
        if prospect in self._prospects.closed:
            evaluation = self._prospects.placing
            fresh = SelectionNode(prospect.container, prospect.option, prospect.entry_id)
            fill_selection(evaluation, fresh)
            self._count_created(sum(1 for _ in fresh.walk()))
            filled = copy_with(build_document(evaluation, fresh, self._ids), number=number)
            self._first_ids.setdefault(prospect, filled.id)
            return filled

        selections: list[Selection] = []
        for member in prospect.members:
            share = _deal(self.read_total(member), total // weight, copy)
            selections.extend(self._create_selections(member, share // weight, prospect))
        selection_id = self._ids()
        self._first_ids.setdefault(prospect, selection_id)
        return Selection(
            id=selection_id,
            entry_id=prospect.entry_id,
            group_id=prospect.group_id,
            number=number,
            name=prospect.option.name if prospect.option else "",
            selections=tuple(selections),
        )

    def _count_created(self, number: int) -> None:
        self._created += number
        if self._created > MOST_CREATED:
            raise OverdueError


def _declare_leader(force: Force, leader_id: str) -> Force:
    inner = tuple(_declare_leader(one, leader_id) for one in force.forces)
    leads = any(selection.id == leader_id for selection in force.selections)
    return copy_with(force, leader_id=leader_id if leads else force.leader_id, forces=inner)


def _deal(amount: int, hands: int, hand: int) -> int:
    """Return one hand's share of an amount dealt evenly.

    >>> [_deal(5, 3, hand) for hand in range(3)]
    [2, 2, 1]
    """
    return amount // hands + (hand < amount % hands)


def _is_stacked(container: Container, prospect: SelectionNode) -> bool:
    if prospect.option is None or not isinstance(container, SelectionNode):
        return False
    return not prospect.option.entry.is_instanced
