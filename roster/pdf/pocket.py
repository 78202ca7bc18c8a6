"""Set a list on one side of a sheet folded twice: list, units, units, and each turn's actions."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from catalogue.definitions.groups import group_by
from roster.pdf.datasheet_parts import build_weapon_parts, sign_name
from roster.pdf.datasheets import NOTHING, SHIELDS
from roster.pdf.flow import FittedRow, Paragraph, Part, RowTable, Solid, fill_faces, render_runs, sum_heights
from roster.pdf.imposition.print_cards import CannotPrintError
from roster.pdf.imposition.set_face import list_letters
from roster.pdf.markup import break_lines, choose_width_class, join, mm, place, tag
from roster.pdf.pages import BAND, BAND_GAP, MARGIN, PAPERS, Group, PageLook, PaperPage, render_band
from roster.pdf.paper_text import format_count
from roster.pdf.qr import draw_qr_code
from roster.pdf.shapes import Datasheet, ListSheet
from roster.pdf.stock import LEADING, make_block_stock
from roster.pdf.turns import TurnEntry, TurnStage, build_stages
from roster.pdf.type.measure import NO_BREAK, POINT, TextRun, count_lines, fit_text, measure_width
from roster.pdf.type.signs import BOX, find_phase_mark
from roster.wording import cards as card_words
from roster.wording import get_verdict_word
from roster.wording import turns as words

INSIDE = 6.0
"""Millimetres next to the folds."""
SIZES = (9.0, 8.5, 8.0, 7.5, 7.0, 6.5)
LIST_SIZES = (10.0, 9.5, *SIZES)
CODE = 22.0
FOLD = 5.0
COST = 13.0
UNIT_GAP = 1.5
HEAD = 4.6
INNER = 2
"""Quarters of the page for units."""
BETWEEN = "  "


def build_pocket_page(sheet: ListSheet, look: PageLook) -> PaperPage:
    """Build the page. Raises CannotPrintError if the list has no units or too many."""
    if not any(block.lines for block in sheet.blocks):
        raise CannotPrintError("no-units", given=sheet.title[:60])
    paper_width, paper_height = PAPERS[look.paper]
    width, height = paper_width / 2, paper_height / 2
    room, high = width - MARGIN - INSIDE, height - MARGIN - INSIDE
    units = _fill_units(sheet, room, high)
    contents = [_set_list(sheet, look, room, high), *units, _set_turn(sheet, room, high)]

    # Page 1 is at the lower right; the upper half is turned.
    corners = ((1, 1), (1, 0), (0, 0), (0, 1))
    quarters = []
    for content, (column, row) in zip(contents, corners, strict=True):
        # In a turned quarter, the text begins at the outer edge of the right one.
        is_outer = (column == 0) == (row == 1)
        where = place(left=MARGIN if is_outer else INSIDE, top=INSIDE, width=room, height=high)
        inner = tag("div", content, css="qi", style=where)
        if row == 0:
            inner = tag("div", inner, css="turned", style=place(width=width, height=height))
        style = place(left=column * width, top=row * height, width=width, height=height)
        quarters.append(tag("div", inner, css="qt", style=style))
    line = 0.1
    folds = [
        place(left=0.0, top=height, width=FOLD, height=line),
        place(left=paper_width - FOLD, top=height, width=FOLD, height=line),
        place(left=width, top=0.0, width=line, height=FOLD),
        place(left=width, top=paper_height - FOLD, width=line, height=FOLD),
    ]
    return PaperPage(join([*quarters, *(tag("div", css="fold", style=style) for style in folds)]))


def _render(parts: Iterable[Part]) -> SafeString:
    return join([part.render() for part in parts])


def _fit(tries: Iterable[Callable[[float], list[Part]]], sizes: Sequence[float], high: float) -> list[Part] | None:
    """Return the first content that fits, in the largest type."""
    for build in tries:
        for size in sizes:
            parts = build(size)
            if sum_heights(parts) <= high:
                return parts
    return None


# The list.


def _set_list(sheet: ListSheet, look: PageLook, room: float, high: float) -> SafeString:
    amounts = [f"{amount.value} {amount.name}" for amount in sheet.amounts[:1]]
    verdict = get_verdict_word(sheet.verdict, sheet.homebrew and _("house rules"))
    sub = " · ".join(filter(None, (*amounts, verdict, sheet.imprint.short_hash, sheet.factions)))
    band = render_band(sheet.title, sub, look, width=room)

    def build(size: float, *, with_boxes: bool) -> list[Part]:
        parts: list[Part] = [_build_ledger(sheet, room, size)]
        boxes = list(_list_boxes(sheet, room, size)) if with_boxes else []
        return [*parts, _build_title("wounds"), *boxes] if boxes else parts

    tries = (lambda size: build(size, with_boxes=True), lambda size: build(size, with_boxes=False))
    parts = _fit(tries, LIST_SIZES, high - BAND - BAND_GAP)
    if parts is None:
        raise CannotPrintError("pocket-full", given=sheet.title[:60])
    return join([band, _render(parts)])


def _build_ledger(sheet: ListSheet, room: float, size: float) -> RowTable:
    names = room - COST
    line = size * LEADING * POINT
    rows = []
    for unit in (line for block in sheet.blocks for line in block.lines):
        arrow = "↳ " if unit.host else ""
        runs = [TextRun(f"{arrow}{format_count(unit.count, unit.name)}", "bold", size)]
        if unit.models > 1:
            runs.append(TextRun(f" ({card_words.format_models(unit.models)})", "text", size))
        cells = [tag("td", *render_runs(runs, size)), tag("td", unit.costs[0] if unit.costs else "", css="r")]
        style = f"font-size:{size:g}pt;line-height:{mm(line)}"
        rows.append(FittedRow(count_lines(runs, names) * line + 0.65, tag("tr", *cells, style=style)))
    columns = join([tag("col", css=choose_width_class(width)) for width in (names, COST)])
    return RowTable(0.0, columns, tuple(rows), "pk", 1.6)


def _list_boxes(sheet: ListSheet, room: float, size: float) -> Iterator[Part]:
    for unit in sheet.datasheets:
        for track, letter in product(unit.tracks, list_letters(unit.count)):
            # A single wound is the model itself.
            if not track.models and sum(track.groups) > 1:
                name = " ".join(filter(None, (track.label or unit.name, letter)))
                boxes = (TextRun(f" {BOX * group}", "signs", size) for group in track.groups)
                yield _write([TextRun(name, "bold", size), *boxes], room, size)


# The units.


def _fill_units(sheet: ListSheet, room: float, high: float) -> list[SafeString]:
    units = [unit for unit in sheet.datasheets if unit.profile or unit.weapons]
    for weapons, size in product(_WEAPONS, SIZES):
        blocks = [_build_unit(unit, room, size, weapons(unit, room, size)) for unit in units]
        faces = fill_faces(blocks, high, high)
        if len(faces) <= INNER and all(sum_heights(face) - UNIT_GAP <= high for face in faces):
            return list(map(_render, [*faces, []][:INNER]))
    raise CannotPrintError("pocket-full", given=sheet.title[:60])


def _build_unit(unit: Datasheet, room: float, size: float, weapons: Sequence[Part]) -> Group:
    parts = [*_list_figures(unit, room, size), *weapons]
    title = format_count(unit.count, unit.name)
    models = f" {card_words.format_models(unit.models)}" if unit.models > 1 else ""
    beside = measure_width(unit.cost, "name", 11) + measure_width(models, "text", 8) + 3.0
    name = fit_text(title, "name", room - beside, 11.5, 7.0, 2)
    style, height = f"font-size:{name.size:g}pt", HEAD
    if len(name.lines) > 1:
        line = name.size * 1.1 * POINT
        style, height = f"{style};line-height:{mm(line)}", len(name.lines) * line + 0.6
    heading = [tag("h3", break_lines(name.lines), tag("small", models), style=style), tag("p", unit.cost, css="pts")]
    head = tag("div", *heading, css="uh", style=f"height:{mm(height)}")
    return Group(Solid(height, head, 0.2), tuple(parts), UNIT_GAP, "pu")


def _list_figures(unit: Datasheet, room: float, size: float) -> Iterator[Part]:
    tables = (unit.profile, *unit.more_profiles) if unit.profile else ()
    for table in tables:
        for row in table.rows:
            runs = [TextRun(f"{row.label} ", "semi", size)] if row.label else []
            for head, cell in zip(table.heads, row.cells, strict=True):
                if cell == NOTHING:
                    continue
                if head in SHIELDS:
                    runs.append(TextRun(f"{NO_BREAK}{cell}{NO_BREAK}", "pill", size))
                else:
                    runs += [TextRun(f"{head}{NO_BREAK}", "who", size), TextRun(cell, "bold", size)]
                runs.append(TextRun(BETWEEN, "text", size))
            yield _write(runs, room, size)


def _list_weapon_tables(unit: Datasheet, room: float, size: float) -> list[Part]:
    return build_weapon_parts(unit, make_block_stock(size), size, room, 0.3)


def _list_weapon_lines(unit: Datasheet, room: float, size: float) -> list[Part]:
    parts: list[Part] = []
    for table in unit.weapons:
        for row in table.rows:
            runs = [TextRun(format_count(row.number or 1, row.name), "bold", size)]
            for head, cell in zip(table.heads, row.cells, strict=True):
                if cell != NOTHING:
                    runs += [TextRun(f" {head}{NO_BREAK}", "who", size), TextRun(cell, "semi", size)]
            parts.append(_write(runs, room, size))
    return parts


def _list_no_weapons(unit: Datasheet, room: float, size: float) -> list[Part]:
    return []


_WEAPONS = (_list_weapon_tables, _list_weapon_lines, _list_no_weapons)
"""The best first; each is tried only if the one before does not fit."""


# The turn.


def _set_turn(sheet: ListSheet, room: float, high: float) -> SafeString:
    stages = build_stages(sheet, tells_common=False)
    unshared = [(stage, entry) for stage in stages for entry in stage.entries if not entry.is_common]
    common = [entry for stage in stages for entry in stage.entries if entry.is_common]
    once = [(stage, entry) for stage, entry in unshared if entry.is_once]
    link = sheet.imprint.link
    tries: tuple[Callable[[float], list[Part]], ...] = (
        lambda size: [*_list_turn(unshared, room, size), *_list_common(common, room, size)],
        lambda size: _list_turn(unshared, room, size),
        lambda size: [*_list_names(unshared, room, size), *_list_turn(once, room, size)],
        lambda size: _list_turn(once, room, size),
        lambda size: [],
    )
    parts = _fit(tries, SIZES, high - (CODE + 2.0 if link else 8.0)) or []
    pieces = [_render(parts)]
    if link:
        pieces.append(tag("div", draw_qr_code(link, sheet.title), css="qr"))
    fold = words.get_pocket_label("fold" if link else "fold only")
    pieces.append(tag("p", fold, css="end", style=place(width=room - CODE - 4.0)))
    return join(pieces)


def _list_turn(entries: Sequence[tuple[TurnStage, TurnEntry]], room: float, size: float) -> list[Part]:
    parts: list[Part] = []
    repeated = [(stage, entry) for stage, entry in entries if not entry.is_once]
    once = [(stage, entry) for stage, entry in entries if entry.is_once]
    for label, group in (("each turn", repeated), ("once", once)):
        if group:
            parts.append(_build_title(label))
        for stage, entry in group:
            mark = find_phase_mark(entry.phase or (stage.marks[0] if stage.marks else "any"))
            runs = sign_name(f"{mark} {BOX}" if entry.is_once else mark, entry.name, size)
            parts.append(_write([*runs, TextRun(f" {entry.who}", "who", size)], room, size))
    return parts


def _list_names(entries: Sequence[tuple[TurnStage, TurnEntry]], room: float, size: float) -> list[Part]:
    parts: list[Part] = [_build_title("each turn")]
    for stage, group in group_by(entries, lambda pair: pair[0]).items():
        names = ", ".join(dict.fromkeys(entry.name for _stage, entry in group))
        parts.append(_write([TextRun(f"{stage.title} ", "bold", size), TextRun(names, "text", size)], room, size))
    return parts


def _list_common(entries: Sequence[TurnEntry], room: float, size: float) -> list[Part]:
    if not entries:
        return []
    lines = [[TextRun(entry.name, "bold", size), TextRun(f" {entry.who}", "who", size)] for entry in entries]
    return [_build_title("common"), *(_write(runs, room, size) for runs in lines)]


def _build_title(label: str) -> Solid:
    return Solid(5.0, tag("h2", words.get_pocket_label(label)), 0.8)


def _write(runs: Sequence[TextRun], room: float, size: float) -> Paragraph:
    return Paragraph(tuple(runs), room - 0.3, size, LEADING, "", 0.4)
