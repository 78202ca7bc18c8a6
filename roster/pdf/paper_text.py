"""Figures and names as they are written on paper."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from catalogue.definitions.numbers import Number, format_number
from roster.engine.report import CostTotal, EffectiveSelection
from roster.pdf.listed_units import MODEL, is_guest, name_of, own

MINUS = "\N{MINUS SIGN}"
TIMES = "\N{MULTIPLICATION SIGN}"
_SPACES = re.compile(r"[ \t]+")


def figure(value: Number) -> str:
    """A number with a real minus sign.

    >>> figure(-3)
    '−3'
    """
    return format_number(value).replace("-", MINUS)


def price(value: Number) -> str:
    """What something adds to the total or takes off it; blank for nothing.

    >>> price(3), price(-2), price(0)
    ('+3', '−2', '')
    """
    return "" if not value else figure(value) if value < 0 else f"+{figure(value)}"


def times(number: int, name: str) -> str:
    """
    >>> times(3, "Pike"), times(1, "Pike")
    ('3 × Pike', 'Pike')
    """
    return name if number == 1 else f"{number} {TIMES} {name}"


def paragraphs(text: str) -> tuple[str, ...]:
    """The text line by line, without blank ones."""
    lines = (_SPACES.sub(" ", line).strip() for line in text.splitlines())
    return tuple(line for line in lines if line)


@dataclass(frozen=True, slots=True)
class Money:
    """The cost types of a list in the order of their columns; the first is the one that prices are given in."""

    types: tuple[CostTotal, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(cost.name for cost in self.types)

    def main(self, costs: Iterable[CostTotal]) -> Number:
        """The amount of the first cost type among `costs`."""
        if not self.types:
            return 0
        return next((cost.value for cost in costs if cost.type_id == self.types[0].type_id), 0)

    def row(self, costs: Iterable[CostTotal], count: int = 1) -> tuple[str, ...]:
        """One text per column, for `count` of what costs so much; nothing for nothing but in the first."""
        values = {cost.type_id: cost.value * count for cost in costs}
        row = [values.get(cost.type_id, 0) for cost in self.types]
        return tuple(figure(value) if value or not place else "" for place, value in enumerate(row))


def money_of(costs: Iterable[CostTotal], columns: int = 3) -> Money:
    """The cost types that are printed: those with a limit first; beside the first only those that are used at all."""
    shown = [cost for cost in costs if not cost.hidden and (cost.value or cost.limit is not None)]
    shown.sort(key=lambda cost: cost.limit is None)
    used = [cost for place, cost in enumerate(shown) if cost.value or not place]
    return Money(tuple(used[:columns]))


def option_texts(
    node: EffectiveSelection, money: Money, unit: EffectiveSelection | None = None
) -> Iterator[str]:
    """What was chosen right inside a unit or model, each with how many and its price; models and guests left out."""
    unit = unit or node
    for child in node.selections:
        if child.type == MODEL or is_guest(child, unit):
            continue
        if not _holds_models(child):
            yield _option(child, node, unit, money)
            continue
        if child.profiles or money.main(child.costs):
            yield _option(child, node, unit, money)
        yield from option_texts(child, money, unit)


def _holds_models(node: EffectiveSelection) -> bool:
    return any(part.type == MODEL for part in own(node))


def _option(
    child: EffectiveSelection, parent: EffectiveSelection, unit: EffectiveSelection, money: Money
) -> str:
    each = child.number // parent.number if parent.number else child.number
    inside = "" if _holds_models(child) else ", ".join(option_texts(child, money, unit))
    words = [
        times(max(each, 1), name_of(child)),
        price(money.main(child.costs)),
        f"({inside})" if inside else "",
    ]
    return " ".join(filter(None, words))
