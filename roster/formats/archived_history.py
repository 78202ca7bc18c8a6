"""The file of a list's archived documents: MessagePack, with each document packed as in the database."""

from collections.abc import Mapping
from hashlib import sha256

import msgspec

FORM = 1


class DamagedArchiveError(ValueError):
    """The file is not what was written for this list."""


class _ArchivedHistory(msgspec.Struct, frozen=True, kw_only=True):
    form: int
    list_id: str
    packed: dict[int, bytes]


_decoder = msgspec.msgpack.Decoder(_ArchivedHistory)


def encode_archive(list_id: str, packed: Mapping[int, bytes]) -> bytes:
    """Encode packed documents by revision number. The same documents give the same bytes.

    >>> content = encode_archive("x", {2: b"reeds"})
    >>> decode_archive(content, sha256(content).hexdigest(), "x")
    {2: b'reeds'}
    """
    return msgspec.msgpack.encode(_ArchivedHistory(form=FORM, list_id=list_id, packed=dict(sorted(packed.items()))))


def decode_archive(content: bytes, digest: str, list_id: str) -> dict[int, bytes]:
    """Decode a file. Raises DamagedArchiveError unless it has this SHA-256 and belongs to this list."""
    if sha256(content).hexdigest() != digest:
        raise DamagedArchiveError("The archive has changed since it was written.")
    try:
        history = _decoder.decode(content)
    except msgspec.DecodeError as error:
        raise DamagedArchiveError("The archive cannot be read.") from error
    if (history.form, history.list_id) != (FORM, list_id):
        raise DamagedArchiveError("The archive belongs to another list.")
    return history.packed
