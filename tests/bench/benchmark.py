"""The parts of benchmarks.

A benchmark is a function that yields figures, registered by its name::

    @benchmark("evaluate")
    def evaluate_fifteen_units():
        times = measure(lambda: evaluate(ruleset, roster), times=200)
        yield Figure("full validation of 15 units", times, at_most=4)

A figure is printed in milliseconds and as a ratio to the bare Django view of `bare/`, measured in turns with it, or to
another yardstick. Compare only ratios between machines, or between moments on a shared one.
"""

import math
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

ONCE = "BENCH_ONCE"
"""Set in the environment of a run that only shows that the benchmarks work."""

T = TypeVar("T")
BENCHMARKS: "dict[str, Callable[[], Iterator[Figure]]]" = {}


@dataclass(frozen=True)
class Times:
    """A thing's repeated times in seconds, in ascending order, and the bare view's."""

    seconds: tuple[float, ...]
    bare: tuple[float, ...] = ()

    @property
    def bare_p50(self) -> float | None:
        """The bare view's median meanwhile; None if it was not measured."""
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
    name: str
    seconds: float


@dataclass(frozen=True)
class Figure:
    """A line of the table. `at_most` is the aim, in yardsticks, for a share of the times."""

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
    return once if os.environ.get(ONCE) else usual


def do_nothing() -> None:
    """Prepare nothing."""


AT_ONCE = 10
"""This many measurements come before the same number of bare views."""
_bare_looks: list[Callable[[], object]] = []


@contextmanager
def look_in_turns(look: Callable[[], object]) -> Iterator[None]:
    """Time `look`, the bare view, in turns with everything measured meanwhile."""
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
    """Time `act` repeatedly, in turns with the bare view; `prepare` is not timed."""
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
