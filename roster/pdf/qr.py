"""Draw a QR code for one state of a list."""

import io
from functools import lru_cache

import segno
from django.utils.safestring import SafeString, mark_safe

CODES_KEPT = 500
"""Each takes three to five kilobytes."""


@lru_cache(maxsize=CODES_KEPT)
def draw_qr_code(link: str, title: str) -> SafeString:
    """Draw the code as SVG; "" for a blank link."""
    if not link:
        return mark_safe("")
    out = io.BytesIO()
    code = segno.make(link, error="m", micro=False)
    code.save(out, kind="svg", xmldecl=False, border=0, omitsize=True, title=title, svgclass=None, lineclass=None)
    return mark_safe(out.getvalue().decode())  # noqa: S308 - segno escapes the title; the rest is numbers
