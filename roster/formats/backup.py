"""The backup of an owner's lists: gzip of JSON lines, a header and a line for each list.

It is two members of gzip, one behind the other. The first holds the header, and in it the signatures of the second as
it is packed: so a file from elsewhere is refused before anything of it is unpacked. In the form before, all was one
member, and the signatures of the lines were the last of them. It is signed twice: by its owner, and by the server that
it was made on, so that another account of that server may restore it.
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
"""Bytes of one list with all its history; more is not a list of ours."""
SHORTEST_LINE = 64
"""Bytes of a line behind the header; a list is never shorter."""
LONGEST_FILE = 1024 * MIB
"""Bytes of a whole backup, unpacked."""
LONGEST_UNSIGNED = 128 * MIB
"""The same for a file of an unknown writer."""
OLD_FREE, OLD_RATIO = 64 * MIB, 20
"""A file whose signature is inside may unpack to so many bytes, and so many more for each byte of it."""
MOST_LINES = 20_000
HEADER_BYTES = 1024
CHUNK = MIB
_GZIP = 16 + zlib.MAX_WBITS

T = TypeVar("T")


class NoBackupError(ValueError):
    """The file is no backup or is damaged (`code` is `no-backup`), or was made or changed elsewhere (`not-yours`)."""

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
    """A list with everything that its owner made of it; `game` says which data to look for if its own is missing."""

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
    game: str = ""


class Keys(msgspec.Struct, frozen=True, kw_only=True):
    """The keys that sign backups: one for the owner, one for everybody on the server."""

    owner: bytes
    server: bytes


class _Signature(msgspec.Struct, frozen=True, kw_only=True):
    """`server` is blank in backups from before servers signed them, too."""

    signature: str
    server: str = ""


class _Header(msgspec.Struct, frozen=True, kw_only=True):
    backup: int
    created: datetime = msgspec.field(name="made")
    signature: str = ""
    server: str = ""


class _Opening(NamedTuple):
    """What is known of a file before it is unpacked: its header, and where its content begins."""

    header: _Header
    begin: int


class _Signers:
    """Computes both signatures of what it is given, piece by piece."""

    def __init__(self, keys: Keys, begin: bytes = b"") -> None:
        self._both = [hmac.new(key, begin, digestmod=hashlib.sha256) for key in (keys.owner, keys.server)]

    def update(self, data: bytes) -> None:
        for signer in self._both:
            signer.update(data)

    def compute_signature(self) -> _Signature:
        owner, server = (signer.hexdigest() for signer in self._both)
        return _Signature(signature=owner, server=server)

    def check_owner(self, given: _Signature | _Header) -> bool:
        """Return whether the owner signed it; else the server did. Raises NoBackupError if neither has."""
        right = self.compute_signature()
        # As bytes: texts with letters beyond ASCII, which anybody may write, are not compared but raise an error.
        if hmac.compare_digest(right.signature.encode(), given.signature.encode()):
            return True
        if not hmac.compare_digest(right.server.encode(), given.server.encode()):
            raise NoBackupError("not-yours")
        return False


class _Signed:
    """A file that signs what is written to it."""

    def __init__(self, file: IO[bytes], signers: _Signers) -> None:
        self._file = file
        self._signers = signers

    def write(self, data: bytes) -> int:
        self._signers.update(data)
        return self._file.write(data)

    def flush(self) -> None:
        self._file.flush()


def write_backup(file: IO[bytes], keys: Keys, created: datetime, lists: Iterable[SavedList]) -> None:
    """Write a backup into an empty file that can seek. A holder of the keys can tell it from any other."""
    header = _Header(backup=FORM, created=created)
    signers = _Signers(keys, _encode_unsigned(header))
    # To be written over: it is as long whatever is signed.
    file.write(_pack_header(header, signers.compute_signature()))
    with gzip.GzipFile(filename="", fileobj=_Signed(file, signers), mode="wb", compresslevel=6, mtime=0) as packed:
        for saved in lists:
            packed.write(msgspec.json.encode(saved) + b"\n")
    file.seek(0)
    file.write(_pack_header(header, signers.compute_signature()))


def _encode_unsigned(header: _Header) -> bytes:
    return msgspec.json.encode(msgspec.structs.replace(header, signature="", server=""))


def _pack_header(header: _Header, signed: _Signature) -> bytes:
    """Pack the first member, which is not compressed."""
    line = msgspec.structs.replace(header, signature=signed.signature, server=signed.server)
    return gzip.compress(msgspec.json.encode(line) + b"\n", compresslevel=0, mtime=0)


def check_backup(file: IO[bytes], keys: Keys) -> bool:
    """Return whether the holder of the keys made a backup; else another account of this server did.

    Raises NoBackupError if it was made or changed elsewhere.
    """
    opening = _read_opening(file)
    if opening.header.backup == OLD_FORM:
        signers = _Signers(keys)
        last = b""
        # The last line is the signature of the lines before.
        for line in _unpack_lines(file, _get_old_limit(file)):
            signers.update(last)
            last = line
        return signers.check_owner(_decode_line(last, _Signature))
    # The signature covers the header without the signatures in it.
    signers = _Signers(keys, _encode_unsigned(opening.header))
    file.seek(opening.begin)
    while chunk := file.read(CHUNK):
        signers.update(chunk)
    return signers.check_owner(opening.header)


def read_backup(file: IO[bytes], longest: int = LONGEST_FILE) -> Iterator[SavedList]:
    """Read the lists of a backup, one after the other. Raises NoBackupError.

    Give a smaller `longest` for a backup whose signature is unknown, and believe nothing in it.
    """
    if _read_opening(file).header.backup != OLD_FORM:
        lines = _unpack_lines(file, longest)
        next(lines, b"")
        yield from (_decode_line(line, SavedList) for line in lines)
        return
    lines = _unpack_lines(file, min(longest, _get_old_limit(file)))
    next(lines, b"")
    # One line ahead: the last one is the signature, and no list.
    ahead = next(lines, b"")
    for line in lines:
        yield _decode_line(ahead, SavedList)
        ahead = line


def _read_opening(file: IO[bytes]) -> _Opening:
    file.seek(0)
    start = file.read(HEADER_BYTES)
    unpacking = zlib.decompressobj(wbits=_GZIP)
    try:
        # The header alone is unpacked, and no more of it than a header may have.
        line, end, _ = unpacking.decompress(start, HEADER_BYTES).partition(b"\n")
    except zlib.error as error:
        raise NoBackupError("no-backup") from error
    header = _decode_line(line, _Header)
    # Since lists are signed as they are packed, the header is a member of its own.
    is_known = header.backup == OLD_FORM or (header.backup == FORM and unpacking.eof)
    if not end or not is_known:
        raise NoBackupError("no-backup")
    return _Opening(header, len(start) - len(unpacking.unused_data))


def _get_old_limit(file: IO[bytes]) -> int:
    return min(LONGEST_FILE, OLD_FREE + OLD_RATIO * file.seek(0, 2))


def _unpack_lines(file: IO[bytes], left: int) -> Iterator[bytes]:
    """Unpack the lines, none longer or shorter than allowed: a file of kilobytes can unpack to anything."""
    file.seek(0)
    try:
        with gzip.GzipFile(fileobj=file, mode="rb") as packed:
            lines = iter(partial(packed.readline, LONGEST_LINE), b"")
            for number, line in enumerate(lines, 1):
                left -= len(line)
                shortest = SHORTEST_LINE if number > 1 else 0
                # A line without an end is too long, or the file damaged.
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
