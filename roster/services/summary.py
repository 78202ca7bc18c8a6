"""What is kept of a verdict beside a list, so that nothing has to be judged to show, find or sort it."""

from collections.abc import Iterable, Iterator
from typing import TypedDict

from catalogue.definitions.numbers import format_number
from catalogue.services.texts import fold_text
from roster.engine.tree import Force, RosterTree
from roster.models.roster import SEARCH_LENGTH
from roster.services.evaluation import EvaluatedList


class ListSummary(TypedDict):
    """Columns of the same names in `Roster`; all but the name and search text also in `RosterRevision`."""

    name: str
    search_text: str
    points: str
    verdict: str
    violations: int


def summarize_list(judged: EvaluatedList) -> ListSummary:
    """Return the summary columns of an evaluated list."""
    points = judged.points
    return ListSummary(
        name=judged.tree.name,
        search_text=build_search_text(judged.tree),
        points=format_number(points.value) if points else "0",
        verdict=judged.verdict.value,
        violations=len(judged.report.errors),
    )


def build_search_text(tree: RosterTree) -> str:
    """Build what a list is found by: its name, then on a line of its own the words of its units, each once.

    The name is first, so that lists are put in order by this, too; words that no index has room for are left out.
    """
    name = fold_text(tree.name)
    words = (word for text in _list_unit_names(tree.forces) for word in fold_text(text).split())
    # Cut to what an index can hold; the name is first and therefore never cut.
    return "\n".join((name, " ".join(dict.fromkeys(words))))[:SEARCH_LENGTH].rstrip()


def _list_unit_names(forces: Iterable[Force]) -> Iterator[str]:
    """List what the data and the owner call each unit, also in detachments inside others."""
    for force in forces:
        for unit in force.selections:
            yield f"{unit.custom_name} {unit.name}"
        yield from _list_unit_names(force.forces)
