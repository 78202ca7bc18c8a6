from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass, field

from catalogue.definitions.citations import Citation
from catalogue.graph.ids import split_id
from roster.engine.report import EffectiveSelection
from roster.pdf.paper_text import Money

Cite = Callable[[Citation], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetContext:
    """The cost columns, citations, problems and marks of a sheet.

    `problem_numbers` are by id of a part of the list; `marks` of unchecked things and `cards` (names of needed units)
    by entry id; `shared` labels (rules of the whole game or army) by rule id. `settings` are ids of root selections
    that are not units.
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
        return tuple(sorted({number for place_id in ids for number in self.problem_numbers.get(place_id, ())}))

    def find_marks(self, node: EffectiveSelection) -> str:
        return "".join(dict.fromkeys(self.marks[i] for i in split_id(node.entry_id) if i in self.marks))
