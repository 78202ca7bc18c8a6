"""Varnish of one's own on 127.0.0.1, with docs/deploy/edge.vcl."""

import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.bench.databases import ROOT
from tests.service.postgres_servers import choose_port
from tests.service.site import FIRST_ANSWER

PROGRAM = shutil.which("varnishd") or shutil.which("varnishd", path="/usr/sbin")
HAS_KEYS = any(any(Path("/usr/lib").glob(f"{folder}varnish/vmods/libvmod_xkey.so")) for folder in ("", "*/"))
"""Whether the module for surrogate keys is installed."""
SHOW_HITS = """
sub vcl_deliver {
    set resp.http.Edge-Hits = obj.hits;
}
"""


@contextmanager
def serve_varnish(folder: Path, behind: int, purged_at: int) -> Iterator[int]:
    """Run Varnish in front of a port, with another for purges; yield the port for readers."""
    assert PROGRAM is not None
    port = choose_port()
    rules = (ROOT / "docs/deploy/edge.vcl").read_text()
    assert '.port = "8000";' in rules
    (folder / "edge.vcl").write_text(rules.replace('.port = "8000";', f'.port = "{behind}";') + SHOW_HITS)
    sockets = ["-a", f"edge=127.0.0.1:{port}", "-a", f"purge=127.0.0.1:{purged_at}", "-T", "none"]
    command = [PROGRAM, "-F", "-j", "none", "-n", str(folder / "work"), "-f", str(folder / "edge.vcl"), *sockets]
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen([*command, "-s", "malloc,16m"], stdout=log, stderr=log)
    try:
        end = time.monotonic() + FIRST_ANSWER
        while b"Child launched OK" not in (folder / "log").read_bytes():
            assert server.poll() is None, (folder / "log").read_text()[-2000:]
            assert time.monotonic() < end
            time.sleep(0.05)
        yield port
    finally:
        server.terminate()
        server.wait()
