"""Run the benchmarks: `python -m tests.bench [NAME...] [--once] [--strict]`."""

import argparse
import importlib
import os
import pkgutil
import sys
from collections.abc import Callable

import django

import tests.bench
from tests.bench.bare_view import bare_view
from tests.bench.benchmark import BENCHMARKS, ONCE, Figure, Times, Yardstick

BARE_TIMES = 400


def row(name: str, p50: str, p99: str, ratio: str, aim: str) -> str:
    return f"{name:<58} {p50:>10} {p99:>10}   {ratio:<28} {aim}".rstrip()


def line(figure: Figure, bare: float) -> tuple[str, bool]:
    """Return the figure as a row and whether it meets its aim; `bare` is for figures measured without the bare view."""
    beside = figure.beside or Yardstick("bare views", figure.times.bare_p50 or bare)
    unit, seconds = beside.name, beside.seconds
    ratio = figure.times.percentile(figure.share) / seconds
    kept = figure.at_most is None or ratio <= figure.at_most
    aim = "" if figure.at_most is None else f"at most {figure.at_most:g}: {'kept' if kept else 'MISSED'}"
    cells = milliseconds(figure.times) if figure.unit == "ms" else (f"{figure.times.p50:.1f} {figure.unit}", "")
    return row(figure.name, *cells, f"{ratio:.2f} {unit}", aim), kept


def milliseconds(times: Times) -> tuple[str, str]:
    return f"{times.p50 * 1000:.2f} ms", f"{times.p99 * 1000:.2f} ms"


def run(names: list[str], measure_bare: Callable[[int], Times]) -> bool:
    """Run benchmarks, with the bare view before and after each figure; return whether all aims are met."""
    print(row("", "p50", "p99", "p50 as a ratio", "aim"))
    all_kept = True
    first = milliseconds(measure_bare(BARE_TIMES))
    print(row("a bare Django view: session, login, one query", *first, "1 bare view", ""))
    for name in names:
        before = measure_bare(BARE_TIMES)
        for figure in BENCHMARKS[name]():
            # Only for figures that were not timed in turns with the bare view.
            after = before if figure.beside or figure.times.bare else measure_bare(BARE_TIMES)
            text, kept = line(figure, (before.p50 + after.p50) / 2)
            print(text, flush=True)
            all_kept = all_kept and kept
            before = after
    print(row("the bare Django view once more", *milliseconds(measure_bare(BARE_TIMES)), "", ""))
    return all_kept


def load_benchmarks() -> None:
    for module in pkgutil.iter_modules(tests.bench.__path__):
        if module.name not in {"__main__", "bare", "databases", "filling", "settings"}:
            importlib.import_module(f"tests.bench.{module.name}")


def main() -> int:
    load_benchmarks()
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description="Print the benchmarks.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"which: {', '.join(sorted(BENCHMARKS)) or 'none'}")
    parser.add_argument("--once", action="store_true", help="each thing once, to see that it comes to its end")
    parser.add_argument("--strict", action="store_true", help="exit status 1 when an aim is missed")
    chosen = parser.parse_args()
    if chosen.once:
        os.environ[ONCE] = "1"
    if unknown := [name for name in chosen.names if name not in BENCHMARKS]:
        parser.error(f"no benchmark is called {', '.join(unknown)}; there are: {', '.join(sorted(BENCHMARKS))}")
    with bare_view() as measure_bare:
        kept = run(chosen.names or sorted(BENCHMARKS), measure_bare)
    return 1 if chosen.strict and not kept else 0


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "armybuilder.settings.test")
    django.setup()
    sys.exit(main())
