"""Constraints with their owner and modifiers, sorted by the way they bind."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from catalogue.definitions.constraints import Constraint, Stage
from catalogue.definitions.queries import Bound, Field, Guard, Modifier, Query, Scope

Modifiers = dict[str, tuple[Modifier, ...]]
"""The modifiers of one owner by the field they change, in order."""


NEAR = (Scope.SELF, Scope.PARENT)


class Demand(NamedTuple):
    """A constraint with what is known of it once and for all.

    `modifiers` are those that change its value. A `plain` one simply counts its owner beside itself: no scope or guard
    need be looked for.
    """

    constraint: Constraint
    owner_id: str
    owner_name: str
    modifiers: tuple[Modifier, ...]
    plain: bool

    @property
    def explicit(self) -> bool:
        """Whether it counts something other than its owner, and so binds only where the owner is selected."""
        return self.constraint.query.child_id is not None or self.constraint.query.scope == Scope.SELF

    @property
    def counts_selections(self) -> bool:
        """Whether its bound is a number of selections, so that a choice can be made to fit it."""
        return self.constraint.query.field == Field.SELECTIONS and not self.constraint.query.percent

    @property
    def can_ask(self) -> bool:
        """Whether it could ever ask for something: a bound above zero, or one that can change."""
        return bool(self.constraint.value > 0 or self.modifiers or self.constraint.terms)


def demand_of(constraint: Constraint, owner_id: str, owner_name: str, fields: Modifiers) -> Demand:
    """A constraint of an owner that has the modifiers `fields`."""
    query, when = constraint.query, constraint.when
    beside = query.scope == Scope.PARENT and query.child_id is None and query.field == Field.SELECTIONS
    more = when.conditions or when.guards or constraint.terms or query.percent or query.include_child_forces
    return Demand(constraint, owner_id, owner_name, fields.get(constraint.id, ()), beside and not more)


class Demands:
    """The constraints of one owner by the way they bind; those on the owner itself apart from the explicit ones.

    `least` and `most` are the former that bind the number of selections from below and from above; `upper` are all that
    bind from above, and `reaching` those of them that look further than what the owner is in. `staged` are those
    that bind only where there is a game plan; they are in none of the others.
    """

    __slots__ = ("every", "explicit", "least", "most", "own", "reaching", "staged", "upper")

    def __init__(self, demands: Iterable[Demand]) -> None:
        self.own: dict[Bound, tuple[Demand, ...]] = {}
        self.explicit: dict[Bound, tuple[Demand, ...]] = {}
        self.every: dict[Bound, tuple[Demand, ...]] = {}
        self.staged: tuple[Demand, ...] = ()
        for demand in demands:
            bound = demand.constraint.bound
            if demand.constraint.stage is not Stage.LIST:
                self.staged = (*self.staged, demand)
                continue
            for side in (self.every, self.explicit if demand.explicit else self.own):
                side[bound] = (*side.get(bound, ()), demand)
        self.upper = self.every.get(Bound.MAX, ()) + self.every.get(Bound.EXACTLY, ())
        self.reaching = tuple(d for d in self.upper if d.constraint.query.scope not in NEAR)
        self.least = self._numbers(Bound.MIN)
        self.most = self._numbers(Bound.MAX)

    def _numbers(self, bound: Bound) -> tuple[Demand, ...]:
        """The owner's own demands on its number, from one side."""
        both = self.own.get(bound, ()) + self.own.get(Bound.EXACTLY, ())
        return tuple(demand for demand in both if demand.counts_selections)


NO_DEMANDS = Demands(())


def by_field(modifiers: Iterable[Modifier]) -> Modifiers:
    """Modifiers by the field they change, in order."""
    fields: Modifiers = {}
    for modifier in modifiers:
        fields[modifier.field] = (*fields.get(modifier.field, ()), modifier)
    return fields


def queries_of(modifier: Modifier) -> Iterator[Query]:
    """Every query that decides whether and how often a modifier applies."""
    for level in modifier.repeats:
        yield from (repeat.query for repeat in level)
    pending: list[Guard] = [modifier.guard]
    for guard in pending:
        yield from (condition.query for condition in guard.conditions)
        pending.extend(guard.guards)
