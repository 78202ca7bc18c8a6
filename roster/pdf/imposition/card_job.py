"""Print cards with options from URL parameters."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from catalogue.definitions.identity import UNKNOWN, Identity
from roster.pdf.imposition.card_face import Face, PrintCard
from roster.pdf.imposition.card_format import CardFormat, CardSize, get_format
from roster.pdf.imposition.print_cards import MOST_CARDS, CannotPrintError, CardOptions, print_cards
from roster.pdf.print_job import PrintJob
from roster.pdf.sheet_options import Ink, PaperSize, TypeSize

SMALLEST, LARGEST = 20, 400
"""The shortest and longest edge of a card in millimetres."""

SHEET = "sheet"
"""The "size" of cards to read in columns instead of cutting them out."""

_LENGTH = r"[0-9]{1,4}(?:\.[0-9]{1,2})?"
Choice = TypeVar("Choice", CardSize, PaperSize, Ink, TypeSize)


@dataclass(frozen=True, slots=True, kw_only=True)
class CardJob(PrintJob):
    """Cards to print. `plain` is the back of cards without one."""

    title: str
    cards: tuple[PrintCard, ...]
    identity: Identity = UNKNOWN
    plain: Face | None = None
    options: CardOptions = field(default_factory=CardOptions)

    @property
    def content(self) -> tuple[object, ...]:
        return self.title, self.identity, self.plain, self.options, self.cards

    @property
    def texts(self) -> tuple[str, ...]:
        return self.title, repr(self.cards)

    def make_pdf(self) -> bytes:
        """Make the PDF. Raises CannotPrintError."""
        return print_cards(self.cards, self.options, title=self.title, identity=self.identity, plain=self.plain)


def read_card_options(given: Mapping[str, str]) -> CardOptions:
    """Read options from URL parameters. Raises CannotPrintError.

    >>> read_card_options({"size": "tarot", "bleed": "1"}).card_format.height
    120.0
    """
    sheet = given.get("size") == SHEET
    press = given.get("press", "") not in ("", "0")
    if sheet and press:
        raise CannotPrintError("press-sheet")
    return CardOptions(
        card_format=_read_format("poker" if sheet else given.get("size", CardSize.POKER.value)),
        sheet=sheet,
        press=press,
        paper=_read_choice(given, "paper", PaperSize.A4),
        ink=_read_choice(given, "ink", Ink.LIGHT),
        bleed=given.get("bleed", "") not in ("", "0"),
        marks=given.get("marks", "1") not in ("", "0"),
        type_size=_read_choice(given, "type", TypeSize.USUAL),
    )


def read_copies(text: str) -> int:
    """Read the number of copies. Raises CannotPrintError."""
    if text.isascii() and text.isdigit() and len(text) < 9 and int(text) > 0:
        return int(text)
    raise CannotPrintError("bad-copies", given=text[:20], most=MOST_CARDS)


def repeat_cards(cards: Sequence[PrintCard], copies: int) -> tuple[PrintCard, ...]:
    return tuple(replace(card, copies=card.copies * copies) for card in cards)


def _read_format(text: str) -> CardFormat:
    """Read a named size, or measures such as 63.5x88."""
    if text in {size.value for size in CardSize}:
        return get_format(CardSize(text))
    if match := re.fullmatch(rf"({_LENGTH})x({_LENGTH})", text):
        width, height = float(match[1]), float(match[2])
        if min(width, height) >= SMALLEST and max(width, height) <= LARGEST:
            return CardFormat(width, height)
    choices = ", ".join([*(size.value for size in CardSize), SHEET])
    raise CannotPrintError("bad-size", given=text[:20], known=choices)


def _read_choice(given: Mapping[str, str], name: str, default: Choice) -> Choice:
    kind = type(default)
    text = given.get(name, default.value)
    try:
        return kind(text)
    except ValueError:
        choices = ", ".join(one.value for one in kind)
        raise CannotPrintError("bad-option", given=text[:40], name=name, known=choices) from None
