"""The version of pages and of the pieces that replace parts of them: nodes of a site may have different ones."""

from functools import cache
from hashlib import sha256

from django.conf import settings

HEADER = "Page-Version"
"""In which a page's script names the version of the page."""
SOURCES = (("templates", "*.html"), ("static/js", "*.js"))


@cache
def compute_page_version() -> str:
    digest = sha256()
    for folder, pattern in SOURCES:
        for path in sorted((settings.FILES_DIR / folder).rglob(pattern)):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:12]
