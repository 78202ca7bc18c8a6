"""Users build, share and print lists on a local server for a limited time.

    python -m tests.bench.load [--users 200] [--think 5] [--seconds 300]

Twenty users share an address. Each starts a list, edits it with pauses, looks at its public page, and prints it once.
The database is new, on the server of DATABASE_URL or a file. The output has the time of each act compared with a bare
Django view, processor time per answer, memory, and errors; the exit code is 1 if there are errors.
"""

import argparse
import os
import random
import sys
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Callable
from http.client import HTTPException
from pathlib import Path
from typing import NamedTuple

from tests.bench.bare_view import bare_view
from tests.bench.benchmark import Times
from tests.bench.builder_edit import Builder
from tests.service.site import Site, open_site

BARE_TIMES = 200
PRINT_PATIENCE = 120
CLUB = 20
"""This many users share an address."""
TICKS = os.sysconf("SC_CLK_TCK")


class Tally:
    def __init__(self) -> None:
        self.taken: dict[str, list[float]] = defaultdict(list)
        self.wrong: list[str] = []

    def time(self, what: str, act: Callable[[], object]) -> None:
        begin = time.perf_counter()
        try:
            act()
        except (OSError, HTTPException, AssertionError, AttributeError) as error:
            self.wrong.append(f"{what}: {error!r}"[:200])
        else:
            self.taken[what].append(time.perf_counter() - begin)


class Person(threading.Thread):
    """A user who waits `think` seconds on average between acts, until the end."""

    def __init__(self, site: Site, tally: Tally, think: float, end: float, number: int) -> None:
        super().__init__(daemon=True)
        self.site, self.tally, self.think, self.end = site, tally, think, end
        self.number, self.dice = number, random.Random(number)

    def run(self) -> None:
        time.sleep(self.dice.uniform(0, self.think))
        self.tally.time("start a list", self.start_list)
        if not hasattr(self, "builder"):
            return
        prints_at = self.dice.randrange(2, 20)
        step = 0
        while time.monotonic() < self.end:
            time.sleep(self.dice.uniform(0.5, 1.5) * self.think)
            step += 1
            if step == prints_at:
                self.tally.time("print", self.print_list)
            elif step % 4 == 0:
                self.tally.time("public page", self.look_at_link)
            else:
                self.tally.time("edit", lambda step=step: self.builder.edit(do="rename", node="", text=f"Step {step}"))

    def start_list(self) -> None:
        builder = Builder(self.site.visit(f"203.0.113.{1 + self.number // CLUB}"))
        builder.look()
        self.link = f"/r/{builder.address.split('/')[2]}/"
        self.builder = builder

    def look_at_link(self) -> None:
        assert self.builder.visitor.get(self.link)[0] == 200

    def print_list(self) -> None:
        end = time.monotonic() + PRINT_PATIENCE
        while (status := self.builder.visitor.get(self.link + "sheet.pdf")[0]) == 503 and time.monotonic() < end:
            time.sleep(2)
        assert status == 200, status


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


def play(site: Site, users: int, think: float, seconds: float) -> tuple[Tally, float, list[int]]:
    """Let users act on a site; return results, processor seconds, and memory over time."""
    tally, end = Tally(), time.monotonic() + seconds
    people = [Person(site, tally, think, end, number) for number in range(users)]
    before, _ = measure_processes(site)
    for person in people:
        person.start()
    memory = []
    while any(person.is_alive() for person in people) and time.monotonic() < end + PRINT_PATIENCE:
        memory.append(measure_processes(site)[1])
        time.sleep(max(1.0, seconds / 20))
    return tally, measure_processes(site)[0] - before, memory


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.load")
    parser.add_argument("--users", type=int, default=200)
    parser.add_argument("--think", type=float, default=5.0)
    parser.add_argument("--seconds", type=float, default=300.0)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="armybuilder-load-") as folder, bare_view() as measure_bare:
        bare = measure_bare(BARE_TIMES).p50
        with open_site(Path(folder)) as site:
            site.start(worker=True)
            tally, processor, memory = play(site, args.users, args.think, args.seconds)
    number = sum(map(len, tally.taken.values()))
    print(f"{args.users} people, {args.think:g} s of thought, {args.seconds:g} s; a bare view {bare * 1000:.1f} ms")
    for what, taken in sorted(tally.taken.items()):
        times = Times(tuple(sorted(taken)))
        percentiles = "  ".join(f"p{share} {times.percentile(share / 100) / bare:7.1f}" for share in (50, 95, 99))
        print(f"{what:<14} {len(taken):>6} times   {percentiles}   bare views")
    print(f"processor: {processor:.1f} s, {processor / max(1, number) * 1000:.1f} ms an act ({number} acts)")
    print(f"largest process: {memory[0]} MiB at first, {memory[-1]} MiB at last")
    print(f"wrong: {len(tally.wrong)}", *tally.wrong[:5], sep="\n  ")
    return 1 if tally.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
