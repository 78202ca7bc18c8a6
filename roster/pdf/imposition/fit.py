"""Estimate what a face needs on a card before it is laid out: the size of type, the columns of a table.

Estimates save time and make tables readable. Whether a face fits is for the layout to say.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import ceil, inf

from roster.pdf.imposition.card_face import Face, FaceBlock, FaceKind, FigureGrid
from roster.pdf.imposition.card_format import CardFormat
from roster.pdf.text_width import AVERAGE, measure_widest_word, measure_width

POINT = 25.4 / 72
"""Millimetres of a point."""
_TYPE_BY_WIDTH = ((30.0, 6.6), (50.0, 7.2), (66.0, 8.6), (90.0, 9.2), (120.0, 10.4))
_LARGEST_TYPE = 12.0
SIDES, TOP = 8.0, 5.0
"""Millimetres that a card keeps free left and right together, and above."""
_FOOT_GAP, _FOOT_EDGE, _FOOT_LINE = 0.7, 2.3, 1.1
"""Millimetres above a foot, and between it and the cut; how tall its lines are, in sizes of its type."""
_LETTER, _BOLD, _LINE = 0.48, 0.55, 1.28
"""How wide a letter and how tall a line is, in sizes of type."""
_HOPE = 1.04
"""Guesses are a little high in the middle."""
_FIGURE = 0.6
"""How wide a bold figure is at most."""
_BROAD = 0.7
"""How wide a letter of a bold word is at most."""
_BESIDE = 0.6
"""What a value keeps free on its left, in sizes of type."""
_NAMES = 0.32
"""What the names of a table take at most, unless a word of theirs is wider."""
_MOST_NAMES = 0.6
"""What a wide word makes them take at most; beyond that it is broken."""
_LEAST_VALUES, _MOST_VALUES = 45, 62
"""What the values of rows take at least where they are sentences, at most where they are not, in hundredths."""
_FOOT = 0.62
"""How large the type of a foot is, in usual sizes."""
_SURE = 0.96
"""How much of a line may be filled by measure, so that it is one line in print."""
_FRAME = 16.0
"""Millimetres that a back keeps free left and right of its title together."""
SMALLEST_TYPE = 5.4
"""Points. Smaller than this nothing is printed; the heads of tables are of that size."""


def choose_usual_type(card_format: CardFormat) -> float:
    """Return the usual size of type of such a card, in points: that of its band, of tokens and of backs."""
    return next((size for width, size in _TYPE_BY_WIDTH if card_format.width < width), _LARGEST_TYPE)


def choose_foot_type(card_format: CardFormat) -> float:
    """Return the size of type at the foot of such a card, in points."""
    return max(SMALLEST_TYPE, round(choose_usual_type(card_format) * _FOOT, 2))


def measure_room_below(card_format: CardFormat, lines: int) -> float:
    """Return the millimetres that a card keeps free below for a foot of so many lines."""
    return round(_FOOT_GAP + lines * _FOOT_LINE * choose_foot_type(card_format) * POINT + _FOOT_EDGE, 2)


def has_tall_foot(face: Face, card_format: CardFormat) -> bool:
    """Say whether the foot of a card takes two lines."""
    width = measure_width(face.foot) * AVERAGE / 100 * choose_foot_type(card_format) * POINT
    return face.kind is FaceKind.CARD and width > (card_format.width - SIDES) * _SURE


def guess_type_step(face: Face, card_format: CardFormat, sizes: Sequence[float], sides: int = 1) -> int:
    """Return the index in `sizes` of the largest type in which a face should fit on so many sides, or the last one."""
    usual = choose_usual_type(card_format)
    if face.kind is not FaceKind.CARD:
        return next(index for index, size in enumerate(sizes) if size <= usual)
    below = measure_room_below(card_format, 2 if has_tall_foot(face, card_format) else 1)
    room = (card_format.height - TOP - below) * sides * _HOPE - _estimate_band_height(
        face, card_format, usual
    )
    return next(
        (index for index, size in enumerate(sizes) if _estimate_body_height(face, card_format, size) <= room),
        len(sizes) - 1,
    )


def fit_back_title(faces: Sequence[Face], card_format: CardFormat, largest: float) -> float:
    """Return the type of titles on backs, in points: the largest in which none of their words is broken."""
    words = [len(word) for face in faces if face.kind is FaceKind.PLAIN for word in face.title.split()]
    if not words:
        return largest
    return max(SMALLEST_TYPE, min(largest, (card_format.width - _FRAME) / (max(words) * _BROAD * POINT)))


def fit_tables(face: Face, card_format: CardFormat, size: float) -> Face:
    """Return the face with tables cut in parts if the card is too narrow for all columns, and with unbroken names."""
    if not any(block.grid or block.rows for block in face.blocks):
        return face
    room = card_format.width - SIDES
    blocks = tuple(
        _share_row_width(part, room, size) for block in face.blocks for part in _split_grid(block, room, size)
    )
    return replace(face, blocks=blocks)


def _share_row_width(block: FaceBlock, room: float, size: float) -> FaceBlock:
    """Return a block whose rows leave room for the longest word of the names, or of the values if they are long."""
    if not block.rows:
        return block
    words = (row.name if block.long else row.value for row in block.rows)
    need = max(_estimate_word_width(text, size, _BROAD) for text in words) + _BESIDE * size * POINT
    share = ceil(100 * need / room)
    if block.long:
        return replace(block, values=max(_LEAST_VALUES, min(block.share, 100 - share)))
    return replace(block, values=max(block.share, min(_MOST_VALUES, share)))


def _split_grid(block: FaceBlock, room: float, size: float) -> Iterator[FaceBlock]:
    """Yield a block with a grid as blocks with as many grids as it takes to fit their columns side by side."""
    grid = block.grid
    if grid is None:
        yield block
        return
    needs = [
        _measure_name_column(grid, room, size),
        *(_measure_column(grid, index, size) for index in range(1, len(grid.heads))),
    ]
    names = needs[0]
    alone = len(grid.lines) == 1
    indexes: list[int] = [0]
    taken = names
    label = block.label
    for index, need in enumerate(needs[1:], 1):
        if taken + need > room and len(indexes) > 1:
            yield FaceBlock(label=label, grid=_select_columns(grid, indexes, needs))
            # A single line needs its name once.
            indexes, taken, label = ([], 0.0, "") if alone else ([0], names, "")
        indexes.append(index)
        taken += need
    yield FaceBlock(label=label, grid=_select_columns(grid, indexes, needs))


def _measure_name_column(grid: FigureGrid, room: float, size: float) -> float:
    """Return the millimetres for the column of names: a small share of the room, but enough for the widest word."""
    names = [line[0] for line in grid.lines]
    words = max(measure_widest_word(names) * size, measure_widest_word(grid.heads[:1]) * SMALLEST_TYPE)
    widest = POINT * (words * AVERAGE / 100 + _BESIDE * size)
    return max(min(widest, room * _MOST_NAMES), min(_measure_column(grid, 0, size), room * _NAMES))


def _measure_column(grid: FigureGrid, index: int, size: float) -> float:
    """Return the millimetres that a column should have."""
    longest = max((len(line[index]) for line in grid.lines), default=1)
    head = measure_widest_word([grid.heads[index]]) * AVERAGE / 100
    letter = _FIGURE if index else _LETTER
    return POINT * (max(longest * letter * size, head * SMALLEST_TYPE) + 0.5 * size)


def _select_columns(grid: FigureGrid, indexes: Sequence[int], needs: Sequence[float]) -> FigureGrid:
    """Return some of the columns, which share the room by what they need."""
    wanted = [needs[index] for index in indexes]
    lines = tuple(tuple(line[index] for index in indexes) for line in grid.lines)
    shares = tuple(int(100 * need / sum(wanted)) for need in wanted)
    heads = tuple(grid.heads[index] for index in indexes)
    return FigureGrid(heads=heads, lines=lines, shares=shares, goes_on=0 not in indexes)


def _estimate_band_height(face: Face, card_format: CardFormat, usual: float) -> float:
    """Return the height of the band with the title, in millimetres."""
    beside = 2.6 * usual * POINT if face.icon else 0.0
    room = card_format.width - SIDES - beside - len(face.corner) * usual * POINT
    kicker = _count_lines(face.kicker, room, max(SMALLEST_TYPE, usual * 0.7)) * usual * 0.7 * _LINE
    return 1.3 + POINT * (_count_lines(face.title, room, usual * 1.32, _BOLD) * usual * 1.48 + kicker)


def _estimate_body_height(face: Face, card_format: CardFormat, size: float) -> float:
    """Return the height of all that is below the band, in millimetres."""
    room = card_format.width - SIDES
    lead = _count_lines(face.lead, room, size) * _LINE + 0.5 if face.lead else 0.0
    blocks = fit_tables(face, card_format, size).blocks
    return sum(_estimate_block_height(block, room, size) for block in blocks) + lead * size * POINT


def _estimate_block_height(block: FaceBlock, room: float, size: float) -> float:
    lines = _count_lines(block.label, room, size, _BOLD) * _LINE + 0.55
    for text in block.texts:
        lines += _count_lines(text, room, size) * _LINE + 0.25
    share = block.share / 100
    names, values = room * (1 - share), room * share
    for row in block.rows:
        if _estimate_word_width(row.value, size, _FIGURE) > values:
            return inf
        if _estimate_word_width(row.name, size, _BOLD) > names:
            return inf
        row_lines = max(1, _count_lines(row.name, names, size), _count_lines(row.value, values, size, _BOLD))
        lines += row_lines * _LINE + 0.32
    if block.grid:
        lines += 1.5
        for line in block.grid.lines:
            lines += max(1, _count_lines(line[0], room * _NAMES, size)) * _LINE + 0.32
    return lines * size * POINT + (room * 0.8 if block.figure else 0.0)


def _estimate_word_width(text: str, size: float, letter: float) -> float:
    """Return the width of the longest word, in millimetres."""
    return max(map(len, text.split()), default=0) * letter * size * POINT


def _count_lines(text: str, room: float, size: float, letter: float = _LETTER) -> int:
    """Return how many lines a text takes."""
    return ceil(len(text) * letter * size * POINT / max(room, 1.0))
