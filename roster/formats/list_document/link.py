"""Write a whole list document as a link short enough for a card's QR code: `armylist:1:` and the document in letters.

The letters are JSON, packed by deflate without a header (RFC 1951) and written in base 32 (RFC 4648) without padding.
QR codes hold capitals and figures in little space.
"""

import base64
import binascii
import re
import zlib

from roster.formats.list_document.nodes import MAX_BYTES, refuse_node

LINK_FORM = 1
QR_LENGTH = 1_451
"""Characters in a QR code of version 25 with correction M: 117 squares, of 0.4 mm on a card that is 63 mm wide."""

_LINK = re.compile(rb"armylist:([0-9]{1,6}):([a-z2-7\s]*)", re.I)
_RAW = -15


def is_list_link(data: bytes) -> bool:
    """Return whether bytes begin like a link.

    >>> is_list_link(b" ArmyList:1:PNRG"), is_list_link(b"list: 1")
    (True, False)
    """
    return data[:100].removeprefix(b"\xef\xbb\xbf").lstrip()[:9].lower() == b"armylist:"


def pack_list_link(plain: bytes) -> str:
    packer = zlib.compressobj(9, zlib.DEFLATED, _RAW)
    letters = base64.b32encode(packer.compress(plain) + packer.flush()).rstrip(b"=")
    return f"ARMYLIST:{LINK_FORM}:{letters.decode()}"


def unpack_list_link(data: bytes) -> bytes:
    """Return the JSON in a link, which may be wrapped. Raises UnreadableError."""
    link = _LINK.fullmatch(data.removeprefix(b"\xef\xbb\xbf").strip())
    if link is None:
        refuse_node("bad-link", line=1)
    if int(link[1]) != LINK_FORM:
        refuse_node("unknown-form", line=1, given=link[1].decode(), detail=str(LINK_FORM))
    letters = b"".join(link[2].split())
    unpacker = zlib.decompressobj(_RAW)
    try:
        packed = base64.b32decode(letters + b"=" * (-len(letters) % 8), casefold=True)
        # One byte more shows that there is more.
        plain = unpacker.decompress(packed, MAX_BYTES + 1)
    except (binascii.Error, zlib.error):
        refuse_node("bad-link", line=1)
    if not unpacker.eof and len(plain) <= MAX_BYTES:
        refuse_node("bad-link", line=1)
    return plain
