"""A sheet without what an opponent is not to know. Pure: values in, values out."""

from collections.abc import Iterable
from dataclasses import replace

from roster.pdf.shapes import LedgerBlock, LedgerLine, ListSheet


def redact_sheet(sheet: ListSheet) -> ListSheet:
    """The units by name and number, and the verdict. No points, options, models, notes, cards, or reasons.

    Units that differ in what they carry alone are one line: that they differ is not told either.
    """
    return ListSheet(
        title=sheet.title,
        imprint=sheet.imprint,
        verdict=sheet.verdict,
        factions=sheet.factions,
        units=sheet.units,
        blocks=tuple(_redact_block(block) for block in sheet.blocks),
    )


def _redact_block(block: LedgerBlock) -> LedgerBlock:
    return LedgerBlock(
        name=block.name,
        kind=block.kind,
        catalogue=block.catalogue,
        depth=block.depth,
        tallies=block.tallies,
        lines=tuple(_merge_lines(block.lines)),
    )


def _merge_lines(lines: Iterable[LedgerLine]) -> Iterable[LedgerLine]:
    """The lines, equal ones together where the first of them stands."""
    counts: dict[LedgerLine, int] = {}
    for line in lines:
        bare = LedgerLine(type=line.type, name=line.name, host=line.host, placeholder=line.placeholder)
        counts[bare] = counts.get(bare, 0) + line.count
    return [replace(line, count=count) for line, count in counts.items()]
