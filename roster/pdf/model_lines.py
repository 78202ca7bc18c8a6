"""The models of a unit: how many of each kind, with what, and boxes to tick off at the table."""

from collections.abc import Iterator

from roster.engine.report import EffectiveSelection
from roster.pdf.listed_units import MODEL, UNIT, is_guest, name_of, units_in
from roster.pdf.paper_text import Money, option_texts, times
from roster.pdf.shapes import Crew

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
    if not found and node.type == UNIT:
        found[name_of(node), ()] = 1  # a unit that the data has no models for is one to tick off itself
    return tuple(
        Crew(name=name, number=number, options=options, boxes=_boxes(number, count))
        for (name, options), number in found.items()
    )


def crew_texts(node: EffectiveSelection, money: Money) -> Iterator[str]:
    """The models of one unit in words, for a line of the ledger; nothing where their number says it all."""
    crews = crews_of(node, 1, money)[1 if node.type == MODEL else 0 :]
    if len(crews) == 1 and not crews[0].options:
        return
    for crew in crews:
        yield times(crew.number, crew.name) + (f": {', '.join(crew.options)}" if crew.options else "")


def _models(node: EffectiveSelection, unit: EffectiveSelection) -> Iterator[EffectiveSelection]:
    for child in node.selections:
        if is_guest(child, unit):
            continue
        if child.type == MODEL:
            yield child
        yield from _models(child, unit)


def _boxes(number: int, count: int) -> tuple[str, ...]:
    """A run of boxes per unit, in fives; none where nobody would tick that many."""
    if not 0 < number * count <= MAX_BOXES:
        return ()
    fives = [BOX * min(FIVE, number - start) for start in range(0, number, FIVE)]
    return (" ".join(fives),) * count
