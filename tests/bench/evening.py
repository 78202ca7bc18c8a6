"""The evening of new points: a worker judges all lists of a game with its new version, while readers and owners look at
their pages.

    .ci/with-postgres .venv/bin/python -m tests.bench.evening [--lists 20000] [--edge]

The database is the one in `DATABASE_URL` (a temporary one: it is filled), or a new file. With `--edge`, Varnish answers
readers, and the site purges it. As a benchmark (`python -m tests.bench evening`) it does the same without Varnish.
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.client import HTTPException
from pathlib import Path
from typing import NamedTuple

import django

from tests.bench.bare_view import bare_view
from tests.bench.benchmark import Figure, Times, Yardstick, benchmark, or_least
from tests.bench.databases import FEW_PACKS, ROOT, environment_of
from tests.bench.serving import Visitor, serve
from tests.service.postgres_servers import choose_port
from tests.service.varnish import serve_varnish

LISTS = 20_000
EACH = 10
"""Lists of an owner."""
READERS, OWNERS = 8, 4
THINK = 0.5
"""Mean seconds between two pages of a reader or an owner."""
GAME, FACTION = "reeds-and-rust", "marsh-compact"
FOR_READERS = (
    ("a list at its link", "/r/{roster}/"),
    ("all games", "/games/"),
    ("a game", f"/games/{GAME}/"),
    ("a faction", f"/games/{GAME}/{FACTION}/"),
)
FOR_OWNERS = (
    ("my lists", "/rosters/"),
    ("the builder", "/rosters/{roster}/"),
    ("what new data does", "/rosters/{roster}/data/"),
    ("the builder", "/rosters/{roster}/"),
)
Address = tuple[str, int]


class OwnerOfLists(NamedTuple):
    session: str
    public_id: str


class Evening(NamedTuple):
    """What happened: lists judged and the seconds for them, times of pages by kind, failures, and cached answers."""

    judged: int
    seconds: float
    taken: dict[str, list[float]]
    failures: list[str]
    cached: int


@benchmark("evening")
def evening() -> Iterator[Figure]:
    lists = or_least(LISTS, 30)
    done = play_evening(lists)
    yield Figure(f"judging {lists:,} lists by one worker", Times((done.seconds,)), beside=Yardstick("seconds", 1.0))
    for name, taken in sorted(done.taken.items()):
        yield Figure(f"{name} meanwhile", Times(tuple(sorted(taken))))
    assert not done.failures, done.failures[:5]


def play_evening(lists: int, *, is_cached: bool = False) -> Evening:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="armybuilder-bench-")))
        environment = {**os.environ, **environment_of(folder), "DATABASE_URL": os.environ.get("DATABASE_URL", "")}
        purged_at = choose_port()
        if is_cached:
            environment["EDGE_PURGE_URLS"] = f"http://127.0.0.1:{purged_at}/"
        owners = [OwnerOfLists(*line.split()) for line in _run(environment, "fill", str(lists)).splitlines()]
        site = stack.enter_context(serve("armybuilder.wsgi", environment))
        for_readers = site
        if is_cached:
            (folder / "varnish").mkdir()
            for_readers = "127.0.0.1", stack.enter_context(serve_varnish(folder / "varnish", site[1], purged_at))
        stack.enter_context(_work(environment))
        tally, end = _Tally(), threading.Event()
        people = [
            threading.Thread(target=_look, args=(number, address, owners, tally, end, number >= READERS), daemon=True)
            for number, address in enumerate([for_readers] * READERS + [site] * OWNERS)
        ]
        for person in people:
            person.start()
        try:
            judged, seconds = _run(environment, "judge").split()
        finally:
            end.set()
        for person in people:
            person.join()
    return Evening(int(judged), float(seconds), dict(tally.taken), tally.failures, tally.cached)


class _Tally:
    def __init__(self) -> None:
        self.taken: dict[str, list[float]] = defaultdict(list)
        self.failures: list[str] = []
        self.cached = 0


def _look(
    number: int, address: Address, owners: list[OwnerOfLists], tally: _Tally, end: threading.Event, is_owner: bool
) -> None:
    """Look at pages until the end, at least at each kind once."""
    dice, visitor = random.Random(number), Visitor(address)
    looks = 0
    while not end.is_set() or looks < 4:
        owner = dice.choice(owners)
        if is_owner:
            visitor.cookies["sessionid"] = owner.session
        name, page = (FOR_OWNERS if is_owner else FOR_READERS)[looks % 4]
        path = page.format(roster=owner.public_id)
        looks += 1
        begin = time.perf_counter()
        try:
            status, _body = visitor.get(path)
        except (OSError, HTTPException) as error:
            tally.failures.append(f"{path}: {error!r}")
            continue
        tally.taken[name].append(time.perf_counter() - begin)
        if status != 200:
            tally.failures.append(f"{path}: {status}")
        tally.cached += visitor.is_cached
        time.sleep(dice.uniform(0.5, 1.5) * THINK)


@contextmanager
def _work(environment: dict[str, str]) -> Iterator[None]:
    command = [sys.executable, "manage.py", "db_worker", "--no-reload", "--verbosity=0", "--interval=0.5"]
    with subprocess.Popen(command, cwd=ROOT, env=environment) as worker:
        try:
            yield
        finally:
            worker.terminate()


def _run(environment: dict[str, str], *command: str) -> str:
    run = [sys.executable, "-m", "tests.bench.evening", *command]
    return subprocess.run(run, cwd=ROOT, env=environment, check=True, stdout=subprocess.PIPE, text=True).stdout


# ---- in processes of their own ---------------------------------------------------------------------------------------


def fill(number: int) -> None:
    """Store different lists, and print the session and a list of some owners."""
    from django.conf import settings
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.contrib.auth.models import User
    from django.contrib.sessions.backends.db import SessionStore
    from django.core.management import call_command

    from catalogue.models.base import new_public_id
    from roster.engine.tree import copy_with
    from roster.models import Roster, RosterRevision
    from roster.services.evaluation import encode_tree, hash_document
    from tests.bench.filling import BATCH, vacuum

    call_command("migrate", verbosity=0, stdout=sys.stderr)
    call_command("load_packs", FEW_PACKS[0], verbosity=0, stdout=sys.stderr)
    call_command("load_examples", verbosity=0, stdout=sys.stderr)
    samples = list(Roster.objects.filter(version__game__slug=GAME).select_related("version"))
    users = User.objects.bulk_create(
        User(username=f"owner-{n}", password=f"!{n}") for n in range((number + EACH - 1) // EACH)
    )
    for begin in range(0, number, BATCH):
        rosters = []
        for n in range(begin, min(begin + BATCH, number)):
            # No two documents are equal, because a process keeps what it evaluated.
            sample, address = samples[n % len(samples)], new_public_id()
            document = encode_tree(copy_with(sample.tree, name=f"{sample.name} {n}"))
            copied = {name: getattr(sample, name) for name in ("version", "faction_id", "points", "limit", "units")}
            copied |= {name: getattr(sample, name) for name in ("verdict", "violations", "search_text")}
            names = {"public_id": address, "link_id": address, "name": f"{sample.name} {n}"}
            rosters.append(Roster(owner=users[n // EACH], document=document, **names, **copied))
        RosterRevision.objects.bulk_create(
            RosterRevision(
                roster=roster,
                number=1,
                parent=0,
                text=roster.document,
                act="start",
                content_hash=hash_document(roster.document),
                version_id=roster.version_id,
                points=roster.points,
                verdict=roster.verdict,
            )
            for roster in Roster.objects.bulk_create(rosters)
        )
    vacuum()
    for user in users[:: max(1, len(users) // 50)]:
        session = SessionStore()
        session[SESSION_KEY] = str(user.pk)
        session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
        session[HASH_SESSION_KEY] = user.get_session_auth_hash()
        session.create()
        print(session.session_key, user.rosters.first().public_id)


def judge() -> None:
    """Publish the game with higher points, let the worker judge all lists, and print their number and the seconds."""
    from dataclasses import replace

    from catalogue.formats.packs.load import find_packs, read_pack
    from catalogue.models import Job
    from catalogue.services.game_info import GameInfo
    from catalogue.services.install_version import install_version
    from roster.engine.tree import copy_with
    from roster.models import Impact
    from roster.services.impacts import start_impact

    (path,) = find_packs(Path(FEW_PACKS[0]))
    pack = read_pack(path)
    dearer = [
        copy_with(catalogue, **{kind: tuple(map(_raise_points, getattr(catalogue, kind))) for kind in ENTRIES})
        for catalogue in pack.data.catalogues
    ]
    about = replace(GameInfo.from_pack(pack.pack), label="of this evening")
    version = install_version(about, copy_with(pack.data, catalogues=tuple(dearer)))
    begin = time.monotonic()
    start_impact(version, Job())
    while Job.objects.filter(kind="impact", state__in=("waiting", "running")).exists():
        time.sleep(0.5)
    print(Impact.objects.filter(version=version).count(), time.monotonic() - begin)


ENTRIES = ("entries", "shared_entries")


def _raise_points(entry):
    from roster.engine.tree import copy_with

    return copy_with(entry, costs=tuple(copy_with(cost, value=cost.value + 1) for cost in entry.costs))


def main() -> None:
    if sys.argv[1:2] in (["fill"], ["judge"]):
        django.setup()
        fill(int(sys.argv[2])) if sys.argv[1] == "fill" else judge()
        return
    parser = argparse.ArgumentParser(prog="python -m tests.bench.evening")
    parser.add_argument("--lists", type=int, default=LISTS)
    parser.add_argument("--edge", action="store_true")
    args = parser.parse_args()
    with bare_view() as measure_bare:
        bare = measure_bare(200).p50
    done = play_evening(args.lists, is_cached=args.edge)
    print(f"{args.lists:,} lists; a bare view takes {bare * 1000:.1f} ms before")
    print(f"judged {done.judged:,} lists in {done.seconds:.0f} s: {done.judged / done.seconds:.1f} lists a second")
    for name, taken in sorted(done.taken.items()):
        times = Times(tuple(sorted(taken)))
        p50, p95 = (times.percentile(share) / bare for share in (0.5, 0.95))
        print(f"{name:<20} {len(taken):>6} times   p50 {p50:6.1f}   p95 {p95:6.1f} bare views")
    pages = sum(len(taken) for taken in done.taken.values())
    print(f"{pages} pages, {done.cached} from Varnish; failed: {len(done.failures)}", *done.failures[:5], sep="\n  ")


if __name__ == "__main__":
    main()
