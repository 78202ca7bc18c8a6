"""Parse a pasted text of any layout line by line, dropping no line silently."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from catalogue.definitions.numbers import Number
from roster.formats.text.claims import has_claim_key
from roster.formats.text.cursor import Cursor, KnownNames
from roster.formats.text.doubts import mark_doubts
from roster.formats.text.foreign_reader import OUR_MARKS, OUR_SIGNS, read_outline
from roster.formats.text.head import HeadReader
from roster.formats.text.items import ItemParser
from roster.formats.text.layouts import split_lists
from roster.formats.text.own_reader import OWN_POINTS, OwnTextReader, is_own_footer, read_unsigned
from roster.formats.text.pasted import (
    Doubt,
    DoubtKind,
    LineKind,
    PastedLayout,
    PastedLine,
    PastedList,
    PastedText,
    Reading,
    sum_points,
)
from roster.formats.text.sections import SectionReader
from roster.formats.text.shapes import (
    MAX_LINE,
    NUMBER,
    POINTS_PATTERN,
    TextLine,
    has_letters,
    is_battle_size,
    keep_filled,
    parse_number,
    shape_lines,
    split_lines,
)
from roster.formats.text.tables import read_tables
from roster.formats.text.unit_contents import ContentsReader, is_row_of_names
from roster.formats.text.units import UnitReader
from roster.formats.text.words import ClaimKey, find_claim_key, is_page_number

MAX_TEXT = 100_000
MAX_LINES = 4_000
_NAMED_NUMBER = re.compile(
    rf"(?:\d{{1,3}}\s?x\s)?(?P<name>[^\d:=()\[\]]{{0,80}}?)[\s:=(\[–-]*(?P<number>{NUMBER})\s*(?:/\s*{NUMBER}\s*)?"
    rf"(?:{POINTS_PATTERN})?[)\].]*",
    re.I,
)


def parse_text(text: str) -> PastedText:
    """Record how each line was read. Raises ValueError if the text is too long."""
    if len(text) > MAX_TEXT or text.count("\n") > MAX_LINES:
        raise ValueError("too long")
    return PastedText(tuple(_read_lists(read_tables(split_lines(text)))))


def _read_lists(lines: list[TextLine]) -> Iterator[PastedList]:
    start = 0
    for end in [place for place, line in enumerate(lines) if is_own_footer(line.raw)]:
        first = _find_own_start(lines, start, end)
        yield from _read_foreign_lists(lines[start:first])
        yield OwnTextReader([line.raw for line in lines[first : end + 1]], lines[first].number).read_list()
        start = end + 1
    rest = lines[start:]
    # An empty text is an empty list, so that there is something to show.
    if unsigned := read_unsigned(rest):
        yield unsigned
    elif not start or any(line.text for line in rest):
        yield from _read_foreign_lists(rest)


def _find_own_start(lines: Sequence[TextLine], start: int, end: int) -> int:
    first = next(place for place in range(start, len(lines)) if not lines[place].is_blank)
    for place in range(end - 1, first, -1):
        has_points_below = place + 2 < len(lines) and OWN_POINTS.fullmatch(lines[place + 2].text) is not None
        if lines[place].is_blank and has_points_below:
            return place
    return first


def _read_foreign_lists(lines: list[TextLine]) -> Iterator[PastedList]:
    for chunk in split_lists(lines):
        outline = read_outline([line.raw for line in chunk])
        # Other readers do not know the marks that our texts write after names.
        signs = OUR_SIGNS if outline else OUR_MARKS
        chunk = [replace(line, text=signs.sub("", line.text)) for line in chunk]
        pasted = ListReader(chunk).read_list()
        if pasted.layout is PastedLayout.PLAIN and not pasted.units:
            pasted = _read_lone_unit(pasted, chunk) or pasted
        total, again = pasted.claims.total, None
        if pasted.layout is PastedLayout.PLAIN and total and pasted.sum_points() != total:
            # Regiments may have bullets below the characters that lead them.
            again = ListReader(chunk, bulleted_too=True).read_list()
        elif pasted.layout is PastedLayout.OLD_WORLD_BUILDER:
            # Options may have lost their bullets. Then blank lines separate the units.
            again = ListReader(chunk, divided=True).read_list()
            has_bullets = any(line.bullet for line in chunk)
            if has_bullets and sum(line.is_blank for line in chunk) < len(again.units):
                again = None
        if again and again.units and again.sum_points() in (total, 0):
            pasted = again
        mark_doubts(pasted)
        pasted.outline = outline
        if outline and outline.is_partial:
            pasted.doubts.append(Doubt(DoubtKind.LEFT_OUT))
        yield pasted


def _read_lone_unit(pasted: PastedList, lines: Sequence[TextLine]) -> PastedList | None:
    """Read a hand-typed list again if its title may be its only unit, with as many points as its total or title."""
    named: list[tuple[str, Number]] = []
    stated: list[Number] = []
    for line in keep_filled(lines):
        match = _NAMED_NUMBER.fullmatch(line.text)
        if match is None or (points := parse_number(match["number"])) is None:
            continue
        name = match["name"].strip()
        key = find_claim_key(name)
        if not name or key is ClaimKey.TOTAL:
            stated.append(points)
        elif key is None and not is_battle_size(name):
            named.append((name, points))
    # Above the unit may be a title with points, but no more.
    if not 1 <= len(named) <= 2:
        return None
    *titles, (name, points) = named
    if points not in (*stated, *(other for _, other in titles)):
        return None
    again = read_with_names(pasted, lambda other: Reading.UNDERSTOOD if other == name else Reading.UNREAD)
    return again if again.sum_points() == points else None


def read_with_names(pasted: PastedList, knows: KnownNames) -> PastedList:
    """Read a hand-typed list again once the game knows which names are units."""
    lines = shape_lines((line.number, line.text) for line in pasted.lines)
    again = ListReader(lines, knows=knows).read_list()
    mark_doubts(again)
    return again


def list_names(pasted: PastedList) -> dict[str, Number | None]:
    """Return the units' names and points; without units, a name for every line of a hand-typed text."""
    if pasted.units or pasted.layout is not PastedLayout.PLAIN:
        return {unit.name: unit.points for unit in pasted.units}
    cursor = Cursor(shape_lines((line.number, line.text) for line in pasted.lines))
    shapes = filter(None, map(cursor.shape_typed, keep_filled(cursor.lines)))
    return {shape.name: shape.cost.points for shape in shapes}


def _settle_extras(pasted: PastedList) -> None:
    """Reconcile units with the total, which may exclude lores and include the points of enhancements."""
    if pasted.claims.total == sum_points(pasted.units):
        pasted.lore_points = 0
        return
    extras = [sum(item.sum_points() for item in unit.items) for unit in pasted.units]
    if pasted.claims.total == pasted.sum_points() + sum(extras):
        for unit, points in zip(pasted.units, extras, strict=True):
            unit.points = (unit.points or 0) + points


class ListReader:
    """Reads one list. Each line goes to the first reader that takes it.

    `bulleted_too` means that lines with bullets and costs are units, too, `divided` that a line directly below a unit
    is never a unit.
    """

    def __init__(
        self,
        lines: Sequence[TextLine],
        *,
        bulleted_too: bool = False,
        divided: bool = False,
        knows: KnownNames | None = None,
    ) -> None:
        self._cursor = Cursor(lines, bulleted_too=bulleted_too, divided=divided, knows=knows)
        layout = self._cursor.layout
        items = ItemParser(
            joined=layout is PastedLayout.WAR_ORGAN,
            bare=layout is PastedLayout.APP_AOS,
            figures=layout is PastedLayout.ARMY_FORGE,
        )
        self._head = HeadReader(self._cursor)
        self._sections = SectionReader(self._cursor)
        self._units = UnitReader(self._cursor, items)
        self._contents = ContentsReader(self._cursor, items)
        # The order is part of the grammar: unmistakable lines first, bare lines last.
        self._readers = (
            self._read_blank,
            self._contents.read_profile,
            self._head.read_footer,
            self._units.read_closed_unit,
            self._units.read_operative,
            self._head.read_wtc_claim,
            self._head.read_title,
            self._units.read_plus_unit,
            self._sections.read_roster_heading,
            self._sections.read_force,
            self._sections.read_marked_heading,
            self._sections.read_dashed_heading,
            self._head.read_head_line,
            self._head.read_below_claim,
            self._sections.read_section,
            self._units.read_unit,
            self._contents.read_sum_of_unit,
            self._head.read_sum_below,
            self._contents.read_item,
            self._head.read_claim,
            self._read_bare_line,
        )

    def read_list(self) -> PastedList:
        cursor = self._cursor
        while cursor.place < len(cursor.lines):
            line = cursor.lines[cursor.place]
            if len(line.text) > MAX_LINE or not any(read(line) for read in self._readers):
                cursor.pasted.lines.append(PastedLine(line.number, line.raw.rstrip(), LineKind.UNKNOWN, Reading.UNREAD))
            cursor.place += 1
        cursor.pasted.units = self._units.repeat_units()
        if cursor.layout is PastedLayout.APP_AOS:
            _settle_extras(cursor.pasted)
        if cursor.layout is PastedLayout.PLAIN and not cursor.pasted.units:
            # Without a unit, nothing shows that the text is a list with a head.
            for noted in cursor.pasted.lines:
                if noted.kind in (LineKind.TITLE, LineKind.CLAIM) and not has_claim_key(noted.text.strip()):
                    noted.reading = Reading.UNREAD
        return cursor.pasted

    def _read_blank(self, line: TextLine) -> bool:
        cursor = self._cursor
        if line.is_blank:
            return cursor.note(line, LineKind.BLANK)
        # In the head a lone number is the points of the list.
        is_page = not cursor.in_head and is_page_number(f"{line.bullet} {line.text}")
        return (line.is_rule or is_page) and cursor.note(line, LineKind.RULE)

    def _read_bare_line(self, line: TextLine) -> bool:
        if not line.may_begin_part or not has_letters(line.text):
            return False
        # Below a unit, a row of names is its equipment; elsewhere it is a heading or prose. All headings of the Age of
        # Sigmar app are known, so there a line below a unit is an option.
        cursor = self._cursor
        is_option = cursor.layout is PastedLayout.APP_AOS and cursor.follows_unit
        if (is_option or cursor.is_undivided(line) or is_row_of_names(line.text)) and self._contents.guess_item(line):
            return True
        return self._sections.guess_heading(line) or self._head.read_player(line) or self._contents.guess_item(line)
