"""Print a played game: the points, then the log."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

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
HEAD, ROW, FIGURE = 4.6, 5.0, 9.0
"""Millimetres."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedSide:
    name: str
    rounds: tuple[int, ...]
    scored: tuple[tuple[str, int], ...]
    total: int


@dataclass(frozen=True, slots=True)
class PlayedLine:
    round: int
    who: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedGameJob(PrintJob):
    """One game's print. `round` is the game's word for a round."""

    title: str
    about: str
    round: str
    sides: tuple[PlayedSide, ...]
    lines: tuple[PlayedLine, ...]
    notes: str = ""
    paper: PaperSize = PaperSize.A4
    identity: Identity = UNKNOWN

    @property
    def content(self) -> tuple[object, ...]:
        return (self.title, self.about, self.round, self.sides, self.lines, self.notes, self.paper, self.identity)

    @property
    def texts(self) -> tuple[str, ...]:
        return (self.title, self.about, self.notes, *(f"{line.who} {line.text}" for line in self.lines))

    @property
    def look(self) -> PageLook:
        return PageLook(paper=self.paper, identity=self.identity)

    def make_pdf(self) -> bytes:
        html = compose_document(self.build_pages(), self.title, self.about)
        document = lay_out(html, PAGE_STYLES, format_paper(self.look))
        return write_pdf(document, document.pages)

    def build_pages(self) -> list[PaperPage]:
        look = self.look
        top: list[Part] = [self._set_rounds()]
        if self.notes:
            top.append(Paragraph((TextRun(self.notes, "text", SIZE),), look.width, SIZE, LEADING, "", GAP))
        room = look.height - BAND - BAND_GAP
        width = look.measure_column(COLUMNS) - FIGURE
        parts: list[Part] = [
            self._build_table([side.name, ""], [[what, str(points)] for what, points in side.scored], width)
            for side in self.sides
            if side.scored
        ]
        parts += self._set_log()
        head = join([render_band(self.title, self.about, look), *(part.render() for part in top)])
        first, *others = fill_columns(parts, [room - sum_heights(top), look.height], COLUMNS)
        contents = [join([head, render_columns(first, look, COLUMNS)])]
        contents += [render_columns(columns, look, COLUMNS) for columns in others]
        return [PaperPage(content, self.title) for content in contents]

    def _set_rounds(self) -> Part:
        rounds = max(len(side.rounds) for side in self.sides)
        name = self.look.width - (rounds + 1) * FIGURE
        heads = [self.round, *map(str, range(1, rounds + 1)), _("Total")]
        rows = [
            [side.name, *(str(points) if points else "–" for points in side.rounds), str(side.total)]
            for side in self.sides
        ]
        return self._build_table(heads, rows, name)

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

    def _set_log(self) -> list[Part]:
        width = self.look.measure_column(COLUMNS)
        groups: list[Part] = []
        for number, lines in groupby(self.lines, key=lambda line: line.round):
            heading = Solid(5.0, tag("h2", f"{self.round} {number}", css="sh"), 1.0)
            parts = []
            for line in lines:
                runs = (TextRun(f"{line.who} ", "bold", SIZE), TextRun(line.text, "text", SIZE))
                parts.append(Paragraph(runs, width, SIZE, LEADING, "", 0.5))
            groups.append(Group(heading, tuple(parts), GAP, flows=True))
        return groups
