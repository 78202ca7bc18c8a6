"""A roster with everything that could still be added to it, each addition a variable."""

from collections.abc import Container as Collection
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from catalogue.definitions.catalogues import Catalogue
from catalogue.definitions.constraints import Severity
from catalogue.definitions.entries import ForceEntry
from catalogue.definitions.queries import ANY, Change, Effect
from catalogue.graph.compiled_constraints import CompiledConstraint
from catalogue.graph.compiled_entry import CompiledEntry, CompiledOption
from catalogue.graph.ids import compose_id, split_id
from catalogue.graph.ruleset import CompiledCatalogue, Ruleset
from roster.engine.completion.effort import Budget
from roster.engine.completion.linear import MOST, Linear, Model
from roster.engine.evaluation import Evaluation
from roster.engine.new_selections import may_change_hidden
from roster.engine.nodes import (
    Container,
    ForceNode,
    GroupNode,
    Node,
    RosterNode,
    SelectionNode,
    SlotNode,
    build_nodes,
    lay_force,
)
from roster.engine.offers import find_barred_forces
from roster.engine.tree import Force, Origin, RosterTree

PlaceKey = tuple[str, str]
"""A force by its id, or a kind of new force by that of its entry, and an option in it."""
NOTHING: Mapping[PlaceKey, int] = {}

MOST_FORCES = 2_000
"""How many forces of one kind a model adds at most: no list has more parts."""
MOST_TOGETHER = 2_000_000
"""How many of anything a model has in all units together: none of the parts of a list is there more than MOST times."""
DEEPEST = 12
"""How deep a model looks into options."""
MOST_PROSPECTS = 5_000
"""How many additions a model considers."""


class Horizon(NamedTuple):
    """Which ways to complete a list a model looks at.

    `new_forces`: with further forces. `removable`: what is there may go, too. `shallow`: what could be inside something
    new is left open; such a model is small, and what it proves holds all the same. `estimated`: that is taken to cost
    what comes along by itself, which makes better proposals and proves nothing. `without` is a category of which
    nothing is added; `undemanding`: what is added demands no further units itself. `copies`: no more than so many of
    each unit are added to a force, each looked at by itself, so that what is proposed mostly holds; it proves nothing.
    `among` are the units that may be added, by their ids in a force; nothing is any.
    """

    new_forces: bool = True
    removable: bool = False
    shallow: bool = False
    estimated: bool = False
    without: str = ""
    undemanding: bool = False
    copies: int = 0
    among: frozenset[str] = frozenset()


WHOLE = Horizon()


class Prospects:
    """The nodes of a roster, and beside them one for each option of each container that could be added.

    All units of one option that could be added to a force are one node, and so is each option inside them: their
    variables say how many there are in all of them together. What is told of such a node is therefore a sum over its
    units; rules for single units hold for the sum, and not the other way round. So a model without solutions proves
    that a list cannot be completed, while a solution is a proposal that has to be tried.

    Things are `closed` whose inside is not laid out: whatever is asked of it may be anything then.
    `is_cut_short`: something that could be added is not in the model; then nothing is proved.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        roster: RosterTree,
        model: Model,
        budget: Budget,
        singles: Mapping[PlaceKey, int] = NOTHING,
        view: Horizon = WHOLE,
        opened: Collection[PlaceKey] = (),
    ) -> None:
        self.ruleset = ruleset
        self.model = model
        self._singles = singles
        self.view = view
        self.budget = budget
        self._opened = opened
        self.closed: set[SelectionNode] = set()
        self._closed_within: dict[Node, list[SelectionNode]] = {}
        # How BattleScribe counts, no model knows yet, nor what has another place because of something else.
        self.is_cut_short = roster.origin is Origin.BATTLESCRIBE or any(map(_moves_place, ruleset.binding.effects))
        self.roster = build_nodes(ruleset, roster)
        self.new_selections: list[SelectionNode] = []
        self.new_forces: list[ForceNode] = []
        self.leftovers: set[SelectionNode] = set()
        """Sums over units of which some are looked at one by one."""
        self._totals: dict[Node, Linear] = {}
        existing = [*self.roster.selections]
        self.existing: dict[Container, None] = dict.fromkeys((*self.roster.all_forces, *existing))
        if view.removable:
            self._free_existing()
        self.placing = Evaluation(ruleset, self.roster)
        for node in self.existing:
            self._add_prospects(node, self.get_total(node), 0)
        if view.new_forces:
            self._add_forces(roster)
        self.roster.selections.extend(self.new_selections)
        self.roster.members.extend(filter(self._is_outermost, self.new_selections))
        self.evaluation = Evaluation(ruleset, self.roster)

    def __del__(self) -> None:
        """Take the nodes apart, so that they are freed at once."""
        if "roster" in vars(self):
            self.roster.let_go()

    def _is_outermost(self, node: SelectionNode) -> bool:
        """Return whether a selection is in a force, and that in nothing but the roster."""
        return isinstance(node.parent, ForceNode) and node.parent.parent is self.roster

    def get_total(self, node: Node) -> Linear:
        """Return how many of a selection there are in its force, or of a force; of a place inside, of what holds it."""
        counted = find_base(node)
        known = self._totals.get(counted)
        if known is None:
            known = self._totals[counted] = Linear(counted.total if isinstance(counted, SelectionNode) else 1)
        return known

    def _free_existing(self) -> None:
        """Make variables of the numbers of what is there: so many as there are, or fewer."""
        for node in self.existing:
            number = node.number if isinstance(node, SelectionNode) else 1
            outer = self.get_total(node.parent) if node.parent else Linear(1)
            most = outer * number
            self._totals[node] = number_there = self.model.add_variable(0, int(self.model.find_range(most)[1]))
            self.model.require(most - number_there, lower=0)

    def _add_forces(self, roster: RosterTree) -> None:
        """Add one force of each kind that the factions in the list may have."""
        # A list of nothing, of which nobody says the faction, may become one of any.
        self.is_cut_short |= not any(find_faction_ids(roster))
        for force in list(self.roster.all_forces):
            self._add_inner_forces(force)
        present = Evaluation(self.ruleset, roster)
        for entry, catalogue in list_addable_forces(present, may_give_way=self.view.removable):
            self._add_force(entry, catalogue, self.roster)

    def _add_force(self, entry: ForceEntry, catalogue: Catalogue, parent: RosterNode | ForceNode) -> None:
        document = Force(id="", entry_id=entry.id, catalogue_id=catalogue.id, name=entry.name)
        force = lay_force(self.ruleset, parent, document)
        most = self.get_total(parent) * MOST_FORCES
        self.new_forces.append(force)
        self._totals[force] = total = self.model.add_variable(0, MOST_FORCES)
        self.model.require(most - total, lower=0)
        self._add_prospects(force, total, 0)
        self._add_inner_forces(force)

    def _add_inner_forces(self, force: ForceNode) -> None:
        """Add the kinds of force that may be inside one."""
        if isinstance(force.parent, ForceNode) and force in self.new_forces:
            self.is_cut_short |= bool(force.inner_entries)
        elif force.compiled_catalogue:
            for entry in force.inner_entries:
                self._add_force(entry, force.compiled_catalogue.catalogue, force)

    def _add_prospects(self, container: Container, total: Linear, depth: int) -> None:
        """Add what could be added inside a container, of which there are `total`."""
        contents = container.contents
        if contents is None:
            return
        if depth > DEEPEST:
            self.is_cut_short |= bool(contents.options)
            return
        for option in contents.options:
            if self._may_be_added(container, option):
                self._add_prospect(container, option, total, depth)

    def _may_be_added(self, container: Container, option: CompiledOption) -> bool:
        if option.hidden and not may_change_hidden(self.ruleset, option):
            return False
        if self._is_out_of_view(container, option):
            return False
        return self.placing.is_open(container, option)

    def _is_out_of_view(self, container: Container, option: CompiledOption) -> bool:
        """Return whether a model leaves an option out, so that it stays small."""
        if self.view.without and self.view.without in option.membership.ids:
            return True
        return bool(self.view.among) and isinstance(container, ForceNode) and option.local_id not in self.view.among

    def _add_prospect(self, container: Container, option: CompiledOption, total: Linear, depth: int) -> None:
        most, singles = self._count_addable(container, option, total)
        if most < 1:
            return
        self.budget.spend()
        if len(self.new_selections) >= MOST_PROSPECTS:
            self.is_cut_short = True
            return
        self._add_singles(container, option, total, singles, depth)
        if most > singles:
            first = len(self.new_selections)
            self._add_node(container, option, total, most - singles, depth)
            if singles:
                # What could be inside it was added behind it.
                self.leftovers.add(self.new_selections[first])

    def _add_singles(
        self, container: Container, option: CompiledOption, total: Linear, number: int, depth: int
    ) -> None:
        """Add so many prospects that stand for one each."""
        before: Linear | None = None
        for _ in range(number):
            one = self._add_node(container, option, total, 1, depth)
            # Which of several equal ones there are makes no difference, so the first of them are.
            if before is not None:
                self.model.require(before - one, lower=0)
            before = one

    def _count_addable(self, container: Container, option: CompiledOption, total: Linear) -> tuple[int, int]:
        """Return how many of an option each of a container may still get, and how many of these are told apart."""
        most = find_most(option)
        if total.is_constant:
            most = _subtract_taken(most, container, option)
        if self.view.copies and isinstance(container, ForceNode):
            most = min(most, self.view.copies)
            return most, most
        return most, min(most, self._singles.get(get_place_key(container, option), 0))

    def _add_node(self, container: Container, option: CompiledOption, total: Linear, most: int, depth: int) -> Linear:
        """Add one prospect that stands for at most so many in each of a container."""
        node = SelectionNode(container, option, compose_id(container.start, option), 0)
        if total.is_constant:
            # A selection in the list has one inside for all that it stands for.
            amount = self.model.add_variable(0, most) * total.constant
        else:
            amount = self.model.add_variable(0, min(MOST_TOGETHER, most * int(self.model.find_range(total)[1])))
            self.model.require(total * most - amount, lower=0)
        self._totals[node] = amount
        container.members.append(node)
        self.new_selections.append(node)
        if self._stays_closed(node):
            self._close(node)
        else:
            self._add_prospects(node, amount, depth + 1)
        return amount

    def _stays_closed(self, node: SelectionNode) -> bool:
        """Return whether the inside of something new is left open; what is opened is laid out to the ground."""
        if not self.view.shallow or self._is_inside_new(node) or self._is_opened(node):
            return False
        return node.contents is not None and bool(node.contents.options)

    def _is_inside_new(self, node: SelectionNode) -> bool:
        return isinstance(node.container, SelectionNode) and node.container not in self.existing

    def _is_opened(self, node: SelectionNode) -> bool:
        return node.option is not None and get_place_key(node.container, node.option) in self._opened

    def _close(self, node: SelectionNode) -> None:
        self.closed.add(node)
        place: Node | None = node
        while place is not None:
            self._closed_within.setdefault(place, []).append(node)
            place = place.parent

    def list_closed(self, place: Node, *, deep: bool) -> list[SelectionNode]:
        """List what is closed in a place, where its inside is counted there."""
        if isinstance(place, GroupNode | SlotNode):
            return self._list_closed_among(place.members) if deep else []
        return self._closed_within.get(place, []) if deep or place in self.closed else []

    def _list_closed_among(self, members: Iterable[SelectionNode]) -> list[SelectionNode]:
        return [closed for member in members for closed in self._closed_within.get(member, ())]


def find_base(place: Node) -> Node:
    """Return what there are so many of as of a place inside it."""
    if isinstance(place, GroupNode):
        return place.container
    return place.force or place if isinstance(place, SlotNode) else place


def _subtract_taken(most: int, container: Container, option: CompiledOption) -> int:
    """Return how many of an option a container may still get, of which it may have so many; MOST is no limit."""
    taken = sum(member.number for member in container.members if member.option is option)
    return min(most, MOST) - (taken if most < MOST else 0)


def find_faction_ids(roster: RosterTree) -> list[str]:
    """Return the ids of the factions that a list has, or wants to have."""
    return list(dict.fromkeys([force.catalogue_id for force in roster.forces] or [roster.of]))


def list_addable_forces(present: Evaluation, *, may_give_way: bool = False) -> Iterator[tuple[ForceEntry, Catalogue]]:
    """List the kinds of force that could be added; `may_give_way`: those, too, that what is there keeps out."""
    ruleset = present.ruleset
    # What is added may have an effect that opens what is barred now.
    is_open = may_give_way or ruleset.effect_fields
    for compiled in filter(None, map(ruleset.find_catalogue, find_faction_ids(present.roster.document))):
        entries = _list_showable_forces(compiled)
        addable = entries if is_open else _list_unbarred_forces(present, entries, compiled.catalogue)
        yield from ((entry, compiled.catalogue) for entry in addable)


def _list_unbarred_forces(
    present: Evaluation, entries: Sequence[ForceEntry], catalogue: Catalogue
) -> Sequence[ForceEntry]:
    """List the kinds of force that nothing there keeps out."""
    barred = find_barred_forces(present, [entry.id for entry in entries], catalogue.id)
    return [entry for entry in entries if entry.id not in barred]


def _list_showable_forces(compiled: CompiledCatalogue) -> Sequence[ForceEntry]:
    """List the kinds of force that are shown, or may come to be; where all are hidden, hiding says nothing."""
    return [*filter(_may_be_shown, compiled.force_entries)] or compiled.force_entries


def _may_be_shown(entry: ForceEntry) -> bool:
    return not entry.hidden or bool(entry.modifiers)


def may_grow_forces(ruleset: Ruleset, roster: RosterTree) -> bool:
    """Return whether a list could get further forces, so that ways with them are to be looked at."""
    present = Evaluation(ruleset, roster)
    has_inner = any(force.inner_entries for force in present.roster.all_forces)
    return has_inner or not any(find_faction_ids(roster)) or any(list_addable_forces(present))


def _moves_place(effect: Effect) -> bool:
    """Return whether an effect gives something another primary category."""
    return effect.modifier.change in (Change.SET_PRIMARY, Change.UNSET_PRIMARY)


def get_place_key(container: Container, option: CompiledOption) -> PlaceKey:
    """Return what names an option in a force in every model of the same roster; of no use below."""
    document = container.document if isinstance(container, ForceNode) else None
    return (document.id or document.entry_id, option.local_id) if document else ("", "")


def may_hold(node: SelectionNode, key: Hashable) -> bool:
    """Return whether something with such a key, or with such a cost, could be taken inside a selection."""
    if not isinstance(key, str) or node.option is None:
        return False
    # A composite id ends in what it leads to.
    return key == ANY or split_id(key)[-1] in collect_inside(node.option.entry)


def collect_inside(entry: CompiledEntry) -> frozenset[str]:
    """Collect the ids, types, categories and cost types of everything that could be inside an entry."""
    if entry.inside is None:
        inside: set[str] = set()
        pending, seen = list(entry.children), {id(entry)}
        for child in pending:  # grows while it is walked
            if id(child) not in seen:
                seen.add(id(child))
                inside.update(_list_known_by(child))
                pending.extend(child.children)
        entry.inside = frozenset(inside)
    return entry.inside


def _list_known_by(entry: CompiledEntry) -> Iterator[str]:
    """List what an entry itself may be counted by."""
    yield from entry.ids
    yield entry.target.type.value
    yield from _list_possible_costs(entry)
    yield from (link.target_id for link in entry.category_links)
    yield from (modifier.value for modifier in entry.modifiers.get("category", ()))


def _list_possible_costs(entry: CompiledEntry) -> Iterator[str]:
    """List the types of which an entry costs something, or may come to."""
    return (type_id for type_id, cost in entry.costs.items() if cost or type_id in entry.modifiers)


def find_most(option: CompiledOption) -> int:
    """Return how many of an option a container may have at most, as far as plain numbers say."""
    limits = [_find_plain_limit(entry) for entry in option.merged_entries]
    return min(limits)


def _find_plain_limit(entry: CompiledEntry) -> int:
    plain = filter(_is_plain, entry.constraints.maximums)
    return min((int(compiled.constraint.value) for compiled in plain), default=MOST)


def _is_plain(compiled: CompiledConstraint) -> bool:
    """Return whether nothing but the number of a constraint says how many siblings there may be."""
    constraint = compiled.constraint
    is_fixed = not (compiled.modifiers or compiled.reached)
    is_limit = constraint.severity is Severity.ERROR and constraint.value >= 0
    return is_fixed and is_limit and compiled.counts_siblings
