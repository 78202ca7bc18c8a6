"""List a unit's models with their options and with boxes to tick."""

from collections.abc import Iterator

from catalogue.definitions.numbers import Number
from roster.engine.model_profiles import has_model_profile
from roster.engine.report import EffectiveSelection
from roster.pdf.listed_units import UNIT, count_units, divide_number, get_name, list_models
from roster.pdf.paper_text import Money, describe_options, format_count
from roster.pdf.shapes import ModelLine

BOX = "\N{BALLOT BOX}"
MAX_BOXES = 120
FIVE = 5


def build_model_lines(node: EffectiveSelection, count: int, money: Money) -> tuple[ModelLine, ...]:
    """List the models of one of `count` equal units, with equal models on one line.

    Each line has boxes in fives for each unit, unless there are too many.
    """
    counts: dict[tuple[str, tuple[str, ...]], int] = {}
    costs: dict[tuple[str, tuple[str, ...]], Number] = {}
    for model in list_models(node):
        options = () if model is node else tuple(describe_options(model, money))
        # The units of a selection share its models evenly; a line is about one unit.
        key = get_name(model), options
        counts[key] = counts.get(key, 0) + model.number // count_units(node)
        # A model that is the unit itself has the unit's cost.
        if model is not node:
            costs[key] = costs.get(key, 0) + divide_number(money.get_main_amount(model.totals), count_units(node))
    # A unit without models in the data is ticked off itself, if it has a profile or costs points.
    if not counts and node.type == UNIT and (has_model_profile(node) or money.get_main_amount(node.totals)):
        counts[get_name(node), ()] = 1

    lines = []
    for (name, options), number in counts.items():
        boxes: tuple[str, ...] = ()
        if 0 < number * count <= MAX_BOXES:
            fives = [BOX * min(FIVE, number - start) for start in range(0, number, FIVE)]
            boxes = (" ".join(fives),) * count
        cost = divide_number(costs.get((name, options), 0), max(number, 1))
        lines.append(ModelLine(name=name, number=number, options=options, boxes=boxes, cost=cost))
    return tuple(lines)


def describe_models(node: EffectiveSelection, money: Money) -> Iterator[str]:
    """Yield one unit's models, unless their number says enough."""
    # Skip a model that is the unit itself: its line names it.
    is_model = any(model is node for model in list_models(node))
    lines = build_model_lines(node, 1, money)[1 if is_model else 0 :]
    if len(lines) != 1 or lines[0].options:
        for line in lines:
            carried = f": {', '.join(line.options)}" if line.options else ""
            yield format_count(line.number, line.name) + carried
