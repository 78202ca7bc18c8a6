"""A roster under a ruleset, and everything derived from both."""

import time
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from functools import cached_property, partial
from operator import attrgetter
from typing import Any

from catalogue.definitions.catalogues import Catalogue
from catalogue.definitions.entries import CostType
from catalogue.definitions.numbers import Number, shorten_number
from catalogue.graph.compiled_constraints import group_by_field
from catalogue.graph.compiled_entry import CompiledOption
from catalogue.graph.ids import compose_id
from catalogue.graph.ruleset import Ruleset
from roster.engine.categories import EffectiveCategories, LastingCategories
from roster.engine.commander import AwaitedCommander, CommanderSearch
from roster.engine.conditions import Conditions
from roster.engine.costs import Costs
from roster.engine.effective_values import EffectiveValues
from roster.engine.effects import HIDDEN, ProfileEffect, find_profile_effects
from roster.engine.footprints import Footprint
from roster.engine.game_plan_index import GamePlanIndex
from roster.engine.nodes import Container, ForceNode, Node, RosterNode, SelectionNode, build_nodes, is_within_itself
from roster.engine.plan import GamePlan
from roster.engine.queries import CountIndex, Queries
from roster.engine.report import CostTotal, EffectiveForce, EffectiveSelection
from roster.engine.scopes import Scopes
from roster.engine.tree import Force, RosterTree

Deadline = Callable[[], None]
"""Raises OverdueError when the time is up. Long computations call it often."""


class OverdueError(Exception):
    """Filling or evaluating a list took too long."""


def expire_never() -> None:
    """Do nothing, as there is no deadline."""


def expire_after(seconds: float) -> Deadline:
    """Count seconds of this thread's CPU time."""
    end = time.thread_time() + seconds

    def check() -> None:
        if time.thread_time() > end:
            raise OverdueError

    return check


class Evaluation:
    """Evaluates in layers: structure, commander, categories, values. Each reads only earlier layers.

    Keep a reference while you use its nodes: deleting an evaluation breaks them up, unless the caller passed a
    RosterNode. `commander_id` overrides the declared commander. `lasting` holds categories from earlier evaluations of
    a growing roster.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        roster: RosterTree | RosterNode,
        game: GamePlan | None = None,
        commander_id: str = "",
        deadline: Deadline = expire_never,
        lasting: LastingCategories | None = None,
    ) -> None:
        self.ruleset = ruleset
        self.deadline = deadline
        self.previews: list[Node] = []
        """Nodes outside the list, taken apart with the evaluation."""
        self._owns_nodes = isinstance(roster, RosterTree)
        self.roster = build_nodes(ruleset, roster) if isinstance(roster, RosterTree) else roster
        if self._owns_nodes:
            for force in self.roster.all_forces:
                force.footprint = Footprint()
            for node in self.roster.selections:
                is_unit = isinstance(node.container, ForceNode)
                node.footprint = Footprint() if is_unit else node.container.footprint
        self.plan = GamePlanIndex(ruleset, self.roster, game) if game else None
        entries = CountIndex(attrgetter("keys"))
        # Commander candidates must not depend on a commander.
        uncommanded = partial(EffectiveCategories, ruleset, self.roster, entries, lasting=lasting)
        self._commander = AwaitedCommander(ruleset, self.roster, uncommanded, commander_id)
        self.categories = EffectiveCategories(ruleset, self.roster, entries, self._commander.list_categories, lasting)
        self._commander.categories = self.categories
        self.costs = Costs(ruleset, self.roster, self.categories)
        self.scopes = Scopes(ruleset, self.roster, self.categories, self.categories, self.plan)
        self.queries = Queries(ruleset, self.scopes, entries, self.costs)
        self.queries.notes_footprints = self._owns_nodes
        self.conditions = Conditions(ruleset, self.scopes, self.queries)
        self.values = EffectiveValues(ruleset, self.conditions, self.categories.effects, self.scopes)
        # Bound late, because costs and queries read each other.
        self.costs.bind(self.scopes, self.values)
        self._chosen: dict[Container, dict[CompiledOption, list[SelectionNode]]] = {}
        self.memo: dict[Hashable, Any] = {}
        """Results that other modules cache."""
        self.unit_rows: dict[SelectionNode, EffectiveSelection] = {}
        """Units of the effective tree so far."""
        self.force_rows: dict[ForceNode, EffectiveForce] = {}
        self.force_figures: dict[ForceNode, Any] = {}
        """Figures that callers counted in a force, reused together with its row."""
        self.offers: dict[ForceNode, dict[CompiledOption, Any]] = {}
        self.earlier_offers: dict[ForceNode, dict[CompiledOption, Any]] = {}
        """Offers of earlier evaluations, with what they depended on."""
        self.force_offers: dict[RosterNode | ForceNode, dict[tuple[str, str], Any]] = {}
        """Force kinds evaluated for each place so far, by entry and catalogue."""
        self.earlier_force_offers: dict[RosterNode | ForceNode, dict[tuple[str, str], Any]] = {}
        """Force kinds found by earlier evaluations, with what they depended on."""
        self._hidden_costs: dict[str, bool] = {}
        self._cost_lines: dict[tuple[str, Number], CostTotal] = {}
        self._cost_tables: dict[tuple[tuple[str, Number], ...], tuple[CostTotal, ...]] = {}
        self.unlimited: dict[str, None] = {}
        """Cost types whose limits a rule needs but the roster lacks, in order."""
        self._prospects: dict[tuple[Container, CompiledOption], SelectionNode] = {}
        self._force_previews: dict[tuple[RosterNode | ForceNode, str, str], ForceNode] = {}

    def __del__(self) -> None:
        """Break reference cycles: large lists would fill gigabytes before the garbage collector runs."""
        fields = vars(self)
        for node in self.previews:
            node.let_go()
        if "roster" in fields and self._owns_nodes:
            self.roster.let_go()
        for part in ("categories", "_commander", "costs", "values"):
            if part in fields:
                vars(fields[part]).clear()

    @property
    def command(self) -> CommanderSearch | None:
        return self._commander.search

    @cached_property
    def totals(self) -> Mapping[str, Number]:
        totals: dict[str, Number] = {}
        for force in self.roster.all_forces:
            for type_id in self.costs.get_declared_costs(force):
                totals[type_id] = totals.get(type_id, 0) + self.costs.get_force_cost(force, type_id)
        for node in self.roster.selections:
            for type_id, value in self.costs.get_unit_costs(node).items():
                totals[type_id] = totals.get(type_id, 0) + value * node.total
        return totals

    @cached_property
    def limits(self) -> Mapping[str, Number]:
        return {limit.type_id: limit.value for limit in self.roster.document.limits if limit.value >= 0}

    def build_cost_lines(
        self, totals: Mapping[str, Number], type_ids: Iterable[str] | None = None
    ) -> tuple[CostTotal, ...]:
        if type_ids is None:
            key = tuple(totals.items())
            lines = self._cost_tables.get(key)
            if lines is None:
                lines = self._cost_tables[key] = self._build_cost_table(totals, totals.keys())
            return lines
        return self._build_cost_table(totals, dict.fromkeys(type_ids))

    def _build_cost_table(self, totals: Mapping[str, Number], type_ids: Collection[str]) -> tuple[CostTotal, ...]:
        ordered = list(type_ids)
        if len(ordered) > 1:
            ordered = [type_id for type_id in self.ruleset.binding.cost_types if type_id in type_ids]
            ordered += sorted(set(type_ids) - set(ordered))
        lines = []
        for type_id in ordered:
            value = totals.get(type_id, 0)
            line = self._cost_lines.get((type_id, value))
            if line is None:
                cost_type = self.ruleset.binding.cost_types.get(type_id)
                line = self._cost_lines[type_id, value] = CostTotal(
                    type_id=type_id,
                    name=cost_type.name if cost_type else type_id,
                    value=shorten_number(value),
                    limit=self.limits.get(type_id),
                    hidden=self.is_cost_hidden(cost_type) if cost_type else False,
                )
            lines.append(line)
        return tuple(lines)

    def is_cost_hidden(self, cost_type: CostType) -> bool:
        if not cost_type.modifiers:
            return cost_type.hidden
        if cost_type.id not in self._hidden_costs:
            # A cost that one force shows needs a visible total.
            places: tuple[Node, ...] = (self.roster, *self.roster.all_forces)
            self._hidden_costs[cost_type.id] = all(
                self.values.adjust_flag(group_by_field(cost_type.modifiers).get(HIDDEN, ()), cost_type.hidden, place)
                for place in places
            )
        return self._hidden_costs[cost_type.id]

    @cached_property
    def catalogues(self) -> tuple[Catalogue, ...]:
        game_system = self.ruleset.binding.game_system
        seen = {game_system.id: game_system} if game_system else {}
        for force in self.roster.all_forces:
            for catalogue in force.compiled_catalogue.closure if force.compiled_catalogue else ():
                seen.setdefault(catalogue.id, catalogue)
        return tuple(seen.values())

    @cached_property
    def ordinals(self) -> Mapping[ForceNode, int]:
        """The number, from 1, of each unnamed force with unnamed siblings of its kind."""
        kinds: dict[tuple[Node | None, str], list[ForceNode]] = {}
        for force in self.roster.all_forces:
            if not force.document.custom_name:
                kinds.setdefault((force.parent, force.document.entry_id), []).append(force)
        return {force: number for alike in kinds.values() if len(alike) > 1 for number, force in enumerate(alike, 1)}

    @cached_property
    def profile_effects(self) -> Mapping[SelectionNode, list[ProfileEffect]]:
        return find_profile_effects(self.scopes)

    def find_container(self, node_id: str) -> Container | None:
        nodes: Iterable[Container] = (*self.roster.all_forces, *self.roster.selections)
        return next((node for node in nodes if node.document and node.document.id == node_id), None)

    def group_selections(self, container: Container) -> dict[CompiledOption, list[SelectionNode]]:
        groups = self._chosen.get(container)
        if groups is None:
            groups = {}
            for member in container.members:
                if member.option:
                    groups.setdefault(member.option, []).append(member)
            self._chosen[container] = groups
        return groups

    def preview_selection(self, container: Container, option: CompiledOption) -> SelectionNode:
        """Return a selection as it would be in a container, without counting it."""
        preview = self._prospects.get((container, option))
        # One node per place, because values are cached by node.
        if preview is None:
            preview = SelectionNode(container, option, compose_id(container.start, option))
            if isinstance(container, ForceNode) and container.footprint:
                preview.footprint = Footprint()
            self._prospects[container, option] = preview
            self.previews.append(preview)
        return preview

    def find_preview(self, container: Container, option: CompiledOption) -> SelectionNode | None:
        return self._prospects.get((container, option))

    def preview_force(self, parent: RosterNode | ForceNode, entry_id: str, catalogue_id: str) -> ForceNode:
        key = (parent, entry_id, catalogue_id)
        preview = self._force_previews.get(key)
        if preview is None:
            document = Force(id="", entry_id=entry_id, catalogue_id=catalogue_id)
            compiled_catalogue = self.ruleset.find_catalogue(catalogue_id)
            # An inner force is of a kind that its parent knows.
            catalogue = compiled_catalogue or (parent.compiled_catalogue if isinstance(parent, ForceNode) else None)
            compiled_force = catalogue.find_force(entry_id) if catalogue else None
            preview = self._force_previews[key] = ForceNode(document, parent, compiled_catalogue, compiled_force)
            preview.is_previewed = True
            # Inside an imagined parent, the preview shares the parent's footprint.
            if self._owns_nodes and (isinstance(parent, RosterNode) or parent.document.id):
                preview.footprint = Footprint()
            self.previews.append(preview)
        return preview

    def find_force_preview(self, parent: ForceNode, entry_id: str, catalogue_id: str) -> ForceNode | None:
        return self._force_previews.get((parent, entry_id, catalogue_id))

    def is_open(self, container: Container, option: CompiledOption) -> bool:
        """Return whether a container has a place for an option, hidden or not.

        A force needs a slot for the primary category, if any. A selection cannot contain its own entry.
        """
        if isinstance(container, ForceNode):
            if container.compiled_force is None:
                return False
            primary = self.categories.get_uncommanded(self.preview_selection(container, option)).primary
            return not primary or primary in container.compiled_force.slots_by_category
        return not is_within_itself(container, option)
