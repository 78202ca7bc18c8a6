"""The models of a unit: how many of each kind, with what, and boxes to tick off at the table."""

from collections.abc import Iterator

from catalogue.definitions.numbers import Number
from roster.engine.report import EffectiveSelection
from roster.pdf.parts import MODEL, is_guest, name_of, units_in
from roster.pdf.shapes import Crew
from roster.pdf.texts import Money, option_texts, price, times

BOX = "\N{BALLOT BOX}"
MAX_BOXES = 120
FIVE = 5


def crews_of(node: EffectiveSelection, count: int, money: Money) -> tuple[Crew, ...]:
    """The models of one of `count` equal units, those of one kind with the same things together."""
    found: dict[tuple[str, tuple[str, ...]], int] = {}
    if node.type == MODEL:
        found[name_of(node), ()] = node.number
    for model in _models(node, node):
        key = name_of(model), tuple(option_texts(model, money))
        found[key] = found.get(key, 0) + model.number // units_in(node)
    return tuple(
        Crew(name=name, number=number, options=options, boxes=_boxes(number, count))
        for (name, options), number in found.items()
    )


def crew_texts(node: EffectiveSelection, money: Money) -> Iterator[str]:
    """The models of one unit in words, for a line of the ledger; nothing where their number says it all."""
    crews = crews_of(node, 1, money)
    if node.type == MODEL:
        crews = crews[1:]
    prices = _prices(node, money) if money.main(node.costs) else {}
    if len(crews) == 1 and not crews[0].options and not any(prices.values()):
        return
    for crew in crews:
        words = filter(None, [times(crew.number, crew.name), price(prices.pop(crew.name, 0))])
        yield " ".join(words) + (f": {', '.join(crew.options)}" if crew.options else "")


def _models(node: EffectiveSelection, unit: EffectiveSelection) -> Iterator[EffectiveSelection]:
    for child in node.selections:
        if is_guest(child, unit):
            continue
        if child.type == MODEL:
            yield child
        yield from _models(child, unit)


def _prices(node: EffectiveSelection, money: Money) -> dict[str, Number]:
    """What the models cost beside a unit that has a price itself, by name."""
    found: dict[str, Number] = {}
    for model in _models(node, node):
        found[name_of(model)] = found.get(name_of(model), 0) + money.main(model.costs)
    return found


def _boxes(number: int, count: int) -> tuple[str, ...]:
    """A run of boxes per unit, in fives; none where nobody would tick that many."""
    if not 0 < number * count <= MAX_BOXES:
        return ()
    fives = [BOX * min(FIVE, number - start) for start in range(0, number, FIVE)]
    return (" ".join(fives),) * count
