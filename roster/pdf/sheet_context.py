"""The context that all parts of a sheet are built with."""

from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass, field

from catalogue.definitions.citations import Citation
from catalogue.graph.ids import split_id
from roster.engine.report import EffectiveSelection
from roster.pdf.paper_text import Money

Cite = Callable[[Citation], str]
"""A citation in words; blank for none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetContext:
    """The cost columns, the words for citations, the problems to point at, the marks of what was not checked.

    `problem_numbers` are the printed numbers of the problems of each part of the list, by its id. `cards` are the cards
    of the game: ids of entries, with the names of the units they need. `command` is the category of the commander, ""
    in a game without a commander. `settings` are the ids of entries that are listed among units without being units.
    `shared` are the ids of rules that the whole game or army has, with what such rules are called: a unit has only
    their names.
    """

    money: Money
    cite: Cite
    problem_numbers: Mapping[str, set[int]]
    marks: Mapping[str, str]
    cards: Mapping[str, tuple[str, ...]]
    command: str = ""
    settings: Container[str] = ()
    shared: Mapping[str, str] = field(default_factory=dict)

    def find_problems(self, ids: Iterable[str]) -> tuple[int, ...]:
        """Return the numbers of the problems that are about one of these parts of the list."""
        return tuple(sorted({number for place_id in ids for number in self.problem_numbers.get(place_id, ())}))

    def find_marks(self, node: EffectiveSelection) -> str:
        """Return the marks of what was not checked about this entry."""
        return "".join(dict.fromkeys(self.marks[i] for i in split_id(node.entry_id) if i in self.marks))
