"""Recompute rosters that other programs made: `python -m tests.rosters MANIFEST`.

The manifest is a JSON list of `{"file", "data", ...}`, with relative paths: a roster and the game data it was made
with. All costs are removed from the roster before it is read; the engine's totals must equal the stored ones, and the
data must know everything in the roster. Data that is refused as a whole is tried again with only the files that the
roster was made with.
"""

import argparse
import json
import sys
from collections.abc import Iterator
from decimal import Decimal
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from catalogue.definitions.catalogues import DataSet
from catalogue.definitions.diagnostics import Level
from catalogue.formats.battlescribe.reader import ReadResult, read_path
from catalogue.graph.ruleset import Ruleset, compile_ruleset
from roster.engine.evaluate import evaluate
from roster.engine.report import EffectiveForce, EffectiveSelection, PlaceKind, Report
from roster.formats.ros import ReadError, RosterFile, read_ros
from tests.rosters.needed import read_needed
from tests.rosters.strip import without_costs

ROUNDING = Decimal("1e-6")
"""Tolerance: other programs add binary fractions, and 0.1 + 0.2 is 0.30000000000000004 there."""


class Outcome(NamedTuple):
    """The result for a roster; it passed if there are no `troubles`."""

    name: str
    note: str
    troubles: tuple[str, ...]


class Shelf:
    """The game data of a path, read once for all rosters made with it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._rulesets: dict[tuple[str, ...], Ruleset] = {}

    @cached_property
    def _whole(self) -> ReadResult:
        return read_path(self._path)

    def ruleset(self, roster: RosterFile) -> Ruleset:
        """Return the rules for a roster; raises ReadError if the data cannot be read."""
        whole = self._whole.data
        made_with = (roster.game_system.id, *sorted(made.id for made in roster.catalogues))
        key = () if whole else made_with
        if key not in self._rulesets:
            self._rulesets[key] = compile_ruleset(whole or self._needed(roster))
        return self._rulesets[key]

    def _needed(self, roster: RosterFile) -> DataSet:
        needed = read_needed(self._path, roster)
        if needed.data is not None:
            return needed.data
        first = next(found for found in self._whole.diagnostics if found.level is Level.ERROR)
        raise ReadError(first.code, first.message, mend=first.mend, file=first.file, line=first.line)


def run(manifest: Path) -> Iterator[Outcome]:
    """Yield the results of a manifest, in order within each game's data: only one is kept in memory."""
    entries: list[dict[str, str]] = json.loads(manifest.read_text("utf-8-sig"))
    together: dict[str, list[str]] = {}
    for entry in entries:
        together.setdefault(entry["data"], []).append(entry["file"])
    for data, files in together.items():
        shelf = Shelf((manifest.parent / data).resolve())
        yield from (outcome(manifest.parent / file, shelf) for file in files)


def outcome(path: Path, shelf: Shelf) -> Outcome:
    try:
        return check(path, shelf.ruleset(read_ros(path.name, path.read_bytes())))
    except (ReadError, OSError) as error:
        return Outcome(path.name, "", (str(error),))
    except Exception as error:  # a crash fails only its roster
        return Outcome(path.name, "", (f"crashed with {error!r}",))


def check(path: Path, ruleset: Ruleset) -> Outcome:
    content = path.read_bytes()
    stored = read_ros(path.name, content)
    bare = read_ros(path.name, without_costs(content))
    report = evaluate(ruleset, bare.roster)
    troubles = (*strangers(report), *differences(stored, report))
    return Outcome(path.name, revisions(stored, ruleset), troubles)


def strangers(report: Report) -> Iterator[str]:
    for violation in report.violations:
        if violation.code.startswith("unknown-") and violation.on.kind is PlaceKind.FORCE:
            yield f"unknown force: {violation.on.name or violation.on.entry_id}"
    for force in report.forces:
        yield from (f"placeholder: {s.name} ({s.entry_id})" for s in placeholders(force))


def placeholders(force: EffectiveForce) -> Iterator[EffectiveSelection]:
    pending = list(force.selections)
    while pending:
        selection = pending.pop()
        pending += selection.selections
        if selection.placeholder:
            yield selection
    for inner in force.forces:
        yield from placeholders(inner)


def differences(stored: RosterFile, report: Report) -> Iterator[str]:
    """Yield totals that differ from the stored ones; a cost type that is not stored must be 0 or hidden."""
    computed = {cost.type_id: cost for cost in report.costs}
    for cost in stored.costs:
        found = computed.pop(cost.type_id, None)
        value = found.value if found else 0
        if abs(value - cost.value) > ROUNDING:
            yield f"{cost.name}: stored {cost.value}, recomputed {value}"
    for other in computed.values():
        if other.value and not other.hidden:
            yield f"{other.name}: not stored, recomputed {other.value}"


def revisions(stored: RosterFile, ruleset: Ruleset) -> str:
    """Describe the data the roster was made with, if it is not the given data."""
    here = {c.id: c.revision for c in ruleset.data.catalogues}
    return ", ".join(
        f"{made.name} {made.revision}, here {here.get(made.id, 'absent')}"
        for made in (stored.game_system, *stored.catalogues)
        if here.get(made.id) != made.revision
    )


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.rosters", description="Recompute rosters that other programs made."
    )
    parser.add_argument("manifest", type=Path)
    failed = passed = 0
    for outcome in run(parser.parse_args().manifest):
        passed += not outcome.troubles
        failed += bool(outcome.troubles)
        note = f" ({outcome.note})" if outcome.note else ""
        say(f"{'FAIL' if outcome.troubles else 'pass'} {outcome.name}{note}")
        for trouble in outcome.troubles:
            say(f"     {trouble}")
    say(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
