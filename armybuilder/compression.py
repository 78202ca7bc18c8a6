"""Compress pages so that the length of an answer reveals nothing secret in it.

Who can have a reader's browser ask for pages, and sees how long the compressed answers are, could guess a secret that
is in a page beside words of the asker's own (BREACH). See docs/adr/0020-compressed-answers.md for what stands
against that: tokens differ in each answer, lengths vary at random, and what another site asks for is not compressed.
"""

import secrets
from collections.abc import Callable

import brotli
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import patch_vary_headers
from django.utils.text import compress_string

LEAST_BYTES = 200
MOST_PADDING = 100
QUALITY = 4
"""Of Brotli's eleven: a page of a hundred kilobytes takes it a millisecond."""

_TEXTS = ("text/", "application/json", "application/xml", "application/yaml", "application/manifest+json", "image/svg")
_ELSEWHERE = ("cross-site", "same-site")


class CompressionMiddleware:
    """Compress text answers with Brotli or gzip, whichever the browser accepts."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if not isinstance(response, HttpResponse) or not _is_compressible(response):
            return response  # streams are files, most of which are packed already
        patch_vary_headers(response, ["Accept-Encoding"])
        accepted = _read_encodings(request.headers.get("Accept-Encoding", ""))
        encoding = next((name for name in _COMPRESSORS if name in accepted), "")
        if encoding and not _is_asked_from_elsewhere(request):
            _compress_response(response, encoding)
        return response


def _is_compressible(response: HttpResponse) -> bool:
    """Return whether an answer is text of some length that nothing has compressed yet."""
    if response.has_header("Content-Encoding"):
        return False
    is_text = response.headers.get("Content-Type", "").startswith(_TEXTS)
    return is_text and len(response.content) >= LEAST_BYTES


def _is_asked_from_elsewhere(request: HttpRequest) -> bool:
    """Return whether another site has the browser of somebody known here ask."""
    is_elsewhere = request.headers.get("Sec-Fetch-Site", "") in _ELSEWHERE
    return is_elsewhere and settings.SESSION_COOKIE_NAME in request.COOKIES


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


def _compress_response(response: HttpResponse, encoding: str) -> None:
    response.content = _COMPRESSORS[encoding](response.content)
    response.headers["Content-Encoding"] = encoding
    if "Content-Length" in response.headers:
        response.headers["Content-Length"] = str(len(response.content))
    etag = response.headers.get("ETag", "")
    if etag.startswith('"'):
        # The same page may come in other bytes, which a strong tag would deny.
        response.headers["ETag"] = f"W/{etag}"


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
