"""The pages of a list: the opponent's copy, then a block for each unit, on as few pages as can be read.

Heights are computed, so the pages are known before anything is laid out.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, starmap

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from roster.engine.report import Verdict
from roster.pdf.datasheet_parts import build_ability_runs, build_boxes, build_profile_parts, build_weapon_parts
from roster.pdf.datasheets import INVULNERABLE
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
from roster.pdf.pages import GAP, Group, PageLook, PaperPage, fill_columns, render_columns
from roster.pdf.paper_text import format_count
from roster.pdf.qr import draw_qr_code
from roster.pdf.redact import redact_sheet
from roster.pdf.shapes import (
    Ability,
    Amount,
    Datasheet,
    DeckList,
    DeckListLine,
    ForceBlock,
    ListSheet,
    Problem,
    ProfileTable,
    Rule,
    UncheckedNote,
    UnitLine,
)
from roster.pdf.sheet_options import Ink, SheetOptions, Style
from roster.pdf.stock import LEADING, make_block_stock
from roster.pdf.type.measure import TextRun, count_lines, fit_line, measure_width
from roster.pdf.type.signs import PHASES, find_phase_mark, find_sign
from roster.wording import cards as words
from roster.wording import get_verdict_word

HEAD, HEAD_GAP = 27.0, 2.0
COLUMNS = 2
SHARED_BY = 3
"""So many units have a rule that is printed once, before their blocks."""
LEAST_ROOM = 45.0
"""Millimetres that the first page must have left for blocks to begin on it."""
NEARLY_EMPTY = 0.25
"""A last page used less than this is worth tightening the type for."""
RELIEF = (0.95, 0.9, 0.85, 0.8, 0.7, 0.6, 0.5)
"""How much of the page before a nearly empty one is filled instead."""
ENOUGH = 0.3
"""So much of its last page a sheet uses if it goes on on one at all."""
LEDGER_LINE = 0.43
SLOT, POINTS, FIGURE, WIDE_FIGURE = 21.0, 15.0, 7.6, 9.6
"""Columns of the opponent's copy."""
VERDICT_SIGNS = {Verdict.LEGAL: "✓", Verdict.INCOMPLETE: "◔", Verdict.ILLEGAL: "✕"}
_SMALL = 7.0


@dataclass(frozen=True, slots=True)
class Fit:
    """One way to set a sheet: the type of blocks and of the ledger, in points, how far apart lines are.

    `air` are the millimetres that a row of the ledger has beside its lines; a `brief` sheet leaves out rules, one
    without `options` also what units carry.
    """

    block: float
    ledger: float = 8.4
    leading: float = LEADING
    air: float = 1.6
    brief: bool = False
    options: bool = True


FITS = (*(Fit(size) for size in (8.4, 8.2, 8.0, 7.8, 7.6, 7.4, 7.2, 7.0)), Fit(7.0, 8.0, 1.12), Fit(7.0, 7.6, 1.08))
"""The ways to set a sheet, the best first; the last ones only to save a page that would be nearly empty."""
USUAL_FITS = 8
SUMMARY_FITS = (
    *(Fit(size, size) for size in (9.0, 8.4, 8.0, 7.6)),
    *(Fit(size, size, brief=True) for size in (8.4, 7.6, 7.0)),
    *(Fit(size, size, air=0.6, brief=True) for size in (7.0, 6.5, 6.0)),
    *(Fit(size, size, air=0.6, brief=True, options=False) for size in (7.0, 6.5, 6.0)),
)


def build_sheet_pages(sheet: ListSheet, options: SheetOptions, look: PageLook) -> list[PaperPage]:
    """Return the pages of a sheet in the style that was asked for."""
    match options.style:
        case Style.VEILED:
            return _SheetSetter(redact_sheet(sheet), look, FITS[0]).set_copy()
        case Style.OPPONENT:
            return _SheetSetter(sheet, look, FITS[0]).set_copy()
        case Style.SUMMARY:
            return _choose_summary(sheet, look)
    return _choose_pages(sheet, look)


def make_look(sheet: ListSheet, options: SheetOptions) -> PageLook:
    return PageLook(paper=options.paper, identity=sheet.imprint.identity, saves_ink=options.ink is Ink.SAVER)


def _choose_pages(sheet: ListSheet, look: PageLook) -> list[PaperPage]:
    """Return the fewest pages, in the largest type that keeps them."""
    fewest = _SheetSetter(sheet, look, FITS[USUAL_FITS - 1])
    count, last = fewest.count_pages()
    # Tighter than anybody likes to read, and worth it only where it saves a whole page.
    if count > 1 and last < NEARLY_EMPTY and (tighter := _find_tighter(sheet, look, count)):
        return _SheetSetter(sheet, look, tighter).set_all()
    return _find_largest(sheet, look, fewest, count).set_all()


def _find_tighter(sheet: ListSheet, look: PageLook, count: int) -> Fit | None:
    """Return the largest of the tight types in which a sheet has fewer pages than `count`; None for none."""
    return next((fit for fit in FITS[USUAL_FITS:] if _SheetSetter(sheet, look, fit).count_pages()[0] < count), None)


def _find_largest(sheet: ListSheet, look: PageLook, fewest: "_SheetSetter", count: int) -> "_SheetSetter":
    """Return the sheet in the largest of the usual types in which it has at most `count` pages."""
    low, high, best = 0, USUAL_FITS - 1, fewest
    while low < high:
        middle = (low + high) // 2
        setter = _SheetSetter(sheet, look, FITS[middle])
        # These fits differ in their blocks alone.
        setter.fronts = fewest.fronts
        if setter.count_pages()[0] <= count:
            high, best = middle, setter
        else:
            low = middle + 1
    return best


def _choose_summary(sheet: ListSheet, look: PageLook) -> list[PaperPage]:
    pages: list[PaperPage] = []
    for fit in SUMMARY_FITS:
        pages = _SheetSetter(sheet, look, fit).set_copy()
        if len(pages) == 1:
            break
    return pages


class _SheetSetter:
    """Sets one sheet in one way."""

    def __init__(self, sheet: ListSheet, look: PageLook, fit: Fit) -> None:
        self.sheet, self.look, self.fit = sheet, look, fit
        self.shared = [] if fit.brief else _list_shared(sheet.datasheets)

    @cached_property
    def fronts(self) -> list[list[Part]]:
        """The opponent's copy, page by page."""
        return self._fill_front(self._list_front())

    def set_copy(self) -> list[PaperPage]:
        """Return the opponent's copy alone."""
        pages = self._fill_front([*self._list_front(), *self._list_end(self.look.width)])
        return [self._make_page(_render_all(parts)) for parts in pages]

    def set_all(self) -> list[PaperPage]:
        """Return the opponent's copy, and the blocks of units below and after it."""
        fronts, columns, starts = self._arrangement
        columns = self._fill_last_page(columns, starts)
        pages = list(map(_render_all, fronts))
        for number, page in enumerate(columns):
            body = render_columns(page, self.look, COLUMNS)
            if number == 0 and starts:
                pages[-1] = join([pages[-1], body])
            elif any(page):
                pages.append(body)
        return list(map(self._make_page, pages))

    def count_pages(self) -> tuple[int, float]:
        """Return how many pages there are, and how much of the last one is used."""
        fronts, columns, starts = self._arrangement
        used = list(map(sum_heights, fronts))
        heights = list(map(_measure_page, columns))
        # The first blocks are below the copy, on the same page.
        if starts and heights:
            used[-1] += heights.pop(0)
        used += filter(None, heights)
        return len(used), used[-1] / self.look.height

    @cached_property
    def _arrangement(self) -> tuple[list[list[Part]], list[list[list[Part]]], bool]:
        """The pages of the copy, those of the blocks column by column, and whether these begin below the copy."""
        fronts = self.fronts
        left = self.look.height - sum_heights(fronts[-1]) - GAP
        starts = left > LEAST_ROOM
        blocks = self._blocks
        if not blocks:
            return fronts, [], False
        rooms = [left, self.look.height] if starts else [self.look.height]
        return fronts, fill_columns(blocks, rooms, COLUMNS), starts

    @cached_property
    def _blocks(self) -> list[Part]:
        return self._list_blocks()

    def _fill_last_page(self, pages: list[list[list[Part]]], starts: bool) -> list[list[list[Part]]]:
        """Return the pages of blocks; if the last is nearly empty, with some of the page before it."""
        height = self.look.height
        first = height - sum_heights(self.fronts[-1]) - GAP if starts else height
        rooms = [first, *[height] * (len(pages) - 1)]
        for share in RELIEF if len(pages) > 1 else ():
            if _measure_page(pages[-1]) >= ENOUGH * height:
                return pages
            fewer = fill_columns(self._blocks, [*rooms[:-2], share * rooms[-2], height], COLUMNS)
            # A page that is less full may push the rest onto one more; that is no relief.
            if len(fewer) == len(pages):
                pages = fewer
        return pages

    def _fill_front(self, parts: Sequence[Part]) -> list[list[Part]]:
        return fill_faces(parts, self.look.height, self.look.height)

    def _make_page(self, content: SafeString) -> PaperPage:
        imprint = self.sheet.imprint
        revision = words.format_revision(imprint.revision) if imprint.revision else ""
        return PaperPage(content, " · ".join(filter(None, (self.sheet.title, revision, imprint.short_hash))))

    # The opponent's copy.

    def _list_front(self) -> list[Part]:
        parts: list[Part] = [self._build_head(), *self._list_verdict(), *self._list_ledgers(), *self._list_gaps()]
        if self.shared:
            parts.append(self._build_shared())
        if not self.fit.brief and any(self._phases):
            parts.append(self._build_legend())
        return parts

    def _list_gaps(self) -> Iterator[Part]:
        """Yield why less is below than a reader may look for."""
        if not self.sheet.blocks:
            yield self._write((TextRun(_("Nothing has been taken yet."), "text", 9.0),), 2.0)
        if not self.fit.options:
            text = _("Options are left out here to keep to one page; the full sheet has them.")
            yield self._write((TextRun(text, "text", _SMALL),), 0.8)

    def _list_ledgers(self) -> Iterator[Part]:
        """Yield every detachment, with its settings and its owner's notes below it."""
        for block in self.sheet.blocks:
            yield self._build_ledger(block)
            if block.settings:
                yield self._write((TextRun(" · ".join(block.settings), "text", 8.0),), 0.8)
            if block.notes:
                yield self._write((TextRun(format_notes(block.notes), "semi", 8.0),), 0.8)

    @cached_property
    def _phases(self) -> set[str]:
        """The phases of all abilities; blank for those of none."""
        return {ability.phase for unit in self.sheet.datasheets for ability in unit.abilities}

    def _write(self, runs: Sequence[TextRun], gap: float, css: str = "") -> Paragraph:
        size = max(run.size for run in runs)
        return Paragraph(tuple(runs), self.look.width, size, 1.22, css, gap)

    def _build_head(self) -> Solid:
        """Return the band of the first page: name, faction, game, player, total, verdict, QR code."""
        sheet, imprint, look = self.sheet, self.sheet.imprint, self.look
        has_code = bool(imprint.link)
        right = 27.0 if has_code else 4.0
        sign = find_sign(imprint.identity.emblem)
        left = 27.0 if sign else 4.0
        total, limit = self._describe_total()
        total_width = measure_width(total, "name", 24) + measure_width(limit, "name", 11) + 3.0
        verdict = f"{VERDICT_SIGNS[sheet.verdict]} {get_verdict_word(sheet.verdict)}"
        room = look.width - left - right - max(total_width, measure_width(verdict, "bold", 11) + 2.0)
        name = fit_line(sheet.title, "name", room, 22, 12)
        game = " · ".join(filter(None, (sheet.factions, imprint.game, imprint.version)))
        sub = fit_line(game, "semi", room, 8.5, 6.5)
        player = fit_line(self._describe_player(), "text", room, 8.5, 6.5)
        pieces = [tag("p", sign, css="em")] if sign else []
        pieces += [
            tag("h1", name.text, style=f"left:{mm(left)};font-size:{name.size:g}pt"),
            tag("p", sub.text, css="sub", style=f"left:{mm(left)};font-size:{sub.size:g}pt"),
            tag("p", player.text, css="who", style=f"left:{mm(left)};font-size:{player.size:g}pt"),
            tag("p", total, tag("small", limit), css="tot", style=f"right:{mm(right)};color:{look.light}"),
            tag("p", verdict, css="ver", style=f"right:{mm(right)}"),
        ]
        if has_code:
            pieces.append(tag("div", draw_qr_code(imprint.link, sheet.title), css="qr"))
        return Solid(HEAD, tag("div", *pieces, css="hd", style=look.fill), HEAD_GAP)

    def _describe_player(self) -> str:
        """Return whose list it is and where it is played, or a line to write a name on."""
        imprint = self.sheet.imprint
        who = " · ".join(filter(None, (imprint.player, imprint.event)))
        return who or _("Player") + " ______________________"

    def _describe_total(self) -> tuple[str, str]:
        if not self.sheet.amounts:
            return "", ""
        amount = self.sheet.amounts[0]
        return amount.value, f" / {amount.limit} {amount.name}" if amount.limit else f" {amount.name}"

    def _list_verdict(self) -> Iterator[Part]:
        """Yield what the list is in numbers, what is wrong with it, what was not checked, and its owner's notes."""
        sheet = self.sheet
        line = " · ".join(_list_numbers(sheet))
        yield self._write((TextRun(line, "semi", 9.0),), 1.6, "facts")
        yield from map(self._write_problem, (*sheet.problems, *sheet.remarks))
        if sheet.unchecked:
            notes = "; ".join(map(_describe_unchecked, sheet.unchecked))
            yield self._write((TextRun(_("Not checked:"), "bold", _SMALL), TextRun(f" {notes}.", "text", _SMALL)), 1.4)
        if sheet.notes:
            yield self._write((TextRun(format_notes(sheet.notes), "semi", 8.0),), 1.4)

    def _write_problem(self, problem: Problem) -> Paragraph:
        return self._write(_describe_problem(problem), 0.6, "wrong" if problem.severity == "error" else "")

    def _build_ledger(self, block: ForceBlock) -> RowTable:
        """Return a detachment: each unit with its profile, what it carries and what it costs."""
        heads = _choose_heads(self.sheet.datasheets)
        size = self.fit.ledger
        widths = list(map(_choose_width, heads))
        # The first cost is what the game counts by, and has the larger type.
        costs = [POINTS if not number else 12.0 for number in range(len(block.costs))]
        # Names and options have what is left.
        room = self.look.width - SLOT - sum(widths) - sum(costs)
        line = 5.2
        name = SafeString(self._name_force(block).replace("<th", f'<th colspan="{2 + len(heads) + len(costs)}"', 1))
        cells = _build_heads(("", ""), (SLOT, room), "l ")
        cells += _build_heads(heads, widths, "")
        cells += _build_heads([cost.name for cost in block.costs], costs, "r ")
        head = join(
            [
                tag("tr", *cells, style=f"font-size:{_SMALL:g}pt;line-height:3mm"),
                tag("tr", name, style=f"border-color:{self.look.dark};line-height:{mm(line)}"),
            ]
        )
        rows = tuple(self._build_line(unit, label, heads, room, size) for unit, label in _label_lines(block.lines))
        return RowTable(3.2 + line + 0.5, head, rows, "led", 2.4)

    def _name_force(self, block: ForceBlock) -> SafeString:
        """Return the heading of a detachment: its name, its problems, what is counted in it, what it costs."""
        names = [words.format_tally(tally.count, tally.name) for tally in block.tallies]
        title = " · ".join(filter(None, (block.kind, *names)))
        right = " · ".join(f"{cost.value} {cost.name}" for cost in block.costs)
        beside = self.look.width - measure_width(block.name, "name", 11) - measure_width(right, "name", 9) - 4.0
        small = fit_line(title, "text", beside, _SMALL, _SMALL).text if title else ""
        problems = [tag("b", f" ✕{number}") for number in block.problems]
        return tag("th", block.name, *problems, tag("small", f" {small}"), tag("span", right), css="force")

    def _build_line(self, line: UnitLine, label: str, heads: Sequence[str], room: float, size: float) -> FittedRow:
        datasheet = self._find_datasheet(line.name)
        runs = _describe_line(line, datasheet, size, carries=self.fit.options)
        height = size * LEDGER_LINE
        # What one of several costs is on a line of its own.
        lines = max(count_lines(runs, room - 2.0), 2 if line.cost_each else 1)
        cells = [tag("td", label, css="sl"), tag("td", *render_runs(runs), css="un")]
        cells += [_build_figure(head, datasheet) for head in heads]
        cells += _build_costs(line)
        style = f"font-size:{size:g}pt;line-height:{mm(height)}"
        html = tag("tr", *cells, css=" ".join(self._list_marks(line)), style=style)
        return FittedRow(lines * height + self.fit.air, html)

    def _find_datasheet(self, name: str) -> Datasheet | None:
        return next((datasheet for datasheet in self.sheet.datasheets if datasheet.name == name), None)

    def _list_marks(self, line: UnitLine) -> Iterator[str]:
        """Yield the classes of a line that looks different from others."""
        if line.problems:
            yield "wrong"
        if self.fit.air < 1.0:
            yield "tight"

    def _build_shared(self) -> Group:
        """Return the rules that several units have, in two columns."""
        width = self.look.measure_column(COLUMNS)
        heading = Solid(5.0, tag("h2", words.get_label("shared rules"), css="sh"), 1.0)
        parts = [Paragraph(build_ability_runs(ability, 8.0), width, 8.0, LEADING, "", 0.6) for ability in self.shared]
        left, right = _balance_columns(parts)
        height = max(sum_heights(left), sum_heights(right))
        return Group(heading, (Solid(height, render_columns([left, right], self.look, COLUMNS)),), 2.4)

    def _build_legend(self) -> Paragraph:
        runs: list[TextRun] = []
        for phase in PHASES:
            if phase in self._phases:
                runs += [
                    TextRun(find_phase_mark(phase), "signs", _SMALL),
                    TextRun(f" {words.get_phase(phase)}   ", "text", _SMALL),
                ]
        return self._write(runs, 1.6)

    # What is in columns after it.

    def _list_blocks(self) -> list[Part]:
        width = self.look.measure_column(COLUMNS)
        parts: list[Part] = [self._build_block(unit, width) for unit in self.sheet.datasheets if _has_block(unit)]
        if self.sheet.plan:
            parts.append(self._build_plan(width))
        parts += [self._build_deck(deck, width) for deck in self.sheet.decks]
        parts += self._list_end(width)
        return parts

    def _build_plan(self, width: float) -> Part:
        lines = [(f"{line.sign} {line.label}".strip(), "; ".join(line.values)) for line in self.sheet.plan]
        return self._build_notes(_("Game plan"), lines, width)

    def _list_end(self, width: float) -> list[Part]:
        """Return what goes with every list: the book's own reminders, sources, whose game it is."""
        parts: list[Part] = []
        if self.sheet.reminders:
            parts.append(self._build_notes(_("Keep in mind"), _describe_rules(self.sheet.reminders), width))
        for label, text in self._list_small_print():
            runs = (TextRun(label, "bold", 6.5), TextRun(text, "text", 6.5))
            parts.append(Paragraph(runs, width, 6.5, LEADING, "kw", 1.0))
        return parts

    def _list_small_print(self) -> Iterator[tuple[str, str]]:
        """Yield where the data is from, and whose game it is, each after what it is."""
        if self.sheet.sources:
            yield _("Sources") + " ", " · ".join(self.sheet.sources)
        if self.sheet.imprint.notice:
            yield "", self.sheet.imprint.notice

    def _build_notes(self, title: str, lines: Iterable[tuple[str, str]], width: float) -> Group:
        heading = Solid(5.0, tag("h2", title, css="sh"), 1.0)
        parts = [
            Paragraph((TextRun(f"{label}. ", "bold", 8.0), *read_text(text, 8.0)), width, 8.0, LEADING, "", 0.6)
            for label, text in lines
        ]
        return Group(heading, tuple(parts), GAP)

    def _build_deck(self, deck: DeckList, width: float) -> RowTable:
        """Return a deck card by card."""
        costs = 11.0
        room = width - costs * len(deck.columns)
        title = f"{deck.name} · {words.format_cards(deck.count)}"
        cells = [tag("th", title, css=f"l {choose_width_class(room)}")]
        cells += [tag("th", column, css=choose_width_class(costs)) for column in deck.columns]
        rows = tuple(_build_deck_row(line, room) for line in deck.lines)
        head = tag("tr", *cells, style="font-size:7pt;line-height:3.2mm")
        return RowTable(3.5, head, rows, "wp deck", GAP)

    def _build_block(self, unit: Datasheet, width: float) -> Group:
        """Return the block of a unit: name, profile, weapons, abilities as running text, boxes."""
        size = self.fit.block
        stock, room = make_block_stock(size), width - 3.2
        parts: list[Part] = [
            *build_profile_parts(unit, stock, room, 0.5),
            *build_weapon_parts(unit, stock, size, room, 0.6),
        ]
        if runs := self._write_abilities(unit, size):
            parts.append(Paragraph(tuple(runs), room - 0.5, size, self.fit.leading, "", 0.6))
        # Equal units lose wounds apart: each has its boxes, told by a letter.
        for letter in list_letters(unit.count) if unit.tracks else ():
            boxes = build_boxes(unit.tracks, stock, room, letter)
            parts.append(Solid(boxes.content_height, boxes.content, 0.9))
        return Group(self._build_block_head(unit, width), tuple(parts), GAP, "blk", 1.0)

    def _build_block_head(self, unit: Datasheet, width: float) -> Solid:
        cost = unit.cost
        per_unit = " " + _("each") if unit.count > 1 and cost else ""
        right = measure_width(cost, "name", 12) + measure_width(per_unit, "text", 7) + 2.0
        room = width - 3.2 - right
        title = format_count(unit.count, unit.name)
        # The price is never shortened; the name gives way to it.
        name = fit_line(title + unit.marks, "name", room, 11.5, 8.5)
        what = _describe_unit(unit)
        start = measure_width(name.text, "name", name.size) + 2.8
        small = fit_line(what, "text", room - start, 7, 7).text if room - start > 8 else ""
        heading = tag("h3", name.text, style=f"font-size:{name.size:g}pt")
        more = tag("p", small, css="what", style=f"left:{mm(start)}")
        points = tag("p", cost, tag("small", per_unit) if per_unit else "", css="pts")
        return Solid(5.2, tag("div", heading, more, points, css="bh", style=self.look.fill), 0.2)

    def _write_abilities(self, unit: Datasheet, size: float) -> list[TextRun]:
        shared = [ability.name for ability in unit.abilities if ability in self.shared]
        pieces = [
            *self._write_unshared(unit, size),
            *_write_names(words.get_label("shared"), shared, size),
            *_write_names(words.get_label("in the book"), unit.in_book, size),
            *_write_names(words.get_label("carries"), unit.options, size),
        ]
        if unit.notes:
            pieces.append((TextRun(format_notes(unit.notes), "semi", size),))
        return _join_runs(pieces, TextRun("  ", "text", size))

    def _write_unshared(self, unit: Datasheet, size: float) -> Iterator[tuple[TextRun, ...]]:
        """Yield the abilities whose words stand with the unit itself."""
        return (build_ability_runs(ability, size) for ability in unit.abilities if ability not in self.shared)


def _has_block(unit: Datasheet) -> bool:
    """Whether a unit has a block of its own."""
    # A choice for the whole army has neither words nor wounds: the first page names it.
    return unit.says_something or unit.models > 1


def _choose_width(head: str) -> float:
    """Return the width of a column of the opponent's copy."""
    return WIDE_FIGURE if head in ("M", "W", "SP", "MV") else FIGURE


def _render_all(parts: Iterable[Part]) -> SafeString:
    return join([part.render() for part in parts])


def _measure_page(columns: Iterable[Sequence[Part]]) -> float:
    return max(map(sum_heights, columns), default=0.0)


def _balance_columns(parts: Sequence[Paragraph]) -> tuple[list[Paragraph], list[Paragraph]]:
    """Return paragraphs in two columns, the left one a little longer."""
    # A millimetre of tolerance: no paragraph is moved by rounding.
    half = sum_heights(parts) / 2 + 1.0
    left, right = list(parts), list[Paragraph]()
    while left and sum_heights(right) + left[-1].height <= half:
        right.insert(0, left.pop())
    return left, right


def _write_names(label: str, names: Sequence[str], size: float) -> Iterator[tuple[TextRun, ...]]:
    """Yield names after what they are; nothing where there are none."""
    if names:
        yield TextRun(f"{label}: ", "bold", size), TextRun(f"{', '.join(names)}.", "text", size)


def _join_runs(pieces: Iterable[Sequence[TextRun]], space: TextRun) -> list[TextRun]:
    """Return pieces of text as one, with a space between any two."""
    runs: list[TextRun] = []
    for piece in pieces:
        if runs:
            runs.append(space)
        runs += piece
    return runs


def _list_numbers(sheet: ListSheet) -> Iterator[str]:
    """Yield what describes a list, its amounts but the first, how many units and models it has."""
    yield from starmap(_describe_fact, sheet.facts)
    yield from map(_describe_amount, sheet.amounts[1:])
    yield words.format_units(sheet.units)
    if models := sum(unit.models * unit.count for unit in sheet.datasheets):
        yield words.format_models(models)


def _describe_fact(name: str, value: str, why: str) -> str:
    return f"{name} {value}" + (f" ({why})" if why else "")


def _describe_amount(amount: Amount) -> str:
    limit = f" / {amount.limit}" if amount.limit else ""
    return f"{amount.value}{limit} {amount.name}"


def _describe_unchecked(note: UncheckedNote) -> str:
    return " ".join(filter(None, (note.mark, note.text.rstrip("."), note.citation)))


def _describe_unit(unit: Datasheet) -> str:
    """Return what stands small beside the name of a unit."""
    texts = [unit.data_name, unit.type]
    if unit.host:
        texts.append(words.format_host(unit.host))
    if unit.models > 1:
        texts.append(words.format_models(unit.models))
    texts += [unit.commands, ", ".join(unit.keywords)]
    return " · ".join(filter(None, texts))


def _build_heads(names: Iterable[str], widths: Iterable[float], css: str) -> list[SafeString]:
    return [tag("th", name, css=f"{css}{choose_width_class(width)}") for name, width in zip(names, widths, strict=True)]


def _label_lines(lines: Iterable[UnitLine]) -> Iterator[tuple[UnitLine, str]]:
    """Yield units with their types, each type only where it begins."""
    last = ""
    for line in lines:
        label = _name_type(line)
        yield line, label if label != last else ""
        # After an add-on the type of the next unit is written again.
        last = label


def _name_type(line: UnitLine) -> str:
    return _("Add-on") if line.host and not line.type else line.type


def _build_costs(line: UnitLine) -> list[SafeString]:
    """Return the costs of a unit; below the first one, what one of several costs."""
    smalls = [""] * len(line.costs)
    if line.cost_each and smalls:
        smalls[0] = tag("small", f" {words.format_each(line.cost_each)}")
    return [tag("td", cost, small, css="pt") for cost, small in zip(line.costs, smalls, strict=True)]


def _build_deck_row(line: DeckListLine, room: float) -> FittedRow:
    """Return a card of a deck with its copies, its words and its figures."""
    runs = _write_deck_line(line)
    cells = [tag("td", *render_runs(runs), css="nm")]
    cells += [tag("td", figure) for figure in line.figures]
    height = count_lines(runs, room - 1.0) * 3.4 + 0.7
    css = "wrong" if line.problems else ""
    return FittedRow(height, tag("tr", *cells, css=css, style="font-size:8pt;line-height:3.4mm"))


def _write_deck_line(line: DeckListLine) -> list[TextRun]:
    runs = [TextRun(f"{line.count} × {line.name}", "bold", 8.0)]
    needs = words.format_needs(line.needs) if line.needs else ""
    more = " · ".join(filter(None, (line.kind, *line.keywords, needs, *line.text, line.notes)))
    if more:
        runs.append(TextRun(f"  {more}", "text", 7.5))
    return runs


def _list_shared(datasheets: Iterable[Datasheet]) -> list[Ability]:
    """Return the rules that stand with several units."""
    counts = Counter(chain.from_iterable(unit.abilities for unit in datasheets))
    return [ability for ability, count in counts.items() if count >= SHARED_BY]


def _choose_heads(datasheets: Iterable[Datasheet]) -> tuple[str, ...]:
    """Return the columns of the opponent's copy: those that most units have."""
    tables = [unit.profile for unit in datasheets if unit.profile]
    if not tables:
        return ()
    # Without the invulnerable save, which some units have beside the same columns.
    heads = Counter(map(_list_plain_heads, tables)).most_common(1)[0][0]
    has_save = any(INVULNERABLE in table.heads for table in tables)
    return (*heads, INVULNERABLE) if has_save else heads


def _list_plain_heads(table: ProfileTable) -> tuple[str, ...]:
    return tuple(head for head in table.heads if head != INVULNERABLE)


def _build_figure(head: str, datasheet: Datasheet | None) -> SafeString:
    profile = datasheet.profile if datasheet else None
    if datasheet is None or profile is None or head not in profile.heads:
        return tag("td", "")
    text = _read_unharmed(datasheet, profile.rows[0].cells[profile.heads.index(head)])
    return tag("td", tag("b", text, css="iv") if head == INVULNERABLE else text)


def _read_unharmed(datasheet: Datasheet, text: str) -> str:
    """Return a figure of a unit that has lost nothing yet."""
    # The other steps are in its block.
    return text.partition("–")[0] if _has_steps(datasheet) and "–" in text.strip("–") else text


def _has_steps(datasheet: Datasheet) -> bool:
    return bool(datasheet.tracks and datasheet.tracks[0].tops)


def _describe_line(line: UnitLine, datasheet: Datasheet | None, size: float, *, carries: bool) -> list[TextRun]:
    """Return a unit in words: its name with marks and problems, how many, what it carries."""
    runs = [TextRun(_name_line(line), "bold", size + 0.6)]
    for number in line.problems:
        runs.append(TextRun(f" ✕{number}", "bold", size))
    if numbers := ", ".join(_describe_numbers(line)):
        runs.append(TextRun(f" ({numbers})", "text", size))
    if carries and (carried := _describe_carried(line, datasheet)):
        runs.append(TextRun(f" {carried}", "text", size))
    if line.notes:
        runs.append(TextRun(f"\n{format_notes(line.notes)}", "semi", size))
    return runs


def _name_line(line: UnitLine) -> str:
    """Return the name of a unit with its marks and its number, an add-on under its host."""
    start = "↳ " if line.host else ""
    count = f"{line.count} × " if line.count > 1 else ""
    return f"{start}{count}{line.name}{line.marks}"


def _describe_numbers(line: UnitLine) -> list[str]:
    """Return what is in brackets after the name of a unit: its rank, how many, with whom."""
    numbers = [line.commands] if line.commands else []
    numbers += _count_line(line)
    if line.host:
        numbers.append(words.format_host(line.host))
    if line.placeholder:
        numbers.append(_("no longer in the data"))
    if line.cards:
        numbers.append(words.format_cards(line.cards))
    return numbers


def _count_line(line: UnitLine) -> Iterator[str]:
    """Yield how many units and models a line is, where it is more than one."""
    if line.units > 1:
        yield words.format_units_as_choice(line.units)
    if line.models > 1:
        yield words.format_models(line.models)


def _describe_carried(line: UnitLine, datasheet: Datasheet | None) -> str:
    """Return the weapons of a unit, and its options that are none."""
    if line.cards:
        return ""
    options = "; ".join(line.options)
    # An option that brings a weapon mostly bears its name, and nobody wants to read it twice.
    weapons = [name for name in _list_weapons(datasheet) if name not in options] if datasheet else []
    return "; ".join(filter(None, (", ".join(weapons), options)))


def _list_weapons(datasheet: Datasheet) -> Iterable[str]:
    """Return the weapons of a unit, each once however many ways it has to be used."""
    return dict.fromkeys(row.name.partition(",")[0] for table in datasheet.weapons for row in table.rows)


def _name_problem(problem: Problem) -> str:
    """Return the sign and number of a problem, and what it is called."""
    sign = "✕" if problem.severity == "error" else "!"
    name = f"{sign}{problem.number or ''} {problem.name}".strip()
    return f"{name}. " if problem.name else f"{name} "


def _describe_problem(problem: Problem) -> list[TextRun]:
    runs = [TextRun(_name_problem(problem), "bold", 8.0), TextRun(problem.text, "text", 8.0)]
    if problem.citation:
        runs.append(TextRun(f" {problem.citation}", "text", _SMALL))
    return runs


def _describe_rules(rules: Iterable[Rule]) -> list[tuple[str, str]]:
    return [(rule.name, " ".join(filter(None, (*rule.text, rule.citation)))) for rule in rules]
