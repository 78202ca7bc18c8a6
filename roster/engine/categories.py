"""What categories a selection belongs to: as declared, and after modifiers."""

from collections.abc import Callable, Mapping
from functools import cached_property

from catalogue.definitions.queries import Change, Modifier
from roster.engine.compile import Ruleset
from roster.engine.conditions import Conditions
from roster.engine.index import Tally
from roster.engine.queries import Queries
from roster.engine.scopes import Scopes
from roster.engine.state import RosterNode, SelectionNode
from roster.engine.templates import Membership

NONE = Membership(())

Also = Mapping[SelectionNode, str]
"""Single selections that are of a category beyond what their entries say."""


def _nobody() -> Also:
    return {}


class DeclaredCategories:
    """The categories that links of an entry, its link and its groups name, and what a selection is `also`."""

    def __init__(self, also: Callable[[], Also]) -> None:
        self._ask = also

    @cached_property
    def _also(self) -> Also:
        return self._ask()

    def of(self, node: SelectionNode) -> Membership:
        found = node.option.membership if node.option else NONE
        more = self._also.get(node)
        return Membership((*found.ids, more), found.primary) if more else found


class EffectiveCategories:
    """Categories after modifiers.

    A modifier's guard counts declared categories and asks enclosing selections for their effective ones, so that the
    outcome depends on no order: what a selection is never depends on what others became.
    """

    def __init__(
        self, ruleset: Ruleset, roster: RosterNode, entries: Tally, also: Callable[[], Also] = _nobody
    ) -> None:
        self._declared = DeclaredCategories(also)
        scopes = Scopes(ruleset, roster, categories=self, counted=self._declared)
        self._conditions = Conditions(scopes, Queries(ruleset, scopes, entries))
        self._known: dict[SelectionNode, Membership] = {}

    def adopt(self, other: "EffectiveCategories") -> None:
        """Take over what was worked out for a roster in which nobody is anything `also`, where that is so here."""
        self._known = other._known

    def of(self, node: SelectionNode) -> Membership:
        """The categories of `node`; while they are being worked out, the declared ones."""
        option = node.option
        if option is None or not option.moves_category:
            return self._declared.of(node)
        found = self._known.get(node)
        if found is None:
            self._known[node] = self._declared.of(node)
            found = self._known[node] = self._changed(node)
        return found

    def _changed(self, node: SelectionNode) -> Membership:
        membership = self._declared.of(node)
        if node.option is None:
            return membership
        for owner in (node.option.template, *(g.template for g in node.option.groups)):
            for modifier in owner.modifiers.get("category", ()):
                if self._conditions.times(modifier, node) > 0:
                    membership = _moved(membership, modifier)
        return membership


def _moved(membership: Membership, modifier: Modifier) -> Membership:
    category_id, (ids, primary) = modifier.value, membership
    if modifier.change is Change.REMOVE:
        kept = tuple(i for i in ids if i != category_id)
        return Membership(kept, "" if primary == category_id else primary)
    if modifier.change is Change.UNSET_PRIMARY:
        return Membership(ids, "" if primary == category_id else primary)
    with_it = ids if category_id in ids else (*ids, category_id)
    if modifier.change in (Change.SET_PRIMARY, Change.SET):
        return Membership(with_it, category_id)
    return Membership(with_it, primary) if modifier.change is Change.ADD else membership
