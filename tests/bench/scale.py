"""Measure pages of a user with 1,000 lists, alone and among 100,000 (20,000 on SQLite): `make bench-scale`.

The other lists are copied by `INSERT ... SELECT`. The aim is at most twice the 95th percentile.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator

import django

from tests.bench.benchmark import Figure, Times, Yardstick, benchmark, or_least
from tests.bench.databases import ROOT, environment_of
from tests.bench.filling import fill, prepare_database, vacuum
from tests.bench.serving import Visitor, serve

MINE = 1_000
ALL_IN_FILE, ALL_ON_SERVER = 20_000, 100_000
EACH = 1_000
PUBLIC = 7
"""One list in this many is public. Names and lists repeat in sixes and twenties: with a common divisor some would never
be public, and the search would find nothing among the few.
"""
TIMES = 60
AT_MOST = 2
PAGES = (
    ("my lists", "/rosters/"),
    ("search among mine", "/rosters/?q=column+996"),
    ("public lists", "/lists/"),
    ("search among public ones", "/lists/?q=guard"),
    ("opening one in the builder", "/rosters/{roster}/"),
    ("its history", "/rosters/{roster}/history/"),
)


@benchmark("scale")
def scale() -> Iterator[Figure]:
    """Use the database in `DATABASE_URL` (a temporary one: it is filled), else a new file."""
    url = os.environ.get("DATABASE_URL", "")
    number = or_least(ALL_ON_SERVER if url else ALL_IN_FILE, 60)
    with tempfile.TemporaryDirectory(prefix="armybuilder-bench-") as folder:
        environment = {**os.environ, **environment_of(folder), "DATABASE_URL": url}
        person = _run(environment, "start", or_least(MINE, 20)).split()
        with serve("armybuilder.wsgi", environment) as address:
            visitor = Visitor(address)
            visitor.cookies["sessionid"] = person[0]
            alone = {name: _ask(visitor, path.format(roster=person[1])) for name, path in PAGES}
            _run(environment, "multiply", number)
            among = {name: _ask(visitor, path.format(roster=person[1])) for name, path in PAGES}
    for name, _ in PAGES:
        slow, usual = among[name].percentile(0.95), alone[name].percentile(0.95)
        yield Figure(
            f"{name}: p95 among {number:,} lists", Times((slow,)), AT_MOST, Yardstick(f"times {MINE:,}", usual)
        )


def _run(environment: dict[str, str], *command: object) -> str:
    words = [sys.executable, "-m", "tests.bench.scale", *map(str, command)]
    return subprocess.run(words, cwd=ROOT, env=environment, check=True, stdout=subprocess.PIPE, text=True).stdout


def _ask(visitor: Visitor, path: str) -> Times:
    taken = []
    for turn in range(or_least(TIMES, 1) + 5):
        begin = time.perf_counter()
        status, _ = visitor.get(path)
        assert status == 200, (path, status)
        if turn >= 5:
            taken.append(time.perf_counter() - begin)
    return Times(tuple(sorted(taken)))


def start(number: int) -> tuple[object, ...]:
    """Make a user's lists and return the session and a list's address."""
    from roster.models import Roster

    prepare_database()
    session, address, *_ = fill(number)
    keys = Roster.objects.exclude(owner=None).order_by("pk").values_list("pk", flat=True)[::PUBLIC]
    Roster.objects.filter(pk__in=list(keys)).update(visibility="public")
    vacuum()
    return session, address


def multiply(number: int) -> None:
    """Add other users' lists up to a number, each with a revision."""
    from django.contrib.auth.models import User
    from django.db import connection

    from roster.models import Roster, RosterRevision

    samples = list(Roster.objects.filter(owner=None, owner_key="").values_list("pk", flat=True)[:100])
    copies = max(1, (number - Roster.objects.count()) // len(samples))
    people = User.objects.bulk_create(User(username=f"other-{n}") for n in range(copies * len(samples) // EACH + 1))
    digits = "lpad(({})::text, 22, '0')" if connection.vendor == "postgresql" else "printf('%022d', {})"
    address = digits.format("s.id * 1000000 + g.n")
    changed = {
        "public_id": address,
        "link_id": address,
        "owner_id": f"{people[0].pk} + (s.id + g.n) % {len(people)}",
        "name": "s.name || ' ' || g.n",
        "search_text": "s.search_text || ' ' || g.n",
        "visibility": f"CASE WHEN g.n % {PUBLIC} = 0 THEN 'public' ELSE 'link' END",
    }
    rosters = _build_insert(Roster, changed, f"s.id IN ({', '.join(map(str, samples))})")
    revisions = _build_insert(RosterRevision, {"roster_id": "r.id"}, "TRUE")
    series = f"WITH RECURSIVE g(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM g WHERE n < {copies})"
    begin = address.replace("g.n", "0")
    with connection.cursor() as cursor:
        cursor.execute(rosters.format(source="roster_roster s CROSS JOIN g", series=series))
        # A copy's address is that of its list and a number.
        sources = (
            "roster_roster r JOIN roster_roster o ON o.owner_id IS NULL AND o.owner_key = ''"
            f" AND r.public_id > {begin.replace('s.id', 'o.id')}"
            f" AND r.public_id <= {digits.format(f'o.id * 1000000 + {copies}')}"
            " JOIN roster_rosterrevision s ON s.roster_id = o.id AND s.number = o.head"
        )
        cursor.execute(revisions.format(source=sources, series=""))
    vacuum()


def _build_insert(model, changed: dict[str, str], condition: str) -> str:
    columns = [field.column for field in model._meta.concrete_fields if not field.primary_key]
    values = ", ".join(changed.get(column, f's."{column}"') for column in columns)
    names = ", ".join(f'"{column}"' for column in columns)
    into = f"INSERT INTO {model._meta.db_table} ({names})"
    return f"{into} {{series}} SELECT {values} FROM {{source}} WHERE {condition}"


if __name__ == "__main__":
    what, size = sys.argv[1], int(sys.argv[2])
    django.setup()
    if what == "start":
        print(*start(size))
    else:
        multiply(size)
