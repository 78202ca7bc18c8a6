"""Read zip archives in memory."""

import io
import re
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator

from catalogue.formats.battlescribe.errors import ReadError
from catalogue.formats.battlescribe.limits import ReadLimits

_END = b"PK\x05\x06"
_END_SIZE = 22
_END_COMMENT = 65_535
_ENCRYPTED = 0x1
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_DRIVE = re.compile(r"^[A-Za-z]:")


class ZipArchive:
    """Raise ReadError for a broken or malicious archive."""

    def __init__(self, name: str, data: bytes, limits: ReadLimits) -> None:
        self.name = name
        self._limits = limits
        # A list of members can fill the memory by itself.
        tail = max(0, len(data) - _END_SIZE - _END_COMMENT)
        at = data.rfind(_END, tail)
        if at < 0 or len(data) < at + _END_SIZE:
            raise _refuse_archive(name, "its end is missing")
        size: int = struct.unpack_from("<I", data, at + 12)[0]
        if size > limits.directory_bytes:
            raise _refuse_member_count(name, limits)
        try:
            self._file = zipfile.ZipFile(io.BytesIO(data))
        except (zipfile.BadZipFile, NotImplementedError, ValueError, struct.error) as error:
            raise _refuse_archive(name, str(error)) from error

    def walk_members(self) -> Iterator[zipfile.ZipInfo]:
        """Skip macOS metadata. Raises ReadError for paths that leave the archive."""
        infos = self._file.infolist()
        if len(infos) > self._limits.members:
            raise _refuse_member_count(self.name, self._limits)
        for info in infos:
            if is_climbing(info.filename):
                raise ReadError(
                    "climbing-path",
                    f"The path {info.filename!r} leads out of the archive.",
                    mend="Repack the files with plain paths.",
                    file=self.name,
                )
            if not info.is_dir() and not is_shadow(info.filename):
                yield info

    def read_member(self, info: zipfile.ZipInfo) -> bytes:
        """Raise ReadError for a link, a password, a zip bomb or too large a file."""
        place = f"{self.name}/{info.filename}"
        if stat.S_ISLNK(info.external_attr >> 16):
            raise ReadError("symlink", "The file is a link to another file.", mend="Pack the file itself.", file=place)
        if info.flag_bits & _ENCRYPTED:
            raise ReadError("encrypted", "The file has a password.", mend="Pack it without one.", file=place)
        if info.compress_type not in _METHODS:
            raise _refuse_archive(place, "its compression method is not supported")
        try:
            with self._file.open(info) as stream:
                # Do not trust the size that the archive claims.
                data = stream.read(self._limits.file_bytes + 1)
        except (
            zipfile.BadZipFile,
            zlib.error,
            EOFError,
            NotImplementedError,
            RuntimeError,
            OSError,
            ValueError,  # a member whose offset is negative
            struct.error,
        ) as error:
            raise _refuse_archive(place, str(error)) from error
        size = len(data)
        if size > self._limits.ratio_free and size > self._limits.ratio * info.compress_size:
            raise ReadError(
                "zip-bomb",
                f"The file unpacks to more than {self._limits.ratio} times its packed size.",
                mend="Pack the real data files.",
                file=place,
            )
        if size > self._limits.file_bytes:
            raise refuse_size(place, self._limits.file_bytes)
        return data


def is_climbing(path: str) -> bool:
    """Return whether a path leaves the archive.

    >>> is_climbing("data/a.cat"), is_climbing("../a.cat"), is_climbing("/etc/passwd"), is_climbing("C:\\\\a.cat")
    (False, True, True, True)
    """
    plain = path.replace("\\", "/")
    return plain.startswith("/") or ".." in plain.split("/") or bool(_DRIVE.match(plain)) or "\0" in plain


def is_shadow(path: str) -> bool:
    """Recognize macOS metadata about another file.

    >>> is_shadow("__MACOSX/data/._a.cat"), is_shadow("data/._a.cat"), is_shadow("data/a.cat")
    (True, True, False)
    """
    return path.rpartition("/")[2].startswith("._")


def refuse_size(place: str, limit: int) -> ReadError:
    return ReadError(
        "too-large",
        f"There is more than {limit // (1024 * 1024)} MiB to read.",
        mend="Import one game, or one list, at a time.",
        file=place,
    )


def _refuse_archive(place: str, reason: str) -> ReadError:
    return ReadError(
        "broken-archive",
        f"The archive cannot be read: {reason.rstrip('.')}.",
        mend="Download or pack it again.",
        file=place,
    )


def _refuse_member_count(name: str, limits: ReadLimits) -> ReadError:
    return ReadError(
        "too-many-files",
        f"The archive lists more than {limits.members} files.",
        mend="Pack only the files that are needed.",
        file=name,
    )
