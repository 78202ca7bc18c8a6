"""Units as entries: their price, models, options, what they allow, and the add-ons that may stand in them."""

import msgspec

from catalogue.definitions.constraints import Constraint
from catalogue.definitions.entries import CategoryLink, Cost, Entry, EntryType
from catalogue.definitions.infos import Info
from catalogue.definitions.numbers import Number
from catalogue.definitions.queries import ALWAYS, Bound, Condition, Guard, Operator, Query, Scope
from catalogue.formats.packs.compile.addons import build_addon_limits, build_addon_links, is_addon
from catalogue.formats.packs.compile.context import CompileContext
from catalogue.formats.packs.compile.expressions import QueryOrigin
from catalogue.formats.packs.compile.models import sum_starting_price
from catalogue.formats.packs.compile.name_index import MODELS, make_faction_category
from catalogue.formats.packs.compile.option_constraints import build_condition_limits
from catalogue.formats.packs.compile.option_effects import (
    build_loss_guards,
    build_profile_changes,
    check_removals,
)
from catalogue.formats.packs.compile.parts import build_parts
from catalogue.formats.packs.compile.rules import build_unit_rules
from catalogue.formats.packs.compile.sets_and_figures import build_ability_links, build_set_modifiers
from catalogue.formats.packs.compile.type_changes import build_type_changes
from catalogue.formats.packs.compile.withheld_units import hide_withheld_unit
from catalogue.formats.packs.features.allowances.slots import build_allowance_costs
from catalogue.formats.packs.features.commander.compile import build_commander_modifiers, build_leave_limits
from catalogue.formats.packs.syntax.builtin_rules import UNITS
from catalogue.formats.packs.syntax.scalars import make_id
from catalogue.formats.packs.syntax.units import UnitSyntax


def build_unit(unit: UnitSyntax, context: CompileContext) -> Entry:
    """Return the entry of a unit; one that may be several in one selection is inside an entry for the selection."""
    origin = make_unit_origin(unit, context)
    check_removals(context, origin)
    root = (
        _build_body(unit, unit.id, context, origin)
        if unit.units.high == 1
        else _build_selection(unit, context, origin)
    )
    return msgspec.structs.replace(
        root,
        costs=(*root.costs, *build_allowance_costs(unit, context)),
        constraints=(
            *root.constraints,
            *_build_limits(unit, context, origin),
            *_limit_combined_units(unit, context),
            *build_leave_limits(unit, context),
        ),
        categories=(*_build_membership(unit, context), *root.categories),
        modifiers=(
            *root.modifiers,
            *build_type_changes(unit, context, origin),
            *build_commander_modifiers(unit, context),
            *hide_withheld_unit(unit, context, origin),
        ),
    )


def _limit_combined_units(unit: UnitSyntax, context: CompileContext) -> list[Constraint]:
    """Return the limit on units in a selection, of whatever entries, because lists from elsewhere may combine them."""
    if "one entry per selection" not in context.forms.texts or unit.units.high is None:
        return []
    several = unit.units.high > 1
    units_called = Query(scope=Scope.SELF, child_id=f"{unit.id}/unit", deep=True)
    within = Condition(operator=Operator.AT_MOST, query=units_called, value=unit.units.high)
    when = Guard(conditions=(within,)) if several else ALWAYS
    most = unit.units.high if several else 0  # a selection for one unit is that unit
    every = Query(scope=Scope.SELF, child_id="unit", deep=True)
    words = context.get_rule_text("units in selection")
    return [context.build_constraint(f"{unit.id}#together", Bound.MAX, most, words, unit.cite, every, when)]


def build_addon(unit: UnitSyntax, context: CompileContext) -> Entry:
    """Return the entry that the hosts of an add-on link to."""
    origin = make_unit_origin(unit, context)
    body = _build_body(unit, unit.id, context, origin)
    costs = [cost for cost in body.costs if cost.type_id != MODELS]
    return msgspec.structs.replace(
        body,
        type=EntryType.MODEL,
        costs=(*costs, Cost(type_id=MODELS, value=1)),
        constraints=(*body.constraints, *_build_limits(unit, context, origin)),
        categories=(*_build_membership(unit, context, counted=False), *body.categories),
    )


def make_unit_origin(unit: UnitSyntax, context: CompileContext) -> QueryOrigin:
    weapons = sum(item.count for item in unit.carries if context.infos.is_weapon(item.name))
    # What an add-on asks of “the unit” it asks of its host.
    owner = "model" if is_addon(unit, context) else "unit"
    return QueryOrigin(context.index, scope="unit", owner=owner, unit=unit, weapons=weapons)


def _build_selection(unit: UnitSyntax, context: CompileContext, origin: QueryOrigin) -> Entry:
    inner = _build_body(unit, f"{unit.id}/unit", context, origin)
    words = context.get_rule_text("units in selection")
    limits = [
        context.build_constraint(f"{inner.id}#min", Bound.MIN, max(unit.units.low, 1), words, unit.cite)
    ]
    if unit.units.high is not None:
        limits.append(
            context.build_constraint(f"{inner.id}#max", Bound.MAX, unit.units.high, words, unit.cite)
        )
    inner = msgspec.structs.replace(inner, constraints=(*limits, *inner.constraints), apart=True)
    return Entry(id=unit.id, name=unit.name, entries=(inner,), citation=unit.cite)


def _build_body(unit: UnitSyntax, entry_id: str, context: CompileContext, origin: QueryOrigin) -> Entry:
    parts = origin.replace_owner("part")
    costs, modifiers = context.build_costs(unit.prices, origin)
    models = build_parts(unit.models, context, parts)
    options = build_parts(unit.options, context, parts)
    return Entry(
        id=entry_id,
        name=unit.name,
        type=EntryType.UNIT,
        note=unit.about,
        costs=(*_subtract_model_prices(costs, unit), *_count_own_model(unit)),
        constraints=(*build_unit_rules(unit, context, origin), *build_addon_limits(unit, context)),
        modifiers=(*modifiers, *build_set_modifiers(unit, context, origin)),
        categories=(
            *_build_keyword_links(unit, entry_id, context),
            *build_ability_links(unit, entry_id, context),
        ),
        infos=tuple(_build_infos(unit, entry_id, context, origin)),
        entries=(*models, *options, *build_addon_links(unit, entry_id, context)),
        citation=unit.cite,
    )


def _count_own_model(unit: UnitSyntax) -> tuple[Cost, ...]:
    """Return one model for a unit that lists none: it is a single model itself."""
    return () if unit.models or unit.empty else (Cost(type_id=MODELS, value=1),)


def _subtract_model_prices(costs: list[Cost], unit: UnitSyntax) -> list[Cost]:
    """Return prices without those of the models in the smallest unit, which the printed price includes."""
    return [Cost(type_id=cost.type_id, value=_calculate_base_price(cost, unit)) for cost in costs]


def _calculate_base_price(cost: Cost, unit: UnitSyntax) -> Number:
    return cost.value - sum_starting_price(unit.models, cost.type_id)


def _build_limits(unit: UnitSyntax, context: CompileContext, origin: QueryOrigin) -> list[Constraint]:
    """Return how many of the unit there may be, and when."""
    constraints = []
    limits = [*unit.limit, *([("roster", 1)] if unit.unique else [])]
    for scope, high in limits:
        words = context.get_rule_text("unique" if unit.unique and scope == "roster" else f"limit per {scope}")
        query = Query(scope=Scope.ROSTER if scope == "roster" else Scope.FORCE, child_id=unit.id, deep=True)
        constraints.append(
            context.build_constraint(f"{unit.id}#max-per-{scope}", Bound.MAX, high, words, unit.cite, query)
        )
    if unit.only_when:
        around = QueryOrigin(context.index, scope="detachment", owner="unit")
        constraints += build_condition_limits(
            unit.only_when, "", f"{unit.id}#only-when", context, around, unit.cite
        )
    return constraints


def _build_membership(
    unit: UnitSyntax, context: CompileContext, counted: bool = True
) -> tuple[CategoryLink, ...]:
    """Return the links to the type of the unit, to whether it counts as a unit, and to its faction."""
    links = []
    target = context.index.find_target(unit.type, None, ("type",)) if unit.type else None
    if target:
        links.append(CategoryLink(id=f"{unit.id}@{target.id}", target_id=target.id, primary=True))
    hidden = [UNITS] if counted else []
    if unit.faction and not unit.also_in:
        hidden.append(make_faction_category(unit.faction))
    links += [
        CategoryLink(id=f"{unit.id}@{category_id}", target_id=category_id, hidden=True)
        for category_id in hidden
    ]
    return tuple(links)


def _build_keyword_links(
    unit: UnitSyntax, entry_id: str, context: CompileContext
) -> tuple[CategoryLink, ...]:
    links = []
    for word in unit.keywords:
        target = context.index.find_target(word, None, ("keyword",))
        if target:
            links.append(CategoryLink(id=f"{entry_id}@{target.id}", target_id=target.id))
    return tuple(links)


def _build_infos(unit: UnitSyntax, entry_id: str, context: CompileContext, origin: QueryOrigin) -> list[Info]:
    infos: list[Info | None] = []
    if unit.row:
        modifiers = build_profile_changes(None, unit.row, context, origin)
        infos.append(context.infos.build_profile(unit.row, f"{entry_id}~profile", unit.cite, modifiers))
    rows = ((f"{entry_id}~{row.table}/{make_id(row.name)}", row) for row in unit.rows)
    infos += [context.infos.build_profile(row, row_id, unit.cite) for row_id, row in rows]
    gone = build_loss_guards(None, origin)
    infos += [
        context.infos.link_item(item, entry_id, gone.get(make_id(item.name.text))) for item in unit.carries
    ]
    infos += [
        context.infos.link_ability(use, entry_id, origin, gone.get(make_id(use.name.text)))
        for use in unit.abilities
    ]
    return [info for info in infos if info is not None]
