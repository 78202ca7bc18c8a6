"""Compiled entries: a link merged with its target, and the options inside.

An entry does not depend on its place: shared definitions are compiled once, and their contents on demand.
"""

from collections.abc import Container, Hashable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain
from math import ceil
from typing import NamedTuple

from catalogue.definitions.catalogues import Catalogue
from catalogue.definitions.citations import NOWHERE, Citation
from catalogue.definitions.constraints import Constraint
from catalogue.definitions.entries import DEFAULT_AMOUNT, NO_LIMIT, Entry, EntryKind, ForceEntry
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
"""Real data stays below 15."""

MAX_AUTOMATIC = 500
"""More automatic selections are an error in the data."""

NO_CHILDREN: "list[CompiledEntry]" = []
NO_MODIFIERS: Modifiers = {}

NO_LINK = Entry(id="", kind=EntryKind.ENTRY_LINK)

_GROUP, _MAX = EntryKind.GROUP, Bound.MAX

LOWER_BOUNDS = (Bound.MIN, Bound.EXACTLY)


# ---- entries ---------------------------------------------------------------------------------------------------------


def merge_costs(
    parts: Iterable[Entry | ForceEntry], modifiers: Modifiers, cost_types: Container[str]
) -> dict[str, Number]:
    """Start costs that are only modified at zero."""
    costs = {cost.type_id: cost.value for part in parts for cost in part.costs if cost.type_id in cost_types}
    for field in modifiers:
        if field in cost_types:
            costs.setdefault(field, 0)
    return costs


class HomedInfo(NamedTuple):
    """An info, and the catalogue that resolves its link."""

    info: Info
    home: Catalogue
    on_link: bool = False


class CompiledEntry:
    """An entry or group merged with the link to it, target first.

    Its content is compiled on demand: data may be cyclic, and no list needs all of it.
    """

    def __init__(
        self, compiler: "EntryCompiler", target: Entry, home: Catalogue, link: Entry | None, link_home: Catalogue
    ) -> None:
        added = link or NO_LINK
        self._compiler = compiler
        self.target = target
        self.is_group = target.kind is _GROUP
        self.link = link
        self.link_home = link_home
        self.home = home
        self.name = target.name or added.name
        self.default_id = added.default_id or target.default_id
        self.default_stacks = added.default_stacks or (() if added.default_amount else target.default_stacks)
        self.default_amount = added.default_amount or sum(self.default_stacks) or target.default_amount
        self.effects = target.effects + added.effects
        # Either may hide it; a link cannot show a hidden target.
        self.hidden = target.hidden or added.hidden
        self.collective = target.collective or added.collective
        modifiers = target.modifiers + added.modifiers
        self.modifiers = group_by_field(modifiers) if modifiers else NO_MODIFIERS
        self.moves_category = "category" in self.modifiers
        self.category_links = target.categories + added.categories
        if not target.entries:
            self.target_children = NO_CHILDREN
        if not added.entries:
            self.link_children = NO_CHILDREN

    # ---- what its parts say

    @property
    def parts(self) -> tuple[Entry, ...]:
        return (self.target, self.link) if self.link else (self.target,)

    @property
    def ids(self) -> frozenset[str]:
        """The ids of the target and the link; data may refer to either."""
        return frozenset(part.id for part in self.parts)

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
    def citation(self) -> Citation:
        return next((part.citation for part in self.parts if part.citation != NOWHERE), NOWHERE)

    @property
    def infos(self) -> tuple["HomedInfo", ...]:
        of_target = [HomedInfo(info, self.home) for info in self.target.infos]
        of_link = [HomedInfo(info, self.link_home, on_link=True) for info in self.link.infos] if self.link else ()
        return (*of_target, *of_link)

    @property
    def holds_something(self) -> bool:
        """Whether it contains choices or texts. Most options do not."""
        target, link = self.target, self.link or NO_LINK
        return bool(target.entries or target.infos or link.entries or link.infos)

    def is_made_by(self, link_id: str, target_id: str) -> bool:
        return self.link is not None and self.link.id == link_id and self.target.id == target_id

    # ---- costs and constraints

    @cached_property
    def costs(self) -> dict[str, Number]:
        """One selection's costs before modifiers."""
        return merge_costs(self.parts, self.modifiers, self._compiler.binding.cost_types)

    @property
    def declared_costs(self) -> dict[str, Number]:
        """Unit costs before modifiers, without types that are only modified; a new dictionary."""
        if not self.modifiers:
            return dict(self.costs)
        return merge_costs(self.parts, {}, self._compiler.binding.cost_types)

    @property
    def fixed_costs(self) -> bool:
        return not self.modifiers or self.modifiers.keys().isdisjoint(self.costs)

    @cached_property
    def cost_readers(self) -> tuple[str, ...]:
        cost_types = self._compiler.binding.cost_types
        readers = []
        for type_id in self.costs:
            queries = chain.from_iterable(map(iterate_queries, self.modifiers.get(type_id, ())))
            if any(query.field in cost_types for query in queries):
                readers.append(type_id)
        return tuple(readers)

    @property
    def declared_constraints(self) -> tuple[Constraint, ...]:
        return self.target.constraints + self.link.constraints if self.link else self.target.constraints

    @cached_property
    def constraints(self) -> CompiledConstraints:
        if not self.declared_constraints:
            return NO_CONSTRAINTS
        reached = self._compiler.binding.effect_fields
        return CompiledConstraints(
            [
                compile_constraint(
                    constraint, part.id, part.name or self.target.name, self.modifiers, reached, self.target.id
                )
                for part in self.parts
                for constraint in part.constraints
            ]
        )

    @property
    def is_context_free(self) -> bool:
        """Whether it requires and allows the same number everywhere."""
        # Hidden entries bind nothing, so limits depend on visibility.
        if "hidden" in self.modifiers or "hidden" in self._compiler.binding.effect_fields:
            return False
        if self.default_stacks or DEFAULT_AMOUNT in self.modifiers:
            return False
        numbers = self.constraints.minimums + self.constraints.maximums
        return all(c.counts_siblings and not c.modifiers and not c.reached for c in numbers)

    @cached_property
    def hides_widely(self) -> bool:
        """Whether all its copies in a force are hidden or none is."""
        if "hidden" in self._compiler.binding.effect_fields:
            return False
        modifiers = self.modifiers.get("hidden", ())
        return all(holds_widely(modifier.guard) and not modifier.repeats for modifier in modifiers)

    @cached_property
    def effect_fields(self) -> frozenset[str]:
        """The fields of other entries that it and its inner groups change."""
        entries = (self, *(group.entry for group in self.contents.affecting_groups))
        return frozenset(effect.modifier.field for entry in entries for effect in entry.effects)

    # ---- what is inside

    @cached_property
    def target_children(self) -> "list[CompiledEntry]":
        """Cached because each container arranges its own groups."""
        return self._compiler.compile_children(self.target, self.home)

    @cached_property
    def link_children(self) -> "list[CompiledEntry]":
        return self._compiler.compile_entries(self.link.entries if self.link else (), self.link_home)

    @property
    def children(self) -> "list[CompiledEntry]":
        return self.target_children + self.link_children if self.link_children else self.target_children

    @cached_property
    def contents(self) -> "ContainerOptions":
        if not self.children:
            return NO_OPTIONS
        contents = self._compiler.arrange_options(self.target_children, self.link_children)
        # Options are compared by identity: two threads must get the same ones.
        shared: ContainerOptions = vars(self).setdefault("contents", contents)
        return shared

    @cached_property
    def keys_inside(self) -> frozenset[str]:
        """Ids, types, categories and cost types of everything that could be inside."""
        keys: set[str] = set()
        pending = list(self.children)
        seen = {self}
        for child in pending:  # grows during the loop
            if child in seen:
                continue
            seen.add(child)
            keys.update(child.ids)
            keys.add(child.target.type.value)
            keys.update(type_id for type_id, cost in child.costs.items() if cost or type_id in child.modifiers)
            keys.update(link.target_id for link in child.category_links)
            keys.update(modifier.value for modifier in child.modifiers.get("category", ()))
            pending.extend(child.children)
        return frozenset(keys)

    @cached_property
    def is_instanced(self) -> bool:
        """Whether equal selections stay separate, because the data says so or they may be equipped differently."""
        if self.target.apart or self.target.copies is not None:
            return True
        pending = [self]
        seen = {self}
        for outer in pending:  # grows during the loop
            for option in outer.contents.options:
                if option.hidden:
                    continue
                # A collective option is the same for all members, so it distinguishes none.
                if not option.entry.collective:
                    return True
                if option.entry not in seen:
                    seen.add(option.entry)
                    pending.append(option.entry)
        return False

    # ---- what comes along with its container

    @property
    def may_come_along(self) -> bool:
        """Whether a default or a minimum, possibly modified, may put it into a fresh container."""
        return bool(self.default_amount or DEFAULT_AMOUNT in self.modifiers) or any(
            constraint.bound is not _MAX and limits_number(constraint) for constraint in self.declared_constraints
        )

    @property
    def is_declared_pick(self) -> bool:
        """Whether a fresh container includes it before modifiers and conditions."""
        if self.hidden:
            return False
        return bool(self.default_amount) or any(map(_asks_for_owner, self.declared_constraints))

    @property
    def has_required_default(self) -> bool:
        return bool(self.is_group and self.default_id and self.constraints.minimums)

    @property
    def is_automatic(self) -> bool:
        """Whether a fresh container includes it or, for a group, something in it, as declared."""
        return self.fills_itself if self.is_group else self.is_declared_pick

    @cached_property
    def fills_itself(self) -> bool:
        """Whether a fresh selection contains something, as declared.

        Few entries do, and arranging their content would take most of an import.
        """
        pending = [self]
        for entry in pending:  # grows during the loop
            if entry.has_required_default:
                return True
            for child in entry.children:
                if child.is_group:
                    if child not in pending:
                        pending.append(child)
                elif child.is_declared_pick:
                    return True
        return False

    @property
    def declared_picks(self) -> "Picks":
        if "contents" in vars(self):
            return self.contents.declared_picks
        if not self.fills_itself:
            return ()
        # Arranged and thrown away: labels need this for units that are never opened.
        items, groups = _lay_out_items(self.target_children, self.link_children, defaults=frozenset())
        options = [option for option in flatten_items(items) if option.entry.may_come_along]
        return _choose_picks(options, _list_default_choices(groups))


def _asks_for_owner(constraint: Constraint) -> bool:
    if constraint.bound is _MAX or constraint.value <= 0 or constraint.when or constraint.terms:
        return False
    return limits_number(constraint)


# ---- options and groups ----------------------------------------------------------------------------------------------


class CategoryMembership(NamedTuple):
    """`primary` may be ""."""

    ids: tuple[str, ...]
    primary: str = ""


class CompiledOption:
    """An entry at its place in a container, with its groups and links.

    `local_id` is its composite id in the container; with `on_link` it belongs to the link to the container, not the
    target. `hidden` includes enclosing groups. Options are compared by identity: an entry at two places is two options.
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
        self._keys: tuple[Hashable, ...] | None = None
        self._membership: CategoryMembership | None = None
        self.entry = entry
        self.groups = groups
        self.group = groups[-1] if groups else None
        self.on_link = on_link
        self.local_id = join_ids(*links, entry.target.id) if links else entry.target.id
        self.hidden: bool = entry.hidden
        self.moves_category: bool = entry.moves_category
        if self.group is not None:
            self.hidden |= self.group.hidden
            self.moves_category |= self.group.moves_category

    @property
    def keys(self) -> tuple[Hashable, ...]:
        if self._keys is None:
            ids = [part.id for entry in self.merged_entries for part in entry.parts]
            self._keys = tuple(dict.fromkeys((self, *self.groups, *ids, self.entry.target.type.value, ANY)))
        return self._keys

    @property
    def membership(self) -> CategoryMembership:
        """The last primary category counts."""
        if self._membership is None:
            ids: dict[str, None] = {}
            primary = ""
            for entry in self.merged_entries:
                for link in entry.category_links:
                    ids[link.target_id] = None
                    if link.primary:
                        primary = link.target_id
            self._membership = CategoryMembership(tuple(ids), primary)
        return self._membership

    @property
    def merged_entries(self) -> tuple[CompiledEntry, ...]:
        return (self.entry, *(group.entry for group in self.groups))

    @property
    def name(self) -> str:
        return self.entry.name

    def is_called(self, name: str) -> bool:
        """Check the ids of target and link: a group names its default by either."""
        link = self.entry.link
        return name == self.entry.target.id or bool(link and name == link.id)

    def __repr__(self) -> str:
        return f"<CompiledOption {self.local_id}>"


class CompiledGroup:
    """`groups` ends with the group itself."""

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
        return tuple(flatten_items(self.items))

    @property
    def default(self) -> CompiledOption | None:
        default_id = self.entry.default_id
        if not default_id:
            return None
        return next((option for option in self.options if option.is_called(default_id)), None)

    def __repr__(self) -> str:
        return f"<CompiledGroup {self.local_id}>"


def flatten_items(items: Sequence[CompiledOption | CompiledGroup]) -> list[CompiledOption]:
    options: list[CompiledOption] = []
    for item in items:
        if isinstance(item, CompiledOption):
            options.append(item)
        else:
            options.extend(flatten_items(item.items))
    return options


# ---- what a container holds ------------------------------------------------------------------------------------------

Picks = tuple[tuple[CompiledOption, int], ...]


class ContainerOptions:
    def __init__(self, items: tuple[CompiledOption | CompiledGroup, ...], groups: tuple[CompiledGroup, ...]) -> None:
        self.items = items
        self.groups = groups
        self.options = tuple(flatten_items(items))

    @cached_property
    def demanding_options(self) -> dict[Bound, tuple[CompiledOption, ...]]:
        """Options that may require something without being taken."""
        demanding: dict[Bound, list[CompiledOption]] = {bound: [] for bound in LOWER_BOUNDS}
        for option in self._constrained_options:
            for bound, options in demanding.items():
                if any(compiled.may_require for compiled in option.entry.constraints.on_owner.get(bound, ())):
                    options.append(option)
        return {bound: tuple(options) for bound, options in demanding.items()}

    @cached_property
    def constrained_groups(self) -> dict[Bound, tuple[CompiledGroup, ...]]:
        return {
            bound: tuple(group for group in self.groups if bound in group.entry.constraints.by_bound) for bound in Bound
        }

    @cached_property
    def affecting_groups(self) -> tuple[CompiledGroup, ...]:
        return tuple(group for group in self.groups if group.entry.effects)

    @cached_property
    def constraint_bounds(self) -> frozenset[Bound]:
        places: tuple[CompiledOption | CompiledGroup, ...] = (*self._constrained_options, *self.groups)
        return frozenset(bound for place in places for bound in place.entry.constraints.by_bound)

    @cached_property
    def automatic_options(self) -> tuple[CompiledOption, ...]:
        return tuple(option for option in self.options if option.entry.may_come_along)

    @cached_property
    def default_choices(self) -> tuple[tuple[CompiledGroup, CompiledOption], ...]:
        """Groups with a minimum, and their default."""
        return tuple(_list_default_choices(self.groups))

    @cached_property
    def declared_picks(self) -> Picks:
        return _choose_picks(self.automatic_options, self.default_choices)

    @cached_property
    def fixed_picks(self) -> Picks | None:
        """The declared picks if nothing can change them."""
        return self.declared_picks if _are_picks_fixed(self) else None

    @cached_property
    def _constrained_options(self) -> tuple[CompiledOption, ...]:
        return tuple(option for option in self.options if option.entry.constraints is not NO_CONSTRAINTS)

    @cached_property
    def _places(self) -> dict[tuple[str, str], CompiledOption]:
        """By local id and group id, and by local id alone; the first counts."""
        places: dict[tuple[str, str], CompiledOption] = {}
        for option in self.options:
            group_id = option.group.local_id if option.group else ""
            places.setdefault((option.local_id, group_id), option)
            places.setdefault((option.local_id, ""), option)
        return places

    def find_at(self, local_id: str, group_local_id: str) -> CompiledOption | None:
        """Return the option at a place, or elsewhere if its group has moved."""
        return self._places.get((local_id, group_local_id)) or self._places.get((local_id, ""))

    def find_by_link(self, link_id: str, target_id: str) -> CompiledOption | None:
        return next((o for o in self.options if o.entry.is_made_by(link_id, target_id)), None)

    def find_option(self, option_id: str) -> CompiledOption | None:
        """Find an option by local id, else by link id or target id."""
        if exact := self._places.get((option_id, "")):
            return exact
        return next((option for option in self.options if option.is_called(option_id)), None)


def _list_default_choices(groups: Iterable[CompiledGroup]) -> Iterator[tuple[CompiledGroup, CompiledOption]]:
    for group in groups:
        if group.entry.has_required_default and (default := group.default):
            yield group, default


def _choose_picks(options: Iterable[CompiledOption], defaults: Iterable[tuple[CompiledGroup, CompiledOption]]) -> Picks:
    picks: dict[CompiledOption, int] = {}
    for option in options:
        picks[option] = 0
        if option.hidden:
            continue
        missing = max([_count_missing(c, picks) for c in option.entry.constraints.minimums], default=0)
        # Room only limits the default: if the data contradicts itself, the minimum counts.
        default = option.entry.default_amount
        amount = min(default, _count_room(option)) if default else 0
        picks[option] = max(0, min(max(missing, amount), MAX_AUTOMATIC))

    # Groups come second, because the minimums of their options count towards theirs.
    for group, option in defaults:
        demanded = max(map(_get_minimum, group.entry.constraints.minimums), default=0)
        missing = demanded - sum(number for other, number in picks.items() if group in other.groups)
        taken = picks.get(option, 0)
        picks[option] = taken + max(0, min(missing, _count_room(option) - taken))
    return tuple((option, number) for option, number in picks.items() if number > 0)


def _are_picks_fixed(contents: ContainerOptions) -> bool:
    defaults = [option for _, option in contents.default_choices]
    options = dict.fromkeys((*contents.automatic_options, *defaults))
    parts = list(chain.from_iterable(option.entry.parts for option in options))
    # Options of the same entry share its minimum, so the list decides which of them fills it.
    if len(parts) > len({part.id for part in parts}):
        return False
    return all(entry.is_context_free for option in options for entry in option.merged_entries)


def _get_minimum(compiled: CompiledConstraint) -> int:
    return ceil(compiled.constraint.value) if compiled.is_unconditional else 0


def _count_missing(compiled: CompiledConstraint, picks: dict[CompiledOption, int]) -> int:
    """Subtract picks by another link if links are shared."""
    missing = _get_minimum(compiled)
    if missing > 0 and compiled.constraint.query.shared:
        missing -= sum(number for other, number in picks.items() if number and compiled.owner_id in other.keys)
    return missing


def _count_room(option: CompiledOption) -> int:
    if option.hidden:
        return 0
    values = [int(c.constraint.value) for c in option.entry.constraints.maximums if c.is_unconditional]
    # BattleScribe's -1 means "no limit"; other negative maximums act as 0.
    return min((max(0, value) for value in values if value != NO_LIMIT), default=MAX_AUTOMATIC)


NO_OPTIONS = ContainerOptions((), ())


# ---- compiling -------------------------------------------------------------------------------------------------------


class EntryCompiler:
    """Compiles each entry once, on demand. All threads share it."""

    def __init__(self, binding: Binding) -> None:
        self.binding = binding
        self._entries: dict[tuple[int, int], CompiledEntry] = {}
        self._children: dict[int, list[CompiledEntry]] = {}

    def compile_entry(self, entry: Entry, home: Catalogue) -> CompiledEntry | None:
        """Return an entry, or a link merged with its target; None if it dangles."""
        target, target_home, link = entry, home, None
        if entry.is_link:
            located = self.binding.find_entry(entry.target_id, home)
            if located is None:
                return None
            target, target_home, link = located.entry, located.home, entry
        # By identity: the files of one game may use an id twice.
        key = (id(link), id(target))
        compiled = self._entries.get(key)
        if compiled is None:
            # `setdefault` makes concurrent threads use the first.
            compiled = self._entries.setdefault(key, CompiledEntry(self, target, target_home, link, home))
        return compiled

    def compile_children(self, target: Entry, home: Catalogue) -> list[CompiledEntry]:
        """Return a definition's content, one list for all links to it."""
        if id(target) not in self._children:
            self._children[id(target)] = self.compile_entries(target.entries, home)
        return self._children[id(target)]

    def compile_entries(self, entries: Iterable[Entry], home: Catalogue) -> list[CompiledEntry]:
        """Leave out dangling links."""
        compiled = [self.compile_entry(entry, home) for entry in entries]
        return [entry for entry in compiled if entry is not None]

    def arrange_options(
        self, entries: Iterable[CompiledEntry], on_link: Iterable[CompiledEntry] = ()
    ) -> ContainerOptions:
        items, groups = _lay_out_items(entries, on_link)
        return ContainerOptions(items, tuple(groups)) if items else NO_OPTIONS


def _lay_out_items(
    entries: Iterable[CompiledEntry], on_link: Iterable[CompiledEntry], defaults: frozenset[str] | None = None
) -> tuple[tuple[CompiledOption | CompiledGroup, ...], list[CompiledGroup]]:
    groups: list[CompiledGroup] = []
    items = (
        *_build_items(groups, entries, (), (), defaults, on_link=False),
        *_build_items(groups, on_link, (), (), defaults, on_link=True),
    )
    return items, groups


def _build_items(
    groups: list[CompiledGroup],
    entries: Iterable[CompiledEntry],
    outer: tuple[CompiledGroup, ...],
    links: tuple[str, ...],
    defaults: frozenset[str] | None,
    *,
    on_link: bool,
) -> Iterator[CompiledOption | CompiledGroup]:
    """Append each group to `groups` before its inner groups.

    With `defaults`, yield only entries that may be automatic or have one of these ids.
    """
    for entry in entries:
        if defaults is not None and not _may_be_picked(entry, defaults):
            continue
        path = (*links, entry.link.id) if entry.link else links
        if not entry.is_group:
            yield CompiledOption(entry, outer, path, on_link=on_link)
            continue

        # A group cannot be inside itself.
        if len(outer) >= MAX_DEPTH or any(group.entry.target is entry.target for group in outer):
            continue
        group = CompiledGroup(entry, outer, path, on_link=on_link)
        groups.append(group)
        default_ids = defaults
        if default_ids is not None and entry.has_required_default:
            # The default of a group may be an option that is not automatic by itself.
            default_ids |= {entry.default_id}
        of_target = _build_items(groups, entry.target_children, group.groups, path, default_ids, on_link=on_link)
        # Content of the link to a group is reached without that link.
        of_link = _build_items(groups, entry.link_children, group.groups, links, default_ids, on_link=on_link)
        group.items = (*of_target, *of_link)
        yield group


def _may_be_picked(entry: CompiledEntry, defaults: frozenset[str]) -> bool:
    if entry.is_automatic:
        return True
    return bool(defaults) and (entry.is_group or any(part.id in defaults for part in entry.parts))
