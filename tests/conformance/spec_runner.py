"""Run a spec to its first difference, and a folder of specs to a tally."""

import os
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from catalogue.formats.battlescribe.reader import read_path
from catalogue.graph.ruleset import Ruleset, compile_ruleset
from roster.engine.evaluate import evaluate
from tests.conformance.comparison import difference, error_difference
from tests.conformance.new_recruit_roster import write_roster
from tests.conformance.report_output import show_error, show_roster
from tests.conformance.spec_actions import ActionFailedError, Play
from tests.conformance.spec_game import data_set
from tests.conformance.spec_yaml import read_spec

DATA_VARIABLE = "CONFORMANCE_DATA"
"""Names the folder with the external data sets, as `<repository>-<tag>.zip`."""

SOURCE = re.compile(r"github:[^/]+/(?P<repository>[^@]+)@(?P<tag>.+)")
STEPS = {"action", "expectedState", "expectedFile"}
"""A step must have one of these keys."""

TOKEN = re.compile(r"\$\{\{\s*(?:match\('(?P<pattern>.*?)'\)|(?P<reference>steps\..+?))\s*\}\}")


class Outcome(NamedTuple):
    """The result of a spec: category, name, first difference or "", and whether it could be run."""

    category: str
    name: str
    found: str
    was_run: bool = True


def specs_below(folder: Path) -> list[Path]:
    return sorted(path for ending in ("*.yaml", "*.yml") for path in folder.rglob(ending))


def run(path: Path) -> Outcome:
    spec = read_spec(path)
    name, category = spec.get("id", path.stem), spec.get("category", path.parent.name)
    try:
        ruleset = _ruleset(spec)
        if ruleset is None:
            return Outcome(category, name, f"needs {spec['setup']['dataSource']}, see {DATA_VARIABLE}", was_run=False)
        found = _play(spec, Play(ruleset, name), path)
    except ActionFailedError as error:
        found = str(error)
    except Exception as error:  # a broken spec must not hide the outcomes of others
        found = f"crashed: {type(error).__name__}: {error}"
    return Outcome(category, name, found)


def _ruleset(spec: dict[str, Any]) -> Ruleset | None:
    setup = spec["setup"]
    if "dataSource" in setup:
        return _external(setup["dataSource"])
    return compile_ruleset(data_set(setup, spec["id"]))


def _external(source: str) -> Ruleset | None:
    match, folder = SOURCE.fullmatch(source), os.environ.get(DATA_VARIABLE)
    path = Path(folder, f"{match['repository']}-{match['tag']}.zip") if match and folder else None
    return _compiled(path) if path and path.exists() else None


@cache
def _compiled(path: Path) -> Ruleset | None:
    data = read_path(path).data
    return compile_ruleset(data) if data else None


def _play(spec: dict[str, Any], play: Play, path: Path) -> str:
    judged = "dataSource" not in spec["setup"]
    for number, step in enumerate(spec["steps"], start=1):
        if not STEPS & step.keys():
            return f"step {number}: nothing known to do: {', '.join(step)}"
        if "action" in step:
            play.act(step)
        found = ""
        if "expectedState" in step:
            found = _compare(step["expectedState"] or {}, play, judged=judged)
        if not found and "expectedFile" in step:
            found = _compare_file(path.with_name(f"{path.stem}.{step['id']}.ros"), play)
        if found:
            return f"step {number}: {found}"
    return ""


def _compare(expected: dict[str, Any], play: Play, *, judged: bool) -> str:
    expected = _resolved(expected, play)
    report = evaluate(play.ruleset, play.roster)
    found = difference(expected, show_roster(play.ruleset, play.roster, report))
    if found or not (judged or {"errors", "errorsContain", "errorCount"} & expected.keys()):
        return found
    return error_difference(expected, [show_error(play.ruleset, play.roster, v) for v in report.errors])


def _resolved(value: Any, play: Play) -> Any:
    if isinstance(value, dict):
        return {key: _resolved(item, play) for key, item in value.items()}
    if isinstance(value, list):
        return [_resolved(item, play) for item in value]
    return play.resolved(value)


def _compare_file(path: Path, play: Play) -> str:
    report = evaluate(play.ruleset, play.roster)
    written = write_roster(play.ruleset, play.roster, report)
    wanted = path.read_text(encoding="utf-8").splitlines()
    for number, (line, pattern) in enumerate(zip(written, wanted, strict=False), start=1):
        if not re.fullmatch(_pattern(pattern, play), line):
            return f"{path.name}:{number}: expected {pattern.strip()}, found {line.strip()}"
    return "" if len(written) == len(wanted) else f"{path.name}: {len(wanted)} lines expected, {len(written)} written"


def _pattern(line: str, play: Play) -> str:
    return "".join(_pieces(line, play))


def _pieces(line: str, play: Play) -> Iterator[str]:
    end = 0
    for token in TOKEN.finditer(line):
        yield re.escape(line[end : token.start()])
        yield token["pattern"] or re.escape(play.resolved(token[0]))
        end = token.end()
    yield re.escape(line[end:])
