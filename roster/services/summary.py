"""What is kept of a verdict beside a list, so that nothing has to be judged to show, find or sort it."""

from typing import TypedDict

from catalogue.definitions.numbers import format_number
from roster.services.judging import Judged


class Summary(TypedDict):
    """Columns of the same names in `Roster`; all but the name also in `RosterRevision`."""

    name: str
    points: str
    verdict: str
    violations: int


def summary_of(judged: Judged) -> Summary:
    """The summary columns of a judged list."""
    points = judged.points
    return Summary(
        name=judged.tree.name,
        points=format_number(points.value) if points else "0",
        verdict=judged.verdict.value,
        violations=len(judged.report.errors),
    )
