"""Categories of selections in a completed list, as statements."""

from collections.abc import Collection, Hashable, Iterable
from fractions import Fraction
from functools import cached_property
from itertools import chain
from typing import Protocol

from catalogue.definitions.queries import Change, Condition, Guard, Modifier, Operator, Query, Scope
from roster.engine.categories import list_category_modifiers
from roster.engine.completion.command import CommandChoice, find_command
from roster.engine.completion.linear import ZERO, Exact, Linear, Truth, add_known, find_known, negate, to_exact
from roster.engine.completion.prospects import Prospects
from roster.engine.nodes import Node, SelectionNode


class QueryReader(Protocol):
    def sum_query(self, query: Query, node: Node, owner_key: Hashable = None) -> tuple[Linear, Node] | None: ...

    def compute_unsummed(self, query: Query, node: Node) -> Linear | None: ...

    def state_applied(self, modifier: Modifier, node: Node) -> Truth: ...

    def read_change(self, modifier: Modifier, node: Node) -> tuple[Exact, Truth] | None: ...


class Memberships:
    def __init__(self, prospects: Prospects) -> None:
        self._prospects = prospects
        self._model = prospects.model
        self._ruleset = prospects.ruleset
        self._truths: dict[SelectionNode, dict[str, Truth]] = {}
        self._counts: dict[tuple[SelectionNode, str], Linear] = {}
        self.counts_declared = False
        """Whether queries must count declared categories, because the modified ones are being computed."""
        self.command: CommandChoice | None = None
        self._has_sought_command = False
        effects = self._ruleset.binding.effects
        self.from_effects = frozenset(
            effect.modifier.value for effect in effects if effect.modifier.field == "category"
        )
        """The categories that effects add or remove."""

    @cached_property
    def moved(self) -> frozenset[str]:
        options = {node.option for node in self._prospects.roster.selections if node.option}
        modifiers = chain.from_iterable(map(list_category_modifiers, options))
        return self.from_effects | {modifier.value for modifier in modifiers}

    def bind(self, questions: QueryReader) -> None:
        self._questions = questions

    def find_memberships(self, node: SelectionNode) -> dict[str, Truth]:
        cached: dict[str, Truth] | None = self._truths.get(node)
        if cached is None:
            cached = dict.fromkeys(list_declared(node), True)
            # Conditions of its own modifiers may ask for it.
            self._truths[node] = cached
            if node.option and node.option.moves_category:
                cached = self._truths[node] = self._move_categories(cached, list_category_modifiers(node.option), node)
            cached |= dict.fromkeys(self.from_effects)
        return cached

    def _move_categories(
        self, declared: dict[str, Truth], modifiers: Iterable[Modifier], node: SelectionNode
    ) -> dict[str, Truth]:
        """Leave the result unknown if guards count modified categories, because it then depends on the order."""
        memberships = dict(declared)
        before_all, self.counts_declared = self.counts_declared, True
        for modifier in modifiers:
            applies = self._questions.state_applied(modifier, node)
            truth = memberships.get(modifier.value, False)
            if modifier.change is Change.REMOVE:
                truth = self._model.state_all((truth, negate(applies)))
            elif modifier.change is not Change.UNSET_PRIMARY:
                truth = self._model.state_any((truth, applies))
            memberships[modifier.value] = truth
        self.counts_declared = before_all
        return {category_id: truth for category_id, truth in memberships.items() if truth is not False}

    def state_membership(self, node: SelectionNode, category_id: str) -> Truth:
        if category_id == self._ruleset.command_id:
            command = self.find_command()
            return command.state_commands(node) if command else None
        return self.find_memberships(node).get(category_id, False)

    def count_of_category(self, node: SelectionNode, category_id: str) -> Linear:
        key = (node, category_id)
        if key not in self._counts:
            total = self._prospects.get_total(node)
            counted = self._model.multiply(self.state_membership(node, category_id), total)
            if counted is None:
                counted = self._estimate_membership(node, category_id, total)
            self._counts[key] = counted
        return self._counts[key]

    def _estimate_membership(self, node: SelectionNode, category_id: str, total: Linear) -> Linear:
        counted = self._model.add_between(ZERO, total)
        changes = _list_category_changes(node, category_id)
        changed = add_known([self._limit_applied(change.guard, node) for change in changes]) if changes else None
        if changed is None or category_id in self.from_effects:
            return counted
        # If modifiers only remove a declared category, or only add another, they bound the number.
        is_declared = category_id in list_declared(node)
        if {change.change is Change.REMOVE for change in changes} == {is_declared}:
            self._model.require(counted + changed - total if is_declared else changed - counted, lower=0)
        return counted

    def _limit_applied(self, guard: Guard, node: SelectionNode) -> Linear | None:
        limits = [
            *(self._limit_met(condition, node) for condition in guard.conditions),
            *(self._limit_applied(inner, node) for inner in guard.guards),
        ]
        if guard.negated or not limits:
            return None
        return add_known(limits) if guard.any_of else find_known(limits)

    def _limit_met(self, condition: Condition, node: SelectionNode) -> Linear | None:
        query = condition.query
        if condition.operator is Operator.INSTANCE_OF and query.child_id == self._ruleset.command_id:
            command = self.find_command()
            is_about_node = self._prospects.evaluation.scopes.find_place(query.scope, node) is node
            if command is None or not is_about_node or node in self._prospects.closed:
                return None
            return command.count_commanding(node)

        is_enough = condition.operator is Operator.AT_LEAST and condition.value > 0
        if not is_enough or query.scope != Scope.SELF or query.percent:
            return None
        summed = self._questions.sum_query(query, node)
        return summed[0] * (1 / Fraction(to_exact(condition.value))) if summed else None

    # ---- the commander -------------------------------------------------------------------------------------------

    def find_command(self) -> CommandChoice | None:
        """Return None while the commander is computed or if there are too many candidates."""
        system = self._ruleset.binding.game_system
        if not self._has_sought_command and system and system.command:
            # Finding the candidates calls this method again.
            self._has_sought_command = True
            self.command = find_command(self._prospects, system.command, self._state_uncommanded)
        return self.command

    def _state_uncommanded(self, node: SelectionNode, category_id: str) -> Truth:
        if category_id in self.from_effects:
            return None
        is_declared = category_id in list_declared(node)
        moved = self._move_categories({category_id: is_declared}, _list_category_changes(node, category_id), node)
        return moved.get(category_id, False)


def list_declared(node: SelectionNode) -> Collection[str]:
    return node.option.membership.ids if node.option else ()


def _list_category_changes(node: SelectionNode, category_id: str) -> list[Modifier]:
    modifiers = list_category_modifiers(node.option) if node.option else []
    return [m for m in modifiers if m.value == category_id and m.change is not Change.UNSET_PRIMARY]
