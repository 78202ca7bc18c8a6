"""Commanded by the highest in rank.

**Demands** that no declared leader is outranked by another candidate, and that only one of several candidates of the
highest rank is declared.

**Why:** "the commander is the character with the highest leadership; with a tie the player chooses". A constraint can
compare two numbers but not find the highest of many.

**Measured** by the highest printed rank of each candidate and its contents. A declared unit means its highest-ranked
candidate. If the choice is open and no unit is declared, that is reported separately. Without candidates nothing is
reported. The commander has a category, which conditions and constraints can use. While the choice is open, a violation
that the best choice would fix leaves a list incomplete, and a figure of the list is shown only if every choice gives
the same value.

**Broken by** a captain declared to lead although there is a general, and by two declared generals.

**Feature:** commander.
"""

from collections.abc import Iterator

from catalogue.definitions.constraints import RuleWords
from catalogue.definitions.numbers import shorten_number
from catalogue.definitions.rule_codes import RuleCode
from roster.engine.commander import CommanderSearch, get_rank
from roster.engine.evaluation import Evaluation
from roster.engine.report import Location, Violation
from roster.engine.rule import build_rule_violation
from roster.engine.rule_citation import attach_words
from roster.engine.violation_location import MOST_CAUSES, locate_roster, locate_selection


def check(evaluation: Evaluation) -> Iterator[Violation]:
    search = evaluation.command
    if search is None or not search.highest:
        return
    rule = search.command
    for node in search.declared:
        if node not in search.highest:
            rank = shorten_number(get_rank(node, rule.by))
            yield _build_violation(evaluation, search, rule.outranked, locate_selection(evaluation, node), int(rank))
    for node in search.contested:
        words = rule.contested or rule.outranked
        yield _build_violation(evaluation, search, words, locate_selection(evaluation, node), int(search.rank))
    if search.commander is None and rule.undecided and not search.declared:
        yield _build_violation(evaluation, search, rule.undecided, locate_roster(evaluation), len(search.highest))


def _build_violation(
    evaluation: Evaluation, search: CommanderSearch, words: RuleWords, location: Location, measured: int
) -> Violation:
    violation = build_rule_violation(
        RuleCode.WRONG_COMMANDER,
        location,
        search.command.id,
        measured=measured,
        allowed=shorten_number(search.rank),
        cause=tuple(locate_selection(evaluation, node) for node in search.highest[:MOST_CAUSES]),
    )
    return attach_words(violation, words)
