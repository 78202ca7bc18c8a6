"""Send drawn requests in this process, and tell of each that ends in an error of ours."""

import sys
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from django.core.cache import cache
from django.core.signals import got_request_exception
from django.db import transaction
from django.http.cookie import SimpleCookie
from django.test import Client
from django.utils import translation

from tests.fuzz.requests import Fuzzed, draw_request
from tests.fuzz.world import World

TOGETHER = 100
"""How many requests build on one another before all that they changed is taken back."""
ADMITTED = (501, 503)
"""There is no solver; the renderer is busy: the site says so, and when to come back."""


@dataclass(frozen=True)
class Fault:
    """A request that failed, where in the code, and how to send it again."""

    number: int
    request: Fuzzed
    status: int
    trace: str

    @property
    def place(self) -> str:
        """The same for all requests that fail in one way."""
        lines = [line.strip() for line in self.trace.splitlines() if line.strip()]
        return "\n".join([line for line in lines if line.startswith("File")][-1:] + lines[-1:])[:400]


def send_request(world: World, request: Fuzzed, number: int = 0) -> Fault | None:
    """Send a request as the one who asks, and return what is wrong with the answer."""
    client = Client(raise_request_exception=False)
    # As the header of a browser has them: one of its own replaces them.
    client.cookies = SimpleCookie(world.cookies[request.who].output(header="", sep=";"))
    traces: list[str] = []

    def note(**_: Any) -> None:
        traces.append(traceback.format_exc())

    got_request_exception.connect(note)
    try:
        answer = client.generic(
            request.method, request.address, request.body, request.content_type, headers=request.headers
        )
        if answer.streaming:
            # Files are written while they are sent.
            b"".join(answer.streaming_content)
        status = answer.status_code
    except Exception:
        traces.append(traceback.format_exc())
        status = 500
    finally:
        got_request_exception.disconnect(note)
        translation.deactivate()
    if status < 500 or status in ADMITTED:
        return None
    return Fault(number, request, status, traces[-1] if traces else "")


def run_requests(world: World, seed: str, numbers: range) -> Iterator[Fault]:
    """Send the requests of these numbers. Seed and number alone decide what is drawn; the ids in it are the world's."""
    for first in range(numbers.start, numbers.stop, TOGETHER):
        cache.clear()
        if first % 1000 == 0:
            sys.stderr.write(f"request {first}\n")
        with transaction.atomic():
            for number in range(first, min(first + TOGETHER, numbers.stop)):
                request = draw_request(Random(f"{seed} {number}"), world)
                with transaction.atomic():
                    fault = send_request(world, request, number)
                    transaction.set_rollback(fault is not None)
                if fault:
                    yield fault
            transaction.set_rollback(True)
