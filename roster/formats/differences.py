"""Texts stored as what differs from an earlier one: an edit of a long list is a hundred bytes, not the list again."""

import zstandard

WINDOW_LOG = 20
"""A difference is looked for in so many bits of the earlier text: a megabyte, more than a list may have."""
LONGEST = 16 * 2**20
"""No text is longer than this when it is read back, whatever its first bytes say."""
_PARAMETERS = zstandard.ZstdCompressionParameters.from_level(3, window_log=WINDOW_LOG)


def pack_text(text: str, base: str = "") -> bytes:
    """Compress a text, as its differences from `base` if that is given.

    >>> unpack_text(pack_text("Ten squads of reeds", "Ten squads"), "Ten squads")
    'Ten squads of reeds'
    """
    packer = zstandard.ZstdCompressor(compression_params=_PARAMETERS, dict_data=_build_dictionary(base))
    return packer.compress(text.encode())


def unpack_text(packed: bytes, base: str = "") -> str:
    """Return the text again; raises zstandard.ZstdError where it was packed with another base."""
    unpacker = zstandard.ZstdDecompressor(dict_data=_build_dictionary(base), max_window_size=2**WINDOW_LOG)
    return unpacker.decompress(packed, max_output_size=LONGEST).decode()


def _build_dictionary(base: str) -> zstandard.ZstdCompressionDict | None:
    if not base:
        return None
    return zstandard.ZstdCompressionDict(base.encode(), dict_type=zstandard.DICT_TYPE_RAWCONTENT)
