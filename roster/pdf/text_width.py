"""Widths of texts without asking a font, in average characters of running text.

The table has the widths of DejaVu Sans Condensed. That is close enough for other faces too, because only columns are
shared out by it; the layout measures for itself.
"""

import re
from collections.abc import Iterable
from itertools import chain

AVERAGE = 45
"""Hundredths of an em that a character takes on average."""

_BY_WIDTH = {
    25: "'ijl",
    27: "IJ",
    29: " ,.",
    30: "/:;\\|",
    32: "-f",
    35: "()[]t",
    36: "!",
    37: "r",
    41: '"',
    45: "*_`",
    47: "sz",
    48: "?",
    49: "c",
    50: "L",
    52: "Fk",
    53: "vxy",
    54: "P",
    55: "TYaeo",
    57: "$0123456789ESbdghnpqu{}",
    59: "K",
    62: "ABRVXZ",
    63: "C",
    66: "U",
    67: "N",
    68: "H",
    69: "D",
    70: "&G",
    71: "OQ",
    74: "w",
    75: "#+<=>^~",
    78: "M",
    85: "%",
    88: "m",
    89: "W",
    90: "@\N{BALLOT BOX}",
}
# Hundredths of an em for signs that are not listed; most of them are wide.
_OTHER = 60
_WIDTHS = {ord(sign): width for width, signs in _BY_WIDTH.items() for sign in signs}

MAY_BREAK = "\N{ZERO WIDTH SPACE}"
_PARTS = re.compile(rf"[\s{MAY_BREAK}]+|(?<=-)")
_JOINTS = re.compile(r"(?<=[+/;])(?=[A-Za-z(])")
_INCHES = re.compile(r'(?<=") (?=\()')
# Average characters up to which a word is never broken.
_LONG_WORD = 9


def measure_width(text: str) -> float:
    """Return the width of a text.

    >>> round(measure_width("Storm lantern"), 1), round(measure_width("WWW"), 1)
    (13.8, 5.9)
    """
    return sum(_WIDTHS.get(ord(sign), _OTHER) for sign in text) / AVERAGE


def measure_widest_word(texts: Iterable[str]) -> float:
    """Return the width of the widest part that is never broken."""
    words = chain.from_iterable(_PARTS.split(text) for text in texts)
    return max(map(measure_width, words), default=0.0)


def add_break_points(text: str) -> str:
    """Return the text with places to break in formulas such as (EVS+MAS+FOR)/2, and between 36" and (60").

    By itself no line is broken between a quotation mark and a bracket, whatever space is between them.
    """
    text = _INCHES.sub(f" {MAY_BREAK}", text)
    if measure_widest_word([text]) <= _LONG_WORD:
        return text
    return " ".join(
        _JOINTS.sub(MAY_BREAK, word) if measure_width(word) > _LONG_WORD else word for word in text.split(" ")
    )
