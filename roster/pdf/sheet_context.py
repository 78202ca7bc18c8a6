"""The context that all parts of a sheet are built with."""

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass

from catalogue.definitions.citations import Citation
from catalogue.graph.ids import split_id
from roster.engine.report import EffectiveSelection
from roster.pdf.paper_text import Money
from roster.pdf.shapes import Problem

Cite = Callable[[Citation], str]
"""A citation in words; blank for none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetContext:
    """The cost columns, the words for citations, the problems to point at, the marks of what was not checked.

    `cards` are the cards of the game: ids of entries, with the names of the units they need. `command` is the category
    of the commander, blank in a game without one. `settings` are the ids of what stands among units and is none.
    """

    money: Money
    cite: Cite
    problems: Sequence[Problem]
    marks: Mapping[str, str]
    cards: Mapping[str, tuple[str, ...]]
    command: str = ""
    settings: Container[str] = ()

    def find_problems(self, ids: Iterable[str]) -> tuple[int, ...]:
        """Return the numbers of the problems that are about one of these parts of the list."""
        here = set(ids)
        return tuple(problem.number for problem in self.problems if here.intersection(problem.places))

    def find_marks(self, node: EffectiveSelection) -> str:
        """Return the marks of what was not checked about this entry."""
        return "".join(dict.fromkeys(self.marks[i] for i in split_id(node.entry_id) if i in self.marks))
