"""Definitions compiled for use: one ruleset per version of a game's data, shared by all threads."""

from collections.abc import Callable, Collection, Container, Hashable, Iterable, Iterator, Mapping
from functools import cached_property
from itertools import chain
from typing import Any, TypeVar

from catalogue.definitions.catalogues import Catalogue, CatalogueKind, DataSet
from catalogue.definitions.diagnostics import Diagnostic
from catalogue.definitions.entries import Category, CategoryLink, CostType, Entry, EntryKind, ForceEntry
from catalogue.definitions.identity import Identity, find_slot_emblem, identify
from catalogue.definitions.link_index import Binding, LocatedEntry, check_data
from catalogue.definitions.numbers import Number
from catalogue.definitions.queries import Bound, Field, Scope
from catalogue.definitions.rule_codes import RuleCode
from catalogue.graph.compiled_constraints import (
    CompiledConstraint,
    CompiledConstraints,
    compile_constraint,
    compile_constraints,
    group_by_field,
)
from catalogue.graph.compiled_entry import CompiledEntry, CompiledOption, ContainerOptions, EntryCompiler, merge_costs
from catalogue.graph.declared import SmallestSelections
from catalogue.graph.ids import split_id
from catalogue.graph.leaders import LeaderIndex

OWN_SCOPES = (Scope.FORCE, Scope.PRIMARY_CATALOGUE)
"""Scopes that mean the force itself when seen from a force."""

MISPLACEMENT_CODES = (RuleCode.WRONG_PLACE, RuleCode.FOREIGN_ENTRY)


class CompiledSlot:
    __slots__ = ("category", "constraints", "hidden", "id", "link", "modifiers", "name")

    def __init__(
        self, category_id: str, category: Category | None, link: CategoryLink | None, reached: Container[str] = ()
    ) -> None:
        parts = tuple(part for part in (category, link) if part)
        self.id = category_id
        self.category = category
        self.link = link
        self.name = next(filter(None, [part.name for part in parts]), category_id)
        self.hidden = any(part.hidden for part in parts)
        self.modifiers = group_by_field(chain.from_iterable(part.modifiers for part in parts))
        self.constraints = CompiledConstraints(
            [
                compile_constraint(constraint, part.id or category_id, self.name, self.modifiers, reached)
                for part in parts
                for constraint in part.constraints
            ]
        )

    @property
    def emblem(self) -> str:
        """The data's icon, else one that suits the slot's name."""
        return (self.category.emblem if self.category else "") or find_slot_emblem(self.name)


class CompiledForce:
    """`unslotted_categories` are other categories with constraints."""

    def __init__(self, entry: ForceEntry, compiler: "ForceCompiler") -> None:
        binding = compiler.binding
        categories, reached = binding.categories, binding.effect_fields
        self._compiler = compiler
        self.entry = entry
        self.modifiers = group_by_field(entry.modifiers)
        self.constraints = compile_constraints(entry.constraints, entry.id, entry.name, entry.modifiers, reached)
        self.slots = tuple(
            CompiledSlot(link.target_id, categories.get(link.target_id), link, reached) for link in entry.categories
        )
        self.slots_by_category = {slot.id: slot for slot in self.slots}
        self.hides_slots = any(slot.hidden or "hidden" in slot.modifiers for slot in self.slots)

    @cached_property
    def costs(self) -> Mapping[str, Number]:
        return merge_costs((self.entry,), self.modifiers, self._compiler.binding.cost_types)

    @cached_property
    def unslotted_categories(self) -> tuple[CompiledSlot, ...]:
        slots = self._compiler.constrained_categories
        return tuple(slot for slot in slots if slot.id not in self.slots_by_category)

    @cached_property
    def own_minimums(self) -> tuple[CompiledConstraint, ...]:
        return tuple(
            compiled
            for bound in (Bound.MIN, Bound.EXACTLY)
            for compiled in self.constraints.on_owner.get(bound, ())
            if compiled.constraint.query.field == Field.FORCES
            and compiled.constraint.query.scope not in OWN_SCOPES
            and compiled.may_require
        )

    @cached_property
    def named_catalogues(self) -> tuple[str, ...]:
        guards = [modifier.guard for modifier in self.modifiers.get("hidden", ())]
        for guard in guards:  # grows during the loop
            guards += guard.guards
        queries = (condition.query for guard in guards for condition in guard.conditions)
        return tuple(dict.fromkeys(q.child_id for q in queries if q.scope == Scope.PRIMARY_CATALOGUE and q.child_id))

    @cached_property
    def demanded_forces(self) -> tuple["CompiledForce", ...]:
        return self._compiler.find_demanded(self.entry.forces)


class CompiledCatalogue:
    def __init__(self, catalogue: Catalogue, entries: EntryCompiler, forces: "ForceCompiler") -> None:
        self.catalogue = catalogue
        self.binding = entries.binding
        self.closure = self.binding.list_visible(catalogue)
        self._entries = entries
        self._forces = forces
        self._forces_by_id: dict[str, CompiledForce] = {}

    @cached_property
    def imported(self) -> tuple[Catalogue, ...]:
        """Catalogues on offer: itself, imported ones, the game system."""
        return self.binding.list_imported(self.catalogue)

    @cached_property
    def identity(self) -> Identity:
        return identify(self.catalogue.name, self.catalogue.identity)

    @cached_property
    def demanding_categories(self) -> frozenset[str]:
        return frozenset(
            category.id
            for catalogue in self.closure
            for category in catalogue.categories
            if any(constraint.bound is not Bound.MAX for constraint in category.constraints)
        )

    @cached_property
    def root_options(self) -> ContainerOptions:
        """Root groups are left out."""
        options = self._entries.arrange_options([entry for entry in self._list_root_entries() if not entry.is_group])
        # Options are compared by identity: two threads must get the same ones.
        shared: ContainerOptions = vars(self).setdefault("root_options", options)
        return shared

    @cached_property
    def distinct_roots(self) -> tuple[CompiledOption, ...]:
        """The root options for pages, each composite id once."""
        roots: dict[str, CompiledOption] = {}
        for option in self.root_options.options:
            roots.setdefault(option.local_id, option)
        return tuple(roots.values())

    @cached_property
    def root_group_options(self) -> ContainerOptions:
        """Options in root groups, not on offer; other programs' lists may contain them."""
        options = self._entries.arrange_options([entry for entry in self._list_root_entries() if entry.is_group])
        shared: ContainerOptions = vars(self).setdefault("root_group_options", options)
        return shared

    def _list_root_entries(self) -> list[CompiledEntry]:
        roots = (self._entries.compile_entry(*root) for root in self.binding.list_root_entries(self.catalogue))
        return [entry for entry in roots if entry is not None]

    @cached_property
    def force_entries(self) -> tuple[ForceEntry, ...]:
        return tuple(force for catalogue in self.imported for force in catalogue.forces)

    @cached_property
    def demanded_forces(self) -> tuple[CompiledForce, ...]:
        return self._forces.find_demanded(self.force_entries)

    def compile_force(self, entry: ForceEntry) -> CompiledForce:
        return self._forces.compile_force(entry)

    def find_force(self, force_entry_id: str) -> CompiledForce | None:
        # Each edit looks up every force. Unknown ids are not cached, because lists could contain any number.
        if force_entry_id not in self._forces_by_id:
            entry = self.binding.find_force_entry(force_entry_id, self.catalogue)
            if entry is None:
                return None
            self._forces_by_id[force_entry_id] = self._forces.compile_force(entry)
        return self._forces_by_id[force_entry_id]


class ForceCompiler:
    """Compiles each force entry once, on demand. All threads share it."""

    def __init__(self, binding: Binding) -> None:
        self.binding = binding
        self._forces: dict[int, CompiledForce] = {}

    @cached_property
    def constrained_categories(self) -> tuple[CompiledSlot, ...]:
        """Categories with constraints, as in a force without a link to them."""
        reached = self.binding.effect_fields
        categories = (category for category in self.binding.categories.values() if category.constraints)
        return tuple(CompiledSlot(category.id, category, None, reached) for category in categories)

    def compile_force(self, entry: ForceEntry) -> CompiledForce:
        compiled = self._forces.get(id(entry))
        if compiled is None:
            # `setdefault` makes concurrent threads use the first.
            compiled = self._forces.setdefault(id(entry), CompiledForce(entry, self))
        return compiled

    def find_demanded(self, entries: Iterable[ForceEntry]) -> tuple[CompiledForce, ...]:
        # Checked before compiling: of eighty inner kinds in large data, at most two require any.
        counting = (
            entry
            for entry in entries
            if any(one.query.field == Field.FORCES and one.bound is not Bound.MAX for one in entry.constraints)
        )
        return tuple(force for force in map(self.compile_force, counting) if force.own_minimums)


Derived = TypeVar("Derived")
MOST_DERIVED = 10_000
"""A kilobyte or less each."""


class Ruleset:
    """The compiled form of a `DataSet`. Catalogues compile on demand.

    Threads may share it. Keep it per process: compiling the largest public data takes tens of milliseconds.
    `is_partial` if further factions' data was left out.
    """

    def __init__(self, data: DataSet, *, is_partial: bool = False) -> None:
        self.data = data
        self.is_partial = is_partial
        self.binding = Binding(data)
        self.entries = EntryCompiler(self.binding)
        self.smallest = SmallestSelections(self.binding)
        self.leaders = LeaderIndex(self.entries)
        self._forces = ForceCompiler(self.binding)
        self._catalogues: dict[str, CompiledCatalogue] = {}
        self._roster_constraints: dict[str, CompiledConstraints] = {}
        self._misplaced_options: dict[str, CompiledOption] = {}
        self._faction_entries: dict[str, Mapping[str, Entry]] = {}
        self._derived: dict[Hashable, Any] = {}

    def derive(self, key: Hashable, make: Callable[[], Derived]) -> Derived:
        """Return the cached result of `make`, which must depend on the data alone."""
        derived = self._derived
        if key not in derived:
            # Foreign lists may name any number of unknown links, and each is a key.
            if len(derived) >= MOST_DERIVED:
                derived = self._derived = {}
            derived[key] = make()
        value: Derived = derived[key]
        return value

    @cached_property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        return check_data(self.binding)

    @property
    def effect_fields(self) -> frozenset[str]:
        """Fields that effects change; empty in nearly all data."""
        return self.binding.effect_fields

    @cached_property
    def force_entry_ids(self) -> frozenset[str]:
        """The ids of all force entries, and the parts of composite ones."""
        ids = [force_id for forces in self.binding.forces.values() for force_id in forces]
        return frozenset(part for force_id in ids for part in (force_id, *split_id(force_id)))

    @cached_property
    def points_type(self) -> CostType | None:
        return find_points_type(self.data)

    @cached_property
    def command_id(self) -> str | None:
        system = self.binding.game_system
        return system.command.id if system and system.command else None

    def find_catalogue(self, catalogue_id: str) -> CompiledCatalogue | None:
        catalogue = self.binding.by_id.get(catalogue_id)
        return self.compile_catalogue(catalogue) if catalogue else None

    def compile_catalogue(self, catalogue: Catalogue) -> CompiledCatalogue:
        compiled = self._catalogues.get(catalogue.id)
        if compiled is None:
            fresh = CompiledCatalogue(catalogue, self.entries, self._forces)
            # Compiling twice is cheaper than a lock.
            compiled = self._catalogues.setdefault(catalogue.id, fresh)
        return compiled

    def find_misplaced_option(self, entry_id: str) -> CompiledOption | None:
        """Return an option for an entry where the data does not offer it, even from another faction.

        Covers root and shared entries and deck cards, if the data has a rule about misplaced things.
        """
        option = self._misplaced_options.get(entry_id)
        home = None if option else self._entry_homes.get(entry_id)
        entry = self.entries.compile_entry(*home) if home else None
        if entry:
            option = self._misplaced_options.setdefault(entry_id, CompiledOption(entry, (), ()))
        return option

    def list_misplaceable_entries(self) -> list[Entry]:
        return [home.entry for home in self._entry_homes.values()]

    @cached_property
    def _entry_homes(self) -> Mapping[str, LocatedEntry]:
        system = self.binding.game_system
        kinds = {words.of for words in system.words if words.code in MISPLACEMENT_CODES} if system else set()
        homes: dict[str, LocatedEntry] = {}
        # Data without such words is usually large, so skip the walk.
        if not kinds:
            return homes
        for catalogue in self.binding.catalogues:
            for entry in _list_outer_entries(catalogue, kinds):
                # The first one counts, as when links are followed.
                homes.setdefault(entry.id, LocatedEntry(entry, catalogue))
        return homes

    def find_other_owners(self, entry_id: str, compiled: CompiledCatalogue) -> tuple[Catalogue, ...]:
        others = self.list_other_factions(compiled)
        if not others or entry_id in self.index_faction_entries(compiled.catalogue):
            return ()
        return tuple(faction for faction in others if entry_id in self.index_faction_entries(faction))

    def list_other_factions(self, compiled: CompiledCatalogue) -> tuple[Catalogue, ...]:
        """Return the factions that `compiled` does not import."""
        # Entries of libraries and imported catalogues belong to the faction.
        seen = {catalogue.id for catalogue in compiled.closure}
        return tuple(c for c in self.binding.catalogues if c.kind is CatalogueKind.FACTION and c.id not in seen)

    def index_faction_entries(self, faction: Catalogue) -> Mapping[str, Entry]:
        """Return a faction's entries and links by id; those nearest to the root take precedence."""
        if faction.id in self._faction_entries:
            return self._faction_entries[faction.id]
        shared = [LocatedEntry(entry, faction) for entry in faction.shared_entries]
        pending = [*self.binding.list_root_entries(faction), *shared]
        entries: dict[str, Entry] = {}
        for entry, home in pending:  # grows during the loop: breadth first
            if entry.id in entries:
                continue
            entries[entry.id] = entry
            pending.extend(LocatedEntry(inner, home) for inner in entry.entries)
            target = self.binding.find_entry(entry.target_id, home) if entry.is_link else None
            if target is not None:
                pending.append(target)
        self._faction_entries[faction.id] = entries
        return entries

    def choose_emblem(self, option: CompiledOption) -> str:
        return option.entry.emblem or self.find_category_emblem(option.membership.primary)

    def find_category_emblem(self, category_id: str, name: str = "") -> str:
        """Return the data's icon, else one that suits `name` or the category's name."""
        category = self.binding.categories.get(category_id)
        if category is None:
            return find_slot_emblem(name)
        return category.emblem or find_slot_emblem(name or category.name)

    def compile_roster_constraints(self, catalogue: Catalogue) -> CompiledConstraints:
        compiled = self._roster_constraints.get(catalogue.id)
        if compiled is None:
            fresh = compile_constraints(catalogue.constraints, catalogue.id, catalogue.name)
            compiled = self._roster_constraints.setdefault(catalogue.id, fresh)
        return compiled


def _list_outer_entries(catalogue: Catalogue, kinds: Collection[str]) -> Iterator[Entry]:
    roots = (*catalogue.entries, *catalogue.shared_entries)
    yield from (root for root in roots if root.kind is EntryKind.ENTRY)
    for inner in chain.from_iterable(root.entries for root in roots):
        if inner.kind is EntryKind.ENTRY and is_in_any_category(inner, kinds):
            yield inner


def is_in_any_category(entry: Entry, category_ids: Collection[str]) -> bool:
    return any(link.target_id in category_ids for link in entry.categories)


def compile_ruleset(data: DataSet, *, is_partial: bool = False) -> Ruleset:
    """Report bad data in `Ruleset.diagnostics`; never raise."""
    return Ruleset(data, is_partial=is_partial)


def find_points_type(data: DataSet) -> CostType | None:
    """Return the cost type that limits lists, or None: points, else the first visible cost with a limit."""
    kinds = [kind for catalogue in data.catalogues for kind in catalogue.cost_types]
    visible = [kind for kind in kinds if not kind.is_never_shown]
    # Community data has many spellings of points, and some games have none.
    named = [
        kind
        for kind in visible
        if any(text.strip().lower().startswith(("pts", "point")) for text in (kind.name, kind.id))
    ]
    limited = [kind for kind in visible if kind.default_limit >= 0 or kind.presets]
    return next(iter([*named, *limited, *visible]), None)
