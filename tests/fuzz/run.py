"""Send random requests in this process, and report each that ends in an error of ours."""

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
"""This many requests build on one another before their changes are rolled back."""
ADMITTED = (501, 503)
"""Accepted statuses: without a solver, or while the renderer is busy, with a time to retry."""


@dataclass(frozen=True)
class Fault:
    """A request that failed, its place in the code, and how to repeat it."""

    number: int
    request: Fuzzed
    status: int
    trace: str

    @property
    def place(self) -> str:
        """A key that is the same for all requests that fail in the same way."""
        lines = [line.strip() for line in self.trace.splitlines() if line.strip()]
        return "\n".join([line for line in lines if line.startswith("File")][-1:] + lines[-1:])[:400]


def send_request(world: World, request: Fuzzed, number: int = 0) -> Fault | None:
    """Send a request as its user, and return what is wrong with the answer."""
    client = Client(raise_request_exception=False)
    # The header replaces all cookies, as a browser's does.
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
    """Send the requests with these numbers. They depend only on seed and number, except for the world's ids."""
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
