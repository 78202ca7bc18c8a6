"""Work out what follows from the models of a unit: how many there are, what they cost, who carries what."""

from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from catalogue.definitions.numbers import Number
from catalogue.formats.packs.compile.name_index import is_part_called, make_ids, walk_models, walk_parts
from catalogue.formats.packs.syntax.base import CarriedItem
from catalogue.formats.packs.syntax.scalars import make_id
from catalogue.formats.packs.syntax.units import PartSyntax, UnitSyntax


def is_pool(part: PartSyntax) -> bool:
    """Return whether a choice is one among models."""
    return any(walk_models(part.parts))


def count_most_models(parts: Iterable[PartSyntax]) -> int | None:
    """Return how many models the largest unit has; None where nothing limits it."""
    return sum_limits(map(_count_most_of_part, parts))


def sum_limits(limits: Iterable[int | None]) -> int | None:
    """Return how many there may be in all; None where one of several is without a limit."""
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
    # A choice limits its models together, besides what limits each of them.
    limits = [limit for limit in (count_most_models(part.parts), part.range.high) if limit is not None]
    return min(limits, default=None)


def sum_starting_price(parts: Iterable[PartSyntax], cost: str) -> Number:
    """Return what the models of the smallest unit cost together."""
    total: Number = 0
    for part in parts:
        if part.kind == "model":
            total += part.range.low * get_plain_price(part, cost)
        elif is_pool(part):
            # A pool that asks for more models than its members do each is filled with the default, else the cheapest.
            more = max(0, part.range.low - _count_fewest_models(part.parts))
            total += sum_starting_price(part.parts, cost) + more * _find_pool_price(part, cost)
    return total


def _count_fewest_models(parts: Iterable[PartSyntax]) -> int:
    """Return the minimum number of models."""
    total = 0
    for part in parts:
        if part.kind == "model":
            total += part.range.low
        elif is_pool(part):
            total += max(part.range.low, _count_fewest_models(part.parts))
    return total


def get_plain_price(part: PartSyntax, cost: str) -> Number:
    """Return the unconditional price of one of a part."""
    prices = {price.cost: price.price.value for price in part.prices if price.is_plain}
    return prices.get(cost, 0)


def _find_pool_price(part: PartSyntax, cost: str) -> Number:
    """Return the price of the model that fills a pool: its default, else the cheapest."""
    # A pool is filled as cheaply as the book allows: printed prices are those of the smallest unit.
    return min((get_plain_price(member, cost) for member in _list_fillers(part)), default=0)


def _list_fillers(part: PartSyntax) -> list[PartSyntax]:
    """List the models that may fill a pool: those that are its default, or all of them."""
    members = list(walk_models(part.parts))
    if part.default is None:
        return members
    wanted = make_id(part.default.text)
    return [model for model in members if is_part_called(model, wanted)] or members


class Carriers(NamedTuple):
    """Who carries a thing: `fixed` of it the unit, or the model that a swap is in, and so many each kind of model.

    `by_model` is the id of that model, blank for a swap of the whole unit.
    """

    fixed: int
    by_model_id: tuple[tuple[str, int], ...] = ()
    by_model: str = ""

    @property
    def nobody(self) -> bool:
        return not self.fixed and not self.by_model_id


def find_carriers(part: PartSyntax, unit: UnitSyntax | None) -> Carriers:
    """Return who carries what the swap `part` replaces; of a swap `by` some models, only those count."""
    if unit is None or part.replaces is None:
        return Carriers(0)
    what = make_id(part.replaces.text)
    holder = _find_carrying_model(part, unit)
    if holder is not None:
        return Carriers(_count_carried(holder.carries, what), by_model=holder.id)
    allowed = make_ids(part.by)
    # What the unit carries itself is on none of its models, so a swap `by` some of them cannot take it.
    fixed = 0 if allowed else _count_carried(unit.carries, what)
    return Carriers(fixed, tuple(_list_swapping_models(unit, what, allowed)))


def _list_swapping_models(unit: UnitSyntax, what: str, allowed: Collection[str]) -> Iterator[tuple[str, int]]:
    """Yield the kinds of models that carry a thing and may swap it, each with how many of it one model carries."""
    for model in walk_models(unit.models):
        count = _count_carried(model.carries, what)
        if count and _may_swap(model, allowed):
            yield model.id, count


def _may_swap(model: PartSyntax, allowed: Collection[str]) -> bool:
    return not allowed or any(is_part_called(model, name) for name in allowed)


def _find_carrying_model(part: PartSyntax, unit: UnitSyntax) -> PartSyntax | None:
    """Return the model that a part is in; None where it is in the unit itself."""
    for model in walk_models(unit.models):
        if part in walk_parts(model.parts):
            return model
    return None


def _count_carried(carries: Iterable[CarriedItem] | None, what: str) -> int:
    return sum(item.count for item in carries or () if make_id(item.name.text) == what)
