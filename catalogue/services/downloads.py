"""Download from user-supplied addresses without reaching into the server's own network.

All addresses of a host and of redirects are checked, and connections go to the checked addresses.
"""

import re
import socket
import ssl
import string
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import Future
from contextlib import closing, contextmanager, suppress
from enum import StrEnum
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from pathlib import Path
from threading import Thread, Timer
from typing import Any
from urllib.parse import quote, urljoin, urlsplit

from django.conf import settings
from django.utils.translation import gettext_lazy

from catalogue.formats.battlescribe.limits import MIB

SECONDS = 60
"""How long a server may take to respond, and how long it may be silent within a download."""
POST_SECONDS = 10
"""How long a server may take to accept a message, from its name's resolution to its response."""
DOWNLOAD_SECONDS = 600
"""How long a download may take with all redirects, so that a slow server does not hold up other sources."""
CHUNK = MIB
WEB = ("https", "http")
MOST_REDIRECTS = 5
MOST_ADDRESSES = 2
"""How many addresses of a host are tried."""
_PORTS = {"https": 443, "http": 80}
_HOST = re.compile(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*|[0-9a-f:.]+")
_UNSAFE = re.compile(r"[\s\\\x00-\x1f\x7f]")
_REDIRECTS = (301, 302, 303, 307, 308)
_TRANSLATED = ip_network((0x64FF9B << 96, 96))
"""IPv4 addresses in networks that only use IPv6 (RFC 6052)."""


class FetchFailure(StrEnum):
    """Why an address cannot be read, without what the name servers and networks of this site say."""

    NOT_PUBLIC = "not-public"
    NO_ANSWER = "no-answer"
    BAD_CERTIFICATE = "bad-certificate"
    BAD_ANSWER = "bad-answer"
    MISSING = "missing"
    TOO_SLOW = "too-slow"
    TOO_LARGE = "too-large"
    CHANGED = "changed"
    UNSTORED = "unstored"


_FAILURES = {
    # The same for unknown and private hosts, so that it does not reveal which private names exist.
    FetchFailure.NOT_PUBLIC: gettext_lazy("There is no public server at this address."),
    FetchFailure.NO_ANSWER: gettext_lazy("The server does not answer."),
    FetchFailure.BAD_CERTIFICATE: gettext_lazy("The server’s certificate is not valid."),
    FetchFailure.BAD_ANSWER: gettext_lazy("The server’s answer cannot be used."),
    FetchFailure.MISSING: gettext_lazy("The server does not have this file."),
    FetchFailure.TOO_SLOW: gettext_lazy("The server takes too long to answer."),
    FetchFailure.TOO_LARGE: gettext_lazy("The file is too large."),
    FetchFailure.UNSTORED: gettext_lazy("This site cannot store the file. Ask its staff."),
    FetchFailure.CHANGED: gettext_lazy(
        "The archive is not the one that the index describes. Try again once the index has been updated."
    ),
}


class FetchError(Exception):
    """A source cannot be read. The message is for staff; others may read `explain_failure(error.failure)`."""

    def __init__(self, message: str, failure: FetchFailure = FetchFailure.BAD_ANSWER) -> None:
        super().__init__(message)
        self.failure = failure


def explain_failure(failure: str) -> str:
    """Explain a failure to everybody. An unknown one counts as no answer."""
    return str(_FAILURES[FetchFailure(failure) if failure in _FAILURES else FetchFailure.NO_ANSWER])


class _Deadline:
    """The moment by which an exchange ends: resolving, connecting, redirects and the response together.

    A socket's timeout starts anew with each byte and each "100 Continue", so it does not bound a response.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._end = time.monotonic() + seconds

    def measure_left(self) -> float:
        """Return the seconds that are left. Raises FetchError if there are none."""
        left = self._end - time.monotonic()
        if left <= 0:
            raise FetchError(f"It takes longer than {self._seconds} seconds.", FetchFailure.TOO_SLOW)
        return left

    @contextmanager
    def bound(self, connected: socket.socket) -> Iterator[None]:
        """Shut a socket down at the deadline, which wakes the thread that reads from it."""
        timer = Timer(self.measure_left(), _shut_down, [connected])
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            timer.join()

    @contextmanager
    def explain_errors(self) -> Iterator[None]:
        """Raise FetchError for the errors of an exchange, and for one that ends because of the deadline."""
        try:
            yield
        except (HTTPException, OSError, ValueError) as error:
            self.measure_left()
            if isinstance(error, HTTPException):
                raise FetchError("Its response is not HTTP, or is incomplete.") from error
            is_distrusted = isinstance(error, ssl.SSLCertVerificationError)
            failure = FetchFailure.BAD_CERTIFICATE if is_distrusted else FetchFailure.NO_ANSWER
            raise FetchError(f"It does not answer: {error}.", failure) from error
        # A socket that was shut down reads as a complete response of unknown length.
        self.measure_left()


def _shut_down(connected: socket.socket) -> None:
    # `SSLSocket.shutdown` would also drop the encryption, which the reading thread is using.
    with suppress(OSError):
        socket.socket.shutdown(connected, socket.SHUT_RDWR)


def is_public(address: IPv4Address | IPv6Address) -> bool:
    """Return whether an address is public. An IPv6 address with an IPv4 address inside counts as the latter.

    >>> [is_public(ip_address(text)) for text in ("1.1.1.1", "10.0.0.1", "100.64.0.1", "::ffff:127.0.0.1", "fe80::1")]
    [True, False, False, False, False]
    """
    if isinstance(address, IPv6Address) and (inner := _find_inner(address)):
        return is_public(inner)
    # Some versions of Python count multicast and old site-local addresses as global.
    is_special = address.is_multicast or address.is_reserved or address.is_unspecified
    is_local = address.is_private or address.is_loopback or address.is_link_local
    is_site_local = isinstance(address, IPv6Address) and address.is_site_local
    return address.is_global and not (is_special or is_local or is_site_local)


def _find_inner(address: IPv6Address) -> IPv4Address | None:
    if address in _TRANSLATED:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    if address.teredo:
        return address.teredo[1]
    return address.ipv4_mapped or address.sixtofour


def resolve_host(host: str, port: int, seconds: float = SECONDS) -> list[str]:
    """Return the addresses of a host. Raises FetchError if it has none, one is forbidden or that takes too long."""
    resolved: Future[list[Any]] = Future()

    def resolve() -> None:
        try:
            resolved.set_result(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
        except (OSError, UnicodeError) as error:
            resolved.set_exception(error)

    # `getaddrinfo` has no timeout; a slow name server keeps this thread only.
    Thread(target=resolve, daemon=True).start()
    try:
        places = resolved.result(seconds)
    except TimeoutError as error:
        raise FetchError(f"The name server does not tell the address of {host}.", FetchFailure.NOT_PUBLIC) from error
    except (OSError, UnicodeError) as error:
        raise FetchError(f"There is no host called {host}.", FetchFailure.NOT_PUBLIC) from error
    addresses = list(dict.fromkeys(str(place[0]) for *_, place in places))
    if not settings.ARMYBUILDER["ALLOW_PRIVATE_SOURCES"]:
        for address in addresses:
            if not is_public(ip_address(address)):
                raise FetchError(
                    f"{host} is at {address}, which is not an address of the public net. "
                    "Where sources may be in your own network, set ALLOW_PRIVATE_SOURCES=1.",
                    FetchFailure.NOT_PUBLIC,
                )
    return addresses


def split_address(address: str) -> tuple[str, str, int]:
    """Return scheme, host and port. Raises FetchError for text that programs could read differently."""
    try:
        parts = urlsplit(address)
        host = (parts.hostname or "").encode("idna").decode()
        port = parts.port
    except ValueError as error:
        raise FetchError(f"{address} is not an address.") from error
    if parts.scheme not in WEB or not _HOST.fullmatch(host) or _UNSAFE.search(address) or parts.netloc.count("@") > 1:
        raise FetchError(f"{address} is not an address that begins with https:// or http://.")
    return parts.scheme, host, port or _PORTS[parts.scheme]


def is_web_address(location: str) -> bool:
    return location.lower().startswith(("https://", "http://"))


@contextmanager
def _connect(scheme: str, host: str, port: int, deadline: _Deadline) -> Iterator[HTTPConnection]:
    """Connect to a checked address until the context or the deadline ends. The certificate must be the host's."""
    with _connect_checked(host, port, deadline) as plain:
        plain.settimeout(min(SECONDS, deadline.measure_left()))
        if scheme == "http":
            connection = HTTPConnection(host, port)
            connection.sock = plain
        else:
            context = ssl.create_default_context()
            connection = HTTPSConnection(host, port, context=context)
            connection.sock = context.wrap_socket(plain, server_hostname=host, do_handshake_on_connect=False)
        with closing(connection), deadline.bound(connection.sock):
            if isinstance(connection.sock, ssl.SSLSocket):
                connection.sock.do_handshake()
            yield connection


def _connect_checked(host: str, port: int, deadline: _Deadline) -> socket.socket:
    failed: OSError = OSError("no address")
    addresses = resolve_host(host, port, deadline.measure_left())[:MOST_ADDRESSES]
    for number, address in enumerate(addresses):
        try:
            # A silent address must leave time for the next one.
            seconds = min(SECONDS, deadline.measure_left() / (len(addresses) - number))
            return socket.create_connection((address, port), seconds)
        except OSError as error:
            failed = error
    raise failed


def download(address: str, path: Path, most: int) -> None:
    """Download at most `most` bytes to a file. Raises FetchError."""
    try:
        with path.open("wb") as stream:
            for part in _receive(address, most):
                stream.write(part)
    except OSError as error:
        raise FetchError(f"It cannot be stored here: {error.strerror}.", FetchFailure.UNSTORED) from error


def _receive(address: str, most: int) -> Iterator[bytes]:
    deadline = _Deadline(DOWNLOAD_SECONDS)
    with deadline.explain_errors(), _open_address(address, deadline) as answer:
        size = 0
        # In parts, because the server can lie about the length.
        while part := answer.read1(CHUNK):
            size += len(part)
            if size > most:
                raise FetchError(f"It is larger than {most // MIB} MiB.", FetchFailure.TOO_LARGE)
            yield part


def measure_download(address: str) -> int | None:
    """Return the size in bytes that the server states, or None. Raises FetchError."""
    deadline = _Deadline(SECONDS)
    with deadline.explain_errors(), _open_address(address, deadline, "HEAD") as answer:
        length = answer.headers.get("Content-Length", "")
        return int(length) if length.isdecimal() and len(length) < 12 else None


def post(address: str, body: bytes, headers: Mapping[str, str]) -> int:
    """Send a body; return the status without reading the answer or following redirects. Raises FetchError."""
    scheme, host, port = split_address(address)
    parts = urlsplit(address)
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    deadline = _Deadline(POST_SECONDS)
    with deadline.explain_errors(), _connect(scheme, host, port, deadline) as connection:
        connection.request(
            "POST", quote(target, safe=string.punctuation), body, {"User-Agent": "Armybuilder", **headers}
        )
        return connection.getresponse().status


@contextmanager
def _open_address(address: str, deadline: _Deadline, method: str = "GET") -> Iterator[HTTPResponse]:
    for _ in range(MOST_REDIRECTS + 1):
        scheme, host, port = split_address(address)
        parts = urlsplit(address)
        if parts.username is not None:
            raise FetchError("Leave name and password out of the address.")
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        with _connect(scheme, host, port, deadline) as connection:
            connection.request(method, quote(target, safe=string.punctuation), headers={"User-Agent": "Armybuilder"})
            answer = connection.getresponse()
            if answer.status == 200:
                yield answer
                return
            if answer.status not in _REDIRECTS:
                failure = FetchFailure.MISSING if answer.status in (404, 410) else FetchFailure.BAD_ANSWER
                raise FetchError(f"The server answers {answer.status} {answer.reason}.", failure)
            following = urljoin(address, answer.headers.get("Location", ""))
            if scheme == "https" and not following.startswith("https://"):
                raise FetchError(f"It redirects from https to {following}.")
            address = following
    raise FetchError(f"It redirects more than {MOST_REDIRECTS} times.")
