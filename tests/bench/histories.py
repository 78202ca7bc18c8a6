"""Measure archived histories in the database of DATABASE_URL, which is filled.

For 2,000 lists of 50 steps: `python -m tests.bench.histories 2000 50`.

Examples get histories of random edits, many lists copies of these, and all are archived. Tables are measured after a
full vacuum.
"""

import random
import sys
import time
from datetime import timedelta

import django
from django.conf import settings
from django.utils import timezone

from tests.bench.filling import prepare_database

SAMPLES = 20
TABLES = ("roster_roster", "roster_rosterrevision")
READ = 100
"""Lists of which an archived step is read."""


def main(number: int, steps: int) -> None:
    from django.core.files.storage import default_storage
    from django.db import connection

    from roster.models import Roster, RosterRevision
    from roster.services.archive import archive_histories

    settings.ARMYBUILDER["ARCHIVE_HISTORIES_AFTER"] = 30
    prepare_database()
    fill_histories(number, steps)
    mine = Roster.objects.filter(owner__isnull=False)
    mine.update(updated=timezone.now() - timedelta(days=60))
    before = measure_tables()
    begin = time.process_time(), time.perf_counter()
    lists = archive_histories().lists
    spent, waited = time.process_time() - begin[0], time.perf_counter() - begin[1]
    archived = RosterRevision.objects.filter(packed=None, text="").count()
    print(f"{connection.vendor}: {lists} lists of {steps} steps, {archived / lists:.1f} archived")
    print(f"each list: {spent / lists * 1000:.1f} ms of processor, {waited / lists * 1000:.1f} ms")
    for table, size in measure_tables().items():
        print(f"{table}: {before[table] / number:,.0f} to {size / number:,.0f} bytes for each list")
    files = sum(map(default_storage.size, mine.values_list("archive", flat=True)))
    print(f"files: {files / lists:,.0f} bytes for each list")
    read = list(mine.order_by("?")[:READ])
    begin_read = time.perf_counter()
    for roster in read:
        assert roster.revisions.get(number=2).document
    print(f"an archived step: {(time.perf_counter() - begin_read) / len(read) * 1000:.1f} ms")


def fill_histories(number: int, steps: int) -> None:
    from django.contrib.auth.models import User

    from catalogue.models.base import new_public_id
    from roster.models import Roster, RosterRevision
    from roster.services.owners import Visitor
    from roster.services.rosters import copy_roster

    owner = User.objects.create(username="owner")
    examples = list(Roster.objects.filter(owner=None, owner_key="").order_by("pk"))[:: max(1, 100 // SAMPLES)][:SAMPLES]
    samples = []
    for seed, example in enumerate(examples):
        copied = copy_roster(example, Visitor(user_id=owner.pk))
        edit_randomly(copied, steps, random.Random(seed))
        samples.append((copied, list(copied.revisions.order_by("number"))))
    for place in range(number - len(samples)):
        sample, revisions = samples[place % len(samples)]
        sample.pk, sample._state.adding = None, True
        sample.public_id = sample.link_id = new_public_id()
        sample.save()
        for row in revisions:
            row.pk, row.roster, row._state.adding = None, sample, True
        RosterRevision.objects.bulk_create(revisions)


def edit_randomly(roster, steps: int, chance: random.Random) -> None:
    """Edit as players do: copy and remove units, choose options and numbers, rename."""
    from roster.engine.tree import get_children
    from roster.services.changes import read_change
    from roster.services.edits import edit_roster

    while roster.last < steps:
        force = chance.choice(roster.tree.forces)
        unit = chance.choice(get_children(force) or [force])
        option = chance.choice(get_children(unit) or [unit])
        fields = chance.choice(
            [
                {"do": "duplicate-unit", "node": unit.id},
                {"do": "remove", "node": unit.id if len(get_children(force)) > 4 else option.id},
                {"do": "remove", "node": option.id},
                {"do": "set-number", "node": option.id, "number": str(chance.randint(1, 10))},
                {"do": "rename", "node": unit.id, "text": f"Unit {chance.randint(1, 10**6)}"},
                {"do": "rename", "node": "", "text": f"List {chance.randint(1, 10**6)}"},
            ]
        )
        change = read_change(fields)
        edit_roster(roster, roster.head, change)


def measure_tables() -> dict[str, int]:
    from django.db import connection

    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("VACUUM FULL")
            size = "SELECT pg_total_relation_size(%s)"
        else:
            cursor.execute("VACUUM")
            size = "SELECT SUM(pgsize) FROM dbstat WHERE name IN (SELECT name FROM sqlite_master WHERE tbl_name = %s)"
        sizes = {}
        for table in TABLES:
            cursor.execute(size, [table])
            sizes[table] = cursor.fetchone()[0]
    return sizes


if __name__ == "__main__":
    django.setup()
    main(*map(int, sys.argv[1:3]))
