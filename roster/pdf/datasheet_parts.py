"""The parts of a unit on paper: profile, weapons, abilities, boxes. Cards and sheets are made of the same ones."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, repeat

from django.utils.safestring import SafeString

from roster.pdf.datasheets import INVULNERABLE
from roster.pdf.flow import FittedRow, Paragraph, Part, RowTable, Solid, format_notes, read_text, render_runs
from roster.pdf.markup import choose_width_class, join, mm, tag
from roster.pdf.shapes import Ability, Datasheet, ProfileRow, ProfileTable, Track, WeaponRow, WeaponTable
from roster.pdf.stock import LEADING, Stock
from roster.pdf.type.measure import POINT, TextRun, count_lines, fit_line, has_wide_word, measure_width
from roster.pdf.type.signs import BOX, find_phase_mark
from roster.wording import cards as words

GAP = 0.9
"""Millimetres below a table."""
LEAST_FIGURES = 7.0
CELL_AIR = 0.5
WEAPON_AIR = 1.3
LEAST_WEAPON_COLUMN = 0.078
"""Of the width of the table: figures of neighbouring cards then are in the same places."""
LABEL_SHARE = 0.34
"""What the labels of models take of a profile at most."""


def build_profile_parts(sheet: Datasheet, stock: Stock, room: float, gap: float = GAP) -> list[Part]:
    """Return the profile that a unit begins with, then tables with other columns."""
    if sheet.profile is None:
        return []
    tables = (_cut_heads(table, stock, room) for table in (sheet.profile, *sheet.more_profiles))
    smaller = replace(stock, figures=max(LEAST_FIGURES, stock.figures - 1.0))
    first, *others = chain.from_iterable(tables)
    return [_build_profile(first, stock, room, gap), *(_build_profile(table, smaller, room, gap) for table in others)]


def _cut_heads(table: ProfileTable, stock: Stock, room: float) -> list[ProfileTable]:
    """Return a table whose columns do not fit even in the least type as two, half of the columns in each."""
    needs = _measure_columns(table, stock, LEAST_FIGURES)
    # Fewer columns than four are not cut: half of them would say too little on its own.
    if sum(needs) + _measure_labels(table, stock, room) <= room or len(table.heads) < 4:
        return [table]
    half = (len(table.heads) + 1) // 2
    return [
        *_cut_heads(_take_columns(table, slice(0, half)), stock, room),
        *_cut_heads(_take_columns(table, slice(half, None)), stock, room),
    ]


def _take_columns(table: ProfileTable, part: slice) -> ProfileTable:
    rows = tuple(replace(row, cells=row.cells[part], changed=row.changed[part]) for row in table.rows)
    return ProfileTable(table.title, table.heads[part], rows)


def _measure_columns(table: ProfileTable, stock: Stock, size: float) -> list[float]:
    """Return what each column needs in figures of this size."""
    needs = []
    for index, head in enumerate(table.heads):
        cells = (measure_width(row.cells[index], "bold", size) for row in table.rows)
        needs.append(max(*cells, measure_width(head, "semi", stock.head)) + CELL_AIR)
    return needs


def _measure_labels(table: ProfileTable, stock: Stock, room: float) -> float:
    widths = list(_list_label_widths(table, stock))
    return min(room * LABEL_SHARE, max(widths) + 1.0) if widths else 0.0


def _list_label_widths(table: ProfileTable, stock: Stock) -> Iterator[float]:
    """Yield how wide each label of a table is, and its title."""
    for label in filter(None, shorten_labels([row.label for row in table.rows])):
        yield measure_width(label, "semi", stock.texts[-1])
    if table.title:
        yield measure_width(table.title, "semi", stock.head)


def _is_bracketed(label: str) -> bool:
    """Return whether a label ends in brackets, in which community data says what models carry."""
    return label.endswith(")") and "(" in label


def shorten_labels(labels: Sequence[str]) -> list[str]:
    """Return what tells models of one unit apart.

    >>> shorten_labels(["Skorpekh Destroyer (Thresher)", "Skorpekh Destroyer (Reap-Blade)"])
    ['Thresher', 'Reap-Blade']
    >>> shorten_labels(["SecDef Trooper", "SecDef Sergeant"])
    ['Trooper', 'Sergeant']
    """
    named = [label for label in labels if label]
    if len(named) < 2:
        return list(labels)
    return list(map(_take_bracketed, labels)) if all(map(_is_bracketed, named)) else _drop_same_words(labels, named)


def _take_bracketed(label: str) -> str:
    return label.partition("(")[2].removesuffix(")")


def _drop_same_words(labels: Sequence[str], named: Sequence[str]) -> list[str]:
    # Leading words that all share say nothing; what is left of each is where they differ.
    same = _count_same_words([label.split() for label in named])
    return [" ".join(label.split()[same:]) for label in labels]


def _count_same_words(names: Sequence[Sequence[str]]) -> int:
    """Return with how many equal words names begin, at least the last one of each left out."""
    shortest = min(len(name) for name in names) - 1
    for index in range(shortest):
        if len({name[index] for name in names}) > 1:
            return index
    return max(0, shortest)


def _build_profile(table: ProfileTable, stock: Stock, room: float, gap: float) -> Solid:
    labels = shorten_labels([row.label for row in table.rows])
    label_width = _measure_labels(table, stock, room)
    size = min(stock.figures, max(8.0, stock.figures - 2.5)) if label_width else stock.figures
    # Labels have their room first: without them nobody knows whose figures these are.
    size = _shrink_figures(table, stock, size, room - label_width)
    needs = _measure_columns(table, stock, size)
    free = max(0.0, room - label_width - sum(needs)) / len(needs)
    widths = [need + free for need in needs]
    head_height, row_height = stock.head * 1.12 * POINT + 0.2, size * 1.16 * POINT
    head = _build_profile_head(table, widths, label_width, stock, head_height)
    rows = [
        _build_profile_row(table, row, label, label_width, stock) for row, label in zip(table.rows, labels, strict=True)
    ]
    style = f"font-size:{size:g}pt;line-height:{mm(row_height)}"
    html = tag("table", head, *rows, css="prof", style=style)
    return Solid(head_height + row_height * len(rows), html, gap)


def _shrink_figures(table: ProfileTable, stock: Stock, size: float, room: float) -> float:
    """Return the size up to the given one in which all columns have room; the least where none is small enough."""
    # In steps of a quarter of a point: nobody sees smaller ones.
    while size > LEAST_FIGURES and sum(_measure_columns(table, stock, size)) > room:
        size -= 0.25
    return size


def _build_profile_head(
    table: ProfileTable, widths: Sequence[float], label_width: float, stock: Stock, height: float
) -> SafeString:
    cells = []
    if label_width:
        title = fit_line(table.title, "semi", label_width - CELL_AIR, stock.head, stock.head).text
        cells.append(tag("th", title, css=f"l {choose_width_class(label_width)}"))
    for head, width in zip(table.heads, widths, strict=True):
        cells.append(tag("th", head, css=choose_width_class(width)))
    return tag("tr", *cells, style=f"font-size:{stock.head:g}pt;line-height:{mm(height)}")


def _build_profile_row(
    table: ProfileTable, row: ProfileRow, label: str, label_width: float, stock: Stock
) -> SafeString:
    cells = _build_label(label, label_width, stock)
    has_steps = any(one.is_step for one in table.rows)
    changed = row.changed if row.is_step else (False,) * len(row.cells)
    for head, text, differs in zip(table.heads, row.cells, changed, strict=True):
        is_range = has_steps and "–" in text.strip("–")
        cells.append(_build_figure(text, is_range, head == INVULNERABLE, differs))
    return tag("tr", *cells, css="s" if row.is_step else "")


def _build_label(label: str, width: float, stock: Stock) -> list[SafeString]:
    """Return the label of a row; nothing where the table has no room for any."""
    if not width:
        return []
    fitted = fit_line(label, "semi", width - 0.6, stock.texts[0], min(stock.texts[-1], 7.0))
    return [tag("td", fitted.text, css="l", style=f"font-size:{fitted.size:g}pt")]


def _build_figure(text: str, is_range: bool, is_save: bool, differs: bool) -> SafeString:
    """Return a figure of a profile: wounds from and to, an invulnerable save, what damage changes."""
    marks = []
    if is_range:
        marks.append("w")
    if is_save:
        marks.append("inv")
    if differs:
        marks.append("d")
    return tag("td", text, css=" ".join(marks))


def build_weapon_parts(sheet: Datasheet, stock: Stock, size: float, room: float, gap: float = GAP) -> list[Part]:
    """Return a table for each kind of weapon; type and abilities are beside the names."""
    return [_build_weapon_table(table, stock, size, room, gap) for table in sheet.weapons if table.rows]


def _build_weapon_table(table: WeaponTable, stock: Stock, size: float, room: float, gap: float) -> RowTable:
    widths = _measure_weapon_columns(table, stock, size, room)
    names = room - sum(widths)
    head_height = stock.head * 1.2 * POINT + 0.25
    title = fit_line(table.title, "semi", names - CELL_AIR, stock.head, stock.head).text
    titles = [tag("th", title, css=f"nm {choose_width_class(names)}")]
    titles += [tag("th", h, css=choose_width_class(w)) for h, w in zip(table.heads, widths, strict=True)]
    head = tag("tr", *titles, style=f"font-size:{stock.head:g}pt;line-height:{mm(stock.head * 1.2 * POINT)}")
    rows = tuple(_build_weapon_row(row, size, names) for row in table.rows)
    return RowTable(head_height, head, rows, "wp", gap)


def _measure_weapon_columns(table: WeaponTable, stock: Stock, size: float, room: float) -> list[float]:
    """Return what each column of figures takes."""
    widths = []
    for index, head in enumerate(table.heads):
        cells = (measure_width(row.cells[index], "semi", size) for row in table.rows)
        need = max(*cells, measure_width(head, "semi", stock.head)) + WEAPON_AIR
        widths.append(max(need, room * LEAST_WEAPON_COLUMN))
    # Names keep a third of the table; figures of a game with many columns move together for it.
    return _shrink_widths(widths, room * 0.66)


def _shrink_widths(widths: list[float], most: float) -> list[float]:
    total = sum(widths)
    return widths if total <= most else [width * most / total for width in widths]


def _name_weapon(row: WeaponRow, size: float) -> list[TextRun]:
    """Return the name of a weapon, how many there are, and a box where it is used once."""
    name = f"{row.number} × {row.name}" if row.number else row.name
    runs = [TextRun(name, "bold", size)]
    if row.beside:
        runs.append(TextRun(f" {row.beside}", "text", size))
    if row.is_once:
        runs = [*runs[:-1], runs[-1]._replace(text=f"{runs[-1].text} "), TextRun(BOX, "signs", size)]
    return runs


def _build_weapon_row(row: WeaponRow, size: float, names: float) -> FittedRow:
    line = size * LEADING * POINT
    runs = _name_weapon(row, size)
    style = f"font-size:{size:g}pt;line-height:{mm(line)}"
    cells = [tag("td", *render_runs(runs), css="nm any" if has_wide_word(runs, names) else "nm")]
    cells += [tag("td", cell, css="m" if cell.isalpha() else "") for cell in row.cells]
    height = count_lines(runs, names - 0.8) * line + 0.7
    return FittedRow(height, tag("tr", *cells, style=style))


def build_ability_runs(ability: Ability, size: float) -> tuple[TextRun, ...]:
    """Return an ability as text: the mark of its phase, its name, its words, a box if it is used once."""
    # A space by itself would be one more thing to lay out: it is in the run that follows.
    signs = " ".join(filter(None, (find_phase_mark(ability.phase), BOX if ability.is_once else "")))
    if not ability.text:
        return _sign_name(signs, ability.name, size)
    return (*_sign_name(signs, f"{ability.name}.", size), *read_text(f" {ability.text}", size))


def _sign_name(signs: str, name: str, size: float) -> tuple[TextRun, ...]:
    """Return a name after its signs, if it has any."""
    if not signs:
        return (TextRun(name, "bold", size),)
    return TextRun(signs, "signs", size), TextRun(f" {name}", "bold", size)


def build_text_parts(sheet: Datasheet, size: float, room: float, least: float) -> list[Part]:
    """Return abilities, rules that are in the book alone, what was chosen, notes, keywords: each a paragraph."""
    gap = size * LEADING * POINT * 0.18
    paragraphs = _list_paragraphs(sheet, size)
    parts: list[Part] = [Paragraph(runs, room - 0.3, size, LEADING, "ab", gap) for runs in paragraphs]
    if sheet.keywords:
        small = max(least, size - 1.0)
        runs = (TextRun(" · ".join(sheet.keywords), "text", small),)
        parts.append(Paragraph(runs, room - 0.3, small, LEADING, "kw", 0.3))
    return parts


def _list_paragraphs(sheet: Datasheet, size: float) -> list[tuple[TextRun, ...]]:
    paragraphs = [build_ability_runs(ability, size) for ability in sheet.abilities]
    paragraphs += _label_names(words.get_label("in the book"), sheet.in_book, size)
    paragraphs += _label_names(words.get_label("carries"), sheet.options, size)
    if sheet.notes:
        paragraphs.append((TextRun(format_notes(sheet.notes), "semi", size),))
    return paragraphs


def _label_names(label: str, names: Sequence[str], size: float) -> list[tuple[TextRun, ...]]:
    """Return names after what they are; nothing where there are none."""
    return [(TextRun(f"{label}:", "bold", size), TextRun(f" {', '.join(names)}.", "text", size))] if names else []


BOX_STEP = 1.17
"""How far apart boxes are, in boxes."""
GROUP_GAP, LINE_GAP, TRACK_GAP = 0.42, 0.7, 2.0
"""Between groups of boxes, in boxes: a space in the font of signs; between lines of boxes and between two tracks, in
millimetres."""
TOP_SIZE = 6.0
"""Points of the wounds printed before a group of boxes."""
MANY_BOXES = 24


@dataclass(frozen=True, slots=True)
class _Mark:
    """A run of boxes or a text, at its place."""

    left: float
    line: int
    text: str
    is_text: bool = False


def build_boxes(tracks: Sequence[Track], stock: Stock, room: float, label: str = "", gap: float = 0.0) -> Solid:
    """Return the boxes of one unit. `label` tells it from equal units, whose boxes stand `gap` below."""
    small = max(TOP_SIZE, stock.foot)
    box = stock.box * _choose_box_scale(tracks)
    marks, last_line = _place_tracks(tracks, box, room, 5.0 if label else 0.0, small)
    if label:
        marks.insert(0, _Mark(0.0, 0, label, True))
    step = box + LINE_GAP
    html = join([_render_mark(mark, box, step, small) for mark in marks])
    height = (last_line + 1) * step - LINE_GAP
    below = f";margin-bottom:{mm(gap)}" if gap else ""
    return Solid(height, tag("div", html, css="tr", style=f"height:{mm(height)}{below}"))


def _choose_box_scale(tracks: Sequence[Track]) -> float:
    """Return how large boxes are: 34 wounds have two rows, not three."""
    is_crowded = len(tracks) == 1 and sum(tracks[0].groups) > MANY_BOXES
    return 0.86 if is_crowded else 1.0


def _place_tracks(
    tracks: Sequence[Track], box: float, room: float, start: float, size: float
) -> tuple[list[_Mark], int]:
    """Return the boxes of all tracks beside and below one another, and the last line."""
    marks: list[_Mark] = []
    left, line, last_line = start, 0, 0
    names = shorten_labels([track.label for track in tracks])
    for track, name in zip(tracks, names, strict=True):
        word = _name_track(track, name, room, size)
        taken = _measure_name(word, "semi", size, 1.0)
        boxes = _place_boxes(track, box, room - left - taken)
        # A track that does not fit beside those before it as a whole begins a line of its own.
        if left > start and _is_too_wide(boxes, box, left + taken, room):
            left, line = start, last_line + 1
            boxes = _place_boxes(track, box, room - left - taken)
        if word:
            marks.append(_Mark(left, line, word, True))
        marks += _move_marks(boxes, left + taken, line)
        last_line = max([last_line, *(line + mark.line for mark in boxes)])
        left += taken + _measure_end(boxes, box) + TRACK_GAP
    return marks, last_line


def _is_too_wide(boxes: Sequence[_Mark], box: float, left: float, room: float) -> bool:
    """Whether boxes go on in a second line, or beyond the room."""
    return len(boxes) > 1 or left + _measure_end(boxes, box) > room


def _measure_name(text: str, face: str, size: float, gap: float) -> float:
    """Return how much room a name takes with the gap behind it; without a name, none."""
    return measure_width(text, face, size) + gap if text else 0.0


def _move_marks(marks: Sequence[_Mark], left: float, line: int) -> list[_Mark]:
    """Return marks that were placed for themselves, moved to where their track begins."""
    return [replace(mark, left=mark.left + left, line=mark.line + line) for mark in marks]


def _name_track(track: Track, name: str, room: float, size: float) -> str:
    """Return what is before the boxes of a track; those of damage steps speak for themselves."""
    if track.tops:
        return ""
    word = name or words.get_label("models" if track.models else "wounds")
    return fit_line(word, "semi", room * 0.4, size, size).text


def _place_boxes(track: Track, box: float, room: float) -> list[_Mark]:
    """Return the boxes of a track in lines: groups stay whole if they fit a line."""
    marks: list[_Mark] = []
    step, left, line = box * BOX_STEP, 0.0, 0
    for group, top in _pair_with_tops(track):
        named = _measure_name(top, "bold", TOP_SIZE, 0.7)
        if left and left + named + group * step > room:
            left, line = 0.0, line + 1
        if top:
            marks.append(_Mark(left, line, top, True))
        left += named
        # A little more than the room: behind the last box of a line nobody needs the gap.
        per_line = max(1, int((room - left + 0.2) / step))
        boxes = _break_group(group, per_line, left, line)
        _add_boxes(marks, boxes, is_joined=bool(left) and not top)
        if boxes:
            line = boxes[-1].line
            left += len(boxes[-1].text) * step
        left += box * GROUP_GAP
    return marks


def _pair_with_tops(track: Track) -> Iterator[tuple[int, str]]:
    """Yield the groups of a track, each with what is printed before it."""
    tops = map(str, track.tops) if track.tops else repeat("")
    return zip(track.groups, tops, strict=False)


def _add_boxes(marks: list[_Mark], boxes: list[_Mark], *, is_joined: bool) -> None:
    """Add the boxes of a group; joined, the first of them go on in the text before them.

    Each text that stands by itself costs time, and groups without figures above them can do without.
    """
    if is_joined and marks and boxes:
        first, *boxes = boxes
        marks[-1] = replace(marks[-1], text=f"{marks[-1].text} {first.text}")
    marks += boxes


def _break_group(count: int, per_line: int, left: float, line: int) -> list[_Mark]:
    """Return the boxes of a group in as many lines as it takes."""
    starts = range(0, count, per_line)
    return [_Mark(left, line + number, BOX * min(per_line, count - start)) for number, start in enumerate(starts)]


def _measure_end(marks: Sequence[_Mark], box: float) -> float:
    """Return how far to the right boxes reach."""
    return max((mark.left + _measure_boxes(mark.text, box) for mark in marks if not mark.is_text), default=0.0)


def _measure_boxes(text: str, box: float) -> float:
    gaps = text.count(" ")
    return ((len(text) - gaps) * BOX_STEP + gaps * GROUP_GAP) * box


def _render_mark(mark: _Mark, box: float, step: float, size: float) -> SafeString:
    place = f"left:{mm(mark.left)};top:{mm(mark.line * step)};line-height:{mm(box)}"
    if mark.is_text:
        return tag("p", mark.text, css="t", style=f"{place};font-size:{size:g}pt")
    return tag("p", mark.text, css="bx", style=f"{place};font-size:{mm(box)}")
