"""Deployment maps as drawings. To scale where there are distances; a table without any is marked schematic elsewhere.

A drawing has ten units to the inch and the same colours on paper as on pages; pages change them by class. Zones differ
by pattern as well, never by colour alone.
"""

from collections.abc import Iterator
from xml.sax.saxutils import escape, quoteattr

from django.utils.safestring import SafeString

from catalogue.definitions.maps import MapTable, Point, Whose, Zone

UNIT = 10
FOOT = 12
EDGE = 36
TYPE = 1 / 23
"""How tall letters are, as a share of the table's width: maps are shown in one width."""
FACE = "font-family=\"'DejaVu Sans Condensed', 'DejaVu Sans', sans-serif\""
COLOURS = {Whose.FIRST: "#1f5f8b", Whose.SECOND: "#a2452b", Whose.BOTH: "#5f655c"}
_DASHES = {Whose.FIRST: "", Whose.SECOND: ' stroke-dasharray="14 8"', Whose.BOTH: ' stroke-dasharray="4 6"'}
BLANK = MapTable(width=72, depth=48)
"""What stands for a table where the book gives no distances."""


def draw(table: MapTable, title: str, *, schematic: bool = False) -> SafeString:
    """The drawing of a table; `title` says to those who cannot see it what it shows."""
    width, depth = table.width * UNIT, table.depth * UNIT
    box = f"{-EDGE} {-EDGE} {_n(width + 2 * EDGE)} {_n(depth + 2 * EDGE + width * TYPE)}"
    ground = 'fill="#fbf8f0" stroke="#20251f" stroke-width="3"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="map" viewBox="{box}" role="img"',
        f" aria-label={quoteattr(title)} {FACE}><title>{escape(title)}</title>",
        f'<rect class="ground" width="{_n(width)}" height="{_n(depth)}" {ground}/>',
    ]
    if schematic:
        look = 'stroke="#8d897c" stroke-width="2" stroke-dasharray="16 10" fill="none"'
        parts.append(f'<path class="foot" d="M0 {_n(depth / 2)}H{_n(width)}" {look}/>')
    else:
        parts += _grid(table)
        parts += (line for zone in table.zones for line in _zone(zone, table.width))
        parts += (_spot(spot) for spot in table.spots)
        parts += _size(table)
    return SafeString("".join([*parts, "</svg>"]))


def _grid(table: MapTable) -> Iterator[str]:
    """A line at each foot."""
    width, depth = table.width * UNIT, table.depth * UNIT
    lines = [f"M{x * UNIT} 0V{_n(depth)}" for x in range(FOOT, int(table.width), FOOT)]
    lines += [f"M0 {y * UNIT}H{_n(width)}" for y in range(FOOT, int(table.depth), FOOT)]
    yield f'<path class="foot" d="{"".join(lines)}" stroke="#d8d1c1" stroke-width="1.5" fill="none"/>'


def _zone(zone: Zone, width: float) -> Iterator[str]:
    colour = COLOURS[zone.whose]
    look = (
        f'class="zone {zone.whose}" fill="{colour}" fill-opacity=".16" stroke="{colour}" '
        f'stroke-width="3"{_DASHES[zone.whose]}'
    )
    for polygon in zone.polygons:
        points = " ".join(f"{_n(x * UNIT)},{_n(y * UNIT)}" for x, y in polygon)
        yield f'<polygon points="{points}" {look}/>'
    if zone.centre:
        x, y = zone.centre
        yield f'<circle cx="{_n(x * UNIT)}" cy="{_n(y * UNIT)}" r="{_n(zone.radius * UNIT)}" {look}/>'
    yield from _name(zone, width, colour)


def _name(zone: Zone, width: float, colour: str) -> Iterator[str]:
    """Name and measure of a zone: above a circle, whose centre is a marker's place; in the middle of other shapes."""
    type_size = width * TYPE
    lines = [zone.name, zone.measure] if zone.measure else [zone.name]
    if zone.centre:
        # One above the other: side by side they would reach into the zones of corners.
        last = zone.centre[1] - zone.radius - 0.3 * type_size
        for number, line in enumerate(reversed(lines)):
            yield _text(zone.centre[0], last - number * 1.2 * type_size, line, colour, type_size)
        return
    (left, right), (top, bottom) = (_span(zone.polygons[0], axis) for axis in (0, 1))
    if bottom - top < 3 * type_size:
        lines = [" ".join(lines)]
    first = (top + bottom) / 2 + type_size * (0.95 - len(lines) * 0.6)
    for number, line in enumerate(lines):
        yield _text((left + right) / 2, first + number * 1.2 * type_size, line, colour, type_size)


def _span(polygon: tuple[Point, ...], axis: int) -> Point:
    """Where a shape begins and ends; of one that tapers, its heavier part."""
    values = [point[axis] for point in polygon]
    middle = sum(values) / len(values)
    half = min(middle - min(values), max(values) - middle)
    return middle - half, middle + half


def _spot(spot: Point) -> str:
    x, y = (value * UNIT for value in spot)
    return (
        f'<path class="spot" d="M{_n(x)} {_n(y - 9)}l9 9l-9 9l-9 -9z" fill="#20251f" stroke="#fbf8f0" '
        'stroke-width="2"/>'
    )


def _size(table: MapTable) -> Iterator[str]:
    type_size = table.width * TYPE
    yield _text(table.width / 2, table.depth + 1.2 * type_size, f"{table.width:g}″", "#20251f", type_size)
    x, y = -8, table.depth * UNIT / 2
    turn = f'transform="rotate(-90 {x} {_n(y)})"'
    yield _text(x / UNIT, table.depth / 2, f"{table.depth:g}″", "#20251f", type_size, turn)


def _text(x: float, y: float, text: str, colour: str, size: float, more: str = "") -> str:
    place = f'x="{_n(x * UNIT)}" y="{_n(y * UNIT)}" font-size="{_n(size * UNIT)}"'
    return f'<text class="word" {place} text-anchor="middle" fill="{colour}" {more}>{escape(text)}</text>'


def _n(value: float) -> str:
    """A coordinate, without noise behind the point."""
    return f"{round(value, 2):g}"
