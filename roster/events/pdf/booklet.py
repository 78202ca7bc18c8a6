"""Build booklets: contents with page numbers, then stored printouts."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Literal

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from catalogue.definitions.identity import UNKNOWN, Identity
from roster.events.pdf.joining import LINK, JoinedPaper, bind_booklet
from roster.pdf.markup import choose_width_class, join, mm, tag
from roster.pdf.pages import (
    BAND,
    BAND_GAP,
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
from roster.pdf.type.installed_fonts import find_unprintable_letters, name_font_packages
from roster.pdf.type.measure import TextRun, count_lines

SIZE, LINE = 10.5, 4.5
"""Type size of the contents in points, and line height in millimetres."""
ROW_PADDING = 0.9
HEAD = 6.0
PAGE_WIDTH = 12.0
CELL_PADDING = 2.0
MOST_CODES = 12
"""The most characters without a font that the contents name."""


@dataclass(frozen=True, slots=True)
class ContentsColumn:
    """`width` is the column's share of the width without page numbers."""

    label: str
    width: float
    face: Literal["text", "semi"] = "text"
    is_number: bool = False

    @property
    def css(self) -> str:
        return " ".join(name for name, is_used in (("r", self.is_number), ("b", self.face == "semi")) if is_used)


@dataclass(frozen=True, slots=True, kw_only=True)
class BookletPart:
    """A line of the contents with its printout. `title` is the bookmark; `cells` are its texts by column.

    If `job` is None, the cells say why nothing is printed.
    """

    title: str
    cells: tuple[str, ...]
    job: PrintJob | None = None

    def render_paper(self) -> None:
        """Print and store the part. Raises RendererBusy."""
        if self.job:
            self.job.render()


@dataclass(frozen=True, slots=True, kw_only=True)
class BookletJob(PrintJob):
    """One file of all parts. Stored printouts are not laid out again. Each starts on a front side."""

    title: str
    subtitle: str
    columns: tuple[ContentsColumn, ...]
    parts: tuple[BookletPart, ...]
    options: SheetOptions
    identity: Identity = UNKNOWN

    @property
    def content(self) -> tuple[object, ...]:
        parts = tuple((part.title, part.cells, part.job.key if part.job else "") for part in self.parts)
        return self.title, self.subtitle, self.columns, parts, self.options, self.identity

    @property
    def texts(self) -> tuple[str, ...]:
        return self.title, self.subtitle, *(" ".join(part.cells) for part in self.parts)

    def make_pdf(self) -> bytes:
        papers = (
            JoinedPaper(title=part.title, file=(part.job.read_finished() or part.job.make_pdf()) if part.job else b"")
            for part in self.parts
        )
        return bind_booklet(papers, self._set_contents)

    def _set_contents(self, before: Sequence[int | None]) -> bytes:
        look = PageLook(paper=self.options.paper, identity=self.identity, saves_ink=self.options.ink is Ink.SAVER)
        room = look.height - BAND - BAND_GAP - HEAD
        widths = [column.width * (look.width - PAGE_WIDTH) for column in self.columns]
        # Rows by page: which parts fit is known before the page numbers are.
        filled: list[list[int]] = [[]]
        left = room
        heights = [self._measure_row(part, widths) for part in self.parts]
        for number, height in enumerate(heights):
            if height > left and filled[-1]:
                filled.append([])
                left = room
            filled[-1].append(number)
            left -= height
        # The table of contents takes whole sheets, too.
        ahead = len(filled) + len(filled) % 2

        band = render_band(self.title, self.subtitle, look)
        about = _("Each list starts on the front of a sheet. Print on both sides, flipped on the long edge.")
        texts = chain(self.texts, *(part.job.texts for part in self.parts if part.job))
        if letters := find_unprintable_letters(texts):
            # A background job cannot ask first, so the print lists the characters that it shows as boxes.
            codes = " ".join(f"U+{ord(letter):04X}" for letter in letters[:MOST_CODES])
            packages = ", ".join(name_font_packages(letters))
            about = _("Characters without a font here: %(codes)s (%(packages)s)") % {
                "codes": codes,
                "packages": packages,
            }
        pages = []
        for numbers in filled:
            rows = [self._set_head(widths)]
            for number in numbers:
                pages_before = before[number]
                page = "–" if pages_before is None else str(ahead + pages_before + 1)
                rows.append(self._set_row(number, page, heights[number]))
            pages.append(PaperPage(join([band, tag("table", *rows, css="ct")]), about))
        document = lay_out(
            compose_document(pages, self.title, self.subtitle, saves_ink=look.saves_ink),
            (*PAGE_STYLES, "events"),
            format_paper(look),
        )
        return write_pdf(document, document.pages, is_duplex=True)

    def _measure_row(self, part: BookletPart, widths: Sequence[float]) -> float:
        lines = [
            count_lines([TextRun(text, column.face, SIZE)], width - CELL_PADDING)
            for text, column, width in zip(part.cells, self.columns, widths, strict=True)
        ]
        return max(lines) * LINE + 2 * ROW_PADDING

    def _set_head(self, widths: Sequence[float]) -> SafeString:
        heads = [
            tag("th", column.label, css=f"{column.css} {choose_width_class(width)}".strip())
            for column, width in zip(self.columns, widths, strict=True)
        ]
        return tag("tr", *heads, tag("th", _("Page"), css=f"end {choose_width_class(PAGE_WIDTH)}"))

    def _set_row(self, number: int, page: str, height: float) -> SafeString:
        part = self.parts[number]
        cells = [tag("td", text, css=column.css) for text, column in zip(part.cells, self.columns, strict=True)]
        if part.job:
            # The link covers the name and the number.
            linked = format_html('<a href="{}{}">{}</a>', LINK, number, part.cells[0])
            cells[0] = tag("td", linked, css="b")
            page = format_html('<a href="{}{}">{}</a>', LINK, number, page)
        return tag("tr", *cells, tag("td", page, css="end b"), style=f"height:{mm(height)}")
