"""The door to printed cards: what to print and how, in; the bytes of a PDF, kept by everything they depend on, out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import TypeVar

from django.conf import settings
from django.utils.translation import get_language

from roster.pdf.cache import SheetCache
from roster.pdf.imposition.card_face import Face, PrintCard
from roster.pdf.imposition.card_format import Size, Stock, stock_of
from roster.pdf.imposition.print_cards import MOST_CARDS, CannotPrintError, CardOptions, print_cards
from roster.pdf.render_lock import Busy, TooSlowError, turn
from roster.pdf.renderer_version import program_stamp
from roster.pdf.sheet_job import LONGEST_WAIT
from roster.pdf.sheet_options import Ink, Paper

SMALLEST, LARGEST = 20, 400
"""Millimetres of a card's edge."""

SHEET = "sheet"
"""The size that asks for cards to be read in columns, not cut out."""

Choice = TypeVar("Choice", Size, Paper, Ink)


@dataclass(frozen=True, slots=True, kw_only=True)
class CardOrder:
    """Cards to print. `plain` is the back of those that have none."""

    title: str
    cards: tuple[PrintCard, ...]
    accent: str = ""
    plain: Face | None = None
    options: CardOptions = field(default_factory=CardOptions)

    @property
    def key(self) -> str:
        """The hash that the finished print is kept under, in hexadecimal: equal keys, equal bytes."""
        # All of it are frozen values of texts and numbers, whose repr says everything of them.
        parts = (
            program_stamp(),
            get_language(),
            self.title,
            self.accent,
            self.plain,
            self.options,
            self.cards,
        )
        return sha256(repr(parts).encode()).hexdigest()


def render_cards(order: CardOrder) -> bytes:
    """The PDF of an order; what was made once is not made again.

    Raises CannotPrintError where there can be none, Busy when it cannot be made now.
    """
    kept = SheetCache(settings.ARMYBUILDER["PDF_CACHE_DIR"], settings.ARMYBUILDER["PDF_CACHE_MAX_BYTES"])
    seconds = settings.ARMYBUILDER["PDF_SECONDS"]
    key = order.key
    if pdf := kept.get(key):
        return pdf
    with turn(kept.folder, settings.ARMYBUILDER["PDF_LAYOUTS_AT_ONCE"], min(LONGEST_WAIT, seconds)):
        # Somebody may have made it while this one waited.
        pdf = kept.get(key) or _made(order, key, seconds)
    kept.put(key, pdf)
    return pdf


def _made(order: CardOrder, key: str, seconds: float) -> bytes:
    try:
        return print_cards(
            order.cards,
            order.options,
            title=order.title,
            accent=order.accent,
            identifier=key[:32].encode(),
            seconds=seconds,
            plain=order.plain,
        )
    except TooSlowError as error:
        raise Busy(f"the layout took too long: {error}", too_slow=True) from error


def read_card_options(given: Mapping[str, str]) -> CardOptions:
    """The options among the parameters of an address. Raises CannotPrintError for those that do not exist.

    >>> read_card_options({"size": "tarot", "bleed": "1"}).stock.height
    120.0
    """
    sheet = given.get("size") == SHEET
    return CardOptions(
        stock=_stock("poker" if sheet else given.get("size", Size.POKER.value)),
        sheet=sheet,
        paper=_choice(given, "paper", Paper.A4),
        ink=_choice(given, "ink", Ink.LIGHT),
        bleed=given.get("bleed", "") not in ("", "0"),
        marks=given.get("marks", "1") not in ("", "0"),
    )


def read_copies(text: str) -> int:
    """How many of each card. Raises CannotPrintError."""
    if text.isascii() and text.isdigit() and len(text) < 9 and int(text) > 0:
        return int(text)
    raise CannotPrintError("bad-copies", given=text[:20], most=MOST_CARDS)


def copied(cards: Sequence[PrintCard], copies: int) -> tuple[PrintCard, ...]:
    """All cards so many times."""
    return tuple(replace(card, copies=card.copies * copies) for card in cards)


def _stock(text: str) -> Stock:
    if text in {size.value for size in Size}:
        return stock_of(Size(text))
    width, _, height = text.partition("x")
    if all(part.isascii() and part.isdigit() and len(part) < 5 for part in (width, height)):
        edges = int(width), int(height)
        if all(SMALLEST <= edge <= LARGEST for edge in edges):
            return Stock(float(edges[0]), float(edges[1]))
    known = ", ".join([*(size.value for size in Size), SHEET])
    raise CannotPrintError("bad-size", given=text[:20], known=known)


def _choice(given: Mapping[str, str], name: str, default: Choice) -> Choice:
    kind = type(default)
    text = given.get(name, default.value)
    try:
        return kind(text)
    except ValueError:
        known = ", ".join(one.value for one in kind)
        raise CannotPrintError("bad-option", given=text[:40], name=name, known=known) from None
