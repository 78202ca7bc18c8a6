"""Run every roster spec below a folder: `python -m tests.conformance DIR`. Exit status 0 if none failed."""

import sys
from collections import Counter
from pathlib import Path

from tests.conformance.spec_runner import run, specs_below


def main(arguments: list[str]) -> int:
    """Print passes per category, the first difference of each failing spec, and the tally."""
    if len(arguments) != 1:
        print("usage: python -m tests.conformance DIR")
        return 2
    outcomes = [run(path) for path in specs_below(Path(arguments[0]))]
    ran = [outcome for outcome in outcomes if outcome.was_run]
    failed = [outcome for outcome in ran if outcome.found]
    passes = Counter(outcome.category for outcome in ran if not outcome.found)
    totals = Counter(outcome.category for outcome in ran)
    for category in sorted(totals):
        print(f"{category:20} {passes[category]:3} of {totals[category]}")
    for outcome in failed:
        print(f"FAILED {outcome.category}/{outcome.name}: {outcome.found}")
    for outcome in outcomes:
        if not outcome.was_run:
            print(f"not run {outcome.category}/{outcome.name}: {outcome.found}")
    print(f"{len(ran) - len(failed)} passed, {len(failed)} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
