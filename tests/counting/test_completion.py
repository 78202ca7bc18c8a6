"""Check completion against brute force: a list without completion is part of no legal list, others become legal."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import permutations
from pathlib import Path
from random import Random

import pytest

from catalogue.definitions.groups import group_by
from catalogue.definitions.numbers import Number
from catalogue.formats.packs.load import LISTS, find_packs
from catalogue.graph.ruleset import Ruleset
from roster.engine.completion.changes import UNIT
from roster.engine.completion.complete import complete, fill
from roster.engine.completion.effort import Effort
from roster.engine.completion.look_ahead import LookAhead
from roster.engine.completion.repair import MOST_REPAIRS, repair
from roster.engine.completion.solver import Possibility
from roster.engine.evaluate import evaluate
from roster.engine.evaluation import Evaluation
from roster.engine.nodes import SelectionNode
from roster.engine.report import Verdict
from roster.engine.tree import Force, RosterTree, Selection, copy_with
from roster.formats.list_document import ListDocument, Media, Unreadable, build_list, read_list
from tests.cases.translator import Node
from tests.counting.test_counting import TRIALS
from tests.counting.trial import Trial, get_translator
from tests.extent import COMPLETE, SEED, Case, sample, thin_out
from tests.shipped_packs import read_ruleset

pytestmark = pytest.mark.slow

SHARE, COMPLETE_SHARE = 0.01, 0.06
"""The share of a trial's lists that is completed in `make test` and in a complete run: each takes a fifth of a second,
and there are 28,000.
"""
SOME, MUCH = Effort(60_000), Effort(300_000)
UNKNOWN, MORE_IN_A_SAMPLE = 0.05, 2
"""The share of lists whose completion may stay unknown, and additional ones in small samples."""


def list_cases(trial: Trial) -> Iterator[Node]:
    return ({"id": f"list-{n}", "title": "A list", **case} for n, case in enumerate(trial.cases()))


@cache
def list_legal(name: str) -> list[RosterTree]:
    """Return the lists of a trial that are legal by brute force. Building them takes as long as trying a sample."""
    trial = TRIALS[name]
    translator = get_translator(trial)
    return [translator.roster(case) for case in list_cases(trial) if not trial.broken(case)]


@pytest.mark.parametrize("name", sample(TRIALS, 5))
def test_completing_agrees_with_counting(name: str) -> None:
    trial = TRIALS[name]
    translator = get_translator(trial)
    answers: Counter[Possibility] = Counter()
    for case in thin_out(list_cases(trial), SHARE, COMPLETE_SHARE):
        roster = translator.roster(case)
        if evaluate(translator.ruleset, roster, tree=False).verdict is Verdict.ILLEGAL:
            continue
        completion = complete(translator.ruleset, roster, effort=MUCH)
        answers[completion.answer] += 1
        if completion.answer is Possibility.NO:
            assert not any(contains(bigger, roster) for bigger in list_legal(name)), case["list"]
        elif completion.roster:
            assert contains(completion.roster, roster), case["list"]
            assert evaluate(translator.ruleset, completion.roster, tree=False).verdict is Verdict.LEGAL
    assert answers[Possibility.YES] > 0
    assert answers[Possibility.UNKNOWN] <= answers.total() * UNKNOWN + MORE_IN_A_SAMPLE


FEW = 12 if COMPLETE else 4
"""So few lists of a trial are filled and repaired, because each takes seconds."""


def choose_few(cases: list[Case]) -> list[Case]:
    return Random(SEED).sample(cases, min(FEW, len(cases)))


@pytest.mark.parametrize("name", sample(TRIALS, 3))
def test_what_is_said_to_be_best_is_beaten_by_no_list_that_counting_knows(name: str) -> None:
    trial, legal = TRIALS[name], list_legal(name)
    translator = get_translator(trial)
    ruleset = translator.ruleset
    told: Counter[str] = Counter()
    for case in choose_few(list(list_cases(trial))):
        roster = translator.roster(case)
        completions = [bigger for bigger in legal if contains(bigger, roster)]
        hold_completion(ruleset, roster, completions, told)
        hold_fill(ruleset, roster, completions, told)
        hold_picks(ruleset, roster, completions, told)
        hold_repairs(ruleset, roster, legal, told)
    assert told["repaired"] > 0


def hold_fill(ruleset: Ruleset, roster: RosterTree, completions: list[RosterTree], told: Counter[str]) -> None:
    """Check that no legal list with all of the given one uses more than the fullest list."""
    filled = fill(ruleset, roster, effort=SOME)
    # `contains` ignores places, and a misplaced part is in no legal list.
    is_open = evaluate(ruleset, roster, tree=False).verdict is not Verdict.ILLEGAL
    assert not (filled.answer is Possibility.NO and completions and is_open)
    if filled.roster is None:
        return
    assert contains(filled.roster, roster)
    assert evaluate(ruleset, filled.roster, tree=False).verdict is Verdict.LEGAL
    if filled.is_best and len(filled.roster.forces) == len(roster.forces):
        most = max((sum_limited(ruleset, bigger) for bigger in completions), default=0)
        assert sum_limited(ruleset, filled.roster) >= most
        told["filled"] += 1


def sum_limited(ruleset: Ruleset, roster: RosterTree) -> float:
    totals = Evaluation(ruleset, roster).totals
    return sum(float(totals.get(limit.type_id, 0)) for limit in roster.limits)


def hold_completion(ruleset: Ruleset, roster: RosterTree, completions: list[RosterTree], told: Counter[str]) -> None:
    """Check that no legal list with the same units is cheaper than the cheapest completion.

    If such a list exists, the completion also makes no unit cheaper.
    """
    completion = complete(ruleset, roster, effort=SOME)
    if completion.roster is None or not completion.is_best or len(completion.roster.forces) != len(roster.forces):
        return
    untouched = [sum_limited(ruleset, bigger) for bigger in completions if keeps_units(bigger, roster)]
    if untouched:
        assert sum_limited(ruleset, completion.roster) <= min(untouched)
        before, after = (sum_units(ruleset, one) for one in (roster, completion.roster))
        assert all(after[unit_id] >= cost for unit_id, cost in before.items())
        told["completed"] += 1


def keeps_units(bigger: RosterTree, roster: RosterTree) -> bool:
    units = [Counter(describe(unit) for force in one.forces for unit in force.selections) for one in (bigger, roster)]
    return units[0] >= units[1]


def sum_units(ruleset: Ruleset, roster: RosterTree) -> dict[str, float]:
    evaluation = Evaluation(ruleset, roster)
    return {
        unit.written.id: sum(float(evaluation.costs.get_whole_cost(unit, limit.type_id)) for limit in roster.limits)
        for force in evaluation.roster.all_forces
        for unit in force.members
    }


def hold_picks(ruleset: Ruleset, roster: RosterTree, completions: list[RosterTree], told: Counter[str]) -> None:
    """Check that no legal list has all of a list and one more of a dead-end unit."""
    there = count_units(roster)
    for unit, answer in LookAhead(ruleset, roster, MUCH.start()).judge_units().by_unit.items():
        if answer is Possibility.NO:
            assert all(count_units(bigger)[unit] <= there[unit] for bigger in completions), unit
            told["grey"] += 1


def count_units(roster: RosterTree) -> Counter[str]:
    return Counter(unit.entry_id for force in roster.forces for unit in force.selections)


def hold_repairs(ruleset: Ruleset, roster: RosterTree, legal: list[RosterTree], told: Counter[str]) -> None:
    """Check that repairs are legal and distinct, and that no legal list is nearer than the nearest."""
    answer, repairs, _ = repair(ruleset, roster, effort=SOME)
    if answer is Possibility.NO:
        assert not any(is_alike(roster, other) for other in legal)
    assert len({one.differences for one in repairs}) == len(repairs) <= MOST_REPAIRS
    scale = PlainScale(ruleset, roster)
    for one in repairs:
        assert evaluate(ruleset, one.roster, tree=False).verdict is Verdict.LEGAL
        # A roster that pairs its parts differently may be nearer than the model computes, never farther.
        if is_alike(roster, one.roster):
            assert scale.weigh(one.roster) <= one.weight // UNIT
    if repairs and repairs[0].is_smallest:
        near = [scale.weigh(other) for other in legal if is_alike(roster, other)]
        assert repairs[0].weight // UNIT <= min(near, default=repairs[0].weight // UNIT)
        told["repaired"] += 1


def is_alike(one: RosterTree, other: RosterTree) -> bool:
    """Return whether two lists have the same limits, faction and detachments, and the second is not empty."""
    kinds = [[(force.catalogue_id, force.entry_id) for force in roster.forces] for roster in (one, other)]
    return one.limits == other.limits and kinds[0] == kinds[1] and bool(count_units(other))


Tell = Callable[[Selection], Hashable]


class PlainScale:
    """Weighs the change from one list to another: tries all pairings of units and options, and takes the least."""

    def __init__(self, ruleset: Ruleset, roster: RosterTree) -> None:
        self.ruleset = ruleset
        self.roster = roster
        self.points = ruleset.points_type.id if ruleset.points_type else ""
        evaluation = Evaluation(ruleset, roster)
        nodes = evaluation.roster.selections
        prices = {node.written.id: evaluation.costs.get_unit_cost(node, self.points) for node in nodes}
        spent = sum(Fraction(prices[node.written.id]) * node.total for node in nodes)
        models = sum(count_bodies(node) * node.total for node in nodes)
        self.line = max(1, round(spent / models)) if models else 1
        self.gone = {n.written.id: int(abs(prices[n.written.id])) + self.line * count_bodies(n) for n in nodes}

    def weigh(self, other: RosterTree) -> int:
        evaluation = Evaluation(self.ruleset, other)
        self.come = {
            node.written.id: int(abs(list_costs(node).get(self.points, 0))) + self.line * count_bodies(node)
            for node in evaluation.roster.selections
        }
        pairs = zip(self.roster.forces, other.forces, strict=True)
        return sum(self.match(old.selections, new.selections, 1, by_id) for old, new in pairs)

    def match(self, old: Sequence[Selection], new: Sequence[Selection], times: int, tell: Tell) -> int:
        """Return the least weight from some selections to others, inside something with the number `times`.

        Parts with the same description are one line if they are removed, and one if they are added.
        """
        gone, come = (group_by(selections, lambda one: one.entry_id) for selections in (old, new))
        kinds = {**gone, **come}
        return sum(self.match_kind(gone.get(kind, []), come.get(kind, []), times, tell, frozenset()) for kind in kinds)

    def match_kind(
        self, old: Sequence[Selection], new: Sequence[Selection], times: int, tell: Tell, lines: frozenset[Hashable]
    ) -> int:
        """Return the least weight for selections of one entry, given the lines so far."""
        if not old:
            noted = lines | {("comes", tell(one)) for one in new}
            return self.line * len(noted) + sum(times * sum_up(self.come, one) for one in new)
        first, *rest = old
        noted = lines | {("goes", tell(first))}
        least = times * sum_up(self.gone, first) + self.match_kind(rest, new, times, tell, noted)
        for like in group_by(range(len(new)), lambda at: describe(new[at])).values():
            one, others = new[like[0]], (*new[: like[0]], *new[like[0] + 1 :])
            noted = lines | ({("goes", tell(first))} if first.number > one.number else frozenset[Hashable]())
            noted |= {("comes", tell(one))} if first.number < one.number else frozenset()
            least = min(least, self.match_one(first, one, times) + self.match_kind(rest, others, times, tell, noted))
        return least

    def match_one(self, old: Selection, new: Selection, times: int) -> int:
        """Return the weight from one selection to another of its entry, without the line."""
        inside = self.match(old.selections, new.selections, times * min(old.number, new.number), by_name)
        one, weights = (old, self.gone) if old.number > new.number else (new, self.come)
        return inside + abs(old.number - new.number) * times * sum_up(weights, copy_with(one, number=1))


def by_id(unit: Selection) -> Hashable:
    """Each unit is a line of its own."""
    return unit.id


def by_name(option: Selection) -> Hashable:
    """Options with the same name in a unit share a line: "four Overwatch fewer"."""
    return option.custom_name or option.name


def describe(selection: Selection) -> Hashable:
    return selection.entry_id, selection.number, frozenset(Counter(map(describe, selection.selections)).items())


def sum_up(weights: Mapping[str, int], one: Selection) -> int:
    return one.number * (weights[one.id] + sum(sum_up(weights, inner) for inner in one.selections))


def count_bodies(node: SelectionNode) -> int:
    """Return how many models a selection counts as; a card counts as one."""
    unit = node
    while isinstance(unit.container, SelectionNode):
        unit = unit.container
    cards = 0 if any("models" in list_costs(part) for part in unit.walk()) else 1
    return int(list_costs(node).get("models", cards)) if node.option else 1


def list_costs(node: SelectionNode) -> Mapping[str, Number]:
    return node.option.entry.costs if node.option else {}


def contains(bigger: RosterTree, smaller: RosterTree) -> bool:
    """Return whether one list has everything of another, with the same limits, kinds of detachments and leaders."""
    return bigger.limits == smaller.limits and any(
        all(map(holds_force, forces, smaller.forces)) for forces in permutations(bigger.forces, len(smaller.forces))
    )


def holds_force(bigger: Force, smaller: Force) -> bool:
    has_parts = count_parts(bigger.selections) >= count_parts(smaller.selections)
    return bigger.entry_id == smaller.entry_id and has_parts and list_declared(bigger) >= list_declared(smaller)


def list_declared(force: Force) -> set[str]:
    return {selection.entry_id for selection in force.selections if selection.id in force.leading}


def count_parts(selections: Iterable[Selection], outer: tuple[str, ...] = ()) -> Counter[tuple[str, ...]]:
    """Count each entry by the entries around it: the same option in another unit is different."""
    parts: Counter[tuple[str, ...]] = Counter()
    for selection in selections:
        path = (*outer, selection.entry_id)
        parts[path] += selection.number
        parts += count_parts(selection.selections, path)
    return parts


@pytest.mark.parametrize("pack", sample(find_packs(), 3), ids=lambda path: f"{path.parent.name}/{path.name}")
def test_what_is_left_of_a_legal_list_is_never_lost(pack: Path) -> None:
    ruleset, chance, judged = read_ruleset(pack), Random(3), 0
    documents = [read_list(path.read_bytes(), Media.YAML) for path in sorted((pack / LISTS).glob("*.yaml"))]
    legal = [d for d in documents if isinstance(d, ListDocument) and d.expected.verdict == Verdict.LEGAL]
    for document in choose_few(legal):
        built = build_list(ruleset, document, document.faction.value)
        assert not isinstance(built, Unreadable)
        for _ in range(3):
            left = leave_out(built[0], chance)
            assert LookAhead(ruleset, left, MUCH.start()).judge() is not Possibility.NO, document.name
            judged += 1
    assert judged


def leave_out(roster: RosterTree, chance: Random) -> RosterTree:
    return copy_with(
        roster,
        forces=tuple(
            copy_with(force, selections=tuple(s for s in force.selections if chance.random() < 0.6))
            for force in roster.forces
        ),
    )
