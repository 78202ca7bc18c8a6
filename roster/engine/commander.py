"""Who commands a list: the highest in rank, and of several the one declared to lead."""

from collections.abc import Container, Iterator

from catalogue.definitions.constraints import CommanderRule
from catalogue.definitions.numbers import Number
from catalogue.graph.ruleset import Ruleset
from roster.engine.categories import EffectiveCategories
from roster.engine.nodes import RosterNode, SelectionNode


class CommanderSearch:
    """Those who could command a list by its data, those of the highest rank among them, and who does.

    `commander` is None where nobody can, or where it is open between several. `declared` are the selections that
    the player declared to lead a force; whoever holds some of those who could stands for them. With `supposed`, the id
    of a selection, that one is taken to be the only one declared.
    """

    def __init__(
        self, command: CommanderRule, roster: RosterNode, categories: EffectiveCategories, supposed: str = ""
    ) -> None:
        able = [node for node in roster.selections if command.of in categories.get_membership(node).ids]
        ranks = {node: get_rank(node, command.by) for node in able}
        highest = max(ranks.values(), default=0)
        named = (
            {supposed} if supposed else {own for force in roster.all_forces for own in force.document.leading}
        )
        declared = [node for node in roster.selections if node.document and node.document.id in named]
        self.command = command
        self.able = sum(node.total for node in able)
        self.rank = highest
        self.highest = [node for node, rank in ranks.items() if rank == highest]
        self.declared = [each for node in declared for each in _resolve_declared(node, ranks)]
        leaders = set(self.declared)
        chosen = [node for node in self.highest if node in leaders]
        self.contested = chosen if sum(node.total for node in chosen) > 1 and not supposed else []
        """Those of the highest rank that are declared, where that is more than one."""
        found = self.highest if sum(node.total for node in self.highest) == 1 else chosen
        self.commander = found[0] if len(found) == 1 and not self.contested else None

    @property
    def is_open(self) -> bool:
        """Whether somebody can command, and it is open who does."""
        return self.commander is None and bool(self.highest)


def search_commander(
    ruleset: Ruleset, roster: RosterNode, categories: EffectiveCategories, supposed: str = ""
) -> CommanderSearch | None:
    """Who commands; None where the data knows no such thing. `categories` know of no commander yet."""
    system = ruleset.binding.game_system
    return (
        CommanderSearch(system.command, roster, categories, supposed) if system and system.command else None
    )


def get_rank(node: SelectionNode, cost: str) -> Number:
    """The highest printed value of a cost among a selection and what is in it."""
    return max((own.option.entry.costs.get(cost, 0) for own in _all(node) if own.option), default=0)


def _resolve_declared(node: SelectionNode, able: Container[SelectionNode]) -> list[SelectionNode]:
    """Who is meant by a selection that was declared: itself, or those inside it who could command."""
    inside = [own for own in _all(node) if own in able]
    return inside if inside and node not in able else [node]


def _all(node: SelectionNode) -> Iterator[SelectionNode]:
    yield node
    for member in node.members:
        yield from _all(member)
