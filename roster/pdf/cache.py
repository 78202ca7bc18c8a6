"""Cache finished files on disk and for other machines. Keys are hashes of everything that a file depends on."""

import logging
import os
import tempfile
from contextlib import suppress
from pathlib import Path

from django.core.files.base import ContentFile
from django.core.files.storage import Storage

log = logging.getLogger(__name__)

_END = b"%%EOF"
# Empty a full folder to this share, so that the next file does not empty it again.
_KEEP = 0.9
# Listing the folder is slow, so its size is checked after every 64th of its limit.
_SHARE = 64

_written: dict[Path, int] = {}
"""Bytes written to each folder since its size was last checked."""


class PdfCache:
    """A folder of about `max_bytes` that drops the least recently used files.

    All machines share `shared`, whose operator deletes old files.
    """

    def __init__(self, folder: Path, max_bytes: int, shared: Storage | None = None) -> None:
        self.folder = folder
        self.max_bytes = max_bytes
        self.shared = shared

    def get(self, key: str) -> bytes | None:
        """Return the file, or None if it is missing or incomplete."""
        path = self._find_path(key)
        try:
            pdf = path.read_bytes()
            os.utime(path)
        except OSError:
            pdf = b""
        if pdf.rstrip().endswith(_END):
            return pdf
        return self._fetch(key)

    def _fetch(self, key: str) -> bytes | None:
        """Copy another machine's file into this cache."""
        if self.shared is None:
            return None
        try:
            with self.shared.open(_name_shared(key)) as file:
                pdf: bytes = file.read()
        except FileNotFoundError:
            return None
        except OSError as error:
            # The storage itself warns once, and waiting threads ask ten times a second.
            log.debug("A sheet of another machine could not be read: %s", error)
            return None
        if not pdf.rstrip().endswith(_END):
            return None
        self._store(key, pdf)
        return pdf

    def put(self, key: str, pdf: bytes) -> None:
        """Store a file. Errors are only logged: the file can be printed again."""
        self._store(key, pdf)
        if self.shared is not None:
            try:
                self.shared.save(_name_shared(key), ContentFile(pdf))
            except OSError as error:
                log.warning("A sheet could not be kept for other machines: %s", error)

    def _store(self, key: str, pdf: bytes) -> None:
        path = self._find_path(key)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
                unfinished = Path(file.name)
            try:
                unfinished.write_bytes(pdf)
            except OSError:
                # On a full disk its part would take what others need.
                unfinished.unlink(missing_ok=True)
                raise
            unfinished.replace(path)
            written = _written.get(self.folder)
            _written[self.folder] = (written or 0) + len(pdf)
            if written is None or _written[self.folder] > self.max_bytes / _SHARE:
                _written[self.folder] = 0
                self.shrink()
        except OSError as error:
            log.warning("A sheet could not be kept: %s", error)

    def _find_path(self, key: str) -> Path:
        return self.folder / key[:2] / f"{key}.pdf"

    def shrink(self) -> None:
        """Delete the least recently used files of a full folder. Raises OSError."""
        files: list[tuple[float, int, Path]] = []
        for path in self.folder.glob("??/*"):
            # Another process may delete the file meanwhile.
            with suppress(OSError):
                stat = path.stat()
                files.append((stat.st_mtime, stat.st_size, path))
        files.sort()
        total = sum(size for _, size, _ in files)
        if total <= self.max_bytes:
            return
        for _, size, path in files:
            path.unlink(missing_ok=True)
            total -= size
            if total <= self.max_bytes * _KEEP:
                break


def _name_shared(key: str) -> str:
    return f"pdf/{key[:2]}/{key}.pdf"
