"""Sources may only be in the public net and in allowed folders, despite names, redirects and name servers."""

import os
import socket
import ssl
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import StringIO
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from django.conf import LazySettings
from django.core.management import CommandError, call_command

from catalogue.models import GameSystem, Source
from catalogue.models.games import SourceKind
from catalogue.services import downloads, fetching
from catalogue.services.downloads import is_public
from catalogue.services.sources import add_source, look_up_source
from tests.catalogue.battlescribe_files import game_files, packed, unit

pytestmark = pytest.mark.django_db

INNER = [
    *("127.0.0.1", "127.9.9.9", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0"),
    *("224.0.0.1", "239.1.2.3", "240.0.0.1", "255.255.255.255", "192.0.2.1", "198.18.0.1"),
    *("::", "::1", "fe80::1", "fe80::1%1", "fc00::1", "fd12::1", "fec0::1", "ff02::1", "2001:db8::1"),
    *("::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "64:ff9b::a00:1", "2002:7f00:1::", "2002:a00:1::"),
]
OUTER = ["1.1.1.1", "140.82.121.4", "2606:4700:4700::1111", "::ffff:1.1.1.1", "64:ff9b::8c52:7904"]
ARCHIVE = packed(game_files(unit()))
HOST = "ducks.example"


@pytest.mark.parametrize("text", INNER)
def test_addresses_that_are_not_public(text: str) -> None:
    assert not is_public(ip_address(text))


@pytest.mark.parametrize("text", OUTER)
def test_addresses_that_are_public(text: str) -> None:
    assert is_public(ip_address(text))


class Resolver:
    """A fake name server: each name has a sequence of answers; the last one repeats."""

    def __init__(self) -> None:
        self.answers: dict[str, list[list[str]]] = {}
        self.asked: list[str] = []
        self.connected: list[str] = []

    def resolve(self, host: str, port: int, *given: Any, **options: Any) -> list[tuple[Any, ...]]:
        self.asked.append(host)
        if host not in self.answers:
            raise socket.gaierror
        answers = self.answers[host]
        addresses = answers.pop(0) if len(answers) > 1 else answers[0]
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in addresses]


@pytest.fixture
def resolver(monkeypatch: pytest.MonkeyPatch) -> Resolver:
    """Names are resolved by the test, and only 127.0.0.1 counts as public."""
    made = Resolver()
    connect = socket.socket.connect

    def open_connection(address: tuple[str, int], timeout: float) -> socket.socket:
        made.connected.append(address[0])
        plain = socket.socket()
        plain.settimeout(timeout)
        connect(plain, address)
        return plain

    monkeypatch.setattr(downloads.socket, "getaddrinfo", made.resolve)
    monkeypatch.setattr(downloads.socket, "create_connection", open_connection)
    monkeypatch.setattr(downloads, "is_public", lambda address: str(address) in ("127.0.0.1", "203.0.113.1"))
    made.answers = {name: [[name]] for name in ("127.0.0.1", "127.0.0.2")} | {HOST: [["127.0.0.1"]]}
    return made


Answer = Callable[[BaseHTTPRequestHandler], None]


@contextmanager
def serving(answer: Answer, tls: ssl.SSLContext | None = None) -> Iterator[tuple[int, list[str]]]:
    """Yield the port of a server, and the requested paths."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            answer(self)

        def do_POST(self) -> None:
            self.do_GET()

        def log_message(self, *args: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    if tls:
        server.socket = tls.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server.server_port, asked
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def send_on(handler: BaseHTTPRequestHandler, location: str) -> None:
    handler.send_response(302)
    handler.send_header("Location", location)
    handler.end_headers()


def send_archive(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(200)
    handler.end_headers()
    handler.wfile.write(ARCHIVE)


def look_up(location: str, kind: str = "") -> str:
    source = add_source(location, kind=kind)
    return source if isinstance(source, str) else look_up_source(source).trouble


@pytest.mark.parametrize("address", ["10.0.0.1", "127.0.0.2", "::1"])
@pytest.mark.parametrize("kind", [SourceKind.ARCHIVE, SourceKind.FEED, SourceKind.GIT])
def test_a_name_that_leads_into_the_own_network_is_not_asked(resolver: Resolver, kind: str, address: str) -> None:
    resolver.answers[HOST] = [["127.0.0.1", address]]
    assert address in look_up(f"https://{HOST}/a", kind)
    assert resolver.connected == []


def test_the_own_network_is_asked_if_a_setting_allows_it(resolver: Resolver, settings: LazySettings) -> None:
    settings.ARMYBUILDER = {**settings.ARMYBUILDER, "ALLOW_PRIVATE_SOURCES": True}
    with serving(send_archive) as (port, asked):
        resolver.answers["inner.example"] = [["127.0.0.1"]]
        assert look_up(f"http://inner.example:{port}/a.zip") == ""
        assert asked == ["/a.zip"]


def test_a_redirect_to_a_public_host_is_followed(resolver: Resolver) -> None:
    with serving(send_archive) as (port, asked):
        elsewhere = f"http://{HOST}:{port}/b.zip?x=1"
        with serving(lambda handler: send_on(handler, elsewhere)) as (first, _):
            assert look_up(f"http://{HOST}:{first}/a.zip") == ""
        assert asked == ["/b.zip?x=1"]


@pytest.mark.parametrize(
    "location",
    ["http://127.0.0.2:{0}/x", "//127.0.0.2:{0}/x", "file:///etc/passwd", "ftp://127.0.0.1:{0}/x", "gopher://a/", ""],
)
def test_a_redirect_that_leads_elsewhere_is_not_followed(resolver: Resolver, location: str) -> None:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        send_on(handler, location.format(port) if location else handler.path)

    with serving(answer) as (port, asked):
        assert look_up(f"http://{HOST}:{port}/a.zip")
        assert set(asked) == {"/a.zip"}
        assert len(asked) <= downloads.MOST_REDIRECTS + 1
    assert set(resolver.connected) == {"127.0.0.1"}


def test_an_archive_that_a_feed_names_is_checked_like_any_other(resolver: Resolver) -> None:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        link = f'<link rel="enclosure" href="http://127.0.0.2:{port}/inner.zip"/>'
        handler.send_response(200)
        handler.end_headers()
        handler.wfile.write(f'<feed xmlns="http://www.w3.org/2005/Atom"><entry>{link}</entry></feed>'.encode())

    with serving(answer) as (port, asked):
        assert "127.0.0.2" in look_up(f"http://{HOST}:{port}/a.atom")
        assert asked == ["/a.atom"]


def test_a_name_server_that_changes_its_mind_changes_nothing(resolver: Resolver) -> None:
    """The connection is made to the address that was checked."""
    resolver.answers[HOST] = [["127.0.0.1"], ["127.0.0.2"]]
    with serving(send_archive) as (port, _):
        assert look_up(f"http://{HOST}:{port}/a.zip") == ""
        assert (resolver.asked, resolver.connected) == ([HOST], ["127.0.0.1"])
        assert "127.0.0.2" in look_up(f"http://{HOST}:{port}/a.zip")
    assert resolver.connected == ["127.0.0.1"]


@pytest.fixture
def tls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ssl.SSLContext:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, HOST)])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(HOST)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    path = tmp_path / "host.pem"
    plain = (serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    path.write_bytes(key.private_bytes(*plain) + certificate.public_bytes(serialization.Encoding.PEM))
    monkeypatch.setenv("SSL_CERT_FILE", str(path))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(path)
    return context


def test_the_certificate_is_that_of_the_name(resolver: Resolver, tls: ssl.SSLContext) -> None:
    with serving(send_archive, tls) as (port, _):
        assert look_up(f"https://{HOST}:{port}/a.zip") == ""
        resolver.answers["drakes.example"] = [["127.0.0.1"]]
        assert "certificate" in look_up(f"https://drakes.example:{port}/a.zip").lower()


def test_a_redirect_from_https_to_http_is_not_followed(resolver: Resolver, tls: ssl.SSLContext) -> None:
    with serving(send_archive) as (plain, asked):
        with serving(lambda handler: send_on(handler, f"http://{HOST}:{plain}/a.zip"), tls) as (port, _):
            assert look_up(f"https://{HOST}:{port}/a.zip")
        assert asked == []


# ---- deadlines -------------------------------------------------------------------------------------------------------


def send_slowly(part: bytes, first: bytes = b"") -> Answer:
    """Send a part again and again, for two seconds at most."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        with suppress(OSError):
            handler.wfile.write(first)
            for _ in range(100):
                handler.wfile.write(part)
                handler.wfile.flush()
                threading.Event().wait(0.02)

    return answer


@pytest.mark.parametrize("part", [b"HTTP/1.1 100 Continue\r\n\r\n", b"H"])
@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_message_waits_for_no_endless_response(
    resolver: Resolver, tls: ssl.SSLContext, monkeypatch: pytest.MonkeyPatch, scheme: str, part: bytes
) -> None:
    monkeypatch.setattr(downloads, "POST_SECONDS", 0.3)
    with serving(send_slowly(part), tls if scheme == "https" else None) as (port, asked):
        with pytest.raises(downloads.FetchError, match="longer than"):
            downloads.post(f"{scheme}://{HOST}:{port}/hook", b"{}", {})
        assert asked == ["/hook"]


def test_a_message_waits_for_no_slow_name_server(monkeypatch: pytest.MonkeyPatch) -> None:
    answered = threading.Event()
    monkeypatch.setattr(downloads.socket, "getaddrinfo", lambda *_, **__: answered.wait(5))
    monkeypatch.setattr(downloads, "POST_SECONDS", 0.1)
    with pytest.raises(downloads.FetchError, match="name server"):
        downloads.post(f"https://{HOST}/hook", b"{}", {})
    answered.set()


def test_few_addresses_of_a_host_are_tried(resolver: Resolver, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(address: tuple[str, int], timeout: float) -> socket.socket:
        resolver.connected.append(address[0])
        raise ConnectionRefusedError

    monkeypatch.setattr(downloads, "is_public", lambda _address: True)
    monkeypatch.setattr(downloads.socket, "create_connection", refuse)
    resolver.answers[HOST] = [[f"203.0.113.{number}" for number in range(1, 20)]]
    with pytest.raises(downloads.FetchError, match="does not answer"):
        downloads.post(f"https://{HOST}/hook", b"{}", {})
    assert resolver.connected == ["203.0.113.1", "203.0.113.2"]


@pytest.mark.parametrize("first", [b"", b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n"])
def test_a_download_waits_for_no_endless_response(
    resolver: Resolver, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, first: bytes
) -> None:
    """The second one never ends the lines after its content."""
    monkeypatch.setattr(downloads, "DOWNLOAD_SECONDS", 0.3)
    slow = send_slowly(b"HTTP/1.1 100 Continue\r\n\r\n" if not first else b"More: lines\r\n", first)
    with serving(slow) as (port, _), pytest.raises(downloads.FetchError, match="longer than"):
        downloads.download(f"http://{HOST}:{port}/a.zip", tmp_path / "a.zip", 1024)


# ---- git -------------------------------------------------------------------------------------------------------------


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "ducks.git"
    folder.mkdir()
    for name, text in game_files(unit()).items():
        (folder / name).write_text(str(text))
    (folder / "large.bin").write_bytes(os.urandom(3_000_000))
    who = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    for command in (("init", "-q"), ("add", "."), (*who, "commit", "-qm", "Ducks")):
        subprocess.run(["git", *command], cwd=folder, check=True)
    return folder


def serve_git(root: Path) -> Answer:
    """Answer as a git host, with the program that git provides."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        parts = urlsplit(handler.path)
        environment = {
            "PATH": os.environ["PATH"],
            "GIT_PROJECT_ROOT": str(root),
            "GIT_HTTP_EXPORT_ALL": "1",
            "REQUEST_METHOD": handler.command,
            "PATH_INFO": parts.path,
            "QUERY_STRING": parts.query,
            "CONTENT_TYPE": handler.headers.get("Content-Type", ""),
            "GIT_PROTOCOL": handler.headers.get("Git-Protocol", ""),
            "HTTP_CONTENT_ENCODING": handler.headers.get("Content-Encoding", ""),
            "HOME": str(root),
            "GIT_CONFIG_COUNT": "1",
            "GIT_CONFIG_KEY_0": "safe.directory",
            "GIT_CONFIG_VALUE_0": "*",
        }
        body = handler.rfile.read(int(handler.headers.get("Content-Length") or 0))
        done = subprocess.run(["git", "http-backend"], input=body, env=environment, stdout=subprocess.PIPE, check=True)
        head, _, content = done.stdout.partition(b"\r\n\r\n")
        fields = [line.split(": ", 1) for line in head.decode().split("\r\n")]
        status = next((int(value[:3]) for name, value in fields if name == "Status"), 200)
        handler.send_response(status)
        for name, value in fields:
            if name != "Status":
                handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(content)

    return answer


@pytest.fixture
def plain_git(settings: LazySettings) -> None:
    """Let git use plain http, as in a private network."""
    settings.ARMYBUILDER = {**settings.ARMYBUILDER, "ALLOW_PRIVATE_SOURCES": True}


@pytest.mark.usefixtures("plain_git")
def test_git_connects_to_the_address_that_was_checked(resolver: Resolver, repository: Path) -> None:
    """Only this test's resolver knows the name."""
    with serving(serve_git(repository.parent)) as (port, _):
        assert look_up(f"http://{HOST}:{port}/ducks.git/.git", SourceKind.GIT) == ""
    assert GameSystem.objects.get().name == "Ducks and Drakes"


@pytest.mark.usefixtures("plain_git")
def test_git_follows_no_redirect(resolver: Resolver, repository: Path) -> None:
    with serving(serve_git(repository.parent)) as (port, asked):
        with serving(lambda handler: send_on(handler, f"http://{HOST}:{port}{handler.path}")) as (first, _):
            assert "moved" in look_up(f"http://{HOST}:{first}/ducks.git/.git", SourceKind.GIT)
        assert asked == []


@pytest.mark.usefixtures("plain_git")
def test_the_copy_of_a_repository_is_bounded(
    resolver: Resolver, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fetching, "CLONE_BYTES", 2_000_000)
    with serving(serve_git(repository.parent)) as (port, _):
        assert "larger" in look_up(f"http://{HOST}:{port}/ducks.git/.git", SourceKind.GIT)
    assert not GameSystem.objects.exists()


@pytest.mark.parametrize(
    "location", ["http://ducks.example/a.git", "git://ducks.example/a", "ssh://ducks.example/a", "ext::id"]
)
def test_git_goes_by_https_alone(resolver: Resolver, location: str) -> None:
    assert isinstance(add_source(location, kind=SourceKind.GIT), str)
    # A source that was added by an earlier version.
    assert look_up_source(Source.objects.create(location=location, kind=SourceKind.GIT, every=24)).trouble
    assert resolver.asked == []


# ---- folders ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def allowed(tmp_path: Path, settings: LazySettings) -> Path:
    """The only folder that may be read."""
    folder = tmp_path / "allowed"
    folder.mkdir()
    settings.ARMYBUILDER = {**settings.ARMYBUILDER, "SOURCE_FOLDERS": [folder.resolve()]}
    return folder


def fill_folder(folder: Path) -> Path:
    folder.mkdir()
    for name, text in game_files(unit()).items():
        (folder / name).write_text(str(text))
    return folder


def test_a_folder_below_a_named_one_is_read(allowed: Path) -> None:
    assert look_up(str(fill_folder(allowed / "ducks"))) == ""


def test_folders_elsewhere_are_for_the_command_line(allowed: Path, tmp_path: Path) -> None:
    outside = fill_folder(tmp_path / "outside")
    (allowed / "link").symlink_to(outside)
    (outside / "ducks.zip").write_bytes(ARCHIVE)
    places = [
        outside,
        allowed / "link",
        allowed / ".." / "outside",
        outside / "ducks.zip",
        allowed / "link" / "ducks.zip",
    ]
    for place in (*map(str, places), f"file://{outside}"):
        refused = add_source(place)
        assert isinstance(refused, str)
        # Nothing reveals whether it exists.
        assert refused == add_source("/no/such/folder")
    call_command("add_source", str(outside), "--look-up", stdout=StringIO())
    assert look_up_source(Source.objects.get()).trouble
    call_command("look_up_sources", "--all", stdout=StringIO())
    assert Source.objects.get().trouble == ""


@pytest.mark.parametrize(
    ("location", "kind"), [("./prod.env", "archive"), ("prod", "folder"), ("/tmp", "feed"), ("/tmp", "git")]
)
def test_what_is_neither_a_path_nor_an_address_is_refused_for_everybody(location: str, kind: str) -> None:
    assert isinstance(add_source(location, kind=kind), str)
    with pytest.raises(CommandError):
        call_command("add_source", location, "--kind", kind)
