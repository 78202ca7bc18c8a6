"""docs/self-hosting.md, followed literally, results in a running site."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator
from contextlib import closing, suppress
from http.client import HTTPConnection
from pathlib import Path

import pytest
from django.conf import settings

from tests.plain_yaml import load_yaml_file
from tests.roster.addresses import named
from tests.service.manual import DOCUMENT, HOME, NOT_TYPED, read_blocks, write_script
from tests.service.site import DATABASE_URL, make_database

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "docs" / "deploy"
LEFT_OUT = NOT_TYPED | {"root"}
"""Only `make fresh` runs what needs root. Other tests cover the move to PostgreSQL (below) and the upgrade
(test_upgrade_command.py).
"""

HOST = "lists.example.org"
APP = f"{HOME}/app/"
SECONDS = 1400
"""Less than the timeout of tests, so that a failure shows how far it got."""


def find_debians_python() -> str:
    """Return the folder of the system's Python if it is supported, else of these tests' Python."""
    admitted = "import ensurepip, sys; sys.exit(sys.version_info < (3, 11))"
    with suppress(FileNotFoundError):
        if subprocess.run(["/usr/bin/python3", "-c", admitted], stderr=subprocess.DEVNULL, check=False).returncode == 0:
            return "/usr/bin"
    return f"{sys.base_prefix}/bin"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, int]]:
    """The folder and the port of a site installed, set up and started by the document's commands."""
    home = tmp_path_factory.mktemp("hosting")
    app = home / "app"
    app.mkdir()
    for path in ROOT.iterdir():
        if path.name not in {".venv", ".git", "var"}:
            (app / path.name).symlink_to(path)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    # Keep the machine's settings for packages, and its package cache.
    environment = {name: value for name, value in os.environ.items() if re.match(r"PIP_|.*_proxy$", name)}
    environment.setdefault("PIP_CACHE_DIR", str(Path.home() / ".cache" / "pip"))
    environment |= {"PATH": f"{find_debians_python()}:{os.environ['PATH']}", "HOME": str(home)}
    log = home / "log"
    try:
        with log.open("wb") as output:
            done = subprocess.run(
                ["bash", "-c", write_script(LEFT_OUT, port, str(home))],
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                timeout=SECONDS,
                check=False,
            )
        assert done.returncode == 0, log.read_text(encoding="utf-8")[-3000:]
        yield home, port
    finally:
        stop(home / "pid")
        shutil.rmtree(app / ".venv", ignore_errors=True)


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
    """Return the answer to a request by the proxy."""
    with closing(HTTPConnection("127.0.0.1", port, timeout=60)) as connection:
        connection.request("GET", address, headers={"Host": HOST, "X-Forwarded-Proto": "https"})
        answer = connection.getresponse()
        return answer.status, answer.read()


def test_each_mark_is_known() -> None:
    marks = [mark for mark, _ in read_blocks()]
    assert set(marks) == LEFT_OUT | {"", "packages", "serve"}
    assert marks.count("serve") == 1


def test_units_run_what_the_document_says() -> None:
    serving = next(text for mark, text in read_blocks() if mark == "serve").strip()
    typed = [line for mark, text in read_blocks() if mark == "" for line in text.splitlines() if "manage.py" in line]
    started: dict[str, list[str]] = {}
    for unit in DEPLOY.glob("*.service"):
        lines = unit.read_text(encoding="utf-8").splitlines()
        assert lines[0] == f"# /etc/systemd/system/{unit.name}"
        started[unit.stem] = [
            line.split("=", 1)[1].removeprefix(APP) for line in lines if line.startswith("ExecStart=")
        ]
        assert f"EnvironmentFile={HOME}/environment" in lines
    assert started["armybuilder"] == [serving]
    assert len(started["armybuilder-daily"]) == 1
    assert set(started["armybuilder-daily"]) | set(started["armybuilder-mail"]) <= set(typed)
    assert "db_worker" in started["armybuilder-worker"][0]


@pytest.mark.parametrize(
    "file", [DOCUMENT, ROOT / "Makefile", DEPLOY / "armybuilder.service", DEPLOY / "Containerfile"]
)
def test_no_server_opens_a_control_socket(file: Path) -> None:
    # The socket would be below HOME: the unit may not write there, and two sites of one user would share it.
    assert file.read_text(encoding="utf-8").count("--no-control-socket") == 1


def test_containers_do_what_the_document_says() -> None:
    services = load_yaml_file(DEPLOY / "compose.yaml")["services"]
    assert {"database", "prepare", "web", "worker", "daily", "mail", "proxy"} == set(services)
    for name in ("daily", "mail"):
        unit = (DEPLOY / f"armybuilder-{name}.service").read_text(encoding="utf-8")
        commands = re.findall(r"^ExecStart=\S+/python (manage\.py .*)$", unit, re.MULTILINE)
        assert commands
        assert [one for one in commands if f"python {one};" not in services[name]["command"]] == []
    serving = next(text for mark, text in read_blocks() if mark == "serve").split()[1:]
    image = (DEPLOY / "Containerfile").read_text(encoding="utf-8")
    assert set(json.loads(image[image.index('CMD ["gunicorn') + 4 :])) - set(serving) == {"gunicorn", "0.0.0.0:8000"}
    for command in ("migrate", "createcachetable", "load_packs", "load_examples", "collectstatic --noinput --clear"):
        assert f"manage.py {command}" in services["prepare"]["command"]
        assert any(f"manage.py {command}" in text for _, text in read_blocks())
    for path in re.findall(r"docs/[\w./-]+(?![\w./*-])", DOCUMENT.read_text(encoding="utf-8")):
        assert (ROOT / path.rstrip(".")).exists(), path


def test_containers_publish_the_proxy_alone_and_to_this_machine_unless_told_otherwise() -> None:
    compose = load_yaml_file(DEPLOY / "compose.yaml")
    services = compose["services"]
    assert {name for name, service in services.items() if "ports" in service} == {"proxy"}
    assert all(port.startswith("${LISTEN:-127.0.0.1}:") for port in services["proxy"]["ports"])
    assert compose["networks"]["database"] == {"internal": True}
    assert services["database"]["networks"] == ["database"]
    assert "database" not in services["proxy"].get("networks", [])


def test_containers_of_several_machines_have_what_one_machine_has() -> None:
    several = load_yaml_file(DEPLOY / "compose.several.yaml")["services"]
    one = load_yaml_file(DEPLOY / "compose.yaml")["services"]
    roles = {name: service["profiles"] for name, service in several.items()}
    assert {role for named in roles.values() for role in named} == {
        "prepare",
        "web",
        "worker",
        "timers",
        "proxy",
        "data",
    }
    # Each step of one machine's services is one of some role, and each service is closed as that of one machine.
    assert several["daily"]["command"] == one["daily"]["command"]
    assert several["mail"]["command"] == one["mail"]["command"]
    steps = f"{several['prepare']['command']} && {several['files']['command']}"
    assert set(re.findall(r"manage\.py \w+", steps)) == set(re.findall(r"manage\.py \w+", one["prepare"]["command"]))
    assert several["web"]["healthcheck"] == one["web"]["healthcheck"]
    for name in ("prepare", "files", "web", "worker", "daily", "mail"):
        assert several[name]["environment"]["MACHINES"] == "several"
        assert several[name]["build"]["args"] == {"OBJECT_STORAGE": "on"}
        for part in ("read_only", "cap_drop", "security_opt", "tmpfs"):
            assert several[name][part] == one["web"][part]
    # Only the proxy is open to everybody, and no password has a default.
    public = {
        name for name, service in several.items() if not all("LISTEN" in port for port in service.get("ports", ()))
    }
    assert public == {"proxy"}
    assert ":-" not in (DEPLOY / "compose.several.yaml").read_text(encoding="utf-8").replace("${QUEUES:-", "")
    queues = several["worker"]["command"].split("${QUEUES:-")[1].rstrip("}").split(",")
    assert sorted(queues) == sorted(settings.TASKS["default"]["QUEUES"])


def test_the_image_has_what_the_wheel_has() -> None:
    build = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"]
    wheel = build["targets"]["wheel"]
    ignored = (DEPLOY / "Containerfile.dockerignore").read_text(encoding="utf-8").splitlines()
    assert "*" in ignored
    copied = {line.removeprefix("!") for line in ignored if line.startswith("!")}
    assert {*wheel["packages"], *wheel["force-include"], "manage.py"} <= copied
    assert not copied & {".git", ".venv", "var", "tests"}
    for path in copied:
        assert (ROOT / path).exists(), path


def test_image_and_document_install_the_same_system_packages() -> None:
    document = next(text for mark, text in read_blocks() if mark == "root")
    [named] = re.findall(r"install --yes --no-install-recommends ((?:[\w.-]+(?: \\\n)? *)+)$", document, re.MULTILINE)
    packages = set(named.replace("\\", "").split()) - {"adduser", "ca-certificates", "git", "nginx"}
    image = (DEPLOY / "Containerfile").read_text(encoding="utf-8").split()
    assert "python3" in packages
    assert packages <= set(image)


def test_a_devcontainer_sets_up_what_make_test_needs() -> None:
    described = json.loads((ROOT / ".devcontainer" / "devcontainer.json").read_text(encoding="utf-8"))
    assert "make test ARGS=--version" in described["onCreateCommand"]
    assert 8000 in described["forwardPorts"]


def test_proxies_let_as_much_through_as_the_site_admits() -> None:
    sizes = settings.ARMYBUILDER["MAX_BODY_BYTES_AT"]
    assert sizes
    for file in ("nginx.conf", "Caddyfile"):
        text = (DEPLOY / file).read_text(encoding="utf-8")
        for name, size in sizes.items():
            assert re.sub("(1/)+$", "", named(name)) in text
            assert re.search(rf"\b{size // 1024**2}(m|MB)\b", text), (file, name)


@pytest.mark.complete
def test_the_site_runs(site: tuple[Path, int]) -> None:
    _, port = site
    # Backed up and restored while it ran.
    for address in ("/readyz", "/", "/games/", "/games/reeds-and-rust/", "/lists/", "/accounts/login/"):
        assert ask(port, address)[0] == 200
    _, page = ask(port, "/")
    styles = re.findall(rb'href="(/static/[^"]+\.css)"', page)
    assert styles
    for style in styles:
        assert ask(port, style.decode())[0] == 200


@pytest.mark.complete
@pytest.mark.postgres
@pytest.mark.skipif(not DATABASE_URL, reason="DATABASE_URL names no PostgreSQL")
def test_the_site_moves_to_postgresql(site: tuple[Path, int]) -> None:
    home, _ = site
    [commands] = [text.replace(HOME, str(home)) for mark, text in read_blocks() if mark == "postgres"]
    code = "from roster.models import RosterRevision; print(RosterRevision.objects.count())"
    count = f".venv/bin/python manage.py shell --no-imports --command '{code}'"
    with make_database() as postgres:
        [address] = re.findall(r"postgres://\S+", commands)
        moving = commands.replace(address, postgres)
        printed = subprocess.run(
            ["sh", "-c", f"set -eua; . {home}/environment; {moving}{count}; DATABASE_URL={postgres} {count}"],
            env={"PATH": os.environ["PATH"], "HOME": str(home)},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
    before, after = map(int, printed.split()[-2:])
    assert before == after > 0
