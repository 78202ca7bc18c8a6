"""Draw card edges in the frame of a game or faction: band, number, corners and back.

A frame never moves text. Bands are boxes and borders rather than images, so that screen readers skip them.
"""

from collections.abc import Iterator

from django.utils.html import format_html
from django.utils.safestring import SafeString

from catalogue.definitions.identity import Frame
from roster.pdf.markup import mm, place, tag
from roster.pdf.type.measure import POINT, fit_text

DEPTH = 13.6
"""The height of a card's band in millimetres, to which the depths below are scaled."""
BELOW = 0.6
"""Millimetres that a band is lower than the band of a plain card."""
NUMBER_EDGE = 2.2
"""Millimetres from the cut to the plate with the number."""
RIM = 0.5
LAP = 0.05
"""Millimetres by which neighbouring boxes overlap, so that no gap shows."""
CORNER, CORNER_EDGE = 5.5, 2.0
PENNONS = 6
_NUMBER_SIZES = {Frame.PLATE: 13.2, Frame.ARCH: 11.2, Frame.PENNON: 11.6}
_CORNERS = {Frame.PLATE: "1.7mm", Frame.ARCH: "5.5mm", Frame.PENNON: "0"}
_HEXAGON = 0.866
"""The height of a hexagon with points at its sides, relative to its width."""


def measure_plate(frame: Frame, band: float) -> float:
    """Return the millimetres from the cut to the inner edge of the number's plate."""
    return _NUMBER_SIZES[frame] * _scale(band) + NUMBER_EDGE + RIM


def _scale(band: float) -> float:
    return (band + BELOW) / DEPTH


def draw_band(frame: Frame, width: float, band: float, bleed: float, dark: str) -> Iterator[SafeString]:
    scale = _scale(band)
    match frame:
        case Frame.PLATE:
            high, low, slope = 9.4 * scale, 3.8 * scale, 3.8 * scale
            yield _fill(-bleed, -bleed, width + 2 * bleed, high + bleed, dark)
            end = width * 0.68
            yield _fill(slope - LAP, high - LAP, end - slope + 2 * LAP, low + LAP, dark)
            yield _draw_triangle(end, high, (low, "top", dark), (slope, "right"))
            yield _draw_triangle(0.0, high, (low, "top", dark), (slope, "left"))
        case Frame.ARCH:
            radius = f"border-radius:0 0 50% 50%/0 0 {mm(3.4 * scale)} {mm(3.4 * scale)}"
            yield _fill(-bleed, -bleed, width + 2 * bleed, DEPTH * scale + bleed, dark, radius)
        case Frame.PENNON:
            high, half = 10.4 * scale, width / PENNONS / 2
            yield _fill(-bleed, -bleed, width + 2 * bleed, high + bleed, dark)
            for number in range(PENNONS):
                sides = (half, "left"), (half, "right")
                yield _draw_triangle(number * 2 * half, high - LAP, (3.0 * scale, "top", dark), *sides)


def draw_number(frame: Frame, text: str, width: float, band: float, *, dark: str, light: str) -> Iterator[SafeString]:
    scale = _scale(band)
    size = _NUMBER_SIZES[frame] * scale
    left, middle = width - NUMBER_EDGE - RIM - size, band / 2 + 0.4
    if frame is Frame.PLATE:
        for grown, colour in ((RIM, "#fff"), (0.0, light)):
            wide = size + 2 * grown
            high = wide * _HEXAGON
            start, top, point = left - grown, middle - high / 2, wide / 4
            halves = (high / 2, "top"), (high / 2, "bottom")
            yield _draw_triangle(start, top, (point, "right", colour), *halves)
            yield _fill(start + point - LAP, top, wide - 2 * point + 2 * LAP, high, colour)
            yield _draw_triangle(start + wide - point, top, (point, "left", colour), *halves)
    else:
        round_below = ".6mm .6mm 50% 50%/.6mm .6mm 62% 62%" if frame is Frame.PENNON else "50%"
        for grown, colour in ((RIM, "#fff"), (0.0, light)):
            wide = size + 2 * grown
            more = f"border-radius:{round_below}"
            yield _fill(left - grown, middle - wide / 2, wide, wide, colour, more)
    fitted = fit_text(text, "name", size * 0.8, 12.5 * scale, 6.0)
    line = fitted.size * 1.1 * POINT
    where = place(left=left, width=size, top=middle - line / 2, size=fitted.size, line=line, more=f"color:{dark}")
    yield tag("p", text, css="num", style=where)


def draw_corners(frame: Frame, dark: str) -> Iterator[SafeString]:
    for side in ("left", "right"):
        line = f".35mm solid {dark}"
        style = place(width=CORNER, height=CORNER, bottom=CORNER_EDGE, more=f"{side}:{mm(CORNER_EDGE)}")
        edges = f"border-{side}:{line};border-bottom:{line};border-bottom-{side}-radius:{_CORNERS[frame]}"
        yield tag("div", css="corner", style=f"{style};{edges}")


_TILES = {
    Frame.PLATE: (10.0, 17.32, "M5 0L10 2.89V8.66L5 11.55L0 8.66V2.89ZM5 11.55V17.32M0 2.89L-5 0M10 8.66V2.89"),
    Frame.ARCH: (10.0, 10.0, "M0 0A5 5 0 0 0 10 0M-5 5A5 5 0 0 0 5 5M5 5A5 5 0 0 0 15 5"),
    Frame.PENNON: (8.0, 14.0, "M4 0L8 7L4 14L0 7Z"),
}
"""The width and height of a tile of the pattern, and its lines."""
_FIELDS = {
    Frame.PLATE: "M9 6H54L57 9V79L54 82H9L6 79V9Z",
    Frame.ARCH: "M6 20C6 9 17 6 31.5 6C46 6 57 9 57 20V78C57 80.5 55.5 82 53 82H10C7.5 82 6 80.5 6 78Z",
    Frame.PENNON: "M6 12L12 6H51L57 12V76L51 82H12L6 76Z",
}
"""The plain field on a back of 63 by 88 millimetres."""


def draw_back(
    frame: Frame, size: tuple[float, float], bleed: float, *, dark: str, light: str, title: str
) -> SafeString:
    width, height = size
    across, down, lines = _TILES[frame]
    tiles = "".join(
        f'<path d="{lines}" transform="translate({column * across:g} {row * down:g})"/>'
        for column in range(-1, int((width + bleed) / across) + 2)
        for row in range(-1, int((height + bleed) / down) + 2)
    )
    field, stretch = _FIELDS[frame], f"scale({width / 63:.4f} {height / 88:.4f})"
    inner = f"{stretch} translate(31.5 44) scale(.94) translate(-31.5 -44)"
    wide, high = width + 2 * bleed, height + 2 * bleed
    where = place(left=-bleed, top=-bleed, width=wide, height=high)
    drawing = format_html(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="{0} {0} {1} {2}"><title>{3}</title>'
        '<rect x="{0}" y="{0}" width="{1}" height="{2}" fill="{4}"/>'
        '<g fill="none" stroke="{5}" stroke-width=".3" opacity=".34">{6}</g>'
        '<path d="{7}" transform="{8}" fill="{4}" stroke="{5}" stroke-width=".5"/>'
        '<path d="{7}" transform="{9}" fill="none" stroke="{5}" stroke-width=".2"/></svg>',
        *(f"{-bleed:g}", f"{wide:g}", f"{high:g}", title, dark, light, SafeString(tiles), field, stretch, inner),
    )
    return tag("div", drawing, css="field pattern", style=where)


def _fill(left: float, top: float, width: float, height: float, colour: str, more: str = "") -> SafeString:
    paint = ";".join(filter(None, (f"background:{colour}", more)))
    return tag("div", css="field", style=place(left=left, top=top, width=width, height=height, more=paint))


def _draw_triangle(left: float, top: float, base: tuple[float, str, str], *sides: tuple[float, str]) -> SafeString:
    """Draw a box whose coloured border is cut diagonally by transparent borders."""
    width, edge, colour = base
    borders = [f"border-{edge}:{mm(width)} solid {colour}"]
    borders += [f"border-{side}:{mm(length)} solid transparent" for length, side in sides]
    style = place(left=left, top=top, width=0.0, height=0.0, more=";".join(borders))
    return tag("div", css="field", style=style)
