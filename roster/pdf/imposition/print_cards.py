"""Lay out cards, impose them on sheets, write the PDF."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from weasyprint import Document
from weasyprint.document import Page

from catalogue.definitions.groups import group_by
from catalogue.definitions.identity import Frame, Identity
from roster.pdf.imposition.card_face import Face, PrintCard, list_faces
from roster.pdf.imposition.card_format import BLEED, POKER, CardFormat, SheetGrid, fit_grid
from roster.pdf.imposition.impose import SheetPage, SheetSides, Sides, impose, impose_tokens, pair_sides
from roster.pdf.imposition.layout import FaceLayout, lay_blank_side, lay_faces
from roster.pdf.imposition.reading_sheet import build_reading_pages
from roster.pdf.imposition.reference_cards import enlarge_rules_card, move_long_rules
from roster.pdf.imposition.set_face import CardLook, count_foot_lines, move_long_kicker
from roster.pdf.pages import (
    PAGE_STYLES,
    WHITE,
    PageLook,
    choose_colour,
    compose_document,
    format_paper,
    lay_out_blank_page,
)
from roster.pdf.render import lay_out, write_pdf
from roster.pdf.sheet_options import Ink, PaperSize, TypeSize

MOST_CARDS = 600
"""Including copies."""


class CannotPrintError(ValueError):
    """Cards that cannot be printed; `roster.wording` explains the code."""

    def __init__(self, code: str, **figures: object) -> None:
        super().__init__(code)
        self.code = code
        self.figures = figures


@dataclass(frozen=True, slots=True, kw_only=True)
class CardOptions:
    """How to print cards: to cut out at `card_format`, with `sheet` in columns to read, or for a `press` with each side
    on its own page.
    """

    card_format: CardFormat = POKER
    sheet: bool = False
    press: bool = False
    paper: PaperSize = PaperSize.A4
    ink: Ink = Ink.LIGHT
    bleed: bool = False
    marks: bool = True
    type_size: TypeSize = TypeSize.USUAL

    @property
    def margin(self) -> float:
        """Millimetres printed beyond the cut."""
        return BLEED if self.bleed or self.press else 0.0


def print_cards(
    cards: Sequence[PrintCard], options: CardOptions, *, title: str, identity: Identity, plain: Face | None = None
) -> bytes:
    """Return a PDF of the cards. Raises CannotPrintError and TooSlowError."""
    layout = lay_out_cards(cards, options, title=title, identity=identity, plain=plain)
    return write_pdf(layout.document, layout.pages, is_duplex=layout.has_backs)


@dataclass(frozen=True, slots=True)
class CardLayout:
    """The laid-out pages, and the document with their metadata.

    If it `has_backs`, fronts and backs alternate.
    """

    document: Document
    pages: list[Page | SheetPage]
    has_backs: bool


def lay_out_cards(
    cards: Sequence[PrintCard], options: CardOptions, *, title: str, identity: Identity, plain: Face | None = None
) -> CardLayout:
    """Lay cards out on sheets. Raises CannotPrintError and TooSlowError.

    `plain` is the back of cards without one, except tokens.
    """
    total = sum(card.copies for card in cards)
    if total == 0:
        raise CannotPrintError("no-cards")
    if total > MOST_CARDS:
        raise CannotPrintError("too-many-cards", count=total, most=MOST_CARDS)

    if not options.sheet and (grid := _fit_grid(options.card_format, options)):
        look = _make_look(grid, options, identity, cards)
        cards = [replace(card, front=move_long_kicker(card.front, look)) for card in cards]
        cards = move_long_rules(cards, look)
        # All pages for a press have one size.
        if not options.press:
            cards = [enlarge_rules_card(card, look) for card in cards]

    # Cards with a special size, such as tokens, are always cut out.
    to_read = [card for card in cards if options.sheet and card.card_format is None]
    to_cut = [card for card in cards if not options.sheet or card.card_format is not None]
    documents: list[Document] = []
    pages: list[Page | SheetPage] = []
    page_look = PageLook(paper=options.paper, identity=identity, saves_ink=options.ink is Ink.SAVER)
    if to_read:
        reading = build_reading_pages(to_read, page_look, title=title)
        html = compose_document(reading, title, saves_ink=page_look.saves_ink)
        document = lay_out(html, PAGE_STYLES, format_paper(page_look))
        documents.append(document)
        pages += document.pages
    tokens: list[tuple[SheetGrid, list[Page]]] = []
    sheets: list[SheetSides] = []
    for batch in _group_by_format(to_cut, options, plain):
        layout = _lay_out_batch(batch, options, title, identity)
        documents.append(layout.document)
        sides: list[Sides] = []
        for card in batch.cards:
            plain_back = next(iter(layout.get_pages(batch.choose_back(card))), None)
            pairs = list(pair_sides(layout.get_pages(card.front), layout.get_pages(card.back), plain_back))
            sides += pairs * card.copies
        if options.press:
            # Front and back alternate, so a card without a back needs a blank one.
            has_back = any(back for _front, back in sides)
            blank_side = lay_blank_side(_make_look(batch.grid, options, identity)) if has_back else None
            for front, back in sides:
                pages += filter(None, (front, back or blank_side))
            continue
        # Tokens of all sizes share sheets.
        if batch.grid.card_format.round:
            tokens.append((batch.grid, [front for front, _ in sides if front]))
        else:
            sheets += impose(sides, batch.grid, marks=options.marks)
    sheets += impose_tokens(tokens, marks=options.marks)

    has_backs = any(back for _front, back in sheets)
    if not has_backs:
        return CardLayout(documents[0], [*pages, *(front for front, _back in sheets)], has_backs=False)
    # A sheet that a duplex printer puts on the back of another could not be cut.
    blank = lay_out_blank_page(page_look)
    if len(pages) % 2:
        pages.append(blank)
    for front, back in sheets:
        pages += [front, back or blank]
    return CardLayout(documents[0], pages, has_backs=True)


def _fit_grid(card_format: CardFormat, options: CardOptions) -> SheetGrid | None:
    if options.press:
        return SheetGrid(card_format, options.paper, columns=1, rows=1, bleed=options.margin)
    return fit_grid(card_format, options.paper, bleed=options.margin)


@dataclass(frozen=True, slots=True)
class _Batch:
    cards: tuple[PrintCard, ...]
    grid: SheetGrid
    plain: Face | None

    def choose_back(self, card: PrintCard) -> Face | None:
        family = card.family
        return replace(self.plain, lead=family.name, icon=family.icon) if self.plain else None


def _group_by_format(cards: Sequence[PrintCard], options: CardOptions, plain: Face | None) -> list[_Batch]:
    batches = []
    for card_format, inside in group_by(cards, lambda card: card.card_format or options.card_format).items():
        grid = _fit_grid(card_format, options)
        if grid is None:
            raise CannotPrintError("does-not-fit", width=card_format.width, height=card_format.height)
        batches.append(_Batch(tuple(inside), grid, None if card_format.round else plain))
    return batches


def _lay_out_batch(batch: _Batch, options: CardOptions, title: str, identity: Identity) -> FaceLayout:
    backs = (back for card in batch.cards if (back := batch.choose_back(card)))
    look = _make_look(batch.grid, options, identity, batch.cards)
    return lay_faces([*list_faces(batch.cards), *backs], look, title=title)


def _make_look(grid: SheetGrid, options: CardOptions, identity: Identity, cards: Sequence[PrintCard] = ()) -> CardLook:
    look = CardLook(
        card_format=grid.card_format,
        dark=choose_colour(identity.dark),
        light=choose_colour(identity.light, WHITE),
        emblem=identity.emblem,
        saves_ink=options.ink is Ink.SAVER,
        bleed=options.margin,
        fills_sheet=grid.fills_paper,
        frame=identity.frame or Frame.BAR,
        is_large=options.type_size is TypeSize.LARGE,
    )
    return replace(look, foot_lines=count_foot_lines(list_faces(cards), look))
