"""What follows from the models of a unit: how many there are, what they cost, who carries what."""

from collections.abc import Iterable

from catalogue.definitions.numbers import Number
from catalogue.formats.packs.building.asks import Context
from catalogue.formats.packs.building.index import walk
from catalogue.formats.packs.forms.base import Carried
from catalogue.formats.packs.forms.units import PartForm, UnitForm
from catalogue.formats.packs.words import slug


def is_pool(part: PartForm) -> bool:
    """Whether a choice is one among models."""
    return any(inner.kind == "model" for inner in walk(part.parts))


def fewest(parts: Iterable[PartForm]) -> int:
    """How many models the smallest unit has."""
    return sum(part.range.low for part in parts if part.kind == "model" or is_pool(part))


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
        elif is_pool(part) and part.range.low:
            total += part.range.low * _price_in_pool(part, cost)
    return total


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


def carried_outside(part: PartForm, context: Context) -> tuple[int, list[tuple[str, int]]]:
    """Who carries what a swap replaces: how many the unit or the model around it, how many each kind of model."""
    unit, what = context.unit, slug(part.replaces.text) if part.replaces else ""
    if unit is None:
        return 0, []
    holder = _holder(part, unit)
    if holder is not None:
        return _count(holder.carries or (), what), []
    fixed = _count(unit.carries, what)
    models = [model for model in walk(unit.models) if model.kind == "model"]
    terms = [(model.id, count) for model in models if (count := _count(model.carries or (), what))]
    return fixed, terms


def _holder(part: PartForm, unit: UnitForm) -> PartForm | None:
    """The model that a part stands in, None where it stands in the unit."""
    models = (model for model in walk(unit.models) if model.kind == "model")
    return next((model for model in models if part in walk(model.parts)), None)


def _count(carries: Iterable[Carried], what: str) -> int:
    return sum(item.count for item in carries if slug(item.name.text) == what)
