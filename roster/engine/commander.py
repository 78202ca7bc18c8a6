"""Find the commander: the highest-ranked candidate or, among equals, the declared one."""

from collections.abc import Callable, Container, Iterable, Mapping
from functools import cached_property

from catalogue.definitions.constraints import CommanderRule
from catalogue.definitions.numbers import Number
from catalogue.graph.ruleset import Ruleset
from roster.engine.categories import CommanderCategories, EffectiveCategories
from roster.engine.nodes import RosterNode, SelectionNode


class CommanderSearch:
    """The candidates for commander, and the commander if decided.

    A declared unit counts as its highest-ranked candidate. In a trial only `supposed` is declared.
    """

    def __init__(
        self, command: CommanderRule, roster: RosterNode, categories: EffectiveCategories, supposed: str = ""
    ) -> None:
        able = [node for node in roster.selections if command.of in categories.get_membership(node).ids]
        ranks = {node: get_rank(node, command.by) for node in able}
        self.command = command
        self.able = _count_total(ranks)
        self.rank = max(ranks.values(), default=0)
        self.highest = [node for node, rank in ranks.items() if rank == self.rank]
        self.declared = _list_declared(roster, ranks, supposed)
        declared = set(self.declared)
        chosen = [node for node in self.highest if node in declared]
        # One selection may be several equal models, of which only one can command.
        self.contested = chosen if _count_total(chosen) > 1 and not supposed else []
        """The declared candidates of the highest rank, if several."""
        # A single candidate of the highest rank commands, even if another is declared.
        candidates = self.highest if _count_total(self.highest) == 1 else chosen
        self.commander = candidates[0] if len(candidates) == 1 and not self.contested else None

    @property
    def is_open(self) -> bool:
        return self.commander is None and bool(self.highest)


class AwaitedCommander:
    """Finds the commander on demand, because the search evaluates all selections."""

    categories: EffectiveCategories

    def __init__(
        self, ruleset: Ruleset, roster: RosterNode, uncommanded: Callable[[], EffectiveCategories], supposed: str
    ) -> None:
        self._ruleset = ruleset
        self._roster = roster
        self._make_uncommanded = uncommanded
        self._supposed = supposed

    @cached_property
    def search(self) -> CommanderSearch | None:
        system = self._ruleset.binding.game_system
        if system is None or system.command is None:
            return None
        uncommanded = self._make_uncommanded()
        search = CommanderSearch(system.command, self._roster, uncommanded, self._supposed)
        # Without a commander both sets of categories are equal.
        if search.commander is None:
            self.categories.take_over(uncommanded)
        # Break reference cycles.
        vars(uncommanded).clear()
        return search

    def list_categories(self) -> CommanderCategories:
        search = self.search
        return {search.commander: search.command.id} if search and search.commander else {}


def get_rank(node: SelectionNode, type_id: str) -> Number:
    """Use printed values: modifiers may depend on the commander."""
    values = (inner.option.entry.costs.get(type_id, 0) for inner in node.walk() if inner.option)
    return max(values, default=0)


def _count_total(nodes: Iterable[SelectionNode]) -> int:
    return sum(node.total for node in nodes)


def _list_declared(roster: RosterNode, ranks: Mapping[SelectionNode, Number], supposed: str) -> list[SelectionNode]:
    leader_ids = {leader_id for force in roster.all_forces for leader_id in force.document.leading}
    declared_ids = {supposed} if supposed else leader_ids
    nodes = [node for node in roster.selections if node.document is not None and node.document.id in declared_ids]
    return [max(_list_able(node, ranks), key=lambda one: ranks.get(one, 0)) for node in nodes]


def _list_able(node: SelectionNode, able: Container[SelectionNode]) -> list[SelectionNode]:
    if node in able:
        return [node]
    return [inner for inner in node.walk() if inner in able] or [node]
