"""Categories of selections, declared and after modifiers."""

from collections.abc import Callable, Mapping
from functools import cached_property
from itertools import chain
from typing import NamedTuple

from catalogue.definitions.queries import Change, Effect, Field, Modifier, Scope, needs_contents
from catalogue.graph.compiled_constraints import iterate_queries
from catalogue.graph.compiled_entry import CategoryMembership, CompiledOption
from catalogue.graph.ruleset import Ruleset
from roster.engine.conditions import Conditions
from roster.engine.effects import CATEGORY, NO_EFFECTS, EntryEffect, EntryEffects, is_meant
from roster.engine.footprints import Ask, Footprint
from roster.engine.nodes import ForceNode, Node, RosterNode, SelectionNode
from roster.engine.queries import COUNTED, CountIndex, Queries
from roster.engine.scopes import Scopes

NONE = CategoryMembership(())

CommanderCategories = Mapping[SelectionNode, str]


def _list_nobody() -> CommanderCategories:
    return {}


class DeclaredCategories:
    """Declared categories, plus the commander's."""

    def __init__(self, also: Callable[[], CommanderCategories]) -> None:
        self._ask = also

    @cached_property
    def _commander_categories(self) -> CommanderCategories:
        return self._ask()

    def get_membership(self, node: SelectionNode) -> CategoryMembership:
        return self.add_command(node, self.get_uncommanded(node))

    def get_uncommanded(self, node: SelectionNode) -> CategoryMembership:
        """Leave out the commander's category: finding the commander evaluates the whole list."""
        return node.option.membership if node.option else NONE

    def add_command(self, node: SelectionNode, membership: CategoryMembership) -> CategoryMembership:
        more = self._commander_categories.get(node)
        if not more:
            return membership
        declared = self.get_uncommanded(node).ids
        place = sum(1 for category_id in membership.ids if category_id in declared)
        return CategoryMembership((*membership.ids[:place], more, *membership.ids[place:]), membership.primary)


class LastingCategories:
    """Memberships that depend only on their selection, so they stay valid while a roster grows.

    Call `forget` after changing a selection or its contents.
    """

    def __init__(self, ruleset: Ruleset) -> None:
        self._ruleset = ruleset
        self._memberships: dict[SelectionNode, CategoryMembership] = {}
        self._kept_options: dict[CompiledOption, bool] = {}

    def get(self, node: SelectionNode) -> CategoryMembership | None:
        return self._memberships.get(node)

    def keep(self, node: SelectionNode, membership: CategoryMembership) -> None:
        if node.document and node.option and self._is_lasting(node.option):
            self._memberships[node] = membership

    def forget(self, node: SelectionNode) -> None:
        self._memberships.pop(node, None)

    def _is_lasting(self, option: CompiledOption) -> bool:
        keeps = self._kept_options.get(option)
        if CATEGORY in self._ruleset.effect_fields:
            return False  # a new selection may bring an effect on existing ones
        if keeps is None:
            queries = chain.from_iterable(map(iterate_queries, list_category_modifiers(option)))
            keeps = self._kept_options[option] = all(
                query.scope == Scope.SELF
                and query.field == Field.SELECTIONS
                and not query.include_child_forces
                and query.where is None
                and query.child_id != self._ruleset.command_id
                and query.child_id not in self._ruleset.force_entry_ids
                for query in queries
            )
        return keeps


def list_category_modifiers(option: CompiledOption) -> list[Modifier]:
    if not option.moves_category:
        return []
    entries = (option.entry, *(group.entry for group in option.groups))
    return [modifier for entry in entries for modifier in entry.modifiers.get("category", ())]


class AskedCategories:
    def __init__(self) -> None:
        self._modifier_keys: dict[int, tuple[Modifier, frozenset[str]]] = {}
        self._costs: dict[int, tuple[Modifier, bool]] = {}

    def list_asked(self, modifier: Modifier) -> frozenset[str]:
        cached = self._modifier_keys.get(id(modifier))
        if cached is None:
            queries = list(iterate_queries(modifier))
            names = {name for query in queries for name in (query.child_id, query.scope) if name}
            # Keep the modifier alive, so that its id is not reused.
            cached = self._modifier_keys[id(modifier)] = modifier, frozenset(names)
        return cached[1]

    def asks_costs(self, modifier: Modifier) -> bool:
        cached = self._costs.get(id(modifier))
        if cached is None:
            is_about_costs = any(query.field not in COUNTED for query in iterate_queries(modifier))
            cached = self._costs[id(modifier)] = modifier, is_about_costs
        return cached[1]


class CategoryMove(NamedTuple):
    """A category modifier, its node and, for an effect, the effect that must target the selection."""

    modifier: Modifier
    source: Node
    effect: Effect | None = None


class Mover(NamedTuple):
    node: SelectionNode
    moves: list[CategoryMove]


MOST_ROUNDS = 30


class EffectiveCategories:
    """Categories after modifiers.

    Modifiers whose guards ask for no modified category see declared categories. The others apply in the order of list
    and data until nothing changes: a guard sees earlier results, and declared categories of later selections. If they
    never settle, the first round counts, and `undecided` lists the selections.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        roster: RosterNode,
        entries: CountIndex,
        also: Callable[[], CommanderCategories] = _list_nobody,
        lasting: LastingCategories | None = None,
    ) -> None:
        self._ruleset = ruleset
        self._roster = roster
        self._lasting = lasting
        self._declared = DeclaredCategories(also)
        self._scopes = Scopes(ruleset, roster, categories=self, counted=self)
        self._queries = Queries(ruleset, self._scopes, entries)
        self._conditions = Conditions(ruleset, self._scopes, self._queries)
        self.effects = EntryEffects(ruleset, self._scopes)
        self._are_reached = CATEGORY in self.effects.fields
        self._has_command = bool(ruleset.command_id)
        self._modifier_keys = ruleset.derive(AskedCategories, AskedCategories)
        self._memberships: dict[SelectionNode, CategoryMembership] = {}
        self._independent: set[SelectionNode] = set()
        """Selections whose guards do not depend on other categories."""
        self._entries = entries
        self._is_settled = self._is_settling = False
        self._undecided: tuple[SelectionNode, ...] = ()

    def take_over(self, other: "EffectiveCategories") -> None:
        """Share the results found without a commander, because this roster has none."""
        # Once settling has begun, partial results are in use.
        if not self._is_settling:
            self._memberships, self._independent = other._memberships, other._independent
            self._is_settled, self._undecided = other._is_settled, other._undecided

    @property
    def undecided(self) -> tuple[SelectionNode, ...]:
        if not self._is_settled:
            self._settle()
        return self._undecided

    def get_membership(self, node: SelectionNode) -> CategoryMembership:
        membership = self.get_uncommanded(node)
        return self._declared.add_command(node, membership) if self._has_command else membership

    def get_uncommanded(self, node: SelectionNode) -> CategoryMembership:
        """Leave out the commander's category. The result is intermediate while categories settle."""
        option = node.option
        if option is None:
            return NONE
        if not (option.moves_category or self._are_reached):
            return option.membership
        if not self._is_settled:
            self._settle()
        membership = self._memberships.get(node) or (self._lasting and self._lasting.get(node))
        if not membership:
            if node.document is None and node.footprint:
                membership = self._preview(node, option, node.footprint)
            else:
                membership = self._apply_modifiers(node)
            if self._lasting:
                self._lasting.keep(node, membership)
        return membership

    def _preview(self, node: SelectionNode, option: CompiledOption, footprint: Footprint) -> CategoryMembership:
        moves = self._begin(node)
        # Costs are unknown until categories settle, so note the result instead of the questions.
        if any(self._modifier_keys.asks_costs(move.modifier) for move in moves):
            membership = self._apply_moves(node, moves)
            token = node.parent.token if isinstance(node.parent, ForceNode) else None
            footprint.note(Ask.CATEGORIES, option, None, token, membership)
            return membership
        is_noting, self._queries.notes_footprints = self._queries.notes_footprints, True
        try:
            return self._apply_moves(node, moves)
        finally:
            self._queries.notes_footprints = is_noting

    def _apply_modifiers(self, node: SelectionNode) -> CategoryMembership:
        return self._apply_moves(node, self._begin(node))

    def _begin(self, node: SelectionNode) -> list[CategoryMove]:
        # Stored first, so that a guard about this selection does not recurse.
        self._memberships[node] = self._declared.get_uncommanded(node)
        return self._list_moves(node)

    def _apply_moves(self, node: SelectionNode, moves: list[CategoryMove]) -> CategoryMembership:
        membership = self._memberships[node]
        # If every count asked for effective categories, large lists would exceed Python's recursion limit.
        conditions = self._declared_conditions if node in self._independent else self._conditions
        for move in moves:
            if self._applies(move, node, conditions):
                membership = self._memberships[node] = _change_membership(membership, move.modifier)
        return membership

    @cached_property
    def _declared_conditions(self) -> Conditions:
        scopes = Scopes(self._ruleset, self._roster, categories=self._declared, counted=self._declared)
        return Conditions(self._ruleset, scopes, Queries(self._ruleset, scopes, self._entries))

    def _applies(self, move: CategoryMove, node: SelectionNode, conditions: Conditions) -> bool:
        is_about_it = move.effect is None or is_meant(self._scopes, move.effect, node)
        return is_about_it and conditions.count_times(move.modifier, move.source) > 0

    def _list_moves(self, node: SelectionNode) -> list[CategoryMove]:
        option = node.option
        if option is None:
            return []
        if node.members:
            key: tuple[object, CompiledOption] = (list_category_modifiers, option)
            modifiers = self._ruleset.derive(key, lambda: list_category_modifiers(option))
        else:
            # New selections are empty, and most modifiers ask for contents.
            key = (needs_contents, option)
            modifiers = self._ruleset.derive(
                key, lambda: [m for m in list_category_modifiers(option) if not needs_contents(m.guard)]
            )
        moves = [CategoryMove(modifier, node) for modifier in modifiers]
        covering = self.effects.list_covering(node, CATEGORY) if self._are_reached else NO_EFFECTS
        if not covering:
            return moves
        # An effect may target a category that another effect adds.
        names = {*self._declared.get_uncommanded(node).ids, *(modifier.value for modifier in modifiers)}
        meaning: list[EntryEffect] = []
        while more := [
            reached
            for reached in covering
            if reached.effect.entry_id in names or is_meant(self._scopes, reached.effect, node)
        ]:
            meaning += more
            orders = {reached.order for reached in more}
            covering = [reached for reached in covering if reached.order not in orders]
            names.update(reached.modifier.value for reached in more)
        meaning.sort(key=lambda reached: reached.order)
        return moves + [CategoryMove(reached.modifier, reached.source, reached.effect) for reached in meaning]

    # ---- what depends on the order -------------------------------------------------------------------------------

    def _settle(self) -> None:
        self._is_settled = self._is_settling = True
        candidates = [
            node
            for node in self._roster.selections
            if node.option and (node.option.moves_category or self._are_reached)
        ]
        self._memberships = {node: self._declared.get_uncommanded(node) for node in candidates}
        movers = [Mover(node, self._list_moves(node)) for node in candidates]
        self._scopes.forget_slots()
        moved = {move.modifier.value for mover in movers for move in mover.moves}
        if moved:
            moved.add(Scope.PRIMARY_CATEGORY)
        ordered = []
        for mover in movers:
            if any(not moved.isdisjoint(self._list_asked(move)) for move in mover.moves):
                ordered.append(mover)
            elif mover.moves:
                self._independent.add(mover.node)
                del self._memberships[mover.node]
        self._settle_in_order(ordered)
        self._is_settling = False

    def _list_asked(self, move: CategoryMove) -> frozenset[str]:
        names = self._modifier_keys.list_asked(move.modifier)
        return names | {move.effect.entry_id} if move.effect and move.effect.entry_id else names

    def _settle_in_order(self, ordered: list[Mover]) -> None:
        first: list[CategoryMembership] = []
        changed: list[SelectionNode] = []
        for _ in range(MOST_ROUNDS):
            before = [self._memberships[mover.node] for mover in ordered]
            for node, moves in ordered:
                # No guard may see its own selection's result from the previous round.
                self._put(node, self._declared.get_uncommanded(node))
                for move in moves:
                    if self._applies(move, node, self._conditions):
                        self._put(node, _change_membership(self._memberships[node], move.modifier))
            after = [self._memberships[mover.node] for mover in ordered]
            first = first or after
            changed = [mover.node for mover, old, new in zip(ordered, before, after, strict=True) if old != new]
            if not changed:
                return
        self._undecided = tuple(changed)
        for mover, membership in zip(ordered, first, strict=True):
            self._put(mover.node, membership)

    def _put(self, node: SelectionNode, membership: CategoryMembership) -> None:
        old = self._memberships[node]
        self._memberships[node] = membership
        if old.ids != membership.ids:
            self._queries.recategorise(node, old.ids, membership.ids)
            self._scopes.forget_slots()
            self._conditions.forget()


def _change_membership(membership: CategoryMembership, modifier: Modifier) -> CategoryMembership:
    category_id, (ids, primary) = modifier.value, membership
    if modifier.change in (Change.REMOVE, Change.UNSET_PRIMARY):
        if modifier.change is Change.REMOVE:
            ids = tuple(i for i in ids if i != category_id)
        return CategoryMembership(ids, "" if primary == category_id else primary)
    extended_ids = ids if category_id in ids else (*ids, category_id)
    if modifier.change in (Change.SET_PRIMARY, Change.SET):
        return CategoryMembership(extended_ids, category_id)
    return CategoryMembership(extended_ids, primary) if modifier.change is Change.ADD else membership
