"""Object storage of one's own: moto's server, in a process of its own on 127.0.0.1."""

import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.error import URLError
from urllib.request import Request, urlopen

BUCKET = "lists"
SERVE = """
import sys
from moto.server import main
main(["--host", "127.0.0.1", "--port", sys.argv[1]])
"""
FIRST_ANSWER = 60


class Bucket:
    """A bucket on a server that tests may stop."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.endpoint = f"http://127.0.0.1:{port}"
        command = [sys.executable, "-c", SERVE, str(port)]
        self.server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    @property
    def environment(self) -> dict[str, str]:
        return {
            "S3_BUCKET": BUCKET,
            "S3_ENDPOINT": self.endpoint,
            "S3_REGION": "us-east-1",
            "S3_ACCESS_KEY": "key",
            "S3_SECRET_KEY": "secret",
        }

    @property
    def options(self) -> dict[str, str]:
        """The options of Django's setting `STORAGES` for this bucket."""
        return {
            "bucket_name": BUCKET,
            "endpoint_url": self.endpoint,
            "region_name": "us-east-1",
            "access_key": "key",
            "secret_key": "secret",
            "addressing_style": "path",
        }

    def create(self) -> None:
        end = time.monotonic() + FIRST_ANSWER
        while time.monotonic() < end:
            try:
                urlopen(Request(f"{self.endpoint}/{BUCKET}", method="PUT"), timeout=5).close()
            except (URLError, OSError):
                time.sleep(0.1)
            else:
                return
        raise RuntimeError("The object storage did not answer.")

    def hang(self) -> None:
        """Take connections without an answer, until `go_on`."""
        self.server.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        self.server.send_signal(signal.SIGCONT)

    def stop(self) -> None:
        self.server.kill()
        self.server.wait()


@contextmanager
def serve_bucket() -> Iterator[Bucket]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    bucket = Bucket(port)
    try:
        bucket.create()
        yield bucket
    finally:
        bucket.stop()
