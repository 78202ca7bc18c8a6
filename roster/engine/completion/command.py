"""The commander of a completed list, as a statement about each selection that could command."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import inf
from typing import NamedTuple

from catalogue.definitions.constraints import CommanderRule
from catalogue.definitions.numbers import Number
from roster.engine.completion.linear import ZERO, Linear, Literal, Truth, add_all
from roster.engine.completion.prospects import Prospects, may_hold
from roster.engine.nodes import SelectionNode

MOST_CANDIDATES = 400
"""How many of those who could command a model tells apart."""


class PossibleCommander(NamedTuple):
    """Somebody who could command: whether it is of those who may, and between which ranks it stands."""

    node: SelectionNode
    able: Truth
    commands: Literal
    lowest: Number
    highest: float

    def outranks(self, other: "PossibleCommander") -> bool:
        """Whether the rank is higher than another's, whatever both take."""
        return self.lowest > other.highest

    def may_outrank(self, other: "PossibleCommander") -> bool:
        """Whether it hangs on what both take which of them is of the higher rank."""
        return self is not other and other.lowest < self.highest and self.lowest <= other.highest


class CommandChoice:
    """Says who commands, as `roster.engine.commander` does: the one of the highest rank, or of several any or none.

    `able` are those who may command, or may turn out to.
    """

    def __init__(self, prospects: Prospects, rule: CommanderRule, able: Mapping[SelectionNode, Truth]) -> None:
        self._prospects = prospects
        self._model = prospects.model
        self._rule = rule
        self.of = rule.of
        self._candidates = {node: self._create_candidate(node, truth) for node, truth in able.items()}
        candidates = [*self._candidates.values()]
        self._demand_single(candidates)
        for candidate in candidates:
            # Each is compared with all others.
            prospects.budget.spend(len(candidates))
            self._demand_right(candidate, candidates)

    def _create_candidate(self, node: SelectionNode, able: Truth) -> PossibleCommander:
        return PossibleCommander(node, able, self._model.add_literal(), *self._find_ranks(node))

    def _demand_single(self, candidates: Sequence[PossibleCommander]) -> None:
        """Demand that no more than one commands."""
        numbers = [self._model.as_number(candidate.commands) for candidate in candidates]
        self._model.require(add_all(numbers), upper=1)

    def _demand_right(self, candidate: PossibleCommander, candidates: list[PossibleCommander]) -> None:
        """Demand of who commands that they can, and that nobody has more right to."""
        self._demand_able(candidate)
        self._demand_none_higher(candidate, [other for other in candidates if other.outranks(candidate)])
        for other in candidates:
            if other.may_outrank(candidate):
                self._demand_reach(candidate, other)
        self._demand_unrivalled(candidate, candidates)

    def _demand_able(self, candidate: PossibleCommander) -> None:
        """Demand that who commands is there, and may command."""
        model = self._model
        model.require(self._prospects.get_total(candidate.node), lower=1, where=[candidate.commands])
        if isinstance(candidate.able, Literal):
            model.require(model.as_number(candidate.able), lower=1, where=[candidate.commands])

    def _demand_none_higher(self, candidate: PossibleCommander, higher: Sequence[PossibleCommander]) -> None:
        """Demand that nobody is there who may command and is of a higher rank for certain."""
        certain = add_all(self._prospects.get_total(other.node) for other in higher if other.able is True)
        self._model.require(certain, upper=0, where=[candidate.commands])
        for other in higher:
            if isinstance(other.able, Literal):
                there = self._prospects.get_total(other.node)
                self._model.require(there, upper=0, where=[candidate.commands, other.able])

    def _demand_reach(self, candidate: PossibleCommander, other: PossibleCommander) -> None:
        """Demand that who commands has each rank that somebody else has, where ranks hang on what is inside."""
        for rank in self._list_open_ranks(candidate, other):
            self._demand_rank(candidate, other, rank)

    def _list_open_ranks(self, candidate: PossibleCommander, other: PossibleCommander) -> list[Number]:
        """List the ranks that somebody may have above what another has at least, by what could be inside both."""
        parts = [*candidate.node.walk(), *other.node.walk()]
        ranks = {_read_rank(part, self._rule.by) for part in parts}
        return sorted(rank for rank in ranks if candidate.lowest < rank <= other.highest)

    def _demand_rank(self, candidate: PossibleCommander, other: PossibleCommander, rank: Number) -> None:
        """Demand that who commands has a rank that somebody else has."""
        reached = self._state_reach(candidate, rank)
        # Of what is left open nobody can say that it falls short.
        if reached is True or reached is None:
            return
        where = [candidate.commands, other.able, self._state_reach(other, rank)]
        if isinstance(reached, Literal):
            self._model.require(self._model.as_number(reached), lower=1, where=where)
        else:
            self._model.require(self._model.as_number(candidate.commands), upper=0, where=where)

    def _state_reach(self, candidate: PossibleCommander, rank: Number) -> Truth:
        """Return whether somebody is there who has a rank or a higher one; nobody knows it of what is left open."""
        total = self._prospects.get_total(candidate.node)
        if rank <= candidate.lowest:
            return self._model.state_at_least(total, 1)
        if candidate.highest == inf:
            return None
        inside = [inner for inner in candidate.node.walk() if _read_rank(inner, self._rule.by) >= rank]
        return self._model.state_at_least(add_all(map(self._prospects.get_total, inside)), 1)

    def _demand_unrivalled(self, candidate: PossibleCommander, candidates: list[PossibleCommander]) -> None:
        """Demand that somebody commands whom nobody else there equals in rank."""
        rule = self._rule
        # What is left open may hold a rival.
        if self._is_open(self._prospects.closed, rule.of):
            return
        model, prospects = self._model, self._prospects
        rivals = add_all(prospects.get_total(other.node) for other in candidates if other.highest >= candidate.lowest)
        is_there = model.state_at_least(prospects.get_total(candidate.node), 1)
        model.require(rivals, lower=2, where=[candidate.able, is_there, candidate.commands.negate()])

    def _find_ranks(self, node: SelectionNode) -> tuple[Number, float]:
        """Return the lowest and the highest rank that a selection can be of, by what could be inside it."""
        by = self._rule.by
        parts = list(node.walk())
        # Of what is left open nobody knows what rank it could give.
        if self._is_open(parts, by):
            return _read_rank(node, by), inf
        lowest = max(_read_rank(part, by) for part in (node, *filter(self._is_fixed, parts)))
        return lowest, float(max(_read_rank(part, by) for part in parts))

    def _is_open(self, parts: Iterable[SelectionNode], key: str) -> bool:
        """Return whether there may be something known by a key in what a model does not look into."""
        return any(may_hold(part, key) for part in parts if part in self._prospects.closed)

    def _is_fixed(self, part: SelectionNode) -> bool:
        """Return whether something is in the list and stays there, in the number it has."""
        return bool(part.document) and self._prospects.get_total(part).is_constant

    # ---- what is asked -------------------------------------------------------------------------------------------

    def find_declared(self, read: Callable[[Linear], int]) -> SelectionNode | None:
        """Return who has to be declared so that it commands in a solution: one of several of the highest rank."""
        for chosen in self._candidates.values():
            if read(self._model.as_number(chosen.commands)):
                return chosen.node if self._is_contested(chosen, read) else None
        return None

    def _is_contested(self, chosen: PossibleCommander, read: Callable[[Linear], int]) -> bool:
        """Return whether a solution has several who could be of the rank of one, itself included."""
        rivals = [other.node for other in self._candidates.values() if other.highest >= chosen.lowest]
        return sum(read(self._prospects.get_total(rival)) for rival in rivals) > 1

    def state_commands(self, node: SelectionNode) -> Truth:
        """Return whether a selection commands; where it stands for several of which one may, nobody knows."""
        candidate = self._candidates.get(node)
        if candidate is None:
            return None if may_hold(node, self._rule.of) and node in self._prospects.closed else False
        return candidate.commands if self._model.is_single(self._prospects.get_total(node)) else None

    def count_commanding(self, node: SelectionNode) -> Linear:
        """Return how many of a selection command: one or none."""
        candidate = self._candidates.get(node)
        return self._model.as_number(candidate.commands) if candidate else ZERO


def find_command(
    prospects: Prospects, rule: CommanderRule, find_able: Callable[[SelectionNode, str], Truth]
) -> CommandChoice | None:
    """Return who commands; None where there are too many who could."""
    able = {node: find_able(node, rule.of) for node in prospects.roster.selections}
    able = {node: truth for node, truth in able.items() if truth is not False}
    return CommandChoice(prospects, rule, able) if len(able) <= MOST_CANDIDATES else None


def _read_rank(node: SelectionNode, type_id: str) -> Number:
    return node.option.entry.costs.get(type_id, 0) if node.option else 0
