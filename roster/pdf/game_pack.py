"""Print a whole game in one file: setup, mission and score sheet as a spread, then the lists."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain

from django.utils.safestring import SafeString

from catalogue.definitions.groups import group_by
from catalogue.definitions.identity import UNKNOWN, Identity
from roster.pdf.flow import FittedRow, Paragraph, Part, RowTable, Solid, read_text, render_runs, sum_heights
from roster.pdf.imposition.card_face import Face
from roster.pdf.imposition.reading_sheet import build_face_group, build_heading
from roster.pdf.markup import choose_width_class, join, mm, tag
from roster.pdf.pages import (
    BAND,
    BAND_GAP,
    PAGE_STYLES,
    Group,
    PageLook,
    PaperPage,
    compose_document,
    fill_columns,
    format_paper,
    measure_parts,
    render_band,
    render_columns,
)
from roster.pdf.paper_text import end_sentence
from roster.pdf.print_job import PrintJob
from roster.pdf.render import lay_out, write_pdf
from roster.pdf.score_sheet import (
    LEAST_TURN,
    NOBODY_YET,
    Scores,
    Seat,
    build_short_scores,
    build_turn_scores,
    set_score_page,
    split_rows,
)
from roster.pdf.shapes import ListSheet
from roster.pdf.sheet_job import SheetJob
from roster.pdf.sheet_options import Ink, PaperSize, SheetOptions
from roster.pdf.sheet_pages import build_sheet_pages, make_look
from roster.pdf.type.measure import POINT, TextRun, count_lines
from roster.pdf.type.signs import BOX
from roster.wording import cards as words

COLUMNS = 2
READ_SIZES = (8.8, 8.4, 8.0, 7.6, 7.2)
"""In points. The largest that needs at most `FEWEST_PAGES` is used."""
FEWEST_PAGES = 2
EASY_SIZES = READ_SIZES[:3]
"""In points. A single page is still easy to read in these sizes."""
LONG_LISTS = 4
"""If the lists have this many pages, the score sheet is below the mission."""
LITTLE_TEXT = 0.4
"""Share of a column below which text is set in one column."""
SETUP_SHARES = (1.0, 0.8, 0.6, 0.4)
"""Shares of its page that the setup may fill."""
LEAST_USED = 0.3
SEAT, SEAT_EDGES, SEAT_SIZE = 12.0, 5.0, 10.0
"""The height of a player's box with a name on one line, the room of its edges, and its type size in points."""
DENSE_TURNS = (6.8, LEAST_TURN)
"""Millimetres per turn: the first try, and the minimum."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GamePackJob(PrintJob):
    title: str
    heading: str
    lists: tuple[SheetJob, ...]
    seats: tuple[Seat, ...]
    scores: Scores
    misfits: tuple[str, ...] = ()
    size: tuple[tuple[str, str], ...] = ()
    mission: tuple[Face, ...] = ()
    maps: tuple[Face, ...] = ()
    objectives: tuple[Face, ...] = ()
    stratagems: tuple[Face, ...] = ()
    reference: tuple[Face, ...] = ()
    paper: PaperSize = PaperSize.A4
    ink: Ink = Ink.LIGHT
    identity: Identity = UNKNOWN

    @property
    def content(self) -> tuple[object, ...]:
        return (
            *(self.title, self.heading, [job.key for job in self.lists], self.seats, self.scores, self.misfits),
            *(self.size, self.mission, self.maps, self.objectives, self.stratagems, self.reference),
            *(self.paper, self.ink, self.identity),
        )

    @property
    def texts(self) -> tuple[str, ...]:
        return (
            self.title,
            self.heading,
            repr(self.seats),
            *self.misfits,
            *(text for job in self.lists for text in job.texts),
        )

    @property
    def look(self) -> PageLook:
        return PageLook(paper=self.paper, identity=self.identity, saves_ink=self.ink is Ink.SAVER)

    def prepare(self) -> Callable[[], bytes]:
        return partial(self._lay_out, self.build_pages())

    def make_pdf(self) -> bytes:
        return self.prepare()()

    def _lay_out(self, pages: Sequence[PaperPage]) -> bytes:
        html = compose_document(pages, self.title, self.heading, saves_ink=self.look.saves_ink)
        document = lay_out(html, PAGE_STYLES, format_paper(self.look))
        return write_pdf(document, document.pages)

    def build_pages(self) -> list[PaperPage]:
        sheets: list[tuple[ListSheet, SheetOptions]] = []
        notices: set[object] = set()
        # Print equal notices and reminders once, with the last list that has them.
        for job in reversed(self.lists):
            sheet = job.build_sheet()
            if (notice := (sheet.reminders, sheet.imprint.notice)) in notices:
                sheet = replace(sheet, reminders=(), imprint=replace(sheet.imprint, notice=""))
            notices.add(notice)
            sheets.append((sheet, job.options))
        lists: list[PaperPage] = []
        for sheet, options in reversed(sheets):
            lists += build_sheet_pages(sheet, options, make_look(sheet, options))
        game = self._set_short_game()
        if not game and len(lists) >= LONG_LISTS:
            game = self._set_dense_game()
        return [*(game or self._set_long_game()), *lists]

    def _set_short_game(self) -> list[PaperPage]:
        """Set the game on one page, or add a page for the score sheet; [] if it does not fit."""
        if (below := build_short_scores(self.scores, self.look, self._score_roles)) and (
            page := self._find_one_page(READ_SIZES, below)
        ):
            return [page]
        page = self._find_one_page(EASY_SIZES)
        return [page, self._set_scores()] if page else []

    def _find_one_page(self, sizes: Iterable[float], below: Solid | None = None) -> PaperPage | None:
        look = self.look
        # The score sheet below already names the players.
        above = None if below else self._set_seats()
        room = look.height - BAND - BAND_GAP - sum_heights(filter(None, (above, below)))
        width = look.measure_column(COLUMNS)
        for size in sizes:
            parts = [*self._list_mission(width, size), *self._list_reference(width, size)]
            pages = fill_columns(parts, [room], COLUMNS)
            if len(pages) == 1:
                pieces = [self._set_mission_band()]
                if above:
                    pieces.append(above.render())
                pieces.append(render_columns(pages[0], look, COLUMNS))
                if below:
                    pieces.append(below.render())
                return PaperPage(join(pieces), self._foot)
        return None

    def _set_long_game(self) -> list[PaperPage]:
        for size in READ_SIZES:
            pages = self._set_game(size)
            if len(pages) <= FEWEST_PAGES:
                break
        # Rules that did not fit before mission and score sheet follow them.
        pages.insert(FEWEST_PAGES, self._set_scores())
        return pages

    def _set_dense_game(self) -> list[PaperPage]:
        """Set two pages with the score sheet below the mission; [] if they do not fit."""
        if self.scores.turns:
            for turn in DENSE_TURNS:
                below = build_turn_scores(self.scores, self.look, self._score_roles, turn)
                for size in READ_SIZES:
                    pages = self._set_game(size, below)
                    if len(pages) <= FEWEST_PAGES:
                        return pages
        return []

    def _set_game(self, size: float, below: Solid | None = None) -> list[PaperPage]:
        look = self.look
        room, seats = look.height - BAND - BAND_GAP, self._set_seats()
        left = room - (below.height if below else 0.0)
        # Set little text in one column.
        setup = self._list_reference(look.measure_column(COLUMNS), size)
        count = COLUMNS if sum_heights(setup) > (room - seats.height) * LITTLE_TEXT else 1
        reference = self._list_reference(look.measure_column(count), size)
        mission = self._list_mission(look.measure_column(COLUMNS), size)
        if below:
            reference, mission = _make_flow(reference), _make_flow(mission)
        for share in SETUP_SHARES:
            first, *others = fill_columns(reference, [share * (room - seats.height), room], count)
            rest = chain.from_iterable(chain.from_iterable(others))
            game = fill_columns([*mission, *rest], [left], COLUMNS)
            if below or max(map(measure_parts, game[-1])) >= LEAST_USED * room:
                break
        band = render_band(self.title, self.heading, look)
        pages = [PaperPage(join([band, seats.render(), render_columns(first, look, count)]), self._foot)]

        band = self._set_mission_band()
        end = below.render() if below else SafeString()
        for page in game:
            pages.append(PaperPage(join([band, render_columns(page, look, COLUMNS), end]), self._foot))
        return pages

    def _set_mission_band(self) -> SafeString:
        tagline = self.mission[0].lead if self.mission else ""
        return render_band(self.scores.title, tagline or self.heading, self.look)

    @property
    def _foot(self) -> str:
        return f"{words.get_label('game pack')} · {self.heading}"

    def _list_reference(self, width: float, size: float) -> list[Part]:
        parts: list[Part] = []
        if self.size:
            lines = [tuple(read_text(f"{end_sentence(name)} {text}", size)) for name, text in self.size]
            heading = build_heading(words.get_label("battle size"), "", "", self.look, width)
            parts.append(Group(heading, tuple(Paragraph(line, width, size, 1.22, "", 0.6) for line in lines), 2.8))
        faces = (replace(face, kicker="") for face in self.reference)
        return [*parts, *(build_face_group(face, self.look, width, size) for face in faces)]

    def _set_seats(self) -> Solid:
        fields = _format_roles(self._roles)
        room = self.look.width / COLUMNS - SEAT_EDGES
        rows, height = [], 0.0
        for seats in split_rows(self.seats or (NOBODY_YET,), COLUMNS):
            cells, lines = [], 1
            for seat in seats:
                player = seat.player or "________________"
                cells.append(tag("td", tag("b", player), f" {seat.list_name}", tag("p", tag("s", ""), fields)))
                runs = (TextRun(player, "bold", SEAT_SIZE), TextRun(f" {seat.list_name}", "text", SEAT_SIZE))
                lines = max(lines, count_lines(runs, room))
            rows.append(tag("tr", *cells))
            height += SEAT + (lines - 1) * SEAT_SIZE * 1.2 * POINT
        return Solid(height, tag("table", *rows, css="seats"), 2.6)

    @property
    def _score_roles(self) -> str:
        has_roles = any(side.has_role for side in self.scores.sides)
        return _format_roles(("first turn",) if has_roles else self._roles)

    @property
    def _roles(self) -> tuple[str, ...]:
        content = repr((self.mission, self.maps, self.reference)).lower()
        return ("attacker", "defender", "first turn") if "defender" in content else ("first turn",)

    def _list_mission(self, width: float, size: float) -> list[Part]:
        build_group = partial(build_face_group, look=self.look, width=width, size=size)
        # The band has the mission's name, so each face is named after its side.
        sides = [
            replace(face, title=face.kicker.partition(" · ")[0] or face.title, kicker="", lead="")
            for face in self.mission
        ]
        groups = map(build_group, (*sides, *self.maps))
        misfits = (Paragraph(tuple(read_text(text, size)), width, size, 1.22, "", 1.6) for text in self.misfits)
        parts: list[Part] = [*misfits, *(group for group in groups if group.parts)]
        by_kind = group_by(self.objectives, lambda face: face.kicker.rpartition(" · ")[2])
        for kind, faces in by_kind.items():
            parts.append(self._build_objectives(kind, faces, width, size))
        return [*parts, *map(build_group, self.stratagems)]

    def _build_objectives(self, kind: str, faces: Sequence[Face], width: float, size: float) -> RowTable:
        roll, points = 5.0, 7.0
        room = width - roll - points
        head = tag(
            "tr",
            tag("th", "", css=choose_width_class(roll)),
            tag("th", kind, css=f"l {choose_width_class(room)}"),
            tag("th", "", css=choose_width_class(points)),
            style=f"{self.look.fill};line-height:4.6mm",
        )
        line = size * 0.415
        rows = []
        for face in faces:
            texts = list(filter(None, chain.from_iterable(block.texts for block in face.blocks)))
            texts += [f"{row.name} {row.value}." for block in face.blocks for row in block.rows]
            runs = [TextRun(f"{end_sentence(face.title)} ", "bold", size), *read_text(" ".join(texts), size)]
            # The first labelled block says when it scores.
            if when := next(filter(None, (block.label for block in face.blocks)), ""):
                runs.append(TextRun(f" {when}", "semi", 7.0))
            cells = [
                tag("td", face.corner),
                tag("td", *render_runs(runs, size), css="nm"),
                tag("td", face.points, css="p"),
            ]
            row = tag("tr", *cells, style=f"font-size:{size:g}pt;line-height:{mm(line)}")
            rows.append(FittedRow(count_lines(runs, room - 1.5) * line + 1.05, row))
        return RowTable(4.6, head, tuple(rows), "obj", 2.0)

    def _set_scores(self) -> PaperPage:
        scores, look = self.scores, self.look
        band = render_band(scores.heading, f"{scores.title} · {self.heading}", look)
        sheet = set_score_page(scores, look, self._score_roles, look.height - BAND - BAND_GAP)
        return PaperPage(join([band, sheet]), self._foot)


def _format_roles(roles: Iterable[str]) -> str:
    return "   ".join(f"{words.get_label(name)} {BOX}" for name in roles)


def _make_flow(parts: Iterable[Part]) -> list[Part]:
    return [replace(part, flows=True) if isinstance(part, Group) else part for part in parts]
