"""Copy the whole database into another one, SQLite or PostgreSQL, and back."""

import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import connection

from catalogue.models import Job
from roster.events.models import Event, Participant
from roster.models import Roster
from roster.services import site_copy
from roster.services.site_copy import CopiedTable, CopyError, copy_database
from tests.bench.databases import ROOT
from tests.extent import COMPLETE
from tests.service.content import fill_site
from tests.service.site import DATABASE_URL, make_database, put_empty_database

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgres, pytest.mark.slow]


def name_file(path: Path) -> str:
    return f"sqlite:///{path}"


def manage(database_url: str, *command: str) -> str:
    run = subprocess.run(
        [sys.executable, "manage.py", *command],
        cwd=ROOT,
        env={**os.environ, "DATABASE_URL": database_url, "DJANGO_SETTINGS_MODULE": "armybuilder.settings.test"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr[-2000:]
    return run.stdout


def read_file(path: Path) -> dict[str, list[Any]]:
    """Return the rows of all tables of a SQLite file, with key counters, but without migrations."""
    with closing(sqlite3.connect(path)) as opened:
        tables = [name for (name,) in opened.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        rows = {
            table: sorted(opened.execute(f"SELECT * FROM {table}"), key=repr)
            for table in tables
            if table != "django_migrations"
        }
    return rows | {"sqlite_sequence": [(table, last) for table, last in rows["sqlite_sequence"] if last]}


def read_server(cursor: Any) -> dict[str, list[str]]:
    """Return the rows of all tables of a PostgreSQL database in its own notation, and its key counters."""
    cursor.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'django_migrations'")
    tables = [name for (name,) in cursor.fetchall()]
    found = {}
    for table in tables:
        cursor.execute(f'SELECT one::text FROM "{table}" AS one')
        found[table] = sorted(row for (row,) in cursor.fetchall())
    cursor.execute("SELECT sequencename, last_value FROM pg_sequences WHERE sequencename NOT LIKE 'django_migrations%'")
    found["counters"] = sorted(map(str, cursor.fetchall()))
    return found


@pytest.fixture(scope="module")
def migrated(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("migrated") / "empty.sqlite3"
    put_empty_database(request.config, path)
    return path


@pytest.fixture
def target(migrated: Path, tmp_path: Path) -> Path:
    fill_site()
    return Path(shutil.copyfile(migrated, tmp_path / "target.sqlite3"))


@pytest.fixture
def copied(target: Path) -> list[CopiedTable]:
    return copy_database(name_file(target))


def test_a_copy_has_every_row_as_it_was(target: Path, copied: list[CopiedTable], migrated: Path) -> None:
    rows = {table.name: table.rows for table in copied}
    models = (User, Roster, Participant, Job)
    assert {model._meta.db_table: model._default_manager.count() for model in models}.items() <= rows.items()
    assert all(rows[table] for table in ("mfa_authenticator", "django_session", "events_penalty", "play_game"))
    # A copy of the copy is the same: keys, counters, empty values and documents.
    again = target.with_name("again.sqlite3")
    if not COMPLETE:
        # In a complete run the command makes the tables first, which takes longer than everything else.
        shutil.copyfile(migrated, again)
    printed = manage(name_file(target), "copy_database", name_file(again))
    assert all(table.digest[:16] in printed for table in copied if table.rows)
    assert read_file(target) == read_file(again)
    if connection.vendor == "sqlite":
        assert read_file(target) == read_file(Path(connection.settings_dict["NAME"]))


@pytest.mark.skipif(not DATABASE_URL, reason="DATABASE_URL names no PostgreSQL")
def test_postgresql_gets_back_what_it_gave_to_sqlite(target: Path, copied: list[CopiedTable]) -> None:
    import psycopg

    with make_database() as postgres:
        printed = manage(name_file(target), "copy_database", postgres)
        with connection.cursor() as source, psycopg.connect(postgres) as opened, opened.cursor() as cursor:
            assert read_server(source) == read_server(cursor)
    assert all(table.digest[:16] in printed for table in copied if table.rows)


def test_new_rows_get_keys_that_no_row_ever_had(target: Path, copied: list[CopiedTable]) -> None:
    next_key = Participant.objects.create(event=Event.objects.get(), name="Next").pk
    assert dict(read_file(target)["sqlite_sequence"])["events_participant"] == next_key - 1


def test_what_is_in_the_target_is_not_replaced_unasked(target: Path, copied: list[CopiedTable]) -> None:
    before = read_file(target)
    User.objects.create_user("later")
    with pytest.raises(CommandError, match="--replace"):
        call_command("copy_database", name_file(target))
    assert read_file(target) == before
    call_command("copy_database", name_file(target), replace=True, verbosity=0)
    assert len(read_file(target)["auth_user"]) == User.objects.count()


def test_a_target_of_another_version_is_refused(target: Path) -> None:
    for change in (
        "INSERT INTO django_migrations (app, name, applied) VALUES ('roster', '9999_later', '2026-01-01')",
        "DELETE FROM django_migrations WHERE app = 'roster'",
    ):
        with closing(sqlite3.connect(target)) as opened, opened:
            opened.execute(change)
        with pytest.raises(CopyError, match="another version"):
            copy_database(name_file(target), replace=True)
    assert read_file(target)["auth_user"] == []


def test_the_database_itself_is_refused(target: Path) -> None:
    own = name_file(Path(connection.settings_dict["NAME"]))
    if connection.vendor == "postgresql":
        own = f"{DATABASE_URL.rsplit('/', 1)[0]}/{connection.settings_dict['NAME']}"
    with pytest.raises(CopyError, match="itself"):
        copy_database(own, replace=True)
    assert User.objects.exists()


def test_a_row_that_refers_to_nothing_is_not_copied(migrated: Path, target: Path, copied: list[CopiedTable]) -> None:
    with closing(sqlite3.connect(target)) as opened, opened:
        opened.execute("UPDATE catalogue_job SET user_id = 999")
    again = Path(shutil.copyfile(migrated, target.with_name("again.sqlite3")))
    with pytest.raises(AssertionError, match="refers"):
        manage(name_file(target), "copy_database", name_file(again))
    assert read_file(again)["auth_user"] == []


@pytest.mark.skipif(not DATABASE_URL, reason="DATABASE_URL names no PostgreSQL")
def test_a_row_that_the_target_does_not_take_is_named(target: Path, copied: list[CopiedTable]) -> None:
    key = User.objects.latest("pk").pk
    with make_database() as postgres:
        for name in ("'x' || char(0)", "hex(zeroblob(200))"):
            with closing(sqlite3.connect(target)) as opened, opened:
                opened.execute(f"UPDATE auth_user SET first_name = {name} WHERE id = {key}")
            with pytest.raises(AssertionError, match=rf"row {key} of auth_user"):
                manage(name_file(target), "copy_database", postgres)


def test_a_value_that_comes_out_otherwise_takes_everything_back(target: Path, monkeypatch: Any) -> None:
    hashes = iter(range(10**6))
    monkeypatch.setattr(site_copy, "_hash_row", lambda *_: next(hashes))
    with pytest.raises(CopyError, match="not the same"):
        copy_database(name_file(target))
    assert read_file(target)["auth_permission"]
    assert read_file(target)["auth_user"] == []


@pytest.mark.parametrize(
    "address",
    ["", "mysql://host/name", "postgres://host:x/name", "sqlite://", "sqlite://:memory:", "postgres://", "shelf"],
)
def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(CommandError, match="postgres://"):
        call_command("copy_database", address)


def test_a_server_that_is_away_is_named_without_its_password() -> None:
    with pytest.raises(CommandError) as refusal:
        call_command("copy_database", "postgres://ada:geheim@127.0.0.1:1/armybuilder")
    assert "geheim" not in str(refusal.value)
