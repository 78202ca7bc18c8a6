"""The whole list on one page: the ledger without its air, and beside it the profiles while there is room for them."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from roster.pdf.height_estimate import lines, table_lines
from roster.pdf.shapes import Block, Card, Line, Row, Sheet, Table

ROOM = 220.0
"""Millimetres below the head of a page without problems to list. What does not fit after all is set more tightly."""
_PROBLEM, _MANY = 4.2, 10
_HEAD = 1.9


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One way to set the page.

    `size` is the class of the type, `line` its height in millimetres, `characters` how many stand side by side in one
    column.
    """

    size: str
    line: float
    characters: int
    columns: int = 2
    options: bool = True
    profiles: bool = False


STEPS = (
    Step(size="s0", line=3.45, characters=75, columns=1, profiles=True),
    Step(size="s1", line=3.05, characters=85, columns=1, profiles=True),
    Step(size="s1", line=3.05, characters=85),
    Step(size="s2", line=2.7, characters=97),
    Step(size="s1", line=3.05, characters=85, options=False),
    Step(size="s2", line=2.7, characters=97, options=False),
    Step(size="s3", line=2.35, characters=73, columns=3, options=False),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """One page. `columns` hold the ledger, `tables` each profile of the list once."""

    step: Step
    columns: tuple[tuple[Block, ...], ...]
    tables: tuple[Table, ...] = ()

    @property
    def is_last(self) -> bool:
        """Whether there is no tighter one."""
        return self.step is STEPS[-1]


def summaries(sheet: Sheet) -> Iterator[Summary]:
    """The ways to set the list that should fit, roomiest first; at least the tightest one."""
    problems = len(sheet.problems + sheet.remarks)
    problems += bool(sheet.facts)
    room = ROOM - _PROBLEM * (problems if problems <= _MANY else problems / 2)
    tables = profile_tables(sheet.cards)
    for step in STEPS:
        ledger = sum(_block_height(block, step) for block in sheet.blocks)
        beside = sum(_table_height(table, step) for table in tables) if step.profiles else 0.0
        if (
            max(ledger / step.columns * (1.04 if step.columns > 1 else 1), beside) <= room
            or step is STEPS[-1]
        ):
            columns = tuple(_split([_plain(b, step) for b in sheet.blocks], step, ledger / step.columns))
            yield Summary(step=step, columns=columns, tables=tables if step.profiles else ())


def profile_tables(cards: Sequence[Card]) -> tuple[Table, ...]:
    """Each profile of the list once, one table per type; those that need a whole page's width stay on their cards.

    Different profiles of one name, such as the modes of several units, are told apart by the names of their units.
    """
    rows: dict[Table, dict[Row, str]] = {}
    for card in cards:
        for table in () if card.wide else card.tables:
            found = rows.setdefault(replace(table, rows=()), {})
            for row in table.rows:
                found.setdefault(row, card.name)
    return tuple(replace(empty, rows=tuple(_told_apart(found))) for empty, found in rows.items())


def _told_apart(rows: dict[Row, str]) -> Iterator[Row]:
    names = Counter(row.name for row in rows)
    for row, unit in rows.items():
        yield row if names[row.name] == 1 else replace(row, name=f"{unit}: {row.name}")


def _plain(block: Block, step: Step) -> Block:
    return (
        block
        if step.options
        else replace(block, lines=tuple(replace(n, options=(), notes="") for n in block.lines))
    )


def _block_height(block: Block, step: Step) -> float:
    return (
        (_HEAD * step.line + sum(_line_height(line, step) for line in block.lines))
        if block.lines
        else step.line
    )


def _line_height(line: Line, step: Step) -> float:
    """A line of the ledger: its name, and on lines of their own its options."""
    room = step.characters - 16
    name = lines(f"{line.count} x {line.name}, {line.models} models {line.host}", room)
    options = lines("; ".join(line.options), room) if line.options and step.options else 0
    return (name + options + 0.25) * step.line


def _table_height(table: Table, step: Step) -> float:
    return (table_lines(table, step.characters) + 0.4) * step.line * 1.08


def _split(blocks: Sequence[Block], step: Step, height: float) -> Iterator[tuple[Block, ...]]:
    """The ledger in columns of about one height; a detachment that goes on in the next one keeps its heading."""
    column: list[Block] = []
    used, left = 0.0, step.columns - 1
    for block in blocks:
        head = _HEAD * step.line
        lines_here: list[Line] = []
        used += head
        for line in block.lines:
            needed = _line_height(line, step)
            if left and used + needed > height + step.line and (column or lines_here):
                yield tuple([*column, replace(block, lines=tuple(lines_here))] if lines_here else column)
                column, lines_here, used, left = [], [], head, left - 1
            lines_here.append(line)
            used += needed
        column.append(replace(block, lines=tuple(lines_here)))
    yield tuple(column)
