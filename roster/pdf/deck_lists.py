"""The lists of decks: each card with its copies, its figures and the unit it needs."""

from collections.abc import Iterable, Iterator, Mapping

from roster.engine.report import EffectiveForce, EffectiveSelection
from roster.pdf.listed_units import name_of
from roster.pdf.paper_text import paragraphs
from roster.pdf.shapes import DeckLine, DeckList
from roster.pdf.sheet_context import Context

Cards = Mapping[str, tuple[str, ...]]
"""The cards of a game by the ids of their entries, each with the names of the units of which it needs one."""


def deck_lists(forces: Iterable[EffectiveForce], cards: Cards, context: Context) -> Iterator[DeckList]:
    """The list of every deck, force by force."""
    for force in forces:
        for node in force.selections:
            if number := cards_in(node, cards):
                yield _list(node, number, cards, context)
        yield from deck_lists(force.forces, cards, context)


def cards_in(node: EffectiveSelection, cards: Cards) -> int:
    """How many cards a selection holds; 0 for what is no deck."""
    return sum(child.number for child in node.selections if _entry(child) in cards)


def _entry(node: EffectiveSelection) -> str:
    return node.entry_id.rpartition("::")[2]


def _list(deck: EffectiveSelection, number: int, cards: Cards, context: Context) -> DeckList:
    held = [child for child in deck.selections if _entry(child) in cards]
    columns = dict.fromkeys(c.name for card in held for p in card.profiles for c in p.characteristics)
    lines = (_line(card, cards[_entry(card)], tuple(columns), context) for card in held)
    return DeckList(
        name=name_of(deck),
        count=number,
        columns=tuple(columns),
        lines=tuple(sorted(lines, key=lambda line: (line.needs, line.name))),
    )


def _line(
    card: EffectiveSelection, needs: tuple[str, ...], columns: tuple[str, ...], context: Context
) -> DeckLine:
    kind = card.name if card.custom_name else ""
    words = [c.custom_name or c.name for c in card.categories if not (c.primary or c.hidden)]
    figures = {c.name: c.value for profile in card.profiles for c in profile.characteristics}
    return DeckLine(
        count=card.number,
        name=name_of(card),
        kind=kind,
        needs=", ".join(needs),
        keywords=tuple(word for word in words if word.casefold() not in kind.casefold().split()),
        figures=tuple(figures.get(column, "") for column in columns),
        text=tuple(line for rule in card.rules for line in paragraphs(rule.description)),
        notes=card.notes,
        problems=context.problems_at([card.id]),
    )
