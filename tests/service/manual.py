"""Extract the commands of docs/self-hosting.md.

`.ci/fresh` runs them in a bare Debian: `python3 -m tests.service.manual PORT` prints them, using only the standard
library.
"""

import re
import sys
from collections.abc import Collection
from pathlib import Path

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "self-hosting.md"
BLOCK = re.compile(r"^```(\w+)(?: (\w+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
HOME, PORT = "/srv/armybuilder", 8000

NOT_TYPED = {"systemd", "proxy", "asks", "postgres", "upgrade", "back", "codeback", "containers"}
"""Marks of blocks that need systemd, containers, a certificate, user input, a PostgreSQL server, or a newer commit."""


def read_blocks() -> list[tuple[str, str]]:
    found = BLOCK.findall(DOCUMENT.read_text(encoding="utf-8"))
    return [(mark, text) for language, mark, text in found if language == "sh"]


def write_script(left_out: Collection[str], port: int, home: str = HOME) -> str:
    """Return all commands in order, stopping at the first failure; the server runs in the background."""
    parts = ["set -eu"]
    for mark, text in read_blocks():
        if mark in left_out:
            continue
        commands = text.replace(HOME, home).replace(f"127.0.0.1:{PORT}", f"127.0.0.1:{port}").rstrip()
        if mark == "serve":
            listening = f"(exec 3<>/dev/tcp/127.0.0.1/{port}) 2>/dev/null"
            waiting = f"until {listening}; do kill -0 $(cat {home}/pid); sleep 0.2; done"
            commands = f"{commands} &\necho $! > {home}/pid\n{waiting}"
        if commands.splitlines()[-1].startswith("su - "):
            commands += "\nset -eu"  # later commands are typed into the shell that this opens
        parts.append(commands)
    return "\n".join(parts)


if __name__ == "__main__":
    sys.stdout.write(f"{write_script(NOT_TYPED, int(sys.argv[1]))}\nkill $(cat {HOME}/pid)\n")
