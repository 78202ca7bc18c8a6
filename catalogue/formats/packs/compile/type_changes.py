"""Units that change their type: by an option that lets them count as another, or by joining a host."""

from collections.abc import Iterator
from dataclasses import replace

from catalogue.definitions.queries import Change, Condition, Guard, Modifier, Operator, Query, Scope
from catalogue.formats.packs.compile.addons import is_addon
from catalogue.formats.packs.compile.context import CompileContext
from catalogue.formats.packs.compile.expressions import QueryOrigin, build_guard
from catalogue.formats.packs.compile.unit_state_conditions import build_joined_guard
from catalogue.formats.packs.syntax.builtin_rules import UNITS
from catalogue.formats.packs.syntax.units import UnitSyntax


def build_type_changes(unit: UnitSyntax, context: CompileContext, origin: QueryOrigin) -> Iterator[Modifier]:
    """Yield what changes the type of a unit."""
    printed_type = context.index.find_target(unit.type, None, ("type",)) if unit.type else None
    if printed_type is None:
        return
    for part in context.index.walk_unit_parts(unit):
        target = context.index.find_target(part.counts_as, None, ("type",)) if part.counts_as else None
        if target:
            taken = Query(scope=Scope.SELF, child_id=part.id, deep=True)
            guard = Guard(conditions=(Condition(operator=Operator.AT_LEAST, query=taken, value=1),))
            yield Modifier(change=Change.REMOVE, field="category", value=printed_type.id, guard=guard)
            yield Modifier(change=Change.SET_PRIMARY, field="category", value=target.id, guard=guard)
    if unit.joins and not is_addon(unit, context):
        yield Modifier(
            change=Change.REMOVE,
            field="category",
            value=printed_type.id,
            guard=_build_joined_guard(unit, origin),
        )
        yield Modifier(
            change=Change.REMOVE, field="category", value=UNITS, guard=_build_joined_guard(unit, origin)
        )


def _build_joined_guard(unit: UnitSyntax, origin: QueryOrigin) -> Guard:
    """Return that the unit is inside another, and nothing lets it keep its type there."""
    keeps = unit.joins.keeps_type if unit.joins else None
    apart = build_guard(keeps, replace(origin, owner="unit"), negated=True) if keeps else None
    return Guard(guards=(build_joined_guard(), *((apart,) if apart else ())))
