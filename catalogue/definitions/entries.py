"""Entries, groups, links, categories, forces and their costs, and decks."""

from enum import StrEnum

from catalogue.definitions.base import Definition
from catalogue.definitions.citations import NOWHERE, Citation
from catalogue.definitions.constraints import CommonCategory, Constraint, CopyLimit, LeaderReach, RuleWords
from catalogue.definitions.infos import Info
from catalogue.definitions.numbers import Number
from catalogue.definitions.queries import ALWAYS, ANY, Effect, Guard, Modifier, Scope

NO_LIMIT = -1
DEFAULT_AMOUNT = "defaultAmount"
"""The modifier field for `Entry.default_amount`."""


class CostType(Definition):
    """Any number that an entry carries: points, command points, or a hidden allowance.

    `default_limit` is a new roster's limit (below zero: none), `presets` are limits to offer. If the limit depends on
    the cost type `follows`, `steps` pair that limit with this one. The `rule` fields describe the rule behind the
    limit. `modifiers` may show or hide the cost.
    """

    id: str
    name: str
    default_limit: Number = NO_LIMIT
    presets: tuple[Number, ...] = ()
    follows: str = ""
    steps: tuple[tuple[Number, Number], ...] = ()
    hidden: bool = False
    modifiers: tuple[Modifier, ...] = ()
    rule: str = ""
    rule_name: str = ""
    rule_text: str = ""
    citation: Citation = NOWHERE

    @property
    def is_never_shown(self) -> bool:
        return self.hidden and not any(change.field == "hidden" for change in self.modifiers)


class Cost(Definition):
    type_id: str
    value: Number
    name: str = ""


class Category(Definition):
    """A type of unit, a keyword, or any other set of entries that rules count."""

    id: str
    name: str
    emblem: str = ""
    hidden: bool = False
    constraints: tuple[Constraint, ...] = ()
    modifiers: tuple[Modifier, ...] = ()
    infos: tuple[Info, ...] = ()
    citation: Citation = NOWHERE


class CategoryLink(Definition):
    """An entry's membership in a category, or a category's slot in a force."""

    id: str
    target_id: str
    name: str = ""
    primary: bool = False
    hidden: bool = False
    constraints: tuple[Constraint, ...] = ()
    modifiers: tuple[Modifier, ...] = ()
    infos: tuple[Info, ...] = ()
    citation: Citation = NOWHERE


class EntryKind(StrEnum):
    """An entry can be selected, a group contains entries, a link refers to either."""

    ENTRY = "entry"
    GROUP = "group"
    ENTRY_LINK = "entry-link"
    GROUP_LINK = "group-link"


LINK_KINDS = (EntryKind.ENTRY_LINK, EntryKind.GROUP_LINK)


class EntryType(StrEnum):
    """Only New Recruit's data has mounts and crew."""

    UNIT = "unit"
    MODEL = "model"
    UPGRADE = "upgrade"
    MOUNT = "mount"
    CREW = "crew"


class Reach(Definition):
    """Possible targets of an association: selections for which `guard` holds, while `when` holds for its owner.

    While it applies, a reach that `replaces` suspends the others.
    """

    guard: Guard
    when: Guard = ALWAYS
    replaces: bool = False


class Company(Definition):
    """Others that may share the target: `most` (below zero: any number) that `guard` admits.

    `label` admits only associations of that label, `host` limits the target, `unlike` forbids two of one entry.
    """

    guard: Guard = ALWAYS
    label: str = ""
    most: int = 1
    host: Guard = ALWAYS
    unlike: bool = False


class AttachmentRoom(Definition):
    """How many exclusive attachments a target takes, while `when` holds for it.

    `needs` must hold for one attachment, `single` for at most one; `unlike` forbids two of one entry.
    """

    most: int
    when: Guard = ALWAYS
    needs: Guard = ALWAYS
    single: Guard = ALWAYS
    unlike: bool = False


class Association(Definition):
    """Selections to which a selection may be attached, as a leader to a unit.

    It takes `least` to `most` (below zero: any number) targets directly in `scope`, or at any depth if `deep`. They
    match `child_id`, `guard`, and one of `reaches` if there are any. `label` is the word for such an
    attachment. Two `exclusive` associations share a target only if either admits the other as `company` or the target
    has room.
    """

    id: str
    name: str = ""
    label: str = ""
    scope: str = Scope.PARENT
    child_id: str = ANY
    deep: bool = False
    include_child_forces: bool = False
    least: int = 0
    most: int = NO_LIMIT
    guard: Guard = ALWAYS
    reaches: tuple[Reach, ...] = ()
    exclusive: bool = False
    company: tuple[Company, ...] = ()


class Entry(Definition):
    """A selection entry, a group of entries, or a link to either.

    - `default_id` fills a group's minimum.
    - A link adds its content to the target's; its costs replace the target's costs of the same type.
    - Equal selections of a `collective` entry merge into one with a number. Selections of an `apart` entry never merge.
    - `exported` entries are offered by catalogues that import this one.
    - `default_amount` is how many a new parent starts with, whatever the minimum.
    - `default_stacks` replace it by sizes of stacks (1, 1 and 3 warriors). Inside such stacks, they are the number in
      each stack (1, 0, 0 leaders).
    - `sort_index` orders siblings; 0 comes last, by name.
    - With `copies` the owner names each selection, and equal names are copies.
    - Pages show a `flatten` entry without its heading, and can fold a `collapsible` one.
    """

    id: str
    kind: EntryKind = EntryKind.ENTRY
    name: str = ""
    type: EntryType = EntryType.UPGRADE
    hidden: bool = False
    collective: bool = False
    apart: bool = False
    exported: bool = True
    target_id: str = ""
    default_id: str = ""
    note: str = ""
    emblem: str = ""
    default_amount: int = 0
    default_stacks: tuple[int, ...] = ()
    sort_index: int = 0
    costs: tuple[Cost, ...] = ()
    constraints: tuple[Constraint, ...] = ()
    modifiers: tuple[Modifier, ...] = ()
    effects: tuple[Effect, ...] = ()
    categories: tuple[CategoryLink, ...] = ()
    infos: tuple[Info, ...] = ()
    copies: CopyLimit | None = None
    associations: tuple[Association, ...] = ()
    step: int = 1
    flatten: bool = False
    collapsible: bool = False
    entries: tuple["Entry", ...] = ()
    citation: Citation = NOWHERE

    @property
    def is_link(self) -> bool:
        return self.kind in LINK_KINDS


class ForceEntry(Definition):
    """A kind of force or detachment. Its category links are slots.

    `words` replace the game's. `sort_index` orders siblings; 0 comes last. `inner_label` heads inner forces.
    """

    id: str
    name: str
    hidden: bool = False
    costs: tuple[Cost, ...] = ()
    constraints: tuple[Constraint, ...] = ()
    modifiers: tuple[Modifier, ...] = ()
    effects: tuple[Effect, ...] = ()
    categories: tuple[CategoryLink, ...] = ()
    infos: tuple[Info, ...] = ()
    forces: tuple["ForceEntry", ...] = ()
    sort_index: int = 0
    inner_label: str = ""
    growth: LeaderReach | None = None
    common: CommonCategory | None = None
    words: tuple[RuleWords, ...] = ()
    citation: Citation = NOWHERE


# ---- decks ----------------------------------------------------------------------------------------------------------

CARDS = "cards"
"""The category by which rules count cards."""


class DeckCard(Definition):
    """The list must have one of the entries `needs`. The owner names a `written` card; the data only knows its kind."""

    entry_id: str
    needs: tuple[str, ...] = ()
    written: bool = False


class Deck(Definition):
    """An entry whose selections are cards.

    `curves` are profile columns with costs, `kinds` the column with the kind (blank: its categories). Entries of the
    categories `beside` lie next to the deck.
    """

    entry_id: str
    cards: tuple[DeckCard, ...]
    curves: tuple[str, ...] = ()
    kinds: str = ""
    beside: tuple[str, ...] = ()
