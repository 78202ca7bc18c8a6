"""Price printed figures in the costs that sum them."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from catalogue.documents.node import read_number
from catalogue.formats.packs.compile.name_index import make_ids
from catalogue.formats.packs.features.printed_figures.syntax import DerivedCostSyntax
from catalogue.formats.packs.syntax.base import PriceSyntax
from catalogue.formats.packs.syntax.pack import PackSyntax
from catalogue.formats.packs.syntax.scalars import PriceValue, make_id
from catalogue.formats.packs.syntax.units import PartSyntax, UnitSyntax

NUMBER = re.compile(r"-?\d+")

Figures = list[tuple[str, DerivedCostSyntax]]
"""Cost ids, and the printed places of their figures."""


def list_figures(pack: PackSyntax) -> Figures:
    return [(cost.id, cost.derived) for cost in pack.costs.values() if cost.derived]


def add_figures(unit: UnitSyntax, figures: Figures) -> UnitSyntax:
    printed = tuple(_read_figures(unit, figures))
    return replace(
        unit,
        # A model without the figure gets its unit's.
        prices=unit.prices if unit.models else (*unit.prices, *printed),
        models=tuple(_add_part_figures(part, figures, printed) for part in unit.models),
        options=tuple(_add_part_figures(part, figures) for part in unit.options),
    )


def _add_part_figures(part: PartSyntax, figures: Figures, around: tuple[PriceSyntax, ...] = ()) -> PartSyntax:
    if part.kind == "model":
        printed = list(_read_figures(part, figures))
        costs = {price.cost for price in printed}
        printed += [price for price in around if price.cost not in costs]
        around = ()
    else:
        # An option with a profile replaces a model, so only its abilities add.
        printed = list(_read_figures(part, [(cost, derived) for cost, derived in figures if not derived.column]))
    return replace(
        part,
        prices=(*part.prices, *printed),
        parts=tuple(_add_part_figures(inner, figures, around) for inner in part.parts),
    )


def _read_figures(
    syntax: UnitSyntax | PartSyntax, figures: Iterable[tuple[str, DerivedCostSyntax]]
) -> Iterator[PriceSyntax]:
    for cost_id, derived in figures:
        number = NUMBER.search(_find_printed_text(derived, syntax))
        if number:
            value = read_number(number[0]) + derived.plus
            if derived.least is not None:
                value = max(value, derived.least)
            yield PriceSyntax(cost=cost_id, price=PriceValue(value), where=syntax.where)


def _find_printed_text(derived: DerivedCostSyntax, syntax: UnitSyntax | PartSyntax) -> str:
    ability_ids = make_ids(derived.abilities)
    if ability_ids:
        return next((use.parameter for use in syntax.abilities if make_id(use.name.text) in ability_ids), "")
    row = syntax.row.values if syntax.row else ()
    return next((value for column, value in reversed(row) if column.casefold() == derived.column.casefold()), "")
