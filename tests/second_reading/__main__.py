"""Judge changed lists twice: `python -m tests.second_reading [--game PACK] [--per-list N]`.

Exit status 0 if the engine and the second readings agree on all of them.
"""

import argparse
import sys

import django

django.setup()

from tests.second_reading.judging import hold  # noqa: E402 - Django has to be set up first
from tests.second_reading.readings import READINGS  # noqa: E402 - the same


def main(arguments: list[str]) -> int:
    given = _options().parse_args(arguments)
    judged = disputed = 0
    for reading in READINGS:
        if given.game in ("", reading.pack):
            tally = hold(reading, given.per_list)
            for line in tally.disputed[: given.show]:
                print(line)
            print(
                f"{reading.pack}: {tally.judged} lists, {tally.legal} of them legal, {tally.refused} unreadable, "
                f"{sum(tally.excused.values())} excused, {len(tally.disputed)} disputed"
            )
            for rule in sorted(reading.covers):
                print(f"  {rule}: broken by {tally.broken[rule]}")
            judged += tally.judged
            disputed += len(tally.disputed)
    print(f"{judged - disputed} passed, {disputed} failed")
    return 1 if disputed or not judged else 0


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.second_reading", description=__doc__)
    parser.add_argument("--game", default="", metavar="PACK", help="this pack only")
    parser.add_argument("--per-list", type=int, default=400, metavar="N", help="changes of each worked list")
    parser.add_argument("--show", type=int, default=20, metavar="N", help="disputed lists to print of a game")
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
