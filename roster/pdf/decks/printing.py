"""Cards in, the bytes of a PDF out."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from roster.pdf.decks.faces import Face, PrintCard, faces_of
from roster.pdf.decks.imposing import Sides, impose, sides_of
from roster.pdf.decks.laying import Laid, lay_faces
from roster.pdf.decks.stock import BLEED, Size, Stock, grid_of, stock_of
from roster.pdf.options import Ink, Paper
from roster.pdf.render import deadline

MOST_CARDS = 600
"""Cards in one print, copies counted."""


class CannotPrintError(ValueError):
    """A print that cannot be: why, as a code with figures. Sentences: templates and messages of the pages."""

    def __init__(self, code: str, **figures: object) -> None:
        super().__init__(code)
        self.code = code
        self.figures = figures


@dataclass(frozen=True, slots=True, kw_only=True)
class CardOptions:
    """How cards are printed."""

    size: Size = Size.POKER
    paper: Paper = Paper.A4
    ink: Ink = Ink.LIGHT
    bleed: bool = False
    marks: bool = True

    @property
    def margin(self) -> float:
        """Millimetres printed beyond the cut."""
        return BLEED if self.bleed else 0.0


def print_cards(
    cards: Sequence[PrintCard],
    options: CardOptions,
    *,
    title: str,
    accent: str,
    identifier: bytes,
    seconds: float,
    plain: Face | None = None,
    stock: Stock | None = None,
) -> bytes:
    """Cards in register on both sides of paper. `plain`: the back of cards without one; `stock`: an own size.

    Raises CannotPrintError, and TooSlowError after so many seconds.
    """
    stock = stock or stock_of(options.size)
    total = sum(card.copies for card in cards)
    if total == 0:
        raise CannotPrintError("no-cards")
    if total > MOST_CARDS:
        raise CannotPrintError("too-many-cards", count=total, most=MOST_CARDS)
    grid = grid_of(stock, options.paper, bleed=options.margin)
    if grid is None:
        raise CannotPrintError("does-not-fit", width=stock.width, height=stock.height)
    with deadline(time.monotonic() + seconds):
        laid = lay_faces(
            [*faces_of(cards), *([plain] if plain else [])],
            stock,
            ["saver"] if options.ink is Ink.SAVER else [],
            "#000" if options.ink is Ink.SAVER else accent,
            title=title,
            bleed=options.margin,
        )
        sheets = impose(list(_all_sides(cards, laid, plain)), grid, marks=options.marks)
        document = laid.document.copy(list(sheets))
        pdf: bytes = document.write_pdf(pdf_identifier=identifier)
        return pdf


def _all_sides(cards: Sequence[PrintCard], laid: Laid, plain: Face | None) -> Iterator[Sides]:
    behind = laid.pages[plain][0] if plain else None
    for card in cards:
        back = laid.pages[card.back] if card.back else ()
        sides = list(sides_of(laid.pages[card.front], back, behind))
        for _ in range(card.copies):
            yield from sides
