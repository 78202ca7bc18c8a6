"""Run list cases: translate, judge by the shipped pack's rules, compare.

Nothing here knows a rule: every id comes from the engine's report.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from catalogue.definitions.constraints import Severity, Stage
from catalogue.definitions.rule_codes import RuleCode
from catalogue.formats.packs.load import PACK_FILE, find_packs
from catalogue.formats.packs.syntax.scalars import make_id
from roster.engine.evaluate import evaluate
from roster.engine.report import Report, Verdict
from tests.cases import dawnfall, maelstrom_of_war, maelstroms_edge, preview, warzone
from tests.cases.translator import Translator
from tests.cases.words import UnknownWordError, unread, words
from tests.plain_yaml import load_yaml_file

Node = dict[str, Any]
ABOUT = frozenset(
    [
        *("id", "system", "title", "mode", "context", "list", "pick"),
        *("expected", "violates", "warnings", "related", "depends_on_reading", "why"),
    ]
)
"""Keys of a case next to the expected figures."""
MODES = {"list": frozenset([Stage.LIST]), "match": frozenset([Stage.LIST, Stage.MATCH]), "setup": frozenset(Stage)}
"""Stages judged in each mode: opponents are known before set-up."""
PICK = "pick"
"""The mode of a draft: whether something may be added to it."""
TRANSLATORS: dict[str, type[Translator]] = {
    "edge-dawnfall": dawnfall.Cases,
    "maelstrom-of-war-9e": maelstrom_of_war.Cases,
    "maelstroms-edge-2e": maelstroms_edge.Cases,
    "maelstroms-edge-1e": preview.Cases,
    "warzone-resurrection": warzone.Cases,
}
"""The translator of each system, by the id of its pack."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a case: why it was skipped, or how it differs from what was expected."""

    name: str
    troubles: tuple[str, ...] = ()
    skipped: str = ""


def run(file: Path, *, system: str = "", skipped: Collection[str] = ()) -> Iterator[Outcome]:
    document = load_yaml_file(file)
    fixtures = document.get("fixtures") or _neighbours(file)
    made: dict[str, Translator | None] = {}
    for case in document["cases"]:
        own = case["system"]
        if system and own != system:
            continue
        if own not in made:
            made[own] = _translator(own, fixtures)
        yield _outcome(case, made[own], skipped)


def _neighbours(file: Path) -> Node:
    """Return the fixtures of a file without any, from the `fixtures.yaml` next to it."""
    return load_yaml_file(file.parent / "fixtures.yaml")["fixtures"]


@cache
def packs() -> dict[str, Path]:
    return {load_yaml_file(path / PACK_FILE)["pack"]: path for path in find_packs()}


def _translator(system: str, fixtures: Node) -> Translator | None:
    made = TRANSLATORS.get(system)
    return made(packs()[system], fixtures[system]) if made and system in packs() else None


def _outcome(case: Node, translator: Translator | None, skipped: Collection[str]) -> Outcome:
    mode = case.get("mode", "list")
    if mode in skipped:
        return Outcome(case["id"], skipped=f"mode {mode}")
    if translator is None:
        return Outcome(case["id"], skipped=f"no pack for {case['system']} yet")
    if mode not in MODES and mode != PICK:
        return Outcome(case["id"], (f"not understood: mode {mode}",))
    if mode == PICK and "pick" in case:
        case = case | {"list": _with_pick(case)}
    case = case | {"context": words(case.get("context") or {}), "list": words(case.get("list") or {})}
    try:
        roster, game = translator.roster(case), translator.game(case)
    except (UnknownWordError, KeyError, TypeError, ValueError, AttributeError) as error:
        return Outcome(case["id"], (f"cannot be read: {type(error).__name__}: {error}",))
    if mode == PICK:
        report = _without_what_picks_mend(evaluate(translator.ruleset, roster, tree=False, look_ahead=True))
        return Outcome(case["id"], (*_not_understood(case), *differences(case, report)))
    report = evaluate(translator.ruleset, roster, None if mode == "list" else game, tree=False)
    asked = MODES[mode]
    if mode != "list" and not any(force.selections for force in roster.forces):
        asked -= {Stage.LIST}
    report = _asked(report, asked)
    return Outcome(case["id"], (*_not_understood(case), *differences(case, report)))


def _with_pick(case: Node) -> Node:
    pick = dict(case["pick"])
    name = pick.pop("detachment", None)
    detachments = [
        one | {"selections": [*one["selections"], pick]} if one["name"] == name else one
        for one in case["list"]["detachments"]
    ]
    assert detachments != case["list"]["detachments"], f"{case['id']} picks into no detachment"
    return case["list"] | {"detachments": detachments}


def _without_what_picks_mend(report: Report) -> Report:
    """Return a report with what prevents a pick: violations that no pick mends."""
    found = tuple(
        violation
        for violation in report.violations
        if not violation.mendable or violation.code == RuleCode.NO_COMPLETION
    )
    return msgspec.structs.replace(report, violations=found)


def _not_understood(case: Node) -> Iterator[str]:
    left = [*unread(case["context"], "context"), *unread(case["list"], "list")]
    if left:
        yield f"not understood: {', '.join(left)}"


def _asked(report: Report, stages: frozenset[Stage]) -> Report:
    """Return a report with only these stages; the list's only if the case has a list."""
    found = tuple(violation for violation in report.violations if violation.stage in stages)
    return msgspec.structs.replace(report, violations=found)


def differences(case: Node, report: Report) -> Iterator[str]:
    broken = {violation.rule or violation.code for violation in report.errors}
    if broken != set(case["violates"]):
        yield f"expected {sorted(case['violates'])}, found {sorted(broken)}"
    if (report.verdict is Verdict.LEGAL) != (case["expected"] == "legal"):
        yield f"expected {case['expected']}, found {report.verdict}"
    soft = {v.rule for v in report.violations if v.severity is not Severity.ERROR}
    if missing := set(case.get("warnings", ())) - soft:
        yield f"not warned of: {sorted(missing)}"
    known = {figure.id: figure.value for figure in report.figures}
    known |= {"total": next((cost.value for cost in report.costs if cost.type_id == "points"), 0)}
    for key in case.keys() - ABOUT:
        found = known.get(make_id(key.replace("_", " ")))
        if found is None:
            yield f"not understood: {key}"
        elif found != case[key]:
            yield f"{key}: expected {case[key]}, found {found}"
