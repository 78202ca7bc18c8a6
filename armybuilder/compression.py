"""Compress pages so that the length of an answer reveals nothing secret in it.

Who can have a reader's browser ask for pages, and sees how long the compressed answers are, could guess a secret that
is in a page beside words of the asker's own (BREACH). See docs/adr/0020-compressed-answers.md for what stands
against that: tokens differ in each answer, lengths vary at random, and what another site asks for is not compressed.
"""

import secrets

import brotli
from django.http import HttpResponse
from django.utils.text import compress_string

TEXTS = (
    "text/",
    "application/json",
    "application/xml",
    "application/yaml",
    "application/vnd.oai.openapi",
    "application/manifest+json",
    "image/svg",
)
"""What the types of answers begin with that are worth compressing."""
LEAST_COMPRESSED = 200
"""Below so many bytes no answer is."""
MOST_PADDING = 100
QUALITY = 4
"""Of Brotli's eleven: a page of a hundred kilobytes takes it a millisecond."""


def is_compressible(response: HttpResponse) -> bool:
    """Return whether an answer is text of some length that nothing has compressed yet."""
    if response.has_header("Content-Encoding"):
        return False
    is_text = response.headers.get("Content-Type", "").startswith(TEXTS)
    return is_text and len(response.content) >= LEAST_COMPRESSED


def choose_encoding(accepted: str) -> str:
    """Return the shortest encoding that a browser accepts by its header; blank if it accepts none of ours."""
    encodings = _read_encodings(accepted)
    return next((name for name in _COMPRESSORS if name in encodings), "")


def compress_response(response: HttpResponse, accepted: str) -> None:
    """Compress an answer with what a browser accepts by its header, if there is anything that it does."""
    encoding = choose_encoding(accepted)
    if not encoding:
        return
    response.content = _COMPRESSORS[encoding](response.content)
    response.headers["Content-Encoding"] = encoding
    if "Content-Length" in response.headers:
        response.headers["Content-Length"] = str(len(response.content))
    etag = response.headers.get("ETag", "")
    if etag.startswith('"'):
        # The same page may come in other bytes, which a strong tag would deny.
        response.headers["ETag"] = f"W/{etag}"


def _read_encodings(header: str) -> set[str]:
    """Return what a browser takes.

    >>> sorted(_read_encodings("gzip, br;q=0.8, zstd; q=0"))
    ['br', 'gzip']
    """
    accepted = set()
    for part in header.lower().split(","):
        name, _, parameter = part.partition(";")
        weight = parameter.replace(" ", "").removeprefix("q=")
        if not weight or weight.strip("0."):
            accepted.add(name.strip())
    return accepted


def compress_by_brotli(content: bytes) -> bytes:
    """Compress by Brotli, with padding of random length."""
    compressor = brotli.Compressor(mode=brotli.MODE_TEXT, quality=QUALITY)
    # What is flushed ends at a byte, where a block may begin that readers pass over.
    flushed: bytes = compressor.process(content) + compressor.flush()
    last: bytes = compressor.finish()
    return flushed + _build_padding(1 + secrets.randbelow(MOST_PADDING)) + last


def _build_padding(length: int) -> bytes:
    """Build a block of metadata for Brotli with so many bytes, which no reader shows (RFC 7932, section 9.2).

    Its head has, from the lowest bit: not the last (0), no data (11), reserved (0), one byte of length (10), the length
    less one, and two bits up to the next byte.
    """
    head = 0b010110 | (length - 1) << 6
    return head.to_bytes(2, "little") + secrets.token_bytes(length)


def compress_by_gzip(content: bytes) -> bytes:
    """Compress by gzip, with a file name of random length in its head."""
    return compress_string(content, max_random_bytes=MOST_PADDING)


_COMPRESSORS = {"br": compress_by_brotli, "gzip": compress_by_gzip}
"""By the name of the encoding, the shortest first."""
