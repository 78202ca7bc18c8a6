"""A faction's data with its links followed, for reading: rows, search and unit cards are made from it.

The engine binds links for itself and knows what rules change; this says what the data states, and no more.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import msgspec

from catalogue.definitions.catalogues import Catalogue, CatalogueKind, DataSet
from catalogue.definitions.citations import Citation, Publication
from catalogue.definitions.constraints import Constraint
from catalogue.definitions.entries import Category, CategoryLink, Entry, EntryKind
from catalogue.definitions.infos import Info, InfoKind
from catalogue.definitions.numbers import Number
from catalogue.definitions.queries import Modifier
from catalogue.services.documents import closure
from catalogue.services.index import CatalogueIndex

SEPARATOR = "::"
LONGEST_CHAIN = 20


class Bound(NamedTuple):
    """An entry or group at its place: `parts` are the links that led to it, outermost first, then itself.

    `prefix` holds the ids of all links on the path from the root down to and including its own.
    """

    parts: tuple[Entry, ...]
    prefix: tuple[str, ...]

    @property
    def entry(self) -> Entry:
        return self.parts[-1]

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
    def is_group(self) -> bool:
        return self.entry.kind is EntryKind.GROUP

    @property
    def hidden(self) -> bool:
        return any(part.hidden for part in self.parts)

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
        return tuple(constraint for part in reversed(self.parts) for constraint in part.constraints)

    @property
    def modifiers(self) -> tuple[Modifier, ...]:
        return tuple(modifier for part in reversed(self.parts) for modifier in part.modifiers)

    @property
    def categories(self) -> tuple[CategoryLink, ...]:
        return tuple(link for part in reversed(self.parts) for link in part.categories)

    @property
    def infos(self) -> tuple[Info, ...]:
        return tuple(info for part in reversed(self.parts) for info in part.infos)


class Book:
    """What one catalogue offers and everything it builds on; looked up there first, then anywhere."""

    def __init__(self, indexes: dict[str, CatalogueIndex], catalogue_id: str) -> None:
        links = {key: [link.target_id for link in index.catalogue.links] for key, index in indexes.items()}
        near = closure([catalogue_id], links)
        system = [key for key, index in indexes.items() if index.catalogue.kind is CatalogueKind.GAME_SYSTEM]
        order = [catalogue_id, *(key for key in indexes if key in near), *system, *indexes]
        self.catalogue: Catalogue = indexes[catalogue_id].catalogue
        self._indexes = [indexes[key] for key in dict.fromkeys(order)]
        self._by_id = indexes
        self._systems = system

    def entry(self, key: str) -> Entry | None:
        return next((index.entries[key] for index in self._indexes if key in index.entries), None)

    def info(self, key: str) -> Info | None:
        return next((index.infos[key] for index in self._indexes if key in index.infos), None)

    def category(self, key: str) -> Category | None:
        return next((index.categories[key] for index in self._indexes if key in index.categories), None)

    def publication(self, key: str) -> Publication | None:
        return next((index.publications[key] for index in self._indexes if key in index.publications), None)

    def bind(self, entry: Entry, prefix: tuple[str, ...] = ()) -> Bound | None:
        """`entry` with its links followed; None where they lead nowhere or in a circle."""
        parts = [entry]
        while parts[-1].is_link:
            target = self.entry(parts[-1].target_id)
            if target is None or len(parts) > LONGEST_CHAIN:
                return None
            parts.append(target)
        return Bound(tuple(parts), (*prefix, *(part.id for part in parts[:-1])))

    def children(self, bound: Bound) -> list[Bound]:
        """The entries and groups directly inside, in the order of the data."""
        within = [entry for part in reversed(bound.parts) for entry in part.entries]
        return [child for entry in within if (child := self.bind(entry, bound.prefix))]

    def roots(self) -> list[Bound]:
        """What a list of this faction may take directly: own entries, imported ones, those of the game system."""
        found: dict[str, Bound] = {}
        for entry in self._root_entries():
            bound = self.bind(entry)
            if bound is not None and not bound.is_group:
                found.setdefault(bound.id, bound)
        return list(found.values())

    def _root_entries(self) -> Iterator[Entry]:
        yield from self.catalogue.entries
        for key in self._imported():
            yield from (entry for entry in self._by_id[key].catalogue.entries if entry.exported)

    def _imported(self) -> list[str]:
        """The catalogues whose root entries are on offer here too."""
        imports = {
            key: [link.target_id for link in index.catalogue.links if link.import_root_entries]
            for key, index in self._by_id.items()
        }
        near = closure([self.catalogue.id, *self._systems], imports) - {self.catalogue.id}
        return [key for key in self._by_id if key in near]

    def unchecked_ids(self, code: str) -> set[str]:
        """The ids of what the data marks with `code` as open."""
        marks = (mark for index in self._indexes for mark in index.catalogue.unchecked)
        return {mark.subject_id for mark in marks if mark.subject_id and mark.code.startswith(code)}

    def flat_infos(self, infos: Iterable[Info], depth: int = 0) -> Iterator[Info]:
        """Profiles and rules, links followed and groups opened; what is hidden stays out.

        A link's parameter and citation stand over those of its target, as its hiding does.
        """
        for info in infos:
            if info.hidden or depth > LONGEST_CHAIN:
                continue
            if info.kind is InfoKind.GROUP:
                yield from self.flat_infos(info.infos, depth + 1)
            elif info.kind is InfoKind.LINK:
                yield from self._linked_infos(info, depth)
            else:
                yield info

    def _linked_infos(self, link: Info, depth: int) -> Iterator[Info]:
        target = self.info(link.target_id)
        for info in self.flat_infos([target] if target else [], depth + 1):
            own = {"parameter": link.parameter, "citation": link.citation}
            yield replace_given(info, own)


def replace_given(info: Info, fields: dict[str, object]) -> Info:
    """`info` with those `fields` replaced that say something."""
    given = {name: value for name, value in fields.items() if value}
    return msgspec.structs.replace(info, **given) if given else info


def indexes_of(data: DataSet) -> dict[str, CatalogueIndex]:
    """An index per catalogue, to be shared by all books of one data set."""
    return {catalogue.id: CatalogueIndex(catalogue) for catalogue in data.catalogues}
