"""Deployment maps: zones by edge, corner, circle or polygon, on tables of given sizes in inches."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from catalogue.definitions.maps import DeploymentMap, MapTable, Point, Whose, Zone
from catalogue.documents.node import DocumentNode, MappingReader
from catalogue.documents.problems import MalformedValueError
from catalogue.formats.packs.parse.context import ParseContext
from catalogue.formats.packs.parse.missions import read_count, refer
from catalogue.formats.packs.parse.objectives import read_table
from catalogue.formats.packs.syntax.play import PlayKind

EDGES = ("north", "south", "west", "east", "all")
CORNERS = ("northwest", "northeast", "southwest", "southeast")
WHOSE = tuple(word.value for word in Whose)


class Table(NamedTuple):
    """A table in inches."""

    width: float
    depth: float


def read_map(item: DocumentNode, desk: ParseContext) -> DeploymentMap:
    """A way to deploy; without `tables:` it is schematic."""
    fields = item.fields("The map")
    own, name = desk.identity(fields, "map")
    fields.what = f"The map “{name}”"
    roll = fields.get("roll")
    desk.forms.play.places[PlayKind.MAP, own] = (roll or item).where
    made = DeploymentMap(
        id=own,
        name=name,
        roll=roll.read(read_count, 0) if roll else None,
        text=fields.text("text"),
        steps=tuple(each.text() for each in fields.each("steps")),
        tables=tuple(read_map_table(each, desk) for each in fields.each("tables")),
        citation=desk.cite(fields, required=True),
    )
    fields.close()
    return made


def read_map_table(item: DocumentNode, desk: ParseContext) -> MapTable:
    """`{table: 48 x 48, sizes, zones, spots}`."""
    fields = item.fields("The table of the map")
    size = fields.read("table", read_table, (0, 0))
    table = Table(*size)
    if not (table.width and table.depth):
        item.wrong("missing-key", "The table of the map has no size.", "Add `table: 48 x 48`, in inches.")
    made = MapTable(
        width=table.width,
        depth=table.depth,
        zones=tuple(read_zone(each, table) for each in fields.each("zones")),
        spots=tuple(_point(each, table) for each in fields.each("spots")),
        sizes=tuple(refer(desk, PlayKind.SIZE, each) for each in fields.texts("sizes")),
    )
    fields.close()
    return made


def read_zone(item: DocumentNode, table: Table) -> Zone:
    """One zone: `edge` and `depth`, `corner` and `size`, `circle`, or `polygon`."""
    fields = item.fields("The zone")
    name = fields.need("zone")
    whose = fields.read("whose", _word(WHOSE), Whose.BOTH.value)
    polygons, measure = _polygons(fields, table)
    circle = fields.get("circle")
    radius = _inches(circle, min(table) / 2) if circle else 0
    if not polygons and not radius:
        item.wrong(
            "missing-key",
            "The zone has no shape.",
            "Add `edge` and `depth`, `corner`, `circle` or `polygon`.",
        )
    fields.close()
    return Zone(
        name=name.text() if name else "",
        whose=Whose(whose),
        polygons=polygons,
        centre=(table.width / 2, table.depth / 2) if radius else None,
        radius=radius,
        measure=measure or (f"{radius:g}″" if radius else ""),
    )


def _polygons(fields: MappingReader, table: Table) -> tuple[tuple[tuple[Point, ...], ...], str]:
    """The shapes of a zone but for a circle, and what stands beside it."""
    edge, corner, given = fields.get("edge"), fields.get("corner"), fields.get("polygon")
    if edge is not None:
        depth = _inches(fields.need("depth"), min(table))
        return tuple(_strips(edge.read(_word(EDGES), ""), depth, table)), f"{depth:g}″"
    if corner is not None:
        size = _inches(fields.need("size"), min(table))
        return (_square(corner.read(_word(CORNERS), ""), size, table),), f"{size:g}″"
    if given is not None:
        return (tuple(_point(each, table) for each in given.each()),), fields.text("measure")
    return (), ""


def _strips(edge: str, depth: float, table: Table) -> Iterator[tuple[Point, ...]]:
    width, height = table
    strips = {
        "north": (0.0, 0.0, width, depth),
        "south": (0.0, height - depth, width, height),
        "west": (0.0, 0.0, depth, height),
        "east": (width - depth, 0.0, width, height),
    }
    between = (depth, height - depth)
    for name, (left, top, right, bottom) in strips.items():
        if edge == name:
            yield _rectangle(left, top, right, bottom)
        elif edge == "all":
            upright = name in ("west", "east")
            yield _rectangle(left, between[0] if upright else top, right, between[1] if upright else bottom)


def _square(corner: str, size: float, table: Table) -> tuple[Point, ...]:
    left = 0 if "west" in corner else table.width - size
    top = 0 if "north" in corner else table.depth - size
    return _rectangle(left, top, left + size, top + size)


def _rectangle(left: float, top: float, right: float, bottom: float) -> tuple[Point, ...]:
    return (left, top), (right, top), (right, bottom), (left, bottom)


def _inches(item: DocumentNode | None, most: float) -> float:
    """A distance on the table."""
    value = float(item.number()) if item is not None else 0.0
    if item is not None and not 0 < value <= most:
        item.wrong("off-the-table", f"{value:g} inches do not fit on the table.", f"Write up to {most:g}.")
        return 0.0
    return value


def _point(item: DocumentNode, table: Table) -> Point:
    """`[12, 24]`: from the left, from the top."""
    parts = item.each()
    if len(parts) != 2:
        item.wrong("wrong-form", "A point is two numbers.", "Write it as [12, 24].")
        return 0.0, 0.0
    x, y = (float(part.number()) for part in parts)
    if not (0 <= x <= table.width and 0 <= y <= table.depth):
        item.wrong(
            "off-the-table", f"{x:g}, {y:g} is beside the table.", "Write inches from the upper left corner."
        )
    return x, y


def _word(words: tuple[str, ...]) -> Callable[[str], str]:
    def read(text: str) -> str:
        if text in words:
            return text
        raise MalformedValueError(f"“{text}” is none of the words meant here.", f"Write {', '.join(words)}.")

    return read
