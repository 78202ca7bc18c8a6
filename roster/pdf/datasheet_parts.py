"""Build the parts of units that cards and sheets share."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain, repeat

from django.utils.safestring import SafeString

from roster.pdf.datasheets import NOTHING, SHIELDS
from roster.pdf.flow import FittedRow, Paragraph, Part, RowTable, Solid, format_notes, read_text, render_runs
from roster.pdf.markup import choose_width_class, mm, tag
from roster.pdf.pages import Group
from roster.pdf.paper_text import end_sentence
from roster.pdf.shapes import Ability, Datasheet, ProfileRow, ProfileTable, Track, WeaponRow, WeaponTable
from roster.pdf.stock import LEADING, Stock
from roster.pdf.type.measure import (
    NO_BREAK,
    POINT,
    TextRun,
    count_lines,
    fit_text,
    has_wide_word,
    measure_width,
    wrap_text,
)
from roster.pdf.type.signs import BOX, find_phase_mark
from roster.wording import cards as words

GAP = 0.9
"""Millimetres below a table."""
LEAST_FIGURES = 7.0
CELL_AIR = 0.5
WEAPON_AIR = 1.3
LEAST_WEAPON_COLUMN = 0.078
"""Share of the table's width. It aligns the figures of neighbouring cards."""
WEAPON_SHARE = 0.66
"""The largest share of a weapon table's width for figures."""
TIMING_COLOURS = {
    "Yellow": "#7d5a00",
    "Green": "#1c6435",
    "Orange": "#9a4a08",
    "Red": "#9c1c20",
    "Blue": "#1f4f8a",
    "Purple": "#5b2a7a",
    "Gray": "#55585f",
    "Grey": "#55585f",
    "Black": "#1a1c20",
}
"""The data's colours, dark enough for white text."""
_BREAK = re.compile(r"/|-(?!\d)")
_NUMBER = re.compile(r"(?<=\w) (?=\d+[+\"]?(?:,|$))")
"""The space in "Piercing 1", which is printed on one line."""
LABEL_SHARE = 0.34
"""Share of a profile's width."""


def build_profile_parts(sheet: Datasheet, stock: Stock, room: float, gap: float = GAP) -> list[Part]:
    if sheet.profile is None:
        return []
    tables = (_cut_heads(table, stock, room) for table in (sheet.profile, *sheet.more_profiles))
    smaller = replace(stock, figures=max(LEAST_FIGURES, stock.figures - 1.0))
    first, *others = chain.from_iterable(tables)
    return [_build_profile(first, stock, room, gap), *(_build_profile(table, smaller, room, gap) for table in others)]


def _cut_heads(table: ProfileTable, stock: Stock, room: float) -> list[ProfileTable]:
    needs = _measure_columns(table, stock, LEAST_FIGURES)
    # Half of fewer than four columns would say too little on its own.
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
    needs = []
    for index, head in enumerate(table.heads):
        cells = (measure_width(row.cells[index], "bold", size) for row in table.rows)
        needs.append(max(*cells, measure_width(head, "semi", stock.head)) + CELL_AIR)
    return needs


def _measure_labels(table: ProfileTable, stock: Stock, room: float) -> float:
    labels = filter(None, shorten_labels([row.label for row in table.rows]))
    widths = [measure_width(label, "semi", stock.texts[-1]) for label in labels]
    if table.title:
        widths.append(measure_width(table.title, "semi", stock.head))
    return min(room * LABEL_SHARE, max(widths) + 1.0) if widths else 0.0


def shorten_labels(labels: Sequence[str]) -> list[str]:
    """Return the words by which the models of a unit differ.

    >>> shorten_labels(["Skorpekh Destroyer (Thresher)", "Skorpekh Destroyer (Reap-Blade)"])
    ['Thresher', 'Reap-Blade']
    >>> shorten_labels(["SecDef Trooper", "SecDef Sergeant"])
    ['Trooper', 'Sergeant']
    """
    named = [label for label in labels if label]
    if len(named) < 2:
        return list(labels)
    # Community data writes the equipment of models in brackets.
    if all(label.endswith(")") and "(" in label for label in named):
        return [label.partition("(")[2].removesuffix(")") for label in labels]

    # Drop leading words that all labels share, but keep the last word of each.
    names = [label.split() for label in named]
    most = max(0, min(len(name) for name in names) - 1)
    differing = (index for index in range(most) if len({name[index] for name in names}) > 1)
    same = next(differing, most)
    return [" ".join(label.split()[same:]) for label in labels]


def _build_profile(table: ProfileTable, stock: Stock, room: float, gap: float) -> RowTable:
    labels = shorten_labels([row.label for row in table.rows])
    label_width = _measure_labels(table, stock, room)
    size = min(stock.figures, max(8.0, stock.figures - 2.5)) if label_width else stock.figures
    # Labels get their room first. The figures shrink in quarters of a point.
    while size > LEAST_FIGURES and sum(_measure_columns(table, stock, size)) > room - label_width:
        size -= 0.25
    widths = _fit_widths(_measure_columns(table, stock, size), room - label_width)
    head_height, row_height = stock.head * 1.12 * POINT + 0.2, size * 1.16 * POINT

    cells, lines = [], _count_cell_lines(table.heads, widths, stock.head)
    if label_width:
        cells.append(tag("th", table.title, css=f"l {choose_width_class(label_width)}"))
        lines = max(lines, count_lines((TextRun(table.title, "semi", stock.head),), label_width - CELL_AIR))
    cells += [_build_cell("th", name, width, stock.head) for name, width in zip(table.heads, widths, strict=True)]
    head = tag("tr", *cells, style=f"font-size:{stock.head:g}pt;line-height:{mm(head_height)}")
    rows = tuple(
        _build_profile_row(table, row, _fit_label(label, label_width, stock), widths, size)
        for row, label in zip(table.rows, labels, strict=True)
    )
    style = f"font-size:{size:g}pt;line-height:{mm(row_height)}"
    return RowTable(head_height * lines, head, rows, "prof", gap, whole=True, style=style)


def _fit_widths(needs: Sequence[float], room: float) -> list[float]:
    """Fill the room, and squeeze columns that need more."""
    total = sum(needs)
    if total > room:
        return [need * room / total for need in needs]
    return [need + (room - total) / len(needs) for need in needs]


def _count_cell_lines(texts: Sequence[str], widths: Sequence[float], size: float) -> int:
    most = 1
    for text, width in zip(texts, widths, strict=True):
        if measure_width(text, "bold", size) > width:
            # Lines also break after slashes and hyphens: 8"/20CM-48"/120CM. No line ends with a hyphen before a digit.
            words_apart = _BREAK.sub(r"\g<0> ", text).strip()
            most = max(most, count_lines((TextRun(words_apart, "bold", size),), width))
    return most


def _build_cell(name: str, text: str, width: float, size: float, css: str = "") -> SafeString:
    # A squeezed column breaks words.
    classes = [css, choose_width_class(width) if name == "th" else ""]
    if measure_width(text, "bold", size) > width and has_wide_word((TextRun(text, "bold", size),), width):
        classes.append("any")
    return tag(name, text, css=" ".join(filter(None, classes)))


@dataclass(frozen=True, slots=True)
class _Label:
    """A model's name. `room` is 0 without a name."""

    text: str
    size: float
    lines: int
    room: float

    @property
    def line_height(self) -> float:
        return self.size * LEADING * POINT


def _fit_label(label: str, width: float, stock: Stock) -> _Label:
    room = max(0.0, width - 0.6)
    largest, least = stock.texts[0], min(stock.texts[-1], 7.0)
    size = fit_text(label, "semi", room, largest, least).size if width else largest
    if size >= least:
        return _Label(label, size, 1, room)
    return _Label(label, least, count_lines((TextRun(label, "semi", least),), room), room)


def _build_profile_row(
    table: ProfileTable, row: ProfileRow, label: _Label, widths: Sequence[float], size: float
) -> FittedRow:
    height = size * 1.16 * POINT * _count_cell_lines(row.cells, widths, size)
    cells = []
    if label.room:
        style = f"font-size:{label.size:g}pt"
        if label.lines > 1:
            style += f";line-height:{mm(label.line_height)}"
            height = max(height, label.lines * label.line_height)
        is_wide = has_wide_word((TextRun(label.text, "semi", label.size),), label.room)
        cells.append(tag("td", label.text, css="l any" if is_wide else "l", style=style))
    has_steps = any(one.is_step for one in table.rows)
    changed = row.changed if row.is_step else (False,) * len(row.cells)
    for head, text, width, differs in zip(table.heads, row.cells, widths, changed, strict=True):
        is_range = has_steps and "–" in text.strip("–")
        classes = {"w": is_range, "inv": head in SHIELDS and text != NOTHING, "d": differs}
        cells.append(_build_cell("td", text, width, size, " ".join(css for css, holds in classes.items() if holds)))
    return FittedRow(height, tag("tr", *cells, css="s" if row.is_step else ""))


def build_weapon_parts(sheet: Datasheet, stock: Stock, size: float, room: float, gap: float = GAP) -> list[Part]:
    return [_build_weapon_table(table, stock, size, room, gap) for table in sheet.weapons if table.rows]


def build_store_parts(sheet: Datasheet, stock: Stock, room: float, gap: float = GAP) -> list[Part]:
    if not sheet.stores:
        return []
    boxes = build_boxes(sheet.stores, stock, room)
    return [replace(boxes, gap=gap)]


def _build_weapon_table(table: WeaponTable, stock: Stock, size: float, room: float, gap: float) -> RowTable:
    widths = []
    for index, name in enumerate(table.heads):
        cells = (measure_width(row.cells[index], "semi", size) for row in table.rows)
        need = max(*cells, measure_width(name, "semi", stock.head)) + WEAPON_AIR
        widths.append(max(need, room * LEAST_WEAPON_COLUMN))
    # Names keep a third of the table; the figures of games with many columns are squeezed.
    if sum(widths) > room * WEAPON_SHARE:
        widths = _fit_widths(widths, room * WEAPON_SHARE)

    is_chart = all(row.name.isdecimal() for row in table.rows)
    names = room - sum(widths)
    line = stock.head * 1.2 * POINT
    lines = max(
        _count_cell_lines(table.heads, widths, stock.head),
        count_lines((TextRun(table.title, "semi", stock.head),), names - CELL_AIR),
    )
    titles = [tag("th", table.title, css=f"nm {choose_width_class(names)}")]
    titles += [_build_cell("th", name, width, stock.head) for name, width in zip(table.heads, widths, strict=True)]
    head = tag("tr", *titles, style=f"font-size:{stock.head:g}pt;line-height:{mm(line)}")
    rows = tuple(_build_weapon_row(row, size, names, widths) for row in table.rows)
    return RowTable(line * lines + 0.25, head, rows, "wp", gap, whole=is_chart)


def _build_weapon_row(row: WeaponRow, size: float, names: float, widths: Sequence[float]) -> FittedRow:
    line = size * LEADING * POINT
    name = f"{row.number} × {row.name}" if row.number else row.name
    runs = [TextRun(name, "bold", size)]
    if row.beside:
        runs += read_text(f" {_NUMBER.sub(NO_BREAK, row.beside)}", size)
    if row.is_once:
        runs = [*runs[:-1], runs[-1]._replace(text=f"{runs[-1].text} "), TextRun(BOX, "signs", size)]
    style = f"font-size:{size:g}pt;line-height:{mm(line)}"
    cells = [tag("td", *render_runs(runs, size), css="nm any" if has_wide_word(runs, names) else "nm")]
    cells += [
        _build_cell("td", cell, width, size, "m" if cell.isalpha() else "")
        for cell, width in zip(row.cells, widths, strict=True)
    ]
    lines = max(count_lines(runs, names - 0.8), _count_cell_lines(row.cells, widths, size))
    return FittedRow(lines * line + 0.7, tag("tr", *cells, style=style))


def build_ability_runs(ability: Ability, size: float) -> tuple[TextRun, ...]:
    # The space is part of the next run, because each run costs layout time.
    signs = " ".join(filter(None, (find_phase_mark(ability.phase), BOX if ability.is_once else "")))
    if not ability.text:
        return sign_name(signs, ability.name, size)
    return (*sign_name(signs, end_sentence(ability.name), size), *read_text(f" {ability.text}", size))


def sign_name(signs: str, name: str, size: float) -> tuple[TextRun, ...]:
    if not signs:
        return (TextRun(name, "bold", size),)
    return TextRun(signs, "signs", size), TextRun(f" {name}", "bold", size)


def build_text_parts(sheet: Datasheet, size: float, room: float) -> list[Part]:
    gap = size * LEADING * POINT * 0.18
    parts: list[Part] = build_line_parts(sheet, size, room - 0.3, gap)
    parts += [part for ability in sheet.abilities for part in build_ability_parts(ability, size, room - 0.3, gap)]
    paragraphs = _label_names(words.get_label("in the book"), sheet.in_book, size)
    paragraphs += _label_names(words.get_label("carries"), sheet.options, size)
    if remarks := sheet.write_remarks():
        paragraphs.append((TextRun(format_notes(remarks), "semi", size),))
    parts += [Paragraph(runs, room - 0.3, size, LEADING, "ab", gap) for runs in paragraphs]
    return parts


def build_line_parts(sheet: Datasheet, size: float, room: float, gap: float) -> list[Part]:
    """Build the rules that a unit only names: "CORE Deep Strike, Leader"."""
    lines: list[tuple[TextRun, ...]] = []
    for label, names in sheet.lines:
        text = TextRun(", ".join(names), "text", size)
        runs = (TextRun(f"{label.upper()} ", "bold", size - 0.5), text) if label else (text,)
        beside = (*lines[-1], TextRun("   ", "text", size), *runs) if lines else ()
        if beside and count_lines(beside, room) == 1:
            lines[-1] = beside
        else:
            lines.append(runs)
    return [Paragraph(runs, room, size, LEADING, "", gap) for runs in lines]


def build_ability_parts(
    ability: Ability, size: float, room: float, gap: float, leading: float = LEADING, *, flows: bool = False
) -> list[Part]:
    """Build an ability's paragraph, below a band with its timing or with an action's name and cost."""
    if flows:
        ability = replace(ability, text=" ".join(ability.text.split("\n")))
    action, cost = ability.action
    if not ability.timing and not action:
        return [Paragraph(build_ability_runs(ability, size), room, size, leading, "ab", gap, flows=flows)]
    signs = BOX if ability.is_once else ""
    if ability.timing:
        content = (*sign_name(signs, ability.name, size), *read_text(f"\n{ability.text}", size))
        runs = [TextRun(f" {ability.timing}", "semi", size)]
    else:
        content = tuple(read_text(ability.text, size))
        runs = [TextRun(" ", "semi", size), *sign_name(signs, action, size), TextRun(f" · {cost}", "semi", size)]
    text = Paragraph(content, room, size, leading, "ab", gap)
    colour = TIMING_COLOURS.get(ability.colour, TIMING_COLOURS["Black"])
    band = Paragraph(tuple(runs), room, size, LEADING, "tb", 0.2, f"background:{colour}")
    return [Group(band, (text,), 0.3, "tm")]


def build_keyword_part(sheet: Datasheet, size: float, room: float) -> list[Paragraph]:
    if not sheet.keywords:
        return []
    runs = (TextRun(f"{words.get_label('keywords')} ", "bold", size), TextRun(", ".join(sheet.keywords), "text", size))
    return [Paragraph(runs, room, size, LEADING, "kw", 0.3)]


def _label_names(label: str, names: Sequence[str], size: float) -> list[tuple[TextRun, ...]]:
    text = f" {end_sentence(', '.join(names))}"
    return [(TextRun(f"{label}:", "bold", size), TextRun(text, "text", size))] if names else []


BOX_STEP = 1.17
"""In boxes."""
GROUP_GAP, LINE_GAP, TRACK_GAP = 0.42, 0.7, 2.0
"""GROUP_GAP in boxes, the others in millimetres."""
TOP_SIZE = 6.0
MANY_BOXES = 24
LONG_LABEL = 0.4
"""The share of a line above which a name is printed above its boxes."""
LABEL = 5.0
"""Millimetres for the letter that distinguishes equal units."""


@dataclass(frozen=True, slots=True)
class _Mark:
    left: float
    line: int
    text: str
    is_text: bool = False


def build_last_parts(sheet: Datasheet, stock: Stock, room: float, label: str = "") -> list[Part]:
    keywords = build_keyword_part(sheet, stock.kicker, room)
    box, small = _measure_box(sheet.tracks, stock)
    marks, last_line = _place_tracks(sheet.tracks, box, room, LABEL if label else 0.0, small)
    end = _measure_end([mark for mark in marks if mark.line == last_line], box) + TRACK_GAP
    if not keywords or end >= room or count_lines(keywords[0].runs, room - end) > 1:
        return [replace(build_boxes(sheet.tracks, stock, room, label), gap=0.9), *keywords]
    return [replace(build_boxes(sheet.tracks, stock, room, label, beside=keywords[0].runs), gap=0.9)]


def _measure_box(tracks: Sequence[Track], stock: Stock) -> tuple[float, float]:
    # 34 wounds fit two rows of smaller boxes.
    is_crowded = len(tracks) == 1 and sum(tracks[0].groups) > MANY_BOXES
    return stock.box * (0.86 if is_crowded else 1.0), max(TOP_SIZE, stock.foot)


def build_boxes(
    tracks: Sequence[Track],
    stock: Stock,
    room: float,
    label: str = "",
    gap: float = 0.0,
    beside: Sequence[TextRun] = (),
) -> Solid:
    """Build the boxes of one unit, with `beside` at the right end of the last line.

    `label` distinguishes equal units. The next unit's boxes are `gap` below.
    """
    box, small = _measure_box(tracks, stock)
    marks, last_line = _place_tracks(tracks, box, room, LABEL if label else 0.0, small)
    if label:
        marks.insert(0, _Mark(0.0, 0, label, True))
    step = box + LINE_GAP
    pieces = []
    if beside:
        where = f"top:{mm(last_line * step)};line-height:{mm(box)};font-size:{beside[0].size:g}pt"
        pieces.append(tag("p", *render_runs(beside, beside[0].size), css="kw bk", style=where))
    for mark in marks:
        place = f"left:{mm(mark.left)};top:{mm(mark.line * step)};line-height:{mm(box)}"
        size = f"{small:g}pt" if mark.is_text else mm(box)
        pieces.append(tag("p", mark.text, css="t" if mark.is_text else "bx", style=f"{place};font-size:{size}"))
    height = (last_line + 1) * step - LINE_GAP
    below = f";margin-bottom:{mm(gap)}" if gap else ""
    return Solid(height, tag("div", *pieces, css="tr", style=f"height:{mm(height)}{below}"))


def _place_tracks(
    tracks: Sequence[Track], box: float, room: float, start: float, size: float
) -> tuple[list[_Mark], int]:
    marks: list[_Mark] = []
    left, line, last_line = start, 0, 0
    names = shorten_labels([track.label for track in tracks])
    for track, name in zip(tracks, names, strict=True):
        word = ""
        # Boxes of damage steps need no label.
        if not track.tops:
            usual = words.get_label("models") if track.models else track.life or words.get_label("wounds")
            word = name or usual
        taken = _measure_name(word, "semi", size, 1.0)
        if taken > room * LONG_LABEL:
            # The boxes of a long name have a separate line.
            if left > start:
                line = last_line + 1
            lines = wrap_text(word, "semi", size, room - start, breaks_words=True)
            marks += [_Mark(start, line + number, text, True) for number, text in enumerate(lines)]
            left, line, word, taken = start, line + len(lines), "", 0.0
        boxes = _place_boxes(track, box, room - left - taken)
        is_too_wide = len(boxes) > 1 or left + taken + _measure_end(boxes, box) > room
        if left > start and is_too_wide:
            left, line = start, last_line + 1
            boxes = _place_boxes(track, box, room - left - taken)
        if word:
            marks.append(_Mark(left, line, word, True))
        marks += [replace(mark, left=mark.left + (left + taken), line=mark.line + line) for mark in boxes]
        last_line = max([last_line, *(line + mark.line for mark in boxes)])
        left += taken + _measure_end(boxes, box) + TRACK_GAP
    return marks, last_line


def _measure_name(text: str, face: str, size: float, gap: float) -> float:
    return measure_width(text, face, size) + gap if text else 0.0


def _place_boxes(track: Track, box: float, room: float) -> list[_Mark]:
    marks: list[_Mark] = []
    step, left, line = box * BOX_STEP, 0.0, 0
    tops = map(str, track.tops) if track.tops else repeat("")
    for group, top in zip(track.groups, tops, strict=False):
        named = _measure_name(top, "bold", TOP_SIZE, 0.7)
        if left and left + named + group * step > room:
            left, line = 0.0, line + 1
        if top:
            marks.append(_Mark(left, line, top, True))
        left += named
        # The last box of a line needs no gap.
        per_line = max(1, int((room - left + 0.2) / step))
        starts = range(0, group, per_line)
        texts = [BOX * min(per_line, group - start) for start in starts]
        for number, text in enumerate(texts):
            # Each separate text costs layout time, so boxes without a figure before them join the previous text.
            if not number and marks and left and not top:
                marks[-1] = replace(marks[-1], text=f"{marks[-1].text} {text}")
            else:
                marks.append(_Mark(left, line + number, text))
        if texts:
            line += len(texts) - 1
            left += len(texts[-1]) * step
        left += box * GROUP_GAP
    return marks


def _measure_end(marks: Sequence[_Mark], box: float) -> float:
    end = 0.0
    for mark in marks:
        if not mark.is_text:
            gaps = mark.text.count(" ")
            end = max(end, mark.left + ((len(mark.text) - gaps) * BOX_STEP + gaps * GROUP_GAP) * box)
    return end
