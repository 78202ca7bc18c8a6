"""A game day: people read, build, print and upload photos while one service after the other fails.

    python -m tests.bench.game_day [--people 40] [--think 3] [--seconds 30]

It starts PostgreSQL with a streaming replica, Redis, an object storage, nginx and two web nodes, all on 127.0.0.1. Each
fault lasts `--seconds`: a node is killed, the replica is killed, Redis is killed and hangs, the object storage hangs,
the disks of the database and of the nodes are full, and at last the primary is killed, and then the replica promoted.
For each, the output has the requests, what failed and where, the longest wait, the seconds until all was well, and the
share of the readers' queries that the replica answered. The exit code is 1 if an acknowledged edit is lost, if the
replica answers less than 80 % of these queries while nothing fails, or if the first edit is stored later than 30 s
after the promotion began.

Full disks need root, because they are file systems of their own; Redis needs its server. Otherwise they are left out.
"""

import argparse
import math
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from http.client import HTTPException
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import redis

from tests.bench.benchmark import do_nothing
from tests.bench.builder_edit import Builder
from tests.bench.evening import FOR_READERS
from tests.bench.load import Person, Tally, name_view, read_reason
from tests.bench.serving import Visitor
from tests.roster.photo_files import take_photo
from tests.service import redis_server
from tests.service.nodes import ANSWERED_BY, Address, open_nodes, read_names, serve_proxy
from tests.service.object_storage import serve_bucket
from tests.service.postgres_servers import choose_port, serve_primary_and_replica
from tests.service.redis_server import serve_redis

BUILDERS = 4
"""One in this many people builds; one more uploads photos; the others read."""
MOST_PEOPLE = 250
PRINTERS = 10
"""Among so many readers, one prints lists and does not count as a reader."""
PHOTO_THINK = 3
"""Uploads are this many times as rare as other acts, because an account may send 60 in an hour."""
READ_TOO = ("/lists/", "/search/?q=reed", "/r/{roster}/text/")
SHEET = "/r/{roster}/sheet.pdf"
IN_LINE = 10
"""A browser repeats a request itself if the site asks it to within this many seconds, as in the queue of prints."""
PATIENCE = 120
"""Seconds within which all must be well after a fault."""
CALM = 3
LEAST_SHARE, LONGEST_FAILOVER = 0.8, 30
DISK = "1g"
REPLICA = "replica1"
EDIT, UPLOAD = "POST /rosters/.../edits/", "POST /rosters/photos/.../"
PHOTO = re.compile(rb"/r/[\w-]{22}/photos/\d+-small\.jpg")
PHOTOGRAPHER = """
import json
from django.contrib.auth.models import User
from django.test import Client
client = Client()
client.force_login(User.objects.create_user("photographer"))
print(json.dumps(client.cookies["sessionid"].value))
"""


class Request(NamedTuple):
    """A request with its repetitions in a queue. The status is 0 if there was no answer."""

    is_reading: bool
    view: str
    begin: float
    end: float
    status: int
    reason: str = ""
    node: str = ""
    queries: Mapping[str, int] = {}

    @property
    def has_failed(self) -> bool:
        return self.status == 0 or self.status >= 400


class Witness(Visitor):
    """A visitor whose requests are recorded."""

    def __init__(self, address: Address, number: int, record: list[Request], *, is_reading: bool = False) -> None:
        super().__init__(address, f"203.0.113.{number}")
        self.record, self.is_reading = record, is_reading

    def _send(self, method: str, path: str, body: bytes | None, headers: Mapping[str, str]) -> tuple[int, bytes]:
        view, begin = f"{method} {name_view(path)}", time.monotonic()
        try:
            status, page = super()._send(method, path, body, headers)
            while status == 503 and 0 < self.pause <= IN_LINE:
                time.sleep(self.pause)
                status, page = super()._send(method, path, body, headers)
        except (OSError, HTTPException) as error:
            self.connection.close()
            self.record.append(Request(self.is_reading, view, begin, time.monotonic(), 0, repr(error)[:100]))
            raise
        reason = read_reason(page)[:100] if status >= 400 else ""
        counts = (word.split("=") for word in self.headers.get("Queries", "").split())
        queries = {alias: int(number) for alias, number in counts}
        node = self.headers.get(ANSWERED_BY, "")
        self.record.append(Request(self.is_reading, view, begin, time.monotonic(), status, reason, node, queries))
        return status, page


class Reader(threading.Thread):
    """Someone without an account who looks at pages, or prints."""

    def __init__(
        self, visitor: Visitor, pages: Sequence[str], builders: list[Person], think: float, number: int
    ) -> None:
        super().__init__(daemon=True)
        self.visitor, self.pages, self.builders, self.think = visitor, pages, builders, think
        self.dice, self.end = random.Random(number), math.inf

    def run(self) -> None:
        while time.monotonic() < self.end:
            time.sleep(self.dice.uniform(0.5, 1.5) * self.think)
            rosters = [person.public_id for person in self.builders if person.public_id]
            if rosters:
                with suppress(OSError, HTTPException):
                    self.visitor.get(self.dice.choice(self.pages).format(roster=self.dice.choice(rosters)))


class Photographer(threading.Thread):
    """Someone who replaces the photo of a list repeatedly. Another list has the photo that readers look at."""

    def __init__(self, visitor: Visitor, session: str, think: float) -> None:
        super().__init__(daemon=True)
        self.visitor, self.think, self.end = visitor, think, math.inf
        visitor.cookies["sessionid"] = session
        shown = self.find_page()
        assert self.upload(shown) == 303
        match = PHOTO.search(visitor.get(shown)[1])
        assert match
        self.shown = match[0].decode()
        self.page = self.find_page()

    def find_page(self) -> str:
        """Start a list, and return the page of its photos."""
        return f"/rosters/photos/{Builder(self.visitor).address.split('/')[2]}/"

    def run(self) -> None:
        while time.monotonic() < self.end:
            time.sleep(self.think)
            with suppress(OSError, HTTPException):
                self.upload(self.page)

    def upload(self, page: str) -> int:
        border = "----photo"
        fields = {"unit": "", "csrfmiddlewaretoken": self.visitor.cookies["csrftoken"]}
        parts = [
            f'--{border}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
            for name, value in fields.items()
        ]
        begin = f'--{border}\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\n\r\n'
        body = "".join([*parts, begin]).encode() + take_photo() + f"\r\n--{border}--\r\n".encode()
        return self.visitor._send("POST", page, body, {"Content_Type": f"multipart/form-data; boundary={border}"})[0]


class Fault(NamedTuple):
    """What fails and how it is mended, and whether requests since then show that it serves again."""

    name: str
    begin: Callable[[], object]
    mend: Callable[[], object]
    is_well: Callable[[list[Request]], bool]


class Step(NamedTuple):
    """When a fault began, when it was mended, when all was well, and the requests that began meanwhile."""

    name: str
    begin: float
    mended: float
    well: float
    requests: list[Request]

    @property
    def share(self) -> float:
        """The share of the readers' queries that the replica answered."""
        queries: Counter[str] = Counter()
        for request in self.requests:
            if request.is_reading:
                queries.update(request.queries)
        return queries[REPLICA] / max(1, queries.total())

    @property
    def seconds_until_well(self) -> float:
        """The seconds from the mend until all is well and no request fails any more."""
        return max([self.well, *(one.end for one in self.requests if one.has_failed)]) - self.mended

    def find_first_edit(self) -> float:
        """Return when the first edit was stored after the mend began."""
        edits = (one.end for one in self.requests if one.view == EDIT and one.status == 200)
        return min((end for end in edits if end > self.mended), default=math.inf)

    def describe(self) -> str:
        failures = Counter(
            f"{one.status or 'no answer'} {one.view}: {one.reason}" for one in self.requests if one.has_failed
        )
        longest = max(self.requests, key=lambda one: one.end - one.begin)
        lines = [
            f"{self.name}: {len(self.requests)} requests, {failures.total()} failed",
            f"  longest wait {longest.end - longest.begin:.1f} s: {longest.view} at {longest.begin - self.begin:.1f} s",
            f"  all well {self.seconds_until_well:.1f} s after the mend",
            f"  the replica answered {self.share:.0%} of the readers' queries",
            *(f"  {number:>6} times  {text}" for text, number in failures.most_common()),
        ]
        return "\n".join(lines)


def suffer(fault: Fault, record: list[Request], seconds: float, calm: float = CALM) -> Step:
    """Let a service fail for some seconds, mend it, and wait until all is well and for `calm` seconds more."""
    begin = time.monotonic()
    fault.begin()
    time.sleep(max(0, begin + seconds - time.monotonic()))
    mended = time.monotonic()
    fault.mend()
    while not (is_well := fault.is_well([one for one in record if one.begin >= mended and not one.has_failed])):
        if time.monotonic() > mended + PATIENCE:
            break
        time.sleep(0.1)
    well = time.monotonic() if is_well else math.inf
    time.sleep(calm)
    return Step(fault.name, begin, mended, well, [])


@contextmanager
def mount_disk(folder: Path) -> Iterator[Path]:
    """Give a folder a small file system of its own."""
    folder.mkdir(exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK},mode=755", "tmpfs", str(folder)], check=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def fill(disk: Path) -> None:
    with suppress(OSError), (disk / "full").open("wb", buffering=0) as file:
        while True:
            file.write(bytes(1_000_000))


class Day:
    """All that serves: two nodes, and what they need."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.disks: list[Path] = []
        if os.getuid() == 0:
            self.disks = [stack.enter_context(mount_disk(folder / name)) for name in ("database", "nodes")]
        database, web = self.disks or (None, folder / "nodes")
        self.primary, self.replica = stack.enter_context(serve_primary_and_replica(database))
        self.bucket = stack.enter_context(serve_bucket())
        hosts = f"host=127.0.0.1,127.0.0.1&port={self.primary.port},{self.replica.port}"
        address = f"postgres://postgres@/postgres?{hosts}&target_session_attrs=read-write&connect_timeout=2"
        self.nodes = stack.enter_context(open_nodes(web, self.bucket, address))
        self.redis_port, self.redis = choose_port(), None
        (folder / "redis").mkdir()
        self.redis_folder = folder / "redis"
        if redis_server.PROGRAM:
            self.start_redis()
            stack.callback(self.kill_redis)
        for node in self.nodes:
            node.environment |= {
                "DJANGO_SETTINGS_MODULE": "tests.service.game_day",
                "REPLICA_URLS": self.replica.url,
                "TMPDIR": str(node.folder),
            }
            if self.redis:
                node.environment["REDIS_URL"] = f"redis://127.0.0.1:{self.redis_port}/1"
        self.replica.wait_for(self.primary)
        for node in self.nodes:
            node.start(worker=True)
        (folder / "nginx").mkdir()
        self.address = stack.enter_context(serve_proxy(folder / "nginx", self.nodes)).address

    def start_redis(self) -> None:
        self.redis = serve_redis(self.redis_port, self.redis_folder)

    def kill_redis(self) -> None:
        self.redis.kill()
        self.redis.wait()

    def has_counted(self, _requests: list[Request]) -> bool:
        """Return whether a node has counted something in Redis since it was emptied."""
        with suppress(redis.RedisError), redis.Redis(port=self.redis_port, db=1, socket_timeout=1) as client:
            return bool(client.dbsize())
        return False

    def wake_redis(self) -> None:
        self.redis.send_signal(signal.SIGCONT)
        with redis.Redis(port=self.redis_port, db=1) as client:
            client.flushdb()

    def list_faults(self) -> Iterator[Fault]:
        first = f"127.0.0.1:{self.nodes[0].address[1]}"
        yield Fault("nothing fails", do_nothing, do_nothing, bool)
        yield Fault(
            "a node is killed",
            self.nodes[0].kill,
            partial(self.nodes[0].start, worker=True),
            lambda requests: any(one.node == first for one in requests),
        )
        yield Fault(
            "the replica is killed",
            self.replica.kill,
            self.replica.start,
            lambda requests: any(one.is_reading and one.queries.get(REPLICA) for one in requests),
        )
        if self.redis:
            yield Fault("Redis is killed", self.kill_redis, self.start_redis, self.has_counted)
            yield Fault(
                "Redis hangs", lambda: self.redis.send_signal(signal.SIGSTOP), self.wake_redis, self.has_counted
            )
        yield Fault("the object storage hangs", self.bucket.hang, self.bucket.go_on, partial(has_done, UPLOAD))
        for disk, whose, act in zip(self.disks, ("the database", "the nodes"), (EDIT, UPLOAD), strict=False):
            yield Fault(
                f"the disk of {whose} is full", partial(fill, disk), (disk / "full").unlink, partial(has_done, act)
            )
        yield Fault("the primary is killed", self.primary.kill, self.replica.promote, partial(has_done, EDIT))


def has_done(view: str, requests: list[Request]) -> bool:
    return any(one.view == view for one in requests)


def play(day: Day, people: int, think: float, seconds: float) -> tuple[list[Step], list[Person]]:
    """Let people act while one service after the other fails."""
    record: list[Request] = []
    number = iter(range(1, people + 1))
    session: Any = day.nodes[0].run_code(PHOTOGRAPHER)
    photographer = Photographer(Witness(day.address, next(number), record), session, PHOTO_THINK * think)
    builders = [
        Person(Witness(day.address, one, record), Tally(), think, math.inf, one)
        for one in islice(number, people // BUILDERS)
    ]
    pages = [*(path for _name, path in FOR_READERS), *READ_TOO, photographer.shown]
    readers = []
    for one in number:
        prints = one % PRINTERS == 0
        visitor = Witness(day.address, one, record, is_reading=not prints)
        readers.append(Reader(visitor, [SHEET] if prints else pages, builders, think, one))
    crowd = [*builders, *readers, photographer]
    for person in crowd:
        person.start()
    try:
        # The nodes compile the game, and everybody has begun, before anything is counted.
        end = time.monotonic() + PATIENCE
        while not all(person.acknowledged for person in builders) and time.monotonic() < end:
            time.sleep(0.5)
        steps = []
        for fault in day.list_faults():
            steps.append(suffer(fault, record, seconds))
            print(f"{fault.name}: over", file=sys.stderr, flush=True)
    finally:
        for person in crowd:
            person.end = 0
    for person in crowd:
        person.join(timeout=PATIENCE)
    ends = [*(step.begin for step in steps[1:]), math.inf]
    for step, until in zip(steps, ends, strict=True):
        # Those in flight when a fault begins belong to it.
        step.requests.extend(one for one in record if step.begin <= one.end < until)
    return steps, builders


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.game_day")
    parser.add_argument("--people", type=int, default=40)
    parser.add_argument("--think", type=float, default=3.0)
    parser.add_argument("--seconds", type=float, default=30.0)
    args = parser.parse_args()
    if not 2 * BUILDERS <= args.people <= MOST_PEOPLE:
        parser.error(f"--people: choose {2 * BUILDERS} to {MOST_PEOPLE}; each has an address of its own")
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="armybuilder-game-day-")))
        # The servers of PostgreSQL belong to another account.
        folder.chmod(0o755)
        day = Day(folder, stack)
        steps, builders = play(day, args.people, args.think, args.seconds)
        names = read_names(day.nodes[1])
    print(f"{args.people} people, {args.think:g} s of thought, each fault for {args.seconds:g} s")
    for step in steps:
        print(step.describe())
    failover = steps[-1].find_first_edit() - steps[-1].mended
    outage = steps[-1].find_first_edit() - steps[-1].begin
    print(f"first edit {failover:.1f} s after the promotion began, {outage:.1f} s after the primary was killed")
    lost = [f"{person.public_id}: {name}" for person in builders for name in person.find_lost(names)]
    edits = sum(len(person.acknowledged) for person in builders)
    print(f"lost of {edits} acknowledged edits: {len(lost)}", *lost[:5], sep="\n  ")
    is_good = not lost and steps[0].share >= LEAST_SHARE and failover <= LONGEST_FAILOVER
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
