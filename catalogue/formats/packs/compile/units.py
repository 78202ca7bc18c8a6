"""Compile units and add-ons."""

from collections.abc import Iterator

import msgspec

from catalogue.definitions.constraints import Constraint
from catalogue.definitions.entries import CategoryLink, Cost, Entry, EntryType
from catalogue.definitions.queries import ALWAYS, Bound, Condition, Guard, Modifier, Operator, Query, Scope
from catalogue.formats.packs.compile.context import CompileContext
from catalogue.formats.packs.compile.expressions import QueryOrigin
from catalogue.formats.packs.compile.models import sum_starting_price
from catalogue.formats.packs.compile.name_index import MODELS, make_faction_category
from catalogue.formats.packs.compile.option_constraints import build_condition_limits
from catalogue.formats.packs.compile.parts import (
    build_keyword_links,
    build_loss_guards,
    build_parts,
    build_profile_changes,
    check_removals,
)
from catalogue.formats.packs.compile.rules import build_unit_rules
from catalogue.formats.packs.compile.sets_and_figures import build_ability_links, build_set_modifiers
from catalogue.formats.packs.features.allowances.compile import build_allowance_costs
from catalogue.formats.packs.features.commander.compile import (
    build_commander_modifiers,
    build_counted_types,
    build_leave_limits,
)
from catalogue.formats.packs.features.joins.compile import (
    build_addon_limits,
    build_addon_links,
    build_host_modifiers,
    is_addon,
)
from catalogue.formats.packs.features.withheld.compile import hide_withheld_unit
from catalogue.formats.packs.syntax.rules import UNITS
from catalogue.formats.packs.syntax.units import UnitSyntax


def build_unit(unit: UnitSyntax, context: CompileContext) -> Entry:
    """Put several units of a selection into an entry for the selection."""
    origin = _make_unit_origin(unit, context)
    check_removals(context, origin)
    if unit.units.high == 1:
        root = _build_body(unit, unit.id, context, origin)
    else:
        root = _build_selection(unit, context, origin)
    type_changes: list[Modifier] = []
    printed_type = context.index.find_id(unit.type, "type")
    if printed_type:
        type_changes += build_counted_types(unit, printed_type, context)
        type_changes += build_host_modifiers(unit, printed_type, context, origin)
    return msgspec.structs.replace(
        root,
        costs=(*root.costs, *build_allowance_costs(unit, context)),
        constraints=(
            *root.constraints,
            *_build_limits(unit, context),
            *_limit_combined_units(unit, context),
            *build_leave_limits(unit, context),
        ),
        categories=(*_build_membership(unit, context), *root.categories),
        modifiers=(
            *root.modifiers,
            *type_changes,
            *build_commander_modifiers(unit, context),
            *hide_withheld_unit(unit, context, origin),
        ),
    )


def _limit_combined_units(unit: UnitSyntax, context: CompileContext) -> Iterator[Constraint]:
    """Limit the units in a selection, which imported lists may combine freely."""
    most = unit.units.high
    if "one entry per selection" not in context.pack.texts or most is None:
        return
    when = ALWAYS
    if most > 1:
        # Too many of the unit itself already break its own maximum.
        own_units = Query(scope=Scope.SELF, child_id=f"{unit.id}/unit", deep=True)
        within = Condition(operator=Operator.AT_MOST, query=own_units, value=most)
        when = Guard(conditions=(within,))
    else:
        most = 0  # the selection is the one unit
    every_unit = Query(scope=Scope.SELF, child_id="unit", deep=True)
    words = context.get_rule_text("units in selection")
    yield context.build_constraint(f"{unit.id}#together", Bound.MAX, most, words, unit.cite, every_unit, when)


def build_addon(unit: UnitSyntax, context: CompileContext) -> Entry:
    origin = _make_unit_origin(unit, context)
    body = _build_body(unit, unit.id, context, origin)
    # Inside its host, an add-on is one model.
    costs = [cost for cost in body.costs if cost.type_id != MODELS]
    return msgspec.structs.replace(
        body,
        type=EntryType.MODEL,
        costs=(*costs, Cost(type_id=MODELS, value=1)),
        constraints=(*body.constraints, *_build_limits(unit, context)),
        categories=(*_build_membership(unit, context, counted=False), *body.categories),
    )


def _make_unit_origin(unit: UnitSyntax, context: CompileContext) -> QueryOrigin:
    weapons = sum(item.count for item in unit.carries if context.infos.is_weapon(item.name))
    # An add-on's “unit” is its host.
    owner = "model" if is_addon(unit, context) else "unit"
    return QueryOrigin(context.index, scope="unit", owner=owner, unit=unit, weapons=weapons)


def _build_selection(unit: UnitSyntax, context: CompileContext, origin: QueryOrigin) -> Entry:
    inner = _build_body(unit, f"{unit.id}/unit", context, origin)
    words = context.get_rule_text("units in selection")
    units = unit.units._replace(low=max(unit.units.low, 1))
    limits = context.build_range_constraints(f"{inner.id}#", units, words, unit.cite)
    inner = msgspec.structs.replace(inner, constraints=(*limits, *inner.constraints), apart=True)
    return Entry(id=unit.id, name=unit.name, emblem=unit.emblem, entries=(inner,), citation=unit.cite)


def _build_body(unit: UnitSyntax, entry_id: str, context: CompileContext, origin: QueryOrigin) -> Entry:
    part_origin = origin.replace_owner("part")
    costs, modifiers = context.build_costs(unit.prices, origin)
    models = build_parts(unit.models, context, part_origin)
    options = build_parts(unit.options, context, part_origin)
    changes = build_profile_changes(None, unit.row, context, origin) if unit.row else ()
    gone = build_loss_guards(None, origin)
    # The printed price includes the models of the smallest unit.
    costs = [
        Cost(type_id=cost.type_id, value=cost.value - sum_starting_price(unit.models, cost.type_id)) for cost in costs
    ]
    if not unit.models and not unit.empty:
        costs.append(Cost(type_id=MODELS, value=1))
    return Entry(
        id=entry_id,
        name=unit.name,
        type=EntryType.UNIT,
        note=unit.about,
        emblem=unit.emblem,
        costs=tuple(costs),
        constraints=(*build_unit_rules(unit, context, origin), *build_addon_limits(unit, context)),
        modifiers=(*modifiers, *build_set_modifiers(unit, context, origin)),
        categories=(
            *build_keyword_links(unit.keywords, entry_id, ("keyword",), context),
            *build_ability_links(unit, entry_id, context),
        ),
        infos=tuple(context.infos.build_owned(unit, entry_id, unit.carries, origin, changes, gone)),
        entries=(*models, *options, *build_addon_links(unit, entry_id, context)),
        citation=unit.cite,
    )


def _build_limits(unit: UnitSyntax, context: CompileContext) -> list[Constraint]:
    limits = (*unit.limit, ("roster", 1)) if unit.unique else unit.limit
    constraints = []
    for place, most in limits:
        scope, rule = Scope.FORCE, f"limit per {place}"
        if place == "roster":
            scope, rule = Scope.ROSTER, "unique" if unit.unique else rule
        query = Query(scope=scope, child_id=unit.id, deep=True)
        words = context.get_rule_text(rule)
        constraint_id = f"{unit.id}#max-per-{place}"
        # Entries print the number, but uniqueness comes from the rule.
        cite = words.cite or unit.cite if rule == "unique" else unit.cite
        constraints.append(context.build_constraint(constraint_id, Bound.MAX, most, words, cite, query))
    if unit.only_when:
        around = QueryOrigin(context.index, scope="detachment", owner="unit")
        constraints += build_condition_limits(unit.only_when, "", f"{unit.id}#only-when", context, around, unit.cite)
    return constraints


def _build_membership(unit: UnitSyntax, context: CompileContext, counted: bool = True) -> list[CategoryLink]:
    links = []
    type_id = context.index.find_id(unit.type, "type")
    if type_id:
        links.append(_link_category(unit, type_id, primary=True))
    if counted:
        links.append(_link_category(unit, UNITS, primary=False))
    # A unit of several factions counts for the one that links to it.
    if unit.faction and not unit.also_in:
        links.append(_link_category(unit, make_faction_category(unit.faction), primary=False))
    return links


def _link_category(unit: UnitSyntax, category_id: str, *, primary: bool) -> CategoryLink:
    return CategoryLink(id=f"{unit.id}@{category_id}", target_id=category_id, primary=primary, hidden=not primary)
