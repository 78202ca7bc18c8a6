"""docs/self-hosting.md, followed word by word, ends with a running site."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path

import pytest
import yaml
from django.conf import settings

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "docs" / "deploy"
DOCUMENT = ROOT / "docs" / "self-hosting.md"
BLOCK = re.compile(r"^```(\w+)(?: (\w+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LEFT_OUT = {"root", "packages", "asks"}
"""What needs root, the packages that the tests run with already, and what waits for somebody to type."""

HOME, HOST, PORT = "/srv/armybuilder", "lists.example.org", "8000"
APP = f"{HOME}/app/"
SECONDS = 600


def blocks() -> list[tuple[str, str]]:
    """The commands of the document, each with its mark."""
    found = BLOCK.findall(DOCUMENT.read_text(encoding="utf-8"))
    return [(mark, text) for language, mark, text in found if language == "sh"]


def script(home: Path, port: int) -> str:
    """All commands in order, with a folder and a port of the test's own; the server goes on in the background."""
    parts = ["set -eu"]
    for mark, text in blocks():
        if mark in LEFT_OUT:
            continue
        commands = text.replace(HOME, str(home)).replace(f"127.0.0.1:{PORT}", f"127.0.0.1:{port}").rstrip()
        if mark == "serve":
            listening = f"(exec 3<>/dev/tcp/127.0.0.1/{port}) 2>/dev/null"
            waiting = f"until {listening}; do kill -0 $(cat {home}/pid); sleep 0.2; done"
            commands = f"{commands} &\necho $! > {home}/pid\n{waiting}"
        parts.append(commands)
    return "\n".join(parts)


def clone(home: Path) -> None:
    """A checkout that has the packages of these tests."""
    app = home / "app"
    app.mkdir()
    for path in ROOT.iterdir():
        if path.name not in {".venv", ".git", "var"}:
            (app / path.name).symlink_to(path)
    (app / ".venv").symlink_to(Path(sys.executable).parent.parent)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The port of a site that was set up and started by the commands of the document."""
    home = tmp_path_factory.mktemp("hosting")
    clone(home)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    log = home / "log"
    try:
        with log.open("wb") as output:
            environment = {"PATH": os.environ["PATH"], "HOME": str(home)}
            done = subprocess.run(
                ["bash", "-c", script(home, port)],
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                timeout=SECONDS,
                check=False,
            )
        assert done.returncode == 0, log.read_text(encoding="utf-8")[-3000:]
        yield port
    finally:
        stop(home / "pid")


def stop(noted: Path) -> None:
    if not noted.exists():
        return
    pid = int(noted.read_text())
    for _ in range(100):
        try:
            os.kill(pid, signal.SIGTERM)
        except ProcessLookupError:
            return
        time.sleep(0.1)
    os.kill(pid, signal.SIGKILL)


def ask(port: int, address: str) -> tuple[int, bytes]:
    """What the proxy would be answered."""
    with closing(HTTPConnection("127.0.0.1", port, timeout=60)) as connection:
        connection.request("GET", address, headers={"Host": HOST, "X-Forwarded-Proto": "https"})
        answer = connection.getresponse()
        return answer.status, answer.read()


def test_each_mark_is_known() -> None:
    marks = [mark for mark, _ in blocks()]
    assert set(marks) == LEFT_OUT | {"", "serve"}
    assert marks.count("serve") == 1


def test_units_run_what_the_document_says() -> None:
    serving = next(text for mark, text in blocks() if mark == "serve").strip()
    daily = [line for mark, text in blocks() if mark == "" for line in text.splitlines() if "manage.py" in line]
    started: dict[str, list[str]] = {}
    for unit in DEPLOY.glob("*.service"):
        lines = unit.read_text(encoding="utf-8").splitlines()
        assert lines[0] == f"# /etc/systemd/system/{unit.name}"
        started[unit.stem] = [
            line.split("=", 1)[1].removeprefix(APP) for line in lines if line.startswith("ExecStart=")
        ]
        assert f"EnvironmentFile={HOME}/environment" in lines
    assert started["armybuilder"] == [serving]
    assert len(started["armybuilder-daily"]) == 5
    assert set(started["armybuilder-daily"]) <= set(daily)
    assert "db_worker" in started["armybuilder-worker"][0]


def test_containers_do_what_the_document_says() -> None:
    services = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))["services"]
    assert {"database", "prepare", "web", "worker"} == set(services)
    for command in ("migrate", "createcachetable", "load_packs", "load_examples", "collectstatic --noinput --clear"):
        assert f"manage.py {command}" in services["prepare"]["command"]
        assert any(f"manage.py {command}" in text for _, text in blocks())
    for path in re.findall(r"docs/[\w./-]+(?![\w./*-])", DOCUMENT.read_text(encoding="utf-8")):
        assert (ROOT / path.rstrip(".")).exists(), path


def test_proxies_let_as_much_through_as_the_site_admits() -> None:
    limits = settings.ARMYBUILDER
    for file in ("nginx.conf", "Caddyfile"):
        text = (DEPLOY / file).read_text(encoding="utf-8")
        for path, size in limits["MAX_BODY_BYTES_AT"].items():
            assert path in text
            # A form is a little larger than the file in it.
            assert re.search(rf"\b{size // 1024**2 + 1}(m|MB)\b", text), (file, path)


@pytest.mark.complete
def test_the_site_runs(site: int) -> None:
    # Backed up and restored while it ran.
    for address in ("/readyz", "/", "/games/", "/games/reeds-and-rust/", "/lists/", "/accounts/login/"):
        assert ask(site, address)[0] == 200
    _, page = ask(site, "/")
    styles = re.findall(rb'href="(/static/[^"]+\.css)"', page)
    assert styles
    for style in styles:
        assert ask(site, style.decode())[0] == 200
