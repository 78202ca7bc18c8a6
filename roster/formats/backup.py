"""The backup of somebody's lists: gzip of JSON lines. A header, a line for each list, and last the signature of all
that stands before it, so that both writing and reading go line by line."""

import gzip
import hashlib
import hmac
import zlib
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import IO, TypeVar

import msgspec

FORM = 1
LONGEST_LINE = 64 * 1024 * 1024
"""Bytes of one list with all its history; more is no list of ours."""
LONGEST_FILE = 1024 * 1024 * 1024
"""Bytes of a whole backup, unpacked."""

T = TypeVar("T")


class NoBackupError(ValueError):
    """The file is no backup or is damaged (`code` is `no-backup`), or somebody else made it (`not-yours`)."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class SavedRevision(msgspec.Struct, frozen=True, kw_only=True):
    """A revision as it is stored; `version` is the hash of its data's content, `name` what its owner calls it."""

    number: int
    parent: int
    document: str
    act: str
    subject: str
    version: str
    points: str
    verdict: str
    violations: int
    aside: bool
    created: datetime
    name: str = ""


class SavedList(msgspec.Struct, frozen=True, kw_only=True):
    """A list with everything that its owner made of it."""

    public_id: str
    link_id: str
    visibility: str
    is_secret: bool
    taken_down: bool = False
    faction_id: str
    head: int
    aside: int
    created: datetime
    updated: datetime
    revisions: tuple[SavedRevision, ...]
    folder: str = ""
    tags: tuple[str, ...] = ()
    plan: str = ""
    binned: datetime | None = None


class _Header(msgspec.Struct, frozen=True, kw_only=True):
    backup: int
    made: datetime


class _Signature(msgspec.Struct, frozen=True, kw_only=True):
    signature: str


def write_backup(file: IO[bytes], key: bytes, made: datetime, lists: Iterable[SavedList]) -> None:
    """Write a backup that whoever has `key` can tell from any other."""
    signer = hmac.new(key, digestmod=hashlib.sha256)
    with gzip.GzipFile(filename="", fileobj=file, mode="wb", compresslevel=6, mtime=0) as packed:

        def put(value: msgspec.Struct) -> None:
            line = msgspec.json.encode(value) + b"\n"
            signer.update(line)
            packed.write(line)

        put(_Header(backup=FORM, made=made))
        for saved in lists:
            put(saved)
        packed.write(msgspec.json.encode(_Signature(signature=signer.hexdigest())) + b"\n")


def check_backup(file: IO[bytes], key: bytes) -> int:
    """How many lists a backup signed with `key` holds. Reads all of it; raises NoBackupError."""
    signer = hmac.new(key, digestmod=hashlib.sha256)
    lines = _lines(file)
    last = next(lines, b"")
    if _decoded(last, _Header).backup != FORM:
        raise NoBackupError("no-backup")
    number = -1
    for line in lines:
        signer.update(last)
        last, number = line, number + 1
    given = _decoded(last, _Signature).signature
    if not hmac.compare_digest(signer.hexdigest().encode(), given.encode()):
        raise NoBackupError("not-yours")
    return number


def read_backup(file: IO[bytes]) -> Iterator[SavedList]:
    """The lists of a backup that was checked, one after the other. Raises NoBackupError."""
    lines = _lines(file)
    next(lines, b"")
    ahead = next(lines, b"")
    for line in lines:
        yield _decoded(ahead, SavedList)
        ahead = line


def _lines(file: IO[bytes]) -> Iterator[bytes]:
    """The lines unpacked, none longer than it may be: a file of some kilobytes can unpack to anything."""
    file.seek(0)
    left = LONGEST_FILE
    try:
        with gzip.GzipFile(fileobj=file, mode="rb") as packed:
            while line := packed.readline(LONGEST_LINE):
                left -= len(line)
                if not line.endswith(b"\n") or left < 0:
                    raise NoBackupError("no-backup")
                yield line
    except (OSError, EOFError, zlib.error) as error:
        raise NoBackupError("no-backup") from error


def _decoded(line: bytes, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(line, type=kind)
    except msgspec.DecodeError as error:
        raise NoBackupError("no-backup") from error
