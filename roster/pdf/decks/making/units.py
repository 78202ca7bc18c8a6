"""The units of a list as cards of any size."""

from collections.abc import Iterator, Mapping, Sequence

from roster.pdf import shapes
from roster.pdf.decks.faces import Block, Face, Grid, PrintCard, foot
from roster.pdf.texts import times


def unit_cards(sheet: shapes.Sheet) -> Iterator[PrintCard]:
    """A card for each unit of a list, with the words of its abilities; equal units share one."""
    rules = {rule.name: " ".join(rule.text) for rule in sheet.rules}
    for number, card in enumerate(sheet.cards):
        front = Face(
            title=times(card.count, card.name),
            kicker=" · ".join(filter(None, (card.type, *card.keywords))),
            corner=card.cost,
            blocks=tuple(_blocks(card, rules)),
            foot=foot(card.citation, sheet.title),
        )
        yield PrintCard(key=f"unit-{number}", front=front)


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
    figures = [place for place, column in enumerate(table.columns) if column.figures]
    if figures:
        heads = (table.name, *(table.columns[place].name for place in figures))
        lines = tuple((row.name, *(row.cells[place].text for place in figures)) for row in table.rows)
        yield Block(grid=Grid(heads=heads, lines=lines))
    texts = tuple(text for row in table.rows for text in _texts(table.columns, row))
    if texts:
        yield Block(texts=texts)


def _texts(columns: Sequence[shapes.Column], row: shapes.Row) -> Iterator[str]:
    for column, cell in zip(columns, row.cells, strict=True):
        if not column.figures and cell.text.strip("- "):
            yield f"{row.name}, {column.name}: {cell.text}"


def _ability(name: str, rules: Mapping[str, str]) -> str:
    text = rules.get(name) or rules.get(name.partition(" (")[0], "")
    return f"{name}. {text}" if text else name
