"""A roster with a variable for each possible addition."""

from collections.abc import Container as Collection
from collections.abc import Hashable, Iterator, Mapping
from itertools import chain
from typing import NamedTuple

from catalogue.definitions.catalogues import Catalogue
from catalogue.definitions.constraints import Severity
from catalogue.definitions.entries import NO_LIMIT, ForceEntry
from catalogue.definitions.queries import ANY, Change
from catalogue.graph.compiled_constraints import CompiledConstraint
from catalogue.graph.compiled_entry import CompiledOption
from catalogue.graph.ids import compose_id, split_id
from catalogue.graph.ruleset import Ruleset
from roster.engine.checks import list_missing_allies
from roster.engine.completion.effort import Budget
from roster.engine.completion.linear import MOST, Linear, Model
from roster.engine.evaluation import Evaluation
from roster.engine.force_kinds import list_surroundings, may_show
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
from roster.engine.plan import GamePlan
from roster.engine.scopes import walk_outward
from roster.engine.tree import Force, Origin, RosterTree, walk_forces

PlaceKey = tuple[str, str]
"""A force, or a new force's entry, and an option in it."""
NOTHING: Mapping[PlaceKey, int] = {}

MOST_FORCES = 2_000
"""The most new forces of one kind."""
MOST_TOGETHER = 2_000_000
"""The most of one option in all units together."""
DEEPEST = 12
MOST_PROSPECTS = 5_000
MOST_INSIDE = 3_000
"""The most entries of a faction's units, with everything inside, for a small model."""


class Horizon(NamedTuple):
    """Which completions a model considers.

    * `removable`: existing parts may be removed.
    * `shallow`: contents of additions are left out. The model is small; its proofs are valid.
    * `estimated`: contents cost what their automatic selections do. Proposals improve, but nothing is proved.
    * `without`: nothing of this category is added.
    * `undemanding`: additions demand no further units.
    * `copies`: at most this many of each unit per force, each modelled separately. Most proposals are legal, but
      nothing is proved.
    * `among`: ids of the units that may be added in a force; empty means all.
    * `advised`: warnings and remarks are modelled, too. A solution may break them, and knows which.
    """

    new_forces: bool = True
    removable: bool = False
    shallow: bool = False
    estimated: bool = False
    without: str = ""
    undemanding: bool = False
    copies: int = 0
    among: frozenset[str] = frozenset()
    advised: bool = False


WHOLE = Horizon()


class Prospects:
    """The nodes of a roster, and a node for each option that each container could get.

    One node represents all units of an option that could be added to a force, and likewise each option inside them. Its
    variable is their total. Rules for single units hold for the sum, but not vice versa: a model without solutions is a
    proof, but a solution is only a proposal. With a `game` plan, additions are on the table and join nothing. Contents
    of `closed` nodes may be anything. If `is_cut_short`, nothing is proved.
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
        game: GamePlan | None = None,
    ) -> None:
        self.ruleset = ruleset
        self.model = model
        self._singles = singles
        self.view = view
        self.budget = budget
        self._opened = opened
        self.closed: set[SelectionNode] = set()
        self._closed_within: dict[Node, list[SelectionNode]] = {}
        # Models do not support BattleScribe's counting, or effects on primary categories.
        self.is_cut_short = roster.origin is Origin.BATTLESCRIBE or any(
            effect.modifier.change in (Change.SET_PRIMARY, Change.UNSET_PRIMARY) for effect in ruleset.binding.effects
        )
        self.roster = build_nodes(ruleset, roster)
        self.new_selections: list[SelectionNode] = []
        self.new_forces: list[ForceNode] = []
        self.leftovers: set[SelectionNode] = set()
        """Nodes for units that are not modelled separately."""
        self._totals: dict[Node, Linear] = {}
        existing = [*self.roster.selections]
        self.existing: dict[Container, None] = dict.fromkeys((*self.roster.all_forces, *existing))
        if view.removable:
            for node in self.existing:
                number = node.number if isinstance(node, SelectionNode) else 1
                outer = self.get_total(node.parent) if node.parent else Linear(1)
                most = outer * number
                self._totals[node] = total = model.add_variable(0, int(model.find_range(most)[1]))
                model.require(most - total, lower=0)
        self.placing = Evaluation(ruleset, self.roster)
        for node in self.existing:
            self._add_prospects(node, self.get_total(node), 0)
        if view.new_forces:
            self._add_forces(roster)
        self.roster.selections.extend(self.new_selections)
        self.roster.members.extend(
            node
            for node in self.new_selections
            if isinstance(node.parent, ForceNode) and node.parent.parent is self.roster
        )
        self.evaluation = Evaluation(ruleset, self.roster, game)

    def __del__(self) -> None:
        # Break reference cycles, so that memory is freed at once.
        if "roster" in vars(self):
            self.roster.let_go()

    def get_total(self, node: Node) -> Linear:
        """Return the number of a node, or of the container of a group or slot."""
        counted = find_base(node)
        cached = self._totals.get(counted)
        if cached is None:
            cached = self._totals[counted] = Linear(counted.total if isinstance(counted, SelectionNode) else 1)
        return cached

    def _add_forces(self, roster: RosterTree) -> None:
        self.is_cut_short |= not any(find_faction_ids(roster))
        # Models lack allies from catalogues that are not loaded, although one of them may be better.
        loaded = self.ruleset.binding.by_id
        for missing in list_missing_allies(self.placing):
            kind, around = missing.compiled_force, list_surroundings(missing.parent)
            others = [ally_id for ally_id in kind.named_catalogues if ally_id not in loaded] if kind else []
            self.is_cut_short |= any(may_show(self.ruleset, kind, ally_id, around) for ally_id in others if kind)
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
        if force.compiled_catalogue is None:
            return
        around = list_surroundings(force)
        for entry in force.inner_entries:
            kind = force.compiled_catalogue.compile_force(entry)
            for catalogue_id in dict.fromkeys((force.document.catalogue_id, *kind.named_catalogues)):
                catalogue = self.ruleset.binding.by_id.get(catalogue_id)
                if catalogue is None or not may_show(self.ruleset, kind, catalogue_id, around):
                    continue
                if self.is_deepest(force):
                    self.is_cut_short = True
                else:
                    self._add_force(entry, catalogue, force)

    def is_deepest(self, force: ForceNode) -> bool:
        return isinstance(force.parent, ForceNode) and force in self.new_forces

    def _add_prospects(self, container: Container, total: Linear, depth: int) -> None:
        contents = container.contents
        if contents is None or (isinstance(container, ForceNode) and container.is_outside):
            return
        if depth > DEEPEST:
            self.is_cut_short |= bool(contents.options)
            return
        view = self.view
        for option in contents.options:
            if option.hidden and not may_change_hidden(self.ruleset, option):
                continue
            if view.without and view.without in option.membership.ids:
                continue
            if view.among and isinstance(container, ForceNode) and option.local_id not in view.among:
                continue
            if self.placing.is_open(container, option):
                self._add_prospect(container, option, total, depth)

    def _add_prospect(self, container: Container, option: CompiledOption, total: Linear, depth: int) -> None:
        most, singles = self._count_addable(container, option, total)
        if most < 1:
            return
        self.budget.spend()
        if len(self.new_selections) >= MOST_PROSPECTS:
            self.is_cut_short = True
            return
        before: Linear | None = None
        for _ in range(singles):
            one = self._add_node(container, option, total, 1, depth)
            # Equal units are interchangeable.
            if before is not None:
                self.model.require(before - one, lower=0)
            before = one
        if most > singles:
            first = len(self.new_selections)
            self._add_node(container, option, total, most - singles, depth)
            if singles:
                self.leftovers.add(self.new_selections[first])

    def _count_addable(self, container: Container, option: CompiledOption, total: Linear) -> tuple[int, int]:
        """Return how many of an option each container may get, and how many get separate nodes."""
        most = find_most(option)
        if total.is_constant:
            taken = sum(member.number for member in container.members if member.option is option)
            # MOST means no limit.
            most = most - taken if most < MOST else MOST
        if self.view.copies and isinstance(container, ForceNode):
            most = min(most, self.view.copies)
            return most, most
        return most, min(most, self._singles.get(get_place_key(container, option), 0))

    def _add_node(self, container: Container, option: CompiledOption, total: Linear, most: int, depth: int) -> Linear:
        node = SelectionNode(container, option, compose_id(container.start, option), 0)
        if total.is_constant:
            amount = self.model.add_variable(0, most) * total.constant
        else:
            amount = self.model.add_variable(0, min(MOST_TOGETHER, most * int(self.model.find_range(total)[1])))
            self.model.require(total * most - amount, lower=0)
        self._totals[node] = amount
        container.members.append(node)
        self.new_selections.append(node)
        if not self._stays_closed(node, option):
            self._add_prospects(node, amount, depth + 1)
            return amount
        self.closed.add(node)
        for place in walk_outward(node):
            self._closed_within.setdefault(place, []).append(node)
        return amount

    def _stays_closed(self, node: SelectionNode, option: CompiledOption) -> bool:
        container = node.container
        is_inside_new = isinstance(container, SelectionNode) and container not in self.existing
        if not self.view.shallow or is_inside_new or get_place_key(container, option) in self._opened:
            return False
        return bool(option.entry.contents.options)

    def list_closed(self, place: Node, *, deep: bool) -> list[SelectionNode]:
        if isinstance(place, RosterNode | ForceNode | SelectionNode):
            return self._closed_within.get(place, []) if deep or place in self.closed else []
        if not deep:
            return []
        return [closed for member in place.members for closed in self._closed_within.get(member, ())]


def find_base(place: Node) -> Node:
    if isinstance(place, GroupNode):
        return place.container
    return place.force or place if isinstance(place, SlotNode) else place


def find_faction_ids(roster: RosterTree) -> list[str]:
    return list(dict.fromkeys([force.catalogue_id for force in roster.forces] or [roster.of]))


def list_addable_forces(present: Evaluation, *, may_give_way: bool = False) -> Iterator[tuple[ForceEntry, Catalogue]]:
    """List force kinds to add; with `may_give_way`, even if existing parts exclude them."""
    ruleset = present.ruleset
    # Effects of additions may allow barred kinds.
    is_open = may_give_way or ruleset.effect_fields
    for compiled in filter(None, map(ruleset.find_catalogue, find_faction_ids(present.roster.document))):
        catalogue = compiled.catalogue
        # If all kinds are always hidden, hiding means nothing.
        showable = [entry for entry in compiled.force_entries if not entry.hidden or entry.modifiers]
        entries = showable or compiled.force_entries
        barred = {} if is_open else find_barred_forces(present, [entry.id for entry in entries], catalogue.id)
        for entry in entries:
            if entry.id not in barred:
                yield entry, catalogue


def may_grow_forces(ruleset: Ruleset, roster: RosterTree) -> bool:
    present = Evaluation(ruleset, roster)
    has_inner = any(force.inner_entries for force in present.roster.all_forces)
    return has_inner or not any(find_faction_ids(roster)) or any(list_addable_forces(present))


def has_few_parts(ruleset: Ruleset, roster: RosterTree) -> bool:
    catalogue_ids = {force.catalogue_id for force in walk_forces(roster)}
    factions = filter(None, map(ruleset.find_catalogue, catalogue_ids))
    roots = chain.from_iterable(faction.distinct_roots for faction in factions)
    return sum(len(option.entry.keys_inside) for option in roots) <= MOST_INSIDE


def get_place_key(container: Container, option: CompiledOption) -> PlaceKey:
    """Return a key that all models of a roster share; blank below a force."""
    document = container.document if isinstance(container, ForceNode) else None
    return (document.id or document.entry_id, option.local_id) if document else ("", "")


def may_hold(node: SelectionNode, key: Hashable) -> bool:
    if not isinstance(key, str) or node.option is None:
        return False
    # A composite id ends in its target's id.
    return key == ANY or split_id(key)[-1] in node.option.entry.keys_inside


def find_most(option: CompiledOption) -> int:
    maximums = chain.from_iterable(entry.constraints.maximums for entry in option.merged_entries)
    return min((int(compiled.constraint.value) for compiled in filter(_is_plain, maximums)), default=MOST)


def _is_plain(compiled: CompiledConstraint) -> bool:
    constraint = compiled.constraint
    is_fixed = not (compiled.modifiers or compiled.reached)
    is_limit = constraint.severity is Severity.ERROR and constraint.value != NO_LIMIT
    return is_fixed and is_limit and compiled.counts_siblings
