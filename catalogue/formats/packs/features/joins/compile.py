"""Compile units inside others: hosts, numbers and types."""

from collections.abc import Iterator
from dataclasses import replace

from catalogue.definitions.constraints import Constraint
from catalogue.definitions.entries import Entry, EntryKind
from catalogue.definitions.queries import ANY, Bound, Change, Guard, Modifier, Query, Scope
from catalogue.formats.packs.compile.context import CompileContext
from catalogue.formats.packs.compile.expressions import QueryOrigin, build_guard, build_joined_guard, require_entry
from catalogue.formats.packs.compile.models import count_most_models
from catalogue.formats.packs.compile.name_index import (
    MODELS,
    get_type_id,
    is_of_kind,
    list_keyword_ids,
    list_names,
    make_ids,
)
from catalogue.formats.packs.features.guests.compile import are_strangers
from catalogue.formats.packs.syntax.pack import PackSyntax
from catalogue.formats.packs.syntax.rules import UNITS
from catalogue.formats.packs.syntax.units import UnitSyntax


def add_joins(unit: UnitSyntax, pack: PackSyntax) -> UnitSyntax:
    joins = unit.joins
    for joining in pack.joining:
        if is_of_kind(unit, joining.of):
            further = joining.joins
            joins = (
                further
                if joins is None
                else replace(
                    joins,
                    units=joins.units + further.units,
                    types=joins.types + further.types,
                    keywords=joins.keywords + further.keywords,
                    most=max(joins.most, further.most),
                    keeps_type=joins.keeps_type or further.keeps_type,
                )
            )
    return replace(unit, joins=joins)


def is_addon(unit: UnitSyntax, context: CompileContext) -> bool:
    return get_type_id(unit) in context.pack.addon_types


def list_guests(host: UnitSyntax, context: CompileContext) -> Iterator[UnitSyntax]:
    if is_addon(host, context):
        return
    # An id of another unit means that unit.
    other_ids = {unit.id for unit in context.pack.units} - {host.id}
    names = list_names(host) - other_ids
    for unit in _list_near_units(host, context):
        joins = unit.joins
        if joins is None:
            continue
        if (
            names & make_ids(joins.units)
            or get_type_id(host) in make_ids(joins.types)
            or list_keyword_ids(host) & make_ids(joins.keywords)
        ):
            yield unit


def _list_near_units(host: UnitSyntax, context: CompileContext) -> Iterator[UnitSyntax]:
    for unit in context.pack.units:
        if unit.id != host.id and not are_strangers(unit, host):
            yield unit


def build_addon_links(host: UnitSyntax, host_entry_id: str, context: CompileContext) -> tuple[Entry, ...]:
    return tuple(
        Entry(
            id=f"{host_entry_id}/{addon.id}",
            kind=EntryKind.ENTRY_LINK,
            name=addon.name,
            target_id=addon.id,
            constraints=(_limit_addon_count(addon, f"{host_entry_id}/{addon.id}", context),),
            citation=addon.cite,
        )
        for addon in list_guests(host, context)
    )


def _limit_addon_count(addon: UnitSyntax, link_id: str, context: CompileContext) -> Constraint:
    words = context.get_rule_text("unique" if addon.unique else "add-on quantity")
    # A unique add-on breaks the rule for unique units, which players know.
    maximum = addon.joins.most if addon.joins and not addon.unique else 1
    return context.build_constraint(f"{link_id}#max", Bound.MAX, maximum, words, addon.cite)


def build_addon_limits(host: UnitSyntax, context: CompileContext) -> Iterator[Constraint]:
    guests = list(list_guests(host, context))
    if not is_addon(host, context):
        # Imported lists may use any add-on.
        near_addons = [unit for unit in _list_near_units(host, context) if is_addon(unit, context)]
        guests += [addon for addon in near_addons if addon not in guests]
    for number, addon in enumerate(guests):
        if is_addon(addon, context):
            yield from _forbid_other_kinds(addon, guests[number + 1 :], host, context)
        if addon.joins and addon.joins.within_size:
            yield from _limit_joined_size(host, addon, context)


def _forbid_other_kinds(
    addon: UnitSyntax, others: list[UnitSyntax], host: UnitSyntax, context: CompileContext
) -> Iterator[Constraint]:
    """Forbid later add-ons, so that each pair breaks one rule."""
    words = context.get_rule_text("add-on one kind")
    when = require_entry(addon.id, Scope.SELF)
    for other in others:
        constraint_id = f"{host.id}#one-add-on-{addon.id}-{other.id}"
        query = Query(scope=Scope.SELF, child_id=other.id, deep=True)
        yield context.build_constraint(constraint_id, Bound.MAX, 0, words, other.cite, query, when)


def _limit_joined_size(host: UnitSyntax, addon: UnitSyntax, context: CompileContext) -> Iterator[Constraint]:
    # Without models the host is one, which is not counted inside it.
    most = count_most_models(host.models) if host.models else 0
    if most is None:
        return
    when = require_entry(addon.id, Scope.SELF)
    constraint_id = f"{host.id}#add-on-size-{addon.id}"
    words = context.get_rule_text("add-on size")
    models = Query(field=MODELS, scope=Scope.SELF, child_id=ANY, deep=True)
    yield context.build_constraint(constraint_id, Bound.MAX, most, words, addon.cite, models, when)


def build_host_modifiers(
    unit: UnitSyntax, printed_type: str, context: CompileContext, origin: QueryOrigin
) -> Iterator[Modifier]:
    if unit.joins is None or is_addon(unit, context):
        return
    guards = [build_joined_guard()]
    if unit.joins.keeps_type:
        guards.append(build_guard(unit.joins.keeps_type, origin.replace_owner("unit"), negated=True))
    for category_id in (printed_type, UNITS):
        yield Modifier(change=Change.REMOVE, field="category", value=category_id, guard=Guard(guards=tuple(guards)))


def check_addons(context: CompileContext) -> None:
    for unit in context.pack.units:
        if unit.joins:
            context.index.find_ids(unit.joins.units, "unit")
            context.index.find_ids(unit.joins.types, "type")
            context.index.find_ids(unit.joins.keywords, "keyword")
        elif is_addon(unit, context):
            mend = "Add `joins:` with units, types or keywords."
            context.problems.add(unit.where, "missing-key", f"The add-on “{unit.name}” joins no unit.", mend)
        elif unit.only_joined:
            mend = "Add `joins:`, or remove `only joined:`."
            context.problems.add(unit.where, "no-effect", f"The unit “{unit.name}” can be taken nowhere.", mend)
