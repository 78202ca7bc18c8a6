"""Format numbers, prices and options for print."""

import re
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass

from catalogue.definitions.numbers import Number, format_number
from roster.engine.report import CostTotal, EffectiveSelection, find_cost
from roster.pdf.listed_units import MODEL, get_name, is_guest, list_models, walk_own

MINUS = "\N{MINUS SIGN}"
TIMES = "\N{MULTIPLICATION SIGN}"
DEFAULT = " (default)"
"""How the names of options end in community data if models start with them."""
_ENDS = (".", "!", "?", "…")
_SPACES = re.compile(r"[ \t]+")


def format_figure(value: Number) -> str:
    """Format a number with a real minus sign.

    >>> format_figure(-3)
    '−3'
    """
    return format_number(value).replace("-", MINUS)


def format_price(value: Number) -> str:
    """Format a price as an addition to the total, or "" for 0.

    >>> format_price(3), format_price(-2), format_price(0)
    ('+3', '−2', '')
    """
    return "" if not value else format_figure(value) if value < 0 else f"+{format_figure(value)}"


def format_count(number: int, name: str) -> str:
    """Add the number to a name, unless it is 1.

    >>> format_count(3, "Pike"), format_count(1, "Pike")
    ('3 × Pike', 'Pike')
    """
    return name if number == 1 else f"{number} {TIMES} {name}"


def split_paragraphs(text: str) -> tuple[str, ...]:
    """Return a text's lines without blank lines and repeated spaces."""
    lines = (_SPACES.sub(" ", line).strip() for line in text.splitlines())
    return tuple(line for line in lines if line)


def end_sentence(text: str) -> str:
    """Add a full stop unless the text ends in punctuation.

    >>> end_sentence("Leader"), end_sentence("Cut One Off…"), end_sentence("Waaagh!")
    ('Leader.', 'Cut One Off…', 'Waaagh!')
    """
    return text if text.endswith(_ENDS) else f"{text}."


@dataclass(frozen=True, slots=True)
class Money:
    """A list's cost types in column order. Prices are in the first type."""

    types: tuple[CostTotal, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(cost.name for cost in self.types)

    def get_main_amount(self, costs: Iterable[CostTotal]) -> Number:
        """Return the amount of the first cost type, 0 if `costs` lacks it."""
        cost = find_cost(costs, self.types[0].type_id) if self.types else None
        return cost.value if cost else 0

    def format_row(self, costs: Iterable[CostTotal], count: int = 1) -> tuple[str, ...]:
        """Format `count` times the costs, one text per column. Only the first column shows 0."""
        values = {cost.type_id: cost.value * count for cost in costs}
        row = [values.get(cost.type_id, 0) for cost in self.types]
        return tuple(format_figure(value) if value or not index else "" for index, value in enumerate(row))


def choose_money(costs: Iterable[CostTotal], columns: int = 3) -> Money:
    """Choose the cost types to print, limited ones first."""
    # A limit is worth printing even if nothing is spent yet.
    visible_costs = [cost for cost in costs if not cost.hidden and (cost.value or cost.limit is not None)]
    visible_costs.sort(key=lambda cost: cost.limit is None)
    used = [*visible_costs[:1], *(cost for cost in visible_costs[1:] if cost.value)]
    return Money(tuple(used[:columns]))


def describe_options(node: EffectiveSelection, money: Money, unit: EffectiveSelection | None = None) -> Iterator[str]:
    """Yield a unit's or model's direct options, without models and units."""
    unit = unit or node
    models = {part.id for part in list_models(unit)}
    for child in node.selections:
        if child.id in models or child.type == MODEL or is_guest(child, unit):
            continue
        groups_models = _has_models(child, models)
        # A group of models is itself an option if it has a profile or a price.
        if not groups_models or child.profiles or money.get_main_amount(child.costs):
            yield _describe_option(child, node, unit, money, models)
        if groups_models:
            yield from describe_options(child, money, unit)


def _has_models(node: EffectiveSelection, models: Container[str]) -> bool:
    return any(part.type == MODEL or part.id in models for part in walk_own(node))


def _describe_option(
    child: EffectiveSelection,
    parent: EffectiveSelection,
    unit: EffectiveSelection,
    money: Money,
    models: Container[str],
) -> str:
    count = child.number // parent.number if parent.number else child.number
    inside = "" if _has_models(child, models) else ", ".join(describe_options(child, money, unit))
    words = [
        format_count(max(count, 1), get_name(child).removesuffix(DEFAULT)),
        format_price(money.get_main_amount(child.costs)),
        f"({inside})" if inside else "",
    ]
    return " ".join(filter(None, words))
