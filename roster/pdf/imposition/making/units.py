"""The units of a list as cards of any size, and the cards of its decks."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from roster.pdf import shapes
from roster.pdf.imposition.card_face import Block, Face, Family, Grid, PrintCard, Row, foot
from roster.pdf.paper_text import times
from roster.wording import cards as words

SHORT = 6
"""Letters of a value that stands in a grid."""


def unit_cards(sheet: shapes.Sheet) -> Iterator[PrintCard]:
    """A card for each unit of a list, with the words of its abilities; equal units share one.

    What has nothing but a name has none.
    """
    rules = {rule.name: " ".join(rule.text) for rule in sheet.rules}
    told = [card for card in sheet.cards if card.tables or card.options or card.abilities or card.notes]
    for number, card in enumerate(told):
        front = Face(
            title=times(card.count, card.name),
            kicker=" · ".join(filter(None, (card.data_name, card.type, *card.keywords))),
            corner=card.cost,
            blocks=tuple(_blocks(card, rules)),
            foot=foot(card.citation, sheet.title),
        )
        yield PrintCard(key=f"unit-{number}", front=front, family=Family(words.get_label("unit"), "users"))


def deck_cards(sheet: shapes.Sheet) -> Iterator[PrintCard]:
    """A proxy for every card of the decks of a list, each as often as the deck holds it."""
    for deck in sheet.decks:
        for line in deck.lines:
            rows = tuple(Row(name=n, value=v) for n, v in zip(deck.columns, line.figures, strict=True) if v)
            needs = (words.format_needs(line.needs),) if line.needs else ()
            front = Face(
                title=line.name,
                kicker=" · ".join(filter(None, (deck.name, line.kind, *line.keywords))),
                blocks=(Block(rows=rows, texts=(*line.text, *needs)),),
                foot=foot(sheet.title),
            )
            key = f"deck-{deck.name}-{line.name}-{line.kind}"
            yield PrintCard(key=key, front=front, copies=line.count, family=Family(deck.name, "layers"))


def _blocks(card: shapes.Card, rules: Mapping[str, str]) -> Iterator[Block]:
    if card.crews:
        yield Block(texts=tuple(_crew(crew) for crew in card.crews))
    for table in card.tables:
        yield from _table(table)
    if card.options:
        yield Block(texts=(", ".join(card.options),))
    if card.abilities:
        yield Block(texts=tuple(_ability(name, rules) for name in card.abilities))
    if card.notes:
        yield Block(texts=(card.notes,))


def _crew(crew: shapes.Crew) -> str:
    return " ".join(filter(None, (times(crew.number, crew.name), *crew.boxes, ", ".join(crew.options))))


def _table(table: shapes.Table) -> Iterator[Block]:
    """Figures in a grid; what stands in columns for texts below it, line by line."""
    told = [
        place
        for place in range(len(table.columns))
        if any(row.cells[place].text.strip("- ") for row in table.rows)
    ]
    figures = [place for place in told if _short(table, place)]
    if figures:
        heads = (table.name, *(table.columns[place].name for place in figures))
        lines = tuple((row.name, *(row.cells[place].text for place in figures)) for row in table.rows)
        yield Block(grid=Grid(heads=heads, lines=lines))
    columns = [place for place in told if place not in figures]
    texts = tuple(text for row in table.rows for text in _texts(table.columns, row, columns))
    if texts:
        yield Block(texts=texts)


def _short(table: shapes.Table, place: int) -> bool:
    """Whether a column holds figures, or words as short."""
    return table.columns[place].figures or all(len(row.cells[place].text) <= SHORT for row in table.rows)


def _texts(columns: Sequence[shapes.Column], row: shapes.Row, places: Iterable[int]) -> Iterator[str]:
    for place in places:
        if row.cells[place].text.strip("- "):
            yield f"{row.name}, {columns[place].name}: {row.cells[place].text}"


def _ability(name: str, rules: Mapping[str, str]) -> str:
    text = rules.get(name) or rules.get(name.partition(" (")[0], "")
    return f"{name}. {text}" if text else name
