"""Build the font of symbols and the table of character widths.

`make vendor` calls it with the folder of the npm packages::

python -m roster.pdf.type.build_fonts static/node_modules
"""

import json
import math
import re
import shutil
import sys
from pathlib import Path

from fontTools.fontBuilder import FontBuilder
from fontTools.pens.cu2quPen import Cu2QuPen
from fontTools.pens.reverseContourPen import ReverseContourPen
from fontTools.pens.transformPen import TransformPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.svgLib.path import parse_path
from fontTools.ttLib import TTFont

from catalogue.definitions.identity import EMBLEMS
from roster.pdf.type.signs import BOX, EMBLEM_LIST, FONTS, ICONS, MARK_CODES, PHASES, WORD_SIGNS

SIGNS = FONTS / "armybuilder-signs.ttf"
WIDTHS = FONTS / "widths.json"
SUBSETS = ("latin", "latin-ext", "cyrillic", "cyrillic-ext", "greek", "greek-ext", "vietnamese")
FAMILIES = {"fira-sans-extra-condensed": (400, 600, 700), "sofia-sans-condensed": (800,)}
FACES = {
    "text": ("fira-sans-extra-condensed", 400),
    "semi": ("fira-sans-extra-condensed", 600),
    "bold": ("fira-sans-extra-condensed", 700),
    "name": ("sofia-sans-condensed", 800),
}
SYSTEM_FONT = Path("/usr/share/fonts/truetype/dejavu/DejaVuSansCondensed-Bold.ttf")
"""The fallback for other characters. Its bold face is wider."""

EPOCH = 2082844800
"""1970 in the time of fonts; a fixed date makes builds reproducible."""
EM = 1000
FIRST_EMBLEM = 0xE000
ICON = 512
BOX_LINE, BOX_ADVANCE = 85, 1170
SIGN_SIZE, SIGN_BOTTOM, SIGN_ADVANCE = 760, -40, 760
SIGN_MIDDLE, SIGN_LEVEL, SIGN_RADIUS = 380, 345, 335
"""Of signs between words, which are as high as capital letters and figures."""
SIGHTS_RADIUS, SIGHTS_LINE, SIGHTS_INSIDE = 270, 80, 110
MARK_WIDTH, MARK_TOP, MARK_BOTTOM, MARK_ADVANCE, MARK_CAPITAL = 820, 820, -60, 880, 620
COPYRIGHT = "Emblems: game-icons.net, CC BY 3.0; letters in marks: Fira Sans Extra Condensed, SIL Open Font License 1.1"


def main(packages: Path) -> None:
    for family, weights in FAMILIES.items():
        package = packages / "@fontsource" / family
        shutil.copy(package / "LICENSE", FONTS / f"{family}.LICENSE")
        for weight in weights:
            for path in sorted(package.glob(f"files/{family}-*-{weight}-normal.woff2")):
                shutil.copy(path, FONTS / path.name)
    icons = json.loads((packages / "@iconify-json/game-icons/icons.json").read_text(encoding="utf-8"))["icons"]
    build_sign_font({name: icons[name]["body"] for name in sorted(EMBLEMS | set(ICONS.values()))})
    write_widths()


def build_sign_font(drawings: dict[str, str]) -> None:
    glyphs = {".notdef": TTGlyphPen(None).glyph(), "space": TTGlyphPen(None).glyph(), "box": _draw_box()}
    codes, advances = ({ord(" "): "space", ord(BOX): "box"}, {".notdef": 500, "space": 420, "box": BOX_ADVANCE})
    for code, (name, drawing) in enumerate(drawings.items(), FIRST_EMBLEM):
        glyphs[name], codes[code], advances[name] = _draw_emblem(drawing), name, EM
    letters_by_name = {name: chr(code) for code, name in enumerate(drawings, FIRST_EMBLEM)}
    EMBLEM_LIST.write_text(json.dumps(letters_by_name, indent=1) + "\n", encoding="utf-8")
    for sign, drawing in WORD_SIGNS.items():
        name = f"word{ord(sign):X}"
        if drawing in drawings:
            glyphs[name] = _draw_emblem(drawings[drawing], SIGN_SIZE, SIGN_BOTTOM)
        else:
            glyphs[name] = _draw_sights() if drawing == "sights" else _draw_shape(int(drawing))
        codes[ord(sign)], advances[name] = name, SIGN_ADVANCE
    letters = TTFont(_find_file("bold", "latin"))
    for letter, code in MARK_CODES.items():
        name = f"mark{letter}"
        sign = "\N{BULLET}" if letter == PHASES["any"] else letter
        glyphs[name], codes[code], advances[name] = _draw_mark(letters, sign), name, MARK_ADVANCE
    _write_font(glyphs, codes, advances)


def _draw_emblem(drawing: str, size: int = EM, bottom: int = 0) -> object:
    pen = TTGlyphPen(None)
    # Drawings have their origin at the top, fonts at the bottom.
    flipped = TransformPen(Cu2QuPen(pen, 1.0), (size / ICON, 0, 0, -size / ICON, 0, size + bottom))
    for path in re.findall(r'\bd="([^"]+)"', drawing):
        parse_path(path, flipped)
    return pen.glyph()


def _draw_box() -> object:
    pen = TTGlyphPen(None)
    _draw_rectangle(pen, 0, 0, EM, EM)
    _draw_rectangle(ReverseContourPen(pen), BOX_LINE, BOX_LINE, EM - BOX_LINE, EM - BOX_LINE)
    return pen.glyph()


def _draw_sights() -> object:
    pen = TTGlyphPen(None)
    _draw_circle(pen, SIGHTS_RADIUS)
    _draw_circle(ReverseContourPen(pen), SIGHTS_RADIUS - SIGHTS_LINE)
    half = SIGHTS_LINE / 2
    for side in (-1, 1):
        near, far = sorted((side * SIGHTS_INSIDE, side * SIGN_RADIUS))
        _draw_rectangle(pen, SIGN_MIDDLE + near, SIGN_LEVEL - half, SIGN_MIDDLE + far, SIGN_LEVEL + half)
        _draw_rectangle(pen, SIGN_MIDDLE - half, SIGN_LEVEL + near, SIGN_MIDDLE + half, SIGN_LEVEL + far)
    return pen.glyph()


def _draw_shape(corners: int) -> object:
    """Draw a filled polygon resting on a side, or a circle for 0 corners."""
    pen = TTGlyphPen(None)
    if not corners:
        _draw_circle(pen, SIGN_RADIUS)
        return pen.glyph()
    turned = math.pi / 4 if corners == 4 else 0.0
    angles = [turned - math.tau * corner / corners for corner in range(corners)]
    points = [(math.cos(angle + math.pi / 2), math.sin(angle + math.pi / 2)) for angle in angles]
    # As high as the circle, whatever the number of corners.
    lowest, highest = min(y for _x, y in points), max(y for _x, y in points)
    scale = 2 * SIGN_RADIUS / (highest - lowest)
    bottom = SIGN_LEVEL - SIGN_RADIUS
    placed = [(round(SIGN_MIDDLE + x * scale), round(bottom + (y - lowest) * scale)) for x, y in points]
    pen.moveTo(placed[0])
    for point in placed[1:]:
        pen.lineTo(point)
    pen.closePath()
    return pen.glyph()


def _draw_circle(pen: object, radius: int) -> None:
    reach = radius / math.cos(math.pi / 8)
    angles = [-math.tau * step / 8 for step in range(8)]
    points = [(SIGN_MIDDLE + reach * math.cos(angle), SIGN_LEVEL + reach * math.sin(angle)) for angle in angles]
    pen.qCurveTo(*((round(x), round(y)) for x, y in points), None)  # type: ignore[attr-defined]  # pens have no common type
    pen.closePath()  # type: ignore[attr-defined]  # pens have no common type


def _draw_mark(letters: TTFont, sign: str) -> object:
    outlines = letters.getGlyphSet()
    name = letters.getBestCmap()[ord(sign)]
    scale = MARK_CAPITAL / letters["OS/2"].sCapHeight
    left = (MARK_WIDTH - outlines[name].width * scale) / 2
    pen = TTGlyphPen(None)
    _draw_rectangle(pen, 0, MARK_BOTTOM, MARK_WIDTH, MARK_TOP)
    bottom = MARK_BOTTOM + (MARK_TOP - MARK_BOTTOM - MARK_CAPITAL) / 2
    outlines[name].draw(TransformPen(ReverseContourPen(pen), (scale, 0, 0, scale, left, bottom)))
    return pen.glyph()


def _draw_rectangle(pen: object, left: float, bottom: float, right: float, top: float) -> None:
    pen.moveTo((left, bottom))  # type: ignore[attr-defined]  # pens have no common type
    for corner in ((left, top), (right, top), (right, bottom)):
        pen.lineTo(corner)  # type: ignore[attr-defined]  # pens have no common type
    pen.closePath()  # type: ignore[attr-defined]  # pens have no common type


def _write_font(glyphs: dict[str, object], codes: dict[int, str], advances: dict[str, int]) -> None:
    builder = FontBuilder(EM, isTTF=True)
    builder.font["head"].created = builder.font["head"].modified = EPOCH
    builder.font.recalcTimestamp = False
    builder.setupGlyphOrder(list(glyphs))
    builder.setupCharacterMap(codes)
    builder.setupGlyf(glyphs)
    bearings = {name: getattr(glyph, "xMin", 0) for name, glyph in glyphs.items()}
    builder.setupHorizontalMetrics({name: (advances[name], bearings[name]) for name in glyphs})
    builder.setupHorizontalHeader(ascent=EM, descent=0)
    builder.setupNameTable({"familyName": "Armybuilder Signs", "styleName": "Regular", "copyright": COPYRIGHT})
    builder.setupOS2(sTypoAscender=EM, sTypoDescender=0, sTypoLineGap=0, usWinAscent=EM, usWinDescent=0)
    builder.setupPost()
    builder.save(SIGNS)


def write_widths() -> None:
    """Write character widths in thousandths of the size, because reading fonts takes far longer."""
    widths = {
        face: _read_widths([_find_file(face, subset) for subset in SUBSETS], figures=face != "name") for face in FACES
    }
    widths["signs"] = _read_widths([SIGNS], figures=False)
    widths["system"] = _read_widths([SYSTEM_FONT], figures=False)
    letters = {letter for face in ("text", "name", "signs") for letter in widths[face]}
    widths["system"] = {letter: width for letter, width in widths["system"].items() if letter not in letters}
    lines = ",\n".join(f"{json.dumps(face)}: {json.dumps(table, ensure_ascii=False)}" for face, table in widths.items())
    WIDTHS.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")


def _find_file(face: str, subset: str) -> Path:
    family, weight = FACES[face]
    return FONTS / f"{family}-{subset}-{weight}-normal.woff2"


def _read_widths(paths: list[Path], *, figures: bool) -> dict[str, int]:
    widths: dict[str, int] = {}
    # Backwards, so that the first of several fonts with a character counts.
    for path in filter(Path.is_file, reversed(paths)):
        font = TTFont(path, lazy=True)
        unit = font["head"].unitsPerEm
        # Round up: print may be narrower than measured, never wider.
        widths |= {chr(code): -(-font["hmtx"][glyph][0] * EM // unit) for code, glyph in font.getBestCmap().items()}
    if figures:
        widest = max(widths[figure] for figure in "0123456789")
        widths.update(dict.fromkeys("0123456789", widest))
    return dict(sorted(widths.items()))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
