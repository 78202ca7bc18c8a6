"""Complete what was read before it is compiled: units with what the whole pack says of them, sets with members."""

import re
from collections.abc import Container, Iterable, Iterator
from dataclasses import replace
from functools import reduce
from typing import TypeVar

from catalogue.documents.node import read_number
from catalogue.formats.packs.compile.name_index import is_of_kind, list_keyword_ids, list_names, make_ids, walk_models
from catalogue.formats.packs.syntax.base import AbilityUse, PriceSyntax, Reference
from catalogue.formats.packs.syntax.declarations import AlikeSyntax, DerivedCostSyntax, SetSyntax
from catalogue.formats.packs.syntax.infos import TableRow
from catalogue.formats.packs.syntax.pack import PackSyntax
from catalogue.formats.packs.syntax.scalars import PriceValue, make_id
from catalogue.formats.packs.syntax.units import JoinSyntax, PartSyntax, UnitSyntax

NUMBER = re.compile(r"-?\d+")
Called = TypeVar("Called", UnitSyntax, PartSyntax)

Figures = list[tuple[str, DerivedCostSyntax]]
"""The figures that units print and rules sum: the id of each as a cost, and where it is printed."""


def complete_units(pack: PackSyntax) -> tuple[UnitSyntax, ...]:
    """Return the units of a pack, completed by what it says of several at once."""
    figures = [(cost.id, cost.derived) for cost in pack.costs.values() if cost.derived]
    # Figures last: they are read from profiles, which nothing else changes.
    units = (_add_joins(_settle_home(unit, pack), pack) for unit in pack.units)
    return tuple(_add_figures(unit, figures) for unit in units)


def _settle_home(unit: UnitSyntax, pack: PackSyntax) -> UnitSyntax:
    """Return a unit that is at home in the faction of its file unless it says otherwise, and of none if of all."""
    home = unit.home or ((Reference(unit.faction, unit.where),) if unit.faction else ())
    if is_of_kind(unit, pack.anywhere):
        return replace(unit, home=home, faction="", also_in=())
    return replace(unit, home=home)


def _add_joins(unit: UnitSyntax, pack: PackSyntax) -> UnitSyntax:
    gathered = [joining.joins for joining in pack.joining if is_of_kind(unit, joining.of)]
    return replace(unit, joins=_merge_joins([unit.joins, *gathered] if unit.joins else gathered))


def _add_figures(unit: UnitSyntax, figures: Figures) -> UnitSyntax:
    printed = tuple(_read_figures(unit, figures))
    return replace(
        unit,
        # What a unit prints is that of each of its models, unless these print their own.
        prices=unit.prices if unit.models else (*unit.prices, *printed),
        models=tuple(_add_part_figures(part, figures, printed) for part in unit.models),
        options=tuple(_add_part_figures(part, figures) for part in unit.options),
    )


def _merge_joins(joins: list[JoinSyntax]) -> JoinSyntax | None:
    """Return one form for everything that a unit joins; None where that is nothing."""
    return reduce(_merge_two_joins, joins) if joins else None


def _merge_two_joins(first: JoinSyntax, second: JoinSyntax) -> JoinSyntax:
    return replace(
        first,
        units=first.units + second.units,
        types=first.types + second.types,
        keywords=first.keywords + second.keywords,
        most=max(first.most, second.most),
        keeps_type=first.keeps_type or second.keeps_type,
    )


def _add_part_figures(part: PartSyntax, figures: Figures, around: tuple[PriceSyntax, ...] = ()) -> PartSyntax:
    """Return a part with the figures that it and its parts print; a model also has those of the unit `around` it."""
    if part.kind == "model":
        printed = _inherit_figures(list(_read_figures(part, figures)), around)
        around = ()
    else:
        # An option with a profile makes another model of one that is there, so only its abilities are new.
        printed = list(_read_figures(part, [(cost, derived) for cost, derived in figures if not derived.column]))
    return replace(
        part,
        prices=(*part.prices, *printed),
        parts=tuple(_add_part_figures(inner, figures, around) for inner in part.parts),
    )


def _inherit_figures(printed: list[PriceSyntax], around: Iterable[PriceSyntax]) -> list[PriceSyntax]:
    """Return the figures of a model: those that it prints, then those of the unit around it that it does not print."""
    costs = {price.cost for price in printed}
    return [*printed, *(price for price in around if price.cost not in costs)]


def _read_figures(syntax: UnitSyntax | PartSyntax, figures: Figures) -> Iterator[PriceSyntax]:
    for cost_id, derived in figures:
        number = NUMBER.search(_find_printed_text(derived, syntax.row, syntax.abilities))
        if number:
            value = read_number(number[0]) + derived.plus
            if derived.least is not None:
                value = max(value, derived.least)
            yield PriceSyntax(cost=cost_id, price=PriceValue(value), where=syntax.where)


def _find_printed_text(derived: DerivedCostSyntax, row: TableRow | None, abilities: Iterable[AbilityUse]) -> str:
    """Return the text that a figure is read from; blank where it is not printed."""
    ability_ids = make_ids(derived.abilities)
    if ability_ids:
        return _find_parameter(abilities, ability_ids)
    values = {column.casefold(): value for column, value in (row.values if row else ())}
    return values.get(derived.column.casefold(), "")


def _find_parameter(abilities: Iterable[AbilityUse], ability_ids: Container[str]) -> str:
    """Return the parameter of the first of these abilities that there is."""
    return next((use.parameter for use in abilities if make_id(use.name.text) in ability_ids), "")


# ---- sets of units that are not listed one by one -------------------------------------------------------------------


def resolve_sets(pack: PackSyntax) -> tuple[tuple[SetSyntax, ...], dict[str, tuple[Reference, ...]]]:
    """Return the pack's sets with each set of names replaced by sets of single units, and what each of those became.

    A set of names without units becomes no set, so that a rule made for it is made for nothing.
    """
    derived_by_origin: dict[str, tuple[Reference, ...]] = {}
    resolved: list[SetSyntax] = []
    for set_syntax in pack.sets:
        derived = _derive_sets(set_syntax, pack)
        if derived is None:
            resolved.append(set_syntax)
        else:
            derived_by_origin[set_syntax.id] = tuple(Reference(syntax.id, set_syntax.where) for syntax in derived)
            resolved += derived
    return tuple(resolved), derived_by_origin


def _derive_sets(set_syntax: SetSyntax, pack: PackSyntax) -> list[SetSyntax] | None:
    """Return what a set of names becomes; None for a set that is not made from names."""
    if set_syntax.alike:
        return list(_pair_by_title(set_syntax, set_syntax.alike, pack))
    return list(_collect_by_name(set_syntax, pack)) if set_syntax.called else None


def _collect_by_name(set_syntax: SetSyntax, pack: PackSyntax) -> Iterator[SetSyntax]:
    """Yield the set of all units of the given names, if there are any."""
    names = make_ids(set_syntax.called)
    units = _list_called(_list_units(set_syntax, pack), names)
    if units:
        # A unit that stands for one of several has it as a model, which counts where no unit of that name does.
        models = tuple(part.id for part in _list_called(_find_stand_in_models(set_syntax, pack), names))
        yield replace(_build_unit_set(set_syntax, set_syntax.id, set_syntax.name, units), models=models)


def _list_called(things: Iterable[Called], names: Container[str]) -> list[Called]:
    """Return the units or parts with one of these names, by the ids made of them."""
    return [thing for thing in things if make_id(thing.name) in names]


def _pair_by_title(set_syntax: SetSyntax, alike: AlikeSyntax, pack: PackSyntax) -> Iterator[SetSyntax]:
    """Yield a set for each title that units of the two keywords share."""
    units = _list_units(set_syntax, pack)
    twins = dict(_list_titled(units, alike.to, alike))
    for title, unit in _list_titled(units, alike.of, alike):
        if title in twins:
            twin = twins[title]
            yield _build_unit_set(set_syntax, f"{set_syntax.id}-{make_id(title)}", twin.name, [twin, unit])


def _list_titled(
    units: Iterable[UnitSyntax], keyword: Reference, alike: AlikeSyntax
) -> Iterator[tuple[str, UnitSyntax]]:
    """Yield the units of a keyword, each with its title."""
    return ((_normalize_title(unit, alike), unit) for unit in units if _has_keyword(unit, keyword))


def _list_units(set_syntax: SetSyntax, pack: PackSyntax) -> list[UnitSyntax]:
    return [unit for unit in pack.units if not set_syntax.of or is_of_kind(unit, set_syntax.of)]


def _build_unit_set(set_syntax: SetSyntax, set_id: str, name: str, units: list[UnitSyntax]) -> SetSyntax:
    unit_ids = tuple(unit.id for unit in units)
    return replace(set_syntax, id=set_id, name=name, of=(), units=unit_ids, called=(), alike=None)


def _find_stand_in_models(set_syntax: SetSyntax, pack: PackSyntax) -> Iterator[PartSyntax]:
    for unit in pack.units:
        if is_stand_in(unit, (set_syntax,)):
            yield from walk_models(unit.models)


def is_stand_in(unit: UnitSyntax, sets: Iterable[SetSyntax]) -> bool:
    """Return whether a unit only stands for one of several others, which its models are."""
    references = [name for set_syntax in sets for name in set_syntax.also_in]
    return bool(list_names(unit) & make_ids(references))


def _has_keyword(unit: UnitSyntax, keyword: Reference) -> bool:
    return make_id(keyword.text) in list_keyword_ids(unit)


def _normalize_title(unit: UnitSyntax, alike: AlikeSyntax) -> str:
    """Return the title in lower case, without the words that do not count."""
    title = unit.name
    for words in alike.strike:
        title = re.sub(rf"\b{re.escape(words)}\b", " ", title, flags=re.IGNORECASE)
    return " ".join(title.lower().split())
