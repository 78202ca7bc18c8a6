"""Queue, make and cache files to print."""

import logging
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from threading import Thread
from typing import Any

from django.conf import settings
from django.db import connections
from django.utils.translation import get_language, override

from roster.pdf.cache import PdfCache
from roster.pdf.render_lock import RendererBusy, TooSlowError, report_failure, report_layout, take_turn
from roster.services.shared_files import find_shared_storage

LONGEST_WAIT = 10
"""Seconds until the browser gets a page with its place in the queue or the progress of the layout."""
REPORT_SECONDS = 0.5
logger = logging.getLogger(__name__)
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
    """A file to print. Jobs with equal keys produce equal bytes."""

    __slots__ = ()

    @property
    @abstractmethod
    def content(self) -> tuple[object, ...]:
        """Everything that the file depends on except program and language, with a complete `repr`."""

    @property
    @abstractmethod
    def texts(self) -> Iterable[str]:
        """All printed text from users or data, to find characters that the fonts lack."""

    @abstractmethod
    def make_pdf(self) -> bytes:
        """Make the file. Raises TooSlowError after this thread's deadline."""

    def prepare(self) -> Callable[[], bytes]:
        """Return a function that makes the file without the database."""
        return self.make_pdf

    @property
    def key(self) -> str:
        """The file's cache key, a hash in hexadecimal."""
        parts = (hash_renderer(), get_language(), type(self).__name__, *self.content)
        return sha256(repr(parts).encode()).hexdigest()

    @property
    def etag(self) -> str:
        return f'"{self.key}"'

    @property
    def is_finished(self) -> bool:
        return self.read_finished() is not None

    def read_finished(self) -> bytes | None:
        return _open_cache().get(self.key)

    def render(self, patience: float | None = None, charge: Callable[[float], None] = lambda seconds: None) -> bytes:
        """Return the file, from the cache if possible. Raises RendererBusy.

        With `patience` in seconds, another thread lays out the file and continues after that time. `charge` gets its
        processor time.
        """
        pdf_cache = _open_cache()
        key, seconds = self.key, _read_setting("PDF_SECONDS")
        if pdf := pdf_cache.get(key):
            return pdf
        at_once, wait = _read_setting("PDF_LAYOUTS_AT_ONCE"), min(LONGEST_WAIT, seconds)
        begin = time.monotonic()
        with take_turn(pdf_cache.folder, key, at_once, wait, lambda: self.is_finished) as held:
            # Another request may have made the same file in the meantime.
            finished = pdf_cache.get(key)
            if finished is not None:
                return finished
            if held is None:
                raise RendererBusy("the file was dropped at once")
            layout = _Layout(self.prepare(), key, pdf_cache, seconds, held.pop_all())
            if patience is None:
                layout.make()
            else:
                layout.charge = charge
                layout.start()
                layout.join(max(0.0, begin + patience - time.monotonic()))
        return layout.take_result()


class _Layout(Thread):
    """A layout's turn at the renderer, in this thread (`make`) or in its own (`start`)."""

    def __init__(
        self, make_pdf: Callable[[], bytes], key: str, pdf_cache: PdfCache, seconds: float, turn: ExitStack
    ) -> None:
        super().__init__(daemon=True)
        self._make_pdf, self._key, self._cache = make_pdf, key, pdf_cache
        self._seconds, self._turn = seconds, turn
        self._language = get_language()
        self.charge: Callable[[float], None] = lambda seconds: None
        self._pdf = b""
        self._error: Exception | None = None
        self._is_left = False
        self._laid_out, self._pages, self._reported = 0, 0, 0.0

    def run(self) -> None:
        began = time.thread_time()
        try:
            self.make()
            self.charge(time.thread_time() - began)
        finally:
            connections.close_all()

    def make(self) -> None:
        from roster.pdf.weasyprint_hooks import limit_time  # WeasyPrint takes half a second to import

        with self._turn, override(self._language):
            try:
                with limit_time(time.monotonic() + self._seconds, self._report):
                    self._pdf = self._make_pdf()
                self._cache.put(self._key, self._pdf)
            except Exception as error:
                self._error = error
            # Before the turn ends, or another request would begin the same layout.
            if self._is_left and (self._error or self._cache.get(self._key) is None):
                logger.error("The print %s failed", self._key, exc_info=self._error)
                report_failure(self._cache.folder, self._key, too_slow=isinstance(self._error, TooSlowError))

    def _report(self, laid_out: int, pages: int) -> None:
        self._laid_out, self._pages = laid_out, pages
        if time.monotonic() > self._reported + REPORT_SECONDS:
            self._reported = time.monotonic()
            report_layout(self._cache.folder, self._key, laid_out, pages)

    def take_result(self) -> bytes:
        """Return the file. Raises RendererBusy during layout, or the layout's error."""
        if self.is_alive():
            self._is_left = True
            raise RendererBusy("it is being laid out", is_printing=True, laid_out=self._laid_out, pages=self._pages)
        if isinstance(self._error, TooSlowError):
            raise RendererBusy(f"the layout took too long: {self._error}", too_slow=True) from self._error
        if self._error:
            raise self._error
        return self._pdf


def _open_cache() -> PdfCache:
    return PdfCache(_read_setting("PDF_CACHE_DIR"), _read_setting("PDF_CACHE_MAX_BYTES"), find_shared_storage())


def _read_setting(name: str) -> Any:
    return settings.ARMYBUILDER[name]


def hash_renderer() -> str:
    """Hash `SOURCES` and WeasyPrint's version."""
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
