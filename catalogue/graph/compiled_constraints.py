"""Constraints with their owner and modifiers, sorted by the way they bind."""

from collections.abc import Container, Iterable, Iterator
from functools import cached_property
from itertools import chain
from typing import NamedTuple

from catalogue.definitions.constraints import Constraint, Severity, Stage
from catalogue.definitions.queries import KNOWN, LIMIT, Bound, Field, Guard, Modifier, Query, Scope

Modifiers = dict[str, tuple[Modifier, ...]]
"""The modifiers of one owner by the field they change, in order."""

NEAR_SCOPES = (Scope.SELF, Scope.PARENT)
"""The scopes that do not look further than what the owner is in."""

# A member that is looked up in its enumeration takes ten times as long, and data has tens of thousands of constraints.
_SELF, _PARENT, _SELECTIONS, _OF_LIST = Scope.SELF, Scope.PARENT, Field.SELECTIONS, Stage.LIST
_MIN, _MAX = Bound.MIN, Bound.MAX
_ERROR = Severity.ERROR


class CompiledConstraint(NamedTuple):
    """A constraint with what the definitions alone tell about it.

    `modifiers` are the owner's own modifiers of its value; if it is `reached`, other entries may change it, too. With
    `counts_siblings` it simply counts its owner in its container: a fast path, for which no scope or guard need be
    looked up. It is `explicit` if it counts something other than its owner, and so binds only if the owner is selected.
    `shared_id` is what it counts if it is shared and names no child: its owner, or what its owner links to.
    `shared_limit` is the cost type of whose limit in the roster the bound is a percentage; blank for any other bound.
    It is `lasting` if a pick can break it for good: it does not only warn, and is no share of what is taken, which the
    next picks move. `mendable`: further picks could mend a violation.
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
        """Whether picks of other entries than the owner may break it."""
        is_of_target = self.constraint.query.shared and self.shared_id != self.owner_id
        return bool(self.explicit or self.constraint.terms or self.shared_limit or is_of_target)

    @property
    def binds_list(self) -> bool:
        """Whether it binds the list itself, with or without a game plan."""
        return self.constraint.stage is _OF_LIST

    @property
    def is_unconditional(self) -> bool:
        """Whether its bound is a plain number that always holds, unless a modifier changes it."""
        return not (self.constraint.when or self.constraint.terms)

    @property
    def may_require(self) -> bool:
        """Whether it could ever require something: a bound above zero, or one that can change."""
        return bool(self.constraint.value > 0 or self.modifiers or self.constraint.terms or self.reached)


def compile_constraint(
    constraint: Constraint,
    owner_id: str,
    owner_name: str,
    fields: Modifiers,
    reached: Container[str] = (),
    target_id: str = "",
) -> CompiledConstraint:
    """Compile a constraint of an owner that has the modifiers `fields`; `reached` are the fields others may change.

    `target_id` is what the owner links to, if it is a link.
    """
    # A modifier names the constraint that it changes by its id, where others name a cost or “hidden”.
    modifiers = fields.get(constraint.id, ())
    # Worked out once here, because each edit asks thousands of constraints.
    query, when = constraint.query, constraint.when
    counts_siblings = query.child_id is None and query.scope == _PARENT and query.field == _SELECTIONS
    has_more_to_ask = bool(
        when.conditions or when.guards or constraint.terms or query.percent or query.include_child_forces
    )
    explicit = query.child_id is not None or query.scope == _SELF
    # What is beside the owner came by the same link as a rule; further away the same thing may have come by others.
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
    """Return whether further picks could mend a violation of a constraint."""
    if constraint.mendable is not None:
        return constraint.mendable
    if constraint.bound is _MIN or any(term.coefficient > 0 for term in constraint.terms):
        return True
    # A percentage grows with what is taken, but the limit of a roster does not: a share of it stays exceeded.
    return constraint.query.percent and not find_shared_limit(constraint.query)


def find_shared_limit(query: Query) -> str:
    """Return the cost type of whose limit in the roster a query counts a percentage; blank if it does not."""
    word, _, type_id = query.field.partition(KNOWN)
    return type_id if query.percent and word == LIMIT else ""


class CompiledConstraints:
    """The constraints of one owner by the way they bind.

    Iterating yields all of them in the order of the data. The tables are sorted when a list is judged: an import asks
    tens of thousands of owners for numbers alone.
    """

    def __init__(self, constraints: Iterable[CompiledConstraint]) -> None:
        self._all = tuple(constraints)
        numbers = [compiled for compiled in self._all if limits_number(compiled.constraint)]
        self.minimums = tuple([compiled for compiled in numbers if compiled.constraint.bound is not _MAX])
        """The constraints that bind the number of selections of the owner from below."""
        self.maximums = tuple([compiled for compiled in numbers if compiled.constraint.bound is not _MIN])
        """The constraints that bind the number of selections of the owner from above."""

    @cached_property
    def by_bound(self) -> dict[Bound, tuple[CompiledConstraint, ...]]:
        """All that bind the list itself."""
        return _group_by_bound(compiled for compiled in self._all if compiled.binds_list)

    @cached_property
    def on_owner(self) -> dict[Bound, tuple[CompiledConstraint, ...]]:
        """All that bind the list itself and are not explicit."""
        return _group_by_bound(compiled for compiled in self._all if compiled.binds_list and not compiled.explicit)

    @cached_property
    def explicit(self) -> dict[Bound, tuple[CompiledConstraint, ...]]:
        """All explicit ones that bind the list itself."""
        return _group_by_bound(compiled for compiled in self._all if compiled.binds_list and compiled.explicit)

    @cached_property
    def upper(self) -> tuple[CompiledConstraint, ...]:
        """All that bind the list itself from above; an exact number binds from both sides."""
        return self.by_bound.get(Bound.MAX, ()) + self.by_bound.get(Bound.EXACTLY, ())

    @cached_property
    def reaching(self) -> tuple[CompiledConstraint, ...]:
        """All of `upper` that look further than what the owner is in."""
        return tuple([c for c in self.upper if c.constraint.query.scope not in NEAR_SCOPES])

    @cached_property
    def staged(self) -> tuple[CompiledConstraint, ...]:
        """All that bind only if there is a game plan; they are in none of the tables above."""
        return tuple([compiled for compiled in self._all if not compiled.binds_list])

    def __iter__(self) -> Iterator[CompiledConstraint]:
        return iter(self._all)


def _group_by_bound(constraints: Iterable[CompiledConstraint]) -> dict[Bound, tuple[CompiledConstraint, ...]]:
    groups: dict[Bound, tuple[CompiledConstraint, ...]] = {}
    for compiled in constraints:
        # Tuples, because most owners have one constraint or none, and data has many thousands of owners.
        bound = compiled.constraint.bound
        groups[bound] = (*groups.get(bound, ()), compiled)
    return groups


def limits_number(constraint: Constraint) -> bool:
    """Return whether a constraint of a list binds how often its own owner is selected."""
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
    """Compile the constraints of one owner, each with the modifiers that change it."""
    fields = group_by_field(modifiers)
    return CompiledConstraints(compile_constraint(c, owner_id, owner_name, fields, reached) for c in constraints)


def group_by_field(modifiers: Iterable[Modifier]) -> Modifiers:
    """Return modifiers by the field they change, in order."""
    fields: Modifiers = {}
    for modifier in modifiers:
        # In the order of the data: `set` behind `add` gives another number than before it.
        fields[modifier.field] = (*fields.get(modifier.field, ()), modifier)
    return fields


def iterate_queries(modifier: Modifier) -> Iterator[Query]:
    """Yield every query that decides whether and how often a modifier applies, those about what is counted included."""
    for repeat in chain.from_iterable(modifier.repeats):
        yield repeat.query
        if repeat.query.where:
            yield from _iterate_asked(repeat.query.where)
    yield from _iterate_asked(modifier.guard)


def _iterate_asked(guard: Guard) -> Iterator[Query]:
    """Yield every query that a guard asks, however deep inside."""
    pending = [guard]
    for open_guard in pending:  # grows while it is walked
        for condition in open_guard.conditions:
            yield condition.query
            if condition.query.where:
                pending.append(condition.query.where)
        pending.extend(open_guard.guards)
