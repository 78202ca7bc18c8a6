"""What follows from the whole pack for each of its units: where it is at home, whom it joins, figures it prints."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from catalogue.formats.packs.forms.base import AbilityUse, Named, PriceForm, Row
from catalogue.formats.packs.forms.game import CostForm, Forms
from catalogue.formats.packs.forms.gathered import DerivedForm
from catalogue.formats.packs.forms.units import JoinForm, PartForm, UnitForm
from catalogue.formats.packs.words import Price, read_number, slug

NUMBER = re.compile(r"-?\d+")


def complete_units(forms: Forms) -> None:
    """Complete the units of a pack by what it says of several at once."""
    forms.units = [_complete_unit(unit, forms) for unit in forms.units]


def is_of(unit: UnitForm, names: Iterable[Named]) -> bool:
    """Whether a unit is of one of these types or keywords."""
    words = {slug(word.text) for word in unit.keywords}
    words |= {slug(unit.type.text)} if unit.type else set()
    return any(slug(name.text) in words for name in names)


def _complete_unit(unit: UnitForm, forms: Forms) -> UnitForm:
    home = unit.home or ((Named(unit.faction, unit.where),) if unit.faction else ())
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


def _merge_joins(joins: list[JoinForm]) -> JoinForm | None:
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
    part: PartForm, derived: list[CostForm], around: tuple[PriceForm, ...] = ()
) -> PartForm:
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


def _get_figure_column(cost: CostForm) -> str:
    return cost.derived.column if cost.derived else ""


def _read_figures(form: UnitForm | PartForm, derived: list[CostForm]) -> Iterator[PriceForm]:
    for cost in derived:
        text = _find_printed_text(cost.derived, form.row, form.abilities) if cost.derived else ""
        number = NUMBER.search(text)
        if number and cost.derived:
            value = read_number(number[0]) + cost.derived.plus
            value = value if cost.derived.least is None else max(value, cost.derived.least)
            yield PriceForm(cost=cost.id, price=Price(value), where=form.where)


def _find_printed_text(derived: DerivedForm, row: Row | None, abilities: Iterable[AbilityUse]) -> str:
    """Where the figure stands; blank where it does not."""
    wanted = {slug(name.text) for name in derived.abilities}
    shown = [use.parameter for use in abilities if slug(use.name.text) in wanted]
    values = {column.casefold(): value for column, value in (row.values if row else ())}
    return next(iter(shown), "") if wanted else values.get(derived.column.casefold(), "")
