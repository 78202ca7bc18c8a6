"""The same behaviour on PostgreSQL: the tests that lean on the database most, on a server of their own."""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.postgres

VERSIONS = Path("/usr/lib/postgresql")
"""Where Debian keeps the server's programs, a folder for each version."""
ACCOUNT = "postgres"
"""The account of Debian's package; as root the server does not run."""
LEANING = (
    "tests/catalogue/test_models.py",
    "tests/catalogue/test_services_finding.py",
    "tests/catalogue/test_services_importing.py",
    "tests/catalogue/test_services_install.py",
    "tests/catalogue/test_services_rows.py",
    "tests/catalogue/test_views_search.py",
    "tests/roster/test_access_matrix.py::test_nothing_fails_for_the_owner",
    "tests/roster/test_accounts.py",
    "tests/roster/test_backups.py",
    "tests/roster/test_examples.py",
    "tests/roster/test_services_edits.py",
    "tests/roster/test_services_exchange.py",
    "tests/roster/test_services_moving.py",
    "tests/roster/test_services_rosters.py",
    "tests/roster/test_views_edits.py",
    "tests/roster/test_views_history.py",
    "tests/roster/test_views_many_lists.py",
    "tests/roster/test_views_mission_decks.py",
    "tests/roster/test_views_publishing.py",
    "tests/roster/test_views_sharing.py",
)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """DATABASE_URL of a fresh server on this machine; it is stopped and removed afterwards."""
    folders = sorted(VERSIONS.glob("*/bin"), key=lambda folder: float(folder.parent.name))
    if not folders:
        pytest.skip("PostgreSQL's server is not installed: make test installs it")
    programs = folders[-1]
    root = os.geteuid() == 0
    place = Path(tempfile.mkdtemp(prefix="armybuilder-postgres-"))
    if root:
        shutil.chown(place, ACCOUNT)
    data, port = place / "data", _free_port()

    def run(program: str, *arguments: str) -> None:
        account = ["runuser", "-u", ACCOUNT, "--"] if root else []
        # The server inherits what it is started with: pipes that it kept open would never come to an end.
        with (place / "log").open("a") as log:
            done = subprocess.run(
                [*account, str(programs / program), *arguments],
                stdout=log,
                stderr=log,
                cwd=place,
                check=False,
            )
        assert done.returncode == 0, (place / "log").read_text()

    try:
        run("initdb", "--pgdata", str(data), "--username", ACCOUNT, "--auth", "trust", "--no-sync")
        settings = f"-c listen_addresses=127.0.0.1 -c port={port} -c fsync=off -k {place}"
        run("pg_ctl", "start", "--wait", "--pgdata", str(data), "--options", settings)
        yield f"postgres://{ACCOUNT}@127.0.0.1:{port}/postgres"
    finally:
        if (data / "postmaster.pid").exists():
            run("pg_ctl", "stop", "--mode", "immediate", "--pgdata", str(data))
        shutil.rmtree(place)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def test_what_leans_on_the_database_holds_on_postgresql(address: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-n0", "-p", "no:cacheprovider", *LEANING],
        env={**os.environ, "DATABASE_URL": address},
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
