"""Constraints with owner and modifiers, sorted by bound."""

from collections.abc import Container, Iterable, Iterator
from functools import cached_property
from itertools import chain
from typing import NamedTuple

from catalogue.definitions.constraints import Constraint, Severity, Stage
from catalogue.definitions.queries import KNOWN, LIMIT, Bound, Field, Guard, Modifier, Query, Scope

Modifiers = dict[str, tuple[Modifier, ...]]

NEAR_SCOPES = (Scope.SELF, Scope.PARENT)

# Looking up enumeration members is slow, and data has tens of thousands of constraints.
_SELF, _PARENT, _SELECTIONS, _OF_LIST = Scope.SELF, Scope.PARENT, Field.SELECTIONS, Stage.LIST
_MIN, _MAX = Bound.MIN, Bound.MAX
_ERROR = Severity.ERROR


class CompiledConstraint(NamedTuple):
    """A constraint with everything that follows from the definitions alone.

    - `modifiers` are the owner's modifiers of its value; if `reached`, other entries may also change it.
    - `counts_siblings` marks a fast path: it only counts its owner in its container.
    - An `explicit` constraint counts something other than its owner, and binds only while the owner is selected.
    - `shared_id` is what a shared constraint without a child counts: its owner or the owner's target.
    - `shared_limit` is the cost type if the bound is a percentage of its limit.
    - Picks can break a `lasting` constraint for good, and fix a `mendable` one.
    """

    constraint: Constraint
    owner_id: str
    owner_name: str
    modifiers: tuple[Modifier, ...]
    counts_siblings: bool
    reached: bool
    explicit: bool
    shared_id: str
    shared_limit: str
    lasting: bool
    mendable: bool

    @property
    def counts_more_than_owner(self) -> bool:
        """Whether picks of other entries may break it."""
        is_of_target = self.constraint.query.shared and self.shared_id != self.owner_id
        return bool(self.explicit or self.constraint.terms or self.shared_limit or is_of_target)

    @property
    def binds_list(self) -> bool:
        """Whether it needs neither match nor set-up plan."""
        return self.constraint.stage is _OF_LIST

    @property
    def is_unconditional(self) -> bool:
        """Whether its bound is a fixed number that always holds, apart from modifiers."""
        return not (self.constraint.when or self.constraint.terms)

    @property
    def may_require(self) -> bool:
        """Whether its bound is above zero or can change."""
        return bool(self.constraint.value > 0 or self.modifiers or self.constraint.terms or self.reached)


def compile_constraint(
    constraint: Constraint,
    owner_id: str,
    owner_name: str,
    fields: Modifiers,
    reached: Container[str] = (),
    target_id: str = "",
) -> CompiledConstraint:
    """`reached` are the fields that others may change, `target_id` is the target if the owner is a link."""
    modifiers = fields.get(constraint.id, ())
    # Compute these once, because each edit checks thousands of constraints.
    query, when = constraint.query, constraint.when
    counts_siblings = query.child_id is None and query.scope == _PARENT and query.field == _SELECTIONS
    has_more_to_ask = bool(
        when.conditions or when.guards or constraint.terms or query.percent or query.include_child_forces
    )
    explicit = query.child_id is not None or query.scope == _SELF
    # Near the owner only one link leads to the target; further away several may.
    shared_id = target_id if target_id and query.scope not in NEAR_SCOPES else owner_id
    shared_limit = find_shared_limit(query) if query.percent else ""
    return CompiledConstraint(
        constraint,
        owner_id,
        owner_name,
        modifiers,
        counts_siblings and not has_more_to_ask,
        constraint.id in reached,
        explicit,
        shared_id,
        shared_limit,
        constraint.severity is _ERROR and not (query.percent and not shared_limit),
        is_mendable(constraint),
    )


def is_mendable(constraint: Constraint) -> bool:
    if constraint.mendable is not None:
        return constraint.mendable
    if constraint.bound is _MIN or any(term.coefficient > 0 for term in constraint.terms):
        return True
    # A percentage of the list grows with further picks; a percentage of the roster's limit does not.
    return constraint.query.percent and not find_shared_limit(constraint.query)


def find_shared_limit(query: Query) -> str:
    """Return the cost type if a query counts a percentage of its limit, else ""."""
    word, _, type_id = query.field.partition(KNOWN)
    return type_id if query.percent and word == LIMIT else ""


class CompiledConstraints:
    """The constraints of one owner. Tables are built on demand: an import only needs minimums and maximums."""

    def __init__(self, constraints: Iterable[CompiledConstraint]) -> None:
        self._all = tuple(constraints)
        numbers = [compiled for compiled in self._all if limits_number(compiled.constraint)]
        self.minimums = tuple([compiled for compiled in numbers if compiled.constraint.bound is not _MAX])
        """Bounds on the number of selections of the owner, as are `maximums`."""
        self.maximums = tuple([compiled for compiled in numbers if compiled.constraint.bound is not _MIN])

    @cached_property
    def by_bound(self) -> dict[Bound, tuple[CompiledConstraint, ...]]:
        return _group_by_bound(compiled for compiled in self._all if compiled.binds_list)

    @cached_property
    def on_owner(self) -> dict[Bound, tuple[CompiledConstraint, ...]]:
        """Constraints that bind the list itself and are not explicit."""
        return _group_by_bound(compiled for compiled in self._all if compiled.binds_list and not compiled.explicit)

    @cached_property
    def explicit(self) -> dict[Bound, tuple[CompiledConstraint, ...]]:
        return _group_by_bound(compiled for compiled in self._all if compiled.binds_list and compiled.explicit)

    @cached_property
    def upper(self) -> tuple[CompiledConstraint, ...]:
        """Upper bounds, exact numbers included."""
        return self.by_bound.get(Bound.MAX, ()) + self.by_bound.get(Bound.EXACTLY, ())

    @cached_property
    def reaching(self) -> tuple[CompiledConstraint, ...]:
        """Upper bounds that count outside the owner's container."""
        return tuple([c for c in self.upper if c.constraint.query.scope not in NEAR_SCOPES])

    @cached_property
    def staged(self) -> tuple[CompiledConstraint, ...]:
        """Constraints that need a game plan, in no other table."""
        return tuple([compiled for compiled in self._all if not compiled.binds_list])

    def __iter__(self) -> Iterator[CompiledConstraint]:
        return iter(self._all)


def _group_by_bound(constraints: Iterable[CompiledConstraint]) -> dict[Bound, tuple[CompiledConstraint, ...]]:
    groups: dict[Bound, tuple[CompiledConstraint, ...]] = {}
    for compiled in constraints:
        # Tuples, because most of many thousands of owners have at most one constraint.
        bound = compiled.constraint.bound
        groups[bound] = (*groups.get(bound, ()), compiled)
    return groups


def limits_number(constraint: Constraint) -> bool:
    """Return whether a list constraint limits the number of its owner's selections."""
    query = constraint.query
    names_owner = query.child_id is None and query.scope != _SELF and query.field == _SELECTIONS
    return names_owner and not query.percent and constraint.stage is _OF_LIST


NO_CONSTRAINTS = CompiledConstraints(())


def compile_constraints(
    constraints: Iterable[Constraint],
    owner_id: str,
    owner_name: str,
    modifiers: Iterable[Modifier] = (),
    reached: Container[str] = (),
) -> CompiledConstraints:
    """`reached` are the fields that others may change."""
    fields = group_by_field(modifiers)
    return CompiledConstraints(compile_constraint(c, owner_id, owner_name, fields, reached) for c in constraints)


def group_by_field(modifiers: Iterable[Modifier]) -> Modifiers:
    fields: Modifiers = {}
    for modifier in modifiers:
        # Keep the order: `set` and `add` do not commute.
        fields[modifier.field] = (*fields.get(modifier.field, ()), modifier)
    return fields


def iterate_queries(modifier: Modifier) -> Iterator[Query]:
    for repeat in chain.from_iterable(modifier.repeats):
        yield repeat.query
        if repeat.query.where:
            yield from _iterate_asked(repeat.query.where)
    yield from _iterate_asked(modifier.guard)


def _iterate_asked(guard: Guard) -> Iterator[Query]:
    pending = [guard]
    for open_guard in pending:  # grows during the loop
        for condition in open_guard.conditions:
            yield condition.query
            if condition.query.where:
                pending.append(condition.query.where)
        pending.extend(open_guard.guards)
