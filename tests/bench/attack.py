"""Measure how long users wait while one address sends the costliest judgements without end."""

import json
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException
from multiprocessing import get_context
from multiprocessing.queues import Queue
from pathlib import Path

from tests.bench.benchmark import Figure, Times, Yardstick, benchmark, or_least
from tests.bench.builder_edit import Builder
from tests.service.site import Site, open_site

GAME, FACTION = "reeds-and-rust", "marsh-compact"
JSON = "application/json"
Address = tuple[str, int]
Answers = Counter[tuple[int, bool]]
"""How often each status was answered, and whether with Retry-After."""


def write_list(detachments: Sequence[Sequence[str]]) -> bytes:
    chosen = [{"detachment": "standard", "units": list(units)} for units in detachments]
    document = {"list": 1, "game": GAME, "faction": FACTION, "limits": {"points": 100_000}, "detachments": chosen}
    return json.dumps(document, separators=(",", ":")).encode()


def list_requests() -> list[tuple[str, str, bytes]]:
    """List requests up to 22 kB, among the costliest known: address, type and body.

    Many incomplete detachments cost most, because each is checked for completion, then lists with the maximum number of
    units.
    """
    lacking, lacking_more = write_list([()] * 60), write_list([()] * 450)
    full = write_list([["night-ferry"] * 20] * 60)
    half = write_list([["lock-warden", "punt-crew"]] * 60)
    paste = "Crowd\nReeds & Rust\nMarsh Compact\n\n" + "\n".join(["Punt Crew (20)"] * 1_400)
    return [
        *((f"/api/v1/{name}", JSON, lacking) for name in ("check", "addable", "repair", "fill", "complete")),
        *((f"/api/v1/{name}", JSON, full) for name in ("check", "addable")),
        *((f"/api/v1/{name}", JSON, half) for name in ("check", "fill")),
        ("/api/v1/check", JSON, lacking_more),
        ("/api/v1/read", "text/plain", paste.encode()),
    ]


def attack(address: Address, parallel: int, seconds: float, attacker: str, answers: "Queue[Answers]") -> None:
    """Send the requests repeatedly from one address, in parallel; count the answers in `answers`."""
    end = time.monotonic() + seconds
    counted: Answers = Counter()

    def send(first: int) -> None:
        requests = list_requests()
        number = first
        connection = HTTPConnection(*address, timeout=120)
        while time.monotonic() < end:
            path, media, body = requests[number % len(requests)]
            number += 1
            try:
                connection.request(
                    "POST", path, body, {"Content-Type": media, "X-Forwarded-For": attacker, "Host": "localhost"}
                )
                response = connection.getresponse()
                response.read()
            except (OSError, HTTPException):
                connection.close()
                counted[0, False] += 1
            else:
                counted[response.status, "Retry-After" in response.headers] += 1

    threads = [threading.Thread(target=send, args=(number,)) for number in range(parallel)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    answers.put(counted)


@contextmanager
def attacked(address: Address, parallel: int, seconds: float) -> Iterator[Callable[[], Answers]]:
    """Attack a site for some seconds; return a function that waits for the end and returns the attacker's answers.

    Each value of `parallel` uses another address, so that no rate limit is used up before.
    """
    context = get_context("spawn")
    answers: Queue[Answers] = context.Queue()
    process = context.Process(
        target=attack, args=(address, parallel, seconds, f"198.51.100.{parallel}", answers), daemon=True
    )
    process.start()
    try:
        yield lambda: answers.get(timeout=seconds + 180)
    finally:
        process.join(timeout=60)
        process.kill()


class Neighbours:
    """Other users, each at their own address: they look at games, build a list and look at its public page."""

    def __init__(self, site: Site, number: int = 2) -> None:
        self.taken: list[float] = []
        self.wrong: list[str] = []
        self.builders = [Builder(site.visit(f"203.0.113.{one}")) for one in range(1, number + 1)]
        for builder in self.builders:
            builder.look()

    def act(self, seconds: float, pause: float = 0.05) -> Times:
        self.taken = []
        threads = [threading.Thread(target=self._act_alone, args=(one, seconds, pause)) for one in self.builders]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return Times(tuple(sorted(self.taken)))

    def _act_alone(self, builder: Builder, seconds: float, pause: float) -> None:
        link = f"/r/{builder.address.split('/')[2]}/"
        end, step = time.monotonic() + seconds, 0
        while time.monotonic() < end:
            step += 1
            acts: dict[str, Callable[[], object]] = {
                "games": lambda: self._get(builder, "/games/"),
                "builder": builder.look,
                "edit": lambda step=step: builder.edit(do="rename", node="", text=f"Step {step}"),
                "public page": lambda: self._get(builder, link),
            }
            for name, act in acts.items():
                begin = time.perf_counter()
                try:
                    act()
                except (OSError, HTTPException, AssertionError, AttributeError) as error:
                    self.wrong.append(f"{name}: {error!r}"[:200])
                else:
                    self.taken.append(time.perf_counter() - begin)
                time.sleep(pause)

    def _get(self, builder: Builder, path: str) -> None:
        status, _ = builder.visitor.get(path)
        assert status == 200, status


@benchmark("attack")
def under_attack() -> Iterator[Figure]:
    seconds = or_least(20.0, 2.0)
    with tempfile.TemporaryDirectory(prefix="armybuilder-attack-") as folder, open_site(Path(folder)) as site:
        site.start()
        neighbours = Neighbours(site)
        neighbours.act(or_least(3.0, 0.5))
        idle = neighbours.act(seconds)
        with attacked(site.address, 20, seconds + 2) as wait_for_answers:
            time.sleep(1)
            times = neighbours.act(seconds)
            answers = wait_for_answers()
        if neighbours.wrong:
            raise RuntimeError(f"Others were refused: {neighbours.wrong[:5]}")
    name = f"others beside 20 attackers of one address ({sum(answers.values())} answers)"
    yield Figure(name, times, 10, Yardstick("of their p95 without", idle.percentile(0.95)), share=0.95)
