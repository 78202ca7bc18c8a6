"""A disposable site on either database: gunicorn and a worker as on a server; on 127.0.0.1 only."""

import json
import os
import resource
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path

import pytest

from tests.bench.databases import FEW_PACKS, ROOT
from tests.bench.serving import Visitor
from tests.migrated_database import find_stored

DATABASE_URL = os.environ.get("DATABASE_URL", "")
FIRST_ANSWER = 180
"""Seconds that a server may take to start on a busy machine."""
PREPARE = f"""
from django.core.management import call_command
call_command("migrate", verbosity=0)
call_command("createcachetable")
call_command("load_packs", "{FEW_PACKS[0]}", verbosity=0)
"""
"""One process, because each start costs as much as what it does."""


class Site:
    """A server and a worker over the database in a folder, or over a new one on the server of DATABASE_URL."""

    def __init__(self, folder: Path, database_url: str = "") -> None:
        self.folder = folder
        self.code = ROOT
        """The folder of the version that runs."""
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.address: tuple[str, int] = probe.getsockname()
        self.environment = {
            **os.environ,
            "ARMYBUILDER_VAR": str(folder),
            "DJANGO_SETTINGS_MODULE": "tests.service.settings",
            "DATABASE_URL": database_url,
            "MALLOC_ARENA_MAX": "2",  # as in the unit
        }
        self.file_limit = 0
        self.processes: list[subprocess.Popen[bytes]] = []

    def manage(self, *command: str) -> str:
        run = [sys.executable, "manage.py", *command]
        done = subprocess.run(run, cwd=self.code, env=self.environment, check=True, capture_output=True, text=True)
        return done.stdout

    def prepare(self) -> None:
        self.manage("shell", "--no-imports", "--command", PREPARE)

    def start(self, *, worker: bool = False, log_level: str = "error") -> None:
        """Start the server, and a worker if requested, each in its own process group."""
        options = ["--workers=2", "--threads=40", "--preload", f"--log-level={log_level}", "--timeout=60"]
        bind = f"--bind={self.address[0]}:{self.address[1]}"
        self._start(sys.executable, "-m", "gunicorn", "armybuilder.wsgi", "--no-control-socket", *options, bind)
        if worker:
            self._start(sys.executable, "manage.py", "db_worker", "--no-reload", "--verbosity=0", "--interval=0.2")
        end = time.monotonic() + FIRST_ANSWER
        while time.monotonic() < end:
            if self.is_answering():
                return
            time.sleep(0.1)
        raise RuntimeError("The server did not answer.")

    def _start(self, *command: str) -> None:
        with (self.folder / "log").open("ab") as log:
            process = subprocess.Popen(
                command,
                cwd=self.code,
                env=self.environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
                preexec_fn=self._limit_files if self.file_limit else None,
            )
        self.processes.append(process)

    def _limit_files(self) -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (self.file_limit, self.file_limit))

    def kill(self) -> None:
        """Kill all processes at once, as a crash or a power cut does."""
        for process in self.processes:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        self.processes.clear()
        # Children of killed processes may still hold the port for a moment.
        end = time.monotonic() + FIRST_ANSWER
        while self.is_answering() and time.monotonic() < end:
            time.sleep(0.05)

    def stop(self) -> None:
        """End all processes after their requests, as systemd does."""
        for process in self.processes:
            process.terminate()
        for process in self.processes:
            process.wait()
        self.processes.clear()

    def is_answering(self) -> bool:
        with suppress(OSError), socket.create_connection(self.address, timeout=1):
            return True
        return False

    def visit(self, forwarded_for: str = "") -> Visitor:
        """Return a new browser; `forwarded_for` is its address in the proxy's header, "" for none."""
        return Visitor(self.address, forwarded_for)

    def run_code(self, code: str) -> object:
        """Run code on the site's database and return its output, read as JSON."""
        return json.loads(self.manage("shell", "--no-imports", "--command", code))


def put_empty_database(config: pytest.Config, file: Path) -> None:
    """Copy a SQLite file with empty tables, because migrating takes much longer than most tests."""
    stored = find_stored(config)
    if stored is not None and stored.exists():
        shutil.copyfile(stored, file)
        return
    environment = {
        **os.environ,
        "DATABASE_URL": f"sqlite:///{file}",
        "DJANGO_SETTINGS_MODULE": "tests.service.settings",
    }
    subprocess.run([sys.executable, "manage.py", "migrate", "--verbosity=0"], cwd=ROOT, env=environment, check=True)


@contextmanager
def open_site(folder: Path, config: pytest.Config | None = None, database_url: str = "") -> Iterator[Site]:
    """Yield a site with a few packs, and remove it afterwards. With `config` it need not be migrated.

    Its database is new, or the empty one at `database_url`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with nullcontext(database_url) if database_url else make_database() as database_url:
        site = Site(folder, database_url)
        try:
            if config is not None and not database_url:
                put_empty_database(config, folder / "armybuilder.sqlite3")
            site.prepare()
            yield site
        finally:
            site.kill()


@contextmanager
def make_database() -> Iterator[str]:
    """Create an empty database on the server of DATABASE_URL and return its address; "" for SQLite."""
    if not DATABASE_URL:
        yield ""
        return
    import psycopg

    name = f"site_{os.getpid()}_{time.monotonic_ns()}"
    with psycopg.connect(DATABASE_URL, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
        try:
            yield f"{DATABASE_URL.rsplit('/', 1)[0]}/{name}"
        finally:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")
