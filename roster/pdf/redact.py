"""A sheet without what an opponent is not to know. Pure: values in, values out."""

from collections.abc import Iterable
from dataclasses import replace

from roster.pdf.shapes import Block, Line, Sheet


def veil(sheet: Sheet) -> Sheet:
    """The units by name and number, and the verdict. No points, options, models, notes, cards, or reasons.

    Units that differ in what they carry alone are one line: that they differ is not told either.
    """
    return Sheet(
        title=sheet.title,
        imprint=sheet.imprint,
        verdict=sheet.verdict,
        factions=sheet.factions,
        units=sheet.units,
        blocks=tuple(_block(block) for block in sheet.blocks),
    )


def _block(block: Block) -> Block:
    return Block(
        name=block.name,
        kind=block.kind,
        catalogue=block.catalogue,
        depth=block.depth,
        tallies=block.tallies,
        lines=tuple(_merged(block.lines)),
    )


def _merged(lines: Iterable[Line]) -> Iterable[Line]:
    """The lines, equal ones together where the first of them stands."""
    counts: dict[Line, int] = {}
    for line in lines:
        bare = Line(type=line.type, name=line.name, host=line.host, placeholder=line.placeholder)
        counts[bare] = counts.get(bare, 0) + line.count
    return [replace(line, count=count) for line, count in counts.items()]
