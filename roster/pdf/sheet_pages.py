"""Set a list on as few readable pages as possible: the opponent's copy, then a block for each unit.

Heights are computed, so that the number of pages is known before layout.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from html import escape
from itertools import chain

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from roster.engine.report import Verdict
from roster.pdf.common_rules import SHARED_BY
from roster.pdf.datasheet_parts import (
    build_ability_parts,
    build_ability_runs,
    build_boxes,
    build_keyword_part,
    build_last_parts,
    build_line_parts,
    build_profile_parts,
    build_store_parts,
    build_weapon_parts,
)
from roster.pdf.datasheets import NOTHING, SHIELDS, name_weapons
from roster.pdf.flow import (
    FittedRow,
    Paragraph,
    Part,
    RowTable,
    Solid,
    fill_faces,
    format_notes,
    read_text,
    render_runs,
    sum_heights,
)
from roster.pdf.imposition.set_face import list_letters
from roster.pdf.markup import choose_width_class, join, mm, tag
from roster.pdf.pages import GAP, BandSpan, Group, PageLook, PaperPage, fill_columns, format_foot, render_columns
from roster.pdf.paper_text import end_sentence, format_count
from roster.pdf.pocket import build_pocket_page
from roster.pdf.qr import draw_qr_code
from roster.pdf.redact import redact_sheet
from roster.pdf.render import PHOTO
from roster.pdf.shapes import Datasheet, DeckList, ForceBlock, ListSheet, SheetPhoto, UnitLine
from roster.pdf.sheet_options import Ink, SheetOptions, Style
from roster.pdf.stock import LEADING, make_block_stock
from roster.pdf.turn_pages import build_turn_pages
from roster.pdf.type.measure import POINT, TextRun, count_lines, fit_text, measure_width
from roster.pdf.type.signs import PHASES, find_phase_mark, find_sign
from roster.wording import cards as words
from roster.wording import get_verdict_word

HEAD, HEAD_GAP = 27.0, 2.0
COLUMNS = 2
SHARED_ON_FRONT = 40.0
"""Millimetres of shared rules on the first page; longer rules follow the blocks."""
LEAST_ROOM = 45.0
"""Millimetres of the first page that must be left for blocks to start there."""
NEARLY_EMPTY = 0.25
"""If less of the last page is used, smaller type is tried."""
RELIEF = (0.95, 0.9, 0.85, 0.8, 0.7, 0.6, 0.5)
"""Shares of the page before a nearly empty one to fill instead."""
ENOUGH = 0.3
"""The least used share of a last page."""
LEDGER_LINE, LEDGER_HEAD = 0.43, 16.0
"""The height of a line in millimetres per point; the most room that heads above a row take."""
NO_COST = ("", "0", NOTHING)
SLOT, POINTS, FIGURE, WIDE_FIGURE, WIDEST_FIGURE, FIGURE_AIR = 21.0, 15.0, 7.6, 9.6, 14.0, 1.2
"""Millimetres in the opponent's copy."""
LIST_PHOTO, UNIT_PHOTO = 60.0, 30.0
"""The greatest height of a photo in millimetres."""
VERDICT_SIGNS = {Verdict.LEGAL: "✓", Verdict.INCOMPLETE: "◔", Verdict.ILLEGAL: "✕"}
_SMALL = 7.0
NAME_SIZES, WHAT_SIZES = (11.5, 8.5), (7, 5.5)
"""The largest and smallest type of a block's name, and of the description beside it, in points."""
WHAT_SHARE = 0.6
BLOCK_HEAD, BLOCK_HEAD_LINE = 5.2, 3.2
"""Millimetres of the band above a block, and of each further line."""
SHORT_FIGURES = {
    "Movement": "Mv",
    "Strength": "S",
    "Defense": "D",
    "Defence": "D",
    "Courage": "C",
    "Toughness": "T",
    "Attacks": "A",
    "Leadership": "Ld",
}
FRAME, SEAM_LINES, SEAM_AIR, SEAM_LEADING = 0.5, 0.5, 3.2, 1.3
"""Millimetres of the line around joined units, then of a seam: its lines, its sides; the leading of its type."""
SEAM = "\N{RIGHTWARDS ARROW}"
REMINDER = 140
"""Up to this many characters, a rule shares a paragraph with others."""


@dataclass(frozen=True, slots=True)
class Fit:
    """One way to set a sheet; `block`, `ledger` and `shared` are type sizes in points.

    `air` is in millimetres per ledger row. A `brief` sheet leaves out rules and, without `options`, equipment.
    """

    block: float
    ledger: float = 8.4
    leading: float = LEADING
    air: float = 1.6
    brief: bool = False
    options: bool = True
    shared: float = 8.0


FITS = (
    *(Fit(size, shared=min(size, 8.0)) for size in (8.4, 8.2, 8.0, 7.8, 7.6, 7.4, 7.2, 7.0)),
    Fit(7.0, 8.0, 1.12, shared=6.5),
    Fit(7.0, 7.6, 1.08, shared=6.5),
    Fit(6.5, 7.0, 1.08, air=0.6, shared=6.5),
    Fit(6.5, 7.0, 1.08, air=0.6, shared=6.5, options=False),
)
"""The best first; those after USUAL_FITS are only used to save a page."""
USUAL_FITS = 8
USUAL_PAGES = 3
"""Longer sheets are set more tightly if that saves a page."""
SUMMARY_FITS = (
    *(Fit(size, size) for size in (9.0, 8.4, 8.0, 7.6)),
    *(Fit(size, size, brief=True) for size in (8.4, 7.6, 7.0)),
    *(Fit(size, size, air=0.6, brief=True) for size in (7.0, 6.5, 6.0)),
    *(Fit(size, size, air=0.6, brief=True, options=False) for size in (7.0, 6.5, 6.0)),
)


def build_sheet_pages(sheet: ListSheet, options: SheetOptions, look: PageLook) -> list[PaperPage]:
    match options.style:
        case Style.VEILED:
            return _SheetSetter(redact_sheet(sheet), look, FITS[0]).set_copy()
        case Style.OPPONENT:
            return _SheetSetter(sheet, look, FITS[0]).set_copy()
        case Style.SUMMARY:
            pages: list[PaperPage] = []
            for fit in SUMMARY_FITS:
                pages = _SheetSetter(sheet, look, fit).set_copy()
                if len(pages) == 1:
                    break
            return pages
        case Style.TURNS:
            return build_turn_pages(sheet, look)
        case Style.POCKET:
            return [build_pocket_page(sheet, look)]
    return _choose_pages(sheet, look)


def make_look(sheet: ListSheet, options: SheetOptions) -> PageLook:
    return PageLook(paper=options.paper, identity=sheet.imprint.identity, saves_ink=options.ink is Ink.SAVER)


def _choose_pages(sheet: ListSheet, look: PageLook) -> list[PaperPage]:
    chosen = _choose_setter(sheet, look)
    if any(unit.seam for unit in sheet.datasheets):
        # Frames that hold units together are not worth a further page.
        apart = replace(sheet, datasheets=tuple(replace(unit, seam="") for unit in sheet.datasheets))
        loose = _choose_setter(apart, look)
        if loose.count_pages()[0] < chosen.count_pages()[0]:
            chosen = loose
    return chosen.set_all()


def _choose_setter(sheet: ListSheet, look: PageLook) -> "_SheetSetter":
    fewest = _SheetSetter(sheet, look, FITS[USUAL_FITS - 1])
    count, last = fewest.count_pages()

    # Type this tight is only worth it if it saves a whole page.
    if count > USUAL_PAGES or (count > 1 and last < NEARLY_EMPTY):
        for fit in FITS[USUAL_FITS:]:
            tighter = _SheetSetter(sheet, look, fit)
            if tighter.count_pages()[0] < count:
                return tighter

    low, high, best = 0, USUAL_FITS - 1, fewest
    while low < high:
        middle = (low + high) // 2
        setter = _SheetSetter(sheet, look, FITS[middle])
        # These fits differ only in their blocks.
        setter.fronts = fewest.fronts
        if setter.count_pages()[0] <= count:
            high, best = middle, setter
        else:
            low = middle + 1
    return best


def _build_photo(photo: SheetPhoto, name: str, room: float, most: float) -> Solid:
    height = min(most, room * photo.height / photo.width)
    width = height * photo.width / photo.height
    style = f"display:block;width:{mm(width)};height:{mm(height)};margin-left:{mm((room - width) / 2)}"
    about = words.format_photo(name)
    return Solid(height, SafeString(f'<img style="{style}" src="{PHOTO}:{photo.key}" alt="{escape(about)}">'), 1.0)


class _SheetSetter:
    def __init__(self, sheet: ListSheet, look: PageLook, fit: Fit) -> None:
        self.sheet, self.look, self.fit = sheet, look, fit
        counts = Counter(chain.from_iterable(unit.abilities for unit in sheet.datasheets))
        self.shared = [] if fit.brief else [ability for ability, count in counts.items() if count >= SHARED_BY]
        self.common = () if fit.brief else sheet.common

    @cached_property
    def fronts(self) -> list[list[Part]]:
        return self._fill_front(self._list_front())

    def set_copy(self) -> list[PaperPage]:
        fronts = self._fill_front([*self._list_front(), *self._list_end(self.look.width)])
        columns, starts = self._arrange(fronts, self._shared_after)
        return self._set_pages(fronts, columns, starts=starts)

    def set_all(self) -> list[PaperPage]:
        fronts = self.fronts
        columns, starts = self._arrangement
        height = self.look.height

        # A nearly empty last page of blocks takes some of the page before it.
        first = height - sum_heights(fronts[-1]) - GAP if starts else height
        rooms = [first, *[height] * (len(columns) - 1)]
        for share in RELIEF if len(columns) > 1 else ():
            if _measure_page(columns[-1]) >= ENOUGH * height:
                break
            fewer = fill_columns(self._blocks, [*rooms[:-2], share * rooms[-2], height], COLUMNS)
            # Skip splits that need a further page.
            if len(fewer) == len(columns):
                columns = fewer
        return self._set_pages(fronts, columns, starts=starts)

    def _set_pages(
        self, fronts: Sequence[Sequence[Part]], columns: Sequence[Sequence[Sequence[Part]]], *, starts: bool
    ) -> list[PaperPage]:
        pages = list(map(_render_all, fronts))
        for number, page in enumerate(columns):
            body = render_columns(page, self.look, COLUMNS)
            if number == 0 and starts:
                pages[-1] = join([pages[-1], body])
            elif any(page):
                pages.append(body)
        return list(map(self._make_page, pages))

    def count_pages(self) -> tuple[int, float]:
        """Return the number of pages, and the used share of the last page."""
        columns, starts = self._arrangement
        used = list(map(sum_heights, self.fronts))
        heights = list(map(_measure_page, columns))
        # The first blocks are on the last page of the copy.
        if starts and heights:
            used[-1] += heights.pop(0)
        used += filter(None, heights)
        return len(used), used[-1] / self.look.height

    @cached_property
    def _arrangement(self) -> tuple[list[list[list[Part]]], bool]:
        return self._arrange(self.fronts, self._blocks)

    def _arrange(self, fronts: Sequence[Sequence[Part]], parts: Sequence[Part]) -> tuple[list[list[list[Part]]], bool]:
        """Return the columns of `parts` by page, and whether they start on the last front page."""
        if not parts:
            return [], False
        left = self.look.height - sum_heights(fronts[-1]) - GAP
        starts = left > LEAST_ROOM
        rooms = [left, self.look.height] if starts else [self.look.height]
        return fill_columns(parts, rooms, COLUMNS), starts

    def _fill_front(self, parts: Sequence[Part]) -> list[list[Part]]:
        return fill_faces(parts, self.look.height, self.look.height)

    def _make_page(self, content: SafeString) -> PaperPage:
        return PaperPage(content, format_foot(self.sheet))

    # The opponent's copy.

    def _list_front(self) -> list[Part]:
        parts: list[Part] = [self._build_head()]
        if "" in self._photos:
            parts.append(_build_photo(self._photos[""], self.sheet.title, self.look.width, LIST_PHOTO))
        parts += self._list_verdict()

        with_lines = [block for block in self.sheet.blocks if block.lines]
        for block in self.sheet.blocks:
            parts.append(self._build_ledger(block, is_first=block in with_lines[:1]))
            if block.settings:
                parts.append(self._write((TextRun(" · ".join(block.settings), "text", 8.0),), 0.8))
            if block.notes:
                parts.append(self._write((TextRun(format_notes(block.notes), "semi", 8.0),), 0.8))

        if not self.sheet.blocks:
            parts.append(self._write((TextRun(_("Nothing has been taken yet."), "text", 9.0),), 2.0))
        if not self.fit.options:
            text = _("Options are left out here to keep to one page; the full sheet has them.")
            if not self.fit.brief:
                text = _("Options are left out here to save a page; the units below have them.")
            parts.append(self._write((TextRun(text, "text", _SMALL),), 0.8))

        if self._shared_rules and not self._shared_after:
            parts.append(self._build_shared())
        if not self.fit.brief and any(self._phases):
            parts.append(self._build_legend())
        return parts

    @cached_property
    def _photos(self) -> dict[str, SheetPhoto]:
        return {photo.unit: photo for photo in self.sheet.photos}

    @cached_property
    def _phases(self) -> set[str]:
        return {ability.phase for unit in self.sheet.datasheets for ability in unit.abilities}

    def _write(self, runs: Sequence[TextRun], gap: float, css: str = "") -> Paragraph:
        size = max(run.size for run in runs)
        return Paragraph(tuple(runs), self.look.width, size, 1.22, css, gap)

    def _build_head(self) -> Solid:
        sheet, imprint, look = self.sheet, self.sheet.imprint, self.look
        has_code = bool(imprint.link)
        right = 27.0 if has_code else 4.0
        sign = find_sign(imprint.identity.emblem)
        left = 27.0 if sign else 4.0
        total, limit = "", ""
        if sheet.amounts:
            amount = sheet.amounts[0]
            total = amount.value
            limit = f" / {amount.limit} {amount.name}" if amount.limit else f" {amount.name}"
        total_width = measure_width(total, "name", 24) + measure_width(limit, "name", 11) + 3.0
        rules = _("house rules") if sheet.homebrew else ""
        verdict = f"{VERDICT_SIGNS[sheet.verdict]} {get_verdict_word(sheet.verdict, rules)}"
        room = look.width - left - right - max(total_width, measure_width(verdict, "bold", 11) + 2.0)
        span = BandSpan(left, room)
        game = " · ".join(filter(None, (sheet.factions, imprint.game, imprint.version)))
        who = " · ".join(filter(None, (imprint.player, imprint.event)))
        # Without a player there is a line to write a name on.
        player = who or _("Player") + " ______________________"
        pieces = [tag("p", sign, css="em")] if sign else []
        pieces += [
            span.render("h1", sheet.title, "name", (22, 12), 8.8),
            span.render("p", game, "semi", (8.5, 6.5), 4.8, "sub"),
            span.render("p", player, "text", (8.5, 6.5), 6.0, "who"),
            tag("p", total, tag("small", limit), css="tot", style=f"right:{mm(right)};color:{look.light}"),
            tag("p", verdict, css="ver", style=f"right:{mm(right)}"),
        ]
        if has_code:
            pieces.append(tag("div", draw_qr_code(imprint.link, sheet.title), css="qr"))
        return Solid(HEAD, tag("div", *pieces, css="hd", style=look.fill), HEAD_GAP)

    def _list_verdict(self) -> Iterator[Part]:
        sheet = self.sheet
        numbers = [f"{name} {value}".rstrip() + (f" ({why})" if why else "") for name, value, why in sheet.facts]
        for amount in sheet.amounts[1:]:
            limit = f" / {amount.limit}" if amount.limit else ""
            numbers.append(f"{amount.value}{limit} {amount.name}")
        numbers.append(words.format_units(sheet.units))
        if models := sum(unit.models * unit.count for unit in sheet.datasheets):
            numbers.append(words.format_models(models))
        yield self._write((TextRun(" · ".join(numbers), "semi", 9.0),), 1.6, "facts")

        for number, problem in enumerate((*sheet.problems, *sheet.remarks), 1):
            is_error = problem.severity == "error"
            headline = problem.located_headline
            name = f"{'✕' if is_error else '!'}{number} {headline}".strip()
            runs = [
                TextRun(f"{end_sentence(name)} " if headline else f"{name} ", "bold", 8.0),
                TextRun(problem.explanation, "text", 8.0),
            ]
            if problem.citation:
                runs.append(TextRun(f" {problem.citation}", "text", _SMALL))
            yield self._write(runs, 0.6, "wrong" if is_error else "")

        if sheet.unchecked:
            texts = [(note.mark, note.text.rstrip("."), note.citation) for note in sheet.unchecked]
            notes = "; ".join(" ".join(filter(None, pieces)) for pieces in texts)
            yield self._write((TextRun(_("Not checked:"), "bold", _SMALL), TextRun(f" {notes}.", "text", _SMALL)), 1.4)
        if sheet.notes:
            yield self._write((TextRun(format_notes(sheet.notes), "semi", 8.0),), 1.4)

    @cached_property
    def _costs(self) -> list[tuple[int, str]]:
        blocks = self.sheet.blocks
        names = dict(enumerate(cost.name for cost in blocks[0].costs)) if blocks else {}
        lines = [line for block in blocks for line in block.lines]
        return [
            (number, name)
            for number, name in names.items()
            if not number or any(line.costs[number] not in NO_COST for line in lines)
        ]

    def _build_ledger(self, block: ForceBlock, *, is_first: bool) -> RowTable:
        heads = _choose_heads(self.sheet.datasheets)
        widths = []
        for head in heads:
            figure = FIGURE * min(1.0, self.fit.ledger / FITS[0].ledger)
            least = WIDE_FIGURE if head in ("M", "W", "SP", "MV") else figure
            figures = (_find_figure(head, datasheet) for datasheet in self.sheet.datasheets)
            need = max((measure_width(figure, "bold", self.fit.ledger) for figure in figures), default=0.0)
            widths.append(min(max(least, need + FIGURE_AIR), WIDEST_FIGURE))
        # The first cost, which the game counts by, has the larger type.
        costs = [
            max(12.0 if number else POINTS, measure_width(name, "semi", _SMALL) + 2.0) for number, name in self._costs
        ]
        # Names and options get at least a quarter of the width; the figures of a game with many columns may break.
        most = (self.look.width - SLOT - sum(costs)) * 0.75
        if sum(widths) > most:
            widths = [width * most / sum(widths) for width in widths]
        room = self.look.width - SLOT - sum(widths) - sum(costs)
        line = 5.2
        columns_wide = f'colspan="{2 + len(heads) + len(costs)}"'
        beside, below = self._list_tallies(block)
        name = SafeString(self._name_force(block, beside).replace("<th", f"<th {columns_wide}", 1))
        cells = _build_heads(("", ""), (SLOT, room), "l ")
        cells += _build_heads(
            [_shorten_head(head, width) for head, width in zip(heads, widths, strict=True)], widths, ""
        )
        cells += _build_heads([name for _number, name in self._costs], costs, "r ")
        force = tag("tr", name, style=f"border-color:{self.look.dark};line-height:{mm(line)}")
        head = join([tag("tr", *cells, style=f"font-size:{_SMALL:g}pt;line-height:3mm"), force])
        rows = []
        if below:
            cell = SafeString(tag("td", below, css="un").replace("<td", f"<td {columns_wide}", 1))
            lines = count_lines((TextRun(below, "text", _SMALL),), self.look.width - 2.0)
            style = f"font-size:{_SMALL:g}pt;line-height:3mm"
            rows.append(FittedRow(lines * 3.0 + 1.6, tag("tr", cell, style=style)))
        last = ""
        for unit in block.lines:
            label = _("Add-on") if unit.host and not unit.type else unit.type
            # Write each type only where it begins, and again after an add-on.
            rows += self._build_line(unit, label if label != last else "", heads, widths, room)
            last = label
        # Without the header row, `col` elements set the widths.
        columns = [tag("col", css=choose_width_class(width)) for width in (SLOT, room, *widths, *costs)]
        opening = None if is_first else FittedRow(line + 0.5, join([*columns, force]))
        return RowTable(3.2 + line + 0.5, head, tuple(rows), "led", 2.4, opening=opening)

    def _list_tallies(self, block: ForceBlock) -> tuple[str, str]:
        """Return a detachment's counts as text next to its name and text below it; one of them is ""."""
        names = [words.format_tally(tally.count, tally.name) for tally in block.tallies]
        title = " · ".join(filter(None, (block.kind, *names)))
        costs = self._format_costs(block)
        room = self.look.width - measure_width(block.name, "name", 11) - measure_width(costs, "name", 9) - 4.0
        return (title, "") if measure_width(title, "text", _SMALL) <= room else ("", title)

    def _format_costs(self, block: ForceBlock) -> str:
        return " · ".join(f"{cost.value} {cost.name}" for cost in block.costs if cost.value not in NO_COST)

    def _name_force(self, block: ForceBlock, tallies: str) -> SafeString:
        problems = [tag("b", f" ✕{number}") for number in block.problems]
        costs = tag("span", self._format_costs(block))
        return tag("th", block.name, *problems, tag("small", f" {tallies}"), costs, css="force")

    def _build_line(
        self, line: UnitLine, label: str, heads: Sequence[str], widths: Sequence[float], room: float
    ) -> list[FittedRow]:
        """Build a unit's rows; several if its text is higher than a page."""
        size = self.fit.ledger
        datasheet = next((datasheet for datasheet in self.sheet.datasheets if datasheet.name == line.name), None)
        text = Paragraph(
            tuple(_describe_line(line, datasheet, size, carries=self.fit.options)),
            room - 2.0,
            size,
            LEDGER_LINE / POINT,
        )
        most = self.look.height - LEDGER_HEAD
        first, *others = [text]
        if text.height > most:
            first, *others = [part for (part,) in fill_faces([text], most, most) if isinstance(part, Paragraph)]
        # The cost of each of several units needs a second line.
        counts = [first.lines, count_lines((TextRun(label, "text", size),), SLOT), 2 if line.cost_each else 1]
        for head, width in zip(heads, widths, strict=True):
            counts.append(count_lines((TextRun(_find_figure(head, datasheet), "bold", size),), width))
        figures = [_build_figure(head, datasheet) for head in heads]
        for number, _name in self._costs:
            per_unit = words.format_each(line.cost_each) if line.cost_each and not number else ""
            figures.append(tag("td", line.costs[number], tag("small", f" {per_unit}") if per_unit else "", css="pt"))

        classes = ["wrong"] if line.problems else []
        if self.fit.air < 1.0:
            classes.append("tight")
        height = size * LEDGER_LINE
        style = f"font-size:{size:g}pt;line-height:{mm(height)}"
        blank = [tag("td", "")] * len(figures)
        return [
            FittedRow(
                lines * height + self.fit.air,
                tag(
                    "tr",
                    tag("td", label if part is first else "", css="sl"),
                    tag("td", *render_runs(part.runs, size), css="un"),
                    *(figures if part is first else blank),
                    css=" ".join(classes),
                    style=style,
                ),
            )
            for part, lines in [(first, max(counts)), *((part, part.lines) for part in others)]
        ]

    @cached_property
    def _shared_rules(self) -> list[Part]:
        width = self.look.measure_column(COLUMNS)
        parts: list[Part] = []
        for ability in (*self.shared, *self.common):
            parts += build_ability_parts(ability, self.fit.shared, width, 0.6, self.fit.leading, flows=True)
        return parts

    @property
    def _shared_after(self) -> list[Part]:
        if sum_heights(self._shared_rules) / COLUMNS <= SHARED_ON_FRONT:
            return []
        return [Group(self._build_shared_heading(), tuple(self._shared_rules), flows=True)]

    def _build_shared_heading(self) -> Solid:
        return Solid(5.0, tag("h2", words.get_label("shared rules"), css="sh"), 1.0)

    def _build_shared(self) -> Group:
        parts = self._shared_rules
        # The left column is a little longer, with a millimetre of tolerance for rounding.
        half = sum_heights(parts) / 2 + 1.0
        left, right = list(parts), list[Part]()
        while left and sum_heights(right) + left[-1].height <= half:
            right.insert(0, left.pop())
        height = max(sum_heights(left), sum_heights(right))
        columns = render_columns([left, right], self.look, COLUMNS)
        return Group(self._build_shared_heading(), (Solid(height, columns),), 2.4)

    def _build_legend(self) -> Paragraph:
        runs: list[TextRun] = []
        for phase in PHASES:
            if phase in self._phases:
                runs += [
                    TextRun(find_phase_mark(phase), "signs", _SMALL),
                    TextRun(f" {words.get_phase(phase)}   ", "text", _SMALL),
                ]
        return self._write(runs, 1.6)

    # The columns after it.

    @cached_property
    def _blocks(self) -> list[Part]:
        width = self.look.measure_column(COLUMNS)
        # A choice for the whole army has no text and no wounds: the first page names it.
        units = [unit for unit in self.sheet.datasheets if unit.says_something or unit.models > 1]
        parts = self._build_blocks(units, width)
        if self.sheet.plan:
            lines = [(f"{line.sign} {line.label}".strip(), "; ".join(line.values)) for line in self.sheet.plan]
            parts.append(self._build_notes(_("Game plan"), lines, width))
        parts += [self._build_deck(deck, width) for deck in self.sheet.decks]
        parts += self._shared_after
        parts += self._list_end(width)
        return parts

    def _list_end(self, width: float) -> list[Part]:
        parts: list[Part] = []
        if self.sheet.reminders:
            rules = [(rule.name, " ".join(filter(None, (*rule.text, rule.citation)))) for rule in self.sheet.reminders]
            parts.append(self._build_notes(_("Keep in mind"), rules, width))
        small_print = []
        if self.sheet.sources:
            small_print.append((_("Sources") + " ", " · ".join(self.sheet.sources)))
        if self.sheet.imprint.notice:
            small_print.append(("", self.sheet.imprint.notice))
        for label, text in small_print:
            runs = (TextRun(label, "bold", 6.5), TextRun(text, "text", 6.5))
            parts.append(Paragraph(runs, width, 6.5, LEADING, "kw", 1.0))
        return parts

    def _build_notes(self, title: str, lines: Iterable[tuple[str, str]], width: float) -> Group:
        heading = Solid(5.0, tag("h2", title, css="sh"), 1.0)
        parts = [
            Paragraph(
                (TextRun(f"{end_sentence(label)} ", "bold", 8.0), *read_text(text, 8.0)), width, 8.0, LEADING, "", 0.6
            )
            for label, text in lines
        ]
        return Group(heading, tuple(parts), GAP)

    def _build_deck(self, deck: DeckList, width: float) -> RowTable:
        costs = 11.0
        room = width - costs * len(deck.columns)
        title = f"{deck.name} · {words.format_cards(deck.count)}"
        cells = [tag("th", title, css=f"l {choose_width_class(room)}")]
        cells += [tag("th", column, css=choose_width_class(costs)) for column in deck.columns]
        head = tag("tr", *cells, style="font-size:7pt;line-height:3.2mm")

        rows = []
        for line in deck.lines:
            runs = [TextRun(f"{line.count} × {line.name}", "bold", 8.0)]
            needs = words.format_needs(line.needs) if line.needs else ""
            more = " · ".join(filter(None, (line.kind, *line.keywords, needs, *line.text, line.notes)))
            if more:
                runs.append(TextRun(f"  {more}", "text", 7.5))
            figures = [tag("td", figure) for figure in line.figures]
            css = "wrong" if line.problems else ""
            style = "font-size:8pt;line-height:3.4mm"
            row = tag("tr", tag("td", *render_runs(runs, 8.0), css="nm"), *figures, css=css, style=style)
            rows.append(FittedRow(count_lines(runs, room - 1.0) * 3.4 + 0.7, row))
        return RowTable(3.5, head, tuple(rows), "wp deck", GAP)

    def _build_blocks(self, units: Sequence[Datasheet], width: float) -> list[Part]:
        """Put leaders into one frame with the unit that they joined."""
        parts: list[Part] = []
        together: list[Datasheet] = []
        for unit in units:
            together.append(unit)
            if not unit.seam:
                parts += self._frame_blocks(together, width) if len(together) > 1 else [self._build_block(unit, width)]
                together = []
        return parts

    def _frame_blocks(self, units: Sequence[Datasheet], width: float) -> list[Part]:
        inside = width - 2 * FRAME
        # The seam says who leads.
        names = tuple(unit.name for unit in units)
        first, *others = (replace(self._build_block(unit, inside, names), gap=0.0) for unit in units)
        parts: list[Part] = []
        for unit, block in zip(units, others, strict=False):
            parts += [self._build_seam(unit.seam, inside), block]
        frame = Group(first, tuple(parts), GAP, "pair", 2 * FRAME + SEAM_LINES * len(others), movable=True)
        if frame.height <= self.look.height:
            return [frame]
        return [self._build_block(unit, width) for unit in units]

    def _build_seam(self, text: str, width: float) -> Paragraph:
        return Paragraph((TextRun(f"{SEAM} {text}", "semi", 8.0),), width - SEAM_AIR, 8.0, SEAM_LEADING, "seam")

    def _build_block(self, unit: Datasheet, width: float, beside: tuple[str, ...] = ()) -> Group:
        size = self.fit.block
        stock, room = make_block_stock(size), width - 3.2
        # Of several equal units, the first photo stands for all.
        photos = [self._photos[unit_id] for unit_id in unit.ids if unit_id in self._photos]
        parts: list[Part] = [
            *(_build_photo(photo, unit.name, room, UNIT_PHOTO) for photo in photos[:1]),
            *build_profile_parts(unit, stock, room, 0.5),
            *build_store_parts(unit, stock, room, 0.6),
            *build_weapon_parts(unit, stock, size, room, 0.6),
            *build_line_parts(unit, size, room - 0.5, 0.4),
        ]

        unshared = [ability for ability in unit.abilities if ability not in self.shared]
        pieces: list[tuple[TextRun, ...]] = []
        # Short rules share one paragraph.
        if any(ability.timing or any(ability.action) or len(ability.text) > REMINDER for ability in unshared):
            for ability in unshared:
                parts += build_ability_parts(ability, size, room - 0.5, 0.5)
        else:
            pieces += [build_ability_runs(ability, size) for ability in unshared]
        shared = [ability.name for ability in unit.abilities if ability in self.shared]
        lists = (("shared", shared), ("in the book", unit.in_book), ("carries", unit.options))
        for key, names in lists:
            if names:
                label = TextRun(f"{words.get_label(key)}: ", "bold", size)
                pieces.append((label, TextRun(end_sentence(", ".join(names)), "text", size)))
        if remarks := unit.write_remarks(beside):
            pieces.append((TextRun(format_notes(remarks), "semi", size),))
        runs: list[TextRun] = []
        for piece in pieces:
            if runs:
                runs.append(TextRun("  ", "text", size))
            runs += piece
        if runs:
            parts.append(Paragraph(tuple(runs), room - 0.5, size, self.fit.leading, "", 0.6))

        # Equal units lose wounds separately: each has its boxes with a letter.
        *letters, last = list_letters(unit.count)
        if unit.tracks:
            parts += [replace(build_boxes(unit.tracks, stock, room, letter), gap=0.9) for letter in letters]
            parts += build_last_parts(unit, stock, room - 0.5, last)
        else:
            parts += build_keyword_part(unit, stock.kicker, room - 0.5)
        return Group(self._build_block_head(unit, width), tuple(parts), GAP, "blk", 1.0, movable=True)

    def _build_block_head(self, unit: Datasheet, width: float) -> Solid:
        cost = unit.cost
        per_unit = " " + _("each") if unit.count > 1 and cost else ""
        right = measure_width(cost, "name", 12) + measure_width(per_unit, "text", 7) + 2.0
        room = width - 3.2 - right
        title = format_count(unit.count, unit.name)
        texts = [unit.data_name, unit.type]
        if unit.host:
            texts.append(words.format_host(unit.host))
        if unit.models > 1:
            texts.append(words.format_models(unit.models))
        texts.append(unit.commands)
        what = " · ".join(filter(None, texts))
        # The description is beside the name, or below if either would be cut.
        beside = min(measure_width(what, "text", 7) + 3.0, room * WHAT_SHARE) if what else 0.0
        name = fit_text(title + unit.marks, "name", room - beside, *NAME_SIZES)
        start = measure_width(title + unit.marks, "name", name.size) + 2.8
        small = fit_text(what, "text", room - start, *WHAT_SIZES)
        points = tag("p", cost, tag("small", per_unit) if per_unit else "", css="pts")
        if name.size >= NAME_SIZES[1] and small.size >= WHAT_SIZES[1]:
            heading = tag("h3", title + unit.marks, style=f"font-size:{name.size:g}pt")
            more = tag("p", what, css="what", style=f"left:{mm(start)};font-size:{small.size:g}pt")
            return Solid(BLOCK_HEAD, tag("div", heading, more, points, css="bh", style=self.look.fill), 0.2)

        size = max(fit_text(title + unit.marks, "name", room, *NAME_SIZES).size, NAME_SIZES[1])
        height = BLOCK_HEAD * count_lines((TextRun(title + unit.marks, "name", size),), room)
        where = f"right:{mm(right + 1.6)};font-size:{size:g}pt"
        heading = tag("h3", title + unit.marks, css="more", style=where)
        more = tag("p", what, css="more", style=f"top:{mm(height)}")
        height += BLOCK_HEAD_LINE * count_lines((TextRun(what, "text", _SMALL),), width - 3.2) if what else 0.0
        head = tag("div", heading, more, points, css="bh", style=f"height:{mm(height)};{self.look.fill}")
        return Solid(height, head, 0.2)


def _render_all(parts: Iterable[Part]) -> SafeString:
    return join([part.render() for part in parts])


def _measure_page(columns: Iterable[Sequence[Part]]) -> float:
    return max(map(sum_heights, columns), default=0.0)


def _build_heads(names: Iterable[str], widths: Iterable[float], css: str) -> list[SafeString]:
    return [tag("th", name, css=f"{css}{choose_width_class(width)}") for name, width in zip(names, widths, strict=True)]


def _shorten_head(head: str, room: float) -> str:
    if measure_width(head, "semi", _SMALL) <= room:
        return head
    short = SHORT_FIGURES.get(head, head)
    while short and measure_width(f"{short}.", "semi", _SMALL) > room:
        short = short[:-1]
    return short if head in SHORT_FIGURES else f"{short}."


def _choose_heads(datasheets: Iterable[Datasheet]) -> tuple[str, ...]:
    tables = [unit.profile for unit in datasheets if unit.profile]
    if not tables:
        return ()
    plain = [tuple(head for head in table.heads if head not in SHIELDS) for table in tables]
    heads = Counter(plain).most_common(1)[0][0]
    saves = [head for head in SHIELDS if any(head in table.heads for table in tables)]
    return (*heads, *saves)


def _find_figure(head: str, datasheet: Datasheet | None) -> str:
    profile = datasheet.profile if datasheet else None
    if datasheet is None or profile is None or head not in profile.heads:
        return ""
    text = profile.rows[0].cells[profile.heads.index(head)]
    # For a figure range, show the figure of an unharmed unit; the block shows the others.
    if datasheet.tracks and datasheet.tracks[0].tops and "–" in text.strip("–"):
        text = text.partition("–")[0]
    return text


def _build_figure(head: str, datasheet: Datasheet | None) -> SafeString:
    text = _find_figure(head, datasheet)
    return tag("td", tag("b", text, css="iv") if head in SHIELDS and text not in ("", NOTHING) else text)


def _describe_line(line: UnitLine, datasheet: Datasheet | None, size: float, *, carries: bool) -> list[TextRun]:
    sign = "↳ " if line.host else f"{SEAM} " if line.follows else ""
    count = f"{line.count} × " if line.count > 1 else ""
    runs = [TextRun(f"{sign}{count}{line.name}{line.marks}", "bold", size + 0.6)]
    for number in line.problems:
        runs.append(TextRun(f" ✕{number}", "bold", size))
    numbers = list(filter(None, (line.data_name, line.commands)))
    if line.units > 1:
        numbers.append(words.format_units_as_choice(line.units))
    if line.models > 1:
        numbers.append(words.format_models(line.models))
    if line.host:
        numbers.append(words.format_host(line.host))
    if line.placeholder:
        numbers.append(_("no longer in the data"))
    if line.cards:
        numbers.append(words.format_cards(line.cards))
    if numbers:
        runs.append(TextRun(f" ({', '.join(numbers)})", "text", size))
    if carries and (carried := _describe_carried(line, datasheet)):
        runs.append(TextRun(f" {carried}", "text", size))
    if line.notes:
        runs.append(TextRun(f"\n{format_notes(line.notes)}", "semi", size))
    return runs


def _describe_carried(line: UnitLine, datasheet: Datasheet | None) -> str:
    if line.cards:
        return ""
    options = "; ".join(line.options)
    # Most options that add a weapon have the weapon's name.
    names = name_weapons(datasheet.weapons if datasheet else ())
    weapons = [name for name in names if name not in options and name != line.name]
    return "; ".join(filter(None, (", ".join(weapons), options)))
