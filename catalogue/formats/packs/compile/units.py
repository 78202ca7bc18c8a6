"""Units as entries: their price, models, options, what they allow, and the add-ons that may stand in them."""

import msgspec

from catalogue.definitions.constraints import Constraint
from catalogue.definitions.entries import CategoryLink, Cost, Entry, EntryType
from catalogue.definitions.infos import Info
from catalogue.definitions.numbers import Number
from catalogue.definitions.queries import ALWAYS, Bound, Condition, Guard, Operator, Query, Scope
from catalogue.formats.packs.compile.addons import addon_limits, addon_links, is_addon
from catalogue.formats.packs.compile.context import CompileContext
from catalogue.formats.packs.compile.expressions import QueryOrigin
from catalogue.formats.packs.compile.models import starting_price
from catalogue.formats.packs.compile.name_index import MODELS, UNITS, faction_category
from catalogue.formats.packs.compile.option_constraints import conditions
from catalogue.formats.packs.compile.option_effects import changes_for, check_removals, gone_for
from catalogue.formats.packs.compile.parts import build_all
from catalogue.formats.packs.compile.rules import unit_rules
from catalogue.formats.packs.compile.sets_and_figures import ability_links, set_modifiers
from catalogue.formats.packs.compile.type_changes import type_moves
from catalogue.formats.packs.compile.withheld_units import withholding
from catalogue.formats.packs.features.allowances.slots import allowance_costs
from catalogue.formats.packs.features.commander.compile import leave_limits, leave_marks
from catalogue.formats.packs.forms.units import UnitForm
from catalogue.formats.packs.words import slug


def build_unit(unit: UnitForm, context: CompileContext) -> Entry:
    """The entry of a unit; one that may be several in one selection stands inside an entry for the selection."""
    origin = unit_context(unit, context)
    check_removals(context, origin)
    root = (
        _body(unit, unit.id, context, origin) if unit.units.high == 1 else _selection(unit, context, origin)
    )
    return msgspec.structs.replace(
        root,
        costs=(*root.costs, *allowance_costs(unit, context)),
        constraints=(
            *root.constraints,
            *_limits(unit, context, origin),
            *_together(unit, context),
            *leave_limits(unit, context),
        ),
        categories=(*_membership(unit, context), *root.categories),
        modifiers=(
            *root.modifiers,
            *type_moves(unit, context, origin),
            *leave_marks(unit, context),
            *withholding(unit, context, origin),
        ),
    )


def _together(unit: UnitForm, context: CompileContext) -> list[Constraint]:
    """How many units a selection holds that lists from elsewhere may book as one, whatever units they are."""
    if "one entry per selection" not in context.forms.texts or unit.units.high is None:
        return []
    several = unit.units.high > 1
    own = Query(scope=Scope.SELF, child_id=f"{unit.id}/unit", deep=True)
    within = Condition(operator=Operator.AT_MOST, query=own, value=unit.units.high)
    when = Guard(conditions=(within,)) if several else ALWAYS
    most = unit.units.high if several else 0  # a selection for one unit is that unit
    every = Query(scope=Scope.SELF, child_id="unit", deep=True)
    words = context.words("units in selection")
    return [context.made(f"{unit.id}#together", Bound.MAX, most, words, unit.cite, every, when)]


def build_addon(unit: UnitForm, context: CompileContext) -> Entry:
    """The entry that the hosts of an add-on link to."""
    origin = unit_context(unit, context)
    body = _body(unit, unit.id, context, origin)
    costs = [cost for cost in body.costs if cost.type_id != MODELS]
    return msgspec.structs.replace(
        body,
        type=EntryType.MODEL,
        costs=(*costs, Cost(type_id=MODELS, value=1)),
        constraints=(*body.constraints, *_limits(unit, context, origin)),
        categories=(*_membership(unit, context, counted=False), *body.categories),
    )


def unit_context(unit: UnitForm, context: CompileContext) -> QueryOrigin:
    weapons = sum(item.count for item in unit.carries if context.infos.is_weapon(item.name))
    # What an add-on asks of “the unit” it asks of its host.
    owner = "model" if is_addon(unit, context) else "unit"
    return QueryOrigin(context.index, scope="unit", owner=owner, unit=unit, weapons=weapons)


def _selection(unit: UnitForm, context: CompileContext, origin: QueryOrigin) -> Entry:
    inner = _body(unit, f"{unit.id}/unit", context, origin)
    words = context.words("units in selection")
    limits = [context.made(f"{inner.id}#min", Bound.MIN, max(unit.units.low, 1), words, unit.cite)]
    if unit.units.high is not None:
        limits.append(context.made(f"{inner.id}#max", Bound.MAX, unit.units.high, words, unit.cite))
    inner = msgspec.structs.replace(inner, constraints=(*limits, *inner.constraints), apart=True)
    return Entry(id=unit.id, name=unit.name, entries=(inner,), citation=unit.cite)


def _body(unit: UnitForm, own: str, context: CompileContext, origin: QueryOrigin) -> Entry:
    parts = origin.asking_of("part")
    costs, modifiers = context.priced(unit.prices, origin)
    models = build_all(unit.models, context, parts)
    options = build_all(unit.options, context, parts)
    return Entry(
        id=own,
        name=unit.name,
        type=EntryType.UNIT,
        note=unit.about,
        costs=(*_less_models(costs, unit), *_own_model(unit)),
        constraints=(*unit_rules(unit, context, origin), *addon_limits(unit, context)),
        modifiers=(*modifiers, *set_modifiers(unit, context, origin)),
        categories=(*_keywords(unit, own, context), *ability_links(unit, own, context)),
        infos=tuple(_infos(unit, own, context, origin)),
        entries=(*models, *options, *addon_links(unit, own, context)),
        citation=unit.cite,
    )


def _own_model(unit: UnitForm) -> tuple[Cost, ...]:
    """A unit without models is a single one itself."""
    return () if unit.models or unit.empty else (Cost(type_id=MODELS, value=1),)


def _less_models(costs: list[Cost], unit: UnitForm) -> list[Cost]:
    """The printed price covers the smallest unit, whose models bring their own prices: take those off."""
    return [Cost(type_id=cost.type_id, value=_base(cost, unit)) for cost in costs]


def _base(cost: Cost, unit: UnitForm) -> Number:
    return cost.value - starting_price(unit.models, cost.type_id)


def _limits(unit: UnitForm, context: CompileContext, origin: QueryOrigin) -> list[Constraint]:
    """How many of the unit there may be, and when."""
    found = []
    limits = [*unit.limit, *([("roster", 1)] if unit.unique else [])]
    for scope, high in limits:
        words = context.words("unique" if unit.unique and scope == "roster" else f"limit per {scope}")
        query = Query(scope=Scope.ROSTER if scope == "roster" else Scope.FORCE, child_id=unit.id, deep=True)
        found.append(context.made(f"{unit.id}#max-per-{scope}", Bound.MAX, high, words, unit.cite, query))
    if unit.only_when:
        around = QueryOrigin(context.index, scope="detachment", owner="unit")
        found += conditions(unit.only_when, "", f"{unit.id}#only-when", context, around, unit.cite)
    return found


def _membership(unit: UnitForm, context: CompileContext, counted: bool = True) -> tuple[CategoryLink, ...]:
    """The type of the unit, whether it counts as a unit, its faction."""
    found = []
    target = context.index.target(unit.type, None, ("type",)) if unit.type else None
    if target:
        found.append(CategoryLink(id=f"{unit.id}@{target.id}", target_id=target.id, primary=True))
    hidden = [UNITS] if counted else []
    if unit.faction and not unit.also_in:
        hidden.append(faction_category(unit.faction))
    found += [CategoryLink(id=f"{unit.id}@{own}", target_id=own, hidden=True) for own in hidden]
    return tuple(found)


def _keywords(unit: UnitForm, own: str, context: CompileContext) -> tuple[CategoryLink, ...]:
    found = []
    for word in unit.keywords:
        target = context.index.target(word, None, ("keyword",))
        if target:
            found.append(CategoryLink(id=f"{own}@{target.id}", target_id=target.id))
    return tuple(found)


def _infos(unit: UnitForm, own: str, context: CompileContext, origin: QueryOrigin) -> list[Info]:
    infos: list[Info | None] = []
    if unit.row:
        modifiers = changes_for(None, unit.row, context, origin)
        infos.append(context.infos.profile(unit.row, f"{own}~profile", unit.cite, modifiers))
    rows = ((f"{own}~{row.table}/{slug(row.name)}", row) for row in unit.rows)
    infos += [context.infos.profile(row, row_id, unit.cite) for row_id, row in rows]
    gone = gone_for(None, origin)
    infos += [context.infos.item(item, own, gone.get(slug(item.name.text))) for item in unit.carries]
    infos += [
        context.infos.ability(use, own, origin, gone.get(slug(use.name.text))) for use in unit.abilities
    ]
    return [info for info in infos if info is not None]
