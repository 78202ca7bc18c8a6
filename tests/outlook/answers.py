"""All answers of look-ahead about some lists, as JSON: `python -m tests.outlook.answers [NAME...]`.

Each line is the same in every process and under any load; tests compare several.
"""

import json
import sys
from pathlib import Path
from typing import Any

import django

django.setup()

from catalogue.formats.packs.load import SHIPPED, find_pack  # noqa: E402 - Django has to be set up first
from catalogue.graph.ruleset import Ruleset  # noqa: E402 - the same
from roster.engine.compare import compare_rosters  # noqa: E402 - the same
from roster.engine.completion.candidates import list_candidates  # noqa: E402 - the same
from roster.engine.completion.complete import complete, fill  # noqa: E402 - the same
from roster.engine.completion.effort import Effort  # noqa: E402 - the same
from roster.engine.completion.repair import repair  # noqa: E402 - the same
from roster.engine.evaluate import build_report  # noqa: E402 - the same
from roster.engine.evaluation import Evaluation  # noqa: E402 - the same
from roster.engine.tree import RosterTree  # noqa: E402 - the same
from roster.formats.list_document import BuiltList, ListDocument, Media, build_list, read_list  # noqa: E402 - the same
from roster.services.limits import WAYS  # noqa: E402 - the same
from roster.wording.comparison import describe_difference  # noqa: E402 - the same
from tests.shipped_packs import read_ruleset  # noqa: E402 - the same

LISTS = Path(__file__).with_name("lists")
REPAIRS = LISTS.with_name("repairs")
COMPLETIONS = LISTS.with_name("completions")


def read_case(name: str, folder: Path = LISTS) -> tuple[Ruleset, RosterTree]:
    return read_file(folder / f"{name}.yaml")


def read_file(path: Path) -> tuple[Ruleset, RosterTree]:
    document = read_list(path.read_bytes(), Media.JSON if path.suffix == ".json" else Media.YAML)
    assert isinstance(document, ListDocument), document
    pack = find_pack(document.game.value, SHIPPED)
    assert pack, path
    ruleset = read_ruleset(pack)
    built = build_list(ruleset, document, document.faction.value)
    assert isinstance(built, BuiltList), built
    return ruleset, built.roster


def judge_case(name: str, seconds: float) -> dict[str, Any]:
    report = build_report(Evaluation(*read_case(name)), tree=False, look_ahead=True, seconds=seconds)
    return {
        "verdict": report.verdict.value,
        "finished": report.is_finished,
        "broken": [[one.code, one.rule, one.counted, one.mendable] for one in report.violations],
    }


def answer_case(name: str) -> dict[str, Any]:
    ruleset, roster = read_case(name)

    def tell(other: RosterTree | None) -> list[str]:
        return [describe_difference(one, {}) for one in compare_rosters(roster, other)] if other else []

    effort = Effort(WAYS.steps)
    completed, filled = complete(ruleset, roster, effort=effort), fill(ruleset, roster, seed=1, effort=effort)
    repairs = repair(ruleset, roster, effort=effort)
    addable = list_candidates(ruleset, roster, effort=effort)
    return judge_case(name, float("inf")) | {
        "complete": [completed.answer, completed.is_best, tell(completed.roster)],
        "fill": [filled.answer, filled.is_best, tell(filled.roster)],
        "repair": [repairs.answer, *([one.is_smallest, one.weight, tell(one.roster)] for one in repairs.repairs)],
        "addable": [[one.entry_id, one.needed, one.answer] for one in addable],
    }


if __name__ == "__main__":
    for name in sys.argv[1:] or sorted(path.stem for path in LISTS.glob("*.yaml")):
        print(json.dumps({name: answer_case(name)}))
