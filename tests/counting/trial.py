"""Compare the engine with an independent brute force.

A trial is a small pack of invented units under a shipped pack's rules. All its lists up to a bound are written as list
cases and judged twice: by the engine, and by plain code written from the rulebook.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TypeVar

from roster.engine.evaluate import evaluate
from roster.engine.report import Verdict
from tests.cases.case_runner import TRANSLATORS, packs
from tests.cases.translator import Node, Translator
from tests.extent import thin_out

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Trial:
    """A small pack, its lists, and the brute force.

    `fixtures` and the nodes of `cases` are list cases of `system`. `broken` returns the rules that a case breaks. Each
    of `rules` has to be broken at least once, or the trial would prove nothing about it.
    """

    system: str
    fixtures: Node
    cases: Callable[[], Iterable[Node]]
    broken: Callable[[Node], set[str]]
    rules: frozenset[str]


@dataclass(slots=True)
class Tally:
    """The results of both judges."""

    legal_by_engine: int = 0
    legal_by_count: int = 0
    rejected: Counter[str] = field(default_factory=Counter)
    """How many lists each rule rejects, by brute force."""
    disputed: list[str] = field(default_factory=list)


SHARE = 0.1
"""The share of a trial's lists that incomplete runs judge."""


@cache
def get_translator(trial: Trial) -> Translator:
    """Return the translator of a trial, which all its tests share, so that the pack is read once."""
    return TRANSLATORS[trial.system](packs()[trial.system], trial.fixtures)


def hold(trial: Trial) -> Tally:
    """Judge every list twice, or a sample of them."""
    translator = get_translator(trial)
    tally = Tally()
    for number, case in thin_out(enumerate(trial.cases()), SHARE):
        case = {"id": f"list-{number}", "title": f"List {number}", **case}
        report = evaluate(translator.ruleset, translator.roster(case), tree=False)
        accepted, broken = report.verdict is Verdict.LEGAL, trial.broken(case)
        tally.legal_by_engine += accepted
        tally.legal_by_count += not broken
        tally.rejected.update(broken)
        if accepted == bool(broken):
            found = sorted(violation.rule or violation.code for violation in report.errors)
            tally.disputed.append(f"{case['list']}: engine {found}, count {sorted(broken)}")
    return tally


def handfuls(prices: Sequence[tuple[Item, int]], purse: int) -> Iterator[tuple[Item, ...]]:
    """Yield every multiset of items that costs at most `purse`; prices are above zero."""
    yield ()
    for place, (item, price) in enumerate(prices):
        if price <= purse:
            for rest in handfuls(prices[place:], purse - price):
                yield (item, *rest)
