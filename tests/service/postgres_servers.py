"""PostgreSQL servers of one's own on 127.0.0.1: a primary, a replica that follows it, and pgbouncer."""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg

ACCOUNT = "postgres"
"""The server and pgbouncer do not run as root; Debian's package has this account."""
PROGRAMS = Path("/usr/lib/postgresql")
FIRST_ANSWER = 30


def find_programs() -> Path | None:
    versions = sorted(PROGRAMS.glob("*/bin"), key=lambda path: int(path.parent.name))
    return versions[-1] if versions else None


def find_pgbouncer() -> str | None:
    return shutil.which("pgbouncer") or shutil.which("pgbouncer", path="/usr/sbin")


def choose_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def run_unprivileged(folder: Path, *command: str) -> None:
    words = ["runuser", "-u", ACCOUNT, "--", *command] if os.getuid() == 0 else list(command)
    with (folder / "log").open("ab") as log:
        run = subprocess.run(words, cwd=folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log, check=False)
    assert run.returncode == 0, (folder / "log").read_text()[-2000:]


class Server:
    def __init__(self, folder: Path) -> None:
        self.folder, self.data = folder, folder / "data"
        folder.mkdir()
        if os.getuid() == 0:
            shutil.chown(folder, ACCOUNT)
        self.port = choose_port()
        programs = find_programs()
        assert programs is not None
        self.programs = programs

    @property
    def url(self) -> str:
        return f"postgres://{ACCOUNT}@127.0.0.1:{self.port}/postgres"

    def run(self, program: str, *options: str) -> None:
        run_unprivileged(self.folder, str(self.programs / program), *options)

    def create(self) -> None:
        self.run("initdb", "--pgdata", str(self.data), "--username", ACCOUNT, "--auth", "trust", "--no-sync")

    def copy(self, primary: "Server") -> None:
        """Become a replica, which follows the primary from its start on."""
        source = f"host=127.0.0.1 port={primary.port} user={ACCOUNT}"
        options = ["--checkpoint=fast", "--wal-method=stream", "--write-recovery-conf", "--no-sync"]
        self.run("pg_basebackup", "--pgdata", str(self.data), "--dbname", source, *options)

    def start(self) -> None:
        # Two nodes of two workers have 160 threads, and each thread keeps a connection.
        options = f"-c listen_addresses=127.0.0.1 -c port={self.port} -c fsync=off -c max_connections=200"
        options += f" -k {self.folder}"
        self.run("pg_ctl", "start", "--wait", "--pgdata", str(self.data), "--options", options)

    def kill(self) -> None:
        """Stop at once, as a crash does."""
        if (self.data / "postmaster.pid").exists():
            self.run("pg_ctl", "stop", "--mode", "immediate", "--pgdata", str(self.data))

    def promote(self) -> None:
        self.run("pg_ctl", "promote", "--wait", "--pgdata", str(self.data))

    def ask(self, question: str) -> Any:
        with psycopg.connect(self.url, autocommit=True) as connection:
            row = connection.execute(question).fetchone()
            return row[0] if row else None

    def wait_for(self, primary: "Server") -> None:
        """Wait until this replica has replayed all that the primary has written."""
        position = primary.ask("SELECT pg_current_wal_lsn()")
        end = time.monotonic() + FIRST_ANSWER
        while not self.ask(f"SELECT pg_last_wal_replay_lsn() >= '{position}'"):
            assert time.monotonic() < end
            time.sleep(0.05)


@contextmanager
def serve_primary_and_replica(disk: Path | None = None) -> Iterator[tuple[Server, Server]]:
    """Run both servers. All that the primary writes is in `disk`, if it has one of its own."""
    with tempfile.TemporaryDirectory(prefix="armybuilder-postgres-") as name:
        folder = Path(name)
        # pytest keeps its folders from other accounts, also from that of the servers.
        folder.chmod(0o755)
        primary, replica = Server((disk or folder) / "primary"), Server(folder / "replica")
        try:
            primary.create()
            primary.start()
            replica.copy(primary)
            replica.start()
            yield primary, replica
        finally:
            replica.kill()
            primary.kill()


@contextmanager
def serve_pgbouncer(server: Server) -> Iterator[str]:
    """Pool a server's connections, one transaction at a time; yield the address of the pool."""
    program = find_pgbouncer()
    assert program is not None
    port = choose_port()
    pool = server.folder / "pgbouncer.ini"
    pool.write_text(
        f"[databases]\npostgres = host=127.0.0.1 port={server.port} user={ACCOUNT}\n"
        f"[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\nunix_socket_dir =\nauth_type = any\n"
        f"pool_mode = transaction\ndefault_pool_size = 3\nmax_client_conn = 200\n"
        f"pidfile = {server.folder}/pgbouncer.pid\nlogfile = {server.folder}/pgbouncer.log\n"
    )
    run_unprivileged(server.folder, program, "--daemon", str(pool))
    try:
        yield f"postgres://{ACCOUNT}@127.0.0.1:{port}/postgres"
    finally:
        os.kill(int((server.folder / "pgbouncer.pid").read_text()), signal.SIGTERM)
