import re
from functools import cache
from pathlib import Path

from django.conf import settings
from django.utils.safestring import SafeString

FOLDER = Path(settings.FILES_DIR) / "static" / "icons" / "lucide"
_NAME = re.compile(r"[a-z0-9-]+")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)


@cache
def read_shapes(name: str) -> SafeString:
    path = FOLDER / f"{name}.svg"
    if not _NAME.fullmatch(name) or not path.is_file():
        return SafeString("")
    text = _COMMENT.sub("", path.read_text(encoding="utf-8"))
    inner = text[text.index(">", text.index("<svg")) + 1 : text.rindex("</svg>")]
    return SafeString(" ".join(inner.split()))


@cache
def draw_icon(name: str, colour: str = "") -> SafeString:
    """Return an icon, or "" if no icon has that name.

    `colour` is for printouts, with a title for screen readers, and defaults to the text's.
    """
    shapes = read_shapes(name)
    if not shapes:
        return shapes
    title = f"<title>{name.replace('-', ' ')}</title>" if colour else ""
    lines = f'stroke="{colour or "currentColor"}" stroke-width="2" stroke-linecap="round"'
    return SafeString(
        '<svg xmlns="http://www.w3.org/2000/svg" class="icon" width="24" height="24" viewBox="0 0 24 24" '
        f'fill="none" {lines} stroke-linejoin="round" aria-hidden="true">{title}{shapes}</svg>'
    )
