"""The whole list on one page: its units closely set, and the profiles beside them if there is room."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from roster.pdf.height_estimate import count_lines, count_table_lines
from roster.pdf.shapes import ForceBlock, ListSheet, SheetCard, SheetRow, SheetTable, UnitLine

ROOM = 220.0
"""Millimetres below the head of a page without problems to list. What does not fit after all is set more tightly."""
# Millimetres of a problem, and how many of them are listed in one column.
_PROBLEM, _MANY = 4.2, 10
# The height of a detachment's heading, in lines.
_HEAD = 1.9


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryStep:
    """One way to set the page.

    `size` is the class of the type, `line` its height in millimetres, `characters` how many fit side by side in one
    column.
    """

    size: str
    line: float
    characters: int
    columns: int = 2
    options: bool = True
    profiles: bool = False


STEPS = (
    SummaryStep(size="s0", line=3.45, characters=75, columns=1, profiles=True),
    SummaryStep(size="s1", line=3.05, characters=85, columns=1, profiles=True),
    SummaryStep(size="s1", line=3.05, characters=85),
    SummaryStep(size="s2", line=2.7, characters=97),
    SummaryStep(size="s1", line=3.05, characters=85, options=False),
    SummaryStep(size="s2", line=2.7, characters=97, options=False),
    SummaryStep(size="s3", line=2.35, characters=73, columns=3, options=False),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryPage:
    """One page. `columns` hold the units, `tables` each profile of the list once."""

    step: SummaryStep
    columns: tuple[tuple[ForceBlock, ...], ...]
    tables: tuple[SheetTable, ...] = ()

    @property
    def is_last(self) -> bool:
        """Whether this is the tightest way to set the page."""
        return self.step is STEPS[-1]


def list_summaries(sheet: ListSheet) -> Iterator[SummaryPage]:
    """Yield the ways to set the list that should fit, the roomiest first; at least the tightest one."""
    problems = len(sheet.problems) + len(sheet.remarks) + bool(sheet.facts)
    # Many problems stand in two columns.
    room = ROOM - _PROBLEM * (problems if problems <= _MANY else problems / 2)
    tables = collect_profile_tables(sheet.cards)
    for step in STEPS:
        units = sum(_estimate_block_height(block, step) for block in sheet.blocks)
        column = units / step.columns
        # Columns never come out equally long.
        height = column * 1.04 if step.columns > 1 else column
        if step.profiles:
            height = max(height, sum(_estimate_table_height(table, step) for table in tables))
        if height <= room or step is STEPS[-1]:
            blocks = [_strip_options(block, step) for block in sheet.blocks]
            columns = tuple(_split_columns(blocks, step, column))
            yield SummaryPage(step=step, columns=columns, tables=tables if step.profiles else ())


def collect_profile_tables(cards: Sequence[SheetCard]) -> tuple[SheetTable, ...]:
    """Return each profile of the list once, one table per type.

    Tables that need a whole page's width stay on their cards. Different profiles of one name, such as the modes of
    several units, get the names of their units.
    """
    units_by_row: dict[SheetTable, dict[SheetRow, str]] = {}
    for card in cards:
        if card.wide:
            continue
        for table in card.tables:
            rows = units_by_row.setdefault(replace(table, rows=()), {})
            for row in table.rows:
                rows.setdefault(row, card.name)
    return tuple(replace(table, rows=tuple(_name_rows_apart(rows))) for table, rows in units_by_row.items())


def _name_rows_apart(rows: dict[SheetRow, str]) -> Iterator[SheetRow]:
    names = Counter(row.name for row in rows)
    for row, unit in rows.items():
        yield row if names[row.name] == 1 else replace(row, name=f"{unit}: {row.name}")


def _strip_options(block: ForceBlock, step: SummaryStep) -> ForceBlock:
    if step.options:
        return block
    return replace(block, lines=tuple(replace(line, options=(), notes="") for line in block.lines))


def _estimate_block_height(block: ForceBlock, step: SummaryStep) -> float:
    if not block.lines:
        return step.line
    return _HEAD * step.line + sum(_estimate_line_height(line, step) for line in block.lines)


def _estimate_line_height(line: UnitLine, step: SummaryStep) -> float:
    """Return the height of a line: its name, and its options on lines of their own."""
    room = step.characters - 16
    name = count_lines(f"{line.count} x {line.name}, {line.models} models {line.host}", room)
    options = count_lines("; ".join(line.options), room) if line.options and step.options else 0
    return (name + options + 0.25) * step.line


def _estimate_table_height(table: SheetTable, step: SummaryStep) -> float:
    return (count_table_lines(table, step.characters) + 0.4) * step.line * 1.08


def _split_columns(
    blocks: Sequence[ForceBlock], step: SummaryStep, height: float
) -> Iterator[tuple[ForceBlock, ...]]:
    """Yield columns of about one height. A detachment that continues in the next one repeats its heading."""
    column: list[ForceBlock] = []
    used, left = 0.0, step.columns - 1
    for block in blocks:
        head = _HEAD * step.line
        lines_here: list[UnitLine] = []
        used += head
        for line in block.lines:
            needed = _estimate_line_height(line, step)
            if left and used + needed > height + step.line and (column or lines_here):
                yield tuple([*column, replace(block, lines=tuple(lines_here))] if lines_here else column)
                column, lines_here, used, left = [], [], head, left - 1
            lines_here.append(line)
            used += needed
        column.append(replace(block, lines=tuple(lines_here)))
    yield tuple(column)
