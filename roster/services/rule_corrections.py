"""Lists whose verdict changed because a rule was corrected since they were saved.

A list is pinned to its data, but the code that reads the data moves on: after an update the same list may come out
otherwise than the summary stored with it says. Its owner is told once, when the list is opened.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from catalogue.definitions.numbers import format_number, parse_number
from roster.engine.report import Verdict
from roster.models import Roster
from roster.services.evaluation import EvaluatedList, summarize_list
from roster.services.rulesets import RULES_GONE


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleCorrection:
    """How a list came out when it was `saved`, and how it comes out now. Points are as people write them."""

    saved: datetime
    before: Verdict
    after: Verdict
    violations: int
    points_before: str
    points_after: str
    points_name: str


def record_correction(roster: Roster, judged: EvaluatedList) -> RuleCorrection | None:
    """Bring the summary stored with a list up to date, and return what is different; None if nothing is.

    The history keeps what was stored, as printed sheets do. Of two readers at the same moment, one gets the answer.
    """
    summary = summarize_list(judged)
    before = {"points": roster.points, "verdict": roster.verdict, "violations": roster.violations}
    after = {"points": summary["points"], "verdict": summary["verdict"], "violations": summary["violations"]}
    # Without the rules that a list names it comes out otherwise, but nothing was corrected.
    if before == after or any(note.code == RULES_GONE for note in judged.report.unchecked):
        return None
    correction = RuleCorrection(
        saved=roster.updated,
        before=Verdict(roster.verdict),
        after=judged.verdict,
        violations=summary["violations"],
        points_before=format_number(parse_number(roster.points)),
        points_after=summary["points"],
        points_name=judged.points.name if judged.points else "",
    )
    return correction if _replace_summary(roster, before, after) else None


def _replace_summary(roster: Roster, before: Mapping[str, Any], after: Mapping[str, Any]) -> bool:
    """Store a summary in the place of another; return False where somebody has replaced that already."""
    # Past `save`, so that the date of the last change stays: its owner changed nothing.
    if not Roster.objects.filter(pk=roster.pk, head=roster.head, **before).update(**after):
        return False
    for name, value in after.items():
        setattr(roster, name, value)
    return True
