"""Judge list cases: `python -m tests.cases FILE [--system NAME] [--skip-mode MODE]...`.

Exit status 0 only when none failed.
"""

import argparse
import sys
from pathlib import Path

from tests.cases.case_runner import Outcome, run


def main(arguments: list[str]) -> int:
    """Print each failed or skipped case, and the tally on the last line."""
    given = _options().parse_args(arguments)
    outcomes = [outcome for file in given.files for outcome in run(file, system=given.system, skipped=given.skip_mode)]
    for outcome in outcomes:
        if outcome.skipped or outcome.troubles:
            print(_line(outcome))
    failed = sum(bool(outcome.troubles) for outcome in outcomes)
    skipped = sum(bool(outcome.skipped) for outcome in outcomes)
    print(f"{len(outcomes) - failed - skipped} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.cases", description=__doc__)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--system", default="", metavar="NAME", help="cases of this game only")
    parser.add_argument("--skip-mode", action="append", default=[], metavar="MODE", help="leave these out")
    return parser


def _line(outcome: Outcome) -> str:
    if outcome.skipped:
        return f"skipped {outcome.name}: {outcome.skipped}"
    return f"FAILED {outcome.name}: {'; '.join(outcome.troubles)}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
