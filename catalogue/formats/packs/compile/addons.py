"""Add-ons: entries that are placed in other units, and what limits them there."""

from collections.abc import Iterator

from catalogue.definitions.constraints import Constraint
from catalogue.definitions.entries import Entry, EntryKind
from catalogue.definitions.queries import ANY, Bound, Condition, Guard, Operator, Query, Scope
from catalogue.formats.packs.compile.context import CompileContext
from catalogue.formats.packs.compile.models import most
from catalogue.formats.packs.compile.multi_faction_units import are_strangers
from catalogue.formats.packs.compile.name_index import MODELS
from catalogue.formats.packs.forms.units import UnitForm
from catalogue.formats.packs.words import slug


def is_addon(unit: UnitForm, context: CompileContext) -> bool:
    return bool(unit.type and slug(unit.type.text) in context.forms.addon_types)


def guests(host: UnitForm, context: CompileContext) -> Iterator[UnitForm]:
    """The add-ons that may stand in a unit."""
    if is_addon(host, context):
        return
    types = {slug(host.type.text)} if host.type else set()
    words = {slug(word.text) for word in host.keywords}
    names = {host.id, slug(host.name)} - ({unit.id for unit in context.forms.units} - {host.id})
    for unit in context.forms.units:
        joins = unit.joins
        if joins is None or unit.id == host.id or are_strangers(unit, host):
            continue
        by_name = any(slug(name.text) in names for name in joins.units)
        by_type = any(slug(name.text) in types for name in joins.types)
        if by_name or by_type or any(slug(name.text) in words for name in joins.keywords):
            yield unit


def _possible(host: UnitForm, context: CompileContext) -> Iterator[UnitForm]:
    """The guests of a unit, and the add-ons of its faction that lists from elsewhere put into it all the same."""
    own = list(guests(host, context))
    yield from own
    if not is_addon(host, context):
        for unit in context.forms.units:
            if is_addon(unit, context) and unit not in own and not are_strangers(unit, host):
                yield unit


def addon_links(host: UnitForm, own: str, context: CompileContext) -> tuple[Entry, ...]:
    return tuple(
        Entry(
            id=f"{own}/{addon.id}",
            kind=EntryKind.ENTRY_LINK,
            name=addon.name,
            target_id=addon.id,
            constraints=(_number(addon, f"{own}/{addon.id}", context),),
            citation=addon.cite,
        )
        for addon in guests(host, context)
    )


def _number(addon: UnitForm, own: str, context: CompileContext) -> Constraint:
    """How many of an add-on stand in one host: as many as it says, and one of what is unique."""
    words = context.words("unique" if addon.unique else "add-on quantity")
    most = addon.joins.most if addon.joins and not addon.unique else 1
    return context.made(f"{own}#max", Bound.MAX, most, words, addon.cite)


def addon_limits(host: UnitForm, context: CompileContext) -> list[Constraint]:
    """One kind of add-on in a unit; and no more models than the unit can have, where the add-on says so."""
    found = []
    addons = list(_possible(host, context))
    for number, addon in enumerate(addons):
        for other in addons[number + 1 :] if is_addon(addon, context) else ():
            own = f"{host.id}#one-add-on-{addon.id}-{other.id}"
            words = context.words("add-on one kind")
            found.append(context.made(own, Bound.MAX, 0, words, other.cite, _count_of(other), _has(addon)))
        largest = most(host.models) if host.models else 1
        if addon.joins and addon.joins.within_size and largest is not None:
            own = f"{host.id}#add-on-size-{addon.id}"
            limit = largest if host.models else largest - 1
            models = Query(field=MODELS, scope=Scope.SELF, child_id=ANY, deep=True)
            found.append(
                context.made(
                    own, Bound.MAX, limit, context.words("add-on size"), addon.cite, models, _has(addon)
                )
            )
    return found


def check_addons(context: CompileContext) -> None:
    """Report add-ons that join nobody, units that join although they are none, and hosts that do not exist."""
    for unit in context.forms.units:
        if is_addon(unit, context) and unit.joins is None:
            mend = "Add `joins:` with units, types or keywords."
            context.problems.add(unit.where, "missing-key", f"The add-on “{unit.name}” joins nobody.", mend)
        elif unit.only_joined and unit.joins is None:
            mend = "Add `joins:`, or remove `only joined:`."
            context.problems.add(
                unit.where, "no-effect", f"The unit “{unit.name}” can be taken nowhere.", mend
            )
        if unit.joins:
            kinds = (("unit", unit.joins.units), ("type", unit.joins.types), ("keyword", unit.joins.keywords))
            for kind, names in kinds:
                for name in names:
                    context.index.target(name, None, (kind,))


def _count_of(addon: UnitForm) -> Query:
    return Query(scope=Scope.SELF, child_id=addon.id, deep=True)


def _has(addon: UnitForm) -> Guard:
    return Guard(conditions=(Condition(operator=Operator.AT_LEAST, query=_count_of(addon), value=1),))
