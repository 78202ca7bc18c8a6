"""Set the texts of cards in columns for reading."""

from collections.abc import Sequence

from roster.pdf.datasheet_parts import (
    build_boxes,
    build_keyword_part,
    build_profile_parts,
    build_store_parts,
    build_text_parts,
    build_weapon_parts,
)
from roster.pdf.flow import Paragraph, Part, Solid
from roster.pdf.imposition.card_face import Face, PrintCard, list_faces
from roster.pdf.imposition.set_face import READ_LEADING, build_block_parts, build_lead
from roster.pdf.markup import break_lines, mm, tag
from roster.pdf.pages import BAND, BAND_GAP, Group, PageLook, PaperPage, fill_columns, render_band, render_columns
from roster.pdf.paper_text import end_sentence
from roster.pdf.stock import make_block_stock
from roster.pdf.type.measure import POINT, TextRun, count_lines, fit_text, measure_width
from roster.wording import cards as words

SIZE = 8.6
SUB_SIZE = 7
"""Of the text beside a name, or below it if there is no room."""
COLUMNS = 2


def build_reading_pages(
    cards: Sequence[PrintCard], look: PageLook, *, title: str, sub: str = "", foot: str = ""
) -> list[PaperPage]:
    width = look.measure_column(COLUMNS)
    parts: list[Part] = [build_face_group(face, look, width) for face in list_faces(cards)]
    room = look.height - BAND - BAND_GAP
    pages = []
    for columns in fill_columns(parts, [room], COLUMNS):
        band = render_band(title, sub, look)
        pages.append(PaperPage(band + render_columns(columns, look, COLUMNS), foot or title))
    return pages


def build_face_group(face: Face, look: PageLook, width: float, size: float = SIZE) -> Group:
    parts = build_lead(face.lead, size - 0.6, width, 0.6)
    parts += build_unit_parts(face, width, size)
    for block in face.blocks:
        parts += build_block_parts(block, size, width)
    for half in face.halves:
        title = TextRun(f"{half.title} ({half.cost}). ", "bold", size)
        text = TextRun(" ".join(filter(None, (half.note and end_sentence(half.note), half.text))), "text", size)
        parts.append(Paragraph((title, text), width, size, READ_LEADING, "", 0.6))
    if face.points:
        points = (TextRun(f"{face.points} {words.get_label('points')}", "bold", size),)
        parts.append(Paragraph(points, width, size, READ_LEADING, "", 0.6))
    return Group(build_heading(face.title, face.kicker, face.corner, look, width), tuple(parts), 2.8)


def build_unit_parts(face: Face, width: float, size: float) -> list[Part]:
    if face.datasheet is None:
        return []
    stock = make_block_stock(size)
    parts = build_profile_parts(face.datasheet, stock, width)
    parts += build_store_parts(face.datasheet, stock, width)
    parts += build_weapon_parts(face.datasheet, stock, size, width)
    parts += build_text_parts(face.datasheet, size, width)
    if face.datasheet.tracks:
        boxes = build_boxes(face.datasheet.tracks, stock, width)
        parts.append(Solid(boxes.content_height, boxes.content, 0.9))
    return parts + build_keyword_part(face.datasheet, size - 1.0, width)


def build_heading(title: str, sub: str, corner: str, look: PageLook, width: float) -> Solid:
    right = measure_width(corner, "name", 11) + 1.5 if corner else 0.0
    name = fit_text(title, "name", width - right, 11, 8, 2)
    beside = width - right - measure_width(name.lines[-1], "name", name.size) - 1.5
    line = 12.5 * POINT
    height = line * len(name.lines)
    style = f"font-size:{name.size:g}pt"
    if measure_width(sub, "text", SUB_SIZE) <= beside:
        note = tag("small", f" {sub}") if sub else ""
        pieces = [tag("h2", break_lines(name.lines), note, style=style)]
    else:
        sub_line = SUB_SIZE * 1.2 * POINT
        height += sub_line * count_lines([TextRun(sub, "text", SUB_SIZE)], width) + 0.4
        note = tag("p", sub, css="gs", style=f"line-height:{mm(sub_line)}")
        pieces = [tag("h2", break_lines(name.lines), style=style), note]
    if corner:
        pieces.append(tag("p", corner, css="gc"))
    style = f"height:{mm(height)};line-height:{mm(line)};border-color:{look.dark}"
    return Solid(height + 0.5, tag("div", *pieces, css="gh", style=style), 0.9)
