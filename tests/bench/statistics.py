"""Count public lists, and measure the statistics page: 100,000 lists on PostgreSQL, 20,000 on SQLite.

The page is fresh each time: readers without a session usually get a kept one.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator

import django

from tests.bench.benchmark import Figure, Times, Yardstick, benchmark, measure, or_least
from tests.bench.databases import ROOT, environment_of
from tests.bench.filling import prepare_database, vacuum
from tests.bench.scale import multiply
from tests.bench.serving import Visitor, serve

ALL_IN_FILE, ALL_ON_SERVER = 20_000, 100_000
EACH = 20
"""Lists of a player."""


@benchmark("statistics")
def statistics() -> Iterator[Figure]:
    """Use the database in `DATABASE_URL` (a temporary one: it is filled), else a new file."""
    url = os.environ.get("DATABASE_URL", "")
    number = or_least(ALL_ON_SERVER if url else ALL_IN_FILE, 600)
    with tempfile.TemporaryDirectory(prefix="armybuilder-bench-") as folder:
        environment = {**os.environ, **environment_of(folder), "DATABASE_URL": url, "BENCH_FRESH": "1"}
        command = [sys.executable, "-m", "tests.bench.statistics", str(number)]
        done = subprocess.run(command, cwd=ROOT, env=environment, check=True, stdout=subprocess.PIPE, text=True)
        game, seconds, megabytes = done.stdout.split()
        yield Figure(f"counting {number:,} lists", Times((float(seconds),)), beside=Yardstick("seconds", 1.0))
        yield Figure("memory for it", Times((float(megabytes),)), unit="MB", beside=Yardstick("megabytes", 1.0))
        with serve("armybuilder.wsgi", environment) as address:
            visitor = Visitor(address)

            def look() -> None:
                status, body = visitor.get(f"/statistics/{game}/")
                assert status == 200
                assert b'id="picks"' in body

            yield Figure(f"statistics of {number:,} public lists", measure(look, times=40), at_most=20)


def count_lists(number: int) -> tuple[object, ...]:
    """Publish lists, count them, and return the game with most, the seconds and the megabytes."""
    import resource
    import time

    from django.contrib.auth.models import User
    from django.db.models import F

    from roster.club.models import SliceStatistics
    from roster.club.services.statistics import count_all_games
    from roster.models import Roster

    prepare_database()
    multiply(number)
    people = User.objects.bulk_create(User(username=f"player-{n}") for n in range(max(10, number // EACH)))
    lists = Roster.objects.filter(owner__isnull=False)
    lists.update(visibility="public", verdict="legal", owner_id=people[0].pk + F("id") % len(people))
    vacuum()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    begin = time.perf_counter()
    count_all_games()
    seconds = time.perf_counter() - begin
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    whole = SliceStatistics.objects.filter(kind="all").order_by("-lists").first()
    return whole.statistics.game.slug, round(seconds, 2), round(grown, 1)


if __name__ == "__main__":
    django.setup()
    print(*count_lists(int(sys.argv[1])))
