"""Define print jobs: files to print, with their cache keys and their turns at the renderer."""

import time
from abc import ABC, abstractmethod
from collections.abc import Iterable
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils.translation import get_language

from roster.pdf.cache import PdfCache
from roster.pdf.render_lock import RendererBusy, TooSlowError, take_turn

LONGEST_WAIT = 10
"""Seconds until the browser gets a page with its place in line."""
ROOT = Path(__file__).resolve().parents[2]
SOURCES = (
    ("catalogue/definitions", "*.py"),
    ("catalogue/graph", "*.py"),
    ("roster/engine", "*.py"),
    ("roster/wording", "*.py"),
    ("roster/pdf", "*.py"),
    ("roster/pdf/styles", "*.css"),
    ("roster/pdf/type/fonts", "*"),
    ("roster/events/pdf", "*.py"),
    ("armybuilder/locale", "*.po"),
    ("templates/paper", "*.html"),
    ("catalogue/services", "map_svg.py"),
    ("catalogue/services", "play.py"),
    ("static/icons/lucide", "*.svg"),
)
"""Our files that affect a print."""


class PrintJob(ABC):
    """One file to print. Jobs with equal keys give equal bytes."""

    __slots__ = ()

    @property
    @abstractmethod
    def content(self) -> tuple[object, ...]:
        """Everything that affects the file except program and language, with a complete `repr`."""

    @property
    @abstractmethod
    def texts(self) -> Iterable[str]:
        """All printed text from users or data, to find letters that the fonts lack."""

    @abstractmethod
    def make_pdf(self) -> bytes:
        """Return the file. Raises TooSlowError after this thread's deadline."""

    @property
    def key(self) -> str:
        """The hash under which the file is cached, in hexadecimal."""
        parts = (hash_renderer(), get_language(), type(self).__name__, *self.content)
        return sha256(repr(parts).encode()).hexdigest()

    @property
    def etag(self) -> str:
        return f'"{self.key}"'

    @property
    def is_finished(self) -> bool:
        return self.read_finished() is not None

    def read_finished(self) -> bytes | None:
        pdf_cache = PdfCache(_read_setting("PDF_CACHE_DIR"), _read_setting("PDF_CACHE_MAX_BYTES"))
        return pdf_cache.get(self.key)

    def render(self) -> bytes:
        """Return the file, from the cache if possible. Raises RendererBusy."""
        pdf_cache = PdfCache(_read_setting("PDF_CACHE_DIR"), _read_setting("PDF_CACHE_MAX_BYTES"))
        key, seconds = self.key, _read_setting("PDF_SECONDS")
        if pdf := pdf_cache.get(key):
            return pdf
        at_once, wait = _read_setting("PDF_LAYOUTS_AT_ONCE"), min(LONGEST_WAIT, seconds)
        with take_turn(pdf_cache.folder, key, at_once, wait, seconds, lambda: self.is_finished) as is_held:
            # Another request may have made the same file in the meantime.
            finished = pdf_cache.get(key)
            if finished is not None:
                return finished
            if not is_held:
                raise RendererBusy("the file was dropped at once")
            pdf = self._make_in_time(seconds)
            pdf_cache.put(key, pdf)
        return pdf

    def _make_in_time(self, seconds: float) -> bytes:
        from roster.pdf.weasyprint_hooks import limit_time  # WeasyPrint takes half a second to import

        try:
            with limit_time(time.monotonic() + seconds):
                return self.make_pdf()
        except TooSlowError as error:
            raise RendererBusy(f"the layout took too long: {error}", too_slow=True) from error


def _read_setting(name: str) -> Any:
    return settings.ARMYBUILDER[name]


def hash_renderer() -> str:
    """Return a hash over `SOURCES` and WeasyPrint's version."""
    if settings.DEBUG:
        _hash_sources.cache_clear()
    return _hash_sources()


@cache
def _hash_sources() -> str:
    digest = sha256(f"weasyprint {version('weasyprint')}".encode())
    for path in (path for folder, pattern in SOURCES for path in sorted((ROOT / folder).rglob(pattern))):
        digest.update(path.relative_to(ROOT).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()
