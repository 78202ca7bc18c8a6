"""Compile what goes beyond one unit: add-ons inside other units, and units that several factions may take."""

from collections.abc import Iterator

from catalogue.definitions.constraints import Constraint
from catalogue.definitions.entries import CategoryLink, Entry, EntryKind
from catalogue.definitions.queries import ANY, Bound, Query, Scope
from catalogue.formats.packs.compile.context import CompileContext
from catalogue.formats.packs.compile.expressions import require_entry
from catalogue.formats.packs.compile.models import count_most_models
from catalogue.formats.packs.compile.name_index import (
    MODELS,
    get_type_id,
    list_keyword_ids,
    list_names,
    make_faction_category,
    make_ids,
)
from catalogue.formats.packs.syntax.scalars import make_id
from catalogue.formats.packs.syntax.units import JoinSyntax, UnitSyntax


def list_home_factions(unit: UnitSyntax) -> tuple[str, ...]:
    """Return the ids of the factions that may take a unit: that of its file, then those it names itself."""
    return (unit.faction, *(make_id(name.text) for name in unit.also_in))


def are_strangers(unit: UnitSyntax, other: UnitSyntax) -> bool:
    """Return whether no faction may take both; a unit of no faction belongs to all of them."""
    if _is_open_to_all(unit, other):
        return False
    return set(list_home_factions(unit)).isdisjoint(list_home_factions(other))


def _is_open_to_all(unit: UnitSyntax, other: UnitSyntax) -> bool:
    """Whether one of two is of no faction, and so belongs to everybody: unless one names who may take it."""
    return not (unit.also_in or other.also_in) and not (unit.faction and other.faction)


def build_guest_links(faction: str, context: CompileContext) -> list[Entry]:
    """Return what a faction offers of the units that belong to several; there each counts as one of its own."""
    if not faction:
        return []
    return [_link_guest(faction, unit) for unit in context.pack.units if _is_guest_of(unit, faction)]


def _is_guest_of(unit: UnitSyntax, faction: str) -> bool:
    """Whether a faction offers a unit that belongs to others as well; one that only joins others is in its hosts."""
    return bool(unit.also_in) and not unit.only_joined and faction in list_home_factions(unit)


def _link_guest(faction: str, unit: UnitSyntax) -> Entry:
    return Entry(
        id=f"{faction}/{unit.id}",
        kind=EntryKind.ENTRY_LINK,
        name=unit.name,
        target_id=unit.id,
        categories=(_build_faction_link(faction, unit),),
        citation=unit.cite,
    )


def check_guests(context: CompileContext) -> None:
    """Report factions that do not exist."""
    for unit in context.pack.units:
        context.index.find_ids(unit.also_in, "faction")


def _build_faction_link(faction: str, unit: UnitSyntax) -> CategoryLink:
    category_id = make_faction_category(faction)
    return CategoryLink(id=f"{faction}/{unit.id}@{category_id}", target_id=category_id, hidden=True)


# ---- add-ons --------------------------------------------------------------------------------------------------------


def is_addon(unit: UnitSyntax, context: CompileContext) -> bool:
    return get_type_id(unit) in context.pack.addon_types


def list_guests(host: UnitSyntax, context: CompileContext) -> Iterator[UnitSyntax]:
    """Yield the add-ons that may be in a unit."""
    if is_addon(host, context):
        return
    # A name that is the id of another unit means that unit.
    other_ids = {unit.id for unit in context.pack.units} - {host.id}
    names = list_names(host) - other_ids
    for unit in _list_near_units(host, context):
        if unit.joins and _is_host(host, names, unit.joins):
            yield unit


def _list_near_units(host: UnitSyntax, context: CompileContext) -> Iterator[UnitSyntax]:
    """Yield the other units that may stand in a list with one."""
    for unit in context.pack.units:
        if unit.id != host.id and not are_strangers(unit, host):
            yield unit


def _is_host(host: UnitSyntax, names: set[str], joins: JoinSyntax) -> bool:
    """Return whether a unit of these names is joined by its name, its type or a keyword."""
    is_named = bool(names & make_ids(joins.units))
    is_of_type = get_type_id(host) in make_ids(joins.types)
    return is_named or is_of_type or bool(list_keyword_ids(host) & make_ids(joins.keywords))


def _list_possible_guests(host: UnitSyntax, context: CompileContext) -> list[UnitSyntax]:
    """List the guests of a unit, then add-ons of its faction that lists from elsewhere may put there all the same."""
    guests = list(list_guests(host, context))
    if is_addon(host, context):
        return guests
    addons = [unit for unit in _list_near_units(host, context) if is_addon(unit, context)]
    return [*guests, *(addon for addon in addons if addon not in guests)]


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
    """Return how many of an add-on may be in one host: as many as it says, and one of what is unique."""
    words = context.get_rule_text("unique" if addon.unique else "add-on quantity")
    # A unique one is limited by its own rule, with the words that players know from the book.
    maximum = addon.joins.most if addon.joins and not addon.unique else 1
    return context.build_constraint(f"{link_id}#max", Bound.MAX, maximum, words, addon.cite)


def build_addon_limits(host: UnitSyntax, context: CompileContext) -> Iterator[Constraint]:
    """Yield what allows one kind of add-on in a unit, and no more models than the unit can have where one says so."""
    guests = _list_possible_guests(host, context)
    for number, addon in enumerate(guests):
        if is_addon(addon, context):
            yield from _forbid_other_kinds(addon, guests[number + 1 :], host, context)
        if addon.joins and addon.joins.within_size:
            yield from _limit_joined_size(host, addon, context)


def _limit_joined_size(host: UnitSyntax, addon: UnitSyntax, context: CompileContext) -> Iterator[Constraint]:
    """Yield that a unit has no more models with an add-on than it can have without one."""
    # A host without models is a model itself, which is not counted inside it.
    most = count_most_models(host.models) if host.models else 0
    if most is None:
        return
    when = require_entry(addon.id, Scope.SELF)
    constraint_id = f"{host.id}#add-on-size-{addon.id}"
    words = context.get_rule_text("add-on size")
    models = Query(field=MODELS, scope=Scope.SELF, child_id=ANY, deep=True)
    yield context.build_constraint(constraint_id, Bound.MAX, most, words, addon.cite, models, when)


def _forbid_other_kinds(
    addon: UnitSyntax, others: list[UnitSyntax], host: UnitSyntax, context: CompileContext
) -> Iterator[Constraint]:
    """Yield what forbids other add-ons beside one; those before it forbid it themselves."""
    words = context.get_rule_text("add-on one kind")
    when = require_entry(addon.id, Scope.SELF)
    for other in others:
        constraint_id = f"{host.id}#one-add-on-{addon.id}-{other.id}"
        query = Query(scope=Scope.SELF, child_id=other.id, deep=True)
        yield context.build_constraint(constraint_id, Bound.MAX, 0, words, other.cite, query, when)


def check_addons(context: CompileContext) -> None:
    """Report add-ons that join nobody, units that join although they are none, and hosts that do not exist."""
    for unit in context.pack.units:
        if unit.joins:
            context.index.find_ids(unit.joins.units, "unit")
            context.index.find_ids(unit.joins.types, "type")
            context.index.find_ids(unit.joins.keywords, "keyword")
        elif is_addon(unit, context):
            mend = "Add `joins:` with units, types or keywords."
            context.problems.add(unit.where, "missing-key", f"The add-on “{unit.name}” joins nobody.", mend)
        elif unit.only_joined:
            mend = "Add `joins:`, or remove `only joined:`."
            context.problems.add(unit.where, "no-effect", f"The unit “{unit.name}” can be taken nowhere.", mend)
