"""The content of a sheet as plain values: final texts and figures in print order."""

from dataclasses import dataclass

from catalogue.definitions.identity import UNKNOWN, Identity
from catalogue.definitions.numbers import Number
from roster.engine.report import Verdict
from roster.wording.violation_text import Sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class Imprint:
    """What a sheet prints apart from the list itself.

    `content_hash` is the hash of exactly this list, in hexadecimal. An unstored list has revision 0 and no link.
    `identity` is the faction's emblem and colours.
    """

    game: str
    version: str = ""
    revision: int = 0
    content_hash: str = ""
    link: str = ""
    player: str = ""
    event: str = ""
    notice: str = ""
    identity: Identity = UNKNOWN

    @property
    def short_hash(self) -> str:
        """The first eight digits in two groups.

        >>> Imprint(game="", content_hash="3f9c21ab77").short_hash
        '3f9c 21ab'
        """
        return f"{self.content_hash[:4]} {self.content_hash[4:8]}".strip()


@dataclass(frozen=True, slots=True, kw_only=True)
class UncheckedNote:
    """Something that was not checked. `mark` is printed here and next to the affected units."""

    text: str
    citation: str = ""
    mark: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Amount:
    """A total of the whole list. `limit` is blank if there is none."""

    name: str
    value: str
    limit: str = ""
    over: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitLine:
    """A line of a detachment: a unit, several equal ones, or an add-on of the unit above.

    `costs` has one text per cost column; `cost_each` is the cost of one of `count`. `models` and `units` are those in
    one of `count`; a choice may have several units. `host` names the unit around an add-on. A deck has `cards`, which
    are its options. `commands` is the title of a unit that commands the list; `data_name` is the name in the data of a
    renamed unit.
    """

    type: str
    name: str
    count: int = 1
    models: int = 0
    units: int = 0
    host: str = ""
    options: tuple[str, ...] = ()
    costs: tuple[str, ...] = ()
    cost_each: str = ""
    notes: str = ""
    marks: str = ""
    problems: tuple[int, ...] = ()
    placeholder: bool = False
    cards: int = 0
    commands: str = ""
    data_name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotCount:
    """The number of units of one type in a detachment."""

    name: str
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ForceBlock:
    """A detachment with its lines. `depth` is 0 unless it is inside another.

    `settings` are choices for the whole detachment: "Battle Size: Incursion".
    """

    name: str
    kind: str = ""
    catalogue: str = ""
    depth: int = 0
    costs: tuple[Amount, ...] = ()
    tallies: tuple[SlotCount, ...] = ()
    lines: tuple[UnitLine, ...] = ()
    settings: tuple[str, ...] = ()
    notes: str = ""
    problems: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column of a profile table. `figures`: its texts are short."""

    name: str
    figures: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """The text in one column. `see`: the text is too long and printed among the rules."""

    text: str
    see: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetRow:
    """A profile: its name, and one cell per column."""

    name: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetTable:
    """Profiles of one type. `name` is the heading of the first column, which holds the names."""

    name: str
    columns: tuple[Column, ...]
    rows: tuple[SheetRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelLine:
    """Models of one kind in a unit. `boxes` has a run of boxes for each of the equal units.

    `cost` is the cost of a single model, without the cost of the unit as a whole.
    """

    name: str
    number: int
    boxes: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    cost: Number = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetCard:
    """Everything about one unit, or several equal ones, on one card.

    A `wide` card takes the width of the page, because its tables do.
    """

    name: str
    data_name: str = ""
    type: str = ""
    keywords: tuple[str, ...] = ()
    count: int = 1
    cost: str = ""
    host: str = ""
    model_lines: tuple[ModelLine, ...] = ()
    tables: tuple[SheetTable, ...] = ()
    options: tuple[str, ...] = ()
    abilities: tuple[str, ...] = ()
    notes: str = ""
    marks: str = ""
    citation: str = ""
    wide: bool = False


@dataclass(frozen=True, slots=True)
class ProfileRow:
    """Figures of a model, or with `is_step` of a damage step; `changed` says which figures differ."""

    label: str
    cells: tuple[str, ...]
    is_step: bool = False
    changed: tuple[bool, ...] = ()


@dataclass(frozen=True, slots=True)
class ProfileTable:
    """Profiles under their headings. `title` is blank for the first table of a unit."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[ProfileRow, ...]


@dataclass(frozen=True, slots=True)
class WeaponRow:
    """A weapon: its figures, and the text next to its name. `number` is 0 if all models have it."""

    name: str
    cells: tuple[str, ...]
    beside: str = ""
    number: int = 0
    is_once: bool = False


@dataclass(frozen=True, slots=True)
class WeaponTable:
    """Weapons of one kind, with the heads of their columns."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[WeaponRow, ...]


@dataclass(frozen=True, slots=True)
class Ability:
    """A rule of a unit in words. `phase` is one of `type.signs.PHASES`, or blank.

    `timing` says when it is used, in the words of the data; `colour` is the colour that the data gives it.
    """

    name: str
    text: str = ""
    phase: str = ""
    is_once: bool = False
    timing: str = ""
    colour: str = ""


@dataclass(frozen=True, slots=True)
class Track:
    """Boxes to tick off, in groups: for wounds of one model, or with `models` for several models.

    `tops` are the wounds at which the groups of one model begin; `life` is the game's word for wounds. `number` is the
    number of models, `worth` the cost of each with its share of the unit's cost.
    """

    label: str
    groups: tuple[int, ...]
    tops: tuple[int, ...] = ()
    models: bool = False
    life: str = ""
    number: int = 1
    worth: Number = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Datasheet:
    """A unit, or `count` equal ones. `in_book` names rules whose text is only in the book.

    `lines` are labelled names without text; the list prints the texts of `common`, which are among these names, once.
    `stores` are boxes for what the unit spends, such as Might. `model_worth` is the cost of each model if they share
    the unit's points evenly.
    """

    name: str
    data_name: str = ""
    type: str = ""
    keywords: tuple[str, ...] = ()
    count: int = 1
    cost: str = ""
    host: str = ""
    models: int = 0
    model_worth: Number = 0
    commands: str = ""
    profile: ProfileTable | None = None
    more_profiles: tuple[ProfileTable, ...] = ()
    weapons: tuple[WeaponTable, ...] = ()
    abilities: tuple[Ability, ...] = ()
    in_book: tuple[str, ...] = ()
    lines: tuple[tuple[str, tuple[str, ...]], ...] = ()
    common: tuple[Ability, ...] = ()
    options: tuple[str, ...] = ()
    tracks: tuple[Track, ...] = ()
    stores: tuple[Track, ...] = ()
    notes: str = ""
    marks: str = ""
    citation: str = ""

    @property
    def says_something(self) -> bool:
        """Whether there is more to print than a name; the options of a setting are on the first page."""
        has_chosen = bool(self.options and self.models)
        return bool(self.profile or self.weapons or self.abilities or self.lines or self.notes or has_chosen)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A rule or ability, printed once. `parameters` are all its parameters in the list.

    Several rules with the same text are printed as one: its name is that text, and its text their names.
    """

    name: str
    text: tuple[str, ...] = ()
    parameters: str = ""
    citation: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetPlanLine:
    """A line of the game plan: a label and what was decided. `sign` marks a rule that the plan breaks."""

    label: str
    values: tuple[str, ...] = ()
    sign: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckListLine:
    """A card of a deck and its copies.

    `needs` names the units of which the list must have one, `kind` is the data's name of a renamed card; `figures` has
    one text per column of the deck.
    """

    count: int
    name: str
    kind: str = ""
    needs: str = ""
    keywords: tuple[str, ...] = ()
    figures: tuple[str, ...] = ()
    text: tuple[str, ...] = ()
    notes: str = ""
    problems: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckList:
    """A deck, card by card, with the cards of one unit together."""

    name: str
    count: int
    columns: tuple[str, ...] = ()
    lines: tuple[DeckListLine, ...] = ()

    @property
    def bound(self) -> bool:
        """Whether a card of the deck needs a unit in the list."""
        return any(line.needs for line in self.lines)


@dataclass(frozen=True, slots=True, kw_only=True)
class ListSheet:
    """A whole list, ready to print; `plan` is how it is to be played.

    `facts` describe the list: name, value, and the reason or "". `reminders` are rules of the game's book that are
    printed with every list.
    """

    title: str
    imprint: Imprint
    verdict: Verdict
    factions: str = ""
    notes: str = ""
    amounts: tuple[Amount, ...] = ()
    facts: tuple[tuple[str, str, str], ...] = ()
    reminders: tuple[Rule, ...] = ()
    units: int = 0
    problems: tuple[Sentence, ...] = ()
    remarks: tuple[Sentence, ...] = ()
    unchecked: tuple[UncheckedNote, ...] = ()
    cost_names: tuple[str, ...] = ()
    blocks: tuple[ForceBlock, ...] = ()
    cards: tuple[SheetCard, ...] = ()
    datasheets: tuple[Datasheet, ...] = ()
    common: tuple[Ability, ...] = ()
    rules: tuple[Rule, ...] = ()
    sources: tuple[str, ...] = ()
    plan: tuple[SheetPlanLine, ...] = ()
    decks: tuple[DeckList, ...] = ()
