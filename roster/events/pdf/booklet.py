"""Booklets: contents with page numbers, then papers that were printed and stored earlier."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from catalogue.definitions.identity import UNKNOWN, Identity
from roster.events.pdf.joining import Front, PageLink, bind_booklet
from roster.pdf.markup import join, mm, place, tag
from roster.pdf.pages import (
    BAND,
    BAND_GAP,
    GUTTER,
    MARGIN,
    PAGE_STYLES,
    PageLook,
    PaperPage,
    compose_document,
    format_paper,
    render_band,
)
from roster.pdf.print_job import PrintJob
from roster.pdf.render import lay_out, write_pdf
from roster.pdf.sheet_options import Ink, SheetOptions
from roster.pdf.type.measure import fit_line

ROW = 5.4
COLUMNS = 2
NUMBER = 10.0
"""Height of a line of the contents and width of its page number, in millimetres."""
NAME_SHARE = 0.58
"""The name's share of a line; the note gets the rest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BookletPart:
    """A line of the contents with its paper. If `job` is None, `note` says why nothing is printed."""

    name: str
    note: str = ""
    job: PrintJob | None = None

    def render_paper(self) -> None:
        """Print and store the paper. Raises RendererBusy."""
        if self.job:
            self.job.render()


@dataclass(frozen=True, slots=True, kw_only=True)
class BookletJob(PrintJob):
    """One file of all parts; papers that are already stored are not laid out again.

    If `is_duplex`, each part begins on a front side.
    """

    title: str
    subtitle: str
    parts: tuple[BookletPart, ...]
    options: SheetOptions
    identity: Identity = UNKNOWN
    is_duplex: bool = False

    @property
    def content(self) -> tuple[object, ...]:
        parts = tuple((part.name, part.note, part.job.key if part.job else "") for part in self.parts)
        return self.title, self.subtitle, parts, self.options, self.identity, self.is_duplex

    @property
    def texts(self) -> tuple[str, ...]:
        return self.title, self.subtitle, *(f"{part.name} {part.note}" for part in self.parts)

    @property
    def look(self) -> PageLook:
        return PageLook(paper=self.options.paper, identity=self.identity, saves_ink=self.options.ink is Ink.SAVER)

    @property
    def _rows(self) -> int:
        return int((self.look.height - BAND - BAND_GAP) / ROW)

    def make_pdf(self) -> bytes:
        """Join all papers and put the contents before them."""
        papers = (
            (part.name, (part.job.read_finished() or part.job.make_pdf()) if part.job else b"") for part in self.parts
        )
        return bind_booklet(self.title, papers, self._build_front, is_duplex=self.is_duplex)

    def _build_front(self, before: Sequence[int | None]) -> Front:
        pages = math.ceil(len(before) / (COLUMNS * self._rows))
        if self.is_duplex:
            pages += pages % 2
        # The first page of each paper, 0 for a part without one.
        starts = [0 if number is None else pages + number + 1 for number in before]
        width = self.look.measure_column(COLUMNS)
        links = []
        for number, start in enumerate(starts):
            page, left, top = self._find_place(number)
            if start:
                links.append(PageLink(page=page, left=left, top=top, width=width, height=ROW, target=start - 1))
        return Front(self._set_contents(starts), links)

    def _set_contents(self, starts: Sequence[int]) -> bytes:
        look, size = self.look, COLUMNS * self._rows
        band = render_band(self.title, self.subtitle, look)
        pages = []
        for begin in range(0, len(starts), size):
            lines = [self._set_line(index, starts[index]) for index in range(begin, min(begin + size, len(starts)))]
            pages.append(PaperPage(join([band, *lines]), _("Contents")))
        document = lay_out(
            compose_document(pages, self.title, self.subtitle, saves_ink=look.saves_ink),
            PAGE_STYLES,
            format_paper(look),
        )
        return write_pdf(document, document.pages)

    def _find_place(self, number: int) -> tuple[int, float, float]:
        page, line = divmod(number, COLUMNS * self._rows)
        column, row = divmod(line, self._rows)
        left = MARGIN + column * (self.look.measure_column(COLUMNS) + GUTTER)
        return page, left, MARGIN + BAND + BAND_GAP + row * ROW

    def _set_line(self, number: int, start: int) -> SafeString:
        part, width = self.parts[number], self.look.measure_column(COLUMNS)
        _page, left, top = self._find_place(number)
        room = (width - NUMBER) * NAME_SHARE
        name = fit_line(part.name, "semi", room - 2.0, 9.5, 7)
        note = fit_line(part.note, "text", width - NUMBER - room - 1.0, 8, 6.5)
        high = ROW - 0.6
        pieces = [
            tag(
                "p",
                name.text,
                css="at",
                style=place(left=0.0, size=name.size, line=high, top=0.0, more="font-weight:600"),
            ),
            tag(
                "p", note.text, css="at", style=place(left=room, size=note.size, line=high, top=0.0, more="color:#444")
            ),
            tag("p", str(start) if start else "–", css="at", style=place(right=0.0, size=9.5, line=high, top=0.0)),
        ]
        edge = f"height:{mm(high)};border-bottom:.12mm solid #b9b5aa"
        return tag("div", *pieces, css="at", style=place(left=left, top=top, width=width, more=edge))
