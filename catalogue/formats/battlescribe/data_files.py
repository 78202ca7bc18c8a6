"""List the data files in a path or an upload.

`.gst` and `.cat` hold XML, `.json` New Recruit's JSON. `.gstz`, `.catz` and `.jsonz` hold one such file, zipped; `.zip`
and `.bsr` any number.
"""

import os
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple
from zipfile import ZipInfo

from catalogue.formats.battlescribe.errors import ReadError
from catalogue.formats.battlescribe.limits import ReadLimits
from catalogue.formats.battlescribe.zip_archive import ZipArchive, is_shadow, refuse_size

JSON = ".json"
PLAIN = (".gst", ".cat", JSON)
PACKED = (".gstz", ".catz", ".jsonz", ".json.gz")
ARCHIVES = (".zip", ".bsr")
_ZIP_MAGIC = b"PK"
_GZIP_MAGIC = b"\x1f\x8b"
_BACKUPS = frozenset(("backup", "backups"))


class DataFile(NamedTuple):
    name: str
    size: int
    load: Callable[[], bytes]

    @property
    def is_backup(self) -> bool:
        return not _BACKUPS.isdisjoint(part.lower() for part in self.name.split("/")[1:-1])


def list_files_in_path(path: Path, limits: ReadLimits) -> list[DataFile]:
    """List files by name. Raises ReadError for forbidden files, or if there are none."""
    if path.is_dir():
        return _sort_within_limit(path.name, _walk_folder(path, limits), limits)
    return list_files_in_bytes(path.name, _read_file(path, path.name, limits.archive_bytes), limits)


def list_files_in_bytes(name: str, data: bytes, limits: ReadLimits) -> list[DataFile]:
    """List an upload's files. The content decides the type, or else the suffix of `name`."""
    lowered = name.lower()
    if not lowered.endswith(PLAIN + PACKED + ARCHIVES):
        raise ReadError(
            "unknown-file-type",
            f"{name} is not a type of file that can be read.",
            mend=f"Give one of {' '.join(PLAIN + PACKED + ARCHIVES)} or a folder of them.",
            file=name,
        )
    if not data:
        raise ReadError("empty-file", "The file is empty.", mend="Download it again.", file=name)
    if lowered.endswith(PACKED):
        return [DataFile(name, len(data), lambda: unpack_one(name, data, limits))]
    if lowered.endswith(PLAIN) and not data.startswith(_ZIP_MAGIC):
        if len(data) > limits.file_bytes:
            raise refuse_size(name, limits.file_bytes)
        return [DataFile(name, len(data), lambda: data)]
    return _sort_within_limit(name, _walk_zip(name, data, limits), limits)


def unpack_one(name: str, data: bytes, limits: ReadLimits, endings: tuple[str, ...] = PLAIN) -> bytes:
    """Return a packed file's text. Some tools leave it unpacked or rename its member."""
    if data.startswith(_GZIP_MAGIC):
        try:
            text = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16).decompress(data, limits.file_bytes + 1)
        except zlib.error as error:
            raise ReadError(
                "broken-archive", f"The file cannot be unpacked: {error}.", mend="Download or pack it again.", file=name
            ) from error
        if len(text) > limits.file_bytes:
            raise refuse_size(name, limits.file_bytes)
        return text
    if not data.startswith(_ZIP_MAGIC):
        return data
    archive = ZipArchive(name, data, limits)
    members = list(archive.walk_members())
    inside = [m for m in members if m.filename.lower().endswith(endings)] or members
    if len(inside) != 1:
        raise ReadError(
            "broken-archive",
            f"The file should hold one data file and holds {len(inside)}.",
            mend="Export it again, or import its files as a .zip.",
            file=name,
        )
    return archive.read_member(inside[0])


def _walk_zip(name: str, data: bytes, limits: ReadLimits) -> Iterator[DataFile]:
    archive = ZipArchive(name, data, limits)

    def unpack(info: ZipInfo, place: str) -> bytes:
        return unpack_one(place, archive.read_member(info), limits)

    for info in archive.walk_members():
        place = f"{name}/{info.filename}"
        if info.filename.lower().endswith(PLAIN):
            yield DataFile(place, info.file_size, partial(archive.read_member, info))
        elif info.filename.lower().endswith(PACKED):
            yield DataFile(place, info.file_size, partial(unpack, info, place))


def _walk_folder(folder: Path, limits: ReadLimits) -> Iterator[DataFile]:
    def load(path: Path, place: str) -> bytes:
        data = _read_file(path, place, limits.file_bytes)
        return unpack_one(place, data, limits) if path.name.lower().endswith(PACKED) else data

    for root, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            if not name.lower().endswith(PLAIN + PACKED) or is_shadow(name):
                continue
            path = Path(root, name)
            place = f"{folder.name}/{path.relative_to(folder).as_posix()}"
            if path.is_symlink():
                raise ReadError(
                    "symlink", "The file is a link to another file.", mend="Use the file itself.", file=place
                )
            yield DataFile(place, path.stat().st_size, partial(load, path, place))


def _read_file(path: Path, place: str, limit: int) -> bytes:
    try:
        with path.open("rb") as stream:
            data = stream.read(limit + 1)
    except OSError as error:
        raise ReadError("unreadable", f"The file cannot be opened: {error.strerror}.", file=place) from error
    if len(data) > limit:
        raise refuse_size(place, limit)
    return data


def _sort_within_limit(name: str, data_files: Iterator[DataFile], limits: ReadLimits) -> list[DataFile]:
    listed = []
    for source in data_files:
        listed.append(source)
        if len(listed) > limits.files:
            raise ReadError(
                "too-many-files",
                f"There are more than {limits.files} data files.",
                mend="Import one game at a time.",
                file=name,
            )
    if not listed:
        raise refuse_nothing(name)
    return sorted(listed, key=lambda source: source.name)


def refuse_nothing(name: str) -> ReadError:
    return ReadError(
        "nothing-to-read",
        "There is no data file in it.",
        mend=f"It should hold {' '.join(PLAIN + PACKED)} files.",
        file=name,
    )
