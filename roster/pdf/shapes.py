"""The content of a sheet: final texts and figures in print order."""

import re
from dataclasses import dataclass, field

from catalogue.definitions.identity import UNKNOWN, Identity
from catalogue.definitions.missions import PlayBook
from catalogue.definitions.numbers import Number
from roster.engine.report import Verdict
from roster.wording.violation_text import Sentence

NO_PLAY = PlayBook()
_ACTION = re.compile(r"(.*\S)\s*\((\d+) ?AP\)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Imprint:
    """What a sheet prints in addition to the list.

    `content_hash` is in hexadecimal. An unsaved list has revision 0 and no link. `identity` is the faction's.
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
    """Something that was not checked. `mark` also appears next to affected units."""

    text: str
    citation: str = ""
    mark: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Amount:
    name: str
    value: str
    limit: str = ""
    over: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitLine:
    """A line of a detachment: equal units, or an add-on of the unit above.

    `costs` has one text per cost column. `cost_each`, `models` and `units` are for one of `count`. `commands` is the
    commander's title, `data_name` a renamed unit's original name. The line before leads a unit that `follows`.
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
    follows: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotCount:
    name: str
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ForceBlock:
    """A detachment. `depth` is 0 for the outermost. `settings` are choices such as "Battle Size: Incursion"."""

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
    """A column of a profile table. `figures` means that its texts are short."""

    name: str
    figures: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """The text in a column. `see` means that the text is too long and is printed with the rules."""

    text: str
    see: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetRow:
    name: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetTable:
    """Profiles of one type. `name` heads the column of their names."""

    name: str
    columns: tuple[Column, ...]
    rows: tuple[SheetRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelLine:
    """Equal models of a unit. `boxes` has one text for each of several equal units.

    `cost` excludes the unit's cost as a whole.
    """

    name: str
    number: int
    boxes: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    cost: Number = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetCard:
    """One unit or several equal units. A `wide` card takes the width of the page."""

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
    """Figures of a model, or with `is_step` of a damage step. `changed` says which figures differ."""

    label: str
    cells: tuple[str, ...]
    is_step: bool = False
    changed: tuple[bool, ...] = ()


@dataclass(frozen=True, slots=True)
class ProfileTable:
    """Profiles below their column names. A unit's first table has no title."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[ProfileRow, ...]


@dataclass(frozen=True, slots=True)
class WeaponRow:
    """A weapon and the text next to its name. `number` is 0 if all models have it."""

    name: str
    cells: tuple[str, ...]
    beside: str = ""
    number: int = 0
    is_once: bool = False


@dataclass(frozen=True, slots=True)
class WeaponTable:
    title: str
    heads: tuple[str, ...]
    rows: tuple[WeaponRow, ...]


@dataclass(frozen=True, slots=True)
class Ability:
    """A unit's rule. `phase` is one of `type.signs.PHASES`, or blank."""

    name: str
    text: str = ""
    phase: str = ""
    is_once: bool = False
    timing: str = ""
    colour: str = ""

    @property
    def action(self) -> tuple[str, str]:
        """The name and cost of an action, or blanks.

        >>> Ability("Signal (1AP)").action, Ability("Blast (3)").action
        (('Signal', '1 AP'), ('', ''))
        """
        match = _ACTION.fullmatch(self.name)
        return (match[1], f"{match[2]} AP") if match else ("", "")


@dataclass(frozen=True, slots=True)
class Track:
    """Boxes to tick, in groups: for one model's wounds, or with `models` for several models.

    `tops` are the wounds at which groups start, `life` is the game's word for wounds. `worth` is the cost of each of
    `number` models, including its share of the unit's cost.
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
    """A unit, or `count` equal units. `in_book` names rules whose text is only in the book.

    `lines` are labelled names without text; the list prints the texts of those in `common`. `stores` are boxes for
    resources such as Might. `model_worth` is a model's cost if all models share the unit's points evenly. `bonds` say
    which units it leads or follows. With a `seam`, the words between them, it shares a frame with the next sheet. `ids`
    identify the units and their choices in the list.
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
    bonds: tuple[str, ...] = ()
    seam: str = ""
    notes: str = ""
    marks: str = ""
    citation: str = ""
    ids: tuple[str, ...] = field(default=(), compare=False)

    @property
    def says_something(self) -> bool:
        has_chosen = bool(self.options and self.models)
        has_remarks = bool(self.bonds or self.notes)
        return bool(self.profile or self.weapons or self.abilities or self.lines or has_remarks or has_chosen)

    def write_remarks(self, beside: tuple[str, ...] = ()) -> str:
        """Join the notes and the bonds, except bonds to units named in `beside`."""
        bonds = ". ".join(bond for bond in self.bonds if not bond.endswith(beside))
        return "\n".join(filter(None, (bonds, self.notes)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A rule with all parameters that it has in the list.

    If several rules have the same text, `name` is that text and `text` are their names.
    """

    name: str
    text: tuple[str, ...] = ()
    parameters: str = ""
    citation: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetPlanLine:
    """A decision of the game plan. `sign` marks a rule that the plan breaks."""

    label: str
    values: tuple[str, ...] = ()
    sign: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckListLine:
    """A card of a deck, which needs one of the units `needs`. `kind` is a renamed card's original name."""

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
    name: str
    count: int
    columns: tuple[str, ...] = ()
    lines: tuple[DeckListLine, ...] = ()

    @property
    def bound(self) -> bool:
        return any(line.needs for line in self.lines)


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetPhoto:
    """A JPEG of the unit with this id, or of the whole list if it is blank. `key` names its content."""

    unit: str
    key: str
    width: int
    height: int
    content: bytes = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class ListSheet:
    """A whole list, ready to print.

    `facts` are name, value, and the reason or "". `homebrew` names a player's house rules. `reminders` are rules for
    every list of the game, `play` is its material for playing.
    """

    title: str
    imprint: Imprint
    verdict: Verdict
    factions: str = ""
    notes: str = ""
    amounts: tuple[Amount, ...] = ()
    facts: tuple[tuple[str, str, str], ...] = ()
    homebrew: str = ""
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
    play: PlayBook = NO_PLAY
    photos: tuple[SheetPhoto, ...] = ()
