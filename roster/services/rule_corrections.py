"""Find lists whose verdict a corrected rule changed, and tell their owners once."""

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
    """A list's results when it was `saved`, and now."""

    saved: datetime
    before: Verdict
    after: Verdict
    violations: int
    points_before: str
    points_after: str
    points_name: str


def record_correction(roster: Roster, evaluated_list: EvaluatedList) -> RuleCorrection | None:
    """Update the stored summary; return the difference, if any, to only one of several readers."""
    summary = summarize_list(evaluated_list)
    before = {"points": roster.points, "verdict": roster.verdict, "violations": roster.violations}
    after = {"points": summary["points"], "verdict": summary["verdict"], "violations": summary["violations"]}
    # Missing additional rules change the result too, but are no correction.
    if before == after or any(note.code == RULES_GONE for note in evaluated_list.report.unchecked):
        return None
    correction = RuleCorrection(
        saved=roster.updated,
        before=Verdict(roster.verdict),
        after=evaluated_list.verdict,
        violations=summary["violations"],
        points_before=format_number(parse_number(roster.points)),
        points_after=summary["points"],
        points_name=evaluated_list.points.name if evaluated_list.points else "",
    )
    return correction if _replace_summary(roster, before, after) else None


def _replace_summary(roster: Roster, before: Mapping[str, Any], after: Mapping[str, Any]) -> bool:
    # `save` would change the date of the owner's last change.
    if not Roster.objects.filter(pk=roster.pk, head=roster.head, **before).update(**after):
        return False
    for name, value in after.items():
        setattr(roster, name, value)
    return True
