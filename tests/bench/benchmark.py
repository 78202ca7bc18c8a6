"""What benchmarks are made of.

A benchmark is a function that yields figures, registered by its name::

    @benchmark("evaluate")
    def evaluate_fifteen_units():
        times = measure(lambda: evaluate(ruleset, roster), times=200)
        yield Figure("full validation of 15 units", times, at_most=4)

A figure is printed in milliseconds and as a ratio: to the bare Django view of `bare/`, measured right before and right
after, or to another yardstick that the figure names itself. Only the ratios mean something on another machine.
"""

import math
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeVar

ONCE = "BENCH_ONCE"
"""Set in the environment of a run that is only to show that benchmarks come to their end."""

T = TypeVar("T")
BENCHMARKS: "dict[str, Callable[[], Iterator[Figure]]]" = {}


@dataclass(frozen=True)
class Times:
    """How long one thing took, again and again, in seconds and in ascending order."""

    seconds: tuple[float, ...]

    def percentile(self, share: float) -> float:
        return self.seconds[min(len(self.seconds) - 1, math.ceil(share * len(self.seconds)) - 1)]

    @property
    def p50(self) -> float:
        return self.percentile(0.50)

    @property
    def p99(self) -> float:
        return self.percentile(0.99)


@dataclass(frozen=True)
class Yardstick:
    """What a figure is compared with, when that is not the bare view."""

    name: str
    seconds: float


@dataclass(frozen=True)
class Figure:
    """One line of the table. `at_most` is the aim, counted in the yardstick, for that share of the times."""

    name: str
    times: Times
    at_most: float | None = None
    beside: Yardstick | None = None
    unit: str = "ms"
    share: float = 0.5


def benchmark(name: str) -> Callable[[Callable[[], Iterator[Figure]]], Callable[[], Iterator[Figure]]]:
    def register(function: Callable[[], Iterator[Figure]]) -> Callable[[], Iterator[Figure]]:
        if name in BENCHMARKS:
            raise ValueError(f"Two benchmarks are called {name!r}")
        BENCHMARKS[name] = function
        return function

    return register


def or_least(usual: T, once: T) -> T:
    """Return how often to do something, or what to do it with: the usual, or what is least where ONCE is set."""
    return once if os.environ.get(ONCE) else usual


def do_nothing() -> None:
    """Prepare nothing before what is timed."""


def measure(
    act: Callable[[], object], *, times: int, warm_up: int = 10, prepare: Callable[[], object] = do_nothing
) -> Times:
    """Time `act` over and over, and not what is done to `prepare` each. What they return is thrown away."""
    for _ in range(or_least(warm_up, 0)):
        prepare()
        act()
    taken = []
    for _ in range(or_least(times, 1)):
        prepare()
        begin = time.perf_counter()
        act()
        taken.append(time.perf_counter() - begin)
    return Times(tuple(sorted(taken)))
