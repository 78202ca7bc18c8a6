"""Everything that a written list must show.

**Demands** that a list read from a text shows everything that the game requires on a written list.

**Why:** rosters are open to the opponent: every option with its points, every unit in its detachment. Lists printed by
this program show everything; pasted lists may not.

**Measured** by the parts that the text left out, as recorded in the list, if the data has words for them.

**Broken by** a list with a total for each unit but no options.
"""

from collections.abc import Iterator

from catalogue.definitions.rule_codes import RuleCode
from roster.engine.evaluation import Evaluation
from roster.engine.report import Violation
from roster.engine.rule import build_rule_violation
from roster.engine.rule_citation import attach_words, list_game_words
from roster.engine.violation_location import locate_roster


def check(evaluation: Evaluation) -> Iterator[Violation]:
    left_out = evaluation.roster.document.unshown
    code = RuleCode.MISSING_FROM_WRITTEN_LIST
    for words in list_game_words(evaluation, code):
        if words.of in left_out:
            violation = build_rule_violation(code, locate_roster(evaluation), words.of, counted=words.name, allowed=1)
            yield attach_words(violation, words)
