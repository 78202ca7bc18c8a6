"""Which version of the program a sheet is made by: a hash over everything of ours that decides how it comes out."""

from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

from django.conf import settings

ROOT = Path(__file__).resolve().parents[2]
SOURCES = (
    ("catalogue/definitions", "*.py"),
    ("roster/engine", "*.py"),
    ("roster/wording", "*.py"),
    ("roster/pdf", "*.py"),
    ("roster/pdf/styles", "*.css"),
    ("roster/locale", "*.mo"),
    ("templates/paper", "*.html"),
    ("catalogue/services", "drawing.py"),
    ("catalogue/services", "play.py"),
    ("static/icons/lucide", "*.svg"),
)


def program_stamp() -> str:
    """The stamp, read once per process; anew each time while developing."""
    if settings.DEBUG:
        _stamp.cache_clear()
    return _stamp()


@cache
def _stamp() -> str:
    found = sha256(f"weasyprint {version('weasyprint')}".encode())
    for path in _files():
        found.update(path.relative_to(ROOT).as_posix().encode())
        found.update(path.read_bytes())
    return found.hexdigest()


def _files() -> Iterator[Path]:
    for folder, pattern in SOURCES:
        yield from sorted((ROOT / folder).rglob(pattern))
