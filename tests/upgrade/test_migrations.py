"""Migrations keep the previous version working and are reversible, as docs/self-hosting.md promises."""

import gzip
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import migrations, models
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
APPS = ("catalogue", "roster", "events", "play")
BEFORE = {"catalogue": 14, "roster": 19, "events": 2, "play": 2}
"""The last migrations that are exempt: upgrading over them needs a pause."""
HARMLESS = (
    migrations.CreateModel,
    migrations.AddIndex,
    migrations.AlterModelOptions,
    migrations.AlterModelManagers,
    migrations.RunPython,
    migrations.RunSQL,
)


def list_operations(operations: list[Operation]) -> Iterator[Operation]:
    """Return the operations on the database; changes of state alone break nothing."""
    for operation in operations:
        if isinstance(operation, migrations.SeparateDatabaseAndState):
            yield from list_operations(operation.database_operations)
        else:
            yield operation


def find_break(operation: Operation) -> str:
    """Return how an operation breaks a server of the previous version, or ""."""
    if isinstance(operation, HARMLESS):
        return ""
    if isinstance(operation, migrations.AddField):
        field = operation.field
        is_left_out = field.null or field.many_to_many or field.has_db_default()
        return "" if is_left_out else "rows of the version before have no value: give it null=True or db_default"
    return "the version before may need what it takes: do it one release later, or set `pauses` and say so in CHANGELOG"


def list_own_migrations() -> Iterator[tuple[str, migrations.Migration]]:
    for (app, name), migration in sorted(MigrationLoader(None).disk_migrations.items()):
        if app in APPS:
            yield f"{app}.{name}", migration


def test_the_version_before_goes_on_serving_while_migrations_run() -> None:
    broken = []
    for name, migration in list_own_migrations():
        is_bound = int(name.split(".")[1][:4]) > BEFORE[migration.app_label]
        if is_bound and not getattr(migration, "pauses", False):
            broken += [
                f"{name}: {wrong}" for one in list_operations(migration.operations) if (wrong := find_break(one))
            ]
    assert broken == []


@pytest.mark.parametrize(
    ("operation", "breaks"),
    [
        (migrations.AddField("roster", "x", models.CharField(max_length=9)), True),
        (migrations.AddField("roster", "x", models.CharField(max_length=9, default="")), True),
        (migrations.AddField("roster", "x", models.CharField(max_length=9, db_default="")), False),
        (migrations.AddField("roster", "x", models.CharField(max_length=9, null=True)), False),
        (migrations.RemoveField("roster", "name"), True),
        (migrations.RenameField("roster", "name", "title"), True),
        (migrations.DeleteModel("roster"), True),
        (migrations.AlterField("roster", "name", models.CharField(max_length=9)), True),
        (migrations.CreateModel("Boat", []), False),
    ],
)
def test_what_breaks_the_version_before(operation: Operation, breaks: bool) -> None:
    assert bool(find_break(operation)) == breaks


def test_every_migration_leads_back() -> None:
    stuck = [name for name, migration in list_own_migrations() for one in migration.operations if not one.reversible]
    assert stuck == []


STATE = """
import json
import msgspec
from hashlib import sha256
from roster.models import RosterRevision
from roster.services.evaluation import hash_document
from catalogue.models import CatalogueDocument, UnitEntry
kept = []
for one in RosterRevision.objects.select_related("roster").order_by("roster__public_id", "number"):
    is_whole = hash_document(one.document) == one.content_hash
    kept.append([one.roster.public_id, one.number, one.document, is_whole])
words = sorted(UnitEntry.objects.filter(texts__isnull=False).values_list("name", "texts__search_text"))
documents = [sha256(msgspec.json.encode(one.decode())).hexdigest() for one in CatalogueDocument.objects.order_by("pk")]
print(json.dumps({"revisions": kept, "words": words, "documents": documents}))
"""
EDIT = """
import zlib
from django.db.models import QuerySet
from catalogue.models import DocumentBody
for row in DocumentBody.objects.order_by("pk")[:3]:
    body = DocumentBody.pack(zlib.decompress(row.body))
    QuerySet(DocumentBody).filter(pk=row.pk).update(body=body)
from roster.models import Roster
from roster.services.changes import read_change
from roster.services.edits import edit_roster
for roster in Roster.objects.exclude(owner=None):
    for number in range(3):
        roster.refresh_from_db()
        edit_roster(roster, roster.head, read_change({"do": "rename", "node": "", "text": f"Step {number}"}))
"""
BACK = (("events", "zero"), ("play", "0001"), ("roster", "0010"), ("catalogue", "0008"))
"""Back to when the database was made, and to zero for apps without tables then."""


@pytest.mark.slow
@pytest.mark.complete
def test_a_full_database_goes_back_and_forth_and_keeps_every_step(tmp_path: Path) -> None:
    database = tmp_path / "old.sqlite3"
    database.write_bytes(gzip.decompress((HERE / "old.sqlite3.gz").read_bytes()))
    environment = {
        **os.environ,
        "DATABASE_URL": f"sqlite:///{database}",
        "DJANGO_SETTINGS_MODULE": "armybuilder.settings.test",
        "ARMYBUILDER_VAR": str(tmp_path),
    }

    def manage(*arguments: str) -> str:
        run = [sys.executable, "manage.py", *arguments]
        done = subprocess.run(run, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr[-2000:]
        return done.stdout

    def read_state() -> Any:
        return json.loads(manage("shell", "--no-imports", "--command", STATE))

    manage("migrate", "--verbosity=0")
    manage("shell", "--no-imports", "--command", EDIT)
    before = read_state()
    assert len(before["revisions"]) > 20
    assert before["words"]
    assert len(before["documents"]) > 3
    assert all(is_whole for *_, is_whole in before["revisions"])
    for app, name in BACK:
        manage("migrate", app, name, "--verbosity=0")
    manage("migrate", "--verbosity=0")
    assert read_state() == before
