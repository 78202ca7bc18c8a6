"""What may be chosen: entries, groups, links, categories, forces and their costs; decks as people look at them."""

from enum import StrEnum

from catalogue.definitions.base import Definition
from catalogue.definitions.citations import NOWHERE, Citation
from catalogue.definitions.constraints import CommonCategory, Constraint, CopyLimit, LeaderReach, RuleWords
from catalogue.definitions.infos import Info
from catalogue.definitions.numbers import Number
from catalogue.definitions.queries import ALWAYS, ANY, Effect, Guard, Modifier, Scope

NO_LIMIT = -1
DEFAULT_AMOUNT = "defaultAmount"
"""The field of modifiers that change how many of an entry a new parent starts with."""


class CostType(Definition):
    """Any number that an entry carries: points, command points, or a hidden one such as an allowance.

    `default_limit` is the limit a new roster starts with (below zero: none); `presets` are limits to offer. Where a
    limit goes with another, as command points do with the size of a game, `follows` is the id of that other cost type
    and `steps` pair its limits with those of this one. `rule`, `rule_name`, `rule_text` and `citation` are those of the
    rule that a list over its limit breaks. `modifiers` may show or hide it, as seen from the roster and each force.
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
        """Whether it is for rules to count only; one that is hidden until something shows it is not."""
        return self.hidden and not any(change.field == "hidden" for change in self.modifiers)


class Cost(Definition):
    """What one selection of an entry adds of a cost type."""

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
    """Membership of an entry in a category, or a category's place (slot) in a force."""

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
    """Whether an entry can itself be selected, gathers entries, or stands for one defined elsewhere."""

    ENTRY = "entry"
    GROUP = "group"
    ENTRY_LINK = "entry-link"
    GROUP_LINK = "group-link"


LINK_KINDS = (EntryKind.ENTRY_LINK, EntryKind.GROUP_LINK)
"""The kinds of entries that stand for one defined elsewhere."""


class EntryType(StrEnum):
    """What a selection is; the last two only in data made for New Recruit."""

    UNIT = "unit"
    MODEL = "model"
    UPGRADE = "upgrade"
    MOUNT = "mount"
    CREW = "crew"


class Reach(Definition):
    """Targets of an association while `when` holds as seen from its owner: selections for which `guard` holds.

    While one that `replaces` applies, those that do not replace are left out.
    """

    guard: Guard
    when: Guard = ALWAYS
    replaces: bool = False


class Company(Definition):
    """Beside whom a selection may be attached to a target: `most` others (below zero: any number) that `guard` admits.

    A `label` admits only others that are attached by an association so called, `host` limits it to targets for which
    that guard holds, and `unlike` admits no other selection of the same entry.
    """

    guard: Guard = ALWAYS
    label: str = ""
    most: int = 1
    host: Guard = ALWAYS
    unlike: bool = False


class AttachmentRoom(Definition):
    """How many exclusive attachments a target takes at once while `when` holds as seen from it.

    `needs` has to hold for one of what is attached, `single` may hold for one at most, and `unlike` forbids two
    selections of one entry.
    """

    most: int
    when: Guard = ALWAYS
    needs: Guard = ALWAYS
    single: Guard = ALWAYS
    unlike: bool = False


class Association(Definition):
    """What a selection may be attached to: a leader to the unit that it leads.

    It goes to between `least` and `most` (below zero: any number of) selections in `scope` that answer to `child_id`
    and for which `guard` holds, directly there or (`deep`) anywhere below. `label` is what being attached is called.
    With `reaches`, one of these has to hold for the other selection, too. An `exclusive` one shares its target with no
    other exclusive one, unless either has the other for `company` or the target has room.
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

    One type for the four, because they share nearly every field: an entry has `type`, a group may have `default_id`
    (the entry or link chosen when its minimum is filled), a link has `target_id`; what a link carries adds to its
    target, except that a cost of a link replaces the target's cost of that type. `collective` means that equal
    selections below one parent are one selection with a number; of an entry that is `apart` each one is a selection of
    its own, however alike they are. `exported` entries are offered by catalogues that
    import this one. `note` is a footnote printed beside the option. `default_amount` is how many a new parent starts
    with, whatever the minimum; `sort_index` its place among its siblings (0: after those with one, by name). With
    `copies` a selection is a thing that its owner names; those of one name are copies of it. `step` is by how many its
    number goes up and down at once. Pages show what is in a `flatten` group or entry without a heading of its own, and
    open and close one that is `collapsible`.
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

    `words` are those of rules that the engine judges by itself, where they are others here than in the whole game.
    `sort_index` is its place among those beside it (0: after those with one, in the order of the data), `inner_label`
    what the forces inside it are called together.
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
    """A card that may be in a deck: the id of its entry inside that of the deck.

    `needs` are the ids of entries of which one has to be in the list. The owner writes the name of a `written` one:
    the data knows no card, only a kind of card.
    """

    entry_id: str
    needs: tuple[str, ...] = ()
    written: bool = False


class Deck(Definition):
    """An entry whose selections are cards. `cards` are in the order of the data.

    `curves` are the names of the columns of their profile that hold costs, `kinds` that of the one that says what kind
    of card it is (blank: their categories do). `beside` are the ids of categories whose entries lie beside the deck.
    """

    entry_id: str
    cards: tuple[DeckCard, ...]
    curves: tuple[str, ...] = ()
    kinds: str = ""
    beside: tuple[str, ...] = ()
