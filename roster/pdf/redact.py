"""Redact a sheet for opponents. Pure: values in, values out."""

from collections.abc import Iterable
from dataclasses import replace

from roster.pdf.shapes import ForceBlock, ListSheet, UnitLine


def redact_sheet(sheet: ListSheet) -> ListSheet:
    """Return only the names and numbers of units and the verdict.

    Points, options, models, notes, cards and reasons are left out. Units that differ only in what they carry become one
    line, so that not even the difference shows.
    """
    return ListSheet(
        title=sheet.title,
        imprint=sheet.imprint,
        verdict=sheet.verdict,
        factions=sheet.factions,
        units=sheet.units,
        blocks=tuple(_redact_block(block) for block in sheet.blocks),
    )


def _redact_block(block: ForceBlock) -> ForceBlock:
    return ForceBlock(
        name=block.name,
        kind=block.kind,
        catalogue=block.catalogue,
        depth=block.depth,
        tallies=block.tallies,
        lines=tuple(_merge_lines(block.lines)),
    )


def _merge_lines(lines: Iterable[UnitLine]) -> Iterable[UnitLine]:
    """Return the lines with equal ones added up, each where its first one was."""
    counts: dict[UnitLine, int] = {}
    for line in lines:
        bare = UnitLine(type=line.type, name=line.name, host=line.host, placeholder=line.placeholder)
        counts[bare] = counts.get(bare, 0) + line.count
    return [replace(line, count=count) for line, count in counts.items()]
