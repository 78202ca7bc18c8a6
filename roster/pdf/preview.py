"""Draw the picture that chats show with a list's link."""

import re
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from pathlib import Path

from django.conf import settings
from fontTools.pens.basePen import BasePen
from fontTools.svgLib.path import parse_path
from PIL import Image, ImageChops, ImageDraw, ImageFont

SIZE = (1200, 630)
STATIC = Path(settings.FILES_DIR) / "static"
DISPLAY, TEXT = "sofia-sans-condensed-latin-800-normal", "fira-sans-latin-400-normal"
EMBLEM_BOX = 512
CURVE_STEPS = 8
SMOOTHING = 2
"""Pillow draws polygons with hard edges, so emblems are drawn larger and reduced."""
_PATH = re.compile(r'\bd="([^"]+)"')


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """The picture's content. `dark` and `light` are the faction's colours, `tone` the verdict's."""

    title: str
    line: str
    points: str
    limit: str
    verdict: str
    tone: str
    emblem: str
    dark: str
    light: str


def draw_preview(preview: Preview) -> bytes:
    """Draw a PNG. Equal previews give equal bytes."""
    image = Image.new("RGB", SIZE, preview.dark)
    _stamp(image, preview.emblem, (700, -60), 760, preview.light, 0.14)
    pen = ImageDraw.Draw(image)
    pen.ellipse((70, 90, 270, 290), fill=preview.dark, outline=preview.light, width=8)
    _stamp(image, preview.emblem, (108, 128), 124, preview.light, 1)
    pen.text((70, 330), _shorten(preview.title, 34), font=_load_font(DISPLAY, 92), fill="#ffffff")
    pen.text((72, 440), _shorten(preview.line, 60), font=_load_font(TEXT, 38), fill="#e6e6e6")
    points, limit = _load_font(DISPLAY, 76), _load_font(DISPLAY, 44)
    pen.text((72, 516), preview.points, font=points, fill=preview.light)
    after = 84 + pen.textlength(preview.points, font=points)
    if preview.limit:
        pen.text((after, 543), f"/ {preview.limit}", font=limit, fill=preview.light)
        after += 24 + pen.textlength(f"/ {preview.limit}", font=limit)
    word = _load_font(DISPLAY, 44)
    width = pen.textlength(preview.verdict, font=word)
    left = after + 24 if preview.points else 72
    pen.rounded_rectangle((left, 532, left + width + 56, 596), radius=32, fill="#ffffff")
    pen.text((left + 28, 541), preview.verdict, font=word, fill=preview.tone)
    file = BytesIO()
    image.save(file, "PNG", optimize=True)
    return file.getvalue()


def _stamp(image: Image.Image, emblem: str, place: tuple[int, int], size: int, colour: str, opacity: float) -> None:
    mask = _draw_emblem(emblem, size).point(lambda value: int(value * opacity))
    image.paste(Image.new("RGB", mask.size, colour), place, mask)


@cache
def _load_font(name: str, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(STATIC / "fonts" / f"{name}.woff2"), size)


@cache
def _draw_emblem(name: str, size: int) -> Image.Image:
    large = size * SMOOTHING
    mask = Image.new("1", (large, large))
    path = STATIC / "icons" / "emblems" / f"{name}.svg"
    if path.is_file():
        pen = _ContourPen()
        for data in _PATH.findall(path.read_text(encoding="utf-8")):
            parse_path(data, pen)
        scale = large / EMBLEM_BOX
        for contour in (contour for contour in pen.contours if len(contour) > 2):
            layer = Image.new("1", mask.size)
            ImageDraw.Draw(layer).polygon([(x * scale, y * scale) for x, y in contour], fill=1)
            # An inner contour is a hole.
            mask = ImageChops.logical_xor(mask, layer)
    return mask.convert("L").resize((size, size), Image.Resampling.LANCZOS)


def _shorten(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


class _ContourPen(BasePen):  # type: ignore[misc]  # fontTools has no types
    def __init__(self) -> None:
        super().__init__(None)
        self.contours: list[list[tuple[float, float]]] = []

    def _moveTo(self, point: tuple[float, float]) -> None:  # noqa: N802 - fontTools' name
        self.contours.append([point])

    def _lineTo(self, point: tuple[float, float]) -> None:  # noqa: N802 - fontTools' name
        self.contours[-1].append(point)

    def _curveToOne(  # noqa: N802 - fontTools' name
        self, first: tuple[float, float], second: tuple[float, float], end: tuple[float, float]
    ) -> None:
        start = self.contours[-1][-1]
        for step in range(1, CURVE_STEPS + 1):
            t = step / CURVE_STEPS
            u = 1 - t
            x, y = (
                u**3 * start[axis] + 3 * u**2 * t * first[axis] + 3 * u * t**2 * second[axis] + t**3 * end[axis]
                for axis in (0, 1)
            )
            self.contours[-1].append((x, y))
