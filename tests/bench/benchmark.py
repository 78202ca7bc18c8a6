"""What benchmarks are made of.

A benchmark is a function that yields figures, registered by its name::

    @benchmark("evaluate")
    def evaluate_fifteen_units():
        times = measure(lambda: evaluate(ruleset, roster), times=200)
        yield Figure("full validation of 15 units", times, at_most=4)

A figure is printed in milliseconds and as a ratio: to the bare Django view of `bare/`, looked at again and again while
the figure is measured, or to another yardstick that the figure names itself. Only the ratios mean something on another
machine, and one that is shared may be half as fast a second later.
"""

import math
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

ONCE = "BENCH_ONCE"
"""Set in the environment of a run that is only to show that benchmarks come to their end."""

T = TypeVar("T")
BENCHMARKS: "dict[str, Callable[[], Iterator[Figure]]]" = {}


@dataclass(frozen=True)
class Times:
    """How long one thing took, again and again, in seconds and in ascending order; and the bare view beside it."""

    seconds: tuple[float, ...]
    bare: tuple[float, ...] = ()

    @property
    def bare_p50(self) -> float | None:
        """The middle of the bare view meanwhile; None where it was not looked at."""
        return Times(self.bare).p50 if self.bare else None

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


AT_ONCE = 10
"""So many times something is done before it is the bare view's turn, and as often that is looked at."""
_bare_looks: list[Callable[[], object]] = []


@contextmanager
def look_in_turns(look: Callable[[], object]) -> Iterator[None]:
    """Have `look`, one look at the bare view, timed in turns with all that is measured meanwhile."""
    _bare_looks.append(look)
    try:
        yield
    finally:
        _bare_looks.remove(look)


def time_once(act: Callable[[], object]) -> float:
    begin = time.perf_counter()
    act()
    return time.perf_counter() - begin


def measure(
    act: Callable[[], object], *, times: int, warm_up: int = 10, prepare: Callable[[], object] = do_nothing
) -> Times:
    """Time `act` over and over, in turns with the bare view, and not what is done to `prepare` each.

    What they return is thrown away.
    """
    for _ in range(or_least(warm_up, 0)):
        prepare()
        act()
    taken: list[float] = []
    bare: list[float] = []
    for number in range(or_least(times, 1)):
        if number % AT_ONCE == 0:
            bare += [time_once(look) for look in _bare_looks * AT_ONCE]
        prepare()
        taken.append(time_once(act))
    return Times(tuple(sorted(taken)), tuple(sorted(bare)))
