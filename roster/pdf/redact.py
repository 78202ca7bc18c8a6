"""Redact a sheet for opponents."""

from dataclasses import replace

from roster.pdf.shapes import ForceBlock, ListSheet, UnitLine


def redact_sheet(sheet: ListSheet) -> ListSheet:
    """Keep only the verdict, and the names and numbers of units.

    Units that differ only in equipment share a line, so that even the difference is hidden.
    """
    blocks = []
    for block in sheet.blocks:
        counts: dict[UnitLine, int] = {}
        for line in block.lines:
            bare = UnitLine(type=line.type, name=line.name, host=line.host, placeholder=line.placeholder)
            counts[bare] = counts.get(bare, 0) + line.count
        bare_block = ForceBlock(
            name=block.name,
            kind=block.kind,
            catalogue=block.catalogue,
            depth=block.depth,
            tallies=block.tallies,
            lines=tuple(replace(line, count=count) for line, count in counts.items()),
        )
        blocks.append(bare_block)
    return ListSheet(
        title=sheet.title,
        imprint=sheet.imprint,
        verdict=sheet.verdict,
        factions=sheet.factions,
        units=sheet.units,
        blocks=tuple(blocks),
    )
