"""Import and play every game of a folder: `python -m tests.games DIR`. Exit status 0 if none failed.

DIR holds archives or folders of community data. They are imported one after another into one database, those without a
game system last; in each game, lists of up to three factions are begun and filled. Prints a line per game, then `N
passed, M failed`. Sources with only BattleScribe 1.x files, or without an installed game system, are "left out".
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.bench.databases import ROOT, empty_database, environment_of
from tests.peak_memory import MIB, read_peak_memory

SECONDS = 60
"""A game is played for this long, whatever it offers: the largest has a hundred kinds of force."""
LEFT_OUT = "left out"
NO_GAME = frozenset(("old-format", "no-game-system", "nothing-to-read"))
_RESULT = "result: "


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.games", description=__doc__)
    parser.add_argument("folder", type=Path, metavar="DIR")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="how long each game is played at most")
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.one:
        return play_one(options.folder, options.seconds)
    if not options.folder.is_dir():
        parser.error(f"{options.folder} is no folder")
    return play_all(options.folder, options.seconds)


def play_all(folder: Path, seconds: float) -> int:
    """Import and play the sources of a folder, each in a separate process to measure its memory."""
    tally: Counter[str] = Counter()
    with tempfile.TemporaryDirectory(prefix="armybuilder-games-") as database:
        empty_database(database)
        for line, outcome in run_sources(list_sources(folder), seconds, database):
            tally[outcome] += 1
            say(line)
    say(f"{tally['passed']} passed, {tally['failed']} failed")
    return 1 if tally["failed"] or not tally["passed"] else 0


def list_sources(folder: Path) -> list[Path]:
    return [
        path
        for path in sorted(folder.iterdir())
        if not path.name.startswith(".") and (path.is_dir() or path.suffix.lower() in (".zip", ".bsr"))
    ]


def run_sources(paths: list[Path], seconds: float, database: str) -> Iterator[tuple[str, str]]:
    """Yield a line and an outcome for each game. Sources that extend another game are tried again at the end."""
    addons = []
    for path in paths:
        results = run_source(path, seconds, database)
        if [outcome for _, outcome in results] == [LEFT_OUT]:
            addons.append(path)
        else:
            yield from results
    for path in addons:
        yield from run_source(path, seconds, database)


def run_source(path: Path, seconds: float, database: str) -> list[tuple[str, str]]:
    """Import and play a source in a separate process; return a line and an outcome for each game."""
    command = [sys.executable, "-m", "tests.games", "--one", f"--seconds={seconds}", str(path.resolve())]
    done = subprocess.run(
        command, cwd=ROOT, env={**os.environ, **environment_of(database)}, capture_output=True, text=True, check=False
    )
    results = [line.removeprefix(_RESULT) for line in done.stdout.splitlines() if line.startswith(_RESULT)]
    lines = [tuple(json.loads(result)) for result in results]
    if done.returncode or not lines:
        last = done.stderr.strip().splitlines()[-1:] or ["no reason given"]
        lines.append((f"{path.name}: FAILED: ended with {done.returncode}: {last[0]}", "failed"))
    return lines


def play_one(path: Path, seconds: float) -> int:
    """Import and play a source in this process, and write a result for each of its games."""
    import django

    django.setup()
    from catalogue.services.community_import import import_path
    from tests.games.play import play_game

    begun = time.process_time()
    imported = import_path(path)
    took = time.process_time() - begun
    if not imported.games:
        write_result(*describe_refusal(path.name, imported.diagnostics))
    for game in imported.games:
        begun = time.process_time()
        tally = play_game(game.version, seconds)
        took += time.process_time() - begun
        peak = read_peak_memory() // MIB
        size = list(game.version.factions.values_list("unit_count", flat=True))
        parts = [
            f"{len(size)} factions, {sum(size)} units, {len(game.diagnostics)} findings",
            f"{took:.1f} s, {peak} MiB",
            f"{tally.forces} forces and {tally.units} units taken" + (", cut short" if tally.was_cut else ""),
            *(f"nothing in {name}" for name in tally.hollow),
        ]
        outcome = "failed" if tally.troubles else "passed"
        trouble = f": {list_first(list(tally.troubles))}" if tally.troubles else ""
        line = f"{path.name}, {game.version}: {', '.join(parts)}: {'FAILED' if trouble else 'ok'}{trouble}"
        write_result(line, outcome)
        took = 0
    return 0


def describe_refusal(name: str, diagnostics: Any) -> tuple[str, str]:
    errors = [finding for finding in diagnostics if finding.level == "error"]
    reasons = "; ".join(str(finding) for finding in errors[:3])
    if errors and {finding.code for finding in errors} <= NO_GAME:
        return f"{name}: left out: {reasons}", LEFT_OUT
    return f"{name}: FAILED: refused: {reasons}", "failed"


def list_first(troubles: list[str]) -> str:
    more = f" (and {len(troubles) - 3} more)" if len(troubles) > 3 else ""
    return "; ".join(troubles[:3]) + more


def write_result(line: str, outcome: str) -> None:
    say(_RESULT + json.dumps([line, outcome]))


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
