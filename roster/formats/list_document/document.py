"""A list as people write it: what each place of a document said, and where."""

from dataclasses import dataclass

from catalogue.definitions.numbers import Number


@dataclass(frozen=True, slots=True)
class Text:
    """A text of the document, and where it stands. Without a place where the document does not say it."""

    value: str = ""
    line: int = 0
    column: int = 0

    def __bool__(self) -> bool:
        return bool(self.value)


NOTHING = Text()


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedLimit:
    """How much of a cost type may be spent; None: no limit."""

    type: Text
    value: Number | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedItem:
    """A unit or an option. `count` and `options` are None where the document says nothing of them.

    `leads`: the player declared this unit to lead its detachment. `ref` is what the game plan calls it.
    """

    entry: Text
    group: Text = NOTHING
    count: int | None = None
    name: str = ""
    notes: str = ""
    leads: bool = False
    ref: Text = NOTHING
    options: tuple["ListedItem", ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedCategory:
    """A name and notes of the user's own on a category of a detachment."""

    category: Text
    name: str = ""
    notes: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedForce:
    """A detachment, or, where `outside`, what stands in none."""

    force: Text
    outside: bool = False
    catalogue: Text = NOTHING
    name: str = ""
    notes: str = ""
    categories: tuple[ListedCategory, ...] = ()
    units: tuple[ListedItem, ...] = ()
    detachments: tuple["ListedForce", ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedPlan:
    """How the list is to be played. Pairs are who joins or rides, and whom or in what; answers are by question."""

    mission: Text = NOTHING
    side: Text = NOTHING
    opponents: tuple[Text, ...] = ()
    allies: tuple[Text, ...] = ()
    commander: Text = NOTHING
    objective: str = ""
    joins: tuple[tuple[Text, Text], ...] = ()
    aboard: tuple[tuple[Text, Text], ...] = ()
    reserves: tuple[Text, ...] = ()
    choices: tuple[tuple[Text, tuple[Text, ...]], ...] = ()
    units: tuple[tuple[Text, tuple[tuple[Text, tuple[Text, ...]], ...]], ...] = ()
    numbers: tuple[tuple[Text, Number], ...] = ()
    notes: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """What a worked list claims of itself, and judging pays no heed to.

    Its verdict; exactly the rules that it `breaks`; some of the advice it is warned of (`warns`); rules that matter
    in it and that it `keeps`; its total; why. A rule is named by its id, or, where it has clauses, as `rule/clause`.
    """

    verdict: str = ""
    breaks: tuple[str, ...] = ()
    warns: tuple[str, ...] = ()
    keeps: tuple[str, ...] = ()
    total: Number | None = None
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListDocument:
    """A whole list document. `exact`: nothing is filled in, the list is what it says to the last option.

    `unshown` is what the written form that the list comes from leaves out, `plan` how it is to be played, `rules` those
    of another pack that it is to be judged by besides.
    """

    game: Text
    version: Text = NOTHING
    faction: Text = NOTHING
    rules: Text = NOTHING
    name: str = ""
    player: str = ""
    event: str = ""
    notes: str = ""
    exact: bool = False
    limits: tuple[ListedLimit, ...] = ()
    unshown: tuple[str, ...] = ()
    detachments: tuple[ListedForce, ...] = ()
    plan: ListedPlan | None = None
    expected: Expected = Expected()

    def count_parts(self) -> int:
        """Count the detachments, units and options that the document writes down."""
        pending: list[ListedForce | ListedItem] = list(self.detachments)
        for part in pending:
            pending.extend(
                part.options or () if isinstance(part, ListedItem) else (*part.units, *part.detachments)
            )
        return len(pending)
