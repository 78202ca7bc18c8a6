"""Users build, share and print lists on a local server for a limited time.

    python -m tests.bench.load [--users 200] [--think 5] [--seconds 300] [--nodes 2 | --compare]

Twenty users share an address. Each starts a list, edits it with pauses, looks at its public page, and prints it once.
They repeat a request that the site refuses for now, as its page asks them to; the output counts these refusals.
The database is new, on the server of DATABASE_URL or a file. With two nodes, nginx sends requests to them in turn, and
one is killed in the middle. The output has the time of each act compared with a bare Django view, processor time per
answer, memory, errors, and lost edits; the exit code is 1 if an acknowledged edit is lost, or if there are errors other
than of requests in flight when the node was killed.

With `--compare`, none is killed. The same people are served by one of two nodes, by both, by both again, and by one,
for a quarter of the time each, and nobody prints. The output has the processor time of an act in each quarter.
"""

import argparse
import math
import os
import random
import re
import sys
import tempfile
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from http.client import HTTPException
from pathlib import Path
from typing import NamedTuple

from tests.bench.bare_view import bare_view
from tests.bench.benchmark import Times
from tests.bench.builder_edit import Builder
from tests.bench.serving import Visitor
from tests.service.nodes import Address, Crash, Proxy, kill_node, open_nodes, read_names, serve_proxy
from tests.service.object_storage import serve_bucket
from tests.service.site import Site, open_site

BARE_TIMES = 200
PATIENCE = 120
"""Seconds that a user goes on repeating a refused request."""
REASON = re.compile(rb'<p class="lead" id="detail">(.*?)</p>', re.DOTALL)
SETTLED = 3
"""Seconds until requests of before a change of nodes are answered."""
CLUB = 20
"""This many users share an address."""
TICKS = os.sysconf("SC_CLK_TCK")


class Failure(NamedTuple):
    """An act that failed, and when it began and ended."""

    text: str
    begin: float
    end: float


class Tally:
    def __init__(self) -> None:
        self.taken: dict[str, list[float]] = defaultdict(list)
        self.failures: list[Failure] = []
        self.refusals: Counter[str] = Counter()

    def time(self, what: str, act: Callable[[], object]) -> bool:
        """Return whether the act succeeded."""
        begin = time.monotonic()
        try:
            act()
        except (OSError, HTTPException, AssertionError, AttributeError) as error:
            self.failures.append(Failure(f"{what}: {error!r}"[:200], begin, time.monotonic()))
            return False
        self.taken[what].append(time.monotonic() - begin)
        return True


class PatientVisitor(Visitor):
    """A visitor who repeats what the site refuses for now, after the pause that it asks for."""

    def __init__(self, address: Address, forwarded_for: str, tally: Tally) -> None:
        super().__init__(address, forwarded_for)
        self.tally = tally

    def _send(self, method: str, path: str, body: bytes | None, headers: Mapping[str, str]) -> tuple[int, bytes]:
        end = time.monotonic() + PATIENCE
        status, page = super()._send(method, path, body, headers)
        while status in (429, 503) and self.pause and time.monotonic() < end:
            self.tally.refusals[f"{method} {name_view(path)}: {status} {read_reason(page)}"] += 1
            time.sleep(self.pause)
            status, page = super()._send(method, path, body, headers)
        if status >= 400:
            self.tally.refusals[f"{method} {name_view(path)}: {status} for good, {read_reason(page)}"] += 1
        return status, page


def name_view(path: str) -> str:
    return re.sub(r"/[\w-]{22}/", "/.../", path.partition("?")[0])


def read_reason(page: bytes) -> str:
    """Return the words of a page that refuses a request, without their numbers."""
    match = REASON.search(page)
    words = (match[1] if match else page[:200]).decode(errors="replace")
    return re.sub(r"\d+", "N", " ".join(words.split()))


class Person(threading.Thread):
    """A user who waits `think` seconds on average between acts, until the end."""

    def __init__(self, visitor: Visitor, tally: Tally, think: float, end: float, number: int) -> None:
        super().__init__(daemon=True)
        self.visitor, self.tally, self.think, self.end = visitor, tally, think, end
        self.dice = random.Random(number)
        self.prints_at = self.dice.randrange(2, 20)
        self.public_id = ""
        self.acknowledged: list[str] = []
        """The names that were stored according to an answer."""

    def run(self) -> None:
        time.sleep(self.dice.uniform(0, self.think))
        self.tally.time("start a list", self.start_list)
        if not hasattr(self, "builder"):
            return
        step = 0
        while time.monotonic() < self.end:
            time.sleep(self.dice.uniform(0.5, 1.5) * self.think)
            step += 1
            if step == self.prints_at:
                self.tally.time("print", self.print_list)
            elif step % 4 == 0:
                self.tally.time("public page", self.look_at_link)
            else:
                self.rename_list(f"Step {step}")

    def start_list(self) -> None:
        builder = Builder(self.visitor)
        builder.look()
        self.public_id = builder.address.split("/")[2]
        self.link = f"/r/{self.public_id}/"
        self.builder = builder

    def find_lost(self, names: dict[str, list[str]]) -> list[str]:
        """Return acknowledged names that are not in the list's history exactly once."""
        history = names.get(self.public_id, [])
        return [name for name in self.acknowledged if history.count(name) != 1]

    def rename_list(self, name: str) -> None:
        if self.tally.time("edit", lambda: self.builder.edit(do="rename", node="", text=name)):
            self.acknowledged.append(name)
        else:
            # The name may be stored without an answer: a new page shows the list as it is.
            self.tally.time("look again", self.builder.look)

    def look_at_link(self) -> None:
        assert self.visitor.get(self.link)[0] == 200

    def print_list(self) -> None:
        status, page = self.visitor.get(self.link + "sheet.pdf")
        assert status == 200, (status, read_reason(page))


class ServerProcess(NamedTuple):
    """A server process: processor seconds used and memory held."""

    seconds: float
    mebibytes: int


def list_processes(site: Site) -> list[ServerProcess]:
    groups = {process.pid for process in site.processes}
    processes = []
    for folder in Path("/proc").iterdir():
        try:
            fields = (folder / "stat").read_text().rsplit(")", 1)[1].split() if folder.name.isdigit() else []
        except OSError:  # ended meanwhile
            continue
        if fields and int(fields[2]) in groups:
            seconds = (int(fields[11]) + int(fields[12])) / TICKS
            processes.append(ServerProcess(seconds, int(fields[21]) * os.sysconf("SC_PAGE_SIZE") // 1024**2))
    return processes


def measure_processes(site: Site) -> tuple[float, int]:
    """Return the processor seconds and largest resident MiB of any server process so far."""
    processes = list_processes(site)
    return sum(process.seconds for process in processes), max(process.mebibytes for process in processes)


class Load(NamedTuple):
    """What people did on a site, processor seconds of its processes, and the memory of the largest over time."""

    tally: Tally
    people: list[Person]
    processor: float
    memory: list[int]
    crash: Crash | None


def gather_people(address: Address, tally: Tally, users: int, think: float, end: float) -> list[Person]:
    visitors = [PatientVisitor(address, f"203.0.113.{1 + number // CLUB}", tally) for number in range(users)]
    return [Person(visitor, tally, think, end, number) for number, visitor in enumerate(visitors)]


def play(sites: list[Site], address: Address, users: int, think: float, seconds: float) -> Load:
    """Let users act on a site; of several nodes, kill the first in the middle."""
    tally, begin = Tally(), time.monotonic()
    people = gather_people(address, tally, users, think, begin + seconds)
    running, crash = list(sites), None
    processor = -sum(measure_processes(site)[0] for site in running)
    for person in people:
        person.start()
    memory = []
    while any(person.is_alive() for person in people) and time.monotonic() < begin + seconds + PATIENCE:
        memory.append(max(measure_processes(site)[1] for site in running))
        if len(running) > 1 and time.monotonic() > begin + seconds / 2:
            processor += measure_processes(running[0])[0]
            crash = kill_node(running.pop(0))
        time.sleep(max(1.0, seconds / 20))
    return Load(tally, people, processor + sum(measure_processes(site)[0] for site in running), memory, crash)


class Stretch(NamedTuple):
    """Acts while a number of nodes served, and the processor seconds of all nodes."""

    nodes: int
    acts: int
    processor: float


def compare(nodes: list[Site], front: Proxy, users: int, think: float, seconds: float) -> list[Stretch]:
    """Let users act on one of two nodes, on both, on both again, and on one."""
    tally = Tally()
    people = gather_people(front.address, tally, users, think, math.inf)
    for person in people:
        person.prints_at = 0
        person.start()
    stretches = []
    try:
        # Both nodes compile the game and fill their caches before anything is measured.
        time.sleep(seconds / 4)
        for number in (1, 2, 2, 1):
            front.drain(None if number > 1 else nodes[1])
            time.sleep(SETTLED)
            acts, processor = _count(tally), sum(measure_processes(node)[0] for node in nodes)
            time.sleep(seconds / 4)
            used = sum(measure_processes(node)[0] for node in nodes) - processor
            stretches.append(Stretch(number, _count(tally) - acts, used))
    finally:
        for person in people:
            person.end = 0
    for person in people:
        person.join(timeout=PATIENCE)
    assert not tally.failures, tally.failures[:5]
    return stretches


def _count(tally: Tally) -> int:
    return sum(map(len, list(tally.taken.values())))


def report_comparison(stretches: list[Stretch]) -> str:
    """Return the processor time of an act in each stretch, and on two nodes compared with one."""
    lines = [f"{one.nodes} nodes: {one.acts} acts, {one.processor / one.acts * 1000:.1f} ms each" for one in stretches]
    costs = {}
    for nodes in (1, 2):
        chosen = [one for one in stretches if one.nodes == nodes]
        costs[nodes] = sum(one.processor for one in chosen) / sum(one.acts for one in chosen)
    return "\n".join([*lines, f"an act on two nodes costs {costs[2] / costs[1]:.2f} times that on one"])


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.load")
    parser.add_argument("--users", type=int, default=200)
    parser.add_argument("--think", type=float, default=5.0)
    parser.add_argument("--seconds", type=float, default=300.0)
    parser.add_argument("--nodes", type=int, choices=(1, 2), default=1)
    parser.add_argument("--compare", action="store_true")
    args = parser.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="armybuilder-load-")))
        bare = stack.enter_context(bare_view())(BARE_TIMES).p50
        if args.nodes > 1 or args.compare:
            sites = stack.enter_context(open_nodes(folder, stack.enter_context(serve_bucket())))
            front = stack.enter_context(serve_proxy(folder, sites))
            address = front.address
        else:
            sites = [stack.enter_context(open_site(folder))]
            address = sites[0].address
        for site in sites:
            # One worker polls the queues, so that idle workers do not count as the cost of a second node.
            site.start(worker=not args.compare or site is sites[0])
        if args.compare:
            print(report_comparison(compare(sites, front, args.users, args.think, args.seconds)))
            return 0
        tally, people, processor, memory, crash = play(sites, address, args.users, args.think, args.seconds)
        names = read_names(sites[-1])
    number = sum(map(len, tally.taken.values()))
    print(f"{args.users} people, {args.think:g} s of thought, {args.seconds:g} s; a bare view {bare * 1000:.1f} ms")
    for what, taken in sorted(tally.taken.items()):
        times = Times(tuple(sorted(taken)))
        percentiles = "  ".join(f"p{share} {times.percentile(share / 100) / bare:7.1f}" for share in (50, 95, 99))
        print(f"{what:<14} {len(taken):>6} times   {percentiles}   bare views")
    print(f"processor: {processor:.1f} s, {processor / max(1, number) * 1000:.1f} ms an act ({number} acts)")
    print(f"largest process: {memory[0]} MiB at first, {memory[-1]} MiB at last")
    in_flight = [one.text for one in tally.failures if crash and crash.has_hit(one.begin, one.end)]
    others = [one.text for one in tally.failures if not (crash and crash.has_hit(one.begin, one.end))]
    if crash:
        print(f"failed in flight when a node was killed: {len(in_flight)}", *in_flight[:5], sep="\n  ")
    lost = [f"{person.public_id}: {name}" for person in people for name in person.find_lost(names)]
    edits = sum(len(person.acknowledged) for person in people)
    print(f"lost of {edits} acknowledged edits: {len(lost)}", *lost[:5], sep="\n  ")
    print(f"refused for now, and repeated: {tally.refusals.total()}")
    for reason, number in tally.refusals.most_common():
        print(f"  {number:>6} times  {reason}")
    print(f"wrong: {len(others)}", *others[:5], sep="\n  ")
    return 1 if others or lost else 0


if __name__ == "__main__":
    sys.exit(main())
