"""The categories of a selection: as declared, and after modifiers."""

from collections.abc import Callable, Mapping
from functools import cached_property
from itertools import chain

from catalogue.definitions.queries import Change, Field, Modifier, Scope, needs_contents
from catalogue.graph.compiled_constraints import iterate_queries
from catalogue.graph.compiled_entry import CategoryMembership, CompiledOption
from catalogue.graph.ruleset import Ruleset
from roster.engine.conditions import Conditions
from roster.engine.effects import CATEGORY, EntryEffects
from roster.engine.footprints import Ask
from roster.engine.nodes import ForceNode, RosterNode, SelectionNode
from roster.engine.queries import CountIndex, Queries
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


class EffectiveCategories:
    """Categories after modifiers.

    A modifier's guard counts declared categories and asks enclosing selections for their effective ones, so that the
    outcome depends on no order: what a selection is never depends on what others became. `lasting` remembers across
    evaluations what can be remembered.
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
        self._lasting = lasting
        self._declared = DeclaredCategories(also)
        # Guards ask what is around for what it is, but count what is declared; so no count depends on its own outcome.
        scopes = Scopes(ruleset, roster, categories=self, counted=self._declared)
        self._conditions = Conditions(ruleset, scopes, Queries(ruleset, scopes, entries))
        self.effects = EntryEffects(ruleset, scopes)
        # What is the same for all selections is looked up once: they are asked what they are by the hundred.
        self._are_reached = CATEGORY in self.effects.fields
        self._has_command = bool(ruleset.command_id)
        self._known: dict[SelectionNode, CategoryMembership] = {}

    def take_over(self, other: "EffectiveCategories") -> None:
        """Take over what was worked out for a roster in which nobody is anything `also`, where that is so here."""
        # Shared on purpose: what one of them works out from now on, the other has, too.
        self._known = other._known

    def get_membership(self, node: SelectionNode) -> CategoryMembership:
        """Return all categories of `node`, the commander's included."""
        membership = self.get_uncommanded(node)
        return self._declared.add_command(node, membership) if self._has_command else membership

    def get_uncommanded(self, node: SelectionNode) -> CategoryMembership:
        """Return the categories of `node` but that of commanding; while they are worked out, the declared ones."""
        option = node.option
        if option is None:
            return NONE
        if not (option.moves_category or self._are_reached):
            return option.membership
        membership = self._known.get(node) or (self._lasting and self._lasting.get(node))
        if not membership:
            # Put there before it is worked out: a guard that asks about this very selection must not loop.
            self._known[node] = self._declared.get_uncommanded(node)
            membership = self._known[node] = self._apply_modifiers(node)
            # What is in the list is compared from one evaluation to the next, what would be there has to be asked.
            if node.document is None and node.footprint:
                token = node.parent.token if isinstance(node.parent, ForceNode) else None
                node.footprint.note(Ask.CATEGORIES, option, None, token, membership)
            if self._lasting:
                self._lasting.keep(node, membership)
        return membership

    def _apply_modifiers(self, node: SelectionNode) -> CategoryMembership:
        membership = self._declared.get_uncommanded(node)
        option = node.option
        if option is None:
            return membership
        if node.members:
            key: tuple[object, CompiledOption] = (list_category_modifiers, option)
            modifiers = self._ruleset.derive(key, lambda: list_category_modifiers(option))
        else:
            # All that is on offer is bare at first, and nearly all modifiers ask for something that is chosen inside.
            key = (needs_contents, option)
            modifiers = self._ruleset.derive(
                key, lambda: [m for m in list_category_modifiers(option) if not needs_contents(m.guard)]
            )
        for modifier in modifiers:
            if self._conditions.count_times(modifier, node) > 0:
                membership = _change_membership(membership, modifier)
        # Behind its own modifiers: what others do to a selection is done to what it makes of itself.
        for effect in self.effects.list_reaching(node, CATEGORY):
            if self._conditions.count_times(effect.modifier, effect.source) > 0:
                membership = _change_membership(membership, effect.modifier)
        return membership


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
