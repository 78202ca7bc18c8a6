"""Compiled entries: a link merged with its target, and the options inside.

An entry does not depend on where it stands, so shared definitions are compiled once, and the catalogue stays a graph
that is unfolded lazily: entry -> contents -> options -> entries. The four classes of that graph know each other, so
they stand together in this module.
"""

from collections.abc import Container, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain
from math import ceil
from threading import RLock
from typing import NamedTuple

from catalogue.definitions.catalogues import Catalogue
from catalogue.definitions.citations import NOWHERE, Citation
from catalogue.definitions.constraints import Constraint
from catalogue.definitions.entries import CategoryLink, Entry, EntryKind, ForceEntry
from catalogue.definitions.infos import Info
from catalogue.definitions.link_index import Binding
from catalogue.definitions.numbers import Number
from catalogue.definitions.queries import ANY, Bound, holds_widely
from catalogue.graph.compiled_constraints import (
    NO_CONSTRAINTS,
    CompiledConstraint,
    CompiledConstraints,
    Modifiers,
    compile_constraint,
    group_by_field,
    iterate_queries,
    limits_number,
)
from catalogue.graph.ids import join_ids

MAX_DEPTH = 100
"""How deep groups, selections and forces may be nested. Real data stays below 15."""

MAX_AUTOMATIC = 500
"""How many selections come along at most: more is an error in the data."""

NO_CHILDREN: "list[CompiledEntry]" = []
NO_MODIFIERS: Modifiers = {}

NO_LINK = Entry(id="", kind=EntryKind.ENTRY_LINK)
"""What merges with the target of no link: nothing."""

# A member that is looked up in its enumeration takes ten times as long.
_GROUP, _MAX = EntryKind.GROUP, Bound.MAX

LOWER_BOUNDS = (Bound.MIN, Bound.EXACTLY)
"""The ways to bind that require something."""


# ---- entries ---------------------------------------------------------------------------------------------------------


def merge_costs(parts: Iterable[Entry | ForceEntry], modifiers: Modifiers, known: Container[str]) -> dict[str, Number]:
    """Return the unit costs that `parts` name together, of known types; one that is only modified starts at zero."""
    costs = {cost.type_id: cost.value for part in parts for cost in part.costs if cost.type_id in known}
    for field in modifiers:
        if field in known:
            costs.setdefault(field, 0)
    return costs


class HomedInfo(NamedTuple):
    """A profile, rule, group or link, and the catalogue where its link is resolved.

    `on_link`: it belongs to the link to an entry, not to the entry.
    """

    info: Info
    home: Catalogue
    on_link: bool = False


class CompiledEntry:
    """An entry or group, and the link it was reached by, merged: target first, then link."""

    __slots__ = (
        "_children",
        "_citation",
        "_compiler",
        "_constraints",
        "_contents",
        "_cost_readers",
        "_costs",
        "_effect_fields",
        "_fills_itself",
        "_has_automatic_child",
        "_hides_widely",
        "_infos",
        "_is_declared_pick",
        "_link_children",
        "_may_come_along",
        "_target_children",
        "category_links",
        "collective",
        "default_amount",
        "default_id",
        "effects",
        "hidden",
        "home",
        "inside",
        "instanced",
        "is_group",
        "link",
        "link_home",
        "modifiers",
        "moves_category",
        "name",
        "target",
    )

    def __init__(
        self, compiler: "EntryCompiler", target: Entry, home: Catalogue, link: Entry | None, link_home: Catalogue
    ) -> None:
        added = link or NO_LINK
        self._compiler = compiler
        self._citation: Citation | None = None
        self._constraints: CompiledConstraints | None = None
        self._contents: ContainerOptions | None = None
        self._cost_readers: tuple[str, ...] | None = None
        self._costs: dict[str, Number] | None = None
        self._effect_fields: frozenset[str] | None = None
        self._fills_itself: bool | None = None
        self._has_automatic_child: bool | None = None
        self._hides_widely: bool | None = None
        self._infos: tuple[HomedInfo, ...] | None = None
        self._is_declared_pick: bool | None = None
        # Children are compiled when asked for: data refers to itself in circles, and no list looks into all of it.
        self._children: list[CompiledEntry] | None = None
        self._target_children: list[CompiledEntry] | None = None if target.entries else NO_CHILDREN
        self._link_children: list[CompiledEntry] | None = None if added.entries else NO_CHILDREN
        self._may_come_along: bool | None = None
        self.instanced: bool | None = None
        self.inside: frozenset[str] | None = None
        self.target = target
        self.is_group = target.kind is _GROUP
        self.link = link
        self.link_home = link_home
        self.home = home
        self.name = target.name or added.name
        # What a link says of it goes before what its target says.
        self.default_id = added.default_id or target.default_id
        self.default_amount = added.default_amount or target.default_amount
        self.effects = target.effects + added.effects
        # Either may hide it; a link cannot show what its target hides.
        self.hidden = target.hidden or added.hidden
        self.collective = target.collective or added.collective
        modifiers = target.modifiers + added.modifiers
        # Most of large data has none.
        self.modifiers = group_by_field(modifiers) if modifiers else NO_MODIFIERS
        self.moves_category = "category" in self.modifiers
        self.category_links = target.categories + added.categories

    @property
    def note(self) -> str:
        return (self.link and self.link.note) or self.target.note

    @property
    def emblem(self) -> str:
        return (self.link and self.link.emblem) or self.target.emblem

    @property
    def sort_index(self) -> int:
        return (self.link and self.link.sort_index) or self.target.sort_index

    @property
    def costs(self) -> dict[str, Number]:
        """Its unit costs, summed up when first asked for: an import labels few entries."""
        if self._costs is None:
            self._costs = merge_costs(self.parts, self.modifiers, self._compiler.binding.cost_types)
        return self._costs

    @property
    def fixed_costs(self) -> bool:
        """Whether no modifier changes any of its costs."""
        return not self.modifiers or self.modifiers.keys().isdisjoint(self.costs)

    @property
    def constraints(self) -> CompiledConstraints:
        """Those of its parts, compiled when first asked for: an import looks at the limits of few entries."""
        if self._constraints is None:
            # Two threads may compile the same at once, and each sees all of them.
            self._constraints = self._compile_constraints() if self.declared_constraints else NO_CONSTRAINTS
        return self._constraints

    @property
    def declared_constraints(self) -> tuple[Constraint, ...]:
        """Those of its parts as they are defined."""
        return self.target.constraints + self.link.constraints if self.link else self.target.constraints

    @property
    def infos(self) -> tuple["HomedInfo", ...]:
        """The texts of the target and those of the link, each with the data it is from."""
        if self._infos is None:
            of_target = [HomedInfo(info, self.home) for info in self.target.infos]
            of_link = [HomedInfo(info, self.link_home, on_link=True) for info in self.link.infos] if self.link else ()
            self._infos = (*of_target, *of_link)
        return self._infos

    def _compile_constraints(self) -> CompiledConstraints:
        reached = self._compiler.binding.effect_fields
        compiled = [
            compile_constraint(constraint, part.id, part.name or self.target.name, self.modifiers, reached)
            for part in self.parts
            for constraint in part.constraints
        ]
        return CompiledConstraints(compiled)

    @property
    def citation(self) -> Citation:
        """Where it stands: by its target, else by the link."""
        if self._citation is None:
            self._citation = next((part.citation for part in self.parts if part.citation != NOWHERE), NOWHERE)
        return self._citation

    @property
    def parts(self) -> tuple[Entry, ...]:
        """The target, then the link to it."""
        return (self.target, self.link) if self.link else (self.target,)

    @property
    def ids(self) -> frozenset[str]:
        """The ids of its parts, by any of which data may name it."""
        return frozenset(part.id for part in self.parts)

    @property
    def declared_costs(self) -> dict[str, Number]:
        """Its unit costs before modifiers, without types that are only modified; a new dictionary."""
        if not self.modifiers:
            return dict(self.costs)
        return merge_costs(self.parts, {}, self._compiler.binding.cost_types)

    def is_made_by(self, link_id: str, target_id: str) -> bool:
        """Return whether a link of that id to that target makes it."""
        return self.link is not None and self.link.id == link_id and self.target.id == target_id

    @property
    def is_context_free(self) -> bool:
        """Whether it requires and allows the same number wherever it stands."""
        numbers = self.constraints.minimums + self.constraints.maximums
        # What is hidden binds nobody, so that its limits depend on the place as its visibility does.
        hiding = "hidden" in self.modifiers or "hidden" in self._compiler.binding.effect_fields
        return not hiding and all(c.counts_siblings and not c.modifiers and not c.reached for c in numbers)

    @property
    def hides_widely(self) -> bool:
        """Whether it is hidden, or not, alike for all that is in a force."""
        if self._hides_widely is None:
            modifiers = self.modifiers.get("hidden", ())
            alike = all(holds_widely(modifier.guard) and not modifier.repeats for modifier in modifiers)
            self._hides_widely = alike and "hidden" not in self._compiler.binding.effect_fields
        return self._hides_widely

    @property
    def may_come_along(self) -> bool:
        """Whether a container may come with some of it."""
        if self._may_come_along is None:
            self._may_come_along = bool(self.default_amount) or any(
                constraint.bound is not _MAX and limits_number(constraint) for constraint in self.declared_constraints
            )
        return self._may_come_along

    @property
    def is_declared_pick(self) -> bool:
        """Whether a container comes with some of it, if there is room, before modifiers and whatever is conditional."""
        if self._is_declared_pick is None:
            picked = bool(self.default_amount) or any(map(_asks_for_owner, self.declared_constraints))
            self._is_declared_pick = picked and not self.hidden
        return self._is_declared_pick

    @property
    def cost_readers(self) -> tuple[str, ...]:
        """The cost types whose value here depends on costs."""
        if self._cost_readers is None:
            self._cost_readers = tuple(filter(self._is_reading_costs, self.costs))
        return self._cost_readers

    def _is_reading_costs(self, type_id: str) -> bool:
        """Whether a modifier of a cost asks for costs."""
        known = self._compiler.binding.cost_types
        queries = chain.from_iterable(map(iterate_queries, self.modifiers.get(type_id, ())))
        return any(query.field in known for query in queries)

    @property
    def effect_fields(self) -> frozenset[str]:
        """What it and the groups inside it change in other things."""
        if self._effect_fields is None:
            entries = (self, *(group.entry for group in self.contents.affecting_groups))
            self._effect_fields = frozenset(effect.modifier.field for entry in entries for effect in entry.effects)
        return self._effect_fields

    @property
    def contents(self) -> "ContainerOptions":
        """What may be taken inside, compiled when first asked for."""
        if self._contents is None:
            with self._compiler.lock:
                # Asked again: another thread may have laid it out while this one waited, and options are compared by
                # identity.
                if self._contents is None:
                    self._contents = self._compiler.arrange_options(self.target_children, self.link_children)
        return self._contents

    @property
    def declared_picks(self) -> "Picks":
        """What a fresh selection of it comes with, by minimums and defaults as the definitions state them."""
        if self._contents is not None or not self.fills_itself:
            return self._contents.declared_picks if self._contents else ()
        # Laid out for this question only and thrown away: labels ask it of units that nobody ever opens.
        items, groups = _lay_out_items(self.target_children, self.link_children, defaults=frozenset())
        options = [option for option in flatten_items(items) if option.entry.may_come_along]
        return _choose_picks(options, _list_default_choices(groups))

    @property
    def fills_itself(self) -> bool:
        """Whether something inside it, or inside its groups, comes along with a fresh selection as it is declared.

        Large data has tens of thousands of entries of which few do, and laying out what is inside them costs most of an
        import.
        """
        if self._fills_itself is None:
            self._fills_itself = False  # a group inside itself adds nothing
            inner = (child for child in self.children if child.is_group)
            self._fills_itself = self.has_automatic_child or any(group.fills_itself for group in inner)
        return self._fills_itself

    @property
    def is_automatic(self) -> bool:
        """Whether a container comes with it as it is declared, or, of a group, with something in it."""
        return self.fills_itself if self.is_group else self.is_declared_pick

    @property
    def has_required_default(self) -> bool:
        """Whether it is a group that asks for something and says what that is unless somebody chooses."""
        return bool(self.is_group and self.default_id and self.constraints.minimums)

    @property
    def has_automatic_child(self) -> bool:
        """Whether one of its own children comes along as it is declared."""
        if self._has_automatic_child is None:
            self._has_automatic_child = self.has_required_default or any(
                child.is_declared_pick for child in self.children if not child.is_group
            )
        return self._has_automatic_child

    @property
    def children(self) -> "list[CompiledEntry]":
        """All entries and groups directly inside, in the order of the data."""
        if self._children is None:
            self._children = self.target_children + self.link_children if self.link_children else self.target_children
        return self._children

    @property
    def target_children(self) -> "list[CompiledEntry]":
        """What the target holds. Kept, because a group is laid out anew in each container that has it."""
        if self._target_children is None:
            self._target_children = self._compiler.compile_children(self.target, self.home)
        return self._target_children

    @property
    def holds_something(self) -> bool:
        """Whether there are choices or texts inside it: most options of large data are a name and a cost."""
        target, link = self.target, self.link or NO_LINK
        return bool(target.entries or target.infos or link.entries or link.infos)

    @property
    def link_children(self) -> "list[CompiledEntry]":
        """What the link adds to it."""
        if self._link_children is None:
            entries = self.link.entries if self.link else ()
            self._link_children = self._compiler.compile_entries(entries, self.link_home)
        return self._link_children


def _asks_for_owner(constraint: Constraint) -> bool:
    """Return whether a constraint demands some of its owner, whatever else is in a list."""
    if constraint.bound is _MAX or constraint.value <= 0 or constraint.when or constraint.terms:
        return False
    return limits_number(constraint)


# ---- options and groups ----------------------------------------------------------------------------------------------


class CategoryMembership(NamedTuple):
    """The categories of a selection, in the order of the data, and the primary one (blank: none)."""

    ids: tuple[str, ...]
    primary: str = ""


def merge_category_links(links: Iterable[CategoryLink]) -> CategoryMembership:
    """Return the categories that `links` name; the last primary one wins."""
    ids: dict[str, None] = {}
    primary = ""
    for link in links:
        ids[link.target_id] = None
        if link.primary:
            primary = link.target_id
    return CategoryMembership(tuple(ids), primary)


class CompiledOption:
    """An entry at its place in a container: inside which groups, and reached by which links.

    A selection of it is counted as itself and its groups, by the ids of all of them, by its type, and as `any`.
    `local_id` is its composite id below the container; `on_link`: the link to the container holds it, not its target.
    It is `hidden` by declaration: its own, or that of a group around it. Its identity is an index key: the same entry
    at two places is two options.
    """

    __slots__ = ("_keys", "_membership", "entry", "group", "groups", "hidden", "local_id", "moves_category", "on_link")

    def __init__(
        self,
        entry: CompiledEntry,
        groups: tuple["CompiledGroup", ...],
        links: tuple[str, ...],
        *,
        on_link: bool = False,
    ) -> None:
        self.entry = entry
        self.groups = groups
        self.group = groups[-1] if groups else None
        self.on_link = on_link
        self.local_id = join_ids(*links, entry.target.id) if links else entry.target.id
        self._keys: tuple[Hashable, ...] | None = None
        self._membership: CategoryMembership | None = None
        self.hidden: bool = entry.hidden
        self.moves_category: bool = entry.moves_category
        if self.group is not None:
            self.hidden |= self.group.hidden
            self.moves_category |= self.group.moves_category

    @property
    def keys(self) -> tuple[Hashable, ...]:
        """What a selection of it is counted under where links are shared."""
        if self._keys is None:
            ids = [part.id for entry in self.merged_entries for part in (entry.target, entry.link) if part]
            kind = self.entry.target.type.value
            self._keys = tuple(dict.fromkeys((self, *self.groups, *ids, kind, ANY)))
        return self._keys

    @property
    def membership(self) -> CategoryMembership:
        """The categories that links of its entry, its link and its groups name."""
        if self._membership is None:
            links = (link for entry in self.merged_entries for link in entry.category_links)
            self._membership = merge_category_links(links)
        return self._membership

    @property
    def merged_entries(self) -> tuple[CompiledEntry, ...]:
        """The entry and the groups around it: what all of them say holds for a selection of it."""
        return (self.entry, *(group.entry for group in self.groups))

    @property
    def name(self) -> str:
        return self.entry.name

    def is_called(self, wanted: str) -> bool:
        """Return whether `wanted` is its target's or its link's id."""
        # Data names the default of a group by either.
        link = self.entry.link
        return wanted == self.entry.target.id or bool(link and wanted == link.id)

    def __repr__(self) -> str:
        return f"<CompiledOption {self.local_id}>"


class CompiledGroup:
    """A group of options at its place in a container. `groups` are the enclosing ones, itself last.

    `local_id` and `on_link` are as for an option.
    """

    __slots__ = ("entry", "groups", "hidden", "items", "local_id", "moves_category", "on_link")

    def __init__(
        self, entry: CompiledEntry, outer: tuple["CompiledGroup", ...], links: tuple[str, ...], *, on_link: bool
    ) -> None:
        self.entry = entry
        self.groups = (*outer, self)
        self.on_link = on_link
        self.local_id = join_ids(*links, entry.target.id)
        self.hidden: bool = entry.hidden or any(group.hidden for group in outer)
        self.moves_category: bool = entry.moves_category or any(group.moves_category for group in outer)
        self.items: tuple[CompiledOption | CompiledGroup, ...] = ()

    @property
    def options(self) -> tuple[CompiledOption, ...]:
        """All options in it and in groups inside it, in order."""
        return tuple(flatten_items(self.items))

    @property
    def default(self) -> CompiledOption | None:
        """The option chosen when the group's minimum is filled."""
        wanted = self.entry.default_id
        if not wanted:
            return None
        return next((option for option in self.options if option.is_called(wanted)), None)

    def __repr__(self) -> str:
        return f"<CompiledGroup {self.local_id}>"


def flatten_items(items: Sequence[CompiledOption | CompiledGroup]) -> list[CompiledOption]:
    """Return the options among `items`, those in groups included, in order."""
    options: list[CompiledOption] = []
    for item in items:
        if isinstance(item, CompiledOption):
            options.append(item)
        else:
            options.extend(flatten_items(item.items))
    return options


# ---- what a container holds ------------------------------------------------------------------------------------------

Picks = tuple[tuple[CompiledOption, int], ...]
"""Options with the number of each that is taken."""


class ContainerOptions:
    """What may be taken inside one container: the tree of groups and options, and the same flattened.

    Tables that every evaluation asks for are worked out once, when first asked for: pages need few of them.
    """

    def __init__(self, items: tuple[CompiledOption | CompiledGroup, ...], groups: tuple[CompiledGroup, ...]) -> None:
        self.items = items
        self.groups = groups
        self.options = tuple(flatten_items(items))

    @cached_property
    def demanding_options(self) -> dict[Bound, tuple[CompiledOption, ...]]:
        """The options that may require something without being taken, by the way it binds."""
        return {
            bound: tuple(option for option in self._constrained_options if _may_demand(option, bound))
            for bound in LOWER_BOUNDS
        }

    @cached_property
    def constrained_groups(self) -> dict[Bound, tuple[CompiledGroup, ...]]:
        """The groups that have constraints, by the way these bind."""
        return {
            bound: tuple(group for group in self.groups if bound in group.entry.constraints.by_bound) for bound in Bound
        }

    @cached_property
    def affecting_groups(self) -> tuple[CompiledGroup, ...]:
        """The groups that change other things than themselves."""
        return tuple(group for group in self.groups if group.entry.effects)

    @cached_property
    def constraint_bounds(self) -> frozenset[Bound]:
        """The ways in which anything in it binds."""
        places: tuple[CompiledOption | CompiledGroup, ...] = (*self._constrained_options, *self.groups)
        return frozenset(bound for place in places for bound in place.entry.constraints.by_bound)

    @cached_property
    def automatic_options(self) -> tuple[CompiledOption, ...]:
        """The options of which some may come along by themselves."""
        return tuple(option for option in self.options if option.entry.may_come_along)

    @cached_property
    def default_choices(self) -> tuple[tuple[CompiledGroup, CompiledOption], ...]:
        """The groups with a minimum that have a default, and it."""
        return tuple(_list_default_choices(self.groups))

    @cached_property
    def declared_picks(self) -> Picks:
        """What a fresh container comes with, by minimums and defaults as the definitions state them."""
        return _choose_picks(self.automatic_options, self.default_choices)

    @cached_property
    def fixed_picks(self) -> Picks | None:
        """The same where neither modifiers nor the rest of the roster can change it, else None."""
        return self.declared_picks if _are_picks_fixed(self) else None

    @cached_property
    def _constrained_options(self) -> tuple[CompiledOption, ...]:
        return tuple(option for option in self.options if option.entry.constraints is not NO_CONSTRAINTS)

    @cached_property
    def _places(self) -> dict[tuple[str, str], CompiledOption]:
        """Options by their local id and that of their group, and by the former alone; the first one wins."""
        places: dict[tuple[str, str], CompiledOption] = {}
        for option in self.options:
            group_id = option.group.local_id if option.group else ""
            places.setdefault((option.local_id, group_id), option)
            places.setdefault((option.local_id, ""), option)
        return places

    def find_at(self, local_id: str, group_local_id: str) -> CompiledOption | None:
        """Return the option at a place, or at another place if its group was moved."""
        return self._places.get((local_id, group_local_id)) or self._places.get((local_id, ""))

    def find_by_link(self, link_id: str, target_id: str) -> CompiledOption | None:
        """Return the option that a link of that id makes of that target."""
        return next((o for o in self.options if o.entry.is_made_by(link_id, target_id)), None)

    def find_option(self, wanted: str) -> CompiledOption | None:
        """Return the option of a local composite id, a link's id or a target's id; an entry wins over a link to it."""
        if exact := self._places.get((wanted, "")):
            return exact
        return next((option for option in self.options if option.is_called(wanted)), None)


def _may_demand(option: CompiledOption, bound: Bound) -> bool:
    return any(compiled.may_require for compiled in option.entry.constraints.on_owner.get(bound, ()))


def _count_group_picks(group: CompiledGroup, picks: Mapping[CompiledOption, int]) -> int:
    return sum(number for option, number in picks.items() if group in option.groups)


def _list_default_choices(groups: Iterable[CompiledGroup]) -> Iterator[tuple[CompiledGroup, CompiledOption]]:
    """Yield the groups with a minimum that have a default, and it."""
    for group in groups:
        if group.entry.has_required_default and (default := group.default):
            yield group, default


def _choose_picks(options: Iterable[CompiledOption], defaults: Iterable[tuple[CompiledGroup, CompiledOption]]) -> Picks:
    """Return what a fresh container comes with, by minimums and defaults as they are declared.

    `options` are those inside it of which some may come along, `defaults` those that groups with a minimum name.
    """
    picks: dict[CompiledOption, int] = {}
    for option in options:
        picks[option] = 0 if option.hidden else _choose_amount(option, picks)
    # Groups come second: what their options ask for themselves counts towards the minimum of the group.
    for group, option in defaults:
        missing = _find_minimum(group) - _count_group_picks(group, picks)
        taken = picks.get(option, 0)
        picks[option] = taken + max(0, min(missing, _count_room(option) - taken))
    return tuple((option, number) for option, number in picks.items() if number > 0)


def _find_minimum(group: CompiledGroup) -> int:
    """Return how many a group asks for by the strictest of its minimums."""
    return max(map(_get_minimum, group.entry.constraints.minimums), default=0)


def _choose_amount(option: CompiledOption, picks: dict[CompiledOption, int]) -> int:
    """Return how many of an option a fresh container comes with: its minimum, or its default where that is more."""
    missing = max([_count_missing(c, picks) for c in option.entry.constraints.minimums], default=0)
    default = option.entry.default_amount
    # Room limits the default alone: where data asks for more than it allows, its minimum is taken.
    amount = min(default, _count_room(option)) if default else 0
    return max(0, min(max(missing, amount), MAX_AUTOMATIC))


def _are_picks_fixed(contents: ContainerOptions) -> bool:
    """Return whether neither modifiers nor the rest of the roster change what a fresh container comes with."""
    defaults = [option for _, option in contents.default_choices]
    options = dict.fromkeys((*contents.automatic_options, *defaults))
    parts = list(chain.from_iterable(option.entry.parts for option in options))
    # Two options of one entry share its minimum: which of them fills it depends on what is taken.
    if len(parts) > len({part.id for part in parts}):
        return False
    return all(entry.is_context_free for option in options for entry in option.merged_entries)


def _get_minimum(compiled: CompiledConstraint) -> int:
    return ceil(compiled.constraint.value) if compiled.is_unconditional else 0


def _count_missing(compiled: CompiledConstraint, picks: dict[CompiledOption, int]) -> int:
    """Return how many a minimum still asks for; where links are shared, another link may have filled it."""
    missing = _get_minimum(compiled)
    if missing > 0 and compiled.constraint.query.shared:
        # What is not taken fills nothing, and its keys need not be listed.
        missing -= sum(number for other, number in picks.items() if number and compiled.owner_id in other.keys)
    return missing


def _count_room(option: CompiledOption) -> int:
    if option.hidden:
        return 0
    values = [int(c.constraint.value) for c in option.entry.constraints.maximums if c.is_unconditional]
    # Below zero a maximum is none: -1 is how BattleScribe writes “no limit”.
    return min((value for value in values if value >= 0), default=MAX_AUTOMATIC)


NO_OPTIONS = ContainerOptions((), ())


# ---- compiling -------------------------------------------------------------------------------------------------------


class EntryCompiler:
    """Compiles the entries of a data set when they are first asked for, each once; shared by all threads."""

    def __init__(self, binding: Binding) -> None:
        self.binding = binding
        self.lock = RLock()
        self._entries: dict[tuple[int, int], CompiledEntry] = {}
        self._children: dict[int, list[CompiledEntry]] = {}

    def compile_entry(self, entry: Entry, home: Catalogue) -> CompiledEntry | None:
        """Return an entry, or a link in `home` with its target, compiled; None where the link leads nowhere."""
        if entry.is_link:
            located = self.binding.find_entry(entry.target_id, home)
            return self._merge_entry(*located, entry, home) if located else None
        return self._merge_entry(entry, home, None, home)

    def _merge_entry(self, target: Entry, home: Catalogue, link: Entry | None, link_home: Catalogue) -> CompiledEntry:
        # By identity and not by id: files of one game may use an id twice.
        key = (id(link), id(target))
        compiled = self._entries.get(key)
        if compiled is None:
            # Two threads may compile the same at once; `setdefault` lets both go on with the first.
            compiled = self._entries.setdefault(key, CompiledEntry(self, target, home, link, link_home))
        return compiled

    def compile_children(self, target: Entry, home: Catalogue) -> list[CompiledEntry]:
        """Return what a definition of `home` holds, compiled: one list for all links to it."""
        if id(target) not in self._children:
            self._children[id(target)] = self.compile_entries(target.entries, home)
        return self._children[id(target)]

    def compile_entries(self, entries: Iterable[Entry], home: Catalogue) -> list[CompiledEntry]:
        """Return the entries and links that lead somewhere, compiled."""
        compiled = [self.compile_entry(entry, home) for entry in entries]
        return [entry for entry in compiled if entry is not None]

    def arrange_options(
        self, entries: Iterable[CompiledEntry], on_link: Iterable[CompiledEntry] = ()
    ) -> ContainerOptions:
        """Return the options of a container that holds `entries`, and `on_link` what the link to it adds."""
        items, groups = _lay_out_items(entries, on_link)
        return ContainerOptions(items, tuple(groups)) if items else NO_OPTIONS


def _lay_out_items(
    entries: Iterable[CompiledEntry], on_link: Iterable[CompiledEntry], defaults: frozenset[str] | None = None
) -> tuple[tuple[CompiledOption | CompiledGroup, ...], list[CompiledGroup]]:
    """Return what `entries` and those of the link make at the top of a container, and all groups at any depth.

    With `defaults`, as in `_build_items`.
    """
    groups: list[CompiledGroup] = []
    items = (
        *_build_items(groups, entries, (), (), defaults, on_link=False),
        *_build_items(groups, on_link, (), (), defaults, on_link=True),
    )
    return items, groups


def _can_nest(entry: CompiledEntry, outer: tuple[CompiledGroup, ...]) -> bool:
    """Whether a group may be inside `outer`: not in itself, nor deeper than anything is nested."""
    return len(outer) < MAX_DEPTH and all(group.entry.target is not entry.target for group in outer)


def _build_items(
    groups: list[CompiledGroup],
    entries: Iterable[CompiledEntry],
    outer: tuple[CompiledGroup, ...],
    links: tuple[str, ...],
    defaults: frozenset[str] | None,
    *,
    on_link: bool,
) -> Iterator[CompiledOption | CompiledGroup]:
    """Yield the options and groups that `entries` make inside the groups `outer`; groups are put into `groups`, too.

    With `defaults`, only those that may come along, or that a group asks for by one of these ids.
    """
    wanted = entries if defaults is None else [entry for entry in entries if _may_be_picked(entry, defaults)]
    for entry in wanted:
        if not entry.is_group:
            path = (*links, entry.link.id) if entry.link else links
            yield CompiledOption(entry, outer, path, on_link=on_link)
        elif _can_nest(entry, outer):
            yield _build_group(groups, entry, outer, links, defaults, on_link=on_link)


def _may_be_picked(entry: CompiledEntry, defaults: frozenset[str]) -> bool:
    """Whether an entry may come along, be one of the `defaults` of the groups around it, or be a group with one."""
    if not defaults:
        return entry.is_automatic
    return entry.is_group or entry.is_automatic or any(part.id in defaults for part in entry.parts)


def _build_group(
    groups: list[CompiledGroup],
    entry: CompiledEntry,
    outer: tuple[CompiledGroup, ...],
    links: tuple[str, ...],
    defaults: frozenset[str] | None,
    *,
    on_link: bool,
) -> CompiledGroup:
    """Return a group with all that is in it, and put it into `groups` before those inside it."""
    path = (*links, entry.link.id) if entry.link else links
    group = CompiledGroup(entry, outer, path, on_link=on_link)
    groups.append(group)
    if defaults is not None and entry.has_required_default:
        # The default of a group may be an option that would not come along without it.
        defaults |= {entry.default_id}
    of_target = _build_items(groups, entry.target_children, group.groups, path, defaults, on_link=on_link)
    # What the link to a group holds is reached without that link.
    of_link = _build_items(groups, entry.link_children, group.groups, links, defaults, on_link=on_link)
    group.items = (*of_target, *of_link)
    return group
