from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from django.utils.translation import gettext as _

from roster.events.pdf.submitted_sheet import SubmittedSheetJob
from roster.pdf.markup import join, tag
from roster.pdf.pages import (
    PAGE_STYLES,
    PageLook,
    PaperPage,
    compose_document,
    format_paper,
    lay_out_blank_page,
    render_band,
)
from roster.pdf.print_job import PrintJob
from roster.pdf.render import lay_out, write_pdf
from roster.pdf.sheet_options import Ink, SheetOptions
from roster.pdf.sheet_pages import build_sheet_pages, make_look


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSeat:
    """A player at a table. `sheet` is None if their list is unreadable."""

    title: str
    sheet: SubmittedSheetJob | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSheetJob(PrintJob):
    seats: tuple[TableSeat, ...]
    subtitle: str
    options: SheetOptions

    @property
    def content(self) -> tuple[object, ...]:
        seats = tuple((seat.title, seat.sheet.key if seat.sheet else "") for seat in self.seats)
        return seats, self.subtitle, self.options

    @property
    def texts(self) -> tuple[str, ...]:
        lists = tuple(text for seat in self.seats if seat.sheet for text in seat.sheet.texts)
        return *lists, self.subtitle, *(seat.title for seat in self.seats)

    @property
    def look(self) -> PageLook:
        return PageLook(paper=self.options.paper, saves_ink=self.options.ink is Ink.SAVER)

    def prepare(self) -> Callable[[], bytes]:
        starts = []
        pages: list[PaperPage] = []
        for seat in self.seats:
            starts.append(len(pages))
            if seat.sheet is None:
                band = render_band(seat.title, self.subtitle, self.look)
                missing = tag("p", _("There is no readable list."), css="lead")
                pages.append(PaperPage(join([band, missing]), seat.title))
            else:
                sheet = seat.sheet.build_sheet()
                pages += build_sheet_pages(sheet, self.options, make_look(sheet, self.options))
        return partial(self._lay_out, pages, starts[-1])

    def make_pdf(self) -> bytes:
        return self.prepare()()

    def _lay_out(self, pages: Sequence[PaperPage], last_start: int) -> bytes:
        look = self.look
        html = compose_document(pages, self.seats[0].title, self.subtitle, saves_ink=look.saves_ink)
        document = lay_out(html, PAGE_STYLES, format_paper(look))
        laid_out = list(document.pages)
        if len(laid_out) > len(self.seats) and last_start % 2:
            laid_out.insert(last_start, lay_out_blank_page(look))
        return write_pdf(document, laid_out, is_duplex=True)
