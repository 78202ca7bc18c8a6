"""Print organisers' handouts: slips, seating, table tents, and the judges' checklist.

Slips are black on white, for office printers. Lengths are in millimetres.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from catalogue.definitions.identity import UNKNOWN, Identity
from roster.events.services.handouts import EventSeat, GameTable, Handout, ListToCheck, name_opponent
from roster.formats.list_text import make_sort_key
from roster.pdf.markup import break_lines, choose_width_class, join, mm, place, tag
from roster.pdf.pages import (
    BAND,
    BAND_GAP,
    MARGIN,
    PAGE_STYLES,
    PAPERS,
    PageLook,
    PaperPage,
    compose_document,
    format_paper,
    render_band,
)
from roster.pdf.print_job import PrintJob
from roster.pdf.qr import draw_qr_code
from roster.pdf.render import lay_out, write_pdf
from roster.pdf.sheet_options import PaperSize
from roster.pdf.type.measure import POINT, TextRun, count_lines, fit_text
from roster.pdf.type.signs import BOX, find_sign

SLIPS = 4
"""Slips on a page, two by two."""
INSET = 8.0
"""The free space at the sides of a slip."""
SLIP_HEIGHT = 148.5
"""The height that slips are designed for. On Letter they are shorter."""
CUT = 4.0
SEATING_ROWS = ((20.2, 17.0, 30.0, 10.0), (14.6, 14.0, 22.0, 9.0), (10.4, 10.5, 15.0, 7.5))
"""Row heights of the seating page, with type sizes of names, tables and opponents. The first that fits is used."""
SEATING_TABLE = 19.0
LEAST_TEXT = 6.5
TABLE_ROOM = 36.0
"""For the name of a table on a slip."""
CHECKLIST_SIZE, CHECKLIST_LINE = 9.0, 3.9
CHECKLIST_SHARES = (0.08, 0.25, 0.19, 0.1, 0.38)
CHECKLIST_BOX = 14.0


@dataclass(frozen=True, slots=True, kw_only=True)
class HandoutJob(PrintJob):
    """A round's handouts of one kind. `link` is the address in QR codes that do not belong to a table."""

    kind: Handout
    event: str
    about: str
    round: int
    tables: tuple[GameTable, ...] = ()
    checks: tuple[ListToCheck, ...] = ()
    link: str = ""
    paper: PaperSize = PaperSize.A4
    identity: Identity = UNKNOWN

    @property
    def content(self) -> tuple[object, ...]:
        about = (self.kind, self.event, self.about, self.round, self.link, self.paper, self.identity)
        return *about, self.tables, self.checks

    @property
    def texts(self) -> tuple[str, ...]:
        return self.event, self.about, repr(self.tables), repr(self.checks)

    @property
    def title(self) -> str:
        return f"{self.event}: {name_handout(self.kind)}"

    @property
    def look(self) -> PageLook:
        return PageLook(paper=self.paper, identity=self.identity)

    def make_pdf(self) -> bytes:
        look = self.look
        match self.kind:
            case Handout.PAIRINGS:
                pages = self._set_slips(self._set_pairing)
            case Handout.RESULTS:
                pages = self._set_slips(self._set_result)
            case Handout.SEATING:
                pages = self._set_seating()
            case Handout.TENTS:
                pages = [self._set_tent(table) for table in self.tables]
            case Handout.CHECKLIST:
                pages = self._set_checklist()
        is_numbered = self.kind in (Handout.SEATING, Handout.CHECKLIST)
        html = compose_document(pages, self.title, self.about, numbered=is_numbered)
        document = lay_out(html, (*PAGE_STYLES, "events"), format_paper(look))
        return write_pdf(document, document.pages)

    def _set_slips(self, set_slip: "SlipSetter") -> list[PaperPage]:
        """Set four slips per page. After cutting and stacking, the piles are in table order."""
        tables = [table for table in self.tables if not table.is_bye]
        leaves = -(-len(tables) // SLIPS)
        width, height = (side / 2 for side in PAPERS[self.paper])
        pages = []
        for leaf in range(leaves):
            slips = [_draw_cuts(width, height)]
            for pile, table in enumerate(tables[leaf::leaves]):
                row, column = divmod(pile, 2)
                slip = _Slip(width, height / SLIP_HEIGHT)
                set_slip(slip, table)
                style = place(left=column * width, top=row * height, width=width, height=height)
                slips.append(tag("div", *slip.pieces, css="at slip", style=style))
            pages.append(PaperPage(join(slips)))
        return pages

    def _set_slip_head(self, slip: "_Slip", title: str, table: GameTable) -> None:
        slip.add("h1", title, left=INSET, top=7.6, size=17, line=7)
        room = slip.width - 2 * INSET - TABLE_ROOM
        height = slip.add_text(self.event, left=INSET, top=15.4, room=room, size=9)
        slip.add_text(self.about, left=INSET, top=15.4 + height, room=room, size=8.5, css="grey")
        figure = fit_text(table.name, "name", TABLE_ROOM, 54, 12, 3, 16)
        line = figure.size * 1.1 * POINT if len(figure.lines) > 1 else 18
        name = break_lines(figure.lines)
        slip.add("p", name, right=INSET, top=6.4, size=figure.size, line=line, css="nm8 right")
        slip.add("p", pgettext("furniture", "Table"), right=INSET, top=24.2, size=8.5, line=4, css="b")
        slip.draw_rule(30, 0.7)

    def _set_pairing(self, slip: "_Slip", table: GameTable) -> None:
        self._set_slip_head(slip, _("Round %(number)s") % {"number": self.round}, table)
        choices = [f"{BOX} {word}" for word in (_("Attacker"), _("Defender"), _("First turn"))]
        for top, seat in zip((35.0, 69.0), table.seats, strict=True):
            sign = find_sign(seat.emblem)
            left = INSET + 15.0 if sign else INSET
            if sign:
                slip.add("p", sign, left=INSET, top=top, size=12 / POINT, line=12, css="em")
            room = slip.width - left - INSET
            below = top + slip.add_name(seat, left=left, top=top - 0.4, room=room, largest=17, least=12)
            army = " · ".join(filter(None, (seat.faction, seat.list_name)))
            below += slip.add_text(army, left=left, top=below, room=room, size=9)
            facts = (_("%(points)s points") % {"points": seat.points} if seat.points else "", seat.code)
            slip.add("p", " · ".join(filter(None, facts)), left=left, top=below, size=9, line=3.9)
            slip.add("p", "\N{EN SPACE}\N{EN SPACE}".join(choices), left=INSET, top=top + 19.8, size=10, line=5)
        slip.draw_rule(64.2, 0.2)
        slip.draw_rule(98.5, 0.3)
        slip.add("p", _("Before you start"), left=INSET, top=101.5, size=9, line=4, css="b")
        steps = (
            _("Show each other the first page of your list."),
            _("Compare the code above with the list’s foot."),
            _("Ask a judge about what was not checked."),
        )
        room = slip.width - 2 * INSET - 28
        for number, step in enumerate(steps):
            text = fit_text(f"{BOX} {step}", "text", room, 9, LEAST_TEXT, 2)
            line = 4.0 / len(text.lines)
            slip.add("p", break_lines(text.lines), left=INSET, top=106.5 + number * 5, size=text.size, line=line)
        after = _("Afterwards one of you reports the score, with the code or on the result slip.")
        slip.add("p", after, left=INSET, top=125, size=9, line=4, width=room)
        slip.add_code(table, top=103, size=24, note=_("this table, both lists, the score"))

    def _set_result(self, slip: "_Slip", table: GameTable) -> None:
        self._set_slip_head(slip, _("Result, round %(number)s") % {"number": self.round}, table)
        boxes = ((_("Objectives"), 22.0), (_("Bonus"), 17.0), (_("Total"), 22.0))
        marks = (_("won"), _("drew"), _("conceded"))
        for top, seat in zip((34.0, 71.0), table.seats, strict=True):
            slip.add_name(seat, left=INSET, top=top, room=slip.width - 2 * INSET, largest=15, least=11)
            left = INSET
            for number, (label, width) in enumerate(boxes):
                slip.add("p", label, left=left, top=top + 13, size=8.5, line=3.6, css="b")
                slip.draw_box(left, top + 17, width, 12, is_thick=number == len(boxes) - 1)
                left += width + 3.0
            for number, mark in enumerate(marks):
                slip.add("p", f"{BOX} {mark}", left=left + 1.0, top=top + 15.4 + number * 5, size=9.4, line=4.6)
        slip.draw_rule(67.6, 0.2)
        slip.draw_rule(105.5, 0.3)
        agreed = _("We agree on this result.")
        size = fit_text(agreed, "semi", slip.width - 2 * INSET, 9, 7).size
        slip.add("p", agreed, left=INSET, top=107.6, size=size, line=4, css="b")
        for number, seat in enumerate(table.seats):
            top, width = 123.0 + number * 13, 58.0
            slip.draw_rule(top, 0.25, right=slip.width - INSET - width)
            slip.add_text(seat.name, left=INSET, top=top + 0.8, room=width, size=7.5, css="grey")
        slip.add_code(table, top=110, size=22, note=_("or report it here"))

    def _set_seating(self) -> list[PaperPage]:
        look = self.look
        find, round_name = _("Find your table"), _("Round %(number)s") % {"number": self.round}
        replaced = _("A later round replaces this page.")
        seats = [(seat, table) for table in self.tables for seat in table.seats]
        seats.sort(key=lambda one: make_sort_key(one[0].name))
        room = look.height - BAND - BAND_GAP
        for measures in SEATING_ROWS:
            rows = int(room / measures[0])
            if len(seats) <= 2 * rows:
                # Even columns are easier to search than a full one and a short one.
                rows = -(-len(seats) // 2)
                break
        title = f"{find} · {round_name}"
        about = f"{self.event} · {self.about}" if self.about else self.event
        pages = []
        for start in range(0, len(seats), 2 * rows):
            pieces = [render_band(title, about, look)]
            for index, (seat, table) in enumerate(seats[start : start + 2 * rows]):
                column, row = divmod(index, rows)
                left = MARGIN + column * (look.measure_column(2) + 3.0)
                style = place(left=left, top=MARGIN + BAND + BAND_GAP + row * measures[0], width=look.measure_column(2))
                pieces.append(
                    tag("div", *_set_seat(seat, table, look.measure_column(2), measures), css="at", style=style)
                )
            players = ngettext("%d player", "%d players", len(seats)) % len(seats)
            pages.append(PaperPage(join(pieces), f"{players} · {replaced}"))
        # The code leads to the page of pairings.
        code = tag(
            "div", draw_qr_code(self.link, self.title), css="at qr pad", style=place(right=11.0, top=11.0, width=11.0)
        )
        return [PaperPage(join([page.content, code]), page.foot) for page in pages]

    def _set_tent(self, table: GameTable) -> PaperPage:
        """Set a page to fold in the middle: both sides are the same, each upright for its readers."""
        width, height = PAPERS[self.paper][0], PAPERS[self.paper][1] / 2
        figure_size = fit_text(table.name, "name", 126, 330, 24).size
        event = fit_text(self.event, "name", width - 156, 17, 17, 2)
        word = pgettext("furniture", "Table")
        texts = (
            ("p", word, place(left=12.0, top=10.0, size=20, line=8.0), "nm8"),
            ("p", table.name, place(left=8.0, top=14.0, width=128.0, size=figure_size, line=height - 28.0), "nm8 mid"),
            ("p", break_lines(event.lines), place(left=147.0, top=14.0, size=event.size, line=7.0), "nm8"),
            ("p", self.about, place(left=147.0, top=31.0, width=width - 156, size=10.5, line=4.8), ""),
        )
        pieces = [tag(name, text, css=f"at wrap {css}".strip(), style=style) for name, text, style, css in texts]
        pieces.append(tag("div", css="at line", style=place(left=140.0, top=14.0, width=0.4, height=height - 30.0)))
        code = draw_qr_code(self.link, f"{word} {table.name}")
        pieces.append(tag("div", code, css="at qr", style=place(left=152.0, top=58.0, width=38.0)))
        note = _("Pairings, lists and scores of the round")
        pieces.append(
            tag("p", note, css="at wrap mid b", style=place(left=147.0, top=99.0, width=48.0, size=10.5, line=4.6))
        )
        halves = [
            tag("div", *pieces, css="at turned", style=place(left=0.0, top=0.0, width=width, height=height)),
            tag("div", *pieces, css="at", style=place(left=0.0, top=height, width=width, height=height)),
        ]
        folds = [
            tag("div", css="at line", style=style)
            for style in (
                place(left=0.0, top=height, width=6.0, height=0.1),
                place(right=0.0, top=height, width=6.0, height=0.1),
            )
        ]
        return PaperPage(join([*halves, *folds]))

    def _set_checklist(self) -> list[PaperPage]:
        look = self.look
        room = look.height - BAND - BAND_GAP
        widths = [share * (look.width - 2 * CHECKLIST_BOX) for share in CHECKLIST_SHARES]
        lead = (
            _("The program checked points, limits and options of these lists. It identifies printouts by their code:"),
            _(
                "if the code at the foot of a printout differs, the list has changed since. Scan the code here to "
                "check one."
            ),
            _("Tick what you have checked by hand."),
        )
        code = 16.0
        lead_lines = count_lines([TextRun(" ".join(lead), "text", CHECKLIST_SIZE)], look.width - code - 4)
        lead_height = max(code, lead_lines * CHECKLIST_LINE) + 3.0
        qr = tag("div", draw_qr_code(self.link, self.title), css="at qr", style=place(right=MARGIN, width=code))
        intro = tag(
            "div",
            qr,
            tag("p", " ".join(lead), style=f"margin-right:{mm(code + 4)}"),
            css="wrap",
            style=f"height:{mm(lead_height)}",
        )
        heads = (
            (pgettext("furniture", "Table"), widths[0]),
            (_("Player"), widths[1]),
            (_("Faction, points"), widths[2]),
            (_("Code"), widths[3]),
            (_("Not checked in this list"), widths[4]),
            (_("Models"), CHECKLIST_BOX),
            (_("Judge"), CHECKLIST_BOX),
        )
        head = tag("tr", *(tag("th", label, css=choose_width_class(width)) for label, width in heads))
        pages: list[list[SafeString]] = [[head]]
        left = room - lead_height - 6.0
        for check in self.checks:
            row, height = _set_check(check, widths)
            if height > left and len(pages[-1]) > 1:
                pages.append([head])
                left = room - 6.0
            pages[-1].append(row)
            left -= height
        lists = ngettext("%d list", "%d lists", len(self.checks)) % len(self.checks)
        band = render_band(name_handout(self.kind), f"{self.event} · {self.about} · {lists}", look)
        filled = []
        for number, rows in enumerate(pages):
            table = tag("table", *rows, css="ct small")
            filled.append(PaperPage(join([band, table] if number else [band, intro, table]), _("Sorted by name")))
        return filled


def name_handout(kind: Handout) -> str:
    names = {
        Handout.PAIRINGS: _("Pairing slips"),
        Handout.RESULTS: _("Result slips"),
        Handout.SEATING: _("Seating by name"),
        Handout.TENTS: _("Table tents"),
        Handout.CHECKLIST: _("Judges’ checklist"),
    }
    return names[kind]


class _Slip:
    """A slip's elements. On shorter paper, `scale` reduces distances from its upper edge."""

    def __init__(self, width: float, scale: float) -> None:
        self.width = width
        self.scale = scale
        self.pieces: list[SafeString] = []

    def add(
        self, element: str, text: str, *, top: float, size: float, line: float, css: str = "", **places: float
    ) -> None:
        style = place(top=top * self.scale, size=size, line=line, **places)  # type: ignore[arg-type]  # only lengths
        classes = " ".join(filter(None, ("at", "wrap" if "width" in places else "", css)))
        self.pieces.append(tag(element, text, css=classes, style=style))

    def add_name(self, seat: EventSeat, *, left: float, top: float, room: float, largest: float, least: float) -> float:
        name = f"{seat.name} ({seat.team})" if seat.team else seat.name
        fitted = fit_text(name, "name", room, largest, least, 2, least + 1)
        rows = len(fitted.lines)
        line = fitted.size * 1.02 * POINT if rows > 1 else largest * 1.1 * POINT
        self.add("h2", break_lines(fitted.lines), left=left, top=top, size=fitted.size, line=line)
        return max(rows * line + 0.8, 7.0) if rows > 1 else line + 0.6

    def add_text(self, text: str, *, left: float, top: float, room: float, size: float, css: str = "") -> float:
        """Add a whole text, on one line, or smaller on two. Returns its height."""
        fitted = fit_text(text, "text", room, size, LEAST_TEXT, 2)
        rows = len(fitted.lines)
        line = fitted.size * 1.1 * POINT if rows > 1 else size * 1.25 * POINT
        self.add("p", break_lines(fitted.lines), left=left, top=top, size=fitted.size, line=line, css=css)
        return rows * line + (0.4 if rows > 1 else 0.0)

    def add_code(self, table: GameTable, *, top: float, size: float, note: str) -> None:
        word = pgettext("furniture", "Table")
        code = draw_qr_code(table.link, f"{word} {table.name}")
        style = place(right=INSET, top=top * self.scale, width=size)
        self.pieces.append(tag("div", code, css="at qr", style=style))
        below = place(right=INSET - 5, top=top * self.scale + size + 0.8, width=size + 10, size=7, line=3)
        self.pieces.append(tag("p", note, css="at wrap mid grey", style=below))

    def draw_rule(self, top: float, height: float, *, right: float = INSET) -> None:
        style = place(left=INSET, right=right, top=top * self.scale, height=height)
        self.pieces.append(tag("div", css="at line", style=style))

    def draw_box(self, left: float, top: float, width: float, height: float, *, is_thick: bool) -> None:
        style = place(left=left, top=top * self.scale, width=width, height=height)
        self.pieces.append(tag("div", css="at box thick" if is_thick else "at box", style=style))


SlipSetter = Callable[[_Slip, GameTable], None]


def _draw_cuts(width: float, height: float) -> SafeString:
    down = [(width, 0.0), (width, height - CUT / 2), (width, 2 * height - CUT)]
    across = [(0.0, height), (width - CUT / 2, height), (2 * width - CUT, height)]
    marks = [place(left=left, top=top, width=0.1, height=CUT) for left, top in down]
    marks += [place(left=left, top=top, width=CUT, height=0.1) for left, top in across]
    return join([tag("div", css="at line", style=style) for style in marks])


def _set_seat(seat: EventSeat, table: GameTable, width: float, measures: tuple[float, ...]) -> Iterator[SafeString]:
    height, largest, figure_size, small = measures
    left = SEATING_TABLE + 3.0
    figure_size = fit_text(table.name, "name", SEATING_TABLE, figure_size, 7).size
    rest = height - 2.0
    # The opponent may use two lines below a name on one line. The name may then use two lines of the remaining height.
    two_lines = (rest - largest * 1.1 * POINT) / 2.4 / POINT
    against = fit_text(name_opponent(table, seat), "text", width - left, small, 5.5, 2, min(5.5, two_lines))
    rows = len(against.lines)
    below = (against.size if rows > 1 else small) * 1.2 * POINT
    two_lines = (rest - rows * below) / 2.1 / POINT
    name = fit_text(seat.name, "name", width - left, largest, largest - 4, 2, min(largest - 2, two_lines))
    name_line = name.size * 1.02 * POINT if len(name.lines) > 1 else largest * 1.1 * POINT
    table_style = place(left=0.0, top=0.0, width=SEATING_TABLE, size=figure_size, line=rest)
    name_style = place(left=left, top=0.2, size=name.size, line=name_line)
    below_style = place(left=left, top=0.4 + len(name.lines) * name_line, size=against.size, line=below)
    yield tag("p", table.name, css="at nm8 right", style=table_style)
    yield tag("h2", break_lines(name.lines), css="at", style=name_style)
    yield tag("p", break_lines(against.lines), css="at grey", style=below_style)
    yield tag("div", css="at thin", style=place(left=0.0, right=0.0, top=rest, height=0.15))


def _set_check(check: ListToCheck, widths: Sequence[float]) -> tuple[SafeString, float]:
    seat = check.seat
    notes = [f"{BOX} {note}" for note in check.open_notes]
    lines: list[list[str]] = [
        [check.table],
        [seat.name, *([] if check.is_legal else [check.verdict])],
        [seat.faction, _("%(points)s points") % {"points": seat.points} if seat.points else ""],
        [seat.code],
        notes,
    ]
    counted = [_count_all(texts, width - 2.0) for texts, width in zip(lines, widths, strict=True)]
    height = max(1, *counted) * CHECKLIST_LINE + 1.8
    cells = [
        tag(
            "td",
            *(tag("p", text, css="b" if column in (0, 1) and not number else "") for number, text in enumerate(texts)),
        )
        for column, texts in enumerate(lines)
    ]
    boxes = [tag("td", BOX), tag("td", BOX)]
    return tag("tr", *cells, *boxes, style=f"height:{mm(height)}"), height


def _count_all(texts: Iterable[str], width: float) -> int:
    return sum(count_lines([TextRun(text, "semi", CHECKLIST_SIZE)], width) for text in texts if text)
