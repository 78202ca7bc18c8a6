"""What follows from the models of a unit: how many there are, what they cost, who carries what."""

from collections.abc import Iterable
from typing import NamedTuple

from catalogue.definitions.numbers import Number
from catalogue.formats.packs.compile.name_index import walk
from catalogue.formats.packs.forms.base import Carried
from catalogue.formats.packs.forms.units import PartForm, UnitForm
from catalogue.formats.packs.words import slug


def is_pool(part: PartForm) -> bool:
    """Whether a choice is one among models."""
    return any(inner.kind == "model" for inner in walk(part.parts))


def most(parts: Iterable[PartForm]) -> int | None:
    """How many models the largest unit has; None where nothing limits it."""
    total = 0
    for part in parts:
        high = _most_of(part)
        if high is None:
            return None
        total += high
    return total


def _most_of(part: PartForm) -> int | None:
    if part.kind == "model":
        return part.range.high
    if not is_pool(part):
        return 0
    inside = most(part.parts)
    bounds = [bound for bound in (inside, part.range.high) if bound is not None]
    return min(bounds) if bounds else None


def starting_price(parts: Iterable[PartForm], cost: str) -> Number:
    """What the models of the smallest unit cost together."""
    total: Number = 0
    for part in parts:
        if part.kind == "model":
            total += part.range.low * price_of(part, cost)
        elif is_pool(part):
            more = max(0, part.range.low - _fewest(part.parts))
            total += starting_price(part.parts, cost) + more * _price_in_pool(part, cost)
    return total


def _fewest(parts: Iterable[PartForm]) -> int:
    """How many models there are at least."""
    pools = {part.id: _fewest(part.parts) for part in parts if is_pool(part)}
    return sum(
        max(part.range.low, pools.get(part.id, 0)) for part in parts if part.kind == "model" or is_pool(part)
    )


def price_of(part: PartForm, cost: str) -> Number:
    """The plain price of one of a part."""
    plain = [
        form.price.value for form in part.prices if form.cost == cost and not form.when and not form.price.per
    ]
    return plain[-1] if plain else 0


def _price_in_pool(part: PartForm, cost: str) -> Number:
    """The price of the model that fills a pool: its default, else the cheapest."""
    members = [inner for inner in walk(part.parts) if inner.kind == "model"]
    if part.default:
        wanted = slug(part.default.text)
        chosen = [m for m in members if wanted in (slug(m.name), m.id.split("/")[-1])]
        members = chosen or members
    return min((price_of(member, cost) for member in members), default=0)


class Held(NamedTuple):
    """Who carries a thing: `fixed` of it the unit, or the model a swap stands in; and so many `each` kind of model."""

    fixed: int
    each: tuple[tuple[str, int], ...] = ()
    by_model: str = ""

    @property
    def nobody(self) -> bool:
        return not self.fixed and not self.each


def held(part: PartForm, unit: UnitForm | None) -> Held:
    """Who carries what the swap `part` of a unit replaces; of a swap `by` some models, only those count."""
    if unit is None or part.replaces is None:
        return Held(0)
    what = slug(part.replaces.text)
    holder = _holder(part, unit)
    if holder is not None:
        return Held(_count(holder.carries or (), what), by_model=holder.id)
    by = {slug(name.text) for name in part.by}
    models = (
        model
        for model in walk(unit.models)
        if model.kind == "model" and (not by or by & {slug(model.name), model.id.split("/")[-1]})
    )
    each = tuple((model.id, count) for model in models if (count := _count(model.carries or (), what)))
    return Held(0 if by else _count(unit.carries, what), each)


def _holder(part: PartForm, unit: UnitForm) -> PartForm | None:
    """The model that a part stands in, None where it stands in the unit."""
    models = (model for model in walk(unit.models) if model.kind == "model")
    return next((model for model in models if part in walk(model.parts)), None)


def _count(carries: Iterable[Carried], what: str) -> int:
    return sum(item.count for item in carries if slug(item.name.text) == what)
