"""The sheet of a table: the lists of both players, each on one side of the paper."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from roster.events.pdf.submitted_sheet import SubmittedSheetJob
from roster.pdf.markup import join, tag
from roster.pdf.pages import PAGE_STYLES, PageLook, PaperPage, compose_document, format_paper, render_band
from roster.pdf.print_job import PrintJob
from roster.pdf.render import lay_out, write_pdf
from roster.pdf.sheet_options import Ink, SheetOptions
from roster.pdf.sheet_pages import build_sheet_pages, make_look


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSeat:
    """A player at a table: `sheet` is None for a player whose list cannot be read."""

    title: str
    sheet: SubmittedSheetJob | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSheetJob(PrintJob):
    """Both lists in short, one after the other."""

    seats: tuple[TableSeat, ...]
    subtitle: str
    options: SheetOptions

    @property
    def content(self) -> tuple[object, ...]:
        """The keys of both lists, and what is on the paper besides."""
        seats = tuple((seat.title, seat.sheet.key if seat.sheet else "") for seat in self.seats)
        return seats, self.subtitle, self.options

    @property
    def texts(self) -> tuple[str, ...]:
        """Those of both lists, and the headings."""
        lists = tuple(text for seat in self.seats if seat.sheet for text in seat.sheet.texts)
        return *lists, self.subtitle, *(seat.title for seat in self.seats)

    def make_pdf(self) -> bytes:
        """Lay both sides out and write them, to be joined with other tables."""
        pages = [page for seat in self.seats for page in self._set_seat(seat)]
        look = self._look
        html = compose_document(pages, self.seats[0].title, self.subtitle, saves_ink=look.saves_ink)
        document = lay_out(html, PAGE_STYLES, format_paper(look))
        return write_pdf(document, document.pages, is_tagged=False)

    @property
    def _look(self) -> PageLook:
        return PageLook(paper=self.options.paper, saves_ink=self.options.ink is Ink.SAVER)

    def _set_seat(self, seat: TableSeat) -> list[PaperPage]:
        if seat.sheet is None:
            band = render_band(seat.title, self.subtitle, self._look)
            return [PaperPage(join([band, tag("p", _("There is no list that can be read."), css="lead")]), seat.title)]
        sheet = seat.sheet.build_sheet()
        return build_sheet_pages(sheet, self.options, make_look(sheet, self.options))
