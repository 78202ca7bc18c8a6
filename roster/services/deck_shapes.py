"""Values on a deck's page."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from catalogue.definitions.citations import NOWHERE, Citation
from catalogue.definitions.constraints import Severity
from catalogue.definitions.numbers import Number
from roster.engine.report import Verdict, Violation
from roster.models import Roster
from roster.services.evaluation import EvaluatedList
from roster.services.limits import MAX_NUMBER


@dataclass(frozen=True, slots=True, kw_only=True)
class CardRow:
    """A card of the game, or one named by its owner, with its selection `node_id`.

    `alike` counts other kinds of cards with its name. `absent` means that the list lacks a unit that it needs. One more
    copy would cause the violation `blocked`, which nothing could fix.
    """

    entry_id: str
    name: str
    number: int = 0
    alike: int = 0
    most: Number | None = None
    node_id: str = ""
    needs: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    figures: tuple[tuple[str, str], ...] = ()
    kind: str = ""
    text: str = ""
    search: str = ""
    absent: bool = False
    blocked: Violation | None = None
    citation: Citation = NOWHERE

    @property
    def own_id(self) -> str:
        return self.node_id or self.entry_id

    @property
    def left(self) -> Number | None:
        return None if self.most is None else max(0, self.most - self.number - self.alike)

    @property
    def over(self) -> Number:
        """Copies beyond `most`, counting cards of the same name."""
        return 0 if self.most is None else max(0, self.number + self.alike - self.most)

    @property
    def highest(self) -> Number:
        # A deck with too many copies may keep them, but not grow.
        return MAX_NUMBER if self.left is None else self.number + self.left

    @property
    def off(self) -> bool:
        return self.absent or self.left == 0 or self.blocked is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Taker:
    force_id: str
    entry_id: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CardGroup:
    """Cards that need one of `needs`. The owner named the cards of a `written` group."""

    id: str
    name: str = ""
    needs: tuple[str, ...] = ()
    units: int = 0
    cards: tuple[CardRow, ...] = ()
    takers: tuple[Taker, ...] = ()
    written: bool = False
    most: Number = MAX_NUMBER
    entry_id: str = ""

    @property
    def absent(self) -> bool:
        return bool(self.needs) and not self.units

    @property
    def count(self) -> int:
        return sum(card.number for card in self.cards)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """`share` is a percentage of the largest bar."""

    name: str
    count: int
    share: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """Cards counted by one cost, or by kind if `name` is blank."""

    name: str
    bars: tuple[Bar, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BesideOption:
    entry_id: str
    name: str
    taken: tuple[str, ...] = ()
    figures: tuple[tuple[str, str], ...] = ()
    blocked: Violation | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BesideDeck:
    """A category next to the deck. `one` allows at most one choice."""

    id: str
    name: str
    one: bool
    options: tuple[BesideOption, ...]

    @property
    def chosen(self) -> str:
        """The selection to replace if `one`."""
        return next((selection_id for option in self.options for selection_id in option.taken), "") if self.one else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckSheet:
    """`room` is the number of cards that still fit, None for any number."""

    node_id: str
    force_id: str
    name: str
    count: int
    least: Number | None
    most: Number | None
    room: Number | None
    groups: tuple[CardGroup, ...]
    curves: tuple[Curve, ...]
    beside: tuple[BesideDeck, ...]

    @property
    def lacks_texts(self) -> bool:
        printed = [row for group in self.groups if not group.written for row in group.cards]
        return bool(printed) and not any(row.text for row in printed)

    @property
    def missing(self) -> Number:
        return max(0, (self.least or 0) - self.count)

    @property
    def over(self) -> Number:
        return 0 if self.most is None else max(0, self.count - self.most)

    @property
    def full(self) -> bool:
        return self.most is not None and self.count >= self.most

    @property
    def dead_end(self) -> bool:
        """Whether the list's units leave too few cards to fill the deck."""
        return self.room is not None and self.room < self.missing


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckChoice:
    force_id: str
    entry_id: str
    name: str
    place: str = ""
    node_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckFill:
    """What a ready army would add, as resulting numbers."""

    name: str
    force_id: str
    entry_id: str
    units: Mapping[str, int]
    cards: Mapping[str, int]
    units_added: int
    cards_added: int

    @property
    def fields(self) -> dict[str, int]:
        units = {f"unit:{entry_id}": number for entry_id, number in self.units.items()}
        return units | {f"card:{entry_id}": number for entry_id, number in self.cards.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckBoard:
    """`starts` are decks that the list may start, `fills` armies to copy cards from."""

    roster: Roster
    evaluated_list: EvaluatedList
    knows_decks: bool
    decks: tuple[DeckChoice, ...] = ()
    starts: tuple[DeckChoice, ...] = ()
    fills: tuple[DeckFill, ...] = ()
    sheet: DeckSheet | None = None
    violations: tuple[Violation, ...] = ()

    @property
    def revision(self) -> int:
        return self.roster.head

    @property
    def verdict(self) -> Verdict:
        """The verdict on decks and cards only."""
        errors = [violation for violation in self.violations if violation.severity is Severity.ERROR]
        if not errors:
            return Verdict.LEGAL
        return Verdict.INCOMPLETE if all(error.mendable for error in errors) else Verdict.ILLEGAL


def build_bars(counts: Iterable[tuple[str, int]]) -> tuple[Bar, ...]:
    """Keep the order of `counts`.

    >>> [(bar.name, bar.share) for bar in build_bars([("0", 2), ("1", 4)])]
    [('0', 50), ('1', 100)]
    """
    filled = [(name, count) for name, count in counts if count]
    largest = max((count for _, count in filled), default=1)
    return tuple(Bar(name=name, count=count, share=round(100 * count / largest)) for name, count in filled)
