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
from roster.engine.rule import build_rule_violation
from roster.engine.rule_citation import attach_words, list_game_words
from roster.engine.violation_location import locate_roster


def check(evaluation: Evaluation) -> Iterator[Violation]:
    """Find each thing that the written list leaves out and has to show."""
    left_out = evaluation.roster.document.unshown
    code = RuleCode.MISSING_FROM_WRITTEN_LIST
    for words in list_game_words(evaluation, code):
        if words.of in left_out:
            violation = build_rule_violation(code, locate_roster(evaluation), words.of, counted=words.name, allowed=1)
            yield attach_words(violation, words)
