"""How many of something there may be, as far as the data says so without a condition."""

import math
from collections.abc import Collection, Container, Iterable
from typing import NamedTuple

from catalogue.definitions.constraints import Constraint
from catalogue.definitions.queries import Bound as Side
from catalogue.definitions.queries import Field, Modifier, Scope

INSIDE_UNIT = frozenset({Scope.PARENT, Scope.UNIT, Scope.ROOT_ENTRY})
INSIDE_FORCE = frozenset({Scope.PARENT, Scope.SELF, Scope.FORCE})
INSIDE_ROSTER = frozenset({Scope.PARENT, Scope.FORCE, Scope.ROSTER})


class Limits(NamedTuple):
    """At least and at most, None for no limit. `conditional`: rules move one of them or add another."""

    min: int | None = None
    max: int | None = None
    conditional: bool = False


def limits(
    constraints: Iterable[Constraint],
    scopes: Container[str],
    ids: Collection[str] = (),
    field: str = Field.SELECTIONS,
    modifiers: Iterable[Modifier] = (),
) -> Limits:
    """The tightest limits that `constraints` put on the thing called `ids` inside `scopes`."""
    least: int | None = None
    most: int | None = None
    changed = {modifier.field for modifier in modifiers}
    conditional = False
    for constraint in constraints:
        if not _concerns(constraint, scopes, ids, field):
            continue
        if constraint.when or constraint.terms or constraint.id in changed:
            conditional = True
        if constraint.when or constraint.terms:
            continue
        if constraint.bound is not Side.MAX and constraint.value > 0:
            least = max(least or 0, math.ceil(constraint.value))
        if constraint.bound is not Side.MIN and constraint.value >= 0:
            most = math.floor(constraint.value) if most is None else min(most, math.floor(constraint.value))
    return Limits(least, most, conditional)


def _concerns(constraint: Constraint, scopes: Container[str], ids: Collection[str], field: str) -> bool:
    query = constraint.query
    return (
        query.field == field
        and not query.percent
        and (query.child_id is None or query.child_id in ids)
        and query.scope in scopes
    )
