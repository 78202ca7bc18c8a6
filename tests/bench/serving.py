"""Run web servers to measure, and a visitor that keeps its connection and cookies."""

import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.client import HTTPConnection, RemoteDisconnected
from http.cookies import SimpleCookie
from pathlib import Path
from urllib.parse import urlencode

from tests.bench.databases import ROOT, environment_of, full_database, manage


class Visitor:
    """A minimal browser: one kept connection, cookies, forms with their CSRF token."""

    def __init__(self, address: tuple[str, int], forwarded_for: str = "") -> None:
        self.forwarded_for = forwarded_for
        self.connection = HTTPConnection(*address, timeout=60)
        self.cookies: dict[str, str] = {}
        self.pause = 0
        """Seconds after which the last answer asks to be asked again."""
        self.tag = ""
        """The ETag of the last answer."""
        self.headers: Mapping[str, str] = {}
        """The headers of the last answer."""
        self.is_cached = False
        """Whether a cache in front of the server gave the last answer."""

    def __del__(self) -> None:
        self.connection.close()

    def get(self, path: str, **headers: str) -> tuple[int, bytes]:
        return self._send("GET", path, None, headers)

    def post(self, path: str, fields: Mapping[str, str], **headers: str) -> tuple[int, bytes]:
        """Send a form. Header names are given with underscores: HX_Request="true"."""
        headers.setdefault("Content_Type", "application/x-www-form-urlencoded")
        headers.setdefault("X_CSRFToken", self.cookies.get("csrftoken", ""))
        return self._send("POST", path, urlencode(fields).encode(), headers)

    def post_json(self, path: str, body: bytes) -> tuple[int, bytes]:
        token = self.cookies.get("csrftoken", "")
        return self._send("POST", path, body, {"Content_Type": "application/json", "X_CSRFToken": token})

    def _send(self, method: str, path: str, body: bytes | None, headers: Mapping[str, str]) -> tuple[int, bytes]:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.forwarded_for:
            named["X-Forwarded-For"] = self.forwarded_for
        if self.cookies:
            named["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        try:
            self.connection.request(method, path, body, named)
            response = self.connection.getresponse()
        except (RemoteDisconnected, ConnectionError):
            # The server closed an idle connection: retry on a new one.
            self.connection.close()
            self.connection.request(method, path, body, named)
            response = self.connection.getresponse()
        content = response.read()
        self.headers = response.headers
        self.pause = int(response.headers.get("Retry-After", 0))
        self.tag = response.headers.get("ETag", "")
        self.is_cached = response.headers.get("Edge-Hits", "0") != "0"
        for header in response.headers.get_all("Set-Cookie") or ():
            self.cookies.update({name: morsel.value for name, morsel in SimpleCookie(header).items()})
        return response.status, content


@contextmanager
def serve(application: str, environment: Mapping[str, str]) -> Iterator[tuple[str, int]]:
    """Run a WSGI application under gunicorn with two workers, as `make run` does, and yield its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        address: tuple[str, int] = probe.getsockname()
    options = ["--workers=2", "--threads=40", "--preload", "--log-level=error", f"--bind={address[0]}:{address[1]}"]
    command = [sys.executable, "-m", "gunicorn", application, "--no-control-socket", *options]
    with subprocess.Popen(command, cwd=ROOT, env={**os.environ, **environment}) as server:
        try:
            _wait_for(address, server)
            yield address
        finally:
            server.terminate()


@contextmanager
def serve_app(*data: Path, collected: bool = False) -> Iterator[tuple[str, int]]:
    """Serve Armybuilder with its packs, example lists and community `data` from a temporary folder, and on demand with
    collected, compressed static files.
    """
    with tempfile.TemporaryDirectory(prefix="armybuilder-bench-") as folder:
        full_database(folder)
        for path in data:
            manage(folder, "import_battlescribe", str(path))
        if collected:
            manage(folder, "collectstatic", "--noinput")
        with serve("armybuilder.wsgi", environment_of(folder)) as address:
            yield address


def _wait_for(address: tuple[str, int], server: "subprocess.Popen[bytes]", seconds: float = 120) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if server.poll() is not None:
            raise RuntimeError(f"The server ended with status {server.returncode} before it answered")
        try:
            socket.create_connection(address, timeout=1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise RuntimeError(f"The server did not answer within {seconds} seconds")
