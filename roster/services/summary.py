"""What is kept of a verdict beside a list, so that nothing has to be judged to show, find or sort it."""

from typing import TypedDict

from catalogue.definitions.numbers import format_number
from catalogue.services.texts import folded
from roster.services.judging import Judged

LONGEST_SEARCH = 200


class Summary(TypedDict):
    """Columns of the same names in `Roster`; all but the name and search text also in `RosterRevision`."""

    name: str
    search_text: str
    points: str
    verdict: str
    violations: int


def summary_of(judged: Judged) -> Summary:
    """The summary columns of a judged list."""
    points = judged.points
    return Summary(
        name=judged.tree.name,
        search_text=folded(judged.tree.name)[:LONGEST_SEARCH],
        points=format_number(points.value) if points else "0",
        verdict=judged.verdict.value,
        violations=len(judged.report.errors),
    )
