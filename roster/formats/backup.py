"""The backup of an owner's lists: gzipped JSON lines, a header and one line for each list.

The first gzip member holds the header and the signatures of the second, so that a foreign file is refused before its
lists are unpacked. The old form is a single member whose last line holds the signatures.
"""

import gzip
import hashlib
import hmac
import zlib
from collections.abc import Iterable, Iterator
from datetime import datetime
from functools import partial
from typing import IO, NamedTuple, TypeVar

import msgspec

FORM, OLD_FORM = 2, 1
MIB = 1024 * 1024
LONGEST_LINE = 64 * MIB
SHORTEST_LINE = 64
"""Each line after the header is longer."""
LONGEST_FILE = 1024 * MIB
LONGEST_UNSIGNED = 128 * MIB
"""Bytes to unpack if the writer is unknown."""
OLD_FREE, OLD_RATIO = 64 * MIB, 20
"""An old backup may unpack to OLD_FREE bytes plus OLD_RATIO bytes for each byte of the file."""
MOST_LINES = 20_000
HEADER_BYTES = 1024
CHUNK = MIB
_GZIP = 16 + zlib.MAX_WBITS

T = TypeVar("T")


class NoBackupError(ValueError):
    """Not a valid backup (`no-backup`), or made or changed elsewhere (`not-yours`)."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class SavedRevision(msgspec.Struct, frozen=True, kw_only=True):
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
    """`game` names the data to use if its version is missing."""

    public_id: str
    link_id: str
    visibility: str
    is_secret: bool
    is_uncounted: bool = False
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
    game: str = ""


class Keys(msgspec.Struct, frozen=True, kw_only=True):
    owner: bytes
    server: bytes


class _Signature(msgspec.Struct, frozen=True, kw_only=True):
    """`server` is blank in older backups."""

    signature: str
    server: str = ""


class _Header(msgspec.Struct, frozen=True, kw_only=True):
    backup: int
    created: datetime = msgspec.field(name="made")
    signature: str = ""
    server: str = ""


class _Opening(NamedTuple):
    header: _Header
    begin: int


class _Signers:
    def __init__(self, keys: Keys, begin: bytes = b"") -> None:
        self._both = [hmac.new(key, begin, digestmod=hashlib.sha256) for key in (keys.owner, keys.server)]

    def update(self, data: bytes) -> None:
        for signer in self._both:
            signer.update(data)

    def compute_signature(self) -> _Signature:
        owner, server = (signer.hexdigest() for signer in self._both)
        return _Signature(signature=owner, server=server)

    def check_owner(self, given: _Signature | _Header) -> bool:
        """Return whether the owner and not only the server signed it. Raises NoBackupError if neither did."""
        right = self.compute_signature()
        # compare_digest raises TypeError for texts with letters beyond ASCII.
        if hmac.compare_digest(right.signature.encode(), given.signature.encode()):
            return True
        if not hmac.compare_digest(right.server.encode(), given.server.encode()):
            raise NoBackupError("not-yours")
        return False


class _Signed:
    def __init__(self, file: IO[bytes], signers: _Signers) -> None:
        self._file = file
        self._signers = signers

    def write(self, data: bytes) -> int:
        self._signers.update(data)
        return self._file.write(data)

    def flush(self) -> None:
        self._file.flush()


def write_backup(file: IO[bytes], keys: Keys, created: datetime, lists: Iterable[SavedList]) -> None:
    header = _Header(backup=FORM, created=created)
    signers = _Signers(keys, _encode_unsigned(header))
    # A placeholder of the same length, overwritten below.
    file.write(_pack_header(header, signers.compute_signature()))
    with gzip.GzipFile(filename="", fileobj=_Signed(file, signers), mode="wb", compresslevel=6, mtime=0) as packed:
        for saved in lists:
            packed.write(msgspec.json.encode(saved) + b"\n")
    file.seek(0)
    file.write(_pack_header(header, signers.compute_signature()))


def _encode_unsigned(header: _Header) -> bytes:
    return msgspec.json.encode(msgspec.structs.replace(header, signature="", server=""))


def _pack_header(header: _Header, signed: _Signature) -> bytes:
    line = msgspec.structs.replace(header, signature=signed.signature, server=signed.server)
    return gzip.compress(msgspec.json.encode(line) + b"\n", compresslevel=0, mtime=0)


def check_backup(file: IO[bytes], keys: Keys) -> bool:
    """Return whether the owner made a backup, rather than another account. Raises NoBackupError."""
    opening = _read_opening(file)
    if opening.header.backup == OLD_FORM:
        signers = _Signers(keys)
        last = b""
        # The last line holds the signature of the lines before it.
        for line in _unpack_lines(file, _get_old_limit(file)):
            signers.update(last)
            last = line
        return signers.check_owner(_decode_line(last, _Signature))
    signers = _Signers(keys, _encode_unsigned(opening.header))
    file.seek(opening.begin)
    while chunk := file.read(CHUNK):
        signers.update(chunk)
    return signers.check_owner(opening.header)


def read_backup(file: IO[bytes], longest: int = LONGEST_FILE) -> Iterator[SavedList]:
    """Yield a backup's lists. Raises NoBackupError.

    Pass a smaller `longest` for an unknown signature, and do not trust the content.
    """
    if _read_opening(file).header.backup != OLD_FORM:
        lines = _unpack_lines(file, longest)
        next(lines, b"")
        yield from (_decode_line(line, SavedList) for line in lines)
        return
    lines = _unpack_lines(file, min(longest, _get_old_limit(file)))
    next(lines, b"")
    # Read one line ahead: the last line is the signature.
    ahead = next(lines, b"")
    for line in lines:
        yield _decode_line(ahead, SavedList)
        ahead = line


def _read_opening(file: IO[bytes]) -> _Opening:
    file.seek(0)
    start = file.read(HEADER_BYTES)
    unpacking = zlib.decompressobj(wbits=_GZIP)
    try:
        line, end, _ = unpacking.decompress(start, HEADER_BYTES).partition(b"\n")
    except zlib.error as error:
        raise NoBackupError("no-backup") from error
    header = _decode_line(line, _Header)
    # In the new form the header is a member of its own.
    is_known = header.backup == OLD_FORM or (header.backup == FORM and unpacking.eof)
    if not end or not is_known:
        raise NoBackupError("no-backup")
    return _Opening(header, len(start) - len(unpacking.unused_data))


def _get_old_limit(file: IO[bytes]) -> int:
    return min(LONGEST_FILE, OLD_FREE + OLD_RATIO * file.seek(0, 2))


def _unpack_lines(file: IO[bytes], left: int) -> Iterator[bytes]:
    file.seek(0)
    try:
        with gzip.GzipFile(fileobj=file, mode="rb") as packed:
            lines = iter(partial(packed.readline, LONGEST_LINE), b"")
            for number, line in enumerate(lines, 1):
                left -= len(line)
                shortest = SHORTEST_LINE if number > 1 else 0
                # A line without an end is too long, or the file is damaged.
                is_line = number <= MOST_LINES and len(line) >= shortest and line.endswith(b"\n")
                if left < 0 or not is_line:
                    raise NoBackupError("no-backup")
                yield line
    except (OSError, EOFError, zlib.error) as error:
        raise NoBackupError("no-backup") from error


def _decode_line(line: bytes, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(line, type=kind)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise NoBackupError("no-backup") from error
