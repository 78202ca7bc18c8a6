"""What follows from the whole pack for each of its units: where it is at home, whom it joins, figures it prints."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from catalogue.documents.node import read_number
from catalogue.formats.packs.syntax.base import AbilityUse, PriceSyntax, ProfileRow, Reference
from catalogue.formats.packs.syntax.game import CostSyntax, PackSyntax
from catalogue.formats.packs.syntax.gathered import DerivedCostSyntax
from catalogue.formats.packs.syntax.scalars import PriceValue, make_id
from catalogue.formats.packs.syntax.units import JoinSyntax, PartSyntax, UnitSyntax

NUMBER = re.compile(r"-?\d+")


def complete_units(forms: PackSyntax) -> None:
    """Complete the units of a pack by what it says of several at once."""
    forms.units = [_complete_unit(unit, forms) for unit in forms.units]


def is_of(unit: UnitSyntax, names: Iterable[Reference]) -> bool:
    """Whether a unit is of one of these types or keywords."""
    words = {make_id(word.text) for word in unit.keywords}
    words |= {make_id(unit.type.text)} if unit.type else set()
    return any(make_id(name.text) in words for name in names)


def _complete_unit(unit: UnitSyntax, forms: PackSyntax) -> UnitSyntax:
    home = unit.home or ((Reference(unit.faction, unit.where),) if unit.faction else ())
    joins = [gathered.joins for gathered in forms.joining if is_of(unit, gathered.of)]
    anywhere = is_of(unit, forms.anywhere)
    derived = [cost for cost in forms.costs.values() if cost.derived]
    printed = tuple(_read_figures(unit, derived))
    return replace(
        unit,
        home=home,
        faction="" if anywhere else unit.faction,
        also_in=() if anywhere else unit.also_in,
        joins=_merge_joins([*([unit.joins] if unit.joins else []), *joins]),
        # What a unit prints is that of each of its models, unless these print their own.
        prices=unit.prices if unit.models else (*unit.prices, *printed),
        models=tuple(_add_part_figures(part, derived, printed) for part in unit.models),
        options=tuple(_add_part_figures(part, derived) for part in unit.options),
    )


def _merge_joins(joins: list[JoinSyntax]) -> JoinSyntax | None:
    """One form for everything that a unit joins; None where that is nothing."""
    if not joins:
        return None
    return replace(
        joins[0],
        units=tuple(name for join in joins for name in join.units),
        types=tuple(name for join in joins for name in join.types),
        keywords=tuple(name for join in joins for name in join.keywords),
        most=max(join.most for join in joins),
        keeps_type=next((join.keeps_type for join in joins if join.keeps_type), None),
    )


def _add_part_figures(
    part: PartSyntax, derived: list[CostSyntax], around: tuple[PriceSyntax, ...] = ()
) -> PartSyntax:
    """A part with the figures that it and what is inside it print; a model has those of the unit `around` too."""
    # An option with a profile makes another model of one that is there; its abilities are new.
    model = part.kind == "model"
    prices = tuple(_read_figures(part, [cost for cost in derived if model or not _get_figure_column(cost)]))
    printed = {price.cost for price in prices}
    inherited_prices = tuple(price for price in around if price.cost not in printed) if model else ()
    inside = () if model else around
    return replace(
        part,
        prices=(*part.prices, *prices, *inherited_prices),
        parts=tuple(_add_part_figures(inner, derived, inside) for inner in part.parts),
    )


def _get_figure_column(cost: CostSyntax) -> str:
    return cost.derived.column if cost.derived else ""


def _read_figures(form: UnitSyntax | PartSyntax, derived: list[CostSyntax]) -> Iterator[PriceSyntax]:
    for cost in derived:
        text = _find_printed_text(cost.derived, form.row, form.abilities) if cost.derived else ""
        number = NUMBER.search(text)
        if number and cost.derived:
            value = read_number(number[0]) + cost.derived.plus
            value = value if cost.derived.least is None else max(value, cost.derived.least)
            yield PriceSyntax(cost=cost.id, price=PriceValue(value), where=form.where)


def _find_printed_text(
    derived: DerivedCostSyntax, row: ProfileRow | None, abilities: Iterable[AbilityUse]
) -> str:
    """Where the figure stands; blank where it does not."""
    wanted = {make_id(name.text) for name in derived.abilities}
    shown = [use.parameter for use in abilities if make_id(use.name.text) in wanted]
    values = {column.casefold(): value for column, value in (row.values if row else ())}
    return next(iter(shown), "") if wanted else values.get(derived.column.casefold(), "")
