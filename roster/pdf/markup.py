"""Build the HTML of printouts, with all other content escaped."""

from collections.abc import Iterable
from html import escape

from django.utils.safestring import SafeString

Child = str | SafeString

_TRIMMED = frozenset(("p", "h1", "h2", "h3", "th", "td"))
"""WeasyPrint reserves room for their outer spaces, and breaks a text that would just fit."""
_SPACE = " \t\r\n"


def tag(name: str, *children: Child, css: str = "", style: str = "") -> SafeString:
    """Build an element. Children are escaped unless they are elements.

    >>> tag("p", "Reed & rust", tag("b", "x"), css="note")
    '<p class="note">Reed &amp; rust<b>x</b></p>'
    """
    start = name
    if css:
        start += f' class="{css}"'
    if style:
        start += f' style="{style}"'
    inside = "".join([child if isinstance(child, SafeString) else escape(child) for child in children])
    if name in _TRIMMED:
        inside = inside.strip(_SPACE)
    return SafeString(f"<{start}>{inside}</{name}>")


def join(parts: "list[SafeString]") -> SafeString:
    return SafeString("".join(parts))


def break_lines(lines: Iterable[str]) -> SafeString:
    """Join texts with line breaks.

    >>> break_lines(["Reed", "& rust"])
    'Reed<br/>&amp; rust'
    """
    return SafeString("<br/>".join(map(escape, lines)))


def mm(length: float) -> str:
    """Format a CSS length in millimetres.

    >>> mm(2.5)
    '2.5mm'
    """
    return f"{length:.3f}".rstrip("0").rstrip(".") + "mm"


def place(*, size: float = 0.0, line: float = 0.0, more: str = "", **lengths: float) -> str:
    """Write an element's position and type: `size` in points, other lengths in millimetres.

    >>> place(left=3.5, top=2, size=7, line=3)
    'left:3.5mm;top:2mm;font-size:7pt;line-height:3mm'
    """
    styles = [f"{name}:{mm(length)}" for name, length in lengths.items()]
    if size:
        styles.append(f"font-size:{size:g}pt")
    if line:
        styles.append(f"line-height:{mm(line)}")
    return ";".join([*styles, more]) if more else ";".join(styles)


_STEPS_PER_MM = 5


def choose_width_class(width: float) -> str:
    """Return the class for a width, which is cheaper than a style on every cell."""
    return f"c{max(1, int(width * _STEPS_PER_MM + 1e-6))}"


def compose_width_classes(widest: int = 200) -> str:
    steps = range(1, widest * _STEPS_PER_MM + 1)
    return "".join(f".c{step}{{width:{step / _STEPS_PER_MM:g}mm}}" for step in steps)
