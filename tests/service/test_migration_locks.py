"""Migrations do not lock a large table of a site that serves, and give way to those who use it."""

import threading
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, connections, transaction

from catalogue.management.commands import migrate
from roster.models import Roster
from tests.bench.databases import ROOT

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one lock, which is held briefly"),
]
APPS = ["catalogue", "roster", "play", "events", "club"]
STYLE = ["RUNPYTHON_ARGS_NAMING_CONVENTION", "RUNPYTHON_MODEL_VARIABLE_NAME"]
"""Checks of names, which lock nothing."""
RELEASED = {
    "catalogue": {"0003", "0008", "0009", "0012", "0014", "0017"},
    "events": {"0002", "0006"},
    "play": {"0002"},
    "roster": {"0003", "0004", "0005", "0007", "0008", "0009", "0010", "0011", "0014", "0020", "0022"},
}
"""Migrations up to 0.2.0 that lock a table while they read it, or that older code cannot work with. Add none."""

OF_NEW_TABLES = {"club": {"0002", "0004"}}
"""Migrations that add indexes to tables which they create, and which nobody uses yet. The linter cannot tell."""


@pytest.mark.complete
@pytest.mark.slow
def test_no_new_migration_locks_a_table_or_breaks_the_version_before(transactional_db: None) -> None:
    linting = pytest.importorskip("django_migration_linter", reason="packages of .ci/requirements-dev.txt are missing")
    linter = linting.MigrationLinter(
        str(ROOT), no_cache=True, database="default", exclude_migration_tests=STYLE, ignore_initial_migrations=True
    )
    migrations = linter.migration_loader.disk_migrations
    for app, name in sorted(migrations):
        known = RELEASED.get(app, set()) | OF_NEW_TABLES.get(app, set())
        if app in APPS and name.split("_")[0] not in known:
            linter.lint_migration(migrations[app, name])
    assert linter.nb_valid > 30
    assert linter.nb_erroneous + linter.nb_warnings == 0, "the output names them"


def hold_table(held: threading.Event, release: threading.Event) -> None:
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("LOCK TABLE roster_roster IN ACCESS SHARE MODE")
            held.set()
            release.wait(30)
    finally:
        connections.close_all()


@pytest.fixture
def reader(transactional_db: None) -> Any:
    """Somebody who reads lists for as long as the test wants."""
    held, release = threading.Event(), threading.Event()
    thread = threading.Thread(target=hold_table, args=(held, release))
    thread.start()
    assert held.wait(10)
    yield release
    release.set()
    thread.join()


class AskForTable:
    """Stands for a migration that changes a table, and notes how often it was tried."""

    def __init__(self) -> None:
        self.tries = 0

    def __call__(self, *args: Any, **options: Any) -> None:
        self.tries += 1
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("LOCK TABLE roster_roster IN ACCESS EXCLUSIVE MODE")


@pytest.fixture
def asking(monkeypatch: pytest.MonkeyPatch, settings: Any) -> AskForTable:
    settings.MIGRATION_LOCK_SECONDS = 1
    asking = AskForTable()
    monkeypatch.setattr(migrate.migrate.Command, "handle", lambda _, *args, **options: asking(*args, **options))
    monkeypatch.setattr(migrate, "PAUSE", 0)
    monkeypatch.setattr(migrate, "TRIES", 3)
    return asking


def test_a_migration_gives_way_and_tries_again(reader: threading.Event, asking: AskForTable) -> None:
    threading.Timer(1.5, reader.set).start()
    call_command("migrate", verbosity=0)
    assert asking.tries == 2
    # The wait of other work is not shortened.
    with connection.cursor() as cursor:
        cursor.execute("SHOW lock_timeout")
        assert cursor.fetchone() == ("0",)


def test_a_table_that_is_never_free_is_named_with_advice(reader: threading.Event, asking: AskForTable) -> None:
    with pytest.raises(CommandError, match="MIGRATION_LOCK_SECONDS"):
        call_command("migrate", verbosity=0)
    assert asking.tries == 3
    assert Roster.objects.count() == 0
