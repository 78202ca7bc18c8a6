"""Cards of a list: its units at any size, and proxies for the cards of its decks."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

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


def _describe_models(crew: shapes.ModelLine) -> str:
    return " ".join(
        filter(None, (format_count(crew.number, crew.name), *crew.boxes, ", ".join(crew.options)))
    )


def _split_table(table: shapes.SheetTable) -> Iterator[FaceBlock]:
    """Yield a table as blocks: figures in a grid, and longer texts below it, line by line."""
    filled_columns = [
        place
        for place in range(len(table.columns))
        if any(row.cells[place].text.strip("- ") for row in table.rows)
    ]
    figures = [place for place in filled_columns if _is_short(table, place)]
    if figures:
        heads = (table.name, *(table.columns[place].name for place in figures))
        lines = tuple((row.name, *(row.cells[place].text for place in figures)) for row in table.rows)
        yield FaceBlock(grid=FigureGrid(heads=heads, lines=lines))
    columns = [place for place in filled_columns if place not in figures]
    texts = tuple(text for row in table.rows for text in _list_texts(table.columns, row, columns))
    if texts:
        yield FaceBlock(texts=texts)


def _is_short(table: shapes.SheetTable, place: int) -> bool:
    """Say whether a column holds figures, or words as short."""
    return table.columns[place].figures or all(len(row.cells[place].text) <= SHORT for row in table.rows)


def _list_texts(
    columns: Sequence[shapes.Column], row: shapes.SheetRow, places: Iterable[int]
) -> Iterator[str]:
    for place in places:
        if row.cells[place].text.strip("- "):
            yield f"{row.name}, {columns[place].name}: {row.cells[place].text}"


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
