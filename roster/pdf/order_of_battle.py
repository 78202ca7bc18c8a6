"""Print the units of a growing force: a table of all, then each unit's record."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from catalogue.definitions.identity import UNKNOWN, Identity
from roster.pdf.flow import FittedRow, Paragraph, Part, RowTable, Solid, sum_heights
from roster.pdf.markup import choose_width_class, join, mm, tag
from roster.pdf.pages import (
    BAND,
    BAND_GAP,
    GAP,
    PAGE_STYLES,
    Group,
    PageLook,
    PaperPage,
    compose_document,
    fill_columns,
    format_paper,
    render_band,
    render_columns,
)
from roster.pdf.print_job import PrintJob
from roster.pdf.render import lay_out, write_pdf
from roster.pdf.sheet_options import PaperSize
from roster.pdf.stock import LEADING
from roster.pdf.type.measure import TextRun, count_lines

SIZE = 8.4
COLUMNS = 2
HEAD, ROW, FIGURE = 4.6, 5.0, 13.0
"""Millimetres."""


@dataclass(frozen=True, slots=True)
class LedgerRow:
    day: str
    text: str
    figure: str

    def __str__(self) -> str:
        return f"{self.day} {self.text} {self.figure}"


@dataclass(frozen=True, slots=True, kw_only=True)
class VeteranRecord:
    """A unit of a force. `gear` is the data's unit and its options, `marks` are honours and injuries."""

    name: str
    gear: str
    rank: str
    marks: tuple[tuple[str, str], ...]
    counters: tuple[tuple[str, int], ...]
    experience: int
    games: int
    kills: int
    points: str
    cost: str
    total: str
    story: str
    lines: tuple[LedgerRow, ...]

    def __str__(self) -> str:
        marks = (f"{name} {text}" for name, text in self.marks)
        counters = (name for name, _number in self.counters)
        return " ".join((self.name, self.gear, self.rank, self.story, *marks, *counters, *map(str, self.lines)))


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderOfBattleJob(PrintJob):
    """A force's order of battle. `experience` is the campaign's word."""

    title: str
    about: str
    experience: str
    total: str
    units: tuple[VeteranRecord, ...]
    paper: PaperSize = PaperSize.A4
    identity: Identity = UNKNOWN

    @property
    def content(self) -> tuple[object, ...]:
        return (self.title, self.about, self.experience, self.total, self.units, self.paper, self.identity)

    @property
    def texts(self) -> tuple[str, ...]:
        units = (
            " ".join(
                (unit.name, unit.gear, unit.rank, unit.story, str(unit.marks), *(line.text for line in unit.lines))
            )
            for unit in self.units
        )
        return (self.title, self.about, *units)

    @property
    def look(self) -> PageLook:
        return PageLook(paper=self.paper, identity=self.identity)

    def make_pdf(self) -> bytes:
        html = compose_document(self.build_pages(), self.title, self.about)
        document = lay_out(html, PAGE_STYLES, format_paper(self.look))
        return write_pdf(document, document.pages)

    def build_pages(self) -> list[PaperPage]:
        look = self.look
        heads = [_("Unit"), self.experience, _("Games"), _("Kills"), _("Points"), _("Ledger"), _("Total")]
        rows = [
            [unit.name, *map(str, (unit.experience, unit.games, unit.kills)), unit.points, unit.cost, unit.total]
            for unit in self.units
        ]
        table = self._build_table(heads, rows, look.width - (len(heads) - 1) * FIGURE)
        room = look.height - BAND - BAND_GAP
        band = render_band(self.title, self.about, look)
        pages: list[PaperPage] = []
        # A long table takes several pages; the records follow below its end.
        rest: Part | None = table
        while rest is not None:
            split = rest.split(room, is_first=True)
            parts = [split.fitting] if split.fitting else []
            rest = split.rest
            if rest is None:
                first, *others = fill_columns(self._set_records(), [room - sum_heights(parts), look.height], COLUMNS)
                columns = [render_columns(first, look, COLUMNS)]
                contents = [join([band, *(part.render() for part in parts), *columns])]
                contents += [render_columns(columns, look, COLUMNS) for columns in others]
            else:
                contents = [join([band, *(part.render() for part in parts)])]
            pages += [PaperPage(content, self.title) for content in contents]
            band, room = join([]), look.height
        return pages

    def _set_records(self) -> list[Part]:
        width = self.look.measure_column(COLUMNS)
        records: list[Part] = []
        for unit in self.units:
            heading = Solid(5.0, tag("h2", " · ".join(filter(None, (unit.name, unit.rank))), css="sh"), 1.0)
            figures = [f"{unit.points} {unit.cost}".strip(), f"{unit.experience} {self.experience}"]
            figures += [f"{name} {number}" for name, number in unit.counters]
            runs = [TextRun(f"{unit.gear}. " if unit.gear else "", "text", SIZE)]
            runs.append(TextRun(" · ".join(figures), "bold", SIZE))
            parts: list[Part] = [Paragraph(tuple(runs), width, SIZE, LEADING, "", 0.5)]
            for name, text in unit.marks:
                words = (TextRun(f"{name} ", "bold", SIZE), TextRun(text, "text", SIZE))
                parts.append(Paragraph(words, width, SIZE, LEADING, "", 0.5))
            if unit.story:
                parts.append(Paragraph((TextRun(unit.story, "text", SIZE),), width, SIZE, LEADING, "", 0.5))
            if unit.lines:
                rows = [[f"{line.day} {line.text}", line.figure] for line in unit.lines]
                parts.append(self._build_table([_("Ledger"), ""], rows, width - FIGURE))
            records.append(Group(heading, tuple(parts), GAP, flows=True))
        return records

    def _build_table(self, heads: Sequence[str], texts: Iterable[Sequence[str]], first: float) -> RowTable:
        label, *figures = heads
        cells = [tag("th", label, css=f"l {choose_width_class(first)}")]
        cells += [tag("th", figure, css=f"p {choose_width_class(FIGURE)}") for figure in figures]
        head = tag("tr", *cells, style=f"{self.look.fill};line-height:{mm(HEAD)}")
        line = SIZE * 0.415
        style = f"font-size:{SIZE:g}pt;line-height:{mm(line)};height:{mm(ROW)}"
        rows = []
        for label, *figures in texts:
            lines = count_lines([TextRun(label, "bold", SIZE)], first - 1.5)
            cells = [tag("td", tag("b", label), css="nm"), *(tag("td", figure, css="p") for figure in figures)]
            rows.append(FittedRow(max(ROW, lines * line + 1.05), tag("tr", *cells, style=style)))
        return RowTable(HEAD, head, tuple(rows), "obj", 2 * GAP)
