"""What cannot be completed is contained in no legal list that a brute force counts, and what can be is made legal."""

from collections import Counter
from collections.abc import Iterable
from itertools import permutations
from pathlib import Path
from random import Random

import pytest

from catalogue.formats.packs.load import LISTS, find_packs
from catalogue.graph.ruleset import compile_ruleset
from roster.engine.completion.complete import complete
from roster.engine.completion.look_ahead import LookAhead
from roster.engine.completion.solver import Possibility
from roster.engine.evaluate import evaluate
from roster.engine.report import Verdict
from roster.engine.tree import Force, RosterTree, Selection, copy_with
from roster.formats.list_document import ListDocument, Media, Unreadable, build_list, read_list
from tests.cases.case_runner import TRANSLATORS, packs
from tests.counting.test_counting import TRIALS
from tests.counting.trial import Trial
from tests.extent import sample, thin_out
from tests.shipped_packs import read_shipped

pytestmark = pytest.mark.slow

SHARE = 0.03
"""Of the lists of a trial, so many are completed where tests are not complete."""
UNKNOWN = {"warzone-resurrection": 0.12}
"""The share of lists of which nobody knows, where it is larger than elsewhere: who commands decides there what else may
be taken, and the model leaves open who that is."""


@pytest.mark.parametrize("trial", TRIALS.values(), ids=TRIALS)
def test_completing_agrees_with_counting(trial: Trial) -> None:
    translator = TRANSLATORS[trial.system](packs()[trial.system], trial.fixtures)
    cases = [{"id": f"list-{n}", "title": "A list", **case} for n, case in enumerate(trial.cases())]
    legal = [translator.roster(case) for case in cases if not trial.broken(case)]
    answers: Counter[Possibility] = Counter()
    for case in thin_out(cases, SHARE):
        roster = translator.roster(case)
        if evaluate(translator.ruleset, roster, tree=False).verdict is Verdict.ILLEGAL:
            continue
        completion = complete(translator.ruleset, roster, seconds=10)
        answers[completion.answer] += 1
        if completion.answer is Possibility.NO:
            assert not any(contains(bigger, roster) for bigger in legal), case["list"]
        elif completion.roster:
            assert contains(completion.roster, roster), case["list"]
            assert evaluate(translator.ruleset, completion.roster, tree=False).verdict is Verdict.LEGAL
    assert answers[Possibility.YES] > 0
    assert answers[Possibility.UNKNOWN] <= max(2, answers.total() * UNKNOWN.get(trial.system, 0.05))


def contains(bigger: RosterTree, smaller: RosterTree) -> bool:
    """Whether one list has all that another has, under the same limits and in the same kinds of detachments."""
    return bigger.limits == smaller.limits and any(
        all(map(holds_force, forces, smaller.forces)) for forces in permutations(bigger.forces, len(smaller.forces))
    )


def holds_force(bigger: Force, smaller: Force) -> bool:
    return bigger.entry_id == smaller.entry_id and count_parts(bigger.selections) >= count_parts(smaller.selections)


def count_parts(selections: Iterable[Selection]) -> Counter[str]:
    """How many there are of each entry, at whatever depth."""
    parts: Counter[str] = Counter()
    for selection in selections:
        parts[selection.entry_id] += selection.number
        parts += count_parts(selection.selections)
    return parts


@pytest.mark.parametrize("pack", find_packs(), ids=lambda path: f"{path.parent.name}/{path.name}")
def test_what_is_left_of_a_legal_list_is_never_lost(pack: Path) -> None:
    data = read_shipped(pack).data
    assert data
    ruleset, chance, judged = compile_ruleset(data), Random(3), 0
    documents = [read_list(path.read_bytes(), Media.YAML) for path in sorted((pack / LISTS).glob("*.yaml"))]
    legal = [d for d in documents if isinstance(d, ListDocument) and d.expected.verdict == Verdict.LEGAL]
    for document in sample(legal, 4):
        built = build_list(ruleset, document, document.faction.value)
        assert not isinstance(built, Unreadable)
        for _ in range(3):
            left = leave_out(built[0], chance)
            assert LookAhead(ruleset, left, seconds=5).judge() is not Possibility.NO, document.name
            judged += 1
    assert judged


def leave_out(roster: RosterTree, chance: Random) -> RosterTree:
    """A list with some units fewer."""
    return copy_with(
        roster,
        forces=tuple(
            copy_with(force, selections=tuple(s for s in force.selections if chance.random() < 0.6))
            for force in roster.forces
        ),
    )
