"""Commanded by the highest in rank.

**Demands** that nobody is declared to lead a list while somebody else who could is of higher rank, and that of several
of the highest rank one alone is declared.

**Why:** "the commander is the character with the highest leadership; with a tie the player chooses". Which of two
numbers is the higher a constraint can say, which of many is the highest it cannot.

**Measured** by the highest printed rank of those who could command, what is inside them included. Where it is open
between several and none of them is declared, that is reported too, in words of its own. Where nobody can command
nothing is reported here.

**Broken by** a captain declared to lead beside a general, and by two generals who are both declared.
"""

from collections.abc import Iterator

from catalogue.definitions.constraints import RuleWords
from catalogue.definitions.numbers import shorten_number
from catalogue.definitions.rule_codes import RuleCode
from roster.engine.commander import CommanderSearch, get_rank
from roster.engine.evaluation import Evaluation
from roster.engine.report import Location, Violation
from roster.engine.rule_citation import attach_words
from roster.engine.violation_location import MOST_CAUSES, locate_roster, locate_selection


def check(evaluation: Evaluation) -> Iterator[Violation]:
    """A violation for each declared leader who cannot be the one, or one where nobody is declared."""
    found = evaluation.command
    if found is None or not found.highest:
        return
    for node in found.declared:
        if node not in found.highest:
            rank = shorten_number(get_rank(node, found.command.by))
            yield _build_violation(
                evaluation, found, found.command.outranked, locate_selection(evaluation, node), int(rank)
            )
    for node in found.contested:
        words = found.command.contested or found.command.outranked
        yield _build_violation(evaluation, found, words, locate_selection(evaluation, node), int(found.rank))
    if found.commander is None and found.command.undecided and not found.declared:
        yield _build_violation(
            evaluation, found, found.command.undecided, locate_roster(evaluation), len(found.highest)
        )


def _build_violation(
    evaluation: Evaluation, found: CommanderSearch, words: RuleWords, place: Location, measured: int
) -> Violation:
    """`cause` are those of the highest rank, `allowed` is that rank."""
    violation = Violation(
        code=RuleCode.WRONG_COMMANDER,
        on=place,
        owner_id=found.command.id,
        constraint_id=RuleCode.WRONG_COMMANDER,
        counted_id=found.command.id,
        counted=place.name,
        measured=measured,
        allowed=shorten_number(found.rank),
        cause=tuple(locate_selection(evaluation, node) for node in found.highest[:MOST_CAUSES]),
    )
    return attach_words(violation, words)
