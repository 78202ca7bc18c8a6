"""Compute positions on a card before layout, so that nothing extends beyond a cut."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import ceil

from django.utils.safestring import SafeString

from catalogue.definitions.identity import Frame
from roster.pdf.datasheet_parts import (
    build_boxes,
    build_keyword_part,
    build_profile_parts,
    build_store_parts,
    build_text_parts,
    build_weapon_parts,
)
from roster.pdf.datasheets import format_negatives
from roster.pdf.flow import Paragraph, Part, Solid, fill_faces, read_text, render_parts, sum_heights
from roster.pdf.imposition.card_face import CardHalf, Face, FaceBlock, FaceKind
from roster.pdf.imposition.card_format import CardFormat
from roster.pdf.imposition.frames import draw_back, draw_band, draw_corners, draw_number, measure_plate
from roster.pdf.markup import break_lines, join, mm, place, tag
from roster.pdf.pages import BLACK
from roster.pdf.paper_text import end_sentence
from roster.pdf.stock import Stock, choose_stock, enlarge_stock
from roster.pdf.type.measure import LEAST, NO_BREAK, POINT, FittedText, TextRun, fit_text, measure_width
from roster.pdf.type.signs import find_sign
from roster.wording import cards as words

CLEAR = 1.35
"""Millimetres between the lines of a head and the edge of a card."""
MORE_SIDES = 4 / 3
"""The factor by which large type may add sides to reference cards."""
SPREAD = 1.0
"""The largest difference between type sizes of one print, in points."""
READ_SIZES = (13.0, 12.0, 11.0, 10.5, 10.0, 9.5, 9.0, 8.5, 8.0, 7.5)
"""Type sizes of cards that are read out, such as missions."""
READ_LEADING = 1.22
REFERENCE_SIZE, REFERENCE_LEADING = 6.5, 1.12
"""For rules that are looked up rather than read out."""
SMALL_SIZES = (6.0, 5.5, 5.0, 4.5, 4.0, 3.5, 3.0)
"""In points, for texts that must fit half a card."""
LARGE_SIZES = [10.0, 9.5, 9.0]
"""In points, for rules that are looked up at arm's length."""
MOST_USED, GROWTHS = 0.8, (1.4, 1.3, 1.2, 1.1)
"""Cards filled up to this share get larger type, by one of these factors."""
BOXES_SHARE = 0.6
"""The largest share of a card for the boxes of equal units."""
MOST_GAP = 0.9
"""The most millimetres by which gaps grow."""
NAME_LEADING, KICKER_LEADING = 1.08, 1.2
LEAST_KICKER = 5.5
MOST_LINES = 2
"""The most lines of a name, and of the line below it."""
MOST_LONG_LINES = 3
"""The most lines of a name that would otherwise be smaller than names may be."""
BETWEEN = " · "
"""Between the parts of the line below a name."""
LEAST_NOTE = 0.85
"""The share of its usual size in which the note of half a card still takes one line."""
LINES_TO_WRITE = 3
EMBLEM_GAP = 1.5
BOXES_GAP = 0.9
ABOVE_BOXES = 1.8


@dataclass(frozen=True, slots=True, kw_only=True)
class CardLook:
    """The look of cards. `is_large` type is readable at arm's length; `growth` enlarges the type of a half-empty card.

    `frame` is for coloured cards that are cut out of a sheet. All cards of a print share `foot_lines`.
    """

    card_format: CardFormat
    dark: str = BLACK
    light: str = BLACK
    emblem: str = ""
    saves_ink: bool = False
    bleed: float = 0.0
    fills_sheet: bool = False
    frame: Frame = Frame.BAR
    is_large: bool = False
    growth: float = 1.0
    foot_lines: int = 1

    @property
    def stock(self) -> Stock:
        stock = choose_stock(self.card_format.width, self.card_format.height, large=self.is_large)
        stock = replace(stock, foot_lines=self.foot_lines)
        if self.growth > 1.0:
            stock = enlarge_stock(stock, self.growth)
        # Only cards that fill the sheet have edges out of a printer's reach.
        return stock if self.fills_sheet else replace(stock, inset=0.0)

    @property
    def room(self) -> float:
        """Millimetres."""
        return self.card_format.width - 2 * self.stock.safe

    @property
    def foot_top(self) -> float:
        """Millimetres from the top of the card."""
        stock = self.stock
        return self.card_format.height - max(stock.safe, stock.inset) - stock.foot_height

    @property
    def has_frame(self) -> bool:
        return self.frame is not Frame.BAR and not self.saves_ink and not self.fills_sheet

    @property
    def line_colour(self) -> str:
        return BLACK if self.saves_ink else self.dark

    @property
    def light_colour(self) -> str:
        return BLACK if self.saves_ink else self.light


def set_faces(faces: Iterable[Face], look: CardLook) -> dict[Face, list[SafeString]]:
    faces = list(faces)
    sizes = choose_unit_sizes([face for face in faces if face.datasheet], look)
    shared = [face for face in faces if face.shares_size]
    sizes |= dict.fromkeys(shared, _choose_shared_size(shared, look))
    return {face: _set_face(face, look, sizes.get(face, 0.0)) for face in faces}


def _choose_shared_size(faces: Sequence[Face], look: CardLook) -> float:

    def sum_sides(size: float) -> int:
        return sum(len(_fill_read(face, look, size)) for face in faces)

    if not faces:
        return 0.0
    sizes = _list_read_sizes(faces[0], look)
    most = sum_sides(sizes[-1]) * MORE_SIDES
    return next(size for size in sizes if sum_sides(size) <= most)


def choose_unit_sizes(faces: Sequence[Face], look: CardLook) -> dict[Face, float]:
    """Return the largest type size of each unit that does not add a side, at most SPREAD above the smallest."""
    sizes: dict[Face, float] = {}
    for face in faces:
        sizes[face] = _choose_size(partial(_fill_unit, face, look), look.stock.texts)
    least = min(sizes.values(), default=0.0)
    return {face: min(size, least + SPREAD) for face, size in sizes.items()}


def grow_type(face: Face, look: CardLook, size: float) -> CardLook:
    room = _measure_room(look)
    sides = _fill_unit(face, look, size)
    used = sum_heights(sides[0]) + _measure_below(_build_unit_boxes(face, look))
    if face.datasheet is None or look.is_large or len(sides) > 1 or used > MOST_USED * room:
        return look
    for growth in GROWTHS:
        grown = replace(look, growth=growth)
        row = build_boxes(face.datasheet.tracks, grown.stock, look.room, "A", BOXES_GAP)
        fits_boxes = face.datasheet.count * (row.content_height + BOXES_GAP) <= BOXES_SHARE * room
        if fits_boxes and len(_fill_unit(face, grown, size * growth)) == 1:
            return grown
    return look


def _choose_size(fill: Callable[[float], list[list[Part]]], sizes: Sequence[float]) -> float:
    fewest = len(fill(sizes[-1]))
    return next(size for size in sizes if len(fill(size)) <= fewest)


def _set_face(face: Face, look: CardLook, size: float) -> list[SafeString]:
    match face.kind:
        case FaceKind.PLAIN:
            return [_set_back(face, look)]
        case FaceKind.TOKEN:
            return [_set_token(face, look)]
        case FaceKind.ACTION:
            return [_set_action(face, look)]
    if face.datasheet:
        look = grow_type(face, look, size)
        size *= look.growth
        boxes = _build_unit_boxes(face, look)
        return _set_sides(face, look, _fill_unit(face, look, size), boxes)

    size = size or _choose_size(partial(_fill_read, face, look), _list_read_sizes(face, look))
    return _set_sides(face, look, _fill_read(face, look, size), _build_points(face, look))


def _list_read_sizes(face: Face, look: CardLook) -> list[float]:
    texts = look.stock.texts
    if look.is_large:
        return LARGE_SIZES if face.is_reference else [size for size in (*READ_SIZES, *texts) if size >= LARGE_SIZES[-1]]
    if face.is_reference:
        return [*texts, *(size for size in (REFERENCE_SIZE,) if size < texts[-1])]
    # Small cards have no large sizes.
    sizes = [size for size in READ_SIZES if size <= look.card_format.width / 4.8] or [texts[-1]]
    return [*sizes, *(size for size in texts if size < sizes[-1])]


def count_sides(face: Face, look: CardLook) -> int:
    if face.datasheet:
        return len(_fill_unit(face, look, look.stock.texts[-1]))
    return len(_fill_read(face, look, _list_read_sizes(face, look)[-1]))


# The contents of the sides of a card.


def _measure_room(look: CardLook) -> float:
    return look.card_format.height - look.stock.top - look.stock.bottom


def _fill_unit(face: Face, look: CardLook, size: float) -> list[list[Part]]:
    if face.datasheet is None:
        return [[]]
    stock, room = look.stock, look.room
    parts = [
        *build_profile_parts(face.datasheet, stock, room),
        *build_store_parts(face.datasheet, stock, room),
        *build_weapon_parts(face.datasheet, stock, size, room),
        *build_text_parts(face.datasheet, size, room),
    ]
    below = _measure_below(_build_unit_boxes(face, look))
    return fill_faces(parts, _measure_room(look) - below, _measure_room(look))


def _measure_below(below: Solid | None) -> float:
    return below.height + ABOVE_BOXES if below else 0.0


def _build_unit_boxes(face: Face, look: CardLook) -> Solid | None:
    sheet = face.datasheet
    if sheet is None:
        return None
    # However many units share a card, its text needs room next to their boxes.
    most = _measure_room(look) * BOXES_SHARE
    height = 0.0
    rows: list[SafeString] = []
    for letter in list_letters(sheet.count) if sheet.tracks else ():
        row = build_boxes(sheet.tracks, look.stock, look.room, letter, BOXES_GAP)
        if height + row.content_height + BOXES_GAP > most:
            break
        height += row.content_height + BOXES_GAP
        rows.append(row.content)
    # The keywords are the last line of the front.
    for part in build_keyword_part(sheet, look.stock.texts[-1], look.room - 0.3):
        rows.append(part.render())
        height += part.height
    return Solid(height, join(rows)) if rows else None


def list_letters(count: int) -> list[str]:
    """Return letters for equal units, or [""] for a single unit.

    >>> list_letters(1), list_letters(3)
    ([''], ['A', 'B', 'C'])
    """
    if count == 1:
        return [""]
    return [f"{chr(ord('A') + number % 26)}{number // 26 or ''}" for number in range(count)]


def _fill_read(face: Face, look: CardLook, size: float) -> list[list[Part]]:
    room = look.room
    parts = build_lead(face.lead, max(size - 1.0, look.stock.texts[-1]), room, 1.6)
    for block in face.blocks:
        if face.is_reference:
            runs = (TextRun(f"{end_sentence(block.label)} ", "bold", size), *read_text(" ".join(block.texts), size))
            parts.append(Paragraph(runs, room, size, REFERENCE_LEADING, "", 0.5, flows=True))
        else:
            parts += build_block_parts(block, size, room)
    below = _measure_below(_build_points(face, look))
    return fill_faces(parts, _measure_room(look) - below - 1.0, _measure_room(look) - 1.0)


def build_lead(text: str, size: float, room: float, gap: float) -> list[Part]:
    if not text:
        return []
    return [Paragraph((TextRun(format_negatives(text), "semi", size),), room, size, READ_LEADING, "lead", gap)]


def build_block_parts(block: FaceBlock, size: float, room: float) -> list[Part]:
    parts: list[Part] = []
    if block.figure:
        drawing = tag("div", block.figure, css="figure")
        parts.append(Solid(room * block.figure_ratio, drawing, 1.0))

    texts: list[tuple[TextRun, ...]] = [(TextRun(format_negatives(text), "text", size),) for text in block.texts]
    label = format_negatives(block.label)
    if label and texts:
        texts[0] = (TextRun(f"{end_sentence(label)} ", "bold", size), *texts[0])
    elif label:
        texts = [(TextRun(label, "bold", size), TextRun("", "text", size))]
    parts += [Paragraph(runs, room, size, READ_LEADING, "", 1.0) for runs in texts]
    for row in block.rows:
        # Readers look up the name of a sentence, or the points of a way to score.
        name, value = format_negatives(row.name), format_negatives(row.value)
        row_runs: tuple[TextRun, ...] = (TextRun(f"{name}: ", "bold", size), TextRun(value, "text", size))
        if not value:
            row_runs = (TextRun(name, "text", size),)
        elif row.points:
            row_runs = (TextRun(f"{value} ", "bold", size), TextRun(name, "text", size))
        parts.append(Paragraph(row_runs, room, size, READ_LEADING, "", 0.8))
    return parts


def _build_points(face: Face, look: CardLook) -> Solid | None:
    if not face.points and not face.rounds:
        return None
    ring = min(14.0, look.card_format.width * 0.22)
    box = ring * 0.33
    parts = []
    if face.rounds:
        label = words.get_label("round")
        top, size = ring - box, look.stock.head + 1
        left = measure_width(label, "semi", size) + 1.0
        parts.append(tag("p", label, css="t", style=place(left=0.0, top=top, line=box, size=size)))
        for number in range(1, face.rounds + 1):
            where = place(left=left + (number - 1) * (box + 0.8), top=top, width=box, line=box - 0.5, size=size)
            parts.append(tag("p", str(number), css="rd", style=where))
    if face.points:
        colour = f"border-color:{look.dark}"
        style = place(width=ring, height=ring, size=ring / POINT * 0.5, line=ring * 0.76, more=colour)
        word = tag("small", words.get_label("points"), style=place(top=ring * 0.6))
        parts.append(tag("div", face.points, word, css="vp", style=style))
    return Solid(ring, tag("div", *parts, css="tr", style=place(height=ring)))


def _set_sides(face: Face, look: CardLook, sides: Sequence[Sequence[Part]], below: Solid | None) -> list[SafeString]:
    stock = look.stock
    html = []
    for number, parts in enumerate(sides):
        is_front = number == 0
        room = _measure_room(look) - (_measure_below(below) if is_front else 0.0)
        body = render_parts(list(parts), room, MOST_GAP)
        pieces = [
            _set_band(face, look, is_front=is_front),
            tag("div", body, css="body", style=place(left=stock.safe, top=stock.top, width=look.room)),
        ]
        if below and is_front:
            where = place(left=stock.safe, top=look.foot_top - below.height - BOXES_GAP, width=look.room)
            pieces.append(tag("div", below.content, css="body", style=where))
        if is_front and face.datasheet and look.has_frame:
            pieces += draw_corners(look.frame, look.dark)
        pieces.append(_set_foot(face, look, _describe_side(number, len(sides))))
        html.append(_wrap(look, pieces))
    return html


def _describe_side(number: int, count: int) -> str:
    """Write the page number at the foot of a side.

    >>> _describe_side(0, 1), _describe_side(0, 2), _describe_side(1, 3), _describe_side(2, 3)
    ('', 'over » 1/2', 'next card » 2/3', '3/3')
    """
    if count == 1:
        return ""
    turn = f"{number + 1}/{count}"
    if number + 1 == count:
        return turn
    return f"{words.get_label('next card' if number % 2 else 'over')} » {turn}"


def _wrap(look: CardLook, pieces: Sequence[SafeString]) -> SafeString:
    if look.saves_ink and not look.fills_sheet:
        pieces = [*pieces, tag("div", css="cut")]
    return tag("section", *pieces, css="card saver" if look.saves_ink else "card")


def _set_band(face: Face, look: CardLook, *, is_front: bool) -> SafeString:
    stock, edge = look.stock, max(0.0, look.stock.inset)
    head = _fit_head(face, look, is_front=is_front)
    corner, has_frame, left = head.corner, head.has_frame, head.left
    is_filled = is_front and not look.saves_ink
    out = look.bleed
    away = mm(edge or -out)
    height = stock.band - edge + (0.0 if edge else out)
    paint = f"background:{look.dark}" if is_filled else f"border-bottom:.4mm solid {look.line_colour}"
    style = f"left:{away};right:{away};top:{away};height:{mm(height)};{paint}"

    middle = edge + (stock.band - edge) / 2
    card_width, colours = look.card_format.width, {"dark": look.dark, "light": look.light}
    pieces = [tag("div", css="field", style=style)]
    if has_frame:
        pieces = list(draw_band(look.frame, card_width, stock.band, out, look.dark))
    pieces += _set_emblem(head.sign, left, middle - stock.emblem / 2, stock.emblem)
    pieces += _set_name(head, look, middle, is_front=is_front)
    if corner and has_frame:
        pieces += draw_number(look.frame, corner, card_width, stock.band, **colours)
    elif corner:
        pieces.append(_set_corner(face, corner, look, middle, left))
    return tag("div", *pieces, css=_mark_filled("band", is_filled))


def _set_emblem(sign: str, left: float, top: float, size: float) -> list[SafeString]:
    return [tag("p", sign, css="em", style=place(left=left, top=top, size=size / POINT, line=size))] if sign else []


def _fit_name(face: Face, stock: Stock, room: float) -> FittedText:
    largest, least = stock.names
    return fit_text(face.title, "name", room, largest, least, MOST_LONG_LINES, least * 0.95 if least > 8 else least)


@dataclass(frozen=True, slots=True, kw_only=True)
class _FittedHead:
    """The head of a side. `beside` is the room of its symbol."""

    name: FittedText
    kicker: FittedText
    corner: str
    sign: str
    left: float
    beside: float
    room: float
    has_frame: bool

    @property
    def is_full(self) -> bool:
        return self.kicker.size < LEAST_KICKER


def _fit_head(face: Face, look: CardLook, *, is_front: bool) -> _FittedHead:
    stock = look.stock
    corner, sign = (face.corner, find_sign(face.icon or look.emblem)) if is_front else ("", "")
    left = stock.safe + max(0.0, stock.inset) * 0.3
    room = look.card_format.width - 2 * left
    has_frame = look.has_frame and is_front and face.datasheet is not None
    if corner and has_frame:
        room -= measure_plate(look.frame, stock.band) - left + 1.5
    elif corner:
        width = stock.corner * POINT * 1.35 if face.is_boxed else measure_width(corner, "name", stock.corner)
        room -= width + 1.5

    # A symbol leaves the band to a name that needs more than two lines beside it.
    beside = stock.emblem + EMBLEM_GAP if sign else 0.0
    name = _fit_name(face, stock, room - beside)
    if sign and (len(name.lines) > MOST_LINES or name.size < LEAST):
        sign, name, beside = "", _fit_name(face, stock, room), 0.0

    kicker = face.kicker if is_front else words.get_label("continued")
    left_below = stock.band - stock.inset - 2 * CLEAR - name.size * NAME_LEADING * POINT * len(name.lines)
    # A text on one line is never smaller than on two lines.
    two_lines = min(stock.kicker, left_below / MOST_LINES / KICKER_LEADING / POINT)
    most = MOST_LINES if two_lines >= LEAST_KICKER else 1
    return _FittedHead(
        name=name,
        kicker=fit_text(kicker, "semi", room - beside, stock.kicker, max(two_lines, LEAST_KICKER), most),
        corner=corner,
        sign=sign,
        left=left,
        beside=beside,
        room=room,
        has_frame=has_frame,
    )


def move_long_kicker(face: Face, look: CardLook) -> Face:
    """Move what does not fit below a face's name to the top of its text."""
    if face.kind is not FaceKind.CARD or not _fit_head(face, look, is_front=True).is_full:
        return face
    parts = face.kicker.split(BETWEEN)
    for count in range(len(parts) - 1, -1, -1):
        kicker, rest = BETWEEN.join(parts[:count]), parts[count:]
        if face.datasheet:
            lines = (("", tuple(rest)), *face.datasheet.lines)
            moved = replace(face, kicker=kicker, datasheet=replace(face.datasheet, lines=lines))
        else:
            lead = " ".join(filter(None, (end_sentence(BETWEEN.join(rest)), face.lead)))
            moved = replace(face, kicker=kicker, lead=lead)
        if not _fit_head(moved, look, is_front=True).is_full:
            return moved
    return face


def _set_name(head: _FittedHead, look: CardLook, middle: float, *, is_front: bool) -> list[SafeString]:
    height = look.stock.band - look.stock.inset - 2 * CLEAR
    stack = _TextStack(head.left + head.beside, middle, height)
    return stack.render("h1" if is_front else "p", head.name, head.kicker)


@dataclass(frozen=True, slots=True)
class _TextStack:
    left: float
    middle: float
    height: float

    def render(self, element: str, name: FittedText, below: FittedText) -> list[SafeString]:
        line, low = name.size * NAME_LEADING * POINT, below.size * KICKER_LEADING * POINT
        rows, low_rows = len(name.lines), len(below.lines) if below.lines[0] else 0
        # Lines that would come near the cut are set smaller together.
        share = min(1.0, self.height / (line * rows + low * low_rows))
        line, low = line * share, low * share
        top = self.middle - (line * rows + low * low_rows) / 2
        where = place(left=self.left, top=top, size=name.size * share, line=line)
        pieces = [tag(element, break_lines(name.lines), css="n", style=where)]
        if low_rows:
            size = max(below.size * share, min(below.size, LEAST_KICKER))
            where = place(left=self.left, top=top + line * rows, size=size, line=low)
            pieces.append(tag("p", break_lines(below.lines), css="k", style=where))
        return pieces


def _set_corner(face: Face, corner: str, look: CardLook, middle: float, edge: float) -> SafeString:
    size = look.stock.corner
    if not face.is_boxed:
        line = size * NAME_LEADING * POINT
        style = place(right=edge, top=middle - line / 2, size=size, line=line, more=f"color:{look.light_colour}")
        return tag("p", corner, css="pts", style=style)
    box = size * POINT * 1.3
    size = fit_text(corner, "name", box - 0.8, size * 0.93, 6.0).size
    style = place(right=edge, top=middle - box / 2, width=box, height=box, line=box - 0.7, size=size)
    return tag("p", corner, css="pip" if face.is_cost else "die", style=style)


def _set_foot(face: Face, look: CardLook, mark: str) -> SafeString:
    stock = look.stock
    fitted = _fit_foot(face.foot, mark, look, look.foot_lines)
    rows = len(fitted.lines)
    # The last line is at the bottom, with the number of the side.
    top = look.foot_top + (look.foot_lines - rows) * stock.foot_line
    style = place(left=stock.safe, right=stock.safe, top=top, size=fitted.size, line=stock.foot_line)
    number = place(top=(rows - 1) * stock.foot_line, size=stock.foot)
    children = [break_lines(fitted.lines)]
    if mark:
        children.append(tag("span", mark, style=number))
    return tag("p", *children, css="foot", style=style)


def _fit_foot(text: str, mark: str, look: CardLook, lines: int) -> FittedText:
    """Fit a foot, leaving room for the side's number on the last line."""
    size = look.stock.foot
    # Spaces that do not break take the room of the number.
    room = (measure_width(mark, "bold", size) + 2.0) / measure_width(NO_BREAK, "text", size) if mark else 0
    blank = NO_BREAK * ceil(room)
    fitted = fit_text(f"{text} {blank}".rstrip(" "), "text", look.room, size, size, lines)
    *above, last = fitted.lines
    return FittedText((*above, last.rstrip(f" {NO_BREAK}")), fitted.size)


def count_foot_lines(faces: Iterable[Face], look: CardLook) -> int:
    """Count the lines that the feet of all cards need, at most `MOST_LINES`."""
    most, mark = 1, _describe_side(0, MOST_LINES)
    for foot in dict.fromkeys(face.foot for face in faces if face.kind is not FaceKind.PLAIN):
        most = max(most, len(_fit_foot(foot, mark, look, MOST_LINES).lines))
    return most


# Cards in two halves, backs, tokens.


def _set_action(face: Face, look: CardLook) -> SafeString:
    height = (look.card_format.height - look.stock.bottom - 1.0) / len(face.halves)
    pieces: list[SafeString] = []
    for number, half in enumerate(face.halves):
        pieces += _set_half(half, look, number * height, height, is_first=number == 0)
    return _wrap(look, [*pieces, _set_foot(face, look, "")])


def _set_half(half: CardHalf, look: CardLook, top: float, height: float, *, is_first: bool) -> list[SafeString]:
    stock = look.stock
    band = stock.band * 0.85
    is_filled = is_first and not look.saves_ink
    middle = top + band / 2 + (0.5 if is_first else 0.0)

    # The cost is left of the symbol; the name takes the remaining room.
    right = look.card_format.width - stock.safe
    costs: list[SafeString] = []
    if sign := find_sign(half.icon):
        size = band * 0.56
        right -= size
        costs += _set_emblem(sign, right, middle - size / 2, size)
        right -= 1.0
    if half.cost:
        ring = band * 0.68
        right -= ring
        size = ring / POINT * 0.62
        where = place(left=right, top=middle - ring / 2, width=ring, height=ring, line=ring - 0.8, size=size)
        costs.append(tag("p", half.cost, css="ring", style=where))
        right -= 1.5

    # The colour extends beyond the cut, so that no white edge shows.
    out = look.bleed
    above = out if is_filled else 0.0
    lines = f"border-top:.4mm solid {look.dark};border-bottom:.4mm solid {look.dark}"
    paint = f"background:{look.dark}" if is_filled else lines
    field = place(left=-out, right=-out, top=top - above, height=band + above, more=paint)

    room = right - stock.safe
    name = fit_text(half.title, "name", room, stock.names[0], stock.names[1] - 1.0, MOST_LINES)
    note = fit_text(half.note, "semi", room, stock.kicker, stock.kicker * LEAST_NOTE, MOST_LINES)
    head = tag(
        "div",
        tag("div", css="field", style=field),
        *_TextStack(stock.safe, middle, band - 0.8).render("h2", name, note),
        *costs,
        css=_mark_filled("band", is_filled),
    )
    return [head, *_set_half_body(half, look, top + band, height - band)]


def _set_half_body(half: CardHalf, look: CardLook, top: float, height: float) -> list[SafeString]:
    stock = look.stock
    if not half.text:
        gap = height / (LINES_TO_WRITE + 0.6)
        style = place(left=stock.safe, right=stock.safe)
        tops = [top + gap * number for number in range(1, LINES_TO_WRITE + 1)]
        return [tag("div", css="ln", style=f"{style};top:{mm(line_top)}") for line_top in tops]

    text = " ".join(half.text.split())
    sizes = [size for size in READ_SIZES if size <= 10.0]
    sizes += [size for size in (*stock.texts, *SMALL_SIZES) if size < READ_SIZES[-1]]
    parts = [Paragraph((TextRun(text, "text", size),), look.room, size, READ_LEADING) for size in sizes]
    body = next((part for part in parts if part.height <= height - 1.5), parts[-1]).render()
    return [tag("div", body, css="body", style=place(left=stock.safe, top=top + 1.0, width=look.room))]


def _mark_filled(css: str, is_filled: bool) -> str:
    return f"{css} on" if is_filled else css


LEAST_ON_BACK = 6.0
"""The smallest type of one line on a back, in points; longer texts take two lines."""


def _set_back(face: Face, look: CardLook) -> SafeString:
    """Set a back whose frame is far enough inside to hide small misalignments."""
    width, height = look.card_format.width, look.card_format.height
    inset = min(6.0, width * 0.1)
    filled = not look.saves_ink
    emblem = width * 0.44
    room = width - 2 * inset - 4.0
    largest = look.stock.names[0] * 1.15
    name_top = height * 0.59
    small = max(look.stock.kicker, 7.0)
    ground = [
        _set_frame("field", -look.bleed, f"background:{look.dark if filled else 'none'}"),
        _set_frame("frame", inset, f"border-color:{look.light_colour}"),
    ]
    if look.has_frame:
        colours = {"dark": look.dark, "light": look.light, "title": face.title}
        ground = [draw_back(look.frame, (width, height), look.bleed, **colours)]
    pieces = [*ground, *_set_emblem(find_sign(face.icon or look.emblem), (width - emblem) / 2, height * 0.2, emblem)]
    title = _fit_on_back(face.title, room, largest, "n")
    pieces.append(_center(title, width, name_top, "n"))
    below = name_top + len(title.lines) * title.size * 1.2 * POINT + 1.0
    lead = _fit_on_back(face.lead, room, small + 2.0, "of")
    pieces.append(_center(lead, width, below, "of", look.light if filled else ""))
    foot = " · ".join(filter(None, (face.foot, face.kicker)))
    fitted = _fit_on_back(foot, room, small - 0.5, "k")
    # The last line has the same place on every back.
    foot_top = height - inset - small * 1.3 * POINT - 2.0 - (len(fitted.lines) - 1) * fitted.size * 1.2 * POINT
    pieces.append(_center(fitted, width, foot_top, "k"))
    return _wrap(look, [tag("div", *pieces, css=_mark_filled("back", filled))])


def _set_frame(css: str, inset: float, paint: str) -> SafeString:
    return tag("div", css=css, style=place(left=inset, right=inset, top=inset, bottom=inset, more=paint))


def _fit_on_back(text: str, room: float, size: float, css: str) -> FittedText:
    return fit_text(text, "name" if css == "n" else "semi", room, size, LEAST_ON_BACK, MOST_LINES, size)


def _center(fitted: FittedText, width: float, top: float, css: str, colour: str = "") -> SafeString:
    more = f"color:{colour}" if colour else ""
    style = place(left=0.0, width=width, top=top, size=fitted.size, line=fitted.size * 1.2 * POINT, more=more)
    return tag("h1" if css == "n" else "p", break_lines(fitted.lines), css=f"{css} mid", style=style)


def _set_token(face: Face, look: CardLook) -> SafeString:
    size = look.card_format.width
    is_filled = face.inverse and not look.saves_ink
    # The places of emblem, label and text; a number fits between the last two.
    emblem_top, label_top, lead_top = (0.13, 0.49, 0.86) if face.corner else (0.2, 0.58, 0.72)
    emblem = size * 0.34

    colour = look.line_colour
    border, paint = f"{mm(0.6)} solid {colour}", ""
    if face.inverse and look.saves_ink:
        border = f"{mm(1.6)} double {colour}"
    elif face.inverse:
        paint = f"background:{colour};"
    sides = f"left:{mm(0.2)};right:{mm(0.2)};top:{mm(0.2)};bottom:{mm(0.2)}"

    pieces = [tag("div", css="disc", style=f"{sides};border:{border};{paint}")]
    pieces += _set_emblem(find_sign(face.icon), (size - emblem) / 2, size * emblem_top, emblem)
    largest = 8.0 if size > 30 else 6.5
    texts = (
        (face.title, 0.72, size * label_top, largest, "k"),
        (face.corner, 0.5, size * 0.6, size * 0.6, "n"),
        (face.lead, 0.5, size * lead_top - 1.5, largest - 1.0, "k"),
    )
    for text, share, top, largest, css in texts:
        if text:
            fitted = _fit_on_back(text, size * share, largest, css)
            pieces.append(_center(fitted, size, top, css))
    return tag("section", tag("div", *pieces, css=_mark_filled("token", is_filled)), css="card")
