"""Draw deployment maps as SVG, ten units per inch, to scale if the data has distances.

Pages change the colours by class. Zones also differ by pattern.
"""

from collections.abc import Iterator
from xml.sax.saxutils import escape, quoteattr

from django.utils.safestring import SafeString

from catalogue.definitions.missions import MapTable, Point, Whose, Zone

UNIT = 10
FOOT = 12
EDGE = 36
TYPE = 1 / 23
"""The height of text as a share of the table's width."""
FACE = "font-family=\"Paper, 'Fira Sans', 'DejaVu Sans Condensed', sans-serif\""
"""The fonts of printouts, then of pages."""
IN_CIRCLES = 0.85
"""The relative size of a circle's label, which shares the table with the zones of both sides."""
COLOURS = {Whose.FIRST: "#1f5f8b", Whose.SECOND: "#a2452b", Whose.BOTH: "#5f655c"}
_DASHES = {Whose.FIRST: "", Whose.SECOND: ' stroke-dasharray="14 8"', Whose.BOTH: ' stroke-dasharray="4 6"'}
BLANK = MapTable(width=72, depth=48)


def draw_map(table: MapTable, title: str, *, schematic: bool = False) -> SafeString:
    """Return an SVG with `title` for screen readers. A `schematic` drawing is not to scale."""
    width, depth = table.width * UNIT, table.depth * UNIT
    box_depth = depth + 2 * EDGE + width * TYPE
    box = f"{-EDGE} {-EDGE} {_trim_number(width + 2 * EDGE)} {_trim_number(box_depth)}"
    ground = 'fill="#fbf8f0" stroke="#20251f" stroke-width="3"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="map" viewBox="{box}" role="img"',
        f" aria-label={quoteattr(title)} {FACE}><title>{escape(title)}</title>",
        f'<rect class="ground" width="{_trim_number(width)}" height="{_trim_number(depth)}" {ground}/>',
    ]
    if schematic:
        look = 'stroke="#8d897c" stroke-width="2" stroke-dasharray="16 10" fill="none"'
        parts.append(f'<path class="foot" d="M0 {_trim_number(depth / 2)}H{_trim_number(width)}" {look}/>')
    else:
        lines = [f"M{x * UNIT} 0V{_trim_number(depth)}" for x in range(FOOT, int(table.width), FOOT)]
        lines += [f"M0 {y * UNIT}H{_trim_number(width)}" for y in range(FOOT, int(table.depth), FOOT)]
        parts.append(f'<path class="foot" d="{"".join(lines)}" stroke="#d8d1c1" stroke-width="1.5" fill="none"/>')
        parts += (line for zone in table.zones for line in _draw_zone(zone, table.width))
        for x, y in table.spots:
            place = f"M{_trim_number(x * UNIT)} {_trim_number(y * UNIT - 9)}l9 9l-9 9l-9 -9z"
            parts.append(f'<path class="spot" d="{place}" fill="#20251f" stroke="#fbf8f0" stroke-width="2"/>')
        size = table.width * TYPE
        parts.append(_draw_text(table.width / 2, table.depth + 1.2 * size, f"{table.width:g}″", "#20251f", size))
        x, y = -7, table.depth * UNIT / 2  # keeps the tallest letters inside the drawing
        turn = f'transform="rotate(-90 {x} {_trim_number(y)})"'
        parts.append(_draw_text(x / UNIT, table.depth / 2, f"{table.depth:g}″", "#20251f", size, turn))
    return SafeString("".join([*parts, "</svg>"]))


def _draw_zone(zone: Zone, width: float) -> Iterator[str]:
    colour = COLOURS[zone.whose]
    look = (
        f'class="zone {zone.whose}" fill="{colour}" fill-opacity=".16" stroke="{colour}" '
        f'stroke-width="3"{_DASHES[zone.whose]}'
    )
    for polygon in zone.polygons:
        points = " ".join(f"{_trim_number(x * UNIT)},{_trim_number(y * UNIT)}" for x, y in polygon)
        yield f'<polygon points="{points}" {look}/>'
    if zone.centre:
        x, y, radius = (_trim_number(value * UNIT) for value in (*zone.centre, zone.radius))
        yield f'<circle cx="{x}" cy="{y}" r="{radius}" {look}/>'

    # The label is above a circle, whose centre may have a marker, and in the middle of other shapes.
    type_size = width * TYPE
    lines = [zone.name, zone.measure] if zone.measure else [zone.name]
    if zone.centre:
        type_size *= IN_CIRCLES
        # Stacked: in one line they would reach into corner zones.
        last = zone.centre[1] - zone.radius - 0.3 * type_size
        for number, line in enumerate(reversed(lines)):
            yield _draw_text(zone.centre[0], last - number * 1.2 * type_size, line, colour, type_size)
        return
    (left, right), (top, bottom) = (_find_span(zone.polygons[0], axis) for axis in (0, 1))
    if bottom - top < 3 * type_size:
        lines = [" ".join(lines)]
    first = (top + bottom) / 2 + type_size * (0.95 - len(lines) * 0.6)
    for number, line in enumerate(lines):
        yield _draw_text((left + right) / 2, first + number * 1.2 * type_size, line, colour, type_size)


def _find_span(polygon: tuple[Point, ...], axis: int) -> Point:
    """Return a shape's start and end along an axis; for a tapering shape, of its wider part."""
    values = [point[axis] for point in polygon]
    middle = sum(values) / len(values)
    half = min(middle - min(values), max(values) - middle)
    return middle - half, middle + half


def _draw_text(x: float, y: float, text: str, colour: str, size: float, more: str = "") -> str:
    left, top, font_size = (_trim_number(value * UNIT) for value in (x, y, size))
    place = f'x="{left}" y="{top}" font-size="{font_size}"'
    return f'<text class="word" {place} text-anchor="middle" fill="{colour}" {more}>{escape(text)}</text>'


def _trim_number(value: float) -> str:
    return f"{round(value, 2):g}"
