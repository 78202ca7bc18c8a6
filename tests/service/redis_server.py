"""Redis or Valkey of one's own on 127.0.0.1, which keeps nothing on disk."""

import shutil
import socket
import subprocess
import time
from pathlib import Path

PROGRAM = shutil.which("redis-server") or shutil.which("valkey-server")
FIRST_ANSWER = 20


def serve_redis(port: int, folder: Path) -> "subprocess.Popen[bytes]":
    """Start a server, and wait until it answers. The caller ends it."""
    assert PROGRAM is not None
    command = [PROGRAM, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", str(folder)]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    end = time.monotonic() + FIRST_ANSWER
    while time.monotonic() < end:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.02)
        else:
            return server
    raise RuntimeError("Redis did not answer.")
