"""Derive sizes, prices and carriers from a unit's models."""

from collections.abc import Iterable
from typing import NamedTuple

from catalogue.definitions.numbers import Number
from catalogue.formats.packs.compile.name_index import is_part_called, make_ids, walk_models, walk_parts
from catalogue.formats.packs.syntax.base import CarriedItem
from catalogue.formats.packs.syntax.scalars import make_id
from catalogue.formats.packs.syntax.units import PartSyntax, UnitSyntax


def is_pool(part: PartSyntax) -> bool:
    return any(walk_models(part.parts))


def count_most_models(parts: Iterable[PartSyntax]) -> int | None:
    """Return the largest unit's size, None if unlimited."""
    return sum_limits(map(_count_most_of_part, parts))


def sum_limits(limits: Iterable[int | None]) -> int | None:
    total = 0
    for limit in limits:
        if limit is None:
            return None
        total += limit
    return total


def _count_most_of_part(part: PartSyntax) -> int | None:
    if part.kind == "model":
        return part.range.high
    if not is_pool(part):
        return 0
    limits = [limit for limit in (count_most_models(part.parts), part.range.high) if limit is not None]
    return min(limits, default=None)


def sum_starting_price(parts: Iterable[PartSyntax], cost: str) -> Number:
    total: Number = 0
    for part in parts:
        if part.kind == "model":
            total += part.range.low * get_plain_price(part, cost)
        elif is_pool(part):
            # The default, or else the cheapest member, fills a pool up to its minimum.
            more = max(0, part.range.low - _count_fewest_models(part.parts))
            fillers = list(walk_models(part.parts))
            if part.default is not None:
                default_id = make_id(part.default.text)
                fillers = [model for model in fillers if is_part_called(model, default_id)] or fillers
            # Take the cheapest: printed prices are for the smallest unit.
            cheapest = min((get_plain_price(model, cost) for model in fillers), default=0)
            total += sum_starting_price(part.parts, cost) + more * cheapest
    return total


def _count_fewest_models(parts: Iterable[PartSyntax]) -> int:
    total = 0
    for part in parts:
        if part.kind == "model":
            total += part.range.low
        elif is_pool(part):
            total += max(part.range.low, _count_fewest_models(part.parts))
    return total


def get_plain_price(part: PartSyntax, cost: str) -> Number:
    prices = {price.cost: price.price.value for price in part.prices if price.is_plain}
    return prices.get(cost, 0)


class Carriers(NamedTuple):
    """How many things are carried by the unit, or the model around the swap (`fixed`), and by each kind of model.

    `by_model` is the id of the model around the swap, or "".
    """

    fixed: int
    by_model_id: tuple[tuple[str, int], ...] = ()
    by_model: str = ""

    @property
    def nobody(self) -> bool:
        return not self.fixed and not self.by_model_id


def find_carriers(part: PartSyntax, unit: UnitSyntax | None) -> Carriers:
    """Return who carries what a swap replaces, among the models in its `by`."""
    if unit is None or part.replaces is None:
        return Carriers(0)
    what = make_id(part.replaces.text)
    for model in walk_models(unit.models):
        if part in walk_parts(model.parts):
            return Carriers(_count_carried(model.carries, what), by_model=model.id)

    allowed = make_ids(part.by)
    by_model_id = []
    for model in walk_models(unit.models):
        count = _count_carried(model.carries, what)
        if count and (not allowed or any(is_part_called(model, name) for name in allowed)):
            by_model_id.append((model.id, count))
    # None of the models has the unit's own equipment.
    fixed = 0 if allowed else _count_carried(unit.carries, what)
    return Carriers(fixed, tuple(by_model_id))


def _count_carried(carries: Iterable[CarriedItem] | None, what: str) -> int:
    return sum(item.count for item in carries or () if make_id(item.name.text) == what)
