"""What a written list has to show.

**Demands** that a list that comes from a written form shows there what the game wants to be read.

**Why:** rosters are open to the opponent: every option with its points, every unit in its detachment. What the
program prints shows all of it; a list that somebody brought may not.

**Measured** by what the list is recorded to leave out, for what the data has words for.

**Broken by** a list with a total for each unit and no options named.
"""

from collections.abc import Iterator

from catalogue.definitions.rule_codes import RuleCode
from roster.engine.evaluation import Evaluation
from roster.engine.report import Violation
from roster.engine.rule_citation import attach_words, get_game_words
from roster.engine.violation_location import locate_roster


def check(evaluation: Evaluation) -> Iterator[Violation]:
    """A violation for each thing that is not shown and has to be."""
    left_out = evaluation.roster.document.unshown
    for words in get_game_words(evaluation) if left_out else ():
        if words.code == RuleCode.MISSING_FROM_WRITTEN_LIST and words.of in left_out:
            found = Violation(
                code=RuleCode.MISSING_FROM_WRITTEN_LIST,
                on=locate_roster(evaluation),
                owner_id=words.of,
                constraint_id=RuleCode.MISSING_FROM_WRITTEN_LIST,
                counted_id=words.of,
                counted=words.name,
                allowed=1,
            )
            yield attach_words(found, words)
