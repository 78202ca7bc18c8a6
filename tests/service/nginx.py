"""nginx of one's own on 127.0.0.1, with blocks of docs/scale.md."""

import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.bench.databases import ROOT

PROGRAM = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
FIRST_ANSWER = 30
SETTINGS = """
daemon off;
worker_processes 1;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{
    worker_connections 2048;
}}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    {blocks}
}}
"""


def read_block(begin: str) -> str:
    """Return the block of docs/scale.md that begins like this."""
    match = re.search(rf"```nginx\n({re.escape(begin)}.*?)```", (ROOT / "docs/scale.md").read_text(), re.DOTALL)
    assert match, begin
    return match[1]


def write_settings(folder: Path, blocks: str) -> None:
    # Temporary folders of root are closed to the account of nginx.
    user = "" if os.getuid() else "user root;"
    (folder / "nginx.conf").write_text(user + SETTINGS.format(folder=folder, blocks=blocks))


def reload_nginx(folder: Path, blocks: str) -> None:
    """Let nginx use other blocks for new requests, as `nginx -s reload` does."""
    write_settings(folder, blocks)
    os.kill(int((folder / "nginx.pid").read_text()), signal.SIGHUP)


@contextmanager
def serve_nginx(folder: Path, blocks: str) -> Iterator[None]:
    """Run nginx with blocks of `http`, and wait until it listens."""
    assert PROGRAM is not None
    write_settings(folder, blocks)
    server = subprocess.Popen([PROGRAM, "-c", str(folder / "nginx.conf"), "-p", str(folder)])
    try:
        number, end = folder / "nginx.pid", time.monotonic() + FIRST_ANSWER
        while not number.exists() or not number.read_text().strip():
            assert time.monotonic() < end
            time.sleep(0.05)
        yield
    finally:
        server.terminate()
        server.wait()
