"""List the cards of decks with their figures and required units."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain

from catalogue.graph.ids import get_target_id
from roster.engine.report import EffectiveForce, EffectiveSelection
from roster.pdf.listed_units import get_name, list_keywords
from roster.pdf.paper_text import split_paragraphs
from roster.pdf.shapes import DeckList, DeckListLine
from roster.pdf.sheet_context import SheetContext

Cards = Mapping[str, tuple[str, ...]]
"""Names of units by entry id of a card that needs one of them."""


def build_deck_lists(forces: Iterable[EffectiveForce], cards: Cards, context: SheetContext) -> Iterator[DeckList]:
    for force in forces:
        for node in force.selections:
            if number := count_cards(node, cards):
                held = list(_list_cards(node, cards))
                columns = tuple(dict.fromkeys(chain.from_iterable(map(_read_figures, held))))
                lines = [_build_line(card, cards[_get_entry_id(card)], columns, context) for card in held]
                lines.sort(key=lambda line: (line.needs, line.name))
                yield DeckList(name=get_name(node), count=number, columns=columns, lines=tuple(lines))
        yield from build_deck_lists(force.forces, cards, context)


def count_cards(node: EffectiveSelection, cards: Cards) -> int:
    """Count a deck's cards; 0 for other selections."""
    return sum(card.number for card in _list_cards(node, cards))


def _list_cards(node: EffectiveSelection, cards: Cards) -> Iterator[EffectiveSelection]:
    return (child for child in node.selections if _get_entry_id(child) in cards)


def _get_entry_id(node: EffectiveSelection) -> str:
    return get_target_id(node.entry_id)


def _read_figures(card: EffectiveSelection) -> dict[str, str]:
    return {c.name: c.value for profile in card.profiles for c in profile.characteristics}


def _build_line(
    card: EffectiveSelection, needs: tuple[str, ...], columns: tuple[str, ...], context: SheetContext
) -> DeckListLine:
    # A renamed card also shows its name in the data.
    kind = card.name if card.custom_name else ""
    words = kind.casefold().split()
    figures = _read_figures(card)
    return DeckListLine(
        count=card.number,
        name=get_name(card),
        kind=kind,
        needs=", ".join(needs),
        keywords=tuple(keyword for keyword in list_keywords(card) if keyword.casefold() not in words),
        figures=tuple(figures.get(column, "") for column in columns),
        text=tuple(line for rule in card.rules for line in split_paragraphs(rule.description)),
        notes=card.notes,
        problems=context.find_problems([card.id]),
    )
