"""The signs on cards and pages: icons of the set in static/icons, as drawings to stand inside a page."""

import re
from functools import cache
from pathlib import Path

from django.conf import settings
from django.utils.safestring import SafeString

FOLDER = Path(settings.BASE_DIR) / "static" / "icons" / "lucide"
_NAME = re.compile(r"[a-z0-9-]+")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)


@cache
def icon(name: str) -> SafeString:
    """The drawing of that name; blank for one that is not there. Its lines have the colour of the text around it."""
    path = FOLDER / f"{name}.svg"
    if not _NAME.fullmatch(name) or not path.is_file():
        return SafeString("")
    text = _COMMENT.sub("", path.read_text(encoding="utf-8"))
    inner = text[text.index(">", text.index("<svg")) + 1 : text.rindex("</svg>")]
    attributes = (
        'viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round"'
    )
    shapes = " ".join(inner.split())
    return SafeString(
        f'<svg xmlns="http://www.w3.org/2000/svg" class="icon" width="24" height="24" {attributes} '
        f'stroke-linejoin="round" aria-hidden="true">{shapes}</svg>'
    )
