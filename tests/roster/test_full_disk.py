"""On a full disk every request says so, the administrator is told, and nothing is half stored."""

import errno
import gzip
import io
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import OperationalError, connection
from django.test import Client
from django.urls import reverse

from catalogue.services.disk_space import is_out_of_space
from roster.models import Roster
from roster.models.tokens import TokenScope
from roster.pdf.cache import PdfCache
from roster.views.lists import files
from tests.markup import markup
from tests.roster.accounts_cast import account
from tests.roster.small_game import installed
from tests.roster.test_api_lists import LIST
from tests.roster.test_tokens import make
from tests.roster.views_cast import started

pytestmark = pytest.mark.django_db
NO_SPACE = "The server has no space left. Nothing was stored."


@pytest.fixture
def client() -> Client:
    installed()
    # Of a server, which answers errors with pages.
    return Client(raise_request_exception=False)


def fill_disk() -> OperationalError:
    """Return the error of a database that cannot grow, as Django raises it."""
    with closing(sqlite3.connect(":memory:")) as opened:
        opened.execute("CREATE TABLE lists (document text)")
        opened.execute("PRAGMA max_page_count = 1")
        try:
            opened.execute("INSERT INTO lists VALUES (?)", ("x" * 100_000,))
        except sqlite3.OperationalError as error:
            wrapped = OperationalError(*error.args)
            wrapped.__cause__ = error
            return wrapped
    raise AssertionError("The database has grown.")


def store_no_list(execute: Any, statement: str, *args: Any) -> Any:
    """Fail at the row of the list, which an edit writes after its revision."""
    if statement.startswith(("UPDATE", "INSERT")) and '"roster_roster"' in statement:
        raise fill_disk()
    return execute(statement, *args)


def test_an_edit_and_a_new_list_are_refused_whole(client: Client, caplog: Any) -> None:
    owner, token = started(client), make(account(), TokenScope.WRITE)
    before, revisions = owner.roster, owner.roster.revisions.count()
    headers = {"Authorization": f"Bearer {token}"}
    with connection.execute_wrapper(store_no_list):
        edited = owner.edit(do="rename", node="", text="Herons")
        problem = client.post("/api/v1/rosters/", LIST, content_type="application/json", headers=headers)
    assert owner.page().status_code == 200
    assert edited.status_code == 507
    assert NO_SPACE in markup(edited)
    assert (problem.status_code, problem["Content-Type"]) == (507, "application/problem+json")
    assert (problem.json()["code"], problem.json()["detail"]) == ("no-space", NO_SPACE)
    told = [record.levelname for record in caplog.records if record.name == "armybuilder.errors"]
    assert told == ["CRITICAL", "CRITICAL"]
    roster = Roster.objects.get()
    assert (roster.name, roster.head) == (before.name, before.head)
    assert roster.revisions.count() == revisions


def test_an_upload_that_does_not_fit_into_the_temporary_folder_is_refused(client: Client, monkeypatch: Any) -> None:
    before = Roster.objects.count()
    packed = gzip.compress(b"x" * 3_000_000, 0)

    class FullFile(io.BytesIO):
        def __init__(self, *args: Any) -> None:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("django.core.files.uploadhandler.TemporaryUploadedFile", FullFile)
    answer = client.post(reverse("roster:restore"), {"file": SimpleUploadedFile("lists.gz", packed)})
    assert (answer.status_code, NO_SPACE in markup(answer)) == (507, True)
    assert Roster.objects.count() == before


def test_a_download_is_refused_before_its_first_byte(client: Client, monkeypatch: Any) -> None:
    started(client)
    monkeypatch.setattr(files, "IN_MEMORY", 1)

    class FullFile(io.BytesIO):
        def write(self, *args: Any) -> int:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(tempfile, "TemporaryFile", lambda *args, **named: FullFile())
    answer = client.get(reverse("roster:backup"))
    assert (answer.status_code, NO_SPACE in markup(answer)) == (507, True)
    assert "Content-Disposition" not in answer


def test_a_sheet_is_printed_although_it_cannot_be_kept(tmp_path: Path, monkeypatch: Any) -> None:
    def fail(path: Path, content: bytes) -> int:
        with path.open("wb") as file:
            file.write(content[:10])
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", fail)
    PdfCache(tmp_path, 1000).put("00" * 32, b"%PDF %%EOF")
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_full_disks_of_both_databases_are_told_from_other_failures() -> None:
    assert is_out_of_space(OSError(errno.EDQUOT, "Disk quota exceeded"))
    assert not is_out_of_space(OSError(errno.EFBIG, "File too large"))
    psycopg = pytest.importorskip("psycopg")
    wrapped = RuntimeError("of Django")
    wrapped.__cause__ = psycopg.errors.DiskFull("could not extend file")
    assert is_out_of_space(wrapped)
    wrapped.__cause__ = psycopg.errors.LockNotAvailable("canceling statement")
    assert not is_out_of_space(wrapped)
