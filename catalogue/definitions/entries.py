"""What may be chosen: entries, groups, links, categories, forces and their costs; also decks."""

from enum import StrEnum

from catalogue.definitions.base import Definition
from catalogue.definitions.citations import NOWHERE, Citation
from catalogue.definitions.constraints import CommonCategory, Constraint, CopyLimit, LeaderReach, RuleWords
from catalogue.definitions.infos import Info
from catalogue.definitions.numbers import Number
from catalogue.definitions.queries import ALWAYS, ANY, Effect, Guard, Modifier, Scope

NO_LIMIT = -1
DEFAULT_AMOUNT = "defaultAmount"
"""The modifier field for how many of an entry a new parent starts with."""


class CostType(Definition):
    """Any number that an entry carries: points, command points, or a hidden one such as an allowance.

    `default_limit` is the limit of a new roster (below zero: none), `presets` are limits to offer. If this limit
    depends on another, as command points do on the size of a game, `follows` is that cost type's id and `steps` pair
    its limits with these. `rule`, `rule_name`, `rule_text` and `citation` describe the rule that a list over its limit
    breaks. `modifiers` may show or hide it for the roster and each force.
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
        """Whether only rules use it."""
        return self.hidden and not any(change.field == "hidden" for change in self.modifiers)


class Cost(Definition):
    """How much of a cost type one selection of an entry adds."""

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
    """Whether an entry can be selected, groups other entries, or links to an entry or group elsewhere."""

    ENTRY = "entry"
    GROUP = "group"
    ENTRY_LINK = "entry-link"
    GROUP_LINK = "group-link"


LINK_KINDS = (EntryKind.ENTRY_LINK, EntryKind.GROUP_LINK)


class EntryType(StrEnum):
    """What a selection is. Only New Recruit's data has the last two."""

    UNIT = "unit"
    MODEL = "model"
    UPGRADE = "upgrade"
    MOUNT = "mount"
    CREW = "crew"


class Reach(Definition):
    """Possible targets of an association while `when` holds for its owner: selections for which `guard` holds.

    While a reach that `replaces` applies, the others are ignored.
    """

    guard: Guard
    when: Guard = ALWAYS
    replaces: bool = False


class Company(Definition):
    """Who else may be attached to the same target: `most` others (below zero: any number) that `guard` admits.

    A `label` admits only selections attached by an association of that label, `host` limits it to targets for which
    that guard holds, and `unlike` forbids a second selection of the same entry.
    """

    guard: Guard = ALWAYS
    label: str = ""
    most: int = 1
    host: Guard = ALWAYS
    unlike: bool = False


class AttachmentRoom(Definition):
    """How many exclusive attachments a target takes at once, while `when` holds for the target.

    `needs` must hold for one attachment, `single` may hold for at most one, and `unlike` forbids two selections of one
    entry.
    """

    most: int
    when: Guard = ALWAYS
    needs: Guard = ALWAYS
    single: Guard = ALWAYS
    unlike: bool = False


class Association(Definition):
    """What a selection may be attached to, as a leader to the unit that it leads.

    It is attached to between `least` and `most` (below zero: any number of) selections in `scope` that match `child_id`
    and `guard`, directly there or (`deep`) at any depth. `label` names being attached. If there are `reaches`, one of
    them must hold for the target as well. An `exclusive` association shares its target with another exclusive one only
    if either admits the other as `company` or the target has room.
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

    They are one type because they share nearly every field. An entry has `type`. A group may have `default_id`, the
    entry or link chosen to fill its minimum. A link has `target_id`; its content is added to the target's, but its
    costs replace the target's costs of the same type.

    Equal selections of a `collective` entry below one parent are one selection with a number; selections of an entry
    that is `apart` are never merged. `exported` entries are offered by catalogues that import this one. `note` is a
    footnote beside the option. `default_amount` is how many a new parent starts with, whatever the minimum. Instead,
    `default_stacks` are the sizes of the stacks that it starts with (1, 1 and 3 warriors); inside such stacks, they are
    the number in each of the first, second and third stack (1, 0, 0 leaders).
    `sort_index` orders siblings; those with 0 come last, by name. With `copies` the owner names each selection, and
    equal names are copies. `step` is the amount by which the number changes. Pages show the content of a `flatten`
    entry without its heading, and let users open and close a `collapsible` one.
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
    """A kind of force or detachment: its slots (category links), its rules, the forces it may hold.

    `words` replace the game's words for built-in rule kinds. `sort_index` orders siblings; those with 0 come last, in
    the order of the data. `inner_label` is the heading for the forces inside it.
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
"""The category that rules count cards by."""


class DeckCard(Definition):
    """A card that may be in a deck: the id of its entry inside the deck's entry.

    The list must have one of the entries `needs`. The owner names a `written` card: the data only knows the kind of
    card.
    """

    entry_id: str
    needs: tuple[str, ...] = ()
    written: bool = False


class Deck(Definition):
    """An entry whose selections are cards. `cards` are in the order of the data.

    `curves` are the profile columns that hold costs, `kinds` the column with the kind of card (blank: its categories).
    Entries of the categories `beside` lie next to the deck.
    """

    entry_id: str
    cards: tuple[DeckCard, ...]
    curves: tuple[str, ...] = ()
    kinds: str = ""
    beside: tuple[str, ...] = ()
