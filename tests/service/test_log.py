"""Mistakes of clients leave no warning in a server's log, which is for problems of the administrator."""

import socket
from collections.abc import Iterator, Mapping
from http.client import HTTPConnection

import pytest

from tests.extent import sample
from tests.roster.addresses import WAYS, filled
from tests.service.site import Site, open_site

pytestmark = pytest.mark.slow

GAME = "/games/reeds-and-rust/"
FILE = "/static/icons/mark.svg"
FORM = {"Content-Type": "application/x-www-form-urlencoded"}
JSON = {"Content-Type": "application/json"}
PUBLIC = sorted(
    {filled(way, {}) for way in WAYS if not way.parameters and not way.is_staffs and not way.needs_account}
    | {GAME, FILE, "/healthz", "/readyz"}
)


@pytest.fixture(scope="module")
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with open_site(tmp_path_factory.mktemp("site"), request.config) as opened:
        opened.start(log_level="warning")
        yield opened


@pytest.fixture(autouse=True)
def silent(site: Site) -> Iterator[None]:
    log = site.folder / "log"
    before = log.stat().st_size
    yield
    assert log.read_bytes()[before:].decode() == ""


def ask(site: Site, method: str, address: str, body: bytes | None = None, **headers: str) -> tuple[int, bytes]:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    connection = HTTPConnection(*site.address, timeout=60)
    connection.request(method, address, body, named)
    answer = connection.getresponse()
    content = answer.read()
    connection.close()
    return answer.status, content


def test_head_is_answered_as_get_without_a_body(site: Site) -> None:
    addresses = sample(PUBLIC, 8)
    assert len(addresses) >= 8
    for address in addresses:
        status, body = ask(site, "HEAD", address)
        assert (status, body) == (ask(site, "GET", address)[0], b""), address
        assert status < 500, address


@pytest.mark.parametrize("headers", [FORM, JSON, {"Content-Type": "multipart/form-data; boundary=x"}, {}])
def test_forms_without_a_token(site: Site, headers: Mapping[str, str]) -> None:
    addresses = sample(PUBLIC, 8)
    assert len(addresses) >= 8
    for address in addresses:
        assert ask(site, "POST", address, b"a=%00&b=%ff", **headers)[0] < 500, address


@pytest.mark.parametrize("host", ["elsewhere.example", "a_b", "[::1", "127.0.0.1:x", "", "<b>", "10.0.0.7"])
def test_unknown_hosts(site: Site, host: str) -> None:
    for method in ("GET", "HEAD", "POST"):
        status, page = ask(site, method, "/", Host=host)
        assert (status, b"ALLOWED_HOSTS" in page) == (400, method != "HEAD")


@pytest.mark.parametrize("method", ["BREW", "DELETE", "OPTIONS", "PATCH", "PROPFIND", "PUT", "TRACE"])
def test_methods_that_nothing_answers(site: Site, method: str) -> None:
    for address in ("/", GAME, "/rosters/", "/accounts/login/", "/api/v1/check", FILE):
        assert ask(site, method, address)[0] < 500, address


@pytest.mark.parametrize("value", ["bytes=0-1", "bytes=9-1", "bytes=-99999999", "bytes=99999999-", "bytes=x", "y=1-2"])
def test_ranges_that_are_none(site: Site, value: str) -> None:
    for address in ("/", FILE):
        for method in ("GET", "HEAD"):
            assert ask(site, method, address, Range=value)[0] in (200, 206, 416)


@pytest.mark.parametrize(
    "cookie",
    ["sessionid=x", "sessionid=" + "a" * 32, "sessionid=\xff", "csrftoken=x; language=%00", "messages=x", "=;;=", "x"],
)
def test_broken_cookies(site: Site, cookie: str) -> None:
    for address in ("/", "/rosters/", "/accounts/login/", "/admin/login/"):
        assert ask(site, "GET", address, Cookie=cookie)[0] < 500


def test_bodies_that_django_refuses(site: Site) -> None:
    """These reach a view, because the API needs no token."""
    many = b"&".join(b"a=1" for _ in range(2_000))
    for address in ("/accounts/login/", "/rosters/new/", "/api/v1/check", "/api/v1/read"):
        for body, headers in ((many, FORM), (b"{", JSON), (b"\xff", JSON), (b"--x", FORM)):
            assert ask(site, "POST", address, body, **headers)[0] in (400, 403, 404, 405, 415)


@pytest.mark.parametrize("address", ["/accounts/login/", "/rosters/import/", "/api/v1/check"])
@pytest.mark.parametrize("content_type", [*FORM.values(), *JSON.values(), "multipart/form-data; boundary=x"])
def test_askers_who_leave(site: Site, address: str, content_type: str) -> None:
    """Clients that disconnect while sending, or before the answer."""
    for stated in (3, 1_000_000):
        head = f"POST {address} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: {content_type}\r\nContent-Length: {stated}"
        with socket.create_connection(site.address, timeout=60) as connection:
            # No lingering: the server reads from, or writes to, a connection that was reset.
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
            connection.sendall(f"{head}\r\n\r\n--x".encode())
    # The same threads answer later requests.
    for _ in range(8):
        assert ask(site, "GET", GAME)[0] == 200
