"""A catalogue with its links followed, for reading: rows, search and unit cards are made from it.

The engine knows what rules change; this says what the data states, and no more.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import msgspec

from catalogue.definitions.catalogues import Catalogue
from catalogue.definitions.citations import Citation
from catalogue.definitions.constraints import Constraint
from catalogue.definitions.entries import CategoryLink, Entry, EntryKind
from catalogue.definitions.infos import Info, InfoKind
from catalogue.definitions.link_index import Binding
from catalogue.definitions.numbers import Number
from catalogue.definitions.queries import Modifier

SEPARATOR = "::"
LONGEST_CHAIN = 20
FLAVOUR = "~about"
"""The end of the id of a text that only introduces a unit."""

Key = tuple[int, ...]


class Bound(NamedTuple):
    """An entry or group at its place: `parts` are the links that led to it, outermost first, then itself.

    `home` is the catalogue that defines it; `prefix` holds the ids of all links on the path from the root to it. `key`
    is the same for the same links and target, wherever they stand: what is inside depends on nothing else.
    """

    parts: tuple[Entry, ...]
    entry: Entry
    home: Catalogue
    prefix: tuple[str, ...]
    key: Key
    is_group: bool
    hidden: bool

    @property
    def id(self) -> str:
        """The composite id, as the engine writes it."""
        return SEPARATOR.join((*self.prefix, self.entry.id))

    @property
    def ids(self) -> set[str]:
        """All ids by which others may mean it."""
        return {part.id for part in self.parts} | {self.id}

    @property
    def name(self) -> str:
        return self.entry.name or next((part.name for part in self.parts if part.name), "")

    @property
    def note(self) -> str:
        return next((part.note for part in self.parts if part.note), "")

    @property
    def citation(self) -> Citation:
        return next((part.citation for part in reversed(self.parts) if part.citation), self.entry.citation)

    @property
    def default_id(self) -> str:
        return next((part.default_id for part in self.parts if part.default_id), "")

    @property
    def costs(self) -> dict[str, Number]:
        """Cost type id to value; a link's cost replaces that of its target."""
        return {cost.type_id: cost.value for part in reversed(self.parts) for cost in part.costs}

    @property
    def constraints(self) -> tuple[Constraint, ...]:
        return tuple([constraint for part in reversed(self.parts) for constraint in part.constraints])

    @property
    def modifiers(self) -> tuple[Modifier, ...]:
        return tuple([modifier for part in reversed(self.parts) for modifier in part.modifiers])

    @property
    def categories(self) -> tuple[CategoryLink, ...]:
        return tuple([link for part in reversed(self.parts) for link in part.categories])

    @property
    def infos(self) -> tuple[Info, ...]:
        return tuple([info for part in reversed(self.parts) for info in part.infos])


class Library:
    """All books of a data set, with links followed and kept: what is inside an entry is the same for every reader."""

    def __init__(self, binding: Binding) -> None:
        self.binding = binding
        self._inside: dict[Key, list[Bound]] = {}

    def books(self, catalogues: Iterable[Catalogue]) -> list["Book"]:
        """One for each of `catalogues`."""
        return [Book(self, catalogue) for catalogue in catalogues]

    def bind(self, entry: Entry, home: Catalogue, prefix: tuple[str, ...] = ()) -> Bound | None:
        """`entry` with its links followed; None where they lead nowhere or in a circle."""
        if not entry.is_link:
            is_group = entry.kind is EntryKind.GROUP
            return Bound((entry,), entry, home, prefix, (id(entry),), is_group, entry.hidden)
        parts = [entry]
        while parts[-1].is_link:
            found = self.binding.find_entry(parts[-1].target_id, home)
            if found is None or len(parts) > LONGEST_CHAIN:
                return None
            home = found.home
            parts.append(found.entry)
        entry = parts.pop()
        return Bound(
            parts=(*parts, entry),
            entry=entry,
            home=home,
            prefix=(*prefix, *[link.id for link in parts]),
            key=tuple([id(part) for part in (*parts, entry)]),
            is_group=entry.kind is EntryKind.GROUP,
            hidden=entry.hidden or any(link.hidden for link in parts),
        )

    def children(self, bound: Bound) -> list[Bound]:
        """The entries and groups directly inside, in the order of the data."""
        inside = self.inside(bound)
        if not bound.prefix:
            return inside
        return [child._replace(prefix=bound.prefix + child.prefix) for child in inside]

    def inside(self, bound: Bound) -> list[Bound]:
        """The same, each once for all places: their prefixes begin at `bound`. Shared: do not change."""
        inside = self._inside.get(bound.key)
        if inside is None:
            within = [entry for part in reversed(bound.parts) for entry in part.entries]
            inside = [child for entry in within if (child := self.bind(entry, bound.home))] if within else []
            self._inside[bound.key] = inside
        return inside

    def flat_infos(self, infos: Iterable[Info], home: Catalogue, depth: int = 0) -> Iterator[Info]:
        """Profiles and rules, links followed and groups opened; what is hidden stays out.

        What a link says of parameter and citation stands over what its target says. A link to a group, as to a weapon
        with its rules, means the profiles in it: its parameter is how many are carried.
        """
        for info in infos:
            if info.hidden or depth > LONGEST_CHAIN:
                continue
            if info.kind is InfoKind.GROUP:
                yield from self.flat_infos(info.infos, home, depth + 1)
            elif info.kind is InfoKind.LINK:
                yield from self._linked_infos(info, home, depth)
            else:
                yield info

    def _linked_infos(self, link: Info, home: Catalogue, depth: int) -> Iterator[Info]:
        found = self.binding.find_info(link.target_id, home)
        if found is None:
            return
        for info in self.flat_infos([found.info], found.home, depth + 1):
            means_it = info.kind is InfoKind.PROFILE or found.info.kind is not InfoKind.GROUP
            yield msgspec.structs.replace(
                info,
                parameter=(link.parameter if means_it else "") or info.parameter,
                citation=link.citation or info.citation,
            )


class Book:
    """What one catalogue offers, with everything it builds on at hand."""

    def __init__(self, library: Library, catalogue: Catalogue) -> None:
        self.library = library
        self.binding = library.binding
        self.catalogue = catalogue

    def roots(self) -> list[Bound]:
        """What a list of this faction may take directly: own entries, imported ones, those of the game system."""
        found: dict[str, Bound] = {}
        for root in self.binding.list_root_entries(self.catalogue):
            bound = self.library.bind(root.entry, root.home)
            if bound is not None and not bound.is_group:
                found.setdefault(bound.id, bound)
        return list(found.values())
