"""How many of something there may be, as far as the definitions say so without a condition."""

import math
from collections.abc import Collection, Container, Iterable
from typing import NamedTuple

from catalogue.definitions.constraints import Severity
from catalogue.definitions.queries import Bound, Field, Scope
from catalogue.graph.compiled_constraints import CompiledConstraint
from catalogue.graph.compiled_entry import CompiledEntry

INSIDE_UNIT = frozenset({Scope.PARENT, Scope.UNIT, Scope.ROOT_ENTRY})
INSIDE_FORCE = frozenset({Scope.PARENT, Scope.SELF, Scope.FORCE})
INSIDE_ROSTER = frozenset({Scope.PARENT, Scope.FORCE, Scope.ROSTER})


class DeclaredLimits(NamedTuple):
    """At least and at most, None for no limit. `conditional`: rules change one of them or add another."""

    min: int | None = None
    max: int | None = None
    conditional: bool = False


def find_limits(
    constraints: Iterable[CompiledConstraint],
    scopes: Container[str],
    ids: Collection[str] = (),
    field: str = Field.SELECTIONS,
) -> DeclaredLimits:
    """Return the tightest limits that `constraints` put on the thing called `ids` inside `scopes`."""
    least: int | None = None
    most: int | None = None
    conditional = False
    for compiled in constraints:
        if not _is_concerned(compiled, scopes, ids, field):
            continue
        constraint = compiled.constraint
        if compiled.modifiers or not compiled.is_unconditional:
            conditional = True
        if not compiled.is_unconditional:
            continue
        if constraint.bound is not Bound.MAX and constraint.value > 0:
            least = max(least or 0, math.ceil(constraint.value))
        if constraint.bound is not Bound.MIN and constraint.value >= 0:
            limit = math.floor(constraint.value)
            most = limit if most is None else min(most, limit)
    return DeclaredLimits(least, most, conditional)


def _is_concerned(
    compiled: CompiledConstraint, scopes: Container[str], ids: Collection[str], field: str
) -> bool:
    query = compiled.constraint.query
    return (
        compiled.binds_list
        and query.field == field
        and not query.percent
        and (query.child_id is None or query.child_id in ids)
        and query.scope in scopes
    )


def find_copies_allowed(card: CompiledEntry) -> int | None:
    """Return how many copies of a card a deck may hold; None for any number.

    Where owners name the cards, those of one name are copies, and the entry itself says how many there may be.
    """
    copies = card.target.copies
    if copies is not None:
        return copies.most if copies.most >= 0 else None
    binding = (c for c in card.constraints if c.constraint.severity is Severity.ERROR)
    return find_limits(binding, INSIDE_UNIT, card.ids).max
