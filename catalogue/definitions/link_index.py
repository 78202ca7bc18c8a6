"""Find definitions by id across the files of a data set, and check links."""

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import chain
from typing import NamedTuple

from catalogue.definitions.base import Identified
from catalogue.definitions.catalogues import Catalogue, CatalogueKind, DataSet
from catalogue.definitions.citations import Publication
from catalogue.definitions.diagnostics import Diagnostic, Level
from catalogue.definitions.entries import Category, CostType, Entry, EntryKind, ForceEntry
from catalogue.definitions.infos import Info, InfoKind, ProfileType
from catalogue.definitions.queries import Change, Effect, Modifier


class LocatedEntry(NamedTuple):
    """An entry and the catalogue that resolves its links."""

    entry: Entry
    home: Catalogue


class LocatedInfo(NamedTuple):
    """An info and the catalogue that defines it."""

    info: Info
    home: Catalogue


def walk_entries(entries: Iterable[Entry]) -> Iterator[Entry]:
    """Yield entries with everything nested, outer ones first."""
    # Not recursive: deeply nested data must be reported, not crash.
    pending = list(entries)
    for entry in pending:  # grows during the loop: breadth first
        yield entry
        pending.extend(entry.entries)


def _may_lower(modifier: Modifier) -> bool:
    is_negative = modifier.value.strip().startswith("-")
    return is_negative != (modifier.change is Change.DECREMENT)


def walk_infos(infos: Iterable[Info]) -> Iterator[Info]:
    """Yield infos with everything nested, outer ones first."""
    pending = list(infos)
    for info in pending:
        yield info
        pending.extend(info.infos)


def walk_forces(forces: Iterable[ForceEntry]) -> Iterator[ForceEntry]:
    """Yield force entries with everything nested, outer ones first."""
    pending = list(forces)
    for force in pending:
        yield force
        pending.extend(force.forces)


class LinkIndex:
    """One catalogue's linkable definitions by id. Shared ones take precedence over nested ones."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.entries: dict[str, Entry] = {}
        self.infos: dict[str, Info] = {}
        for entry in walk_entries((*catalogue.shared_entries, *catalogue.entries)):
            if not entry.is_link:
                self.entries.setdefault(entry.id, entry)
            for info in walk_infos(entry.infos):
                self.infos.setdefault(info.id, info)
        catalogue_infos = {info.id: info for info in walk_infos((*catalogue.infos, *catalogue.shared_infos))}
        # The catalogue's own definitions take precedence over those inside an entry.
        self.infos = {**self.infos, **catalogue_infos}


def _add_missing(by_id: dict[str, Identified], things: Iterable[Identified]) -> None:
    for thing in things:
        by_id.setdefault(thing.id, thing)


class Binding:
    """Resolves ids over a data set: own file, then linked files, then the game system, then anywhere.

    A missing definition is None: bad data never raises here.
    """

    def __init__(self, data: DataSet) -> None:
        self.data = data
        systems = data.list_kind(CatalogueKind.GAME_SYSTEM)[:1]
        self.game_system = systems[0] if systems else None
        # The game system takes precedence over later files that repeat an id.
        self.catalogues: tuple[Catalogue, ...] = tuple({id(c): c for c in (*systems, *data.catalogues)}.values())
        self.by_id: dict[str, Catalogue] = {}
        self.categories: dict[str, Category] = {}
        self.cost_types: dict[str, CostType] = {}
        self.publications: dict[str, Publication] = {}
        self.profile_types: dict[str, ProfileType] = {}
        self.forces: dict[str, dict[str, ForceEntry]] = {}
        for catalogue in self.catalogues:
            self.by_id.setdefault(catalogue.id, catalogue)
            _add_missing(self.forces.setdefault(catalogue.id, {}), walk_forces(catalogue.forces))
            _add_missing(self.categories, catalogue.categories)
            _add_missing(self.cost_types, catalogue.cost_types)
            _add_missing(self.profile_types, catalogue.profile_types)
            _add_missing(self.publications, catalogue.publications)
        # Filled on demand: an import of a hundred files needs few of them.
        self._shelves: dict[str, LinkIndex] = {}
        self._orders: dict[str, tuple[Catalogue, ...]] = {}
        self._entries: dict[tuple[str, str], LocatedEntry | None] = {}

    @cached_property
    def effect_fields(self) -> frozenset[str]:
        return frozenset(effect.modifier.field for effect in self.effects)

    @cached_property
    def effects(self) -> tuple[Effect, ...]:
        """Effects on other entries that can matter to a verdict."""
        owners: list[Entry | ForceEntry] = []
        for catalogue in self.catalogues:
            owners += walk_entries((*catalogue.entries, *catalogue.shared_entries))
            owners += walk_forces(catalogue.forces)
        return tuple(effect for owner in owners for effect in owner.effects if not effect.profile_type)

    @cached_property
    def falling_cost_types(self) -> frozenset[str]:
        """Cost types whose total may fall when something is added."""
        falling: set[str] = set()
        for entry in chain.from_iterable(map(_walk_catalogue_entries, self.catalogues)):
            falling.update(cost.type_id for cost in entry.costs if cost.value < 0)
            falling.update(modifier.field for modifier in entry.modifiers if _may_lower(modifier))
        return frozenset(falling & self.cost_types.keys())

    @cached_property
    def group_link_ids(self) -> frozenset[str]:
        return frozenset(
            entry.id
            for catalogue in self.catalogues
            for entry in walk_entries((*catalogue.entries, *catalogue.shared_entries))
            if entry.kind is EntryKind.GROUP_LINK
        )

    def get_links(self, catalogue: Catalogue) -> LinkIndex:
        links = self._shelves.get(catalogue.id)
        if links is None:
            links = self._shelves.setdefault(catalogue.id, LinkIndex(catalogue))
        return links

    def list_linked(self, catalogue: Catalogue) -> tuple[Catalogue, ...]:
        """Include indirectly linked catalogues."""
        seen = {catalogue.id}
        pending = [catalogue]
        for current in pending:
            for link in current.links:
                target = self.by_id.get(link.target_id)
                if target and target.id not in seen:
                    seen.add(target.id)
                    pending.append(target)
        return tuple(pending[1:])

    def list_imported(self, catalogue: Catalogue) -> tuple[Catalogue, ...]:
        """Return catalogues whose root entries and rules are on offer, including imports of linked catalogues."""
        linked = self.list_linked(catalogue)
        import_ids = {
            link.target_id for other in (catalogue, *linked) for link in other.links if link.import_root_entries
        }
        imported = [catalogue, *(other for other in linked if other.id in import_ids)]
        # The game system is always on offer, though few files link to it.
        if self.game_system:
            imported.append(self.game_system)
        return tuple({id(other): other for other in imported}.values())

    def list_visible(self, catalogue: Catalogue) -> tuple[Catalogue, ...]:
        """Return all catalogues that `catalogue` can use, nearest first."""
        seen = [catalogue, *self.list_linked(catalogue)]
        if self.game_system and all(c is not self.game_system for c in seen):
            seen.append(self.game_system)
        return tuple(seen)

    def _list_in_order(self, home: Catalogue) -> tuple[Catalogue, ...]:
        order = self._orders.get(home.id)
        if order is None:
            # Some data uses catalogues without linking to them, so search everywhere last.
            both = (*self.list_visible(home), *self.catalogues)
            # By identity, because two files may have the same id.
            order = self._orders.setdefault(home.id, tuple({id(c): c for c in both}.values()))
        return order

    def find_entry(self, entry_id: str, home: Catalogue) -> LocatedEntry | None:
        key = (entry_id, home.id)
        if key not in self._entries:
            located = None
            for catalogue in self._list_in_order(home):
                entry = self.get_links(catalogue).entries.get(entry_id)
                if entry is not None:
                    located = LocatedEntry(entry, catalogue)
                    break
            # Cache None too: a search in vain takes longest.
            self._entries[key] = located
        return self._entries[key]

    def find_info(self, info_id: str, home: Catalogue) -> LocatedInfo | None:
        for catalogue in self._list_in_order(home):
            if info := self.get_links(catalogue).infos.get(info_id):
                return LocatedInfo(info, catalogue)
        return None

    def find_force_entry(self, force_entry_id: str, home: Catalogue) -> ForceEntry | None:
        for catalogue in self._list_in_order(home):
            if force := self.forces[catalogue.id].get(force_entry_id):
                return force
        return None

    def list_root_entries(self, catalogue: Catalogue) -> tuple[LocatedEntry, ...]:
        """Return its own root entries, exported ones of imported catalogues, and the game system's."""
        roots: list[LocatedEntry] = []
        for other in self.list_imported(catalogue):
            # Only imported catalogues can keep entries private.
            offers_all = other is catalogue or other is self.game_system
            roots += [LocatedEntry(entry, other) for entry in other.entries if offers_all or entry.exported]
        return tuple(roots)


# ---- checks ---------------------------------------------------------------------------------------------------------


def check_data(binding: Binding) -> tuple[Diagnostic, ...]:
    diagnostics: list[Diagnostic] = []
    for catalogue in binding.catalogues:
        diagnostics += _check_duplicates(catalogue)
        diagnostics += _check_catalogue_links(binding, catalogue)
        diagnostics += _check_links(binding, catalogue)
        diagnostics += _check_infos(binding, catalogue)
    diagnostics += _check_cycles(binding)
    return tuple(diagnostics)


def _walk_catalogue_entries(catalogue: Catalogue) -> Iterator[Entry]:
    return walk_entries((*catalogue.shared_entries, *catalogue.entries))


def _check_duplicates(catalogue: Catalogue) -> Iterator[Diagnostic]:
    counted = Counter(entry.id for entry in _walk_catalogue_entries(catalogue))
    for entry_id, times in counted.items():
        if times > 1:
            yield Diagnostic(
                code="duplicate-id",
                message=f"The id {entry_id} is given to {times} entries.",
                mend="Give each entry an id of its own; links find the first one.",
                file=catalogue.name,
                level=Level.WARNING,
            )


def _check_catalogue_links(binding: Binding, catalogue: Catalogue) -> Iterator[Diagnostic]:
    for link in catalogue.links:
        if link.target_id not in binding.by_id:
            yield Diagnostic(
                code="dangling-link",
                message=f"The link to the catalogue {link.name or link.target_id} leads nowhere.",
                mend="Add the catalogue to the data, or remove the link.",
                file=catalogue.name,
            )


def _check_links(binding: Binding, catalogue: Catalogue) -> Iterator[Diagnostic]:
    for entry in _walk_catalogue_entries(catalogue):
        if entry.is_link and binding.find_entry(entry.target_id, catalogue) is None:
            yield Diagnostic(
                code="dangling-link",
                message=f"The link {entry.name or entry.id} leads to {entry.target_id}, not to an entry or group.",
                mend="Correct the target's id, or remove the link.",
                file=catalogue.name,
            )
        for category in entry.categories:
            if category.target_id not in binding.categories:
                yield Diagnostic(
                    code="unknown-category",
                    message=f"{entry.name or entry.id} is put in {category.target_id}, which is no category.",
                    mend="Correct the category's id, or remove the link.",
                    file=catalogue.name,
                    level=Level.WARNING,
                )
        target = binding.find_entry(entry.target_id, catalogue) if entry.is_link and entry.default_id else None
        inside = walk_entries(target.entry.entries if target else entry.entries)
        if entry.default_id and not any(entry.default_id in (inner.id, inner.target_id) for inner in inside):
            yield Diagnostic(
                code="dangling-default",
                message=f"The default of the group {entry.name or entry.id} is {entry.default_id}, which is not in it.",
                mend="Name an entry or a link inside the group, or remove the default.",
                file=catalogue.name,
                level=Level.WARNING,
            )


def _check_infos(binding: Binding, catalogue: Catalogue) -> Iterator[Diagnostic]:
    owned = chain.from_iterable(entry.infos for entry in _walk_catalogue_entries(catalogue))
    for info in walk_infos((*catalogue.shared_infos, *catalogue.infos, *owned)):
        if info.kind is InfoKind.LINK and binding.find_info(info.target_id, catalogue) is None:
            yield Diagnostic(
                code="dangling-link",
                message=f"The link {info.name or info.id} leads to {info.target_id}, which is not a profile or rule.",
                mend="Correct the target's id, or remove the link.",
                file=catalogue.name,
                level=Level.WARNING,
            )


def _list_inside(binding: Binding, entry: Entry, home: Catalogue) -> Iterator[tuple[Entry, Catalogue]]:
    if entry.is_link:
        target = binding.find_entry(entry.target_id, home)
        if target:
            yield target
    for child in entry.entries:
        yield child, home


def _check_cycles(binding: Binding) -> Iterator[Diagnostic]:
    """Find links inside their own target, depth first without recursion."""
    done: set[int] = set()
    for catalogue in binding.catalogues:
        for root in (*catalogue.shared_entries, *catalogue.entries):
            if id(root) in done:
                continue
            open_ids = {id(root)}
            path = [(root, catalogue, _list_inside(binding, root, catalogue))]
            while path:
                entry, home, inside = path[-1]
                child = next(inside, None)
                if child is None:
                    path.pop()
                    open_ids.discard(id(entry))
                    done.add(id(entry))
                # An open entry encloses this one: a cycle.
                elif id(child[0]) in open_ids:
                    yield Diagnostic(
                        code="cyclic-link",
                        message=f"The link {entry.name or entry.id} is inside its own target.",
                        mend="Remove the link: nothing can contain itself.",
                        file=home.name,
                    )
                elif id(child[0]) not in done:
                    open_ids.add(id(child[0]))
                    path.append((*child, _list_inside(binding, *child)))
