"""Who commands a list: the highest in rank, and of several the one declared to lead."""

from collections.abc import Callable, Container, Iterable, Mapping
from functools import cached_property

from catalogue.definitions.constraints import CommanderRule
from catalogue.definitions.numbers import Number
from catalogue.graph.ruleset import Ruleset
from roster.engine.categories import CommanderCategories, EffectiveCategories
from roster.engine.nodes import RosterNode, SelectionNode


class CommanderSearch:
    """The selections that could command a list, those of the highest rank among them, and the commander.

    `commander` is None where nobody can, or where it is open between several. `declared` are the selections that
    the player declared to lead a force; whoever holds some of those who could stands for the highest of them, of equals
    for the first: nobody can declare who is inside. With `supposed`, the id of a selection, that one is taken to be the
    only one declared.
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
        # A selection may represent several alike: two of them commanding is as wrong as two rows.
        self.contested = chosen if _count_total(chosen) > 1 and not supposed else []
        """The declared ones of the highest rank, if there is more than one."""
        # A single one of the highest rank commands, whichever else was declared.
        candidates = self.highest if _count_total(self.highest) == 1 else chosen
        self.commander = candidates[0] if len(candidates) == 1 and not self.contested else None

    @property
    def is_open(self) -> bool:
        """Whether somebody can command, and it is open who does."""
        return self.commander is None and bool(self.highest)


class AwaitedCommander:
    """Who commands a list, found only if something depends on it, since everybody has to be looked at.

    `categories` are those of the list, which ask back who commands; `uncommanded` makes some that do not.
    """

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
        """The search for the commander; None where the data knows none."""
        system = self._ruleset.binding.game_system
        if system is None or system.command is None:
            return None
        uncommanded = self._make_uncommanded()
        search = CommanderSearch(system.command, self._roster, uncommanded, self._supposed)
        # If nobody commands, both ways of asking come to the same, and one of them is worked out.
        if search.commander is None:
            self.categories.take_over(uncommanded)
        # They know their own conditions, which know them.
        vars(uncommanded).clear()
        return search

    def list_categories(self) -> CommanderCategories:
        """Return the commander, by what commanding makes it."""
        search = self.search
        return {search.commander: search.command.id} if search and search.commander else {}


def get_rank(node: SelectionNode, type_id: str) -> Number:
    """Return the highest printed value of a cost type among a selection and what is in it."""
    # As printed, before modifiers: who commands decides modifiers, and must not depend on them.
    values = (inner.option.entry.costs.get(type_id, 0) for inner in node.walk() if inner.option)
    return max(values, default=0)


def _count_total(nodes: Iterable[SelectionNode]) -> int:
    return sum(node.total for node in nodes)


def _list_declared(roster: RosterNode, ranks: Mapping[SelectionNode, Number], supposed: str) -> list[SelectionNode]:
    """List who is declared to lead: a selection itself, or of those inside it who could command the first highest."""
    leader_ids = {leader_id for force in roster.all_forces for leader_id in force.document.leading}
    declared_ids = {supposed} if supposed else leader_ids
    named = [node for node in roster.selections if node.document is not None and node.document.id in declared_ids]
    # A player names the unit on the page; the one who commands may be a model in it.
    return [max(_list_able(node, ranks), key=lambda one: ranks.get(one, 0)) for node in named]


def _list_able(node: SelectionNode, able: Container[SelectionNode]) -> list[SelectionNode]:
    """List those inside a declared selection who could command; where nobody can, or it can itself, just that one."""
    if node in able:
        return [node]
    return [inner for inner in node.walk() if inner in able] or [node]
