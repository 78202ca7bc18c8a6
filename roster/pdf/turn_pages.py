"""Set an army's abilities by phase, on one page if possible."""

from collections.abc import Iterable, Sequence

from roster.pdf.datasheet_parts import TIMING_COLOURS, sign_name
from roster.pdf.flow import Paragraph, Part, Solid, read_text
from roster.pdf.imposition.print_cards import CannotPrintError
from roster.pdf.markup import join, tag
from roster.pdf.pages import (
    BAND,
    BAND_GAP,
    Group,
    PageLook,
    PaperPage,
    fill_columns,
    format_foot,
    render_band,
    render_columns,
)
from roster.pdf.shapes import ListSheet
from roster.pdf.stock import LEADING
from roster.pdf.turns import TurnEntry, TurnStage, build_stages
from roster.pdf.type.measure import NO_BREAK, POINT, Face, TextRun
from roster.pdf.type.signs import BOX, find_phase_mark
from roster.wording import cards as card_words
from roster.wording import turns as words

COLUMNS = 2
EASY, LEAST = 8.0, 7.0
SIZES = tuple(number / 4 for number in range(46, 27, -1))
"""Points, from 11.5 to 7."""
LEAF = 2
HEAD, HEAD_GAP, STAGE_GAP = 5.4, 0.7, 1.6
ENTRY_AIR = 2.8


def build_turn_pages(sheet: ListSheet, look: PageLook) -> list[PaperPage]:
    """Build the turn sheet in the largest type that fits a page, or else on both sides of a sheet. Raises
    CannotPrintError.

    Shared rules, which the roster sheet explains, are reduced to names if that saves a page.
    """
    whole, brief = build_stages(sheet), build_stages(sheet, tells_common=False)
    if not any(stage.entries for stage in whole):
        raise CannotPrintError("no-abilities", given=sheet.title[:60])
    tries = [
        (whole, 1, [size for size in SIZES if size >= EASY]),
        (brief, 1, SIZES),
        (whole, LEAF, [size for size in SIZES if size >= EASY]),
        (brief, LEAF, SIZES),
    ]
    for stages, most, sizes in tries:
        for size in sizes:
            pages = _fill(stages, look, size)
            if len(pages) <= most:
                return _render(sheet, look, pages)
    return _render(sheet, look, _fill(brief, look, LEAST))


def _fill(stages: Sequence[TurnStage], look: PageLook, size: float) -> list[list[list[Part]]]:
    width = look.measure_column(COLUMNS)
    groups: list[Part] = [_build_stage(stage, look, width, size) for stage in stages]
    return fill_columns(groups, [look.height - BAND - BAND_GAP], COLUMNS)


def _render(sheet: ListSheet, look: PageLook, pages: Iterable[Sequence[Sequence[Part]]]) -> list[PaperPage]:
    amounts = [f"{amount.value} {amount.name}" for amount in sheet.amounts[:1]]
    sub = " · ".join(filter(None, (sheet.factions, sheet.imprint.game, *amounts)))
    rounds = sheet.play.table.rounds or 0
    label = words.get_rounds_label() if rounds else ""
    band = render_band(words.format_title(sheet.title), sub, look, aside=label, boxes=BOX * rounds)
    foot = f"{format_foot(sheet)} · {words.get_foot()}"
    return [PaperPage(join([band, render_columns(page, look, COLUMNS)]), foot) for page in pages]


def _build_stage(stage: TurnStage, look: PageLook, width: float, size: float) -> Group:
    parts = [
        _build_paragraph([TextRun(BOX, "signs", size), *read_text(f" {step}", size)], width, size)
        for step in stage.steps
    ]
    parts += [_build_entry(entry, width, size, shows_phase=len(stage.marks) > 1) for entry in stage.entries]
    heading = _build_heading(stage, look)
    again = _build_heading(stage, look, card_words.get_label("continued"))
    return Group(heading, tuple(parts), STAGE_GAP, flows=True, again=again)


def _build_heading(stage: TurnStage, look: PageLook, note: str = "") -> Solid:
    mark = find_phase_mark(stage.marks[0]) if len(stage.marks) == 1 else ""
    pieces = [tag("h2", tag("s", mark) if mark else "", f" {stage.title}" if mark else stage.title)]
    if note:
        pieces.append(tag("p", note))
    fill = look.fill
    if stage.colour and not look.saves_ink:
        fill = f"background:{TIMING_COLOURS[stage.colour]};color:#fff"
    return Solid(HEAD, tag("div", *pieces, css="phb", style=fill), HEAD_GAP)


def _build_entry(entry: TurnEntry, width: float, size: float, *, shows_phase: bool) -> Paragraph:
    mark = find_phase_mark(entry.phase) if shows_phase else ""
    signs = " ".join(filter(None, (mark, BOX if entry.is_once else "")))
    runs = [*sign_name(signs, entry.name, size)]
    framed: list[tuple[str, Face]] = [(entry.cost, "pill"), (", ".join(entry.tags), "tag")]
    for text, face in framed:
        if text:
            padded = f"{NO_BREAK}{text.replace(' ', NO_BREAK)}{NO_BREAK}"
            runs += [TextRun(" ", "text", size), TextRun(padded, face, size - 1.0)]
    if entry.who:
        runs.append(TextRun(f" {entry.who}.", "who", size))
    if entry.text:
        runs += read_text(f" {entry.text}", size)
    return _build_paragraph(runs, width, size)


def _build_paragraph(runs: Sequence[TextRun], width: float, size: float) -> Paragraph:
    gap = size * LEADING * POINT * 0.22
    return Paragraph(tuple(runs), width - ENTRY_AIR, size, LEADING, "ent", gap)
