"""A deck sorted: by what its cards cost, and by what kind they are."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal, InvalidOperation

from catalogue.definitions.decks import Deck
from roster.services.deck_shapes import CardRow, Curve, bars_of


def curves_of(deck: Deck, rows: Sequence[CardRow]) -> tuple[Curve, ...]:
    """One for each column of costs, and one of the kinds where there are several."""
    return tuple(curve for curve in _curves(deck, rows) if len(curve.bars) > (0 if curve.name else 1))


def _curves(deck: Deck, rows: Sequence[CardRow]) -> Iterator[Curve]:
    for column in deck.curves:
        counts = _count((dict(row.figures).get(column, ""), row.number) for row in rows)
        yield Curve(name=column, bars=bars_of(sorted(counts.items(), key=lambda pair: _order(pair[0]))))
    kinds = _count((name, row.number) for row in rows for name in _kinds(deck, row))
    yield Curve(name="", bars=bars_of(kinds.items()))


def _count(cards: Iterable[tuple[str, int]]) -> Counter[str]:
    found: Counter[str] = Counter()
    for name, number in cards:
        found[name] += number
    return found


def _kinds(deck: Deck, row: CardRow) -> Sequence[str]:
    """What kind of card it is, by its column or its keywords; blank for a card without any."""
    return [row.kind] if deck.kinds else row.keywords or [""]


def _order(value: str) -> tuple[bool, Decimal, str]:
    """Numbers first, by size; then what is none, such as X."""
    try:
        return (False, Decimal(value), "")
    except InvalidOperation:
        return (True, Decimal(0), value)
