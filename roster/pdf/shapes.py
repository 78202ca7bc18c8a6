"""What is on a sheet, as plain values: texts and figures in the order in which they are printed, nothing left to work
out.
"""

from dataclasses import dataclass

from catalogue.definitions.identity import UNKNOWN, Identity
from catalogue.definitions.numbers import Number
from roster.engine.report import Verdict
from roster.wording.violation_text import Sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class Imprint:
    """What a sheet says besides the list itself.

    `content_hash` is the hash of exactly this list, in hexadecimal. A list that is not stored has revision 0 and no
    link. `identity` is the emblem and the colours of the faction.
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
        """The first eight digits in two groups, as they are printed.

        >>> Imprint(game="", content_hash="3f9c21ab77").short_hash
        '3f9c 21ab'
        """
        return f"{self.content_hash[:4]} {self.content_hash[4:8]}".strip()


@dataclass(frozen=True, slots=True, kw_only=True)
class UncheckedNote:
    """Something that was not checked. `mark` is printed here and beside the units it is about."""

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
    """A line of a detachment: one unit, several equal ones, or something that goes with the unit above it.

    `costs` has one text per cost column, `cost_each` is what one of `count` costs. `models` and `units` are those in
    one of `count`: several units if they are one choice. `host` names the unit that an add-on is in. A deck has
    `cards`, and its options are those cards. `commands` is the title of a unit that commands the list;
    `data_name` is what the data calls a unit that its owner gave a name.
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
    """How many units of one type a detachment has."""

    name: str
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ForceBlock:
    """A detachment with its lines. `depth` is 0 unless it is inside another.

    `settings` are choices about the whole detachment: "Battle Size: Incursion".
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
    """A column of a profile table. `figures` says that its texts are short."""

    name: str
    figures: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """The text in one column. `see` marks a text so long that it is printed among the rules."""

    text: str
    see: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetRow:
    """One profile."""

    name: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetTable:
    """Profiles of one type. The first column holds the names, and `name` is its heading."""

    name: str
    columns: tuple[Column, ...]
    rows: tuple[SheetRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelLine:
    """Models of one kind in a unit. `boxes` has a run of boxes to tick off for each of the equal units.

    `cost` is what one of them costs by itself; what the data prices for the whole unit is not in it.
    """

    name: str
    number: int
    boxes: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    cost: Number = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetCard:
    """Everything about one unit, or several equal ones, on one card.

    A `wide` one is as wide as the page, because its tables are.
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
    """Figures of a model, or of a damage step: then `is_step`, and `changed` says which figures differ."""

    label: str
    cells: tuple[str, ...]
    is_step: bool = False
    changed: tuple[bool, ...] = ()


@dataclass(frozen=True, slots=True)
class ProfileTable:
    """Profiles under their heads. `title` is blank for the table that every unit of a game begins with."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[ProfileRow, ...]


@dataclass(frozen=True, slots=True)
class WeaponRow:
    """A weapon: its figures, and the words that are beside its name. `number` is 0 where all models have it."""

    name: str
    cells: tuple[str, ...]
    beside: str = ""
    number: int = 0
    is_once: bool = False


@dataclass(frozen=True, slots=True)
class WeaponTable:
    """Weapons under their heads."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[WeaponRow, ...]


@dataclass(frozen=True, slots=True)
class Ability:
    """A rule of a unit in words. `phase` is one of `type.signs.PHASES`, blank if it is not known.

    `timing` says when it is used, in the words of the data, and `colour` is what the data calls the colour of that.
    """

    name: str
    text: str = ""
    phase: str = ""
    is_once: bool = False
    timing: str = ""
    colour: str = ""


@dataclass(frozen=True, slots=True)
class Track:
    """Boxes to tick off, in groups: for wounds of one model, or (`models`) for several of them.

    `tops` are the wounds at which the groups of one model begin, `life` is what the game calls them. `number` is how
    many models it is for, `worth` what each of them costs, with its part of what the whole unit costs.
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
    """A unit, or `count` equal ones. `in_book` names rules of which the data has no words.

    `lines` are what it has by name only, each with what that is; the texts of `common`, which are among those names,
    stand once for the whole list. `stores` are boxes of what it spends, such as Might.
    `model_worth` is what each of its models costs if they share its points evenly.
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
        """Whether there is more to print than a name and what was chosen, which the first page has."""
        return bool(self.profile or self.weapons or self.abilities or self.lines or self.notes)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A rule or ability, printed once. `parameters` are those it has anywhere in the list, in brackets.

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

    `needs` names the units of which the list must have one, `kind` is the kind of a card that its owner named;
    `figures` has one text per column of the deck.
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
        """Whether any card needs a unit."""
        return any(line.needs for line in self.lines)


@dataclass(frozen=True, slots=True, kw_only=True)
class ListSheet:
    """A whole list, ready to print; with `plan`, how it is to be played.

    `facts` describe the list: name, value, and the reason if there is one. `reminders` are rules of the game's book
    that go with every list.
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
