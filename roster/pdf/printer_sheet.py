"""Print a sheet to test a printer's scale, margins, and alignment of both sides.

Positions are millimetres from the upper left corner.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from roster.pdf.imposition.card_format import CROSS, POKER
from roster.pdf.markup import join, mm, place, tag
from roster.pdf.pages import PAGE_STYLES, PAPERS, PageLook, PaperPage, compose_document, format_paper
from roster.pdf.print_job import PrintJob
from roster.pdf.render import lay_out, write_pdf
from roster.pdf.sheet_options import PaperSize

TYPE_SIZES = (6.0, 6.5, 7.0, 7.5, 8.0, 9.0)
RULES = (0.1, 0.15, 0.25, 0.4, 0.5)
GREYS = (5, 10, 20, 30, 50, 70, 100)
EDGES = (2, 3, 4, 5, 6, 8, 10)
"""Distances from the edge, in millimetres, of lines that show how far a printer reaches."""
SAMPLE = "Gauss Flayer Array 24 S 4 AP -1 D 1 3+/4++ 0123456789"
LEFT, RIGHT = 30.0, 120.0
CROSSES = ((20.0, 40.0), (190.0, 40.0), (20.0, 250.0), (190.0, 250.0), (105.0, 230.0))


@dataclass(frozen=True, slots=True, kw_only=True)
class PrinterSheetJob(PrintJob):
    paper: PaperSize = PaperSize.A4

    @property
    def content(self) -> tuple[object, ...]:
        return (self.paper,)

    @property
    def texts(self) -> tuple[str, ...]:
        return ()

    def make_pdf(self) -> bytes:
        look = PageLook(paper=self.paper)
        text = _("The back. If it is upside down, choose “flip on long edge”.")
        back = join([_write(text, LEFT, 100.0, 150.0), *self._list_crosses()])
        pages = [PaperPage(self._set_front()), PaperPage(back)]
        document = lay_out(compose_document(pages, _("Test sheet")), PAGE_STYLES, format_paper(look))
        return write_pdf(document, document.pages, is_duplex=True)

    def _set_front(self) -> SafeString:
        how = _("Print at true size (“actual size”), on both sides, flipped on the long edge. Then measure.")
        near = _("The short lines are %(edges)s mm from the edge: this printer cannot reach the missing ones.")
        pieces = [
            tag("h1", _("Test sheet"), css="at", style=place(left=LEFT, right=20.0, top=30.0, size=18)),
            _write(how, LEFT, 40.0, 110.0),
            *_draw_ruler(LEFT, 62.0, 50),
            *_draw_ruler(LEFT, 72.0, 100, upright=True),
            *self._list_edges(),
            *_list_samples(),
            _draw_box(RIGHT, 72.0, POKER.width, POKER.height),
            _write(_("Poker, 63 × 88 mm: lay a real card on it; its edges cover the line."), RIGHT + 5, 77.0, 52.0),
            _write(near % {"edges": ", ".join(map(str, EDGES))}, LEFT, 190.0, 150.0),
            _write(
                _("Held against the light, the crosses on both sides should coincide. Up to 1 mm off does no harm."),
                LEFT,
                200.0,
                150.0,
            ),
        ]
        return join([*pieces, *self._list_crosses()])

    def _list_crosses(self) -> Iterator[SafeString]:
        width, _height = PAPERS[self.paper]
        for x, y in CROSSES:
            across = width / 2 + (x - 105.0)
            yield _draw_line(across - 2 * CROSS, y, 4 * CROSS)
            yield _draw_line(across, y - 2 * CROSS, 4 * CROSS, upright=True)

    def _list_edges(self) -> Iterator[SafeString]:
        width, height = PAPERS[self.paper]
        for number, away in enumerate(EDGES):
            at = 90.0 + 7 * number
            yield _draw_line(away, at, 6.0, upright=True)
            yield _draw_line(width - away, at, 6.0, upright=True)
            yield _draw_line(at, away, 6.0)
            yield _draw_line(at, height - away, 6.0)


def _write(text: str, left: float, top: float, width: float) -> SafeString:
    return tag("p", text, css="at", style=place(left=left, top=top, width=width, size=9))


def _draw_line(left: float, top: float, length: float, *, upright: bool = False, width: float = 0.2) -> SafeString:
    edge = f"border-{'left' if upright else 'top'}:{mm(width)} solid #111"
    sides = {"width": 0.0, "height": length} if upright else {"width": length, "height": 0.0}
    shift = {"left": left - width / 2, "top": top} if upright else {"left": left, "top": top - width / 2}
    return tag("div", css="at", style=place(**shift, **sides, more=edge))


def _draw_box(left: float, top: float, width: float, height: float, paint: str = "") -> SafeString:
    style = place(
        left=left, top=top, width=width, height=height, more=paint or "border:.2mm solid #111;box-sizing:border-box"
    )
    return tag("div", css="at", style=style)


def _draw_ruler(left: float, top: float, length: int, *, upright: bool = False) -> Iterator[SafeString]:
    yield _draw_line(left, top, float(length), upright=upright)
    for number in range(length + 1):
        tick = 2.0
        if number % 5 == 0:
            tick = 4.0 if number % 10 == 0 else 3.0
        if upright:
            yield _draw_line(left, top + number, tick)
        else:
            yield _draw_line(left + number, top - tick, tick, upright=True)
    where = (left + 5.0, top + length - 4.0) if upright else (left + length + 2.0, top - 3.0)
    yield _write(f"{length} mm", *where, 20.0)


def _list_samples() -> Iterator[SafeString]:
    left, top = LEFT + 20.0, 72.0
    for size in TYPE_SIZES:
        yield tag("p", f"{size:g} pt {SAMPLE}", css="at", style=place(left=left, top=top, width=68.0, size=size))
        top += size * 0.5
    for size in TYPE_SIZES[:4]:
        paint = "background:#111;color:#fff"
        style = place(left=left, top=top + 2.0, width=68.0, height=4.0, size=size, line=4.0, more=paint)
        yield tag("p", f"{size:g} pt {SAMPLE}", css="at", style=style)
        top += 4.0
    for width in RULES:
        top += 5.0
        yield _draw_line(left, top + 3.0, 50.0, width=width)
        yield _write(f"{width:g} mm", left + 52.0, top + 1.4, 16.0)
    for number, grey in enumerate(GREYS):
        shade = round(255 * (1 - grey / 100))
        yield _draw_box(left + 9.0 * number, top + 8.0, 9.0, 9.0, f"background:#{shade:02x}{shade:02x}{shade:02x}")
        yield _write(f"{grey} %", left + 9.0 * number, top + 17.5, 9.0)
