"""Read every list of a manifest, and print which are read to the last line.

`python -m tests.lists DIR` reads `DIR/manifest.json`: `[{"file": ..., "layout": ..., "units": 16, "total": 1995}]`. A
list passes if no line is unread or guessed, it has the stated number of units, and its unit points add up to its total,
if it states one. `--show` prints the reading of each line.
"""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from roster.formats.text.parse import parse_text
from roster.formats.text.pasted import PastedText, Reading

SIGNS = {Reading.UNDERSTOOD: " ", Reading.GUESSED: "?", Reading.UNREAD: "!"}


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.lists", description=__doc__)
    parser.add_argument("folder", type=Path, metavar="DIR", help="the folder with manifest.json and its lists")
    parser.add_argument("--show", action="store_true", help="print what became of each line")
    chosen = parser.parse_args(arguments)
    wanted = json.loads((chosen.folder / "manifest.json").read_text(encoding="utf-8"))
    failed = 0
    for expected in wanted:
        text = (chosen.folder / expected["file"]).read_text(encoding="utf-8")
        pasted = parse_text(text)
        problems = find_problems(pasted, expected)
        failed += bool(problems)
        print(f"{'FAIL' if problems else 'ok  '} {expected['file']}")
        for problem in problems:
            print(f"       {problem}")
        if chosen.show:
            show_lines(pasted)
    print(f"{len(wanted) - failed} passed, {failed} failed")
    return 1 if failed else 0


def find_problems(pasted: PastedText, expected: dict[str, Any]) -> list[str]:
    """Yield what is wrong with the reading of a list."""
    problems = [
        f"line {line.number} {line.reading}: {line.text[:80]}"
        for line in pasted.lines
        if line.reading is not Reading.UNDERSTOOD
    ]
    units = sum(len(one.units) for one in pasted.lists)
    wanted = expected["units"]
    if isinstance(wanted, list):
        # The manifest lists terrain without points separately; in the text it is a unit as well.
        wanted = len(wanted) + len(expected["terrain"])
    if units != wanted:
        problems.append(f"{units} units, not {wanted}")
    points = sum(one.sum_points() for one in pasted.lists)
    claimed = sum(one.claims.total or 0 for one in pasted.lists)
    total = expected.get("total")
    if total is not None and points != total:
        problems.append(f"the units come to {points}, the manifest says {total}")
    if claimed and points != claimed:
        problems.append(f"the units come to {points}, the list says {claimed}")
    if total is not None and claimed not in (total, 0):
        problems.append(f"the list says {claimed}, the manifest {total}")
    return problems


def show_lines(pasted: PastedText) -> None:
    for one in pasted.lists:
        print(f"  == {one.layout} {one.claims}")
        for line in one.lines:
            print(f"  {SIGNS[line.reading]} {line.kind:8} {line.text[:100]}")


if __name__ == "__main__":
    sys.exit(main())
