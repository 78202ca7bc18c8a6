"""Cards of a list: its units at any size, and proxies for the cards of its decks."""

from collections.abc import Iterator, Mapping

from catalogue.models import Card
from roster.pdf import shapes
from roster.pdf.imposition.card_face import (
    CardFamily,
    Face,
    FaceBlock,
    FaceRow,
    FigureGrid,
    PrintCard,
    compose_foot,
)
from roster.pdf.paper_text import format_count
from roster.wording import cards as words

SHORT = 6
"""Letters of a value that stands in a grid."""


def build_unit_cards(sheet: shapes.ListSheet) -> Iterator[PrintCard]:
    """Yield a card for each unit of a list, with the words of its abilities; equal units share one.

    A unit with nothing but a name has no card.
    """
    rules = {rule.name: " ".join(rule.text) for rule in sheet.rules}
    printable_cards = [
        card for card in sheet.cards if card.tables or card.options or card.abilities or card.notes
    ]
    for number, card in enumerate(printable_cards):
        front = Face(
            title=format_count(card.count, card.name),
            kicker=" · ".join(filter(None, (card.data_name, card.type, *card.keywords))),
            corner=card.cost,
            blocks=tuple(_build_blocks(card, rules)),
            foot=compose_foot(card.citation, sheet.title),
        )
        yield PrintCard(
            key=f"unit-{number}", front=front, family=CardFamily(words.get_label("unit"), "users")
        )


def build_deck_cards(sheet: shapes.ListSheet) -> Iterator[PrintCard]:
    """Yield a proxy for every card of the decks of a list, as often as the deck holds it."""
    for deck in sheet.decks:
        for line in deck.lines:
            rows = tuple(
                FaceRow(name=n, value=v) for n, v in zip(deck.columns, line.figures, strict=True) if v
            )
            needs = (words.format_needs(line.needs),) if line.needs else ()
            front = Face(
                title=line.name,
                kicker=" · ".join(filter(None, (deck.name, line.kind, *line.keywords))),
                blocks=(FaceBlock(rows=rows, texts=(*line.text, *needs)),),
                foot=compose_foot(sheet.title),
            )
            key = f"deck-{deck.name}-{line.name}-{line.kind}"
            yield PrintCard(key=key, front=front, copies=line.count, family=CardFamily(deck.name, "layers"))


def _build_blocks(card: shapes.SheetCard, rules: Mapping[str, str]) -> Iterator[FaceBlock]:
    if card.model_lines:
        yield FaceBlock(texts=tuple(_describe_models(crew) for crew in card.model_lines))
    for table in card.tables:
        yield from _split_table(table)
    if card.options:
        yield FaceBlock(texts=(", ".join(card.options),))
    if card.abilities:
        yield FaceBlock(texts=tuple(_describe_ability(name, rules) for name in card.abilities))
    if card.notes:
        yield FaceBlock(texts=(card.notes,))


def _describe_models(models: shapes.ModelLine) -> str:
    parts = (format_count(models.number, models.name), *models.boxes, ", ".join(models.options))
    return " ".join(filter(None, parts))


def _split_table(table: shapes.SheetTable) -> Iterator[FaceBlock]:
    """Yield a table as blocks: figures in a grid, and longer texts below it, line by line."""
    figures: list[int] = []
    texts: list[int] = []
    for index in range(len(table.columns)):
        if any(_has_text(row.cells[index]) for row in table.rows):
            (figures if _is_short(table, index) else texts).append(index)
    if figures:
        heads = (table.name, *(table.columns[index].name for index in figures))
        lines = tuple((row.name, *(row.cells[index].text for index in figures)) for row in table.rows)
        yield FaceBlock(grid=FigureGrid(heads=heads, lines=lines))
    sentences = tuple(
        f"{row.name}, {table.columns[index].name}: {row.cells[index].text}"
        for row in table.rows
        for index in texts
        if _has_text(row.cells[index])
    )
    if sentences:
        yield FaceBlock(texts=sentences)


def _has_text(cell: shapes.Cell) -> bool:
    """Say whether a cell holds more than the dash that stands for nothing."""
    return bool(cell.text.strip("- "))


def _is_short(table: shapes.SheetTable, index: int) -> bool:
    """Say whether a column holds figures, or words as short."""
    return table.columns[index].figures or all(len(row.cells[index].text) <= SHORT for row in table.rows)


def _describe_ability(name: str, rules: Mapping[str, str]) -> str:
    text = rules.get(name) or rules.get(name.partition(" (")[0], "")
    return f"{name}. {text}" if text else name


def build_action_card(card: Card, copies: int = 1) -> PrintCard:
    """Return a proxy of a card: its costs, the unit it needs, its effect in our own words."""
    rows = tuple(FaceRow(name=name, value=value) for name, value in card.figures if value)
    needs = (words.format_needs(", ".join(card.needs)),) if card.needs else ()
    front = Face(
        title=card.name,
        kicker=" · ".join(filter(None, (card.deck, *card.keywords))),
        blocks=(FaceBlock(rows=rows, texts=(*filter(None, (card.text,)), *needs)),),
        foot=compose_foot(card.book, card.section),
    )
    return PrintCard(
        key=f"card-{card.slug}", front=front, copies=copies, family=CardFamily(card.deck, "layers")
    )
