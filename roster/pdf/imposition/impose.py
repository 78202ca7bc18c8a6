"""Place cards on sheets: fronts and backs in register, with cut marks."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any

from weasyprint.document import Page

from roster.pdf.imposition.card_format import MARGIN, CardPosition, SheetGrid
from roster.pdf.pages import PAPERS
from roster.pdf.weasyprint_hooks import merge_page_boxes, skip_tags

MM = 96 / 25.4
"""A millimetre in CSS pixels."""
POINTS = 72 / 25.4
"""A millimetre in points, the unit of PDF."""
_HAIRLINE = 0.25
RULER, TICK, LONG_TICK, TICKS = 50.0, 1.2, 2.0, 5
"""In millimetres. The ruler shows whether a sheet was printed at true size."""
LEAST_SIDE = 9.5
"""Millimetres that the ruler needs next to the cards."""

Sides = tuple[Page | None, Page | None]


@dataclass(frozen=True, slots=True)
class PlacedCard:
    """A card's page on a sheet. On the `back`, a sideways card turns the other way."""

    page: Page
    position: CardPosition
    grid: SheetGrid
    back: bool = False


@dataclass(frozen=True, slots=True)
class Trim:
    """The box around all cards, in points from the lower left."""

    left: float
    bottom: float
    right: float
    top: float
    bleed: float = 0.0

    def list_corners(self, out: float) -> list[float]:
        """Return left, bottom, right and top, moved outwards by `out` points."""
        return [self.left - out, self.bottom - out, self.right + out, self.top + out]


class SheetPage:
    """A sheet of cards with the interface of WeasyPrint's Page."""

    def __init__(self, grids: Sequence[SheetGrid], cards: Sequence[PlacedCard], *, marks: bool) -> None:
        width, height = PAPERS[grids[0].paper]
        self.width, self.height = width * MM, height * MM
        self.bleed = dict.fromkeys(("top", "right", "bottom", "left"), 0)
        self.bookmarks: list[Any] = []
        self.links: list[Any] = []
        self.anchors: dict[str, Any] = {}
        self.forms: dict[Any, list[Any]] = {None: []}
        self._grids = grids
        self._cards = cards
        self._marks = marks

    @property
    def trim(self) -> Trim:
        """The box around all positions, even empty ones."""
        boxes = []
        for grid in self._grids:
            width, height = grid.cell
            boxes += [(place.left, place.top, place.left + width, place.top + height) for place in grid.fronts]
        lefts, tops, rights, bottoms = zip(*boxes, strict=True)
        _, height = PAPERS[self._grids[0].paper]
        return Trim(
            left=min(lefts) * POINTS,
            bottom=(height - max(bottoms)) * POINTS,
            right=max(rights) * POINTS,
            top=(height - min(tops)) * POINTS,
            bleed=self._grids[0].bleed * POINTS,
        )

    def paint(self, stream: Any, scale: float = 1) -> None:
        """Paint the cards, then the cut marks. WeasyPrint calls this."""
        with stream.stacked():
            stream.transform(a=scale, d=scale)
            painted: set[Page] = set()
            for card in self._cards:
                # Copies of a card are the same page; screen readers should read it once.
                with skip_tags(stream) if card.page in painted else nullcontext():
                    self._draw_card(stream, card)
                painted.add(card.page)
            if self._marks:
                with stream.artifact(), stream.stacked():
                    stream.set_line_width(_HAIRLINE * MM / 4)
                    marks = (line for grid in self._grids for line in grid.list_marks())
                    for x1, y1, x2, y2 in (*marks, *self._list_ruler()):
                        stream.move_to(x1 * MM, y1 * MM)
                        stream.line_to(x2 * MM, y2 * MM)
                    stream.stroke()

    @property
    def _page_box(self) -> Any:
        """The box that WeasyPrint reads to tag each card once."""
        pages = dict.fromkeys(card.page for card in self._cards)
        return merge_page_boxes(list(pages))

    def _draw_card(self, stream: Any, card: PlacedCard) -> None:
        left, top = card.position.left * MM, card.position.top * MM
        width, height = (length * MM for length in card.grid.cell)
        bleed = card.grid.bleed * MM
        with stream.stacked():
            stream.rectangle(left - bleed, top - bleed, width + 2 * bleed, height + 2 * bleed)
            stream.clip()
            stream.end()
            if not card.position.turned:
                stream.transform(e=left, f=top)
            elif card.back:
                stream.transform(a=0, b=-1, c=1, d=0, e=left, f=top + height)
            else:
                stream.transform(a=0, b=1, c=-1, d=0, e=left + width, f=top)
            card.page.paint(stream, 1)

    def _list_ruler(self) -> Iterator[tuple[float, float, float, float]]:
        grids = self._grids
        width, height = PAPERS[grids[0].paper]
        side, below = min(grid.fronts[0].left for grid in grids), grids[0].fronts[0].top
        if below - grids[0].bleed > LEAST_SIDE + TICKS:
            start, at = (width - RULER) / 2, height - below / 2 + TICK
            yield start, at, start + RULER, at
            for x, long in _list_ticks(start):
                yield x, at - long, x, at
        elif side - grids[0].bleed > LEAST_SIDE:
            start, at = (height - RULER) / 2, side / 2
            yield at, start, at, start + RULER
            for y, long in _list_ticks(start):
                yield at, y, at + long, y


SheetSides = tuple[SheetPage, SheetPage | None]


def impose(cards: Sequence[Sides], grid: SheetGrid, *, marks: bool = True) -> Iterator[SheetSides]:
    """Yield the sheets. A sheet has a back if any card has one."""
    front_positions, back_positions = grid.fronts, grid.backs
    for start in range(0, len(cards), grid.count):
        fronts, backs = zip(*cards[start : start + grid.count], strict=True)
        front = SheetPage([grid], _place_pages(fronts, front_positions, grid), marks=marks)
        back = SheetPage([grid], _place_pages(backs, back_positions, grid, back=True), marks=marks)
        yield front, back if any(backs) else None


def _place_pages(
    pages: Iterable[Page | None], positions: Iterable[CardPosition], grid: SheetGrid, *, back: bool = False
) -> list[PlacedCard]:
    pairs = zip(pages, positions, strict=False)
    return [PlacedCard(page, position, grid, back=back) for page, position in pairs if page]


Row = tuple[SheetGrid, Sequence[Page]]


def impose_tokens(batches: Iterable[Row], *, marks: bool = True) -> Iterator[SheetSides]:
    """Yield sheets of tokens in rows, largest first."""
    rows = [
        (grid, tokens[start : start + grid.columns])
        for grid, tokens in sorted(batches, key=lambda batch: -batch[0].cell[1])
        for start in range(0, len(tokens), grid.columns)
    ]
    while rows:
        height = PAPERS[rows[0][0].paper][1]
        fitting = (n for n in range(len(rows), 1, -1) if _measure_rows(rows[:n]) <= height - 2 * MARGIN)
        count = next(fitting, 1)

        top = (height - _measure_rows(rows[:count])) / 2
        strips: list[SheetGrid] = []
        placed: list[PlacedCard] = []
        for grid, tokens in rows[:count]:
            strip = replace(grid, rows=1, start=top)
            placed += [PlacedCard(page, place, strip) for page, place in zip(tokens, strip.fronts, strict=False)]
            strips.append(strip)
            top += grid.cell[1] + grid.gap
        yield SheetPage(strips, placed, marks=marks), None
        rows = rows[count:]


def _measure_rows(rows: Sequence[Row]) -> float:
    return sum(grid.cell[1] + grid.gap for grid, _ in rows) - rows[-1][0].gap


def pair_sides(front: Sequence[Page], back: Sequence[Page], plain: Page | None) -> Iterator[Sides]:
    """Yield cards. A long front continues on its back, then on further cards.

    A card with its own back continues on cards with the back `plain`.
    """
    if back:
        yield from zip_longest(front, back, fillvalue=plain)
        return
    for index in range(0, len(front), 2):
        yield front[index], front[index + 1] if index + 1 < len(front) else plain


def _list_ticks(start: float) -> Iterator[tuple[float, float]]:
    for number in range(TICKS + 1):
        yield start + RULER / TICKS * number, TICK if number % TICKS else LONG_TICK
