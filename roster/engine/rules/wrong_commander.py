"""Commanded by the highest in rank.

**Demands** that nobody is declared to lead a list while somebody else who could is of higher rank, and that of several
of the highest rank one alone is declared.

**Why:** "the commander is the character with the highest leadership; with a tie the player chooses". Which of two
numbers is the higher a constraint can say, which of many is the highest it cannot.

**Measured** by the highest printed rank of those who could command, what is inside them included; for a declared unit
that holds several of them stands the highest. Where it is open between several and none of them is declared, that is
reported too, in words of its own. Where nobody can command nothing is reported here. Being the commander is a category,
which conditions and constraints ask for. While it is open who commands, a violation that the best choice would mend
leaves a list incomplete, and a figure of the list is said only where every choice gives the same one.

**Broken by** a captain declared to lead beside a general, and by two generals who are both declared.

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
    """Find each declared leader who cannot be the commander; or that it is open, where nobody is declared."""
    search = evaluation.command
    if search is None or not search.highest:
        return
    rule = search.command
    for node in search.declared:
        # Another selection outranks the declared leader.
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
    """Build a violation caused by those of the highest rank; `allowed` is that rank."""
    violation = build_rule_violation(
        RuleCode.WRONG_COMMANDER,
        location,
        search.command.id,
        measured=measured,
        allowed=shorten_number(search.rank),
        cause=tuple(locate_selection(evaluation, node) for node in search.highest[:MOST_CAUSES]),
    )
    return attach_words(violation, words)
