"""The commander of a completed list, as a literal per candidate."""

from collections.abc import Callable, Iterable, Mapping
from math import inf
from typing import NamedTuple

from catalogue.definitions.constraints import CommanderRule
from catalogue.definitions.numbers import Number
from roster.engine.completion.linear import ZERO, Linear, Literal, Truth, add_all
from roster.engine.completion.prospects import Prospects, may_hold
from roster.engine.nodes import SelectionNode

MOST_CANDIDATES = 400


class PossibleCommander(NamedTuple):
    node: SelectionNode
    able: Truth
    commands: Literal
    lowest: Number
    highest: float


class CommandChoice:
    """Lets the highest-ranked candidate command, or at most one of several equals."""

    def __init__(self, prospects: Prospects, rule: CommanderRule, able: Mapping[SelectionNode, Truth]) -> None:
        self._prospects = prospects
        self._model = prospects.model
        self._rule = rule
        self.of = rule.of
        self._candidates = {
            node: PossibleCommander(node, truth, self._model.add_literal(), *self._find_ranks(node))
            for node, truth in able.items()
        }
        candidates = [*self._candidates.values()]
        numbers = [self._model.as_number(candidate.commands) for candidate in candidates]
        self._model.require(add_all(numbers), upper=1)
        for candidate in candidates:
            prospects.budget.spend(len(candidates))
            self._demand_right(candidate, candidates)
        self._keep_declared(candidates)

    def _keep_declared(self, candidates: list[PossibleCommander]) -> None:
        declared_ids = {leader for force in self._prospects.roster.all_forces for leader in force.document.leading}
        for unit in self._prospects.roster.selections:
            if unit.document is None or unit.document.id not in declared_ids:
                continue
            inside = set(unit.walk())
            if not any(candidate.able is True for candidate in candidates if candidate.node in inside):
                continue
            is_there = self._model.state_at_least(self._prospects.get_total(unit), 1)
            others = [self._model.as_number(one.commands) for one in candidates if one.node not in inside]
            self._model.require(add_all(others), upper=0, where=[is_there])

    def _demand_right(self, candidate: PossibleCommander, candidates: list[PossibleCommander]) -> None:
        model = self._model
        commands = candidate.commands
        model.require(self._prospects.get_total(candidate.node), lower=1, where=[commands])
        if isinstance(candidate.able, Literal):
            model.require(model.as_number(candidate.able), lower=1, where=[commands])

        higher = [other for other in candidates if other.lowest > candidate.highest]
        certain = add_all(self._prospects.get_total(other.node) for other in higher if other.able is True)
        model.require(certain, upper=0, where=[commands])
        for other in higher:
            if isinstance(other.able, Literal):
                model.require(self._prospects.get_total(other.node), upper=0, where=[commands, other.able])

        # Ranks may depend on contents, so compare each possible rank.
        for other in candidates:
            if candidate is not other and candidate.lowest < other.highest and other.lowest <= candidate.highest:
                for rank in self._list_open_ranks(candidate, other):
                    self._demand_rank(candidate, other, rank)

        if not self._is_open(self._prospects.closed, self._rule.of):
            equal = [other for other in candidates if other.highest >= candidate.lowest]
            rivals = add_all(self._prospects.get_total(other.node) for other in equal)
            is_there = model.state_at_least(self._prospects.get_total(candidate.node), 1)
            model.require(rivals, lower=2, where=[candidate.able, is_there, commands.negate()])

    def _list_open_ranks(self, candidate: PossibleCommander, other: PossibleCommander) -> list[Number]:
        parts = [*candidate.node.walk(), *other.node.walk()]
        ranks = {_read_rank(part, self._rule.by) for part in parts}
        return sorted(rank for rank in ranks if candidate.lowest < rank <= other.highest)

    def _demand_rank(self, candidate: PossibleCommander, other: PossibleCommander, rank: Number) -> None:
        reached = self._state_reach(candidate, rank)
        if reached is True or reached is None:
            return
        where = [candidate.commands, other.able, self._state_reach(other, rank)]
        if isinstance(reached, Literal):
            self._model.require(self._model.as_number(reached), lower=1, where=where)
        else:
            self._model.require(self._model.as_number(candidate.commands), upper=0, where=where)

    def _state_reach(self, candidate: PossibleCommander, rank: Number) -> Truth:
        total = self._prospects.get_total(candidate.node)
        if rank <= candidate.lowest:
            return self._model.state_at_least(total, 1)
        if candidate.highest == inf:
            return None
        inside = [inner for inner in candidate.node.walk() if _read_rank(inner, self._rule.by) >= rank]
        return self._model.state_at_least(add_all(map(self._prospects.get_total, inside)), 1)

    def _find_ranks(self, node: SelectionNode) -> tuple[Number, float]:
        by = self._rule.by
        parts = list(node.walk())
        if self._is_open(parts, by):
            return _read_rank(node, by), inf
        fixed = [part for part in parts if part.document and self._prospects.get_total(part).is_constant]
        lowest = max(_read_rank(part, by) for part in (node, *fixed))
        return lowest, float(max(_read_rank(part, by) for part in parts))

    def _is_open(self, parts: Iterable[SelectionNode], key: str) -> bool:
        return any(may_hold(part, key) for part in parts if part in self._prospects.closed)

    # ---- what is asked -------------------------------------------------------------------------------------------

    def find_declared(self, read: Callable[[Linear], int]) -> SelectionNode | None:
        """Return the selection to declare, if several could command."""
        for chosen in self._candidates.values():
            if read(self._model.as_number(chosen.commands)):
                rivals = [other.node for other in self._candidates.values() if other.highest >= chosen.lowest]
                is_contested = sum(read(self._prospects.get_total(rival)) for rival in rivals) > 1
                return chosen.node if is_contested else None
        return None

    def state_commands(self, node: SelectionNode) -> Truth:
        """Return whether a selection commands; None if it represents several."""
        candidate = self._candidates.get(node)
        if candidate is None:
            return None if may_hold(node, self._rule.of) and node in self._prospects.closed else False
        return candidate.commands if self._model.is_single(self._prospects.get_total(node)) else None

    def count_undecided(self) -> Linear:
        return Linear(1) - add_all(self._model.as_number(candidate.commands) for candidate in self._candidates.values())

    def count_commanding(self, node: SelectionNode) -> Linear:
        candidate = self._candidates.get(node)
        return self._model.as_number(candidate.commands) if candidate else ZERO


def find_command(
    prospects: Prospects, rule: CommanderRule, find_able: Callable[[SelectionNode, str], Truth]
) -> CommandChoice | None:
    """Return None if there are too many candidates."""
    able = {node: find_able(node, rule.of) for node in prospects.roster.selections}
    able = {node: truth for node, truth in able.items() if truth is not False}
    return CommandChoice(prospects, rule, able) if len(able) <= MOST_CANDIDATES else None


def _read_rank(node: SelectionNode, type_id: str) -> Number:
    return node.option.entry.costs.get(type_id, 0) if node.option else 0
