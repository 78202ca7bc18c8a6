"""The categories of a selection: as declared, and after modifiers."""

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
"""Single selections that are of a category beyond what their entries say."""


def _list_nobody() -> CommanderCategories:
    return {}


class DeclaredCategories:
    """The categories that links of an entry, its link and its groups name, and what a selection is `also`."""

    def __init__(self, also: Callable[[], CommanderCategories]) -> None:
        self._ask = also

    @cached_property
    def _commander_categories(self) -> CommanderCategories:
        return self._ask()

    def get_membership(self, node: SelectionNode) -> CategoryMembership:
        """Return all categories of `node`, the commander's included."""
        return self.add_command(node, self.get_uncommanded(node))

    def get_uncommanded(self, node: SelectionNode) -> CategoryMembership:
        """Return the categories of `node` without asking who commands, for which everybody would be looked at."""
        return node.option.membership if node.option else NONE

    def add_command(self, node: SelectionNode, membership: CategoryMembership) -> CategoryMembership:
        """Return `membership` with what `node` is `also`: behind what it is declared to be, before what it became."""
        # Asked last of all: the commander is found by what everybody else is.
        more = self._commander_categories.get(node)
        if not more:
            return membership
        declared = self.get_uncommanded(node).ids
        place = sum(1 for category_id in membership.ids if category_id in declared)
        return CategoryMembership((*membership.ids[:place], more, *membership.ids[place:]), membership.primary)


class LastingCategories:
    """Memberships that hold from one evaluation to the next while a roster grows.

    Kept are those of selections whose modifiers ask for nothing but what is inside the selection: everything else may
    change with each thing added anywhere. Whoever changes a selection, or something inside it, forgets it here.
    """

    def __init__(self, ruleset: Ruleset) -> None:
        self._ruleset = ruleset
        self._memberships: dict[SelectionNode, CategoryMembership] = {}
        self._kept_options: dict[CompiledOption, bool] = {}

    def get(self, node: SelectionNode) -> CategoryMembership | None:
        """Return what is known of `node`."""
        return self._memberships.get(node)

    def keep(self, node: SelectionNode, membership: CategoryMembership) -> None:
        """Remember the membership of a selection that is in the roster, if it depends on nothing outside."""
        if node.document and node.option and self._is_lasting(node.option):
            self._memberships[node] = membership

    def forget(self, node: SelectionNode) -> None:
        """Forget what `node` is, so that it is worked out when it is next asked for."""
        self._memberships.pop(node, None)

    def _is_lasting(self, option: CompiledOption) -> bool:
        keeps = self._kept_options.get(option)
        if CATEGORY in self._ruleset.effect_fields:
            return False  # whatever is added may bring an effect on what is there
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
    """Return the modifiers of categories of an option and its groups, in the order in which they apply."""
    if not option.moves_category:
        return []
    entries = (option.entry, *(group.entry for group in option.groups))
    return [modifier for entry in entries for modifier in entry.modifiers.get("category", ())]


class AskedCategories:
    """Tells which categories the guards and repeats of modifiers ask for; each modifier of a ruleset is read once."""

    def __init__(self) -> None:
        self._asked: dict[int, tuple[Modifier, frozenset[str]]] = {}
        self._costs: dict[int, tuple[Modifier, bool]] = {}

    def list_asked(self, modifier: Modifier) -> frozenset[str]:
        """Return the ids and scopes that the queries of a modifier name: those that are categories, among others."""
        known = self._asked.get(id(modifier))
        if known is None:
            queries = list(iterate_queries(modifier))
            names = {name for query in queries for name in (query.child_id, query.scope) if name}
            # With the modifier itself, so that its id never becomes that of another.
            known = self._asked[id(modifier)] = modifier, frozenset(names)
        return known[1]

    def asks_costs(self, modifier: Modifier) -> bool:
        """Return whether the queries of a modifier ask for anything else than how many there are of something."""
        known = self._costs.get(id(modifier))
        if known is None:
            is_about_costs = any(query.field not in COUNTED for query in iterate_queries(modifier))
            known = self._costs[id(modifier)] = modifier, is_about_costs
        return known[1]


class CategoryMove(NamedTuple):
    """A modifier that may move a selection between categories, and the node that it is judged from.

    `effect` is what brought it if another thing did, or the selection's own reach: it only counts while it means the
    selection.
    """

    modifier: Modifier
    source: Node
    effect: Effect | None = None


class Mover(NamedTuple):
    """A selection whose categories may be changed, and by what, in this order."""

    node: SelectionNode
    moves: list[CategoryMove]


MOST_ROUNDS = 30
"""How often categories that depend on each other are settled: so long a chain against the order is in no data."""


class EffectiveCategories:
    """Categories after modifiers.

    A modifier whose guard asks for no category that modifiers move in this roster has an answer that depends on no
    order, and is judged as if all selections were what they are declared to be. All others are settled one after the
    other, in the order of the list and of the data: each guard sees what has become of everything before it, and the
    declared categories of what comes after it. Then rounds follow, in which each sees what became of those after it in
    the round before, until a round changes nothing. If that never happens, the guards depend on each other in a circle:
    the first round holds, and `undecided` names the selections.

    `lasting` remembers across evaluations what can be remembered.
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
        # What is the same for all selections is looked up once: they are asked what they are by the hundred.
        self._are_reached = CATEGORY in self.effects.fields
        self._has_command = bool(ruleset.command_id)
        self._asked = ruleset.derive(AskedCategories, AskedCategories)
        self._known: dict[SelectionNode, CategoryMembership] = {}
        self._independent: set[SelectionNode] = set()
        """Selections whose guards ask for no category that is moved; each is worked out when somebody asks."""
        self._entries = entries
        self._is_settled = self._is_settling = False
        self._undecided: tuple[SelectionNode, ...] = ()

    def take_over(self, other: "EffectiveCategories") -> None:
        """Take over what was worked out for a roster in which nobody is anything `also`, where that is so here."""
        # What counts already on what it has settled so far goes on with that.
        if not self._is_settling:
            # Shared on purpose: what one of them works out from now on, the other has, too.
            self._known, self._independent = other._known, other._independent
            self._is_settled, self._undecided = other._is_settled, other._undecided

    @property
    def undecided(self) -> tuple[SelectionNode, ...]:
        """The selections whose guards depend on each other in a circle, so that only their order decided."""
        if not self._is_settled:
            self._settle()
        return self._undecided

    def get_membership(self, node: SelectionNode) -> CategoryMembership:
        """Return all categories of `node`, the commander's included."""
        membership = self.get_uncommanded(node)
        return self._declared.add_command(node, membership) if self._has_command else membership

    def get_uncommanded(self, node: SelectionNode) -> CategoryMembership:
        """Return the categories of `node` but that of commanding; while they are settled, what it is so far."""
        option = node.option
        if option is None:
            return NONE
        if not (option.moves_category or self._are_reached):
            return option.membership
        if not self._is_settled:
            self._settle()
        membership = self._known.get(node) or (self._lasting and self._lasting.get(node))
        if not membership:
            # What is in the list is compared from one evaluation to the next, what would be there has to be asked.
            if node.document is None and node.footprint:
                membership = self._preview(node, option, node.footprint)
            else:
                membership = self._apply_modifiers(node)
            if self._lasting:
                self._lasting.keep(node, membership)
        return membership

    def _preview(self, node: SelectionNode, option: CompiledOption, footprint: Footprint) -> CategoryMembership:
        """Work out the categories of a selection that is not in the list, and note what they follow from."""
        if isinstance(node.parent, ForceNode):
            membership = self._apply_modifiers(node)
            footprint.note(Ask.CATEGORIES, option, None, node.parent.token, membership)
            return membership
        moves = self._begin(node)
        # Costs are not known yet while categories are asked for; once they are, the same question has another answer.
        if any(self._asked.asks_costs(move.modifier) for move in moves):
            footprint.is_repeatable = False
        self._queries.notes_footprints = True
        try:
            return self._apply_moves(node, moves)
        finally:
            self._queries.notes_footprints = False

    def _apply_modifiers(self, node: SelectionNode) -> CategoryMembership:
        """Work out the categories of a selection that others do not ask about while theirs are settled."""
        return self._apply_moves(node, self._begin(node))

    def _begin(self, node: SelectionNode) -> list[CategoryMove]:
        """Put down what a selection is declared to be, and list what may move it."""
        # Put there before it is complete: a guard that asks about this very selection must not loop.
        self._known[node] = self._declared.get_uncommanded(node)
        return self._list_moves(node)

    def _apply_moves(self, node: SelectionNode, moves: list[CategoryMove]) -> CategoryMembership:
        membership = self._known[node]
        # Counting asks what everybody is. If each of them counted in turn what the others have become, hundreds of
        # them would lead deeper than Python calls.
        conditions = self._declared_conditions if node in self._independent else self._conditions
        for move in moves:
            if self._applies(move, node, conditions):
                membership = self._known[node] = _change_membership(membership, move.modifier)
        return membership

    @cached_property
    def _declared_conditions(self) -> Conditions:
        """Conditions for which all selections are what they are declared to be."""
        scopes = Scopes(self._ruleset, self._roster, categories=self._declared, counted=self._declared)
        return Conditions(self._ruleset, scopes, Queries(self._ruleset, scopes, self._entries))

    def _applies(self, move: CategoryMove, node: SelectionNode, conditions: Conditions) -> bool:
        is_about_it = move.effect is None or is_meant(self._scopes, move.effect, node)
        return is_about_it and conditions.count_times(move.modifier, move.source) > 0

    def _list_moves(self, node: SelectionNode) -> list[CategoryMove]:
        """List what may move a selection: its own modifiers, and behind them what others do to it."""
        option = node.option
        if option is None:
            return []
        if node.members:
            key: tuple[object, CompiledOption] = (list_category_modifiers, option)
            modifiers = self._ruleset.derive(key, lambda: list_category_modifiers(option))
        else:
            # All that is on offer is bare at first, and nearly all modifiers ask for something that is chosen inside.
            key = (needs_contents, option)
            modifiers = self._ruleset.derive(
                key, lambda: [m for m in list_category_modifiers(option) if not needs_contents(m.guard)]
            )
        moves = [CategoryMove(modifier, node) for modifier in modifiers]
        covering = self.effects.list_covering(node, CATEGORY) if self._are_reached else NO_EFFECTS
        if not covering:
            return moves
        # What it may come to be called: an effect may mean a category that only another one adds.
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
        """Settle the selections whose guards ask for categories that others may be moved in or out of."""
        self._is_settled = self._is_settling = True
        candidates = [
            node
            for node in self._roster.selections
            if node.option and (node.option.moves_category or self._are_reached)
        ]
        # All are what they are declared to be until the places of effects are known and the order begins.
        self._known = {node: self._declared.get_uncommanded(node) for node in candidates}
        movers = [Mover(node, self._list_moves(node)) for node in candidates]
        self._scopes.forget_slots()
        moved = {move.modifier.value for mover in movers for move in mover.moves}
        if moved:
            # Which is the primary one changes as well.
            moved.add(Scope.PRIMARY_CATEGORY)
        ordered = []
        for mover in movers:
            if any(not moved.isdisjoint(self._list_asked(move)) for move in mover.moves):
                ordered.append(mover)
            elif mover.moves:
                # Whatever becomes of others, its answer is the same: it is worked out when somebody asks.
                self._independent.add(mover.node)
                del self._known[mover.node]
        self._settle_in_order(ordered)
        self._is_settling = False

    def _list_asked(self, move: CategoryMove) -> frozenset[str]:
        """Return the categories that decide whether a move applies, among other names."""
        asked = self._asked.list_asked(move.modifier)
        return asked | {move.effect.entry_id} if move.effect and move.effect.entry_id else asked

    def _settle_in_order(self, ordered: list[Mover]) -> None:
        first: list[CategoryMembership] = []
        changed: list[SelectionNode] = []
        for _ in range(MOST_ROUNDS):
            before = [self._known[mover.node] for mover in ordered]
            for node, moves in ordered:
                # Each starts anew, so that no guard sees what its own selection was in the round before.
                self._put(node, self._declared.get_uncommanded(node))
                for move in moves:
                    if self._applies(move, node, self._conditions):
                        self._put(node, _change_membership(self._known[node], move.modifier))
            after = [self._known[mover.node] for mover in ordered]
            first = first or after
            changed = [mover.node for mover, old, new in zip(ordered, before, after, strict=True) if old != new]
            if not changed:
                return
        self._undecided = tuple(changed)
        for mover, membership in zip(ordered, first, strict=True):
            self._put(mover.node, membership)

    def _put(self, node: SelectionNode, membership: CategoryMembership) -> None:
        """Note what a selection is from now on, and forget what was answered while it was something else."""
        old = self._known[node]
        self._known[node] = membership
        if old.ids != membership.ids:
            self._queries.recategorise(node, old.ids, membership.ids)
            self._scopes.forget_slots()
            self._conditions.forget()


def _change_membership(membership: CategoryMembership, modifier: Modifier) -> CategoryMembership:
    category_id, (ids, primary) = modifier.value, membership
    if modifier.change in (Change.REMOVE, Change.UNSET_PRIMARY):
        # The category goes, or it only stops being the primary one.
        if modifier.change is Change.REMOVE:
            ids = tuple(i for i in ids if i != category_id)
        return CategoryMembership(ids, "" if primary == category_id else primary)
    extended_ids = ids if category_id in ids else (*ids, category_id)
    if modifier.change in (Change.SET_PRIMARY, Change.SET):
        return CategoryMembership(extended_ids, category_id)
    return CategoryMembership(extended_ids, primary) if modifier.change is Change.ADD else membership
